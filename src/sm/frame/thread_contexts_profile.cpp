// The instructions of an SM's threads in a profile, for every core model.
#include "formation/reconvergence_stack.h"
#include "sm/frame/thread_contexts.h"

namespace heddle::sm {

using probe::Counter;

void ThreadContexts::observe_issue(const warp::Flight& flight, Cycle now) {
    if (timeline != nullptr)
        record_issue(flight, now);
    if (profile != nullptr)
        profile_issue(flight, now);
}

void ThreadContexts::profile_slot(Pc pc) {
    profile->issued(pc);
}

void ThreadContexts::profile_issue(const warp::Flight& flight, Cycle now) {
    const warp::Group& group = flight.group;
    const auto& counted =
        profile->executed(group.pc, unsigned{flight.outcome.executed} + group.extra_threads, group.threads, now);
    if (counted.awaited == 0) [[likely]]
        return;
    if (group.extra_threads != 0) { // threads outside the group have come, too
        for (const warp::Part& part : formation->members(group.unit))
            profile->met(group.pc, part.row, part.lanes, now);
        return;
    }
    for (unsigned p = 0; p < group.parts; ++p)
        profile->met(group.pc, group.part[p].row, group.part[p].lanes, now);
}

// The next PCs of a conditional branch count at `now`.
void ThreadContexts::profile_branch(const warp::Flight& flight, Cycle now) {
    const warp::Group& group = flight.group;
    const unsigned taken = flight.outcome.executed;
    const bool diverges = taken != 0 && taken != group.threads;
    auto& counted = profile->at(group.pc);
    counted[Counter::Branches] += 1;
    counted[Counter::Divergent] += diverges ? 1 : 0;
    counted[Counter::Taken] += taken;
    counted[Counter::NotTaken] += group.threads - taken;
    const Pc meet = formation::reconvergence_of(flight, 1).pc;
    if (!diverges || meet == kNoPc || !profile->has_time())
        return;
    profile->diverged(group.pc, meet, now);
    for (unsigned p = 0; p < group.parts; ++p)
        profile->diverged(group.part[p].row, group.part[p].lanes);
}

} // namespace heddle::sm
