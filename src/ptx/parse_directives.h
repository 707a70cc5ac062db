// Reads the directives that stand both in a module and in a function.
#pragma once

#include <vector>

#include "ptx/parse_constants.h"
#include "ptx/syntax.h"
#include "ptx/token_cursor.h"

namespace heddle::ptx {

// Each function starts at the directive's own token.
class DirectiveParser {
public:
    // .file directives are added to `files`.
    DirectiveParser(TokenCursor& tokens, ConstantParser& constants, std::vector<SourceFile>& files)
        : tokens_(tokens), constants_(constants), files_(files) {}

    void file();
    void pragma();
    bool attribute();      // true: .managed is among them
    SourceLine location(); // .loc

private:
    using Kind = Token::Kind;

    TokenCursor& tokens_;
    ConstantParser& constants_;
    std::vector<SourceFile>& files_;
};

} // namespace heddle::ptx
