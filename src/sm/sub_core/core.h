// An SM of sub-cores (PRO I, IV; as GPGPU-Sim has the Fermi SM). Each sub-core has a warp scheduler and a share of the
// units. Several instructions of a unit are in flight, issued in order, as far as their registers permit.
//
//   fetch, decode   front_end.h: each unit has an instruction buffer
//   issue           issue_unit.h: each scheduler picks one of its units whose next instruction is in the buffer, whose
//                   registers have no result on its way (scoreboard.h), and whose pipe is open. The instruction is
//                   executed (functionally: here and only here). Its next PC counts at once; the next PC of a control
//                   transfer counts scoreboard.branch cycles later, that of a fence or of an atomic operation on global
//                   memory when memory has answered. sub_groups.cpp handles units that end when they issue, and units
//                   whose instructions are several groups
//   execute         pipes.h: operands are collected, a pipe executes, a result bus carries the result
//   load/store      memory_stage.h: accesses go through the load/store unit in order; a line that cannot be requested
//                   blocks the unit. The unit writes the registers of one instruction a cycle
//
// An exit waits until no result is on its way to the registers of its threads. An exit that gives a row back also waits
// until the stores of its threads are done. Each slot that issues nothing has a cause: stall_account.h.
//
// The functions of every cycle are compiled twice. kPlain: without a profile, without control bits and the other stages
// of modern sub-cores (SubCoreStagesConfig). Cores that have none of these do not pay for the tests.
#pragma once

#include <optional>

#include "base/latency_wheel.h"
#include "sm/frame/timed_core.h"
#include "sm/load_store/division.h"
#include "sm/sub_core/constant_cache.h"
#include "sm/sub_core/copy_arrivals.h"
#include "sm/sub_core/copy_groups.h"
#include "sm/sub_core/cycle_trace.h"
#include "sm/sub_core/next_event.h"
#include "sm/sub_core/phase_tests.h"
#include "sm/sub_core/scheduler_events.h"
#include "sm/sub_core/sub_core.h"
#include "sm/sub_core/sub_groups.h"

namespace heddle::sm {

class ScoreboardedCore final : public TimedCore {
public:
    ScoreboardedCore(const config::Machine& machine, unsigned sm, exec::MemoryImage& image, const ir::Program& program,
                     const TraceSink& trace);

    // The reason why this core cannot run the formation; empty when it can.
    static std::string objection(const formation::Formation& how);

    void share_with(Core& first) override;
    void start_block(Dim3 ctaid, std::uint64_t global_id, Cycle now) override;
    void threads_released(Cycle now) override;
    void end_kernel(Cycle now) override;
    Cycle run(Cycle now, Cycle until) override;
    void catch_up(Cycle now) override;
    void count_in(probe::SmProfile& profile, const config::Machine& machine) override {
        plain_ = false;
        TimedCore::count_in(profile, machine);
        stalls_.count_in(profile);
    }
    unsigned issue_slots() const override {
        return static_cast<unsigned>(issue_units_.size());
    }
    void add_statistics(stats::Tree& tree) override;
    std::vector<std::uint64_t> block_order() const override { // the order is equal in all schedulers
        return issue_units_.front().policy().block_order(frame_.view);
    }

private:
    void begin_kernel(const ir::Kernel& kernel, Cycle now) override;
    void begin_blocks() override;
    void simulate(Cycle& now, Cycle until);
    // The parts of one cycle, in order.
    [[gnu::always_inline]] void back_end(Cycle now);
    template <bool kPlain>
    [[gnu::always_inline]] void front_end(Cycle now);
    bool take_answers(Cycle now);
    void due(LatencyWheel::Item item, Cycle now) {
        if (item < InFlight::kMost)
            finish(item, now);
        else if (item < first_fetch_) [[likely]]
            states_.wake_up(static_cast<UnitId>(item - InFlight::kMost));
        else
            fetch_due(item - first_fetch_, now);
    }
    void finish(warp::FlightId flight, Cycle now);
    [[nodiscard, gnu::noinline]] RowId end_copy(warp::FlightId flight);
    [[gnu::always_inline]] void time_passes(Cycle now);

    // idle.cpp:
    Cycle pass_over_answers(Cycle next, Cycle until);
    Cycle skip(Cycle now, Cycle until);
    void pass_idly(Cycle now);
    // The part of pass_idly() that is rare.
    [[gnu::noinline]] void observe_idle(Cycle cycles, Cycle now);

    // issue.cpp:
    template <bool kPlain>
    void issue_all(Cycle now);
    template <bool kPlain>
    [[gnu::noinline]] void issue(IssueUnit& unit, unsigned sub_core, Cycle now);
    [[gnu::noinline]] UnitId with_constant(IssueUnit& issue_unit, UnitId unit, unsigned sub_core, Cycle now);
    template <bool kPlain>
    const warp::Flight* issue_from(IssueUnit& issue_unit, UnitId unit, unsigned sub_core, Cycle now);
    template <bool kPlain>
    void pass(warp::Flight& flight, unsigned sub_core, const Decoded& op, Cycle now);
    [[gnu::noinline]] void look_up_constant(const warp::Flight& flight, unsigned sub_core, Cycle now);
    [[gnu::noinline]] void pass_part_of_product(warp::Flight& flight, unsigned sub_core, const Decoded& op, Cycle now);
    template <bool kPlain>
    void send(warp::Flight& flight, unsigned sub_core, const Decoded& op, Cycle now);
    template <bool kPlain>
    void send_to_memory(warp::Flight& flight, unsigned sub_core, const Decoded& op, Cycle now);
    void commit(warp::Flight& flight, Cycle now);
    [[gnu::noinline]] void commit_rest(warp::Flight& flight, bool straight, Cycle now);
    [[nodiscard]] Writer writer_of(warp::FlightId id, const warp::Flight& flight, const Decoded& op) const;
    [[nodiscard]] bool gives_row_back(const warp::Flight& flight) const;

    // memory.cpp:
    void load_store(Cycle now);
    [[gnu::noinline]] void fetch_due(std::uint32_t request, Cycle now);
    void constant_due(std::uint32_t request);
    [[nodiscard]] bool is_divided(const warp::Flight& flight) const;
    void let_ahead(warp::Flight& flight, Cycle at, Cycle now);
    bool divide_starved(Cycle now);
    void put_aside(warp::Flight& flight, Cycle now);
    // True when the unit of bulk copies now has a cycle of its next request.
    [[gnu::noinline]] bool wake_tma(Cycle now);
    [[nodiscard]] Cycle barrier_of(const ir::MicroOp& op) const {
        return op.sub == ir::Sub::BarClusterArrive ? cluster_barrier_ : barrier_;
    }
    void write_at(warp::FlightId flight, Cycle at, Cycle now);
    void finish_at(warp::FlightId flight, Cycle at, Cycle now);
    // From the load/store unit until a flight without results ends, where it waits for nothing else.
    [[nodiscard]] Cycle last_part(const warp::Flight& flight) const {
        return LoadStoreUnit::is_fence(flight) ? fence_ : 0;
    }
    void follow_copies(const warp::Flight& flight);
    // True when the results of a load cannot be written now: finish() is due again when a port is free.
    [[nodiscard, gnu::noinline]] bool waits_for_write_port(warp::FlightId flight, Cycle now);
    void come_back_all(std::vector<warp::FlightId>& flights, Cycle now);
    void come_back(warp::FlightId flight, Cycle now);
    // A flight that is not in use, in this state. Slots that were counted for an earlier flight with its number, after
    // that flight had ended, keep their cause.
    template <bool kPlain>
    warp::Flight& open_flight(const InFlight::State& state) {
        const warp::FlightId flight = in_flight_.open(state);
        if (!kPlain && frame_.contexts.profile != nullptr)
            frame_.contexts.profile->loaded(flight, probe::Slot::ScoreboardMemory);
        return frame_.open_flight(flight);
    }
    void close(warp::FlightId flight);
    // The issue unit that issues after another in a cycle.
    [[nodiscard]] std::size_t after(std::size_t issue_unit) const {
        return issue_unit + 1 == issue_units_.size() ? 0 : issue_unit + 1;
    }

    const PipeTable pipe_table_;
    const SubCoreConfig config_;
    const bool units_are_rows_;
    const bool units_die_;        // units die at issue (dwf)
    const bool forms_groups_;     // an instruction of a unit may be several groups, an issue slot each (lwm)
    const bool units_share_rows_; // an outcome may concern other units, or another group of the same unit
    std::vector<FrontEnd> fronts_;
    std::vector<IssueUnit> issue_units_;
    SubCores sub_cores_;
    std::shared_ptr<DecodedKernel> kernel_; // shared by the SMs of a device
    const Cycle barrier_;                   // from a barrier's issue until its threads have arrived; 0: at once
    const Cycle cluster_barrier_;           // the same of the barrier of a cluster
    const Cycle fence_;                     // SubCoreStagesConfig::fence
    const unsigned first_fetch_, tma_item_;
    LatencyWheel wheel_; // items: flights, then units, then from first_fetch_ on requests of instructions, then the TMA
    std::unique_ptr<InstructionL1> instruction_l1_;     // null: the front ends ask memory
    std::vector<ConstantCache> constants_;              // by sub-core; empty: constants are there
    const unsigned first_constant_, constant_misses_;   // requests of constant caches: the first one; of a cache
    const Cycle hold_;                                  // ConstantCacheConfig::hold
    const std::unique_ptr<WarpgroupProducts> products_; // null: products of warpgroups are not asynchronous
    std::unique_ptr<CopyGroups> copy_groups_;           // null: no copy of native code is asynchronous
    std::unique_ptr<CopyGroups> bulk_stores_;           // null: bulk copies from shared memory are not
    std::optional<PhaseTests> phase_tests_;             // empty: a test is a load
    std::optional<CopyArrivals> copies_; // of bulk copies, where their data come later than the instruction ends
    UnitStates states_;
    MemoryStage memory_stage_;
    NextEvent next_;
    InFlight in_flight_;
    StallAccount stalls_;
    SubGroups sub_groups_;
    SchedulerEvents scheduler_events_;
    Division division_;
    const CycleTrace trace_;
    // The last instruction that passed. Where units are rows, an instruction that ends in its pipe only needs the cycle
    // in which its registers are written: its flight is not kept.
    warp::Flight passing_;
    std::vector<warp::FlightId> came_back_;
    unsigned aside_ = 0;
    bool tma_wakes_ = false; // the unit of bulk copies is in the wheel
    bool issued_ = false;    // something was issued in the last cycle
    bool plain_;             // see above
    const bool take_turns_;  // sub-cores take turns in issuing first
    const Cycle wide_product_;
    const bool write_ports_;         // loads need a port of the registers that they write
    const std::uint64_t code_bytes_; // of an instruction
    const bool flushes_code_;
    std::size_t first_ = 0;   // the issue unit that issues first in the cycle
    std::size_t counted_ = 0; // issue units, from first_ on, whose slot of the cycle has been counted
};

} // namespace heddle::sm
