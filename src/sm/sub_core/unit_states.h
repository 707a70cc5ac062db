// What keeps each unit of an SM with sub-cores from issuing its next instruction: it is not in the buffer, a register
// that it needs has a result on its way, its pipe is not open, or the unit waits for a control transfer or for memory.
// Looked at again when that may have changed, and told to the unit's issue unit.
#pragma once

#include <span>
#include <vector>

#include "base/latency_wheel.h"
#include "sm/frame/frame.h"
#include "sm/sub_core/decoded.h"
#include "sm/sub_core/front_end.h"
#include "sm/sub_core/issue_unit.h"
#include "sm/sub_core/scoreboard.h"

namespace heddle::sm {

class UnitStates {
public:
    using State = WaitStates::State;

    // `wheel` takes the number first_item + u for a unit u whose register is written then. `loads_are_long`: units wait
    // long for loads from their issue on, else once these have missed.
    UnitStates(Frame& frame, const DecodedKernel& kernel, std::span<FrontEnd> fronts, std::span<IssueUnit> issue_units,
               LatencyWheel& wheel, unsigned first_item, unsigned pipes, bool loads_are_long);

    // Decoded kernels are `kernel` from now on.
    void read(const DecodedKernel& kernel) {
        kernel_ = &kernel;
    }
    // A launch of the decoded kernel begins.
    void begin() {
        scoreboard_.begin(kernel_->registers(), kernel_->words());
    }
    // Registers of a group's threads have a result on its way, which release() tells of; or, of a whole row, one that
    // is written in cycle `until`.
    void write(const warp::Group& group, std::span<const RegisterNumber> registers, Writer writer) {
        scoreboard_.set(group, registers, writer);
    }
    void write(RowId row, RegisterNumber number, Writer writer, Cycle until) {
        scoreboard_.set(row, number, writer, until);
    }
    void release(const warp::Flight& flight, std::span<const RegisterNumber> registers);

    // Units that have become eligible since the last call.
    void look_at_units();
    [[nodiscard]] bool any_fresh() const {
        std::uint64_t fresh = units_.eligible.word(0) & units_.alive.word(0) & ~known_.word(0);
        for (unsigned i = 1; i < units_.words; ++i)
            fresh |= units_.eligible.word(i) & units_.alive.word(i) & ~known_.word(i);
        return fresh != 0;
    }
    // The unit's next instruction may be another, or may wait for something else.
    void evaluate(UnitId unit);
    // The same once it is in the buffer.
    void fetched(UnitId unit);
    // The register that the unit waits for is written.
    void wake_up(UnitId unit);
    // A load of these threads has missed.
    void missed(const warp::Flight& flight);
    // Units that hold threads of the row are others than before.
    void evaluate_row(RowId row);
    // A unit's number that is free now may soon be another's.
    void forget_the_dead();
    // The unit has just ended although its instruction has only been issued: what has its number from now on is
    // another.
    void ended_at_issue(UnitId unit) {
        known_.erase(unit);
    }
    // Threads have joined units that may go on already, and bring their registers; since forget_joined().
    void look_at_joined();
    void forget_joined();
    void unit_died(UnitId unit) {
        transfers_.erase(unit);
        drains_.erase(unit);
        draining_[unit] = 0;
    }

    // The next PCs of a unit's flight count later: when a control transfer has been resolved; or when memory has
    // answered.
    void await_transfer(UnitId unit) {
        if (units_die_) {
            ++unitless_.transfers;
            return;
        }
        place(unit, none_);
        transfers_.insert(unit);
    }
    void await_memory(UnitId unit) {
        if (!units_die_)
            place(unit, none_);
        drain(unit);
    }
    // It was a transfer, and now waits for its stores.
    void drain_after_transfer(UnitId unit) {
        unitless_.transfers -= units_die_ ? 1 : 0;
        drain(unit);
    }
    // They count now. `drained`: it waited for memory.
    void goes_on(const warp::Flight& flight, bool drained);

    [[nodiscard]] const UnitSet& known() const { // looked at since they became eligible
        return known_;
    }
    [[nodiscard]] const UnitSet& transfers() const { // a control transfer is on its way, or the buffer fills after it
        return transfers_;
    }
    [[nodiscard]] const UnitSet& drains() const { // wait for their stores, a fence or an atomic operation
        return drains_;
    }
    // Flights whose next PCs count later and whose units have ended, where units end when they issue.
    struct Unitless {
        unsigned transfers = 0; // on their way
        unsigned drains = 0;    // waiting for their stores, a fence or an atomic operation
    };
    [[nodiscard]] const Unitless& unitless() const {
        return unitless_;
    }
    [[nodiscard]] bool units_die() const {
        return units_die_;
    }
    // What writes the register that a unit waits for.
    [[nodiscard]] Writer blocker(UnitId unit) const {
        return standing_[unit].blocker;
    }
    [[nodiscard]] IssueUnit& issue_unit(UnitId unit) {
        return issue_units_[standing_[unit].issue_unit];
    }
    [[nodiscard]] FrontEnd& front(UnitId unit) {
        return fronts_[standing_[unit].front];
    }
    // All issue units have to look at their units again.
    void mark_all() {
        for (IssueUnit& unit : issue_units_)
            unit.mark();
    }

private:
    struct Standing { // of a unit
        State state = 0;
        std::uint8_t issue_unit = 0;
        std::uint8_t front = 0;
        Writer blocker;        // where it waits for a register
        bool wakes_up = false; // is in the wheel: its register is written then
    };

    void drain(UnitId unit);
    void evaluate_registers(UnitId unit);
    [[nodiscard]] Scoreboard::Block blocker_of(UnitId unit, Pc pc);
    [[nodiscard, gnu::noinline]] Scoreboard::Block blocker_of_parts(UnitId unit, const std::uint64_t* needs);
    [[gnu::noinline]] void wait_for_register(UnitId unit, Scoreboard::Block block);
    void evaluate_waiting(RowId row, warp::FlightId flight);
    // Several parts of an evaluation end in it: a call would cost as much as it does.
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
    // A unit that waits for a register goes on waiting for it when others are written: between its instructions nobody
    // else writes registers of its row, unless rows are divided. Whether the wait is a long one is another matter where
    // that shows only when a load has missed.
    [[nodiscard]] bool waits_for_another(UnitId unit, warp::FlightId flight) const {
        return !divides_rows_ && loads_are_long_ && standing_[unit].blocker.flight() != flight;
    }
    [[nodiscard]] bool waits_for_register(UnitId unit) const {
        return standing_[unit].state > load_store_ && standing_[unit].state != none_;
    }
    // A unit waits for memory while its next instruction needs what a long operation writes, or while it drains.
    void record_memory_wait(UnitId unit, bool waits);

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
    const bool units_die_; // when they issue
    const bool loads_are_long_;
    Scoreboard scoreboard_;
    std::vector<Standing> standing_;
    std::vector<std::uint64_t> waiting_of_row_; // by row: units whose blocker writes a register of the row
    UnitSet known_, transfers_, drains_;
    std::vector<std::uint16_t> draining_; // flights of a unit that drain: it is among drains_ while there are any
    Unitless unitless_;
};

} // namespace heddle::sm
