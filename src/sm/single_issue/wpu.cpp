#include "sm/single_issue/wpu.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace heddle::sm {

using probe::Slot;
using warp::Flight;
using warp::FlightId;
using warp::kNoFlight;

Wpu::Wpu(const config::Machine& machine, unsigned sm, exec::MemoryImage& image, const ir::Program& program,
         const TraceSink& trace)
    : TimedCore(machine, sm, image, program, trace, machine.get<CoreConfig>().threads + 1, false),
      issue_(frame_, load_store_, machine, sm) {
    load_store_.watch_divergence(frame_.formation, machine.get<ViewsConfig>(),
                                 static_cast<unsigned>(frame_.contexts.config.width));
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
    issue_.block_started(place_block(ctaid, global_id, now), now);
}

void Wpu::threads_released(Cycle now) {
    issue_.pass_block_changes(now);
}

void Wpu::add_statistics(stats::Tree& tree) {
    issue_.add_statistics(tree);
}

Cycle Wpu::run(Cycle now, Cycle until) {
    run_to(now, until, [&](Cycle stop) { simulate(now, stop); });
    const bool busy = !accesses_.empty() || may_divide() || issue_.find_candidates();
    wake_ = busy ? frame_.clock : issue_.next_event();
    return now;
}

// Simulates cycles from `now` on, up to `until` or the end of a block; moves `now`.
void Wpu::simulate(Cycle& now, Cycle until) {
    while (now < until && !frame_.block_ended) {
        if (frame_.memory.next() <= now)
            issue_.answers(now);
        data_there(now);
        const Slot slot = issue(now);
        account(slot);
        memory(now);
        if (frame_.trace)
            trace_cycle(now, slot);
        ++now;
        if (slot != Slot::Issued && accesses_.empty() && !frame_.block_ended)
            now = skip(now, until);
    }
}

void Wpu::catch_up(Cycle now) {
    if (now <= frame_.clock)
        return;
    account(idle_cause(), now - frame_.clock);
    frame_.clock = now;
    if (now >= frame_.sample_due) [[unlikely]]
        sample(now);
}

// Completes accesses whose data are there by `now`.
void Wpu::data_there(Cycle now) {
    while (issue_.hit_due(now))
        issue_.complete_hit(now);
    while (issue_.return_due(now))
        issue_.complete_return(now);
}

// Executes the instruction of the cycle. Returns Issued, or the reason why there is none.
Slot Wpu::issue(Cycle now) {
    if (frame_.formation.stall != 0) {
        --frame_.formation.stall;
        return Slot::Tables;
    }
    issue_.tick(now);
    if (!goes_on()) {
        turn_ = kNoUnit;
        if (!find_unit(now))
            return idle_cause();
        if ((turn_ = issue_.pick(now)) == kNoUnit)
            return Slot::HeldBack;
        turn_generation_ = frame_.units.generation[turn_];
    }
    const UnitId unit = turn_;
    if (!issue_.fetch(unit, now)) {
        turn_ = kNoUnit;
        return Slot::FetchMiss;
    }
    execute(unit, now);
    return Slot::Issued;
}

// Whether the unit that has the turn executes its next instruction now.
bool Wpu::goes_on() const {
    return turn_ != kNoUnit && frame_.units.eligible.contains(turn_) && frame_.units.alive.contains(turn_) &&
           frame_.units.generation[turn_] == turn_generation_;
}

bool Wpu::find_unit(Cycle now) {
    while (!issue_.find_candidates()) {
        if (!may_divide() || !divide_starved(now))
            return false;
        issue_.pass_eligible(); // the threads whose data are there go on
    }
    return true;
}

void Wpu::execute(UnitId unit, Cycle now) {
    Flight& flight = issue_.next_flight();
    issue_.open_flight();
    flight.generation = frame_.units.generation[unit];
    issue_.take(unit);
    frame_.formation.form(unit, frame_.contexts.program.ops[frame_.units.pc[unit]], frame_.contexts.executor,
                          flight.group);
    frame_.execute(flight, now);
    frame_.contexts.count_slot(flight.group.pc, flight.group.threads);
    if (frame_.trace) [[unlikely]]
        executed_ = fmt::format(" u{}@{}[r{} {:x}]", unit, flight.group.pc, flight.group.part[0].row,
                                flight.group.part[0].lanes);
    const bool access = flight.outcome.kind == warp::Outcome::Kind::Memory && frame_.access.count != 0;
    if (access)
        load_store_.prepare(flight, frame_.access);
    else if (LoadStoreUnit::is_fence(flight))
        load_store_.prepare_fence(flight);
    else
        return issue_.complete(flight.id, now);
    accesses_.push(flight.id);
    turn_ = kNoUnit;
}

// One cycle of the first access at the caches.
void Wpu::memory(Cycle now) {
    if (accesses_.empty())
        return;
    Flight& flight = frame_.flights[accesses_.front()];
    if (load_store_.step(flight.id, now) != LoadStoreUnit::Step::Done)
        return;
    accesses_.pop();
    leave_memory(flight, now);
}

void Wpu::leave_memory(Flight& flight, Cycle now) {
    if (flight.lines_left == 0)
        return issue_.hits(flight.id, now + load_store_.latency(flight.id));
    issue_.divide_by_hits(flight, now);
    issue_.put_aside(flight, now);
}

// Nothing can execute before memory answers: the formation may divide a flight. True when the threads whose data are
// there have completed the access. A hit that is younger than the hit latency still waits for its data.
bool Wpu::divide_starved(Cycle now) {
    const FlightId flight = issue_.starved();
    if (flight == kNoFlight)
        return false;
    const Cycle there = issue_.hits_since(flight);
    const FlightId ahead = issue_.divide(frame_.flights[flight]).id;
    if (there > now) {
        issue_.hits(ahead, there);
        return false;
    }
    issue_.complete(ahead, now);
    return true;
}

// Nothing was executed, and no access is at the caches: moves to the next event at once.
Cycle Wpu::skip(Cycle now, Cycle until) {
    if (frame_.formation.stall != 0 || may_divide() || issue_.find_candidates())
        return now;
    Cycle next = issue_.next_event();
    if (next == kNever && frame_.stands_still())
        frame_.contexts.report_deadlock(now);
    next = std::min(next, until);
    if (next <= now)
        return now;
    const Slot cause = idle_cause();
    account(cause, next - now);
    if (frame_.trace)
        frame_.trace(fmt::format("{:>8}  idle for {} cycles: {}", now, next - now,
                                 probe::kSlots[static_cast<std::size_t>(cause)].name));
    return next;
}

void Wpu::profile_slot(Slot slot, Cycle cycles) {
    frame_.contexts.profile->stall(waits_at(slot), {slot, kNoPc, cycles});
}

// A line of the trace: the cause of the issue slot, the executed instruction, the access at the caches.
void Wpu::trace_cycle(Cycle now, Slot slot) {
    std::string line = fmt::format("{:>8}  {:<13}", now, probe::kSlots[static_cast<std::size_t>(slot)].name) +
                       std::exchange(executed_, {});
    if (!accesses_.empty())
        line += fmt::format(" caches:{}", accesses_.size());
    if (issue_.aside() != 0)
        line += fmt::format(" aside:{}", issue_.aside());
    for (const std::string& state : {frame_.formation.trace(), issue_.trace()})
        if (!state.empty())
            line += " " + state;
    frame_.trace(line);
}

HEDDLE_CORE(Wpu, "wpu", "in order, one instruction a cycle; another unit takes its turn after each access to memory",
            "MAWS 3.1, 3.2, 6");

} // namespace heddle::sm
