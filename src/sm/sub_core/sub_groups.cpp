#include "sm/sub_core/sub_groups.h"

namespace heddle::sm {

using probe::Slot;

bool SubGroups::next_can_issue(IssueUnit& unit, WaitStates::State pipe, Cycle open, Cycle now) {
    if (open <= now) {
        unit.wait(now + 1);
        return true;
    }
    unit.wait(open);
    stalls_.wait_for_pipe(unit, pipe);
    stalls_.stall(unit, 1);
    return false;
}

bool SubGroups::keep_until_last(IssueUnit& unit, const warp::Group& group) {
    unit.kept = group.last ? kNoUnit : group.unit;
    if (group.last)
        states_.front(group.unit).take(group.unit);
    if (group.parts != 0)
        return true;
    if (!group.last)
        unit.wait();
    stall(unit, Slot::Interlock, group.pc);
    return false;
}

bool SubGroups::tables_are_busy() {
    for (unsigned i = 0; i < frame_.units.words; ++i)
        frame_.units.grown.word(i) = 0; // these units have been evaluated, and schedulers have been notified
    if (frame_.formation.stall == 0)
        return false;
    --frame_.formation.stall;
    const Pc tables = frame_.contexts.profile == nullptr ? kNoPc : frame_.contexts.profile->tables();
    for (IssueUnit& unit : issue_units_) {
        unit.issued = kNoUnit;
        stall(unit, Slot::Tables, tables);
        unit.mark();
    }
    return true;
}

} // namespace heddle::sm
