// The issue unit of a sub-core: its warp scheduler, the units that belong to it, what their next instructions wait for,
// and why its last slot was empty.
//
// A unit's state is right while the unit is eligible. An issue unit looks at its units when something of them has
// changed, or when a pipe opens that one of them waits for; in between its slot has the cause that it had.
#pragma once

#include <memory>
#include <string>

#include "base/select.h"
#include "probe/slot.h"
#include "sched/scheduler.h"
#include "sm/sub_core/wait_states.h"
#include "warp/flight.h"

namespace heddle::sm {

class IssueUnit {
public:
    static constexpr warp::FlightId kNoLoad = 512; // whose account nobody reads; behind all flights

    // When each pipe takes another instruction, by state; the load/store unit last, kNever while it is full.
    using OpenTimes = std::array<Cycle, PipeTable::kMost + 1>;

    IssueUnit(std::unique_ptr<sched::Scheduler> policy, const sched::Share& share, unsigned pipes);

    [[nodiscard]] sched::Scheduler& policy() const {
        return *policy_;
    }

    // It has to look at its units again.
    void mark() {
        look_at_ = 0;
    }
    // The first cycle in which it has to look at its units, unless something of them changes.
    [[nodiscard]] Cycle look_at() const {
        return look_at_;
    }
    void move(UnitId unit, WaitStates::State from, WaitStates::State to) {
        states_.move(unit, from, to);
    }

    // Finds the units whose next instruction waits for nothing, its pipe included, among those that `known` says may go
    // on; if any are boosted, only those. False when there is none: then look_at() is the first cycle in which one
    // waits for no pipe any more.
    bool find_candidates(const OpenTimes& opens, const UnitSet& known, const warp::UnitTable& units, Cycle now);
    // One of them; kNoUnit when the scheduler leaves the slot empty.
    UnitId pick(const warp::View& view, Cycle now) {
        look_at_ = now + 1;
        return policy_->pick(candidates_, view, now);
    }
    // Nothing can be issued before cycle `at`; kNever: before something changes, however open the pipes are.
    void wait(Cycle at = kNever) {
        look_at_ = at;
    }

    // The state that ends first, among units that the scheduler considers; no_instruction() when there is none.
    [[nodiscard]] WaitStates::State first_state(const UnitSet& known, const warp::UnitTable& units) const;
    // The first of them in a state; there is one.
    [[nodiscard]] UnitId first_in(WaitStates::State state, const UnitSet& known, const warp::UnitTable& units) const;
    [[nodiscard]] const UnitSet& own() const {
        return own_;
    }

    // Why its last slot was empty, or Issued; the load on whose account it goes, if it is ScoreboardMemory; whether
    // that cause is what the load/store unit does.
    probe::Slot slot = probe::Slot::Empty;
    warp::FlightId waits_for = kNoLoad;
    bool at_load_store = false;
    UnitId issued = kNoUnit; // in the last cycle
    UnitId kept = kNoUnit;   // of whose instruction further groups follow (sub_groups.cpp): it has the slot until then
    std::string traced;      // what that was, where a trace is written

private:
    // f(i) for each 64 units. Most machines have no more, and pay for no loop.
    template <class F>
    static void for_each_word(const warp::UnitTable& units, F&& f) {
        f(0U);
        for (unsigned i = 1; i < units.words; ++i)
            f(i);
    }
    // Others may just now have made a unit eligible: it goes on from the next cycle.
    [[nodiscard]] std::uint64_t able(unsigned i, const UnitSet& known, const warp::UnitTable& units) const {
        return own_.word(i) & known.word(i) & units.eligible.word(i) & units.alive.word(i);
    }
    [[nodiscard]] std::uint64_t considered(unsigned i) const {
        return considered_ == nullptr ? ~std::uint64_t{0} : considered_->word(i);
    }
    void find_next_look(const OpenTimes& opens, const UnitSet& known, const warp::UnitTable& units);
    [[gnu::noinline]] void keep_boosted(const warp::UnitTable& units);

    std::unique_ptr<sched::Scheduler> policy_;
    Cycle look_at_ = 0;
    WaitStates states_;
    UnitSet own_;
    const UnitSet* considered_; // by the policy, if it does not look at all of them
    UnitSet candidates_;
};

} // namespace heddle::sm
