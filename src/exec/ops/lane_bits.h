// Lane i's bit of a mask, as tables: a compiler turns `mask & bit[lane]` into vector tests on every instruction set.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/types.h"

namespace heddle::exec::ops {

template <class Word>
constexpr std::array<Word, kVectorLanes> make_lane_bits() {
    std::array<Word, kVectorLanes> bits{};
    for (std::size_t lane = 0; lane < kVectorLanes; ++lane) {
        bits[lane] = Word{1} << lane;
    }
    return bits;
}

alignas(64) inline constexpr auto kLaneBit = make_lane_bits<std::uint32_t>();
alignas(64) inline constexpr auto kLaneBit64 = make_lane_bits<std::uint64_t>();

} // namespace heddle::exec::ops
