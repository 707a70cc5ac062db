// Why a scheduler of the scoreboarded core issued nothing: one cause a slot, and the three classes of PRO II.B.
//
// Of several causes the one counts that ends first: had its unit been faster, the slot could have issued. Units that
// the scheduler does not consider (tl: those that are not active) are no cause, as in GPGPU-Sim.
#include <algorithm>
#include <bit>

#include "sm/sub_core/scoreboard_core.h"

namespace heddle::sm {

using probe::Slot;

// Why the scheduler has nothing to issue. What waits for memory goes to the account of the load it waits for: where its
// data came from is known when they are there.
void ScoreboardCore::find_cause(SchedulerUnit& scheduler) const {
    unsigned state = kNoInstruction; // the first in which a unit is; one after the other spares branches
    for_each_word([&](unsigned i) {
        const auto& in = states_[i].in;
        const std::uint64_t can = own_units(scheduler, i) & considered_units(scheduler, i);
        unsigned first = kNoInstruction;
        for (unsigned s = kNoInstruction; s-- > 0;)
            first = (can & in[s]) != 0 ? s : first;
        state = std::min(state, first);
    });
    scheduler.waits_for = kNoLoad;
    scheduler.at_load_store = false;
    if (state == kNoInstruction) {
        scheduler.slot = idle_cause(scheduler);
        return;
    }
    scheduler.slot = causes_[state];
    scheduler.at_load_store = state == static_cast<State>(Pipe::LdSt);
    if (scheduler.slot == Slot::ScoreboardMemory)
        scheduler.waits_for = load_waited_for(scheduler);
}

// Of the scheduler's first unit that waits for one.
warp::FlightId ScoreboardCore::load_waited_for(const SchedulerUnit& scheduler) const {
    constexpr State kWaits = kBlocked + static_cast<State>(Producer::Memory);
    for (unsigned i = 0; i < units_.words; ++i) {
        const std::uint64_t w = states_[i].in[kWaits] & own_units(scheduler, i) & considered_units(scheduler, i);
        if (w != 0)
            return standing_[i * 64 + static_cast<std::size_t>(std::countr_zero(w))].blocker.flight();
    }
    return kNoLoad;
}

// What the load/store unit did last.
Slot ScoreboardCore::load_store_cause() const {
    switch (ldst_step_) {
    case LoadStoreUnit::Step::Line:
        return Slot::DataPort;
    case LoadStoreUnit::Step::Bank:
        return Slot::BankConflict;
    case LoadStoreUnit::Step::Held:
        switch (data_.refusal()) {
        case LoadStoreUnit::Refusal::SetReserved:
            return Slot::SetReserved;
        case LoadStoreUnit::Refusal::MshrFull:
            return Slot::MshrFull;
        case LoadStoreUnit::Refusal::MshrMergeFull:
            return Slot::MshrMergeFull;
        default:
            return Slot::PortFull;
        }
    case LoadStoreUnit::Step::Done:
        break;
    }
    return Slot::PipeLdSt;
}

// No unit that the scheduler considers has an instruction.
Slot ScoreboardCore::idle_cause(const SchedulerUnit& scheduler) const {
    std::uint64_t alive = 0, fetches = 0, transfers = 0, drains = 0;
    for (unsigned i = 0; i < units_.words; ++i) {
        const std::uint64_t own = scheduler.own.word(i) & units_.alive.word(i);
        alive |= own;
        transfers |= own & transfers_.word(i);
        fetches |= own & units_.eligible.word(i);
        drains |= own & drains_.word(i);
    }
    if (alive == 0)
        return contexts_.blocks.resident() == 0 ? Slot::Empty : Slot::NoUnit;
    if (transfers != 0)
        return Slot::Branch;
    if (fetches != 0)
        return Slot::Fetch;
    if (drains != 0)
        return Slot::Drain;
    if (contexts_.sync.threads_at_rendezvous() != 0)
        return Slot::WarpSync;
    return contexts_.sync.threads_at_barriers() != 0 ? Slot::Barrier : Slot::Formation;
}

// The flight's data are there: slots that waited for them now have a level.
void ScoreboardCore::attribute(warp::FlightId flight) {
    auto& slots = contexts_.stats.slots;
    const FlightState& state = in_flight_[flight];
    slots[static_cast<std::size_t>(Slot::ScoreboardMemory)] -= state.memory_stalls;
    const Slot level = state.aside_since == kNever              ? Slot::ScoreboardL1
                       : data_.level(flight) == mem::Level::Llc ? Slot::ScoreboardLlc
                                                                : Slot::ScoreboardDram;
    slots[static_cast<std::size_t>(level)] += state.memory_stalls;
}

} // namespace heddle::sm
