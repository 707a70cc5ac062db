// Issue in the scoreboarded core: who can, who does, and where the instruction goes.
#include <bit>
#include <cassert>

#include "base/select.h"
#include "sm/sub_core/scoreboard_core.h"

namespace heddle::sm {

using probe::Slot;
using warp::Flight;
using warp::FlightId;
using warp::kNoFlight;
using Kind = warp::Outcome::Kind;

// The scheduler's units whose next instruction waits for nothing, its pipe included: true when there are any. Which
// pipes are open is not worth a branch: it changes all the time.
bool ScoreboardCore::find_candidates(SchedulerUnit& scheduler, Cycle now) {
    std::array<std::uint64_t, kPipes> open;
    for (unsigned p = 0; p < kPipes; ++p)
        open[p] = mask_if(opens_[p] <= now);
    std::uint64_t any = 0, boosted = 0;
    for_each_word([&](unsigned i) {
        const auto& in = states_[i].in;
        const std::uint64_t can =
            own_units(scheduler, i) & ((in[0] & open[0]) | (in[1] & open[1]) | (in[2] & open[2]) | (in[3] & open[3]));
        scheduler.can_issue.word(i) = can;
        any |= can;
        boosted |= can & units_.boosted.word(i);
    });
    if (any == 0 || free_flights_.empty())
        return false;
    if (boosted != 0) [[unlikely]]
        keep_boosted(scheduler);
    return true;
}

// Candidates that are boosted go before all others.
void ScoreboardCore::keep_boosted(SchedulerUnit& scheduler) const {
    std::uint64_t boosted = 0;
    for (unsigned i = 0; i < units_.words; ++i)
        boosted |= scheduler.can_issue.word(i) & units_.boosted.word(i);
    if (boosted != 0)
        for (unsigned i = 0; i < units_.words; ++i)
            scheduler.can_issue.word(i) &= units_.boosted.word(i);
}

// Whether one of the scheduler's units, considered or not, waits for a pipe that opens as time passes.
bool ScoreboardCore::pipe_may_open(const SchedulerUnit& scheduler) const {
    const std::uint64_t room = mask_if(opens_[static_cast<unsigned>(Pipe::LdSt)] != kNever);
    std::uint64_t may = 0;
    for_each_word([&](unsigned i) {
        const auto& in = states_[i].in;
        may |= own_units(scheduler, i) & (in[0] | in[1] | in[2] | (in[3] & room));
    });
    return may != 0;
}

// A scheduler for which nothing has changed has nothing to issue.
void ScoreboardCore::issue_all(Cycle now) {
    for_each_scheduler([&](SchedulerUnit& scheduler) {
        if ((changed_ & scheduler.bit) == 0) {
            look_at_load_store(scheduler);
            account_stall(scheduler, 1);
        } else {
            changed_ &= ~scheduler.bit;
            changed_ |= issue(scheduler, now) ? scheduler.bit : 0;
        }
        ++counted_;
    });
}

// Whether the scheduler may have something to issue in the next cycle although nothing changes.
bool ScoreboardCore::issue(SchedulerUnit& scheduler, Cycle now) {
    scheduler.issued = kNoUnit;
    if (!find_candidates(scheduler, now)) {
        find_cause(scheduler);
        account_stall(scheduler, 1);
        return pipe_may_open(scheduler);
    }
    const UnitId unit = scheduler.policy->pick(scheduler.can_issue, view_, now);
    if (unit == kNoUnit) [[unlikely]] {
        find_cause(scheduler);
        account_stall(scheduler, 1);
        return true;
    }
    assert(scheduler.can_issue.contains(unit));
    scheduler.issued = unit;
    scheduler.slot = Slot::Issued;
    scheduler.at_load_store = false;
    scheduler.waits_for = kNoLoad;
    issued_ = true;
    if (tells_edges_)
        edges_.take(unit, *scheduler.policy);
    const Flight& flight = issue_from(unit, now);
    ++contexts_.stats.slots[static_cast<std::size_t>(Slot::Issued)];
    if (trace_)
        scheduler.traced = traced(flight.group);
    return true; // ports are taken for this cycle only
}

const Flight& ScoreboardCore::issue_from(UnitId unit, Cycle now) {
    const Pc pc = units_.pc[unit];
    const Decoded& op = kernel_.at(pc);
    const bool passes = units_are_rows_ && op.in_pipe;
    Flight& flight = passes ? passing_ : open_flight(op);
    at_barrier_.erase(unit);
    units_.eligible.erase(unit);
    flight.generation = units_.generation[unit];
    flight.lines_left = 0;
    flight.committed = false;
    formation_.form(unit, contexts_.program.ops[pc], contexts_.executor, flight.group);
    contexts_.execute(flight, now, access_);
    contexts_.count_slot(flight.group.threads);
    progress_[unit] += flight.group.threads;
    front_.take(unit);
    if (passes)
        pass(flight, op, now);
    else
        send(flight, op, now);
    return flight;
}

Flight& ScoreboardCore::open_flight(const Decoded& op) {
    const FlightId f = free_flights_.back();
    free_flights_.pop_back();
    in_flight_[f] = {.at_memory = op.pipe == Pipe::LdSt, .writes = op.writes, .written = op.written};
    flights_[f].id = f;
    return flights_[f];
}

// SP, SFU or DP take an instruction: the cycle in which its registers are written.
inline Cycle ScoreboardCore::execute(const Decoded& op, RowId row, Cycle now) {
    const Cycle written = execution_.issue(op, row, now);
    opens_[static_cast<unsigned>(op.pipe)] = execution_.open_at(op.pipe);
    return written;
}

// The executed instruction goes to its pipe and leaves nothing but its registers' time.
void ScoreboardCore::pass(Flight& flight, const Decoded& op, Cycle now) {
    const RowId row = flight.group.part[0].row;
    const Cycle written = execute(op, row, now);
    const Writer writer(Writer::kPassing, static_cast<unsigned>(producer_of(flight, op)));
    for (unsigned i = 0; i < op.writes; ++i)
        scoreboard_.set(row, op.written[i], writer, written);
    take_effect(flight, now);
}

// The same of one whose flight is kept.
void ScoreboardCore::send(Flight& flight, const Decoded& op, Cycle now) {
    const FlightId f = flight.id;
    FlightState& state = in_flight_[f];
    if (op.writes != 0)
        scoreboard_.set(flight.group, {op.written.data(), op.writes},
                        Writer(f, static_cast<unsigned>(producer_of(flight, op))));
    if (op.pipe == Pipe::LdSt) {
        send_to_memory(flight, op, now);
    } else {
        const Cycle written = execute(op, flight.group.part[0].row, now);
        state.commits_late = op.transfers;
        if (op.transfers) {
            wheel_.put(f, now + config_.branch, now);
        } else {
            if (op.writes != 0)
                wheel_.put(f, written, now);
            take_effect(flight, now);
            if (op.writes == 0)
                free_flights_.push_back(f);
        }
    }
    if (state.commits_late)
        await_next_pcs(flight.group.unit, op);
}

// The unit's next PCs will count later.
void ScoreboardCore::await_next_pcs(UnitId unit, const Decoded& op) {
    place(unit, kNoInstruction);
    if (op.pipe == Pipe::LdSt)
        drain(unit);
    else
        transfers_.insert(unit);
}

void ScoreboardCore::send_to_memory(Flight& flight, const Decoded& op, Cycle now) {
    const bool late = waits_for_memory(flight);
    in_flight_[flight.id].commits_late = late;
    flight.committed = !late;
    if (LoadStoreUnit::is_fence(flight))
        data_.prepare_fence(flight);
    else
        data_.prepare(flight, access_);
    to_load_store_.push({execution_.collect(op, flight.group.part[0].row, now), flight.id});
    find_ldst_next();
    opens_[static_cast<unsigned>(Pipe::LdSt)] = to_load_store_.size() < ldst_capacity_ ? now + 1 : kNever;
    if (!late)
        take_effect(flight, now);
}

// Whether the unit goes on only when memory has answered: what others do in between must be seen, and threads with an
// atomic operation on its way must not access global memory (exec/executor.h).
bool ScoreboardCore::waits_for_memory(const Flight& flight) const {
    return LoadStoreUnit::is_fence(flight) ||
           (flight.op->kind == ir::Kind::Atomic && access_.count != 0 && access_.global != 0);
}

// Whether a row has no live threads any more.
bool ScoreboardCore::gives_row_back(const Flight& flight) const {
    if (flight.outcome.kind != Kind::Exit)
        return false;
    for (unsigned p = 0; p < flight.group.parts; ++p)
        if (contexts_.executor.live(flight.group.part[p].row) == 0)
            return true;
    return false;
}

ScoreboardCore::Producer ScoreboardCore::producer_of(const Flight& flight, const Decoded& op) const {
    switch (op.pipe) {
    case Pipe::Sp:
        return Producer::Alu;
    case Pipe::Sfu:
        return Producer::Sfu;
    case Pipe::Dp:
        return Producer::Dp;
    case Pipe::LdSt:
        break;
    }
    const bool cached =
        access_.count != 0 && ((access_.global | access_.local) != 0 || flight.op->kind == ir::Kind::Texture);
    return cached && flight.op->kind != ir::Kind::Fence ? Producer::Memory : Producer::OnChip;
}

} // namespace heddle::sm
