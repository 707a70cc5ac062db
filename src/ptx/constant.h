// Values of constant expressions (PTX ISA, "Constant Expressions") and the arithmetic on them.
#pragma once

#include <cstdint>
#include <string_view>

#include "ptx/lexer.h"

namespace heddle::ptx {

struct Constant {
    enum class Kind : std::uint8_t {
        Signed,   // s64
        Unsigned, // u64
        Float,    // f64: `bits` is its pattern
        Single,   // 0f...: `bits` is the f32's pattern; no operator but a sign takes it
    } kind = Kind::Signed;
    std::uint64_t bits = 0;

    [[nodiscard]] bool is_integer() const {
        return kind == Kind::Signed || kind == Kind::Unsigned;
    }
};

// A result, or the error in `problem`.
struct Evaluated {
    Constant value;
    std::string_view problem;
};

// The value of an Integer, Float or Single token.
[[nodiscard]] Constant constant_of(const Token&);

// `op` is the operator's token kind.
[[nodiscard]] Evaluated apply(Token::Kind op, Constant operand);
[[nodiscard]] Evaluated apply(Token::Kind op, Constant left, Constant right);

// How tightly a binary operator binds, as in C: 1 (||) to 10 (*, /, %); 0: no binary operator.
[[nodiscard]] unsigned precedence(Token::Kind op);
inline constexpr unsigned kAdditive = 9; // + and -

} // namespace heddle::ptx
