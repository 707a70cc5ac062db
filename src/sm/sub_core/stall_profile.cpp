// At which instruction a unit waits in an empty slot of an SM with sub-cores, and whose result it needs: the part of
// StallAccount for profiles (docs/profile.md).
#include "sm/sub_core/stall_account.h"

namespace heddle::sm {

using probe::Slot;

void StallAccount::profile(const IssueUnit& unit, std::uint64_t slots) {
    if (slots == 0)
        return;
    Pc producer = unit.blame.producer;
    if (unit.at_load_store) // may be another access in each cycle
        producer = memory_.first() == warp::kNoFlight ? kNoPc : frame_.flights[memory_.first()].group.pc;
    if (unit.waits_for != IssueUnit::kNoLoad)
        profile_->stall_for_load(unit.waits_for, unit.blame.waits_at, producer, slots);
    else
        profile_->stall(unit.blame.waits_at, {unit.slot, producer, slots});
}

// The cause has been found; `state` is that of the units that it stands for, the first of which counts.
void StallAccount::find_blame(IssueUnit& unit, WaitStates::State state) const {
    unit.blame = {};
    if (state == none_) {
        unit.blame.waits_at = idle_at(unit);
        return;
    }
    const UnitId waits = unit.first_in(state, states_.known(), frame_.units);
    unit.blame.waits_at = frame_.units.pc[waits];
    if (state > load_store_)
        unit.blame.producer = states_.producer(waits);
}

// Where a unit waits when no unit has an instruction.
Pc StallAccount::idle_at(const IssueUnit& unit) const {
    const Unresolved& unresolved = states_.unresolved();
    switch (unit.slot) {
    case Slot::Branch:
        return unresolved.units_die() ? late_flight(false) : first_of(unit, unresolved.transfers());
    case Slot::Drain:
        return unresolved.units_die() ? late_flight(true) : first_of(unit, unresolved.drains());
    case Slot::Fetch:
        return first_of(unit, frame_.units.eligible);
    case Slot::WarpSync:
        return frame_.contexts.sync.first_at_rendezvous();
    case Slot::Barrier:
        return frame_.contexts.sync.first_at_barrier();
    case Slot::Formation:
        return first_of(unit, frame_.units.alive);
    default:
        return kNoPc;
    }
}

// The PC of the issue unit's first unit that is alive and in a set; kNoPc: none is.
Pc StallAccount::first_of(const IssueUnit& unit, const UnitSet& units) const {
    for (unsigned i = 0; i < frame_.units.words; ++i)
        if (const std::uint64_t in = unit.own().word(i) & frame_.units.alive.word(i) & units.word(i); in != 0)
            return frame_.units.pc[i * 64 + static_cast<unsigned>(std::countr_zero(in))];
    return kNoPc;
}

// Where units end at issue: the PC of the first flight whose next PCs do not count yet, because memory has not answered
// it or because it is a control transfer.
Pc StallAccount::late_flight(bool at_memory) const {
    for (warp::FlightId f = 0; f < InFlight::kMost; ++f)
        if (const InFlight::State& state = flights_[f];
            state.commits_late && (state.at_memory || state.aside_since != kNever) == at_memory)
            return frame_.flights[f].group.pc;
    return kNoPc;
}

} // namespace heddle::sm
