#include "sm/sub_core/scoreboard_core.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace heddle::sm {

using probe::Slot;
using warp::Flight;
using warp::FlightId;
using Kind = warp::Outcome::Kind;

ScoreboardCore::ScoreboardCore(const config::Machine& machine, unsigned sm, exec::MemoryImage& image,
                               const ir::Program& program, const TraceSink& trace)
    : TimedCore(machine, sm, image, program, trace, kFlights, true), config_(machine.get<ScoreboardConfig>()),
      units_config_(machine.get<UnitsConfig>()), divides_rows_(formation_.needs().divides_rows),
      units_are_rows_(formation_.needs().units_are_rows), loads_are_long_(config_.long_latency == "load"),
      edges_(units_.capacity()), front_(machine.get<ICacheConfig>(), config_, units_, memory_),
      scoreboard_(static_cast<unsigned>(contexts_.config.threads / contexts_.config.width), divides_rows_),
      execution_(config_, units_config_), in_flight_(kFlights + 1),
      ldst_capacity_(ExecutionUnits::places(1, config_.collectors_ldst)),
      ldst_writes_(1, LoadStoreUnit::longest_latency(machine) + kFlights),
      miss_latency_(static_cast<std::uint16_t>(machine.get<DCacheConfig>().latency)),
      wheel_(kFlights + units_.capacity()), standing_(units_.capacity()), known_(units_.capacity()),
      transfers_(units_.capacity()), drains_(units_.capacity()) {
    states_.resize(known_.words());
    waiting_of_row_.assign(contexts_.config.threads / contexts_.config.width * known_.words(), 0);
    const auto count = static_cast<unsigned>(config_.schedulers);
    for (unsigned s = 0; s < count; ++s) {
        const sched::Share share{.units = units_.capacity(),
                                 .index = s,
                                 .count = count,
                                 .block_slots = static_cast<unsigned>(contexts_.config.blocks)};
        SchedulerUnit& unit = schedulers_.emplace_back();
        unit.policy = sched::schedulers().make(contexts_.config.scheduler, share, machine);
        unit.bit = 1U << s;
        unit.own = share.own();
        unit.considered = unit.policy->considered();
        unit.can_issue = UnitSet(units_.capacity());
        tells_edges_ = unit.policy->keeps_lists();
    }
    changed_ = all_schedulers_ = (1U << count) - 1;
    for (unsigned u = 0; u < units_.capacity(); ++u)
        standing_[u].scheduler = static_cast<std::uint8_t>(u % count);
    for (unsigned f = kFlights; f-- > 0;)
        free_flights_.push_back(static_cast<FlightId>(f));
}

std::string ScoreboardCore::objection(const formation::Formation& how) {
    if (how.traits().die_at_issue)
        return "a unit ends when it issues, and instruction buffers belong to units that live on";
    if (how.traits().take_several_slots)
        return "an instruction of a unit takes several issue slots, one a cycle, which is the barrel core's decode "
               "stage";
    if (how.needs().issue_slots != 1)
        return "its units of one thread need an issue slot a lane, without instruction buffers";
    return {};
}

void ScoreboardCore::begin(const exec::Launch& launch, Cycle now) {
    TimedCore::begin(launch, now);
    kernel_.decode(contexts_.program, *launch.kernel, units_config_);
    scoreboard_.begin(kernel_.registers(), kernel_.words());
}

void ScoreboardCore::start_block(Dim3 ctaid, std::uint64_t global_id, Cycle now) {
    const unsigned slot = place_block(ctaid, global_id, now);
    changed_ = all_schedulers_;
    for (SchedulerUnit& s : schedulers_)
        s.policy->block_event(static_cast<std::uint16_t>(slot), sched::BlockEvent::Started, view_, now);
    find_wake();
}

void ScoreboardCore::find_wake() {
    policies_wake_ = kNever;
    for (const SchedulerUnit& s : schedulers_)
        policies_wake_ = std::min(policies_wake_, s.policy->wake);
}

void ScoreboardCore::add_statistics(stats::Tree& tree) {
    tree.add_one_of("core", contexts_.stats);
    tree.add_one_of("icache", front_.stats());
    data_.add_statistics(tree);
    formation_.add_statistics(tree);
    for (SchedulerUnit& s : schedulers_)
        s.policy->add_statistics(tree);
    memory_.add_statistics(tree);
}

Cycle ScoreboardCore::run(Cycle now, Cycle until) {
    try {
        run_to(now, until, [&](Cycle stop) { simulate(now, stop); });
    } catch (const exec::Fault&) { // the cycle does not count, nor do the slots in it
        for (std::size_t s = 0; s < counted_; ++s)
            --contexts_.stats.slots[static_cast<std::size_t>(schedulers_[s].slot)];
        throw;
    }
    wake_ = next_ != 0 ? std::max(next_, clock_) : next_event(clock_);
    return now;
}

// Cycles from `now` on, up to `until` or the end of a block; moves `now`.
void ScoreboardCore::simulate(Cycle& now, Cycle until) {
    if (next_ > now) // only an answer of memory can have ended its sleep
        now = skip(now, until);
    while (now < until && !block_ended_) {
        back_end(now);
        if (is_quiet(now)) {
            for (SchedulerUnit& scheduler : schedulers_)
                look_at_load_store(scheduler);
            now = skip(now + 1, until);
            continue;
        }
        front_end(now);
        if (trace_)
            trace_cycle(now);
        clock_ = ++now;
        ++contexts_.stats.cycles;
        counted_ = 0; // the cycle counts, and its slots with it
        if (!issued_)
            now = skip(now, until);
    }
}

// What happens in a cycle, from the end of the pipeline to its beginning: what a part gives away is seen by the part
// before it in the same cycle.
void ScoreboardCore::back_end(Cycle now) {
    issued_ = false;
    next_ = 0;
    if (memory_.next() <= now)
        take_answers(now);
    if (!came_back_.empty())
        come_back_all(came_back_, now);
    if (wheel_.next() <= now)
        wheel_.run(now, [&](LatencyWheel::Item item) {
            if (item >= kFlights)
                wake_up(static_cast<UnitId>(item - kFlights));
            else
                finish(item, now);
        });
    if (ldst_next_ <= now)
        load_store(now);
}

void ScoreboardCore::front_end(Cycle now) {
    quiet_until_ = 0;
    time_passes(now);
    front_.deliver(now, [&](UnitId unit) { evaluate_fetched(unit); });
    look_at_units();
    issue_all(now);
    const UnitId misses = front_.fetch(now);
    if (timeline_ != nullptr && misses != kNoUnit)
        timeline_->units.waits(misses, probe::Activity::Instructions, now);
}

// What memory delivers by `now`. True when that lets anything go on: most lines are one of several that an instruction
// waits for.
bool ScoreboardCore::take_answers(Cycle now) {
    bool goes_on = false;
    while (memory_.next() <= now) {
        const mem::Reply reply = memory_.take();
        if (reply.requester == mem::Requester::Instruction) {
            front_.fill(reply.id);
        } else if (data_.answer(reply, now, came_back_)) {
            ldst_again_ = std::min(ldst_again_, now);
            find_ldst_next();
            goes_on = true;
        }
        if (reply.requester == mem::Requester::Credit)
            front_.retry();
        if (reply.requester == mem::Requester::Instruction || reply.requester == mem::Requester::Credit) {
            quiet_until_ = 0;
            goes_on = true;
        }
        if (timeline_ != nullptr)
            record_fill(now, [&](UnitId unit) { return front_.waits(unit); });
    }
    return goes_on || !came_back_.empty();
}

// The flight ends: its registers are written, or its next PCs count; or the one now and the other later.
void ScoreboardCore::finish(FlightId f, Cycle now) {
    quiet_until_ = 0;
    Flight& flight = flights_[f];
    FlightState& state = in_flight_[f];
    if (state.commits_late) {
        if (gives_row_back(flight) && flight.lines_left == 0 && state.aside_since == kNever &&
            data_.wait_for_stores(flight)) {
            put_aside(flight, now);
            drain(flight.group.unit);
            return;
        }
        state.commits_late = false;
        if (unit_lives(flight) && drains_.contains(flight.group.unit))
            stop_draining(flight.group.unit);
        take_effect(flight, now);
    }
    if (state.at_memory) {
        formation_.returned(flight, now);
        if (runs_ahead_ && !unit_lives(flight)) { // it may just have joined another
            forget_the_dead();
            evaluate_row(flight.group.part[0].row);
        }
    }
    free_flights_.push_back(f);
    if (state.writes != 0)
        release_registers(f);
    if (state.memory_stalls != 0)
        attribute(f);
}

// The register that the unit waits for is written.
void ScoreboardCore::wake_up(UnitId unit) {
    standing_[unit].wakes_up = false;
    if (waits_for_register(unit))
        evaluate_registers(unit);
}

void ScoreboardCore::wake_at(UnitId unit, Cycle at) {
    if (std::exchange(standing_[unit].wakes_up, true))
        return;
    wheel_.put(static_cast<LatencyWheel::Item>(kFlights + unit), at, clock_);
}

void ScoreboardCore::release_registers(FlightId f) {
    const FlightState& state = in_flight_[f];
    const Flight& flight = flights_[f];
    scoreboard_.clear(flight.group, {state.written.data(), state.writes});
    for (unsigned p = 0; p < flight.group.parts; ++p)
        evaluate_waiting(flight.group.part[p].row, f);
}

void ScoreboardCore::time_passes(Cycle now) {
    if (formation_.wake <= now) {
        formation_.tick(now);
        changed_ = all_schedulers_;
    }
    if (policies_wake_ > now)
        return;
    for (SchedulerUnit& s : schedulers_)
        if (s.policy->wake <= now) {
            s.policy->tick(view_, now);
            changed_ = all_schedulers_;
        }
    find_wake();
}

// Units that have become eligible since the last cycle.
void ScoreboardCore::look_at_units() {
    for (unsigned i = 0; i < units_.words; ++i) {
        const std::uint64_t can = units_.eligible.word(i) & units_.alive.word(i);
        if (can == known_.word(i)) [[likely]]
            continue;
        changed_ = all_schedulers_;
        std::uint64_t fresh = can & ~known_.word(i);
        known_.word(i) = can;
        for (; fresh != 0; fresh &= fresh - 1)
            evaluate(static_cast<UnitId>(i * 64 + static_cast<unsigned>(std::countr_zero(fresh))));
    }
    if (tells_edges_)
        edges_.tell(units_,
                    [&](UnitId unit) -> sched::Scheduler& { return *schedulers_[standing_[unit].scheduler].policy; });
}

// The flight's next PCs count: its unit goes on, others may.
void ScoreboardCore::take_effect(Flight& flight, Cycle now) {
    const UnitId unit = flight.group.unit;
    const bool straight = flight.outcome.kind == Kind::Next || flight.outcome.kind == Kind::Memory;
    if (straight && units_are_rows_ && unit_lives(flight)) [[likely]] {
        formation_.advance(flight, now);
        return evaluate(unit);
    }
    commit_rest(flight, straight, now);
}

// The same of those that may end their unit, or concern others: apart, so that the way of most is short.
void ScoreboardCore::commit_rest(Flight& flight, bool straight, Cycle now) {
    const UnitId unit = flight.group.unit;
    if (!straight || divides_rows_) // others may go on, or stop
        changed_ = all_schedulers_;
    block_ended_ |= contexts_.commit(flight, now);
    const bool lives = unit_lives(flight);
    forget_the_dead();
    if (flight.outcome.kind == Kind::Barrier && lives)
        at_barrier_.insert(unit);
    if (!contexts_.changes.empty())
        tell_block_events(now);
    if (lives)
        return evaluate(unit);
    transfers_.erase(unit);
    drains_.erase(unit);
}

void ScoreboardCore::tell_block_events(Cycle now) {
    for (const ThreadContexts::Change& change : contexts_.changes)
        for (SchedulerUnit& s : schedulers_)
            s.policy->block_event(change.block, change.event, view_, now);
    contexts_.changes.clear();
    find_wake();
}

// Who writes a register that the unit's next instruction, at `pc`, needs.
inline Scoreboard::Block ScoreboardCore::blocker_of(UnitId unit, Pc pc) {
    const std::uint64_t* needs = kernel_.needs(pc);
    return units_are_rows_ ? scoreboard_.blocker({unit, 0}, needs, clock_) : blocker_of_parts(unit, needs);
}

// Of a unit of any rows.
Scoreboard::Block ScoreboardCore::blocker_of_parts(UnitId unit, const std::uint64_t* needs) {
    for (const warp::Part& part : formation_.members(unit))
        if (const Scoreboard::Block block = scoreboard_.blocker(part, needs, clock_); block.writer != kNoWriter) {
            waiting_of_row_[std::size_t{part.row} * known_.words() + unit / 64] |= std::uint64_t{1} << (unit % 64);
            return block;
        }
    return {};
}

// What the unit's next instruction, which is in its buffer, waits for.
inline void ScoreboardCore::evaluate_registers(UnitId unit) {
    const Pc pc = units_.pc[unit];
    if (const Scoreboard::Block block = blocker_of(unit, pc); block.writer != kNoWriter)
        return wait_for_register(unit, block);
    place(unit, static_cast<State>(kernel_.at(pc).pipe));
    set_long_wait(unit, false);
}

void ScoreboardCore::wait_for_register(UnitId unit, Scoreboard::Block block) {
    Standing& standing = standing_[unit];
    changed_ |= static_cast<unsigned>(standing.blocker != block.writer) << standing.scheduler;
    standing.blocker = block.writer;
    place(unit, static_cast<State>(kBlocked + block.writer.kind()));
    if (block.until != Scoreboard::kTold)
        wake_at(unit, block.until);
    set_long_wait(unit, is_long(block.writer));
}

// What the unit's next instruction waits for.
void ScoreboardCore::evaluate(UnitId unit) {
    if (!front_.holds_next(unit)) {
        place(unit, kNoInstruction);
        return set_long_wait(unit, false);
    }
    evaluate_fetched(unit);
}

// The same once that is in its buffer.
inline void ScoreboardCore::evaluate_fetched(UnitId unit) {
    transfers_.erase(unit);
    evaluate_registers(unit);
}

// Something that units wait for has happened to the registers of the row that flight `f` writes.
void ScoreboardCore::evaluate_waiting(RowId row, FlightId f) {
    if (units_are_rows_) {
        if (waits_for_register(row) && !waits_for_another(row, f))
            evaluate_registers(row);
        return;
    }
    std::uint64_t* waiting = waiting_of_row_.data() + std::size_t{row} * known_.words();
    for (unsigned i = 0; i < units_.words; ++i)
        for (std::uint64_t w = waiting[i]; w != 0; w &= w - 1) {
            const auto unit = static_cast<UnitId>(i * 64 + static_cast<unsigned>(std::countr_zero(w)));
            const bool waits = waits_for_register(unit);
            if (waits && waits_for_another(unit, f))
                continue;
            waiting[i] &= ~(w & (~w + 1));
            if (waits)
                divides_rows_ ? evaluate(unit) : evaluate_registers(unit);
        }
}

// Units that hold threads of the row are others than before.
void ScoreboardCore::evaluate_row(RowId row) {
    for (unsigned i = 0; i < units_.words; ++i)
        for (std::uint64_t w = known_.word(i); w != 0; w &= w - 1) {
            const auto unit = static_cast<UnitId>(i * 64 + static_cast<unsigned>(std::countr_zero(w)));
            if (formation_.members(unit).front().row == row)
                evaluate(unit);
        }
    changed_ = all_schedulers_;
}

void ScoreboardCore::tell_long_wait(UnitId unit, bool waits) {
    record_memory_wait(unit, waits);
    long_wait_.put(unit, waits);
    schedulers_[standing_[unit].scheduler].policy->long_wait(unit, waits);
}

bool ScoreboardCore::is_long(Writer writer) const {
    return writer.kind() == static_cast<unsigned>(Producer::Memory) &&
           (loads_are_long_ || flights_[writer.flight()].lines_left != 0);
}

HEDDLE_CORE(ScoreboardCore, "scoreboard",
            "several schedulers, instructions of a unit overlap as far as their registers permit", "PRO I, IV");

} // namespace heddle::sm
