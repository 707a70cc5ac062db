// The issue unit of a sub-core: its warp scheduler, its units, what their next instructions wait for, and why its last
// slot was empty.
//
// A unit's state is valid while the unit is eligible. An issue unit examines its units when one of them has changed, or
// when a pipe opens that one of them waits for. Between these cycles each slot has the cause of the one before.
#pragma once

#include <array>
#include <bit>
#include <memory>
#include <string>

#include "base/select.h"
#include "probe/slot.h"
#include "sched/scheduler.h"
#include "sm/sub_core/wait_states.h"
#include "warp/flight.h"

namespace heddle::sm {

class alignas(64) IssueUnit { // what each cycle reads, up to `own_`, lies in two lines of the host's cache
public:
    static constexpr warp::FlightId kNoLoad = 512; // no load: its account is not read; above the numbers of all flights

    // The cycle in which each pipe takes another instruction, by state. The load/store unit is last: kNever while it is
    // full.
    using OpenTimes = std::array<Cycle, PipeTable::kMost + 1>;

    IssueUnit(std::unique_ptr<sched::Scheduler> policy, const sched::Share& share, unsigned pipes);

    [[nodiscard]] unsigned index() const {
        return index_;
    }
    [[nodiscard]] sched::Scheduler& policy() const {
        return *policy_;
    }

    // The issue unit has to examine its units again.
    void mark() {
        look_at_ = 0;
    }
    // The same, when something has changed beside its own units: only if that may matter for one of them, or for the
    // cause of its last slot.
    void mark_for_others() {
        bool waits = !cause_is_own;
        for (unsigned i = 0; i < states_.words(); ++i)
            waits |= states_.word(i)[states_.load_store()] != 0;
        look_at_ &= ~mask_if(waits);
    }
    // The first cycle in which the issue unit has to examine its units, unless one of them changes before.
    [[nodiscard]] Cycle look_at() const {
        return look_at_;
    }
    void move(UnitId unit, WaitStates::State from, WaitStates::State to) {
        states_.move(unit, from, to);
    }

    // Finds the candidates: units of `known` whose next instruction waits for nothing, and whose pipe is open. If any
    // are boosted, only those. False when there is none: then look_at() is the first cycle in which a unit finds its
    // pipe open.
    [[gnu::always_inline]] bool find_candidates(const OpenTimes& opens, const UnitSet& known,
                                                const warp::UnitTable& units, Cycle now);
    // Picks one of the candidates; kNoUnit when the scheduler leaves the slot empty.
    UnitId pick(const warp::View& view, Cycle now) {
        look_at_ = now + 1;
        return policy_->pick(candidates_, view, now);
    }
    // Nothing can be issued before cycle `at`. kNever: nothing before a unit changes, even if pipes open.
    void wait(Cycle at = kNever) {
        look_at_ = at;
    }

    // The state that ends first, among units that the scheduler considers; no_instruction() when there is no such unit.
    [[nodiscard]] WaitStates::State first_state(const UnitSet& known, const warp::UnitTable& units) const;
    // The first of these units in a state; there has to be one.
    [[nodiscard]] UnitId first_in(WaitStates::State state, const UnitSet& known, const warp::UnitTable& units) const;
    [[nodiscard]] const UnitSet& own() const {
        return own_;
    }

    // Why the last slot was empty, or Issued; for ScoreboardMemory, the load that the slot is counted for; whether the
    // cause is what the load/store unit does.
    probe::Slot slot = probe::Slot::Empty;
    warp::FlightId waits_for = kNoLoad;
    bool at_load_store = false;
    bool cause_is_own = false; // the cause is what an instruction of one of its units waits for: a register or a pipe
    UnitId issued = kNoUnit;   // the unit that issued in the last cycle
    UnitId last = kNoUnit;     // the unit that issued last
    UnitId kept = kNoUnit;     // the unit that has the slot until the last group of its instruction (sub_groups.cpp)
    Cycle port_opens = 0;      // nothing issues before

private:
    // Calls f(i) for each 64 units, at least once. Most machines have at most 64 units. One place calls f, so that it
    // is inlined.
    template <class F>
    [[gnu::always_inline]] static void for_each_word(const warp::UnitTable& units, F&& f) {
        unsigned i = 0;
        do
            f(i);
        while (++i < units.words);
    }
    // Units that became eligible in this cycle are not in `known`: they continue in the next cycle.
    [[nodiscard]] std::uint64_t able(unsigned i, const UnitSet& known, const warp::UnitTable& units) const {
        return own_.word(i) & known.word(i) & units.eligible.word(i) & units.alive.word(i);
    }
    [[nodiscard]] std::uint64_t considered(unsigned i) const {
        return considered_ == nullptr ? ~std::uint64_t{0} : considered_->word(i);
    }
    [[gnu::always_inline]] void find_next_look(const OpenTimes& opens, const UnitSet& known,
                                               const warp::UnitTable& units);
    [[gnu::noinline]] void keep_boosted(const warp::UnitTable& units);

    unsigned index_;
    Cycle look_at_ = 0;
    std::unique_ptr<sched::Scheduler> policy_;
    const UnitSet* considered_; // units that the policy considers; null: all
    UnitSet own_;
    WaitStates states_;
    UnitSet candidates_;

public:
    // With a profile: the instruction at which the unit waits that the slot is counted for, and the one whose result it
    // needs; kNoPc: none.
    struct Blame {
        Pc waits_at = kNoPc;
        Pc producer = kNoPc;
    } blame;
    std::string traced; // text of the issued instruction, when a trace is written
};

// No unit can issue now. Finds when a pipe opens that a unit waits for, whether the scheduler considers the unit or
// not.
inline void IssueUnit::find_next_look(const OpenTimes& opens, const UnitSet& known, const warp::UnitTable& units) {
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

// A mask replaces the branch on whether a pipe is open: this changes too often to be predicted.
inline bool IssueUnit::find_candidates(const OpenTimes& opens, const UnitSet& known, const warp::UnitTable& units,
                                       Cycle now) {
    std::uint64_t waiting = 0; // an issue unit often has no unit for which a pipe could matter
    for_each_word(units, [&](unsigned i) { waiting |= able(i, known, units) & states_.for_pipes(i); });
    if (waiting == 0) {
        wait();
        return false;
    }
    const unsigned pipes = states_.pipes();
    std::uint64_t any = 0, boosted = 0;
    for_each_word(units, [&](unsigned i) {
        const auto& in = states_.word(i);
        std::uint64_t ready = 0;
        for (unsigned p = 0; p <= pipes; ++p)
            ready |= in[p] & mask_if(opens[p] <= now);
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

} // namespace heddle::sm
