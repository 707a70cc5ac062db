#include "sm/sub_core/issue_unit.h"

#include <algorithm>
#include <bit>

namespace heddle::sm {

using State = WaitStates::State;

IssueUnit::IssueUnit(std::unique_ptr<sched::Scheduler> policy, const sched::Share& share, unsigned pipes)
    : policy_(std::move(policy)), states_(pipes, UnitSet(share.units).words()), own_(share.own()),
      considered_(policy_->considered()), candidates_(share.units) {}

// A mask replaces the branch on whether a pipe is open: this changes too often to be predicted.
bool IssueUnit::find_candidates(const OpenTimes& opens, const UnitSet& known, const warp::UnitTable& units, Cycle now) {
    std::array<std::uint64_t, PipeTable::kMost + 1> open;
    const unsigned pipes = states_.pipes();
    for (unsigned p = 0; p <= pipes; ++p)
        open[p] = mask_if(opens[p] <= now);
    std::uint64_t any = 0, boosted = 0;
    for_each_word(units, [&](unsigned i) {
        const auto& in = states_.word(i);
        std::uint64_t ready = 0;
        for (unsigned p = 0; p <= pipes; ++p)
            ready |= in[p] & open[p];
        const std::uint64_t can = able(i, known, units) & ready;
        candidates_.word(i) = can;
        any |= can;
        boosted |= can & units.boosted.word(i);
    });
    if (any == 0) {
        find_next_look(opens, known, units);
        return false;
    }
    if (boosted != 0) [[unlikely]]
        keep_boosted(units);
    return true;
}

// No unit can issue now. Finds when a pipe opens that a unit waits for, whether the scheduler considers the unit or
// not.
void IssueUnit::find_next_look(const OpenTimes& opens, const UnitSet& known, const warp::UnitTable& units) {
    Cycle next = kNever;
    const unsigned pipes = states_.pipes();
    for_each_word(units, [&](unsigned i) {
        const auto& in = states_.word(i);
        const std::uint64_t can = able(i, known, units);
        for (unsigned p = 0; p <= pipes; ++p)
            next = std::min(next, opens[p] | mask_if((can & in[p]) == 0));
    });
    look_at_ = next;
}

// Boosted candidates go before all others.
void IssueUnit::keep_boosted(const warp::UnitTable& units) {
    for (unsigned i = 0; i < units.words; ++i)
        candidates_.word(i) &= units.boosted.word(i);
}

State IssueUnit::first_state(const UnitSet& known, const warp::UnitTable& units) const {
    const unsigned none = states_.no_instruction();
    unsigned state = none; // the lowest state that any unit has; testing one state after the other saves branches
    for_each_word(units, [&](unsigned i) {
        const auto& in = states_.word(i);
        const std::uint64_t can = able(i, known, units) & considered(i);
        unsigned first = none;
        for (unsigned s = none; s-- > 0;)
            first = (can & in[s]) != 0 ? s : first;
        state = std::min(state, first);
    });
    return static_cast<State>(state);
}

UnitId IssueUnit::first_in(State state, const UnitSet& known, const warp::UnitTable& units) const {
    for (unsigned i = 0; i < units.words; ++i)
        if (const std::uint64_t in = states_.word(i)[state] & able(i, known, units) & considered(i); in != 0)
            return static_cast<UnitId>(i * 64 + static_cast<unsigned>(std::countr_zero(in)));
    return kNoUnit;
}

} // namespace heddle::sm
