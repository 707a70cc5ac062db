// Cycles of an SM of sub-cores in which nothing issues.
#include <algorithm>
#include <cassert>

#include "sm/sub_core/core.h"

namespace heddle::sm {

using probe::Slot;

// Takes answers that only reduce the number of lines that a flight waits for, up to `next`. Returns the cycle of the
// first other answer, else `next`.
Cycle ScoreboardedCore::pass_over_answers(Cycle next, Cycle until) {
    while (frame_.memory.next() < std::min(next, until)) {
        const Cycle at = frame_.memory.next();
        if (take_answers(at))
            return at;
    }
    return next;
}

// Nothing was issued: moves from `now` to the next event at once. Cycles before `now` whose slots have not been counted
// get the causes that the issue units have.
Cycle ScoreboardedCore::skip(Cycle now, Cycle until) {
    if (frame_.block_ended)
        return now;
    Cycle next = next_.inside(now);
    if (!division_.may_divide() && !frame_.trace && frame_.timeline == nullptr)
        next = pass_over_answers(next, until);
    next = std::min(next, std::max(now, frame_.memory.next()));
    const bool starves = division_.may_divide() && next > now && next == frame_.memory.next();
    const bool stands = next == kNever && frame_.stands_still();
    if (starves || stands) [[unlikely]] {
        pass_idly(now);
        if (starves && divide_starved(now))
            return now;
        if (stands)
            frame_.contexts.report_deadlock(now);
    }
    next = std::max(now, std::min(next, until));
    pass_idly(next);
    if (frame_.trace && next > now)
        trace_.idle(now, next);
    return next;
}

void ScoreboardedCore::catch_up(Cycle now) {
    if (now <= frame_.clock)
        return;
    for (IssueUnit& unit : issue_units_)
        if (unit.slot == Slot::Issued) // else the cause of its last slot is still valid
            stalls_.find_cause(unit);
    pass_idly(now);
}

// Counts the slots up to `now` with the causes of the last ones. Often there are no such slots.
void ScoreboardedCore::pass_idly(Cycle now) {
    assert(frame_.clock <= now);
    assert(now == frame_.clock || std::none_of(issue_units_.begin(), issue_units_.end(),
                                               [](auto& unit) { return unit.slot == Slot::Issued; }));
    const Cycle cycles = now - frame_.clock;
    for (const IssueUnit& unit : issue_units_)
        stalls_.stall<true>(unit, cycles);
    frame_.contexts.stats.cycles += cycles;
    frame_.clock = now;
    if (now >= frame_.sample_due || frame_.contexts.profile != nullptr) [[unlikely]]
        observe_idle(cycles, now);
}

void ScoreboardedCore::observe_idle(Cycle cycles, Cycle now) {
    stalls_.profile_all(issue_units_, cycles);
    if (now >= frame_.sample_due)
        sample(now);
}

} // namespace heddle::sm
