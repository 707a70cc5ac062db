#include "sm/sub_core/issue_unit.h"

#include <algorithm>
#include <bit>

namespace heddle::sm {

using State = WaitStates::State;

IssueUnit::IssueUnit(std::unique_ptr<sched::Scheduler> policy, const sched::Share& share, unsigned pipes)
    : index_(share.index), policy_(std::move(policy)), considered_(policy_->considered()), own_(share.own()),
      states_(pipes, UnitSet(share.units).words()), candidates_(share.units) {}

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
        const unsigned lowest = (can & states_.for_pipes(i)) != 0 ? 0 : states_.load_store() + 1U;
        unsigned first = none;
        for (unsigned s = none; s-- > lowest;)
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
