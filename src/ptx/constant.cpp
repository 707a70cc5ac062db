#include "ptx/constant.h"

#include <bit>

namespace heddle::ptx {

namespace {

using Kind = Token::Kind;

constexpr std::string_view kNotInteger = "this operator takes integers";
constexpr std::string_view kDivisionByZero = "division by zero";
constexpr std::string_view kMixed = "an integer and a floating-point number do not mix here";

Constant truth(bool value) {
    return {Constant::Kind::Signed, value ? 1U : 0U};
}

Constant of_double(double value) {
    return {Constant::Kind::Float, std::bit_cast<std::uint64_t>(value)};
}

Evaluated on_doubles(Kind op, double a, double b) {
    switch (op) {
    case Kind::Plus:
        return {of_double(a + b), {}};
    case Kind::Minus:
        return {of_double(a - b), {}};
    case Kind::Star:
        return {of_double(a * b), {}};
    case Kind::Slash:
        if (b == 0)
            return {{}, kDivisionByZero};
        return {of_double(a / b), {}};
    case Kind::Less:
        return {truth(a < b), {}};
    case Kind::LessEqual:
        return {truth(a <= b), {}};
    case Kind::Greater:
        return {truth(a > b), {}};
    case Kind::GreaterEqual:
        return {truth(a >= b), {}};
    case Kind::EqualEqual:
        return {truth(a == b), {}};
    case Kind::BangEqual:
        return {truth(a != b), {}};
    default:
        return {{}, kNotInteger};
    }
}

// On magnitudes, so that no signed overflow happens on the host.
std::uint64_t quotient(bool is_signed, std::uint64_t a, std::uint64_t b) {
    const bool negative_a = is_signed && static_cast<std::int64_t>(a) < 0;
    const bool negative_b = is_signed && static_cast<std::int64_t>(b) < 0;
    const std::uint64_t magnitude = (negative_a ? 0 - a : a) / (negative_b ? 0 - b : b);
    return negative_a != negative_b ? 0 - magnitude : magnitude;
}

bool less(bool is_signed, std::uint64_t a, std::uint64_t b) {
    return is_signed ? static_cast<std::int64_t>(a) < static_cast<std::int64_t>(b) : a < b;
}

// The type of a shift is that of its left operand.
Evaluated shift(Kind op, Constant left, std::uint64_t amount) {
    if (amount >= 64)
        return {{}, "a shift by 64 bits or more"};
    if (op == Kind::ShiftLeft)
        return {{left.kind, left.bits << amount}, {}};
    if (left.kind == Constant::Kind::Unsigned)
        return {{left.kind, left.bits >> amount}, {}};
    return {{left.kind, static_cast<std::uint64_t>(static_cast<std::int64_t>(left.bits) >> amount)}, {}};
}

Evaluated on_integers(Kind op, Constant left, Constant right) {
    const bool is_signed = left.kind == Constant::Kind::Signed && right.kind == Constant::Kind::Signed;
    const Constant::Kind kind = is_signed ? Constant::Kind::Signed : Constant::Kind::Unsigned;
    const std::uint64_t a = left.bits;
    const std::uint64_t b = right.bits;
    switch (op) {
    case Kind::Plus:
        return {{kind, a + b}, {}};
    case Kind::Minus:
        return {{kind, a - b}, {}};
    case Kind::Star:
        return {{kind, a * b}, {}};
    case Kind::Slash:
        if (b == 0)
            return {{}, kDivisionByZero};
        return {{kind, quotient(is_signed, a, b)}, {}};
    case Kind::Percent: // of u64, whatever the operands are
        if (b == 0)
            return {{}, kDivisionByZero};
        return {{Constant::Kind::Unsigned, a % b}, {}};
    case Kind::Less:
        return {truth(less(is_signed, a, b)), {}};
    case Kind::LessEqual:
        return {truth(!less(is_signed, b, a)), {}};
    case Kind::Greater:
        return {truth(less(is_signed, b, a)), {}};
    case Kind::GreaterEqual:
        return {truth(!less(is_signed, a, b)), {}};
    case Kind::EqualEqual:
        return {truth(a == b), {}};
    case Kind::BangEqual:
        return {truth(a != b), {}};
    case Kind::ShiftLeft:
    case Kind::ShiftRight:
        return shift(op, left, b);
    case Kind::Amp:
        return {{kind, a & b}, {}};
    case Kind::Caret:
        return {{kind, a ^ b}, {}};
    case Kind::Pipe:
        return {{kind, a | b}, {}};
    case Kind::AmpAmp:
        return {truth(a != 0 && b != 0), {}};
    case Kind::PipePipe:
        return {truth(a != 0 || b != 0), {}};
    default:
        return {{}, kNotInteger};
    }
}

} // namespace

Constant constant_of(const Token& token) {
    if (token.is(Kind::Float))
        return {Constant::Kind::Float, token.bits};
    if (token.is(Kind::Single))
        return {Constant::Kind::Single, token.bits};
    const bool fits_signed = token.bits <= ~std::uint64_t{0} >> 1;
    return {token.is_unsigned || !fits_signed ? Constant::Kind::Unsigned : Constant::Kind::Signed, token.bits};
}

Evaluated apply(Token::Kind op, Constant operand) {
    if (op == Kind::Plus)
        return {operand, {}};
    if (op == Kind::Minus) {
        if (operand.kind == Constant::Kind::Float)
            return {{operand.kind, operand.bits ^ (std::uint64_t{1} << 63)}, {}};
        if (operand.kind == Constant::Kind::Single)
            return {{operand.kind, operand.bits ^ (std::uint64_t{1} << 31)}, {}};
        return {{operand.kind, 0 - operand.bits}, {}};
    }
    if (!operand.is_integer())
        return {{}, kNotInteger};
    if (op == Kind::Bang)
        return {truth(operand.bits == 0), {}};
    return {{Constant::Kind::Unsigned, ~operand.bits}, {}};
}

Evaluated apply(Token::Kind op, Constant left, Constant right) {
    if (left.kind == Constant::Kind::Single || right.kind == Constant::Kind::Single)
        return {{}, "a 0f constant can not be part of an expression"};
    if (left.is_integer() != right.is_integer())
        return {{}, kMixed};
    if (left.is_integer())
        return on_integers(op, left, right);
    return on_doubles(op, std::bit_cast<double>(left.bits), std::bit_cast<double>(right.bits));
}

unsigned precedence(Token::Kind op) {
    switch (op) {
    case Kind::PipePipe:
        return 1;
    case Kind::AmpAmp:
        return 2;
    case Kind::Pipe:
        return 3;
    case Kind::Caret:
        return 4;
    case Kind::Amp:
        return 5;
    case Kind::EqualEqual:
    case Kind::BangEqual:
        return 6;
    case Kind::Less:
    case Kind::LessEqual:
    case Kind::Greater:
    case Kind::GreaterEqual:
        return 7;
    case Kind::ShiftLeft:
    case Kind::ShiftRight:
        return 8;
    case Kind::Plus:
    case Kind::Minus:
        return kAdditive;
    case Kind::Star:
    case Kind::Slash:
    case Kind::Percent:
        return 10;
    default:
        return 0;
    }
}

} // namespace heddle::ptx
