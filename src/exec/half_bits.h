// Single numbers of f16 by their bits, outside register operations (those: src/exec/ops/half-inl.h).
#pragma once

#include <bit>
#include <cstdint>

namespace heddle::exec {

// The NaN of f16 and of bf16 that copies of tensors write outside a tensor, which fma.oob knows. PTX does not give its
// bits; it is not the NaN of arithmetic operations, which is 0x7fff.
inline constexpr std::uint32_t kOutsideHalf = 0x7ff7;

// Exact; a NaN keeps its payload. `bits`: the low 16.
inline float float_of_f16(std::uint32_t bits) {
    const std::uint32_t sign = (bits & 0x8000) << 16, magnitude = bits & 0x7fff;
    const std::uint32_t finite = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude << 13) * 0x1p112F);
    const std::uint32_t value = magnitude < 0x7c00 ? finite : 0x7f800000 | magnitude << 13;
    return std::bit_cast<float>(value | sign);
}

// To the nearest, ties to even; a NaN is 0x7fff.
inline std::uint32_t f16_of_float(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
    if (magnitude > 0x7f800000)
        return 0x7fff;
    if (magnitude >= 0x477ff000) // halfway to 2^16
        return sign | 0x7c00;
    if (magnitude < 0x38800000) // the last place of 0.5 is the last place of subnormal f16 numbers
        return sign | (std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + 0.5F) - 0x3f000000);
    return sign | ((magnitude + 0xfff + (magnitude >> 13 & 1) - 0x38000000) >> 13);
}

} // namespace heddle::exec
