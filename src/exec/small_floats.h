// Floating-point formats of 4 to 16 bits by their codes: e4m3, e5m2, e2m3, e3m2, e2m1, and f16 and bf16 in conversions
// that round stochastically; the scale factor ue8m0. A code stands in the low bits of a word.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace heddle::exec {

struct SmallFloat {
    std::uint32_t sign; // the sign bit of a code: the highest
    int mantissa;       // stored digits
    int bias;
    std::uint32_t largest; // code of the largest finite number
    std::uint32_t beyond;  // code of a result above it: infinity, else the NaN, else `largest`
    std::uint32_t nan; // the NaN of conversions; `largest` in a format without one, where PTX has that number instead
};

inline constexpr SmallFloat kE4M3{0x80, 3, 7, 0x7e, 0x7f, 0x7f}; // no infinity
inline constexpr SmallFloat kE5M2{0x80, 2, 15, 0x7b, 0x7c, 0x7f};
inline constexpr SmallFloat kE2M3{0x20, 3, 1, 0x1f, 0x1f, 0x1f}; // finite numbers alone, as the next two
inline constexpr SmallFloat kE3M2{0x20, 2, 3, 0x1f, 0x1f, 0x1f};
inline constexpr SmallFloat kE2M1{0x8, 1, 1, 0x7, 0x7, 0x7};
inline constexpr SmallFloat kSmallF16{0x8000, 10, 15, 0x7bff, 0x7c00, 0x7fff};
inline constexpr SmallFloat kSmallBF16{0x8000, 7, 127, 0x7f7f, 0x7f80, 0x7fff};

// Exact; a NaN is 0x7fffffff. Bits above the sign have no effect. For formats of up to 8 bits, and f16.
inline float float_of(const SmallFloat& format, std::uint32_t code) {
    const std::uint32_t magnitude = code & (format.sign - 1);
    const std::uint32_t sign = (code & format.sign) != 0 ? 0x80000000U : 0;
    if (magnitude > format.largest)
        return std::bit_cast<float>(magnitude == format.beyond && format.beyond != format.nan ? 0x7f800000U | sign
                                                                                              : 0x7fffffffU);
    const auto rebias = static_cast<std::uint32_t>(127 - format.bias);
    if (magnitude >> format.mantissa != 0)
        return std::bit_cast<float>(((magnitude << (23 - format.mantissa)) + (rebias << 23)) | sign);
    const float last_place = std::bit_cast<float>((rebias + 1 - static_cast<std::uint32_t>(format.mantissa)) << 23);
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(static_cast<float>(magnitude) * last_place) | sign);
}

// The code of a number whose digits `kept` remain, and whose other digits, `rest`, have `cut` places: from 13 to 62.
// `Away(kept, rest, cut)`: whether the result is the neighbour with the larger magnitude. `over`: for a finite result
// above the largest number; `infinite`: for an infinity.
template <class Away>
inline std::uint32_t code_of(const SmallFloat& format, float value, std::uint32_t over, std::uint32_t infinite,
                             Away away) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t magnitude = bits & 0x7fffffffU;
    if (magnitude > 0x7f800000U)
        return format.nan;
    const std::uint32_t sign = bits >> 31 != 0 ? format.sign : 0;
    if (magnitude == 0x7f800000U)
        return infinite | sign;
    const int stored = static_cast<int>(magnitude >> 23);
    const int exponent = std::max(stored, 1);
    const int least = 128 - format.bias; // f32's exponent of the least normal number
    const std::uint64_t digits = (magnitude & 0x7fffffU) | (stored != 0 ? 0x800000U : 0);
    const int cut = std::min(23 - format.mantissa + std::max(least - exponent, 0), 62);
    const std::uint64_t kept = digits >> cut;
    const std::uint64_t rest = digits - (kept << cut);
    // The hidden digit of a normal number counts as one in the exponent; a carry out of the digits increments it.
    const auto scale = static_cast<std::uint32_t>(std::max(exponent, least) - least) << format.mantissa;
    const std::uint32_t code = scale + static_cast<std::uint32_t>(kept) + (away(kept, rest, cut) ? 1U : 0U);
    return (code > format.largest ? over : code) | sign;
}

// To the nearest, ties to even. `satfinite`: a result beyond the largest number, and an infinity, is that number.
inline std::uint32_t code_of(const SmallFloat& format, float value, bool satfinite) {
    const std::uint32_t over = satfinite ? format.largest : format.beyond;
    return code_of(format, value, over, over, [](std::uint64_t kept, std::uint64_t rest, int cut) {
        return rest + (kept & 1) > std::uint64_t{1} << (cut - 1);
    });
}

// .rna: to the nearest, ties away from zero.
inline std::uint32_t code_of_away(const SmallFloat& format, float value, bool satfinite) {
    const std::uint32_t over = satfinite ? format.largest : format.beyond;
    return code_of(format, value, over, over,
                   [](std::uint64_t, std::uint64_t rest, int cut) { return rest >> (cut - 1) != 0; });
}

// .rz: toward zero. Without `satfinite` an infinity stays one.
inline std::uint32_t code_toward_zero(const SmallFloat& format, float value, bool satfinite) {
    return code_of(format, value, format.largest, satfinite ? format.largest : format.beyond,
                   [](std::uint64_t, std::uint64_t, int) { return false; });
}

// .rs: `random`, a number of `bits` bits, is added to the leading digits that are cut off. A carry rounds away from
// zero.
inline std::uint32_t code_of(const SmallFloat& format, float value, bool satfinite, std::uint32_t random, int bits) {
    const std::uint32_t over = satfinite ? format.largest : format.beyond;
    return code_of(format, value, over, over, [=](std::uint64_t, std::uint64_t rest, int cut) {
        return (rest + (std::uint64_t{random} << (cut - bits))) >> cut != 0;
    });
}

// .relu: a negative result, -0 too, is +0.
inline std::uint32_t rectified(const SmallFloat& format, std::uint32_t code) {
    return (code & format.sign) != 0 ? 0 : code;
}

// ue8m0 has powers of two alone: code c is 2^(c - 127), and 0xff is the NaN. The sign of a value has no effect; a zero
// has the code of the least power. Toward zero, or away from zero when `up`. Without `satfinite` a result beyond the
// largest power is the NaN.
inline std::uint32_t ue8m0_of(float value, bool up, bool satfinite) {
    const std::uint32_t magnitude = std::bit_cast<std::uint32_t>(value) & 0x7fffffffU;
    if (magnitude > 0x7f800000U)
        return 0xff;
    const bool between = (magnitude & 0x7fffffU) != 0 && magnitude > 0x00400000U; // 2^-127 is a subnormal f32
    const std::uint32_t code = (magnitude >> 23) + (up && between ? 1U : 0U);
    return satfinite ? std::min(code, 0xfeU) : code;
}

inline float float_of_ue8m0(std::uint32_t code) {
    code &= 0xff;
    return std::bit_cast<float>(code == 0xff ? 0x7fffffffU : code == 0 ? 0x00400000U : code << 23);
}

} // namespace heddle::exec
