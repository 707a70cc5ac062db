// Issue for formations whose units are not warps that issue an instruction at once (docs/scoreboard.md, "dwf and lwm").
//
//   lwm   an instruction of a large warp is several groups (sub-warps). The issue unit keeps the large warp and issues
//         a group a slot until the last; no other unit of the issue unit goes in between. The registers of all threads
//         were free when the large warp was picked, so its groups wait for their pipe only, or for interlocked threads.
//   dwf   a unit ends when it issues (issue.cpp). While the formation's tables are busy nothing is issued.
#include "sm/sub_core/core.h"

namespace heddle::sm {

using probe::Slot;
using warp::Flight;

// Whether the pipe is open that the next group of the kept unit goes to. Else the slot is empty for that.
bool ScoreboardedCore::next_group_can_issue(IssueUnit& unit, unsigned sub_core, Cycle now) {
    const std::uint8_t pipe = kernel_->at(frame_.units.pc[unit.kept]).pipe;
    const Cycle open = in_flight_.is_full() ? kNever : sub_cores_.opens(sub_core)[pipe];
    if (open <= now) {
        unit.wait(now + 1);
        return true;
    }
    unit.wait(open);
    stalls_.wait_for_pipe(unit, pipe);
    stalls_.stall(unit, 1);
    return false;
}

// A group of an instruction has been formed in the flight: the issue unit keeps its unit until the last. Without any
// threads, because every one that is left is interlocked, the flight is closed and the slot is empty; the issue unit
// looks again when next PCs count. False then.
bool ScoreboardedCore::keep_until_last(IssueUnit& unit, const Flight& flight) {
    const warp::Group& group = flight.group;
    unit.kept = group.last ? kNoUnit : group.unit;
    if (group.last)
        states_.front(group.unit).take(group.unit);
    if (group.parts != 0)
        return true;
    close(flight.id);
    if (!group.last)
        unit.wait();
    stalls_.set_cause(unit, Slot::Interlock);
    stalls_.stall(unit, 1);
    return false;
}

// Where units end when they issue: whether the formation's tables are busy with next PCs in this cycle. Then nothing is
// issued.
bool ScoreboardedCore::tables_are_busy() {
    states_.forget_joined(); // they have been looked at, and schedulers have been told
    if (frame_.formation.stall == 0)
        return false;
    --frame_.formation.stall;
    for (IssueUnit& unit : issue_units_) {
        unit.issued = kNoUnit;
        stalls_.set_cause(unit, Slot::Tables);
        stalls_.stall(unit, 1);
        unit.mark();
        ++counted_;
    }
    return true;
}

} // namespace heddle::sm
