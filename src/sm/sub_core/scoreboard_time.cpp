// How time passes in the scoreboarded core when nothing can issue: when something happens next, and what the slots up
// to then were.
#include <algorithm>
#include <cassert>

#include "sm/sub_core/scoreboard_core.h"

namespace heddle::sm {

using probe::Slot;

// The next cycle, from `now` on, in which something happens by itself, but for the answers of memory. A scheduler's
// tick is not among it: nothing comes of that before a unit can be picked.
Cycle ScoreboardCore::own_event(Cycle now) {
    const Cycle next = std::min(wheel_.next(), ldst_next_);
    if (!is_quiet(now))
        quiet_until_ = next_of_units(now);
    return std::min(next, quiet_until_);
}

// The same of units and their instructions.
Cycle ScoreboardCore::next_of_units(Cycle now) const {
    Cycle next = std::min(formation_.wake, front_.next(now));
    const bool may_issue = !free_flights_.empty();
    for_each_word([&](unsigned i) {
        const std::uint64_t can = units_.eligible.word(i) & units_.alive.word(i);
        if ((can & ~known_.word(i)) != 0)
            next = now;
        const auto& in = states_[i].in;
        if ((can & (in[0] | in[1] | in[2] | in[3])) == 0 || !may_issue)
            return;
        for (unsigned p = 0; p < kPipes; ++p)
            if ((can & in[p]) != 0)
                next = std::min(next, opens_[p]);
    });
    return next;
}

// Takes the answers that change nothing for the core but what it still waits for: up to one that does, or `next`. The
// cycle of that.
Cycle ScoreboardCore::pass_over_answers(Cycle next, Cycle until) {
    while (memory_.next() < std::min(next, until)) {
        const Cycle at = memory_.next();
        if (take_answers(at))
            return at;
    }
    return next;
}

// Nothing was issued: time passes from `now` to the next event at once. Cycles before `now` whose slots have not been
// counted have the causes that are known.
Cycle ScoreboardCore::skip(Cycle now, Cycle until) {
    if (block_ended_)
        return now;
    Cycle next = std::max(now, own_event(now));
    if (!asks_ && !trace_ && timeline_ == nullptr)
        next = pass_over_answers(next, until);
    next = std::min(next, std::max(now, memory_.next()));
    const bool starves = asks_ && next > now && next == memory_.next();
    const bool stands = next == kNever && memory_.outstanding() == 0 && contexts_.blocks.resident() != 0;
    if (starves || stands) [[unlikely]] {
        pass_idly(now);
        if (starves && divide_starved(now))
            return now;
        if (stands)
            contexts_.report_deadlock(now);
    }
    next_ = next;
    next = std::max(now, std::min(next, until));
    pass_idly(next);
    if (trace_ && next > now)
        trace_idle(now, next);
    return next;
}

void ScoreboardCore::catch_up(Cycle now) {
    if (now <= clock_)
        return;
    for_each_scheduler([&](SchedulerUnit& s) {
        if (s.slot == Slot::Issued) // else nothing has changed since its last slot
            find_cause(s);
    });
    pass_idly(now);
}

// The slots up to `now` have the causes of the last ones. Often there are none.
void ScoreboardCore::pass_idly(Cycle now) {
    assert(clock_ <= now);
    for_each_scheduler([&](SchedulerUnit& s) {
        assert(s.slot != Slot::Issued || now == clock_);
        account_stall(s, now - clock_);
    });
    contexts_.stats.cycles += now - clock_;
    clock_ = now;
    if (now >= sample_due_) [[unlikely]]
        sample(now);
}

} // namespace heddle::sm
