#include "sm/sub_core/scheduler_events.h"

#include <algorithm>

namespace heddle::sm {

SchedulerEvents::SchedulerEvents(Frame& frame, std::span<IssueUnit> issue_units)
    : frame_(frame), issue_units_(issue_units), keeps_lists_(issue_units.front().policy().keeps_lists()),
      edges_(frame.units.capacity()) {}

bool SchedulerEvents::tick(Cycle now) {
    if (wake_ > now)
        return false;
    for (IssueUnit& unit : issue_units_)
        if (unit.policy().wake <= now)
            unit.policy().tick(frame_.view, now);
    find_wake();
    return true;
}

void SchedulerEvents::block_event(std::uint16_t slot, sched::BlockEvent event, Cycle now) {
    for (IssueUnit& unit : issue_units_)
        unit.policy().block_event(slot, event, frame_.view, now);
    find_wake();
}

void SchedulerEvents::pass_block_changes(Cycle now) {
    for (const ThreadContexts::Change& change : frame_.contexts.changes)
        block_event(change.block, change.event, now);
    frame_.contexts.changes.clear();
}

void SchedulerEvents::find_wake() {
    wake_ = kNever;
    for (const IssueUnit& unit : issue_units_)
        wake_ = std::min(wake_, unit.policy().wake);
}

} // namespace heddle::sm
