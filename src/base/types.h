// The small vocabulary that every layer shares.
#pragma once

#include <cstdint>
#include <limits>

namespace heddle {

using Cycle = std::uint64_t;    // core clock cycles since the start of a launch
using Address = std::uint64_t;  // an address of the simulated device
using Pc = std::uint32_t;       // index of a micro-op; unique over all loaded kernels
using UnitId = std::uint16_t;   // an issue unit: what a scheduler picks
using RowId = std::uint16_t;    // a home row: the machine's width of threads, side by side
using LaneMask = std::uint64_t; // bit i: lane i of a row; widths up to 64

inline constexpr Cycle kNever = std::numeric_limits<Cycle>::max();
inline constexpr Pc kNoPc = std::numeric_limits<Pc>::max();
inline constexpr UnitId kNoUnit = std::numeric_limits<UnitId>::max();

inline constexpr unsigned kMaxWidth = 64;    // lanes of the widest machine (MAWS Figure 10)
inline constexpr unsigned kVectorLanes = 32; // lanes of one register vector; wider rows take two
inline constexpr unsigned kMaxParts = 64;    // parts of one group: at most one a lane
inline constexpr unsigned kPtxWarp = 32;     // threads of a PTX warp, whatever the machine's width
inline constexpr unsigned kWarpgroup = 128;  // threads of four consecutive PTX warps, which execute wgmma together

struct Dim3 {
    std::uint32_t x = 1;
    std::uint32_t y = 1;
    std::uint32_t z = 1;
    [[nodiscard]] constexpr std::uint64_t count() const {
        return std::uint64_t{x} * y * z;
    }
    bool operator==(const Dim3&) const = default;
};

// Lanes in a mask, inline: the baseline instruction set has no population count, and std::popcount calls a library.
[[nodiscard]] constexpr unsigned count_lanes(LaneMask mask) {
    if (mask == 0xffffffffU) [[likely]]
        return 32;
    mask -= (mask >> 1) & 0x5555555555555555U;
    mask = (mask & 0x3333333333333333U) + ((mask >> 2) & 0x3333333333333333U);
    mask = (mask + (mask >> 4)) & 0x0f0f0f0f0f0f0f0fU;
    return static_cast<unsigned>((mask * 0x0101010101010101U) >> 56);
}

// Every even lane and the odd one behind it change places.
[[nodiscard]] constexpr LaneMask swap_pairs(LaneMask mask) {
    return (mask & 0x5555555555555555U) << 1 | (mask >> 1 & 0x5555555555555555U);
}

// Lanes 0 .. n-1.
[[nodiscard]] constexpr LaneMask first_lanes(unsigned n) {
    return n >= 64 ? ~LaneMask{0} : (LaneMask{1} << n) - 1;
}

// Lanes of a home row of a block's `threads` threads. Swizzled (DWF07 4.1): its even and odd threads change places.
[[nodiscard]] constexpr LaneMask lanes_of_row(unsigned threads, bool swizzled) {
    return swizzled ? swap_pairs(first_lanes(threads)) : first_lanes(threads);
}
// Whether a home row of the SM is one of those, where rows are swizzled at all.
[[nodiscard]] constexpr bool is_swizzled(unsigned row, unsigned width) {
    return width > 1 && (row & 1) != 0;
}

} // namespace heddle
