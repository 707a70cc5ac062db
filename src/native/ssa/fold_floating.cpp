// Floating point and comparisons on constants, where every way to compute them gives the same bits: neither NaNs nor
// infinities nor numbers below the normal ones are read or made, and the rounding is to the nearest.
#include <bit>
#include <cmath>
#include <optional>

#include "native/ssa/fold.h"

namespace heddle::native {

namespace {

using ir::Opcode;
using ir::Sub;
using ir::Type;

std::optional<float> plain(float value) {
    return value == 0 || std::isnormal(value) ? std::optional(value) : std::nullopt;
}

std::optional<float> plain(std::uint64_t bits) {
    return plain(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
}

template <typename T>
std::optional<bool> compared(Sub sub, T a, T b) {
    switch (sub) {
    case Sub::Eq:
        return a == b;
    case Sub::Ne:
        return a != b;
    case Sub::Lt:
        return a < b;
    case Sub::Le:
        return a <= b;
    case Sub::Gt:
        return a > b;
    case Sub::Ge:
        return a >= b;
    default:
        return std::nullopt;
    }
}

std::optional<bool> compare(const ir::MicroOp& op, std::uint64_t a, std::uint64_t b) {
    if (op.combine != ir::BoolOp::None || op.dst[1] != ir::kNowhere)
        return std::nullopt;
    if (op.type == Type::F32) {
        const std::optional<float> x = plain(a);
        const std::optional<float> y = plain(b);
        return x && y ? compared(op.sub, *x, *y) : std::nullopt;
    }
    const unsigned bytes = ptx::size_of(op.type);
    if (op.domain != ir::Domain::Int || op.type == Type::Pred || bytes < 4 || bytes > 8)
        return std::nullopt;
    return ptx::is_signed(op.type) ? compared(op.sub, static_cast<std::int64_t>(sign_extended(a, bytes)),
                                              static_cast<std::int64_t>(sign_extended(b, bytes)))
                                   : compared(op.sub, cut(a, bytes), cut(b, bytes));
}

std::optional<std::uint64_t> convert(const ir::MicroOp& op, std::uint64_t a) {
    if (op.type == Type::F32 && op.rounding == ir::Rounding::Rn) {
        if (op.from == Type::S32)
            return std::bit_cast<std::uint32_t>(static_cast<float>(static_cast<std::int32_t>(a)));
        if (op.from == Type::U32)
            return std::bit_cast<std::uint32_t>(static_cast<float>(static_cast<std::uint32_t>(a)));
        return std::nullopt;
    }
    if (op.type != Type::S32 || op.from != Type::F32 || op.rounding != ir::Rounding::Rzi)
        return std::nullopt;
    const std::optional<float> x = plain(a);
    if (!x || std::fabs(*x) >= 0x1p31F)
        return std::nullopt;
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(*x)); // a destination of 64 bits gets the sign, too
}

// ex2.approx of whole numbers and lg2.approx of powers of two are exact.
std::optional<float> function(Opcode opcode, float a) {
    if (opcode == Opcode::Ex2)
        return a == std::trunc(a) && std::fabs(a) < 126 ? std::optional(std::exp2(a)) : std::nullopt;
    int exponent = 0;
    return a > 0 && std::frexp(a, &exponent) == 0.5F ? std::optional(static_cast<float>(exponent - 1)) : std::nullopt;
}

std::optional<float> compute(const ir::MicroOp& op, float a, std::optional<float> b) {
    if (op.opcode == Opcode::Ex2 || op.opcode == Opcode::Lg2)
        return function(op.opcode, a);
    if (!b || (op.rounding != ir::Rounding::Rn && op.rounding != ir::Rounding::None))
        return std::nullopt;
    switch (op.opcode) {
    case Opcode::Add:
        return plain(a + *b);
    case Opcode::Sub:
        return plain(a - *b);
    case Opcode::Mul:
        return plain(a * *b);
    default:
        return std::nullopt;
    }
}

} // namespace

bool fold_comparison(const ir::MicroOp& op, std::uint64_t a, std::uint64_t b, std::uint64_t& result) {
    const std::optional<bool> value = compare(op, a, b);
    result = value.value_or(false) ? 0xffff'ffffU : 0;
    return value.has_value();
}

bool fold_floating(const ir::MicroOp& op, std::uint64_t a, std::uint64_t b, std::uint64_t& result) {
    if (op.has(ir::kSaturate))
        return false;
    std::optional<std::uint64_t> bits;
    if (op.opcode == Opcode::Cvt)
        bits = convert(op, a);
    else if (const std::optional<float> x = plain(a); x && op.type == Type::F32 && op.from == Type::None)
        if (const std::optional<float> value = compute(op, *x, plain(b)))
            bits = std::bit_cast<std::uint32_t>(*value);
    result = bits.value_or(0);
    return bits.has_value();
}

} // namespace heddle::native
