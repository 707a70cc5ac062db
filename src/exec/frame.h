// The layout of a row's registers in memory (contents of a frame: ir/micro_op.h).
//
// A row of up to 32 lanes has one frame; narrower rows use the low lanes. A wider row has two, for lanes 0 to 31 and 32
// to 63. Frames of an SM follow each other by row, at an odd number of cache lines: with a distance that is a multiple
// of 4 KiB, one register of all rows would compete for one set of the host's cache.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "ir/micro_op.h"

namespace heddle::exec {

inline constexpr std::size_t kSlotBytes = std::size_t{kVectorLanes} * 4;
inline constexpr std::size_t kPredicateBytes = 4;
inline constexpr std::size_t kFrameAlignment = 64;
inline constexpr std::size_t kFrameSlack = 64; // readable behind the last predicate, for whole-vector loads

// A register of zeros: the base of absolute addresses.
alignas(kFrameAlignment) inline constexpr std::array<std::byte, std::size_t{kVectorLanes} * 8> kZeroRow{};

[[nodiscard]] constexpr ir::Place slot_place(std::uint32_t slot) {
    return static_cast<ir::Place>(slot * kSlotBytes);
}
[[nodiscard]] constexpr ir::Place predicate_place(std::uint32_t slots, std::uint32_t predicate) {
    return static_cast<ir::Place>(slots * kSlotBytes + predicate * kPredicateBytes);
}

// Bytes of a frame that hold values.
[[nodiscard]] constexpr std::size_t frame_bytes(std::uint32_t slots, std::uint32_t predicates) {
    return slots * kSlotBytes + predicates * kPredicateBytes;
}
// Distance of frames.
[[nodiscard]] constexpr std::size_t frame_stride(std::uint32_t slots, std::uint32_t predicates) {
    const std::size_t lines = (frame_bytes(slots, predicates) + kFrameSlack + kFrameAlignment - 1) / kFrameAlignment;
    return (lines | 1) * kFrameAlignment;
}

} // namespace heddle::exec
