// Issue for formations whose units are not warps that issue an instruction at once (docs/scoreboard.md, "dwf and lwm").
//
// lwm     an instruction of a large warp is several groups (sub-warps). The issue unit keeps the large warp and issues
// a
//         group a slot until the last; no other unit of its own goes in between. Registers of all its threads were free
//         when it was picked, so that its groups wait for their pipe only, or for threads that are interlocked.
// dwf     a unit ends when it issues (issue.cpp). While the formation's tables are busy nothing is issued.
#include "sm/sub_core/core.h"

namespace heddle::sm {

using probe::Slot;
using warp::Flight;

// The next group of the unit that the issue unit keeps.
void ScoreboardedCore::issue_next_group(IssueUnit& issue_unit, unsigned sub_core, Cycle now) {
    const UnitId unit = issue_unit.kept;
    const std::uint8_t pipe = kernel_.at(frame_.units.pc[unit]).pipe;
    const Cycle open = in_flight_.is_full() ? kNever : sub_cores_.opens(sub_core)[pipe];
    if (open > now) {
        stalls_.wait_for_pipe(issue_unit, pipe);
        stalls_.stall(issue_unit, 1);
        return issue_unit.wait(open);
    }
    issue_unit.wait(now + 1);
    issue_group(issue_unit, unit, sub_core, now);
}

// A group of the unit's instruction. Without one, because every thread that is left is interlocked, the slot is empty;
// the issue unit looks again when a flight's next PCs count.
void ScoreboardedCore::issue_group(IssueUnit& issue_unit, UnitId unit, unsigned sub_core, Cycle now) {
    const Pc pc = frame_.units.pc[unit];
    const Decoded& op = kernel_.at(pc);
    Flight& flight =
        frame_.flights[in_flight_.open({.at_memory = op.accesses, .writes = op.writes, .written = op.written})];
    form(unit, pc, flight);
    const warp::Group& group = flight.group;
    issue_unit.kept = group.last ? kNoUnit : unit;
    if (group.last)
        states_.front(unit).take(unit);
    if (group.parts == 0) {
        close(flight.id);
        if (!group.last)
            issue_unit.wait();
        stalls_.set_cause(issue_unit, Slot::Interlock);
        return stalls_.stall(issue_unit, 1);
    }
    frame_.execute(flight, now);
    frame_.contexts.count_slot(group.threads);
    send(flight, sub_core, op, now);
    issued(issue_unit, flight);
}

// A cycle in which the formation's tables are busy with next PCs: nothing is issued.
void ScoreboardedCore::hold_issue() {
    --frame_.formation.stall;
    for (IssueUnit& unit : issue_units_) {
        unit.issued = kNoUnit;
        stalls_.set_cause(unit, Slot::Tables);
        stalls_.stall(unit, 1);
        unit.mark();
        ++counted_;
    }
}

} // namespace heddle::sm
