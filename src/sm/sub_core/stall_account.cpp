#include "sm/sub_core/stall_account.h"

namespace heddle::sm {

using probe::Slot;

StallAccount::StallAccount(Frame& frame, const UnitStates& states, const MemoryStage& memory, InFlight& flights,
                           const PipeTable& pipes, const SubCores* sub_cores)
    : frame_(frame), states_(states), memory_(memory), flights_(flights), sub_cores_(sub_cores),
      slots_(frame.contexts.stats.slots), load_store_(static_cast<WaitStates::State>(pipes.count())),
      none_(static_cast<WaitStates::State>(pipes.count() + 1 + kProducers)) {
    constexpr std::array kPipes = {Slot::PipeSp, Slot::PipeSfu, Slot::PipeDp}; // by PipeKind
    constexpr std::array kRegisters = {Slot::ScoreboardAlu, Slot::ScoreboardSfu, Slot::ScoreboardDp,
                                       Slot::ScoreboardOnChip, Slot::ScoreboardMemory}; // by Producer
    for (unsigned p = 0; p < pipes.count(); ++p)
        causes_[p] = kPipes[static_cast<std::size_t>(pipes.specs()[p].kind)];
    for (unsigned p = 0; p < kProducers; ++p)
        causes_[load_store_ + 1 + p] = kRegisters[p];
}

void StallAccount::find_cause(IssueUnit& unit) const {
    const WaitStates::State state = unit.first_state(states_.known(), frame_.units);
    unit.waits_for = IssueUnit::kNoLoad;
    unit.at_load_store = state == load_store_;
    unit.cause_is_own = state != load_store_ && state != none_;
    unit.slot = unit.at_load_store    ? memory_.cause()
                : state == none_      ? idle_cause(unit)
                : state < load_store_ ? pipe_cause(unit, state)
                                      : causes_[state];
    if (unit.slot == Slot::ScoreboardMemory)
        unit.waits_for = states_.blocker(unit.first_in(state, states_.known(), frame_.units)).flight();
    if (profile_ != nullptr) [[unlikely]]
        find_blame(unit, state);
}

// The cause when no unit that the scheduler considers has an instruction.
Slot StallAccount::idle_cause(const IssueUnit& unit) const {
    const Unresolved& unresolved = states_.unresolved();
    std::uint64_t alive = 0, fetches = 0, transfers = 0, drains = 0;
    for (unsigned i = 0; i < frame_.units.words; ++i) {
        const std::uint64_t own = unit.own().word(i) & frame_.units.alive.word(i);
        alive |= own;
        transfers |= own & unresolved.transfers().word(i);
        fetches |= own & frame_.units.eligible.word(i);
        drains |= own & unresolved.drains().word(i);
    }
    if (frame_.contexts.blocks.resident() == 0)
        return Slot::Empty;
    if (alive == 0 && !unresolved.units_die())
        return Slot::NoUnit;
    if (transfers != 0 || unresolved.flights().transfers != 0)
        return Slot::Branch;
    if (fetches != 0)
        return Slot::Fetch;
    if (drains != 0 || unresolved.flights().drains != 0)
        return Slot::Drain;
    if (frame_.contexts.sync.threads_at_rendezvous() != 0)
        return Slot::WarpSync;
    if (frame_.contexts.sync.threads_at_barriers() != 0)
        return Slot::Barrier;
    return alive == 0 ? Slot::NoUnit : Slot::Formation;
}

void StallAccount::attribute(warp::FlightId flight, mem::Level level) {
    const InFlight::State& state = flights_[flight];
    slots_[static_cast<std::size_t>(Slot::ScoreboardMemory)] -= state.memory_stalls;
    const Slot cause = state.aside_since == kNever ? Slot::ScoreboardL1
                       : level == mem::Level::Llc  ? Slot::ScoreboardLlc
                                                   : Slot::ScoreboardDram;
    slots_[static_cast<std::size_t>(cause)] += state.memory_stalls;
    if (profile_ != nullptr) [[unlikely]]
        profile_->loaded(flight, cause);
}

} // namespace heddle::sm
