#include "sm/single_issue/barrel.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace heddle::sm {

using probe::Slot;
using warp::Flight;
using warp::FlightId;

Barrel::Barrel(const config::Machine& machine, unsigned sm, exec::MemoryImage& image, const ir::Program& program,
               const TraceSink& trace)
    : TimedCore(machine, sm, image, program, trace, machine.get<CoreConfig>().threads + kMaxStages, false),
      shared_write_back_(frame_.contexts.config.shared_write_back), slots_(frame_.formation.needs().issue_slots),
      divides_(frame_.formation.needs().runs_ahead),
      memory_at_(static_cast<unsigned>(frame_.contexts.config.stages) + frame_.formation.needs().extra_stages - 2),
      issue_(frame_, load_store_, machine, sm), along_(frame_.units.capacity(), kNoUnit) {
    pipe_.stages = memory_at_ + 2;
}

void Barrel::start_block(Dim3 ctaid, std::uint64_t global_id, Cycle now) {
    issue_.block_started(place_block(ctaid, global_id, now), now);
}

void Barrel::threads_released(Cycle now) {
    issue_.pass_block_changes(now);
}

void Barrel::add_statistics(stats::Tree& tree) {
    issue_.add_statistics(tree);
}

Cycle Barrel::run(Cycle now, Cycle until) {
    run_to(now, until, [&](Cycle stop) {
        if (slots_ == 1)
            simulate<false>(now, stop);
        else
            simulate<true>(now, stop);
    });
    const bool busy =
        !front_end_empty() || frame_.formation.stall != 0 || pipe_.occupied != 0 || issue_.find_candidates();
    wake_ = busy ? frame_.clock : issue_.next_event();
    return now;
}

// Simulates cycles from `now` on, up to `until` or the end of a block; moves `now`.
template <bool kBundles>
void Barrel::simulate(Cycle& now, Cycle until) {
    while (now < until && !frame_.block_ended) {
        if (frame_.memory.next() <= now)
            issue_.answers(now);
        const bool stalled = formation_stalls();
        const bool held = stalled || (shared_write_back_ && write_back_contended(now)) || memory_stage<kBundles>(now);
        if (!held) {
            decode<kBundles>(now);
            account(fetch<kBundles>(now));
        }
        if (!stalled)
            write_back<kBundles>(now);
        if (frame_.trace)
            trace_cycle(now);
        if (!held) {
            pipe_.turn(1);
            if (decoding_ == kNoUnit && reading_.cycles == 0)
                decoding_ = std::exchange(fetched_, kNoUnit);
        }
        ++now;
        ++frame_.contexts.stats.cycles;
        if (front_end_empty() && !frame_.block_ended && !issue_.find_candidates())
            now = skip(now, until);
    }
}

void Barrel::catch_up(Cycle now) {
    if (now <= frame_.clock)
        return;
    account(idle_cause(), now - frame_.clock);
    frame_.contexts.stats.cycles += now - frame_.clock;
    frame_.clock = now;
    if (now >= frame_.sample_due) [[unlikely]]
        sample(now);
}

// Nothing can be fetched: moves to the next event at once, and moves the pipeline with it.
Cycle Barrel::skip(Cycle now, Cycle until) {
    if (frame_.formation.stall != 0 || (divides_ && divide_starved(now)))
        return now;
    Cycle next = issue_.next_event();
    if (pipe_.occupied != 0) {
        if (frame_.trace)
            return now; // a trace shows each stage
        next = std::min(next, now + pipe_.until_work(memory_at_));
    } else if (next == kNever && frame_.stands_still()) {
        frame_.contexts.report_deadlock(now);
    }
    next = std::min(next, until);
    if (next <= now)
        return now;
    account(idle_cause(), next - now);
    frame_.contexts.stats.cycles += next - now;
    if (pipe_.occupied != 0)
        pipe_.turn(static_cast<unsigned>(next - now));
    if (frame_.trace)
        frame_.trace(fmt::format("{:>8}  idle for {} cycles: {}", now, next - now,
                                 probe::kSlots[static_cast<std::size_t>(slot_)].name));
    return next;
}

// True when the flight in the memory stage needs another cycle there: then the stages before it do not move.
template <bool kBundles>
inline bool Barrel::memory_stage(Cycle now) {
    if ((pipe_.accesses >> memory_at_ & 1) == 0)
        return false;
    if constexpr (kBundles)
        return memory_stage_of_bundle(now);
    Flight& flight = frame_.flights[pipe_.at(memory_at_)];
    const LoadStoreUnit::Step step = load_store_.step(flight.id, now);
    if (step != LoadStoreUnit::Step::Done) {
        account(step == LoadStoreUnit::Step::Line ? Slot::DataPort : Slot::BankConflict);
        return true;
    }
    if (leaves(flight, now))
        pipe_.take(memory_at_);
    return false;
}

// Whether more flights want to write back, from memory and from the pipeline's last stage, than can: then those from
// memory write back, and the pipeline does not move.
bool Barrel::write_back_contended(Cycle now) const {
    if (!issue_.return_due(now) || !pipe_.holds(memory_at_ + 1))
        return false;
    return issue_.returns_due(now, slots_) + lanes_of_place(memory_at_ + 1) > slots_;
}

// Nothing can be fetched before memory answers: divides a flight of the formation's choice.
bool Barrel::divide_starved(Cycle now) {
    if (pipe_.occupied != 0 || issue_.data_under_way())
        return false;
    const FlightId flight = issue_.starved();
    if (flight == warp::kNoFlight)
        return false;
    issue_.hits(issue_.divide(frame_.flights[flight]).id, std::max(now, issue_.hits_since(flight)));
    return true;
}

// Whether the formation's tables are still busy with next PCs: then nothing moves.
bool Barrel::formation_stalls() {
    if (frame_.formation.stall == 0) [[likely]]
        return false;
    --frame_.formation.stall;
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
    Flight& flight = issue_.next_flight();
    const UnitId unit = decoding_;
    const Pc pc = frame_.units.pc[unit];
    flight.generation = frame_.units.generation[unit];
    frame_.formation.form(unit, frame_.contexts.program.ops[pc], frame_.contexts.executor, flight.group);
    interlocked_ = flight.group.parts == 0;
    if (flight.group.last)
        decoding_ = kNoUnit;
    if (interlocked_)
        return;
    execute(flight, now);
    frame_.contexts.count_slot(flight.group.pc, flight.group.threads);
    bool access = flight.outcome.kind == warp::Outcome::Kind::Memory && frame_.access.count != 0;
    if (access)
        load_store_.prepare(flight, frame_.access);
    else
        access = prepare_fence(flight);
    if (flight.group.register_cycles > 1) [[unlikely]]
        reading_ = {flight.id, access, flight.group.register_cycles - 1U};
    else
        pipe_.put(1, flight.id, access);
}

// Executes the instruction stream's next flight, whose group has been formed.
void Barrel::execute(Flight& flight, Cycle now) {
    issue_.open_flight();
    frame_.execute(flight, now);
}

// True when the flight is a fence that waits for memory.
bool Barrel::prepare_fence(const Flight& flight) {
    if (!LoadStoreUnit::is_fence(flight))
        return false;
    load_store_.prepare_fence(flight);
    return true;
}

// Returns the cause of the issue slot.
template <bool kBundles>
Slot Barrel::fetch(Cycle now) {
    issue_.tick(now);
    if (decoding_ != kNoUnit) // decode forms further groups of one instruction
        return interlocked_ ? Slot::Interlock : Slot::Issued;
    if (fetched_ != kNoUnit) // the fetched unit cannot enter decode yet
        return Slot::Registers;
    if (!issue_.find_candidates())
        return idle_cause();
    const UnitId unit = issue_.pick(now);
    if (unit == kNoUnit)
        return Slot::HeldBack;
    if (!issue_.fetch(unit, now))
        return Slot::FetchMiss;
    fetched_ = unit;
    issue_.take(unit);
    if constexpr (kBundles)
        fetch_along(now);
    return Slot::Issued;
}

template <bool kBundles>
void Barrel::write_back(Cycle now) {
    if (issue_.return_due(now) && take_write_back(now))
        return;
    while (issue_.hit_due(now))
        issue_.complete_hit(now);
    const unsigned last = memory_at_ + 1;
    if (!pipe_.holds(last))
        return;
    pipe_.take(last);
    if constexpr (!kBundles)
        return issue_.complete(pipe_.at(last), now);
    for (FlightId f = pipe_.at(last); f != warp::kNoFlight;) {
        const FlightId along = frame_.flights[f].along;
        issue_.complete(f, now);
        f = along;
    }
}

// Writes flights from memory back. True when one has taken the pipeline's turn.
bool Barrel::take_write_back(Cycle now) {
    const bool contended = shared_write_back_ && write_back_contended(now);
    if (contended)
        account(Slot::WriteBack);
    unsigned n = 0;
    do
        issue_.complete_return(now);
    while ((!shared_write_back_ || ++n < slots_) && issue_.return_due(now));
    return contended;
}

void Barrel::profile_slot(Slot slot, Cycle cycles) {
    frame_.contexts.profile->stall(waits_at(slot), {slot, kNoPc, cycles});
}

// While the pipeline stands, the instruction that holds it up; else what keeps the units from being fetched.
Pc Barrel::waits_at(Slot cause) const {
    switch (cause) {
    case Slot::DataPort:
    case Slot::BankConflict:
        return frame_.flights[pipe_.at(memory_at_)].group.pc;
    case Slot::Registers:
        return reading_.flight == warp::kNoFlight ? kNoPc : frame_.flights[reading_.flight].group.pc;
    case Slot::Interlock:
        return frame_.units.pc[decoding_];
    case Slot::Pipeline:
        if (pipe_.occupied != 0)
            return frame_.flights[pipe_.at(static_cast<unsigned>(std::bit_width(pipe_.occupied)) - 1)].group.pc;
        if (fetched_ != kNoUnit)
            return frame_.units.pc[fetched_];
        break;
    default:
        break;
    }
    return issue_.waits_at(cause);
}

HEDDLE_CORE(Barrel, "barrel", "one unit is fetched a cycle, and is not fetched again before it has left the pipeline",
            "LWM11 2.1, Figure 2");

} // namespace heddle::sm
