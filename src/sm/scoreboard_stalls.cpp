// Why a scheduler of the scoreboarded core issued nothing: one cause a slot, and the three classes of PRO II.B.
//
// Of several causes the one counts that ends first: had its unit been faster, the slot could have issued.
#include <bit>

#include "sm/scoreboard_core.h"

namespace heddle::sm {

using probe::Slot;

// A unit of the scheduler's that may go on has this state.
bool ScoreboardCore::any_own(const SchedulerUnit& scheduler, State state) const {
    for (unsigned i = 0; i < units_.words; ++i)
        if ((in_state_[state].word(i) & scheduler.own.word(i) & units_.eligible.word(i) & units_.alive.word(i)) != 0)
            return true;
    return false;
}

Slot ScoreboardCore::stall_cause(const SchedulerUnit& scheduler) const {
    static constexpr Slot kPipeBusy[] = {Slot::PipeSp, Slot::PipeSfu, Slot::PipeDp};
    for (const Pipe pipe : {Pipe::Sp, Pipe::Dp, Pipe::Sfu})
        if (any_own(scheduler, static_cast<State>(pipe)))
            return kPipeBusy[static_cast<std::size_t>(pipe)];
    if (any_own(scheduler, static_cast<State>(Pipe::LdSt)))
        return load_store_cause();
    static constexpr Slot kWaitsFor[] = {Slot::ScoreboardAlu, Slot::ScoreboardSfu, Slot::ScoreboardDp,
                                         Slot::ScoreboardOnChip, Slot::ScoreboardMemory};
    for (unsigned producer = 0; producer < kProducers; ++producer)
        if (any_own(scheduler, static_cast<State>(kBlocked + producer)))
            return kWaitsFor[producer];
    return idle_cause(scheduler);
}

Slot ScoreboardCore::load_store_cause() const {
    switch (ldst_step_) {
    case DataPath::Step::Line:
        return Slot::DataPort;
    case DataPath::Step::Bank:
        return Slot::BankConflict;
    case DataPath::Step::Held:
        switch (data_.refusal()) {
        case DataPath::Refusal::Way:
            return Slot::HeldWay;
        case DataPath::Refusal::Entry:
            return Slot::HeldEntry;
        case DataPath::Refusal::Merge:
            return Slot::HeldMerge;
        default:
            return Slot::HeldRoom;
        }
    case DataPath::Step::Done:
        break;
    }
    return Slot::PipeLdSt;
}

// No unit of the scheduler's has an instruction.
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
        return Slot::Empty;
    if (transfers != 0)
        return Slot::Branch;
    if (fetches != 0)
        return Slot::Fetch;
    if (drains != 0)
        return Slot::Drain;
    if (residents_.sync.threads_at_rendezvous() != 0)
        return Slot::WarpSync;
    return residents_.sync.threads_at_barriers() != 0 ? Slot::Barrier : Slot::Formation;
}

// The scheduler's slots of so many cycles go by without an issue. What waits for memory is put to the
// account of the load it waits for: where its data came from is known when they are there.
void ScoreboardCore::account_stall(SchedulerUnit& scheduler, Cycle cycles) {
    scheduler.slot = stall_cause(scheduler);
    residents_.stats.slots[static_cast<std::size_t>(scheduler.slot)] += cycles;
    if (scheduler.slot != Slot::ScoreboardMemory)
        return;
    constexpr State kWaits = kBlocked + static_cast<State>(Producer::Memory);
    for (unsigned i = 0; i < units_.words; ++i) {
        const std::uint64_t w =
            in_state_[kWaits].word(i) & scheduler.own.word(i) & units_.eligible.word(i) & units_.alive.word(i);
        if (w == 0)
            continue;
        const std::size_t unit = i * 64 + static_cast<std::size_t>(std::countr_zero(w));
        memory_stalls_[blocker_[unit]] += cycles;
        return;
    }
}

// The flight's data are there: slots that waited for them now have a level.
void ScoreboardCore::attribute(warp::FlightId flight) {
    auto& slots = residents_.stats.slots;
    slots[static_cast<std::size_t>(Slot::ScoreboardMemory)] -= memory_stalls_[flight];
    const Slot level = aside_since_[flight] == kNever ? Slot::ScoreboardL1 : Slot::ScoreboardDram;
    slots[static_cast<std::size_t>(level)] += memory_stalls_[flight];
}

} // namespace heddle::sm
