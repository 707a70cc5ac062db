// Issue where an instruction of a unit is several groups, or where a unit ends at issue (docs/scoreboard.md, "dwf and
// lwm").
//
//   lwm   an instruction of a large warp is several groups (sub-warps). The issue unit keeps the large warp and issues
//         a group a slot until the last; no other unit of the issue unit goes in between. The registers of all threads
//         were free when the large warp was picked, so its groups wait for their pipe only, or for interlocked threads.
//   dwf   a unit ends when it issues (issue.cpp). While the formation's tables are busy nothing is issued.
#include "sm/sub_core/core.h"

namespace heddle::sm {

using probe::Slot;
using warp::Flight;

// Whether the pipe of the kept unit's next group is open. If not, the slot is empty with the pipe as its cause.
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

// A group of an instruction has been formed in the flight; the issue unit keeps its unit until the last group. False if
// the group has no threads because all threads left are interlocked: then the flight is closed, the slot is empty, and
// the issue unit examines its units again when next PCs count.
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

// Where units end at issue: whether the formation's tables are busy with next PCs in this cycle. If they are, nothing
// is issued.
bool ScoreboardedCore::tables_are_busy() {
    states_.forget_joined(); // they have been evaluated, and schedulers have been notified
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
