// The lanes of a PTX warp by laneid.
//
// A PTX warp is 32 consecutive threads, whatever the machine's width: several narrow rows, or half of a wide one.
// Exchanges between threads work on laneids; the lanes of a segment start at laneid shift_of(segment).
#pragma once

#include <cstdint>
#include <span>

#include "exec/launch_state.h"
#include "exec/row_vector.h"

namespace heddle::exec {

class WarpLanes {
public:
    explicit WarpLanes(const LaunchState& state) : state_(state) {}

    // The laneid of the lowest thread in a segment's frame.
    [[nodiscard]] unsigned shift_of(const Segment& s) const {
        return state_.first_thread(s) % kPtxWarp;
    }
    // A number that differs between the PTX warps of an SM.
    [[nodiscard]] std::uint64_t warp_of(const Segment& s) const {
        return std::uint64_t{state_.row(s.row).slot} << 32 | state_.first_thread(s) / kPtxWarp;
    }
    // A number that differs between the warpgroups of an SM.
    [[nodiscard]] std::uint64_t warpgroup_of(const Segment& s) const {
        return std::uint64_t{state_.row(s.row).slot} << 32 | state_.first_thread(s) / kWarpgroup;
    }
    // The laneid of a lane of a segment's frame.
    [[nodiscard]] unsigned laneid(const Segment& s, unsigned i) const {
        return (i ^ swizzle_of(s)) + shift_of(s);
    }
    // Lanes of a segment's frame as threads, counted from the lowest; or such threads as lanes of the frame.
    [[nodiscard]] std::uint32_t reordered(const Segment& s, std::uint32_t lanes) const {
        return state_.row(s.row).swizzled ? static_cast<std::uint32_t>(swap_pairs(lanes)) : lanes;
    }
    // The laneids of a segment's threads with a true guard.
    [[nodiscard]] std::uint32_t laneids(const Segment& s) const {
        return reordered(s, s.mask) << shift_of(s);
    }
    // The laneids of all threads in the segments of one warp.
    [[nodiscard]] std::uint32_t present(std::span<const Segment> of_warp) const;
    // The laneids of the live threads of a segment's warp.
    [[nodiscard]] std::uint32_t live_of_warp(const Segment& s) const;
    // The number of live threads in a segment's warpgroup.
    [[nodiscard]] unsigned live_in_warpgroup(const Segment& s) const;

    // The values of a register, of 32 or 64 bits, by laneid. read() changes the values of a segment's laneids only,
    // with or without a true guard; write() changes the registers of threads with a true guard only, and none for
    // kNowhere.
    template <class Word>
    void read(ir::Place place, const Segment& s, Word* by_laneid) const;
    template <class Word>
    void write(const Segment& s, ir::Place place, const Word* by_laneid) const;

private:
    [[nodiscard]] unsigned swizzle_of(const Segment& s) const {
        return state_.row(s.row).swizzled ? 1 : 0;
    }

    const LaunchState& state_;
    const RowVectorOps& rowops_ = row_vector_ops();
};

} // namespace heddle::exec
