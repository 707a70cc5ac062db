// Why issue slots of an SM with sub-cores were empty: one cause a slot, and the three classes of PRO II.B.
//
// Of several causes, the one that ends first counts: without this cause the slot could have issued earliest. The order
// of causes: pipes that are not open, registers by their writer, reasons for the lack of an instruction. Units that a
// scheduler does not consider (tl: units that are not active) are no cause, as in GPGPU-Sim.
#pragma once

#include <array>
#include <vector>

#include "probe/sm_profile.h"
#include "sm/sub_core/in_flight.h"
#include "sm/sub_core/memory_stage.h"
#include "sm/sub_core/sub_core.h"
#include "sm/sub_core/unit_states.h"

namespace heddle::sm {

class StallAccount {
public:
    StallAccount(Frame& frame, const UnitStates& states, const MemoryStage& memory, InFlight& flights,
                 const PipeTable& pipes, const SubCores* sub_cores = nullptr);

    // From now on counts in a profile at which instructions units wait.
    void count_in(probe::SmProfile& profile) {
        profile_ = &profile;
    }
    // Finds why the issue unit has nothing to issue. A wait for memory is counted for the load that the unit waits for:
    // the level that the data come from is not known before they are there.
    void find_cause(IssueUnit& unit) const;
    // The issue unit has nothing to issue for a known cause, which concerns the instruction at `pc`. `at_load_store`:
    // the cause is what the load/store unit does.
    void set_cause(IssueUnit& unit, probe::Slot cause, Pc pc, bool at_load_store = false) const {
        unit.blame = {pc, kNoPc};
        unit.waits_for = IssueUnit::kNoLoad;
        unit.at_load_store = at_load_store;
        unit.cause_is_own = false;
        unit.slot = cause;
    }
    // The issue unit waits for a pipe, or for the load/store unit, with the unit that it keeps.
    void wait_for_pipe(IssueUnit& unit, WaitStates::State pipe) const {
        set_cause(unit, pipe == load_store_ ? memory_.cause() : pipe_cause(unit, pipe), frame_.units.pc[unit.kept],
                  pipe == load_store_);
    }
    // Updates a cause that is what the load/store unit does: it may differ from that of the last cycle.
    void look_at_load_store(IssueUnit& unit) const {
        unit.slot = static_cast<probe::Slot>(select(unit.at_load_store, static_cast<std::uint64_t>(memory_.cause()),
                                                    static_cast<std::uint64_t>(unit.slot)));
    }
    // kPlain: there is no profile.
    template <bool kPlain = false>
    void stall(const IssueUnit& unit, Cycle cycles) {
        count(unit, cycles);
        if (!kPlain && profile_ != nullptr)
            profile(unit, cycles);
    }
    // The part of stall() that stall<true>() leaves out, for all issue units.
    void profile_all(const std::vector<IssueUnit>& units, Cycle cycles) {
        for (const IssueUnit& unit : units)
            if (profile_ != nullptr)
                profile(unit, cycles);
    }
    void issued(IssueUnit& unit) {
        unit.slot = probe::Slot::Issued;
        unit.at_load_store = unit.cause_is_own = false;
        unit.waits_for = IssueUnit::kNoLoad;
        ++slots_[static_cast<std::size_t>(probe::Slot::Issued)];
    }
    // Takes back the slot of a cycle that does not count.
    void take_back(const IssueUnit& unit) {
        --slots_[static_cast<std::size_t>(unit.slot)];
        if (profile_ != nullptr && unit.slot != probe::Slot::Issued)
            profile(unit, ~std::uint64_t{0});
    }
    // The flight's data are there, from `level`: moves the slots that waited for them to the cause of that level.
    void attribute(warp::FlightId flight, mem::Level level);

private:
    void count(const IssueUnit& unit, Cycle cycles) {
        slots_[static_cast<std::size_t>(unit.slot)] += cycles;
        flights_[unit.waits_for].memory_stalls += cycles;
    }
    [[nodiscard]] probe::Slot pipe_cause(const IssueUnit& unit, WaitStates::State pipe) const {
        const bool held = sub_cores_ != nullptr && (sub_cores_->held(unit.index()) >> pipe & 1) != 0;
        return held ? probe::Slot::ReadPorts : causes_[pipe];
    }
    [[nodiscard]] probe::Slot idle_cause(const IssueUnit& unit) const;
    // Counts slots in the profile. Modulo 2^64: -1 takes a slot back.
    [[gnu::noinline]] void profile(const IssueUnit& unit, std::uint64_t slots);
    [[gnu::noinline]] void find_blame(IssueUnit& unit, WaitStates::State state) const;
    [[nodiscard]] Pc idle_at(const IssueUnit& unit) const;
    [[nodiscard]] Pc first_of(const IssueUnit& unit, const UnitSet& units) const;
    [[nodiscard]] Pc late_flight(bool at_memory) const;

    const Frame& frame_;
    const UnitStates& states_;
    const MemoryStage& memory_;
    InFlight& flights_;
    const SubCores* sub_cores_; // null: no instruction waits in Allocate
    probe::SlotCounts& slots_;
    probe::SmProfile* profile_ = nullptr; // null: nothing is counted by instruction
    // The cause for each state of a unit. The entry of the load/store unit is not used: MemoryStage::cause() is.
    std::array<probe::Slot, WaitStates::kMost> causes_{};
    WaitStates::State load_store_, none_;
};

} // namespace heddle::sm
