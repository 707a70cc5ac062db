// Instructions of a PTX warp, or of a warpgroup, that wait until all live members have arrived; activemask.
#pragma once

#include <cstdint>
#include <set>
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
    // As Executor::can_meet() and meet_by_mask(), in two steps: the members are found, and they execute.
    [[nodiscard]] bool can_meet(Pc a, Pc b) const;
    [[nodiscard]] bool members_complete(std::vector<warp::Waiting>& waiting);
    void execute_members();
    // The member masks of threads that wait at exchanges of a warp; empty: those have none.
    [[nodiscard]] std::set<std::uint32_t> masks_of(std::span<const warp::Waiting> threads) const;
    // Activemask waits for no thread.
    void activemask(const warp::Group& group, const ir::MicroOp& op, warp::Outcome& outcome);

private:
    // Sets `segments_` to those of the threads with a true guard. Returns the number of threads.
    std::uint16_t gather(std::span<const warp::Part> parts, const ir::MicroOp& op);
    // Whether the segments hold every live member of each thread's mask, and nothing keeps one of these threads back.
    [[nodiscard]] bool complete(const ir::MicroOp& op);
    // Whether the threads of one warp, which hold every live member of their masks, execute the instruction together. A
    // thread waits for members with its own mask: where some masks have all of theirs, the other threads are kept back
    // for a later execution of those members. Where no mask has, PTX defines nothing, no other thread can come, and all
    // go on.
    [[nodiscard]] bool all_meet(const ir::MicroOp& op, std::span<const Segment> of_warp) const;
    // Sets `segments_`, `ops_` and `members_` to those of the threads of one PTX warp with this member mask.
    void gather_members(std::span<const warp::Waiting> threads, std::uint32_t mask);
    // Whether the segments hold every live thread of their warpgroups.
    [[nodiscard]] bool warpgroups_complete();
    void exchange(Pc pc, const ir::MicroOp& op);
    void exchange_lanes(OpOfSegment ops, std::span<const Segment> of_warp);
    // Calls f(span) once for each group of segments with the same `key`. Reorders the segments.
    template <class Key, class F>
    void for_each_group(const Key& key, const F& f);
    // For each PTX warp.
    template <class F>
    void for_each_warp(const F& f);

    // Calls f(laneid, mask) with the member mask of each thread of a segment.
    template <class F>
    void for_each_mask(const ir::MicroOp& op, const Segment& s, const F& f) const;

    const LaunchState& state_;
    WarpLanes lanes_;
    const LaneExchange& exchange_;
    const MatrixUnit& matrices_;
    std::vector<Segment> segments_; // of the instruction that is executed
    // Where threads meet by their mask.
    std::vector<const ir::MicroOp*> ops_; // by segment
    std::vector<warp::Waiting> members_;
};

} // namespace heddle::exec
