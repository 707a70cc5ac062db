// The unit of work of most instructions: the lanes of one frame that execute.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "base/types.h"
#include "ir/micro_op.h"
#include "warp/group.h"

namespace heddle::exec {

// The lanes of one frame that take part in an instruction.
struct Segment {
    std::byte* frame;
    std::uint32_t mask; // lanes with a true guard, not 0
    RowId row;
    std::uint16_t half; // 1: lanes 32 to 63 of the row
    std::uint16_t part; // index in the group

    [[nodiscard]] unsigned lane(unsigned i) const { // home lane of the frame's lane i
        return half * kVectorLanes + i;
    }
    [[nodiscard]] LaneMask lanes() const { // home lanes of `mask`
        return LaneMask{mask} << (half * kVectorLanes);
    }
};

// Counts threads of several rows. Threads of different lanes are counted at once: most groups have no two threads of
// one lane.
class ThreadCount {
public:
    void add(LaneMask lanes) {
        if ((lanes_ & lanes) != 0) {
            counted_ += count_lanes(lanes_);
            lanes_ = 0;
        }
        lanes_ |= lanes;
    }
    [[nodiscard]] unsigned total() const {
        return counted_ + count_lanes(lanes_);
    }

private:
    LaneMask lanes_ = 0;
    unsigned counted_ = 0;
};

[[nodiscard]] inline std::span<const warp::Part> parts_of(const warp::Group& group) {
    return {group.part.data(), group.parts};
}

// Writes the bits of `value` in `mask` to a predicate of a frame; no effect for the place kNowhere.
inline void write_predicate(std::byte* frame, ir::Place place, std::uint32_t value, std::uint32_t mask) {
    if (place == ir::kNowhere)
        return;
    std::uint32_t old;
    std::memcpy(&old, frame + place, sizeof old);
    old = (old & ~mask) | (value & mask);
    std::memcpy(frame + place, &old, sizeof old);
}

} // namespace heddle::exec
