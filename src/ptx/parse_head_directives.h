// Reads the directives between a function's parameters and its body.
#pragma once

#include <string_view>

#include "ptx/parse_directives.h"
#include "ptx/syntax.h"
#include "ptx/token_cursor.h"

namespace heddle::ptx {

class HeadDirectiveParser {
public:
    HeadDirectiveParser(TokenCursor& tokens, DirectiveParser& directives) : tokens_(tokens), directives_(directives) {}

    // All that follow, into `function`.
    void function_directives(Function& function);

private:
    using Kind = Token::Kind;

    bool function_directive(Function& function); // false: the directive is not known here
    Dim3 dimensions(std::string_view directive);

    TokenCursor& tokens_;
    DirectiveParser& directives_;
};

} // namespace heddle::ptx
