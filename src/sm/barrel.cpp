#include "sm/barrel.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include <fmt/format.h>

namespace heddle::sm {

using probe::Slot;
using warp::Flight;
using warp::FlightId;

Barrel::Barrel(const config::Machine& machine, unsigned sm, exec::MemoryImage& image, const ir::Program& program,
               const TraceSink& trace)
    : TimedCore(machine, sm, image, program, trace, machine.get<CoreConfig>().threads + kMaxStages, false),
      scheduler_(sched::schedulers().make(
          residents_.config.scheduler,
          {.units = units_.capacity(), .block_slots = static_cast<unsigned>(residents_.config.blocks)}, machine)),
      tells_edges_(scheduler_->keeps_lists()), shared_write_back_(residents_.config.shared_write_back),
      slots_(formation_.needs().issue_slots),
      memory_at_(static_cast<unsigned>(residents_.config.stages) + formation_.needs().extra_stages - 2),
      fetch_(machine.get<ICacheConfig>(), formation_.needs().ideal_fetch, units_.capacity(), memory_),
      along_(units_.capacity(), kNoUnit), candidates_(units_.capacity()), blocked_(units_.capacity()),
      edges_(units_.capacity()), aside_(units_.capacity(), flights_.size()) {
    pipe_.stages = memory_at_ + 2;
    for (std::size_t f = flights_.size(); f-- > 0;)
        free_flights_.push_back(static_cast<FlightId>(f));
}

void Barrel::start_block(Dim3 ctaid, std::uint64_t global_id, Cycle now) {
    const unsigned slot = place_block(ctaid, global_id, now);
    scheduler_->block_event(static_cast<std::uint16_t>(slot), sched::BlockEvent::Started, view_, now);
}

void Barrel::add_statistics(stats::Tree& tree) {
    tree.add_one_of("core", residents_.stats);
    tree.add_one_of("icache", fetch_.stats());
    data_.add_statistics(tree);
    formation_.add_statistics(tree);
    scheduler_->add_statistics(tree);
    memory_.add_statistics(tree);
}

Cycle Barrel::run(Cycle now, Cycle until) {
    settle(now);
    now = clock_;
    block_ended_ = false;
    try {
        while (now < until && !block_ended_) {
            const Cycle stop = std::min(until, sample_due_);
            if (slots_ == 1)
                simulate<false>(now, stop);
            else
                simulate<true>(now, stop);
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
    const bool busy = !front_end_empty() || formation_.stall != 0 || pipe_.occupied != 0 || find_candidates();
    wake_ = busy ? clock_ : next_event();
    return now;
}

// Cycles from `now` on, up to `until` or the end of a block; moves `now`.
template <bool kBundles>
void Barrel::simulate(Cycle& now, Cycle until) {
    while (now < until && !block_ended_) {
        if (memory_.next() <= now)
            answers(now);
        const bool stalled = formation_stalls();
        const bool held = stalled || (shared_write_back_ && write_back_contended(now)) || memory_stage<kBundles>(now);
        if (!held) {
            decode<kBundles>(now);
            fetch<kBundles>(now);
        }
        if (!stalled)
            write_back<kBundles>(now);
        if (trace_)
            trace_cycle(now);
        if (!held) {
            pipe_.turn(1);
            if (decoding_ == kNoUnit && reading_.cycles == 0)
                decoding_ = std::exchange(fetched_, kNoUnit);
        }
        ++now;
        ++residents_.stats.cycles;
        if (front_end_empty() && !block_ended_ && !find_candidates())
            now = skip(now, until);
    }
}

void Barrel::settle(Cycle now) {
    if (now <= clock_)
        return;
    account(idle_cause(), now - clock_);
    residents_.stats.cycles += now - clock_;
    clock_ = now;
    if (now >= sample_due_) [[unlikely]]
        sample(now);
}

// The next cycle in which something happens by itself while nothing can be fetched and the pipeline is empty. A
// scheduler's tick is not among it: nothing comes of that before a unit can be fetched.
Cycle Barrel::next_event() const {
    Cycle next = std::min(memory_.next(), formation_.wake);
    if (!returning_.empty())
        next = std::min(next, returning_.front().at);
    if (!hitting_.empty())
        next = std::min(next, hitting_.front().at);
    return next;
}

// Nothing can be fetched: time passes to the next event at once, and what is in the pipeline moves on.
Cycle Barrel::skip(Cycle now, Cycle until) {
    if (formation_.stall != 0 || (runs_ahead_ && divide_starved(now)))
        return now;
    Cycle next = next_event();
    if (pipe_.occupied != 0) {
        if (trace_)
            return now; // a trace shows each stage
        next = std::min(next, now + pipe_.until_work(memory_at_));
    } else if (next == kNever && memory_.outstanding() == 0 && residents_.blocks.resident() != 0) {
        residents_.report_deadlock(now);
    }
    next = std::min(next, until);
    if (next <= now)
        return now;
    account(idle_cause(), next - now);
    residents_.stats.cycles += next - now;
    if (pipe_.occupied != 0)
        pipe_.turn(static_cast<unsigned>(next - now));
    if (trace_)
        trace_(fmt::format("{:>8}  idle for {} cycles: {}", now, next - now,
                           probe::kSlots[static_cast<std::size_t>(slot_)].name));
    return next;
}

// What memory delivers by `now`.
void Barrel::answers(Cycle now) {
    while (memory_.next() <= now) {
        const mem::Reply reply = memory_.take();
        if (reply.whom == mem::For::Instruction)
            fetch_.fill(reply.id, blocked_);
        else
            data_.answer(reply, now, ready_);
        if (reply.whom == mem::For::Room)
            fetch_.retry(blocked_);
        if (timeline_ != nullptr && reply.whom == mem::For::Instruction)
            record_fill(now, [&](UnitId unit) { return blocked_.contains(unit); });
    }
    take_back(now);
}

// Flights whose last line has come write back in the next cycle.
void Barrel::take_back(Cycle now) {
    for (const FlightId f : ready_) {
        const Flight& flight = flights_[f];
        data_.stats().wait_cycles += now - aside_.since(f);
        if (aside_.take(flight)) {
            long_wait_.erase(flight.group.unit);
            scheduler_->long_wait(flight.group.unit, false);
        }
        returning_.push({now + 1, f});
    }
    ready_.clear();
}

// True when the flight in the memory stage needs another cycle there: what is behind it stands still.
template <bool kBundles>
bool Barrel::memory_stage(Cycle now) {
    if ((pipe_.accesses >> memory_at_ & 1) == 0)
        return false;
    if constexpr (kBundles)
        return memory_stage_of_bundle(now);
    Flight& flight = flights_[pipe_.at(memory_at_)];
    const DataPath::Step step = data_.step(flight, now);
    if (step != DataPath::Step::Done) {
        account(step == DataPath::Step::Line ? Slot::DataPort : Slot::BankConflict);
        return true;
    }
    if (leaves(flight, now))
        pipe_.take(memory_at_);
    return false;
}

// Flights from memory and those in the pipeline's last stage want to write back, and there are too many of them: the
// former go, the pipeline stands.
bool Barrel::write_back_contended(Cycle now) const {
    if (returning_.empty() || returning_.front().at > now || !pipe_.holds(memory_at_ + 1))
        return false;
    unsigned due = 1;
    while (due < slots_ && due < returning_.size() && returning_.at(due).at <= now)
        ++due;
    return due + lanes_of_place(memory_at_ + 1) > slots_;
}

// Its unit waits with it, unless that ended when the flight was formed (dwf).
void Barrel::put_aside(Flight& flight, Cycle now) {
    const UnitId unit = flight.group.unit;
    if (aside_.put(flight, unit_lives(flight), now)) {
        long_wait_.insert(unit);
        scheduler_->long_wait(unit, true);
    }
    if (timeline_ != nullptr && flight.waits_long)
        timeline_->units.waits(unit, probe::Activity::Memory, now);
    formation_.put_aside(flight, now);
}

// Threads that have their data may leave those behind that miss.
void Barrel::run_ahead(Flight& flight, Cycle now) {
    if (warp::hits_in_part(flight) && formation_.run_ahead(flight))
        go_ahead(flight, now + data_.latency(flight.id));
}

// They write back beside the pipeline, as what has waited for memory.
void Barrel::go_ahead(Flight& flight, Cycle at) {
    Flight& ahead = flights_[free_flights_.back()];
    free_flights_.pop_back();
    divide(flight, ahead);
    hitting_.push_sorted({at, ahead.id}, [](const Returning& a, const Returning& b) { return a.at < b.at; });
}

// Nothing can be fetched before memory answers: the formation may have a flight to divide.
bool Barrel::divide_starved(Cycle now) {
    if (pipe_.occupied != 0 || !hitting_.empty() || !returning_.empty())
        return false;
    const FlightId flight = formation_.starved();
    if (flight == warp::kNoFlight)
        return false;
    go_ahead(flights_[flight], std::max(now, aside_.since(flight) + data_.latency(flight)));
    return true;
}

// The tables of the formation are still busy with what they were given: everything stands still.
bool Barrel::formation_stalls() {
    if (formation_.stall == 0) [[likely]]
        return false;
    --formation_.stall;
    account(Slot::Tables);
    return true;
}

template <bool kBundles>
void Barrel::decode(Cycle now) {
    if (reading_.cycles != 0) {
        if (--reading_.cycles == 0)
            pipe_.put(1, reading_.flight, reading_.access);
        return;
    }
    if (decoding_ == kNoUnit)
        return;
    if constexpr (kBundles)
        return decode_bundle(now);
    const FlightId f = free_flights_.back();
    Flight& flight = flights_[f];
    const UnitId unit = decoding_;
    const Pc pc = units_.pc[unit];
    flight.generation = units_.generation[unit];
    formation_.form(unit, residents_.program.ops[pc], residents_.executor, flight.group);
    interlocked_ = flight.group.parts == 0;
    if (flight.group.last)
        decoding_ = kNoUnit;
    if (interlocked_)
        return;
    execute(flight, now);
    residents_.count_slot(flight.group.threads);
    bool access = flight.outcome.kind == warp::Outcome::Kind::Memory && access_.count != 0;
    if (access)
        data_.prepare(flight, access_);
    else
        access = prepare_fence(flight);
    if (flight.group.register_cycles > 1) [[unlikely]]
        reading_ = {f, access, flight.group.register_cycles - 1U};
    else
        pipe_.put(1, f, access);
}

// The free flight that was given out last has its group.
void Barrel::execute(Flight& flight, Cycle now) {
    free_flights_.pop_back();
    flight.lines_left = 0;
    residents_.execute(flight, now, access_);
    progress_[flight.group.unit] += flight.group.threads;
}

// True when the flight is a fence that has to do with memory.
bool Barrel::prepare_fence(const Flight& flight) {
    if (!DataPath::is_fence(flight))
        return false;
    data_.prepare_fence(flight);
    return true;
}

template <bool kBundles>
void Barrel::fetch(Cycle now) {
    if (formation_.wake <= now)
        formation_.tick(now);
    if (scheduler_->wake <= now)
        scheduler_->tick(view_, now);
    if (tells_edges_)
        edges_.tell(units_, [&](UnitId) -> sched::Scheduler& { return *scheduler_; });
    if (decoding_ != kNoUnit) { // decode issues further groups of one instruction
        account(interlocked_ ? Slot::Interlock : Slot::Issued);
        return;
    }
    if (fetched_ != kNoUnit) { // it cannot go on to decode yet
        account(Slot::Registers);
        return;
    }
    if (!find_candidates()) {
        account(idle_cause());
        return;
    }
    const UnitId unit = pick(now);
    if (unit == kNoUnit) {
        account(Slot::HeldBack);
        return;
    }
    if (!fetch_.fetch(unit, units_.pc[unit], now)) {
        blocked_.insert(unit);
        if (timeline_ != nullptr)
            timeline_->units.waits(unit, probe::Activity::Instructions, now);
        account(Slot::FetchMiss);
        return;
    }
    account(Slot::Issued);
    fetched_ = unit;
    take(unit);
    if constexpr (kBundles)
        fetch_along(now);
}

UnitId Barrel::pick(Cycle now) {
    const UnitId unit = scheduler_->pick(candidates_, view_, now);
    if (unit == kNoUnit)
        return unit;
    assert(candidates_.contains(unit));
    at_barrier_.erase(unit);
    return unit;
}

// Why no unit can be fetched, the reason that lasts longest first.
Slot Barrel::idle_cause() const {
    if (aside_.count() != 0)
        return Slot::Memory;
    if (fetch_.waiting_units() != 0)
        return Slot::Fetch;
    if (residents_.sync.threads_at_barriers() != 0)
        return Slot::Barrier;
    if (residents_.sync.threads_at_rendezvous() != 0)
        return Slot::WarpSync;
    if (pipe_.occupied != 0 || fetched_ != kNoUnit || !returning_.empty() || !hitting_.empty())
        return Slot::Pipeline;
    return Slot::Empty;
}

template <bool kBundles>
void Barrel::write_back(Cycle now) {
    if (!returning_.empty() && returning_.front().at <= now && take_write_back(now))
        return;
    while (!hitting_.empty() && hitting_.front().at <= now)
        complete(hitting_.pop().flight, now);
    const unsigned last = memory_at_ + 1;
    if (!pipe_.holds(last))
        return;
    pipe_.take(last);
    if constexpr (!kBundles)
        return complete(pipe_.at(last), now);
    for (FlightId f = pipe_.at(last); f != warp::kNoFlight;) {
        const FlightId along = flights_[f].along;
        complete(f, now);
        f = along;
    }
}

// Flights from memory write back. True when one has taken the pipeline's turn.
bool Barrel::take_write_back(Cycle now) {
    const bool contended = shared_write_back_ && write_back_contended(now);
    unsigned n = 0;
    do {
        const FlightId f = returning_.pop().flight;
        if (timeline_ != nullptr && flights_[f].waits_long)
            timeline_->units.goes_on(flights_[f].group.unit, probe::Activity::Memory, now);
        complete(f, now);
    } while ((!shared_write_back_ || ++n < slots_) && !returning_.empty() && returning_.front().at <= now);
    if (contended)
        account(Slot::WriteBack);
    return contended;
}

void Barrel::complete(FlightId f, Cycle now) {
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

HEDDLE_CORE(Barrel, "barrel", "one unit is fetched a cycle, and not again before it has left the pipeline",
            "LWM11 2.1, Figure 2");

} // namespace heddle::sm
