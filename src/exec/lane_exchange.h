// Exchanges between the threads of one PTX warp: shfl, vote, match, redux, elect, activemask.
#pragma once

#include <cstdint>
#include <span>

#include "exec/warp_lanes.h"

namespace heddle::exec {

// Each call executes an instruction for the threads of one warp: `of_warp` holds their segments.
class LaneExchange {
public:
    explicit LaneExchange(const LaunchState& state) : state_(state), lanes_(state) {}

    void shuffle(const ir::MicroOp& op, std::span<const Segment> of_warp) const;
    void vote(const ir::MicroOp& op, std::span<const Segment> of_warp) const;
    void match(const ir::MicroOp& op, std::span<const Segment> of_warp) const;
    void reduce(const ir::MicroOp& op, std::span<const Segment> of_warp) const;
    void elect(const ir::MicroOp& op, std::span<const Segment> of_warp) const;
    void activemask(const ir::MicroOp& op, std::span<const Segment> of_warp) const;

private:
    // The result of a thread: a register and, where the instruction names one, a predicate.
    struct Answer {
        std::uint32_t value;
        bool predicate = false;
    };
    // Writes the results of f(laneid, the present members of the thread's mask) -> Answer, for each thread.
    template <class F>
    void answer_each(const ir::MicroOp& op, std::span<const Segment> of_warp, F&& f) const;

    const LaunchState& state_;
    WarpLanes lanes_;
};

} // namespace heddle::exec
