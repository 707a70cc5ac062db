// The elements of matrices in the registers of threads and in words of memory: their values, and results as words.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <type_traits>

#include "exec/half_bits.h"
#include "exec/small_floats.h"
#include "ir/isa/matrix.h"

namespace heddle::exec {

template <unsigned kElements>
using InRegister = std::integral_constant<unsigned, kElements>;

// The numbers of a format of eight bits, by code.
inline std::array<float, 256> numbers_of(const SmallFloat& format) {
    std::array<float, 256> numbers;
    for (std::uint32_t code = 0; code < numbers.size(); ++code)
        numbers[code] = float_of(format, code); // NOLINT(cppcoreguidelines-pro-bounds-constant-array-index)
    return numbers;
}

inline float number_of_8_bits(const std::array<float, 256>& numbers, std::uint32_t word) {
    return numbers[word & 0xff]; // NOLINT(cppcoreguidelines-pro-bounds-constant-array-index)
}

// Calls f(InRegister, value): `value` gives the element that stands in the low bits of a word.
template <class F>
void with_format(ir::Element element, float, const F& f) {
    switch (element) {
    case ir::Element::F16:
        return f(InRegister<2>(), [](std::uint32_t word) { return float_of_f16(word & 0xffff); });
    case ir::Element::BF16:
        return f(InRegister<2>(), [](std::uint32_t word) { return std::bit_cast<float>(word << 16); });
    case ir::Element::E4M3: {
        static const std::array<float, 256> kNumbers = numbers_of(kE4M3);
        return f(InRegister<4>(), [](std::uint32_t word) { return number_of_8_bits(kNumbers, word); });
    }
    case ir::Element::E5M2: {
        static const std::array<float, 256> kNumbers = numbers_of(kE5M2);
        return f(InRegister<4>(), [](std::uint32_t word) { return number_of_8_bits(kNumbers, word); });
    }
    case ir::Element::TF32: // other bits of a register are ignored
        return f(InRegister<1>(), [](std::uint32_t word) { return std::bit_cast<float>(word & 0xffffe000); });
    default:
        return f(InRegister<1>(), [](std::uint32_t word) { return std::bit_cast<float>(word); });
    }
}

template <class F>
void with_format(ir::Element element, std::int32_t, const F& f) {
    switch (element) {
    case ir::Element::S8:
        return f(InRegister<4>(), [](std::uint32_t word) { return std::int32_t{static_cast<std::int8_t>(word)}; });
    case ir::Element::U8:
        return f(InRegister<4>(), [](std::uint32_t word) { return static_cast<std::int32_t>(word & 0xff); });
    case ir::Element::S4:
        return f(InRegister<8>(), [](std::uint32_t word) { return static_cast<std::int32_t>((word & 0xf) ^ 8) - 8; });
    case ir::Element::U4:
        return f(InRegister<8>(), [](std::uint32_t word) { return static_cast<std::int32_t>(word & 0xf); });
    default: // S32, and single bits as words of 32
        return f(InRegister<1>(), [](std::uint32_t word) { return static_cast<std::int32_t>(word); });
    }
}

// The word with the results at the positions `from`.
inline std::uint32_t pack(ir::Element element, const std::uint16_t* from, const float* matrix) {
    if (element == ir::Element::F32) {
        const float value = matrix[from[0]];
        return value != value ? 0x7fffffff : std::bit_cast<std::uint32_t>(value);
    }
    return f16_of_float(matrix[from[0]]) | f16_of_float(matrix[from[1]]) << 16;
}

inline std::uint64_t pack(ir::Element, const std::uint16_t* from, const double* matrix) {
    return std::bit_cast<std::uint64_t>(matrix[from[0]]);
}

inline std::uint32_t pack(ir::Element, const std::uint16_t* from, const std::int32_t* matrix) {
    return static_cast<std::uint32_t>(matrix[from[0]]);
}

} // namespace heddle::exec
