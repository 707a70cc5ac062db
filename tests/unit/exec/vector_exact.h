// Exact floating-point arithmetic on integers of any size, rounded once: the reference of the float operations.
#pragma once

#include <cstdint>
#include <optional>

#include <boost/multiprecision/cpp_int.hpp>

#include "ir/micro_op.h"

namespace heddle::exec::test {

using Integer = boost::multiprecision::cpp_int;
using ir::Rounding;
__extension__ using Wide = __int128;

// A binary format of IEEE 754.
struct Format {
    unsigned mantissa; // stored digits
    unsigned exponent; // bits
    [[nodiscard]] int bias() const {
        return (1 << (exponent - 1)) - 1;
    }
    [[nodiscard]] std::uint64_t infinity() const {
        return ((std::uint64_t{1} << exponent) - 1) << mantissa;
    }
    [[nodiscard]] std::uint64_t sign() const {
        return std::uint64_t{1} << (mantissa + exponent);
    }
};
inline constexpr Format kF16{10, 5};
inline constexpr Format kBF16{7, 8};
inline constexpr Format kF32{23, 8};
inline constexpr Format kF64{52, 11};

[[nodiscard]] inline bool is_nan(Format f, std::uint64_t bits) {
    return (bits & ~f.sign()) > f.infinity();
}
[[nodiscard]] inline bool is_infinite(Format f, std::uint64_t bits) {
    return (bits & ~f.sign()) == f.infinity();
}
[[nodiscard]] inline bool is_zero(Format f, std::uint64_t bits) {
    return (bits & ~f.sign()) == 0;
}
[[nodiscard]] inline bool is_subnormal(Format f, std::uint64_t bits) {
    return !is_zero(f, bits) && (bits & f.infinity()) == 0;
}
[[nodiscard]] inline std::uint64_t flushed(Format f, std::uint64_t bits) {
    return is_subnormal(f, bits) ? bits & f.sign() : bits;
}

// digits * 2^exponent, and a little more in magnitude when `more`.
struct Exact {
    Integer digits = 0;
    int exponent = 0;
    bool more = false;
};

// The value of a finite number.
[[nodiscard]] Exact exact(Format f, std::uint64_t bits);
[[nodiscard]] Exact operator+(const Exact& a, const Exact& b);
[[nodiscard]] Exact operator*(const Exact& a, const Exact& b);
// Enough digits of a quotient or root, the rest in `more`.
[[nodiscard]] Exact quotient(const Exact& a, const Exact& b);
[[nodiscard]] Exact root(const Exact& a);

// The nearest number of the format in the rounding's direction; a value of zero gives zero of sign `negative_zero`.
[[nodiscard]] std::uint64_t round_to(Format f, const Exact& value, Rounding rounding, bool negative_zero);

// IEEE 754 operations; none where the result is a NaN.
using Result = std::optional<std::uint64_t>;
[[nodiscard]] Result add(Format f, std::uint64_t a, std::uint64_t b, Rounding rounding);
[[nodiscard]] Result multiply(Format f, std::uint64_t a, std::uint64_t b, Rounding rounding);
[[nodiscard]] Result multiply_add(Format f, std::uint64_t a, std::uint64_t b, std::uint64_t c, Rounding rounding);
[[nodiscard]] Result divide(Format f, std::uint64_t a, std::uint64_t b, Rounding rounding);
[[nodiscard]] Result square_root(Format f, std::uint64_t a, Rounding rounding);

// The value rounded to an integer: .rni, .rzi, .rmi, .rpi; at most 2^100 in magnitude.
[[nodiscard]] Wide to_integer(const Exact& value, Rounding rounding);

} // namespace heddle::exec::test
