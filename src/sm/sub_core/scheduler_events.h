// Passes events to the schedulers of an SM's issue units: thread blocks, time, and units that become eligible. (Issue
// units call their schedulers for picks and long waits.)
#pragma once

#include <cstdint>
#include <span>

#include "sm/frame/eligible_edges.h"
#include "sm/frame/frame.h"
#include "sm/sub_core/issue_unit.h"

namespace heddle::sm {

class SchedulerEvents {
public:
    // `frame` and `issue_units` outlive it.
    SchedulerEvents(Frame& frame, std::span<IssueUnit> issue_units);

    // The first cycle in which tick() has work; kNever when no scheduler waits for a cycle.
    [[nodiscard]] Cycle wake() const {
        return wake_;
    }
    // Ticks the schedulers that are due at `now`. True when one is.
    bool tick(Cycle now);
    void block_event(std::uint16_t slot, sched::BlockEvent event, Cycle now);
    // Passes on the changes of blocks that the frame's contexts have noted.
    void pass_block_changes(Cycle now);
    // Passes on which units have become eligible, have grown or are no longer eligible, to schedulers with lists.
    void pass_eligible() {
        if (keeps_lists_)
            edges_.tell(frame_.units, [&](UnitId unit) -> sched::Scheduler& {
                return issue_units_[unit % issue_units_.size()].policy(); // of the unit's sub-core
            });
    }
    // The unit has been picked by the scheduler of `from`.
    void picked(UnitId unit, const IssueUnit& from) {
        if (keeps_lists_)
            edges_.take(unit, from.policy());
    }

private:
    void find_wake();

    Frame& frame_;
    const std::span<IssueUnit> issue_units_;
    const bool keeps_lists_; // its schedulers do: lists of eligible units
    EligibleEdges edges_;
    Cycle wake_ = kNever;
};

} // namespace heddle::sm
