// Exchanges between the threads of one PTX warp: shfl, vote, match, redux, elect, activemask.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "exec/warp_lanes.h"

namespace heddle::exec {

// The instructions of the segments of a warp: one for all or, where threads meet that have come to several with the
// same qualifiers, one for each segment.
class OpOfSegment {
public:
    explicit OpOfSegment(const ir::MicroOp& op) : one_(&op) {}
    explicit OpOfSegment(std::span<const ir::MicroOp* const> ops) : one_(ops.front()), each_(ops) {}

    [[nodiscard]] const ir::MicroOp& operator[](std::size_t segment) const {
        return each_.empty() ? *one_ : *each_[segment];
    }
    [[nodiscard]] bool is_one() const {
        return each_.empty();
    }
    // For its qualifiers.
    [[nodiscard]] const ir::MicroOp& any() const {
        return *one_;
    }

private:
    const ir::MicroOp* one_;
    std::span<const ir::MicroOp* const> each_;
};

// Each call executes an instruction for the threads of one warp: `of_warp` holds their segments.
class LaneExchange {
public:
    explicit LaneExchange(const LaunchState& state) : state_(state), lanes_(state) {}

    void shuffle(OpOfSegment ops, std::span<const Segment> of_warp) const;
    void vote(OpOfSegment ops, std::span<const Segment> of_warp) const;
    void match(OpOfSegment ops, std::span<const Segment> of_warp) const;
    void reduce(OpOfSegment ops, std::span<const Segment> of_warp) const;
    void elect(OpOfSegment ops, std::span<const Segment> of_warp) const;
    void activemask(const ir::MicroOp& op, std::span<const Segment> of_warp) const;

private:
    // The result of a thread: a register and, where the instruction names one, a predicate.
    struct Answer {
        std::uint32_t value;
        bool predicate = false;
    };
    using Lanes = std::array<std::uint32_t, kPtxWarp>; // by laneid
    // The values of a source of all threads. Other lanes keep theirs or get any value.
    void read(OpOfSegment ops, unsigned source, std::span<const Segment> of_warp, Lanes& values) const;
    // Nothing for kNowhere.
    void write_predicate(ir::Place place, const Segment& s, std::uint32_t by_laneid) const;
    // Writes the results of f(laneid, the present members of the thread's mask) -> Answer, for each thread.
    template <class F>
    void answer_each(OpOfSegment ops, std::span<const Segment> of_warp, F&& f) const;

    const LaunchState& state_;
    WarpLanes lanes_;
};

} // namespace heddle::exec
