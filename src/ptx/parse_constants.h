// Reads constant expressions, with C's operators and precedence.
#pragma once

#include <cstdint>
#include <string_view>

#include "ptx/constant.h"
#include "ptx/token_cursor.h"

namespace heddle::ptx {

// Errors are those of the cursor: a ParseFailure at the token that is wrong.
class ConstantParser {
public:
    explicit ConstantParser(TokenCursor& tokens) : tokens_(tokens) {}

    [[nodiscard]] bool at_constant() const;
    Constant expression() {
        return expression(0);
    }
    std::int64_t signed_offset(); // +4, -8, +(1<<2): 0 when no sign follows
    std::uint64_t integer_expression(std::string_view what);

private:
    using Kind = Token::Kind;

    // `depth`: how many expressions the current one stands in.
    Constant expression(unsigned depth);
    Constant binary(Constant left, unsigned weakest, unsigned depth);
    Constant unary(unsigned depth);
    Constant primary(unsigned depth);
    Constant parenthesised(unsigned depth);

    TokenCursor& tokens_;
};

} // namespace heddle::ptx
