// Why issue slots of an SM with sub-cores were empty: one cause a slot, and the three classes of PRO II.B.
//
// Of several causes the one counts that ends first: had its unit been faster, the slot could have issued. Causes, in
// that order: pipes that are not open, registers by what writes them, what keeps instructions away. Units that a
// scheduler does not consider (tl: those that are not active) are no cause, as in GPGPU-Sim.
#pragma once

#include <array>

#include "sm/sub_core/in_flight.h"
#include "sm/sub_core/memory_stage.h"
#include "sm/sub_core/unit_states.h"

namespace heddle::sm {

class StallAccount {
public:
    StallAccount(Frame& frame, const UnitStates& states, const MemoryStage& memory, InFlight& flights,
                 const PipeTable& pipes);

    // Finds why the issue unit has nothing to issue. What waits for memory goes to the account of the load it waits
    // for: where its data came from is known when they are there.
    void find_cause(IssueUnit& unit) const;
    // The issue unit has nothing to issue for a cause that is known; `at_load_store`: for what the load/store unit
    // does.
    void set_cause(IssueUnit& unit, probe::Slot cause, bool at_load_store = false) const {
        unit.waits_for = IssueUnit::kNoLoad;
        unit.at_load_store = at_load_store;
        unit.slot = cause;
    }
    // It waits for a pipe, or for the load/store unit.
    void wait_for_pipe(IssueUnit& unit, WaitStates::State pipe) const {
        set_cause(unit, pipe == load_store_ ? memory_.cause() : causes_[pipe], pipe == load_store_);
    }
    // What the load/store unit does may be another cause than in the last cycle.
    void look_at_load_store(IssueUnit& unit) const {
        unit.slot = static_cast<probe::Slot>(select(unit.at_load_store, static_cast<std::uint64_t>(memory_.cause()),
                                                    static_cast<std::uint64_t>(unit.slot)));
    }
    void stall(const IssueUnit& unit, Cycle cycles) {
        slots_[static_cast<std::size_t>(unit.slot)] += cycles;
        flights_[unit.waits_for].memory_stalls += cycles;
    }
    void issued(IssueUnit& unit) {
        unit.slot = probe::Slot::Issued;
        unit.at_load_store = false;
        unit.waits_for = IssueUnit::kNoLoad;
        ++slots_[static_cast<std::size_t>(probe::Slot::Issued)];
    }
    // The slot of a cycle that does not count.
    void take_back(const IssueUnit& unit) {
        --slots_[static_cast<std::size_t>(unit.slot)];
    }
    // The flight's data are there, from `level`: slots that waited for them now have a level.
    void attribute(warp::FlightId flight, mem::Level level);

private:
    [[nodiscard]] probe::Slot idle_cause(const IssueUnit& unit) const;

    const Frame& frame_;
    const UnitStates& states_;
    const MemoryStage& memory_;
    InFlight& flights_;
    probe::SlotCounts& slots_;
    // Of slots in which units that may go on wait in a state; the load/store unit's is what that unit did last.
    std::array<probe::Slot, WaitStates::kMost> causes_{};
    WaitStates::State load_store_, none_;
};

} // namespace heddle::sm
