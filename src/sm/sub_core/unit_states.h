// What keeps each unit of an SM with sub-cores from issuing its next instruction: the instruction is not in the buffer,
// a register has a result on its way, the pipe is not open, or the unit waits for a control transfer or for memory.
// States are evaluated when they may have changed, and passed to the unit's issue unit.
#pragma once

#include <bit>
#include <span>
#include <vector>

#include "base/latency_wheel.h"
#include "sm/frame/frame.h"
#include "sm/sub_core/copy_groups.h"
#include "sm/sub_core/decoded.h"
#include "sm/sub_core/dependence_counters.h"
#include "sm/sub_core/front_end.h"
#include "sm/sub_core/hazards.h"
#include "sm/sub_core/issue_unit.h"
#include "sm/sub_core/pending_reads.h"
#include "sm/sub_core/scoreboard.h"
#include "sm/sub_core/unresolved.h"

namespace heddle::sm {

class UnitStates {
public:
    using State = WaitStates::State;

    // `wheel` takes the item first_item + u for a unit u, at the cycle in which the register that u waits for is
    // written. `loads_are_long`: a load is a long wait from its issue on; else once it has missed. `products`,
    // `copies`: what instructions that wait for products and for asynchronous copies ask, by unit.
    UnitStates(Frame& frame, const DecodedKernel& kernel, std::span<FrontEnd> fronts, std::span<IssueUnit> issue_units,
               LatencyWheel& wheel, unsigned first_item, unsigned pipes, bool loads_are_long,
               const Hazards& hazards = {}, const WarpgroupProducts* products = nullptr,
               const CopyGroups* copies = nullptr, const CopyGroups* bulk_stores = nullptr);

    // Reads decoded instructions from `kernel` from now on.
    void read(const DecodedKernel& kernel) {
        kernel_ = &kernel;
    }
    // Starts a launch of the decoded kernel.
    void begin() {
        if (!by_bits_)
            scoreboard_.begin(kernel_->registers(), kernel_->words());
        counters_.begin();
        reads_.begin();
        await_constant_ = UnitSet(units_.capacity());
        constants_ = 0;
        passed_.clear();
        prefetches_ = units_are_rows_ && frame_.contexts.executor.should_prefetch();
    }
    // Whether the host's caches hold less than the registers of all SMs (exec::RowPrefetch).
    [[nodiscard]] bool prefetches() const {
        return prefetches_;
    }
    // The SM goes on behind other SMs: what its next instructions need comes into the host's caches, but for units that
    // wait for long.
    void prefetch() const;
    // Marks the results of a group's threads as pending until release(); or those of a whole row, until cycle `until`.
    void write(const warp::Group& group, const Decoded& op, Writer writer) {
        scoreboard_.set(group, op.results(), writer);
    }
    void write(RowId row, const Decoded& op, Writer writer, Cycle until) {
        for (unsigned i = 0; i < op.writes; ++i)
            scoreboard_.set(row, op.written[i], writer, until);
    }
    // Whether control bits say what an instruction waits for, and not the registers that are pending.
    [[nodiscard]] bool reads_control_bits() const {
        return by_bits_;
    }
    // Whether issued() has to be called.
    [[nodiscard]] bool asks_for_ends() const {
        return by_bits_ || by_hazards_;
    }
    // An instruction of a unit has issued. Results without a known cycle are written at release(); with a scoreboard
    // they are pending already.
    struct Ends {
        Cycle read;                                // behind the reads of its sources
        Cycle written = Scoreboard::kUntilCleared; // an instruction that needs its results may issue
        Cycle stored = Scoreboard::kUntilCleared;  // its registers are written
    };
    void issued(const warp::Group& group, const Decoded& op, Writer writer, Ends ends, Cycle now) {
        if (!by_bits_)
            return issued_by_hazards(group, op, writer, ends);
        const ir::ControlBits& bits = kernel_->control(group.pc);
        if (op.writes != 0)
            counters_.up(group.unit, bits.write, writer, group.pc, ends.written);
        counters_.up(group.unit, bits.read, writer, group.pc, ends.read);
        counters_.issued(group.unit, bits, writer, group.pc, now);
    }
    // With a profile: the instruction at `pc` writes registers of a whole row, and has no flight.
    [[gnu::noinline]] void note_passing(RowId row, std::span<const RegisterNumber> registers, Pc pc);
    void release(const warp::Flight& flight, const Decoded& op);

    // Evaluates units that have become eligible since the last call.
    [[gnu::always_inline]] void look_at_units();
    [[nodiscard]] bool any_fresh() const {
        std::uint64_t fresh = units_.eligible.word(0) & units_.alive.word(0) & ~known_.word(0);
        for (unsigned i = 1; i < units_.words; ++i)
            fresh |= units_.eligible.word(i) & units_.alive.word(i) & ~known_.word(i);
        return fresh != 0;
    }
    // The unit's next instruction may have changed, or the reason for its wait.
    void evaluate(UnitId unit);
    // The unit's next instruction has come to its buffer.
    void fetched(UnitId unit);
    // The register that the unit waits for has been written.
    void wake_up(UnitId unit);
    // The constant of the unit's next instruction is missing: it cannot issue until that has come.
    void await_constant(UnitId unit);
    void constant_came(UnitId unit);
    // An asynchronous copy of the unit is there.
    void copy_came(UnitId unit) {
        if (waits_for_register(unit))
            evaluate_registers(unit);
    }
    // The load of the flight has missed.
    void missed(const warp::Flight& flight);
    // The units with threads of the row have changed.
    void evaluate_row(RowId row);
    // Removes units that are no longer alive and eligible from known(): their numbers may be given to new units.
    void forget_the_dead();
    // The unit has ended at the issue of its instruction: its number may be given to a new unit.
    void ended_at_issue(UnitId unit) {
        known_.erase(unit);
    }
    // Evaluates units that may continue and that threads have joined (UnitTable::grown): the threads' registers count
    // too.
    void look_at_joined();
    // The unit has ended at the commit of its instruction. The exit may have released other threads, and a new unit
    // with the same number may hold them already: it has not been evaluated.
    void unit_died(UnitId unit) {
        known_.erase(unit);
        unresolved_.forget(unit);
    }

    // The next PCs of a unit's flight count later: when a control transfer is resolved, or when memory has answered.
    void await_transfer(UnitId unit) {
        if (!unresolved_.units_die())
            place(unit, none_);
        unresolved_.begin_transfer(unit);
    }
    void await_memory(UnitId unit) {
        if (!unresolved_.units_die())
            place(unit, none_);
        drain(unit);
    }
    // The unit's transfer is resolved, and it now waits for its stores.
    void drain_after_transfer(UnitId unit) {
        if (unresolved_.units_die())
            unresolved_.end_transfer_of_flight();
        drain(unit);
    }
    // The next PCs of the flight count now. `drained`: the flight waited for memory.
    void goes_on(const warp::Flight& flight, bool drained);

    [[nodiscard]] const UnitSet& known() const { // units evaluated since they became eligible
        return known_;
    }
    [[nodiscard]] const Unresolved& unresolved() const {
        return unresolved_;
    }
    // The writer of the register that a unit waits for.
    [[nodiscard]] Writer blocker(UnitId unit) const {
        return standing_[unit].blocker;
    }
    // With a profile: the instruction that writes the register that a unit waits for; kNoPc: not known.
    [[nodiscard]] Pc producer(UnitId unit) const;
    [[nodiscard]] IssueUnit& issue_unit(UnitId unit) {
        return issue_units_[standing_[unit].issue_unit];
    }
    [[nodiscard]] FrontEnd& front(UnitId unit) {
        return fronts_[standing_[unit].front];
    }
    // All issue units have to examine their units again.
    void mark_all() {
        for (IssueUnit& unit : issue_units_)
            unit.mark();
    }
    // Those for which more than their own units may matter: the load/store unit, barriers, transfers of other units.
    void mark_for_others() {
        for (IssueUnit& unit : issue_units_)
            unit.mark_for_others();
    }

private:
    struct Standing { // what is known of a unit
        State state = 0;
        std::uint8_t issue_unit = 0;
        std::uint8_t front = 0;
        Writer blocker;        // valid while the unit waits for a register
        bool wakes_up = false; // the unit is in the wheel, at the cycle of the write
    };

    void drain(UnitId unit);
    void evaluate_registers(UnitId unit);
    [[nodiscard]] Scoreboard::Block blocker_of(UnitId unit, Pc pc);
    [[nodiscard, gnu::noinline]] Scoreboard::Block blocker_by_ends(UnitId unit, Pc pc);
    // The asynchronous copy that the unit's next instruction waits for; kNoFlight: none.
    [[nodiscard]] warp::FlightId awaited_copy(UnitId unit, const Decoded& next) const;
    [[gnu::noinline]] void issued_by_hazards(const warp::Group& group, const Decoded& op, Writer writer, Ends ends);
    [[nodiscard, gnu::noinline]] Scoreboard::Block blocker_of_parts(UnitId unit, const std::uint64_t* needs);
    [[gnu::noinline]] void wait_for_register(UnitId unit, Scoreboard::Block block);
    void evaluate_waiting(RowId row, warp::FlightId flight);
    // Inlined: several evaluations end with it, and a call would cost as much as the function.
    [[gnu::always_inline]] void place(UnitId unit, State state) {
        Standing& standing = standing_[unit];
        if (standing.state == state)
            return;
        IssueUnit& issue_unit = issue_units_[standing.issue_unit];
        issue_unit.mark();
        issue_unit.move(unit, standing.state, state);
        standing.state = state;
    }
    void set_long_wait(UnitId unit, bool waits) {
        if (frame_.long_wait.contains(unit) != waits) [[unlikely]]
            change_long_wait(unit, waits);
    }
    [[gnu::noinline]] void change_long_wait(UnitId unit, bool waits);
    [[nodiscard]] bool is_long(Writer writer) const;
    // Whether the unit need not be evaluated when the flight's registers are written, because it waits for another
    // flight. Not where rows are divided: other units may write registers of its row. Not where a load is long only
    // once it has missed: the wait may become a long one. Not with control bits: several flights may share a counter.
    [[nodiscard]] bool waits_for_another(UnitId unit, warp::FlightId flight) const {
        return !divides_rows_ && !by_bits_ && loads_are_long_ && standing_[unit].blocker.flight() != flight;
    }
    [[nodiscard]] bool waits_for_register(UnitId unit) const {
        return standing_[unit].state > load_store_ && standing_[unit].state != none_;
    }

    Frame& frame_;
    warp::UnitTable& units_;
    const DecodedKernel* kernel_;
    const std::span<FrontEnd> fronts_;
    const std::span<IssueUnit> issue_units_;
    LatencyWheel& wheel_;
    const unsigned first_item_;
    const State load_store_, none_;
    const bool divides_rows_; // several units, or groups of one instruction, may have threads of one row
    const bool units_are_rows_;
    const bool loads_are_long_;
    const bool by_bits_;
    const Hazards hazards_;
    const bool by_hazards_;
    const WarpgroupProducts* const products_; // null: products are not asynchronous
    const CopyGroups* const copies_;          // null: copies are not
    const CopyGroups* const bulk_stores_;     // null: bulk copies from shared memory are not
    const bool by_ends_;                      // blocker_by_ends() says what a unit waits for
    Scoreboard scoreboard_;
    PendingReads reads_;
    DependenceCounters counters_;
    std::vector<Standing> standing_;
    std::vector<Pc> passed_;                    // with a profile, by row and register: as note_passing()
    std::vector<std::uint64_t> waiting_of_row_; // by row: units whose blocker writes a register of the row
    UnitSet known_;
    UnitSet await_constant_; // units whose constant is on its way
    unsigned constants_ = 0; // of them
    Unresolved unresolved_;
    bool prefetches_ = false; // exec::RowPrefetch is on
};

inline void UnitStates::look_at_units() {
    for (unsigned i = 0; i < units_.words; ++i) {
        const std::uint64_t can = units_.eligible.word(i) & units_.alive.word(i);
        if (can == known_.word(i)) [[likely]]
            continue;
        mark_for_others();
        for (std::uint64_t changed = can ^ known_.word(i); changed != 0; changed &= changed - 1)
            issue_unit(static_cast<UnitId>(i * 64 + static_cast<unsigned>(std::countr_zero(changed)))).mark();
        std::uint64_t fresh = can & ~known_.word(i);
        known_.word(i) = can;
        for (; fresh != 0; fresh &= fresh - 1)
            evaluate(static_cast<UnitId>(i * 64 + static_cast<unsigned>(std::countr_zero(fresh))));
    }
}

} // namespace heddle::sm
