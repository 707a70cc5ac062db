// Instructions of a PTX warp, or of a warpgroup, that wait until all live members have arrived; activemask.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "exec/lane_exchange.h"
#include "exec/launch_state.h"
#include "exec/matrix.h"
#include "exec/warp_lanes.h"

namespace heddle::exec {

// Execution of a WarpSync instruction, as Executor::execute(), rendezvous_complete() and execute_rendezvous() say.
class WarpSync {
public:
    WarpSync(const LaunchState& state, const LaneExchange& exchange, const MatrixUnit& matrices)
        : state_(state), lanes_(state), exchange_(exchange), matrices_(matrices) {}

    // At the begin of a launch.
    void begin();
    void execute(const warp::Group& group, const ir::MicroOp& op, warp::Outcome& outcome);
    [[nodiscard]] bool rendezvous_complete(Pc pc, std::span<const warp::Part> parked);
    void execute_rendezvous(Pc pc, std::span<const warp::Part> parked);
    // As Executor::meet_at_warp_barriers(), without effects of the meeting.
    [[nodiscard]] bool barriers_complete(std::vector<warp::Waiting>& waiting);
    // Activemask waits for no thread.
    void activemask(const warp::Group& group, const ir::MicroOp& op, warp::Outcome& outcome);

private:
    // Sets `segments_` to those of the threads with a true guard. Returns the number of threads.
    std::uint16_t gather(std::span<const warp::Part> parts, const ir::MicroOp& op);
    // Whether the segments hold every live member of each thread's mask.
    [[nodiscard]] bool complete(const ir::MicroOp& op);
    // The member mask of threads of one PTX warp at bar.warp.sync; nothing: they have several.
    [[nodiscard]] std::optional<std::uint32_t> mask_of(const warp::Waiting& threads);
    // Whether the segments hold every live thread of their warpgroups.
    [[nodiscard]] bool warpgroups_complete();
    void exchange(Pc pc, const ir::MicroOp& op);
    // Calls f(span) once for each group of segments with the same `key`. Reorders the segments.
    template <class Key, class F>
    void for_each_group(const Key& key, const F& f);
    // For each PTX warp.
    template <class F>
    void for_each_warp(const F& f);

    // Calls f(mask) with the member mask of each thread of a segment.
    template <class F>
    void for_each_mask(const ir::MicroOp& op, const Segment& s, const F& f) const;

    const LaunchState& state_;
    WarpLanes lanes_;
    const LaneExchange& exchange_;
    const MatrixUnit& matrices_;
    std::vector<Segment> segments_; // of the instruction that is executed
};

} // namespace heddle::exec
