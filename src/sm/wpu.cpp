#include "sm/wpu.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include <fmt/format.h>

#include "sm/candidates.h"

namespace heddle::sm {

using probe::Slot;
using warp::Flight;
using warp::FlightId;
using warp::kNoFlight;

Wpu::Wpu(const config::Machine& machine, unsigned sm, exec::MemoryImage& image, const ir::Program& program,
         const TraceSink& trace)
    : TimedCore(machine, sm, image, program, trace, machine.get<CoreConfig>().threads + 1, false),
      scheduler_(sched::schedulers().make(
          residents_.config.scheduler,
          {.units = units_.capacity(), .block_slots = static_cast<unsigned>(residents_.config.blocks)}, machine)),
      tells_edges_(scheduler_->keeps_lists()),
      fetch_(machine.get<ICacheConfig>(), formation_.needs().ideal_fetch, units_.capacity(), memory_),
      edges_(units_.capacity()), candidates_(units_.capacity()), blocked_(units_.capacity()),
      aside_(units_.capacity(), flights_.size()) {
    data_.watch_divergence();
    for (std::size_t f = flights_.size(); f-- > 0;)
        free_flights_.push_back(static_cast<FlightId>(f));
}

std::string Wpu::objection(const formation::Formation& how) {
    if (how.traits().die_at_issue)
        return "a unit ends when it issues, and a turn belongs to one that lives on";
    if (how.traits().take_several_slots)
        return "an instruction of a unit takes several issue slots, one a cycle, which is the barrel core's decode "
               "stage";
    if (how.needs().issue_slots != 1)
        return "its units of one thread need an issue slot a lane";
    return {};
}

void Wpu::start_block(Dim3 ctaid, std::uint64_t global_id, Cycle now) {
    const unsigned slot = place_block(ctaid, global_id, now);
    scheduler_->block_event(static_cast<std::uint16_t>(slot), sched::BlockEvent::Started, view_, now);
}

void Wpu::add_statistics(stats::Tree& tree) {
    tree.add_one_of("core", residents_.stats);
    tree.add_one_of("icache", fetch_.stats());
    data_.add_statistics(tree);
    formation_.add_statistics(tree);
    scheduler_->add_statistics(tree);
    memory_.add_statistics(tree);
}

Cycle Wpu::run(Cycle now, Cycle until) {
    settle(now);
    now = clock_;
    block_ended_ = false;
    try {
        while (now < until && !block_ended_) {
            simulate(now, std::min(until, sample_due_));
            if (now >= sample_due_) [[unlikely]]
                sample(now);
        }
    } catch (const formation::Livelock& livelock) {
        clock_ = now;
        residents_.report_livelock(livelock);
    } catch (const exec::Fault&) {
        clock_ = now;
        throw;
    }
    clock_ = now;
    const bool busy = !accesses_.empty() || may_divide() || find_candidates(units_, blocked_, candidates_);
    wake_ = busy ? clock_ : next_event();
    return now;
}

// Cycles from `now` on, up to `until` or the end of a block; moves `now`.
void Wpu::simulate(Cycle& now, Cycle until) {
    while (now < until && !block_ended_) {
        if (memory_.next() <= now)
            answers(now);
        data_there(now);
        const Slot slot = issue(now);
        memory(now);
        account(slot);
        if (trace_)
            trace_cycle(now, slot);
        ++now;
        if (slot != Slot::Issued && accesses_.empty() && !block_ended_)
            now = skip(now, until);
    }
}

void Wpu::settle(Cycle now) {
    if (now <= clock_)
        return;
    account(idle_cause(), now - clock_);
    clock_ = now;
    if (now >= sample_due_) [[unlikely]]
        sample(now);
}

// What memory delivers by `now`.
void Wpu::answers(Cycle now) {
    while (memory_.next() <= now) {
        const mem::Reply reply = memory_.take();
        if (reply.whom == mem::For::Instruction)
            fetch_.fill(reply.id, blocked_);
        else
            data_.answer(reply, now, came_back_);
        if (reply.whom == mem::For::Room)
            fetch_.retry(blocked_);
        if (timeline_ != nullptr && reply.whom == mem::For::Instruction)
            record_fill(now, [&](UnitId unit) { return blocked_.contains(unit); });
    }
    for (const FlightId f : came_back_)
        come_back(f, now);
    came_back_.clear();
}

// Its last line has come.
void Wpu::come_back(FlightId f, Cycle now) {
    const Flight& flight = flights_[f];
    data_.stats().wait_cycles += now - aside_.since(f);
    if (aside_.take(flight)) {
        long_wait_.erase(flight.group.unit);
        scheduler_->long_wait(flight.group.unit, false);
    }
    returning_.push({now + 1, f});
}

// Accesses that have their data by `now`.
void Wpu::data_there(Cycle now) {
    while (!hitting_.empty() && hitting_.front().at <= now)
        complete(hitting_.pop().flight, now);
    while (!returning_.empty() && returning_.front().at <= now) {
        const FlightId f = returning_.pop().flight;
        if (timeline_ != nullptr && flights_[f].waits_long)
            timeline_->units.goes_on(flights_[f].group.unit, probe::Activity::Memory, now);
        complete(f, now);
    }
}

// The instruction of the cycle, or why there is none.
Slot Wpu::issue(Cycle now) {
    if (formation_.wake <= now)
        formation_.tick(now);
    if (formation_.stall != 0) {
        --formation_.stall;
        return Slot::Tables;
    }
    if (scheduler_->wake <= now)
        scheduler_->tick(view_, now);
    if (tells_edges_)
        edges_.tell(units_, [&](UnitId) -> sched::Scheduler& { return *scheduler_; });
    if (!goes_on()) {
        turn_ = kNoUnit;
        if (!find_unit(now))
            return idle_cause();
        if ((turn_ = pick(now)) == kNoUnit)
            return Slot::HeldBack;
        turn_generation_ = units_.generation[turn_];
    }
    const UnitId unit = turn_;
    if (!fetch_.fetch(unit, units_.pc[unit], now)) {
        blocked_.insert(unit);
        if (timeline_ != nullptr)
            timeline_->units.waits(unit, probe::Activity::Instructions, now);
        turn_ = kNoUnit;
        return Slot::FetchMiss;
    }
    execute(unit, now);
    return Slot::Issued;
}

// Whether the unit whose turn it is executes its next instruction now.
bool Wpu::goes_on() const {
    return turn_ != kNoUnit && units_.eligible.contains(turn_) && units_.alive.contains(turn_) &&
           units_.generation[turn_] == turn_generation_;
}

bool Wpu::find_unit(Cycle now) {
    while (!find_candidates(units_, blocked_, candidates_))
        if (!may_divide() || !divide_starved(now))
            return false;
    return true;
}

UnitId Wpu::pick(Cycle now) {
    const UnitId unit = scheduler_->pick(candidates_, view_, now);
    if (unit == kNoUnit)
        return unit;
    assert(candidates_.contains(unit));
    at_barrier_.erase(unit);
    return unit;
}

void Wpu::execute(UnitId unit, Cycle now) {
    Flight& flight = flights_[free_flights_.back()];
    free_flights_.pop_back();
    flight.generation = units_.generation[unit];
    flight.lines_left = 0;
    units_.eligible.erase(unit);
    if (tells_edges_)
        edges_.take(unit, *scheduler_);
    formation_.form(unit, residents_.program.ops[units_.pc[unit]], residents_.executor, flight.group);
    residents_.execute(flight, now, access_);
    residents_.count_slot(flight.group.threads);
    progress_[unit] += flight.group.threads;
    if (trace_) [[unlikely]]
        executed_ = fmt::format(" u{}@{}[r{} {:x}]", unit, flight.group.pc, flight.group.part[0].row,
                                flight.group.part[0].lanes);
    const bool access = flight.outcome.kind == warp::Outcome::Kind::Memory && access_.count != 0;
    if (access)
        data_.prepare(flight, access_);
    else if (DataPath::is_fence(flight))
        data_.prepare_fence(flight);
    else
        return complete(flight.id, now);
    accesses_.push(flight.id);
    turn_ = kNoUnit;
}

// One cycle of the first access at the caches.
void Wpu::memory(Cycle now) {
    if (accesses_.empty())
        return;
    Flight& flight = flights_[accesses_.front()];
    if (data_.step(flight, now) != DataPath::Step::Done)
        return;
    accesses_.pop();
    leave_memory(flight, now);
}

void Wpu::leave_memory(Flight& flight, Cycle now) {
    const Timed there{now + data_.latency(flight.id), flight.id};
    const auto earlier = [](const Timed& a, const Timed& b) { return a.at < b.at; };
    if (flight.lines_left == 0)
        return hitting_.push_sorted(there, earlier);
    const bool in_part = flight.hit[0] != 0 && flight.hit[0] != flight.group.part[0].lanes;
    if (runs_ahead_ && in_part && formation_.run_ahead(flight))
        hitting_.push_sorted({there.at, let_ahead(flight).id}, earlier);
    put_aside(flight, now);
}

// Nothing can execute before memory answers: the formation may have a flight to divide. True when its threads that have
// their data stand behind the access now; those of a hit that is younger than the hit latency still wait for it.
bool Wpu::divide_starved(Cycle now) {
    const FlightId flight = formation_.starved();
    if (flight == kNoFlight)
        return asks_ = false;
    const Timed ahead{aside_.since(flight) + data_.latency(flight), let_ahead(flights_[flight]).id};
    if (ahead.at > now) {
        hitting_.push(ahead);
        return false;
    }
    complete(ahead.flight, now);
    return true;
}

// The threads of the flight that have their data, as a flight of their own.
Flight& Wpu::let_ahead(Flight& flight) {
    Flight& ahead = flights_[free_flights_.back()];
    free_flights_.pop_back();
    divide(flight, ahead);
    return ahead;
}

void Wpu::put_aside(Flight& flight, Cycle now) {
    const UnitId unit = flight.group.unit;
    if (aside_.put(flight, unit_lives(flight), now)) {
        long_wait_.insert(unit);
        scheduler_->long_wait(unit, true);
    }
    if (timeline_ != nullptr && flight.waits_long)
        timeline_->units.waits(unit, probe::Activity::Memory, now);
    formation_.put_aside(flight, now);
    asks_ = runs_ahead_;
}

void Wpu::complete(FlightId f, Cycle now) {
    const Flight& flight = flights_[f];
    formation_.returned(flight);
    block_ended_ |= residents_.settle(flight, now);
    if (flight.outcome.kind == warp::Outcome::Kind::Barrier && unit_lives(flight))
        at_barrier_.insert(flight.group.unit);
    if (!residents_.changes.empty()) {
        for (const Residents::Change& change : residents_.changes)
            scheduler_->block_event(change.block, change.event, view_, now);
        residents_.changes.clear();
    }
    free_flights_.push_back(f);
}

// Why no unit can execute, the reason that lasts longest first.
Slot Wpu::idle_cause() const {
    if (aside_.count() != 0)
        return Slot::Memory;
    if (fetch_.waiting_units() != 0)
        return Slot::Fetch;
    if (residents_.sync.threads_at_barriers() != 0)
        return Slot::Barrier;
    if (residents_.sync.threads_at_rendezvous() != 0)
        return Slot::WarpSync;
    if (!accesses_.empty() || !hitting_.empty() || !returning_.empty())
        return Slot::Pipeline;
    return Slot::Empty;
}

// The next cycle in which something happens by itself while nothing can execute.
Cycle Wpu::next_event() const {
    Cycle next = std::min(memory_.next(), formation_.wake);
    if (!returning_.empty())
        next = std::min(next, returning_.front().at);
    if (!hitting_.empty())
        next = std::min(next, hitting_.front().at);
    return next;
}

// Nothing was executed, and no access is at the caches: time passes to the next event at once.
Cycle Wpu::skip(Cycle now, Cycle until) {
    if (formation_.stall != 0 || may_divide() || find_candidates(units_, blocked_, candidates_))
        return now;
    Cycle next = next_event();
    if (next == kNever && memory_.outstanding() == 0 && residents_.blocks.resident() != 0)
        residents_.report_deadlock(now);
    next = std::min(next, until);
    if (next <= now)
        return now;
    const Slot cause = idle_cause();
    account(cause, next - now);
    if (trace_)
        trace_(fmt::format("{:>8}  idle for {} cycles: {}", now, next - now,
                           probe::kSlots[static_cast<std::size_t>(cause)].name));
    return next;
}

// A line of the trace: the cause of the issue slot, what was executed, what is at the caches.
void Wpu::trace_cycle(Cycle now, Slot slot) {
    std::string line = fmt::format("{:>8}  {:<13}", now, probe::kSlots[static_cast<std::size_t>(slot)].name) +
                       std::exchange(executed_, {});
    if (!accesses_.empty())
        line += fmt::format(" caches:{}", accesses_.size());
    if (aside_.count() != 0)
        line += fmt::format(" aside:{}", aside_.count());
    for (const std::string& state : {formation_.trace(), scheduler_->trace()})
        if (!state.empty())
            line += " " + state;
    trace_(line);
}

HEDDLE_CORE(Wpu, "wpu", "in order, an instruction a cycle, another unit's turn after each access to memory",
            "MAWS 3.1, 3.2, 6");

} // namespace heddle::sm
