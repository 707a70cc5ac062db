// Reads the directives that stand both in a module and in a function.
#pragma once

#include <map>
#include <tuple>
#include <vector>

#include "ptx/parse_constants.h"
#include "ptx/syntax.h"
#include "ptx/token_cursor.h"

namespace heddle::ptx {

// Each function starts at the directive's own token.
class DirectiveParser {
public:
    // .file directives are added to the module's files, calls of inlined functions to its calls.
    DirectiveParser(TokenCursor& tokens, ConstantParser& constants, Module& module)
        : tokens_(tokens), constants_(constants), module_(module) {}

    void file();
    void pragma();
    bool attribute();      // true: .managed is among them
    SourceLine location(); // .loc
    void begin_body() {    // a call of an inlined function is in the same body as the function
        calls_.clear();
    }

private:
    using Kind = Token::Kind;

    SourceLine place();
    std::uint32_t call(InlinedCall call);

    TokenCursor& tokens_;
    ConstantParser& constants_;
    Module& module_;
    std::map<SourceLine, std::uint32_t> calls_; // in the body, by place without a call: the call of its last .loc
    // Of the module's calls: index + 1.
    std::map<std::tuple<SourceLine, std::string_view, std::int64_t>, std::uint32_t> numbers_;
};

} // namespace heddle::ptx
