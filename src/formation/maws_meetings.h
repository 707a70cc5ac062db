// The meetings of the warp-splits of a warp: at conditional branches, calls and returns, and at the reconvergence point
// of their stack's top (MAWS 5.3, 5.5), beside barriers. The stack is that of the whole warp, and is not aware of
// warp-splits.
#pragma once

#include <span>

#include "formation/maws_config.h"
#include "formation/right_of_way.h"
#include "formation/spin_watch.h"
#include "formation/warp_splits.h"
#include "warp/flight.h"

namespace heddle::formation {

class MawsMeetings {
public:
    // The references have to outlive this object.
    MawsMeetings(WarpSplits& splits, const MawsConfig& config, MawsStats& stats, bool one_ptx_warp)
        : splits_(splits), config_(config), stats_(stats), one_ptx_warp_(one_ptx_warp), right_of_way_(one_ptx_warp) {}

    void use(const ir::Program& program) {
        ops_ = program.ops;
        right_of_way_.use(program);
    }

    // Whether the warp-splits of a warp wait for each other at this point, unless they may pass (5.3).
    [[nodiscard]] bool is_meeting(Point at) const {
        const ir::MicroOp& op = ops_[at.pc];
        if (op.kind == ir::Kind::Indirect)
            return true;
        return op.guard != ir::kNowhere &&
               (op.kind == ir::Kind::Branch || op.kind == ir::Kind::Call || op.kind == ir::Kind::Return);
    }
    // Whether a warp-split executes the instruction at a meeting point without the others of its warp (5.5).
    [[nodiscard]] bool may_pass(const SplitWarp& w, Point at) const;

    // Sets the warp-split's next PC after a flight (not an access). False when it has ended, or its threads continue
    // elsewhere.
    bool take(SplitWarp& w, UnitId u, const warp::Flight& flight);
    // The warp-split is at its next instruction: makes it eligible, or wait, or meet others.
    void arrive(SplitWarp& w, UnitId u);
    // Effects of the flight on the warp as a whole. Throws Livelock.
    void end_of_flight(SplitWarp& w, const warp::Flight& flight, SpinWatch& watch);
    // The barrier of the threads is complete.
    void release(std::span<const warp::Part> threads);

private:
    bool branch(SplitWarp& w, UnitId u, const warp::Flight& flight);
    bool leave(SplitWarp& w, UnitId u, LaneMask gone);
    void meet(SplitWarp& w, UnitId u);
    void restart(SplitWarp& w, UnitId u);
    void park(SplitWarp& w, UnitId u);
    void merge_released(SplitWarp& w, LaneMask released);
    void meet_released(SplitWarp& w);
    void give_way(SplitWarp& w);

    WarpSplits& splits_;
    const MawsConfig& config_;
    MawsStats& stats_;
    const bool one_ptx_warp_; // of a row
    RightOfWay right_of_way_;
    std::span<const ir::MicroOp> ops_;
};

} // namespace heddle::formation
