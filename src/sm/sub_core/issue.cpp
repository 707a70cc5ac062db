// Issue in an SM of sub-cores: which unit issues, and where the instruction goes.
#include <bit>
#include <cassert>

#include "sm/sub_core/core.h"

namespace heddle::sm {

using warp::Flight;
using warp::FlightId;
using OutcomeKind = warp::Outcome::Kind;

namespace {

// Whether the unit continues only when memory has answered: the effects of other threads must be visible after a fence,
// and threads with an atomic operation on its way must not access global memory (exec/executor.h).
bool waits_for_memory(const Flight& flight, const exec::Access& access) {
    return LoadStoreUnit::is_fence(flight) ||
           (flight.op->kind == ir::Kind::Atomic && access.count != 0 && access.global != 0);
}

} // namespace

// An issue unit without a change since its last slot has nothing to issue, and the cause stays as it was.
template <bool kPlain>
void ScoreboardedCore::issue_all(Cycle now) {
    if (!kPlain && take_turns_) {
        const std::size_t count = issue_units_.size();
        first_ = std::has_single_bit(count) ? now & (count - 1) : now % count; // without a division where it can be
    }
    for (std::size_t n = 0, s = kPlain ? 0 : first_; n < issue_units_.size(); ++n, s = kPlain ? n : after(s)) {
        IssueUnit& unit = issue_units_[s];
        if (now < unit.look_at()) {
            stalls_.look_at_load_store(unit);
            stalls_.stall<kPlain>(unit, 1);
        } else {
            issue<kPlain>(unit, static_cast<unsigned>(s), now);
        }
        ++counted_;
    }
}
template void ScoreboardedCore::issue_all<true>(Cycle);
template void ScoreboardedCore::issue_all<false>(Cycle);

template <bool kPlain>
void ScoreboardedCore::issue(IssueUnit& issue_unit, unsigned sub_core, Cycle now) {
    issue_unit.issued = kNoUnit;
    UnitId unit = issue_unit.kept;
    if (unit != kNoUnit) [[unlikely]] {
        const std::uint8_t pipe = kernel_->at(frame_.units.pc[unit]).pipe;
        const Cycle open = in_flight_.is_full() ? kNever : sub_cores_.opens(sub_core)[pipe];
        if (!sub_groups_.next_can_issue(issue_unit, pipe, open, now))
            return;
    } else {
        const bool is_closed = !kPlain && now < issue_unit.port_opens;
        if (in_flight_.is_full() || is_closed)
            issue_unit.wait(is_closed ? issue_unit.port_opens : kNever);
        const bool can = !in_flight_.is_full() && !is_closed &&
                         issue_unit.find_candidates(sub_cores_.opens(sub_core), states_.known(), frame_.units, now);
        unit = can ? issue_unit.pick(frame_.view, now) : kNoUnit;
        if (!kPlain && unit != kNoUnit && !constants_.empty())
            unit = with_constant(issue_unit, unit, sub_core, now);
        if (unit == kNoUnit) {
            stalls_.find_cause(issue_unit);
            stalls_.stall<kPlain>(issue_unit, 1);
            return;
        }
        scheduler_events_.picked(unit, issue_unit);
    }
    const Flight* flight = issue_from<kPlain>(issue_unit, unit, sub_core, now);
    if (flight == nullptr)
        return;
    issue_unit.issued = issue_unit.last = unit;
    issued_ = true;
    stalls_.issued(issue_unit);
    if (frame_.trace)
        issue_unit.traced = CycleTrace::text_of(flight->group);
}

// The unit that issues, of candidates of which `unit` was picked: one whose constant is there, or asked for ahead. A
// miss of the unit that issued last holds all others for some cycles; other units that miss let the next one go.
UnitId ScoreboardedCore::with_constant(IssueUnit& issue_unit, UnitId unit, unsigned sub_core, Cycle now) {
    while (unit != kNoUnit) {
        const Pc pc = frame_.units.pc[unit];
        const Decoded& op = kernel_->at(pc);
        if (!op.reads_constant || constants_[sub_core].has(unit, kernel_->constant(pc), pc, now) || op.constant_ahead)
            return unit;
        states_.await_constant(unit);
        if (unit == issue_unit.last && hold_ != 0) {
            issue_unit.port_opens = now + hold_;
            issue_unit.wait(issue_unit.port_opens);
            return kNoUnit;
        }
        const bool can = issue_unit.find_candidates(sub_cores_.opens(sub_core), states_.known(), frame_.units, now);
        unit = can ? issue_unit.pick(frame_.view, now) : kNoUnit;
    }
    return kNoUnit;
}

// Null when no group of the unit can be formed in this cycle; the slot is then empty.
template <bool kPlain>
const Flight* ScoreboardedCore::issue_from(IssueUnit& issue_unit, UnitId unit, unsigned sub_core, Cycle now) {
    const Pc pc = frame_.units.pc[unit];
    const Decoded& op = kernel_->at(pc);
    const bool passes = units_are_rows_ && op.in_pipe;
    Flight& flight = passes ? passing_ : open_flight<kPlain>({.at_memory = op.accesses, .op = &op});
    frame_.at_barrier.erase(unit);
    frame_.units.eligible.erase(unit);
    flight.generation = frame_.units.generation[unit];
    flight.committed = false;
    frame_.formation.form(unit, frame_.contexts.program.ops[pc], frame_.contexts.executor, flight.group);
    if (!forms_groups_) [[likely]] {
        states_.front(unit).take<kPlain>(unit);
    } else if (!sub_groups_.keep_until_last(issue_unit, flight.group)) {
        close(flight.id);
        return nullptr;
    }
    if (!kPlain && op.wide_product)
        issue_unit.port_opens = now + 1 + wide_product_;
    frame_.execute(flight, now);
    if constexpr (!kPlain)
        if (copies_ && gives_row_back(flight)) [[unlikely]]
            copies_->end_row(flight.group.part[0].row);
    if constexpr (kPlain)
        frame_.contexts.count_slot(flight.group.threads);
    else
        frame_.contexts.count_slot(flight.group.pc, flight.group.threads);
    if (passes) {
        pass<kPlain>(flight, sub_core, op, now);
        return &flight;
    }
    if (units_die_)
        states_.ended_at_issue(unit);
    send<kPlain>(flight, sub_core, op, now);
    return &flight;
}

// The executed instruction goes to its pipe; only the cycle in which its registers are written is kept.
template <bool kPlain>
void ScoreboardedCore::pass(Flight& flight, unsigned sub_core, const Decoded& op, Cycle now) {
    if constexpr (!kPlain) {
        if (op.product != ProductRole::None && products_ != nullptr) [[unlikely]] {
            if (op.product == ProductRole::Part)
                return pass_part_of_product(flight, sub_core, op, now);
            products_->commit(flight.group.unit);
        }
        if (op.closes_copies) [[unlikely]]
            if (CopyGroups* const groups = (op.of_bulk ? bulk_stores_ : copy_groups_).get(); groups != nullptr)
                groups->commit(flight.group.part[0].row);
    }
    const RowId row = flight.group.part[0].row;
    const Cycle written = sub_cores_.issue<kPlain>(sub_core, op, row, now);
    const Writer writer(Writer::kPassing, static_cast<unsigned>(op.kind));
    if (!kPlain && states_.asks_for_ends())
        states_.issued(flight.group, op, writer,
                       {sub_cores_.read_by(sub_core, op, written), written, sub_cores_.write_of(sub_core, op, written)},
                       now);
    else
        states_.write(row, op, writer, written);
    if (!kPlain && frame_.contexts.profile != nullptr)
        states_.note_passing(row, op.results(), flight.group.pc);
    commit(flight, now);
    if constexpr (!kPlain)
        if (op.loads_constant && !constants_.empty()) [[unlikely]]
            look_up_constant(flight, sub_core, now);
}

// The line of the constant that the instruction has loaded. The offset is that of an operand in the same bank.
void ScoreboardedCore::look_up_constant(const Flight& flight, unsigned sub_core, Cycle now) {
    const exec::Access& access = frame_.access;
    const UnitId unit = flight.group.unit;
    if (access.count != 0 && frame_.unit_lives(flight) &&
        !constants_[sub_core].has(unit, DecodedKernel::constant_in_memory(access.address[0]), flight.group.pc, now))
        states_.await_constant(unit);
}

// The part of a warpgroup's product waits for its unit, and the warp goes on: it waits for its products with an
// instruction of its own (Decoded::awaited_groups). So later instructions find the registers written: those that the
// unit adds to, in the order of issue, and none else before the wait.
void ScoreboardedCore::pass_part_of_product(Flight& flight, unsigned sub_core, const Decoded& op, Cycle now) {
    const RowId row = flight.group.part[0].row;
    const ProductPart& part = kernel_->product_part(flight.group.pc);
    const Cycle read = sub_cores_.collect(sub_core, op, row, now, 1);
    const Cycle start = sub_cores_.take_unit(sub_core, op, products_->ready(part, sub_core, now));
    products_->begun(flight.group.unit, part, sub_core, start, op.latency);
    const Writer writer(Writer::kPassing, static_cast<unsigned>(op.kind));
    if (states_.asks_for_ends())
        states_.issued(flight.group, op, writer, {read, now + 1, now + 1}, now);
    else
        states_.write(row, op, writer, now + 1);
    if (frame_.contexts.profile != nullptr)
        states_.note_passing(row, op.results(), flight.group.pc);
    commit(flight, now);
}

// The executed instruction goes to its pipe or to the load/store unit, and its flight is kept until it ends.
template <bool kPlain>
void ScoreboardedCore::send(Flight& flight, unsigned sub_core, const Decoded& op, Cycle now) {
    const FlightId f = flight.id;
    if (op.writes != 0 && (kPlain || !states_.reads_control_bits()))
        states_.write(flight.group, op, writer_of(f, flight, op));
    if (op.accesses)
        return send_to_memory<kPlain>(flight, sub_core, op, now);
    const Cycle written =
        sub_cores_.issue<kPlain>(sub_core, op, flight.group.part[0].row, now, flight.group.register_cycles);
    if (!kPlain && states_.asks_for_ends())
        states_.issued(flight.group, op, writer_of(f, flight, op), {sub_cores_.read_by(sub_core, op, written)}, now);
    if (op.transfers) {
        in_flight_[f].commits_late = true;
        wheel_.put(f, now + (!kPlain && flight.op->kind == ir::Kind::Barrier ? barrier_of(*flight.op) : config_.branch),
                   now);
        states_.await_transfer(flight.group.unit);
        return;
    }
    if (op.writes != 0)
        wheel_.put(f, written, now);
    commit(flight, now);
    if (op.writes == 0)
        close(f);
}

// What an access is for copies that are asynchronous: one of them, or their arrivals.
void ScoreboardedCore::follow_copies(const Flight& flight) {
    const ir::MicroOp& op = *flight.op;
    const RowId row = flight.group.part[0].row;
    in_flight_[flight.id].copies = op.opcode == ir::Opcode::CpAsync || op.opcode == ir::Opcode::CpBulk;
    if (op.opcode == ir::Opcode::CpAsync && copy_groups_ != nullptr)
        copy_groups_->begin(flight.id, row);
    else if (op.opcode == ir::Opcode::CpBulk && op.kind == ir::Kind::Texture && copies_)
        copies_->begin(flight.id, row);
    else if (op.opcode == ir::Opcode::CpBulk && bulk_stores_ != nullptr)
        bulk_stores_->begin(flight.id, row);
    if (!op.has(ir::kWithCopy))
        return;
    std::vector<exec::CopyArrival>& arrivals = frame_.contexts.executor.copy_arrivals();
    if (op.has(ir::kAsyncCopy) && copy_groups_ != nullptr)
        copy_groups_->arrive(row, arrivals);
    else if (!op.has(ir::kAsyncCopy) && copies_)
        copies_->arrive(row, arrivals);
    else // copies are over when their instruction is
        exec::perform(arrivals);
}

template <bool kPlain>
void ScoreboardedCore::send_to_memory(Flight& flight, unsigned sub_core, const Decoded& op, Cycle now) {
    if constexpr (!kPlain)
        if (copies_ || copy_groups_ != nullptr) [[unlikely]]
            follow_copies(flight);
    bool late = waits_for_memory(flight, frame_.access);
    if constexpr (!kPlain)
        if (op.tests_phase && phase_tests_) [[unlikely]] {
            in_flight_[flight.id].tests_phase = true;
            phase_tests_->begin(flight, now);
            late = phase_tests_->suspends(*flight.op);
        }
    in_flight_[flight.id].commits_late = late;
    flight.committed = !late;
    if (LoadStoreUnit::is_fence(flight))
        load_store_.prepare_fence(flight);
    else if (LoadStoreUnit::is_acquire(flight)) [[unlikely]]
        load_store_.prepare_acquire(flight);
    else
        load_store_.prepare(flight, frame_.access);
    const Cycle enters =
        sub_cores_.collect<kPlain>(sub_core, op, flight.group.part[0].row, now, flight.group.register_cycles);
    memory_stage_.push(flight.id, enters);
    if (!kPlain && states_.asks_for_ends())
        states_.issued(flight.group, op, writer_of(flight.id, flight, op), {enters}, now);
    sub_cores_.set_load_store_open(memory_stage_.is_full() ? kNever : now + 1);
    if (late)
        states_.await_memory(flight.group.unit);
    else
        commit(flight, now);
}

// Whether a row of the flight has no live threads left.
bool ScoreboardedCore::gives_row_back(const Flight& flight) const {
    if (flight.outcome.kind != OutcomeKind::Exit)
        return false;
    for (unsigned p = 0; p < flight.group.parts; ++p)
        if (frame_.contexts.executor.live(flight.group.part[p].row) == 0)
            return true;
    return false;
}

// The flight as the writer of its registers. Needs the access of the flight in the frame.
Writer ScoreboardedCore::writer_of(FlightId id, const Flight& flight, const Decoded& op) const {
    if (!op.accesses)
        return {id, static_cast<unsigned>(op.kind)};
    const exec::Access& access = frame_.access;
    const bool cached =
        access.count != 0 && ((access.global | access.local) != 0 || flight.op->kind == ir::Kind::Texture);
    return {id,
            static_cast<unsigned>(cached && flight.op->kind != ir::Kind::Fence ? Producer::Memory : Producer::OnChip)};
}

// The flight's next PCs count: its unit continues, and others may.
void ScoreboardedCore::commit(Flight& flight, Cycle now) {
    const UnitId unit = flight.group.unit;
    const bool straight = flight.outcome.kind == OutcomeKind::Next || flight.outcome.kind == OutcomeKind::Memory;
    if (straight && units_are_rows_ && frame_.unit_lives(flight)) [[likely]] {
        frame_.formation.advance(flight, now);
        return states_.evaluate(unit);
    }
    commit_rest(flight, straight, now);
}

// Handles next PCs that may end their unit or concern other units. Out of line, because most flights do neither.
void ScoreboardedCore::commit_rest(Flight& flight, bool straight, Cycle now) {
    const UnitId unit = flight.group.unit;
    if (units_share_rows_ || (!straight && !units_are_rows_)) // other units may continue, or stop
        states_.mark_all();
    else if (!straight)
        states_.mark_for_others();
    frame_.commit(flight, now);
    const bool lives = frame_.unit_lives(flight);
    states_.forget_the_dead();
    if (units_die_) // units may wait for other registers in this cycle, before their issue unit picks
        states_.look_at_joined();
    if (!frame_.contexts.changes.empty())
        scheduler_events_.pass_block_changes(now);
    if (!lives)
        return states_.unit_died(unit);
    // The unit stays as it is while other groups of the instruction are still to come.
    if (!forms_groups_ || frame_.units.eligible.contains(unit) || frame_.units.pc[unit] != flight.group.pc)
        states_.evaluate(unit);
}

} // namespace heddle::sm
