// Memory in an SM of sub-cores: accesses that leave the load/store unit, accesses that wait for data, and their
// division (maws). Requests of instructions that are due.
#include <algorithm>

#include "sm/sub_core/core.h"

namespace heddle::sm {

using warp::Flight;
using warp::FlightId;

namespace {

bool loads(const Flight& flight) {
    return flight.op->kind == ir::Kind::Load || flight.op->kind == ir::Kind::Texture;
}

} // namespace

// One cycle of the first access in the load/store unit.
void ScoreboardedCore::load_store(Cycle now) {
    const FlightId f = memory_stage_.step(now);
    if (f == warp::kNoFlight)
        return;
    sub_cores_.set_load_store_open(now);
    if (load_store_.tma() != nullptr) [[unlikely]]
        wake_tma(now);
    states_.mark_for_others(); // the load/store unit takes another instruction
    come_back_all(load_store_.released(), now);
    Flight& flight = frame_.flights[f];
    if (flight.lines_left != 0) {
        if (is_divided(flight))
            let_ahead(flight, now + load_store_.latency(f), now);
        return put_aside(flight, now);
    }
    if (in_flight_[f].writes())
        write_at(f, now + load_store_.latency(f), now);
    else
        finish_at(f, now + last_part(flight), now);
}

// Whether the threads whose data are there continue without the others. Then their unit is divided; where the unit has
// ended, only the flight is divided.
bool ScoreboardedCore::is_divided(const Flight& flight) const {
    return flight.committed && in_flight_[flight.id].writes() && division_.is_on() &&
           (units_die_ || frame_.unit_lives(flight)) && !in_flight_.is_full() && division_.divides(flight);
}

// The threads whose data are there continue as a flight and in a unit of their own. Their registers are written at
// `at`.
void ScoreboardedCore::let_ahead(Flight& flight, Cycle at, Cycle now) {
    const InFlight::State state = in_flight_[flight.id];
    Flight& ahead = open_flight<false>({.at_memory = state.at_memory, .op = state.op});
    const UnitId unit = flight.group.unit;
    division_.divide(flight, ahead);
    if (!units_die_)
        states_.evaluate(unit);
    write_at(ahead.id, at, now);
}

// Nothing can issue before memory answers: divides a flight of the formation's choice. False when there is none.
bool ScoreboardedCore::divide_starved(Cycle now) {
    if (in_flight_.is_full())
        return false;
    const FlightId flight = division_.starved();
    if (flight == warp::kNoFlight)
        return false;
    let_ahead(frame_.flights[flight], std::max(now, in_flight_[flight].aside_since + load_store_.latency(flight)), now);
    return true;
}

void ScoreboardedCore::put_aside(Flight& flight, Cycle now) {
    ++aside_;
    division_.put_aside();
    in_flight_[flight.id].aside_since = now;
    frame_.formation.put_aside(flight, now);
    if (forms_groups_)
        states_.mark_all(); // a unit with threads left that wait for it may give its slot back
    if (loads(flight))
        states_.missed(flight);
}

bool ScoreboardedCore::wake_tma(Cycle now) {
    if (tma_wakes_)
        return false;
    const Cycle at = load_store_.tma()->next(now + 1);
    tma_wakes_ = at != kNever;
    if (tma_wakes_)
        wheel_.put(static_cast<LatencyWheel::Item>(tma_item_), at, now);
    return tma_wakes_;
}

void ScoreboardedCore::come_back_all(std::vector<FlightId>& flights, Cycle now) {
    for (const FlightId f : flights)
        come_back(f, now);
    flights.clear();
}

// The last line of the flight has come, or the last store that the flight waited for is done.
void ScoreboardedCore::come_back(FlightId f, Cycle now) {
    const Flight& flight = frame_.flights[f];
    --aside_;
    load_store_.stats().wait_cycles += now - in_flight_[f].aside_since;
    if (load_store_.tma() != nullptr && TmaUnit::takes(*flight.op)) [[unlikely]]
        finish_at(f, now + load_store_.tma()->latency(), now);
    else if (loads(flight))
        write_at(f, now + memory_stage_.miss_latency(), now);
    else if (flight.op->kind == ir::Kind::Atomic)
        write_at(f, now + 1, now);
    else
        finish_at(f, std::max(now, in_flight_[f].aside_since + last_part(flight)), now);
}

void ScoreboardedCore::finish_at(FlightId f, Cycle at, Cycle now) {
    if (at > now)
        wheel_.put(f, at, now);
    else
        finish(f, now);
}

// The load/store unit writes the flight's registers in the first cycle from `at` on in which its write port is free.
void ScoreboardedCore::write_at(FlightId f, Cycle at, Cycle now) {
    wheel_.put(f, memory_stage_.book_write(at), now);
}

bool ScoreboardedCore::waits_for_write_port(FlightId f, Cycle now) {
    InFlight::State& state = in_flight_[f];
    if (!state.at_memory || !state.writes() || state.has_port)
        return false;
    state.has_port = true;
    const auto sub_core = static_cast<unsigned>(frame_.flights[f].group.unit % issue_units_.size());
    const Cycle at = sub_cores_.write_load(sub_core, *state.op, now);
    if (at > now)
        wheel_.put(f, at, now);
    return at > now;
}

// The flight ends. If all flights were in use, instructions may issue again.
void ScoreboardedCore::close(FlightId f) {
    if (in_flight_.is_full()) [[unlikely]]
        states_.mark_all();
    in_flight_.close(f);
}

// A request of a front end is at the instruction cache behind it, or back. Or the TMA may request a line.
void ScoreboardedCore::fetch_due(std::uint32_t request, Cycle now) {
    if (request == tma_item_ - first_fetch_) {
        load_store_.tma()->step(now);
        tma_wakes_ = false;
        wake_tma(now);
        return;
    }
    if (!instruction_l1_->arrived(request, now))
        return;
    if (request >= first_constant_)
        return constant_due(request);
    fronts_[FrontEnd::front_end_of(request, static_cast<unsigned>(fronts_.size()))].arrived(request, now);
    if (frame_.timeline != nullptr)
        frame_.record_fill(now, [&](UnitId unit) { return states_.front(unit).waits(unit); });
}

// The line of a constant cache has come.
void ScoreboardedCore::constant_due(std::uint32_t request) {
    constants_[(request - first_constant_) / constant_misses_].arrived(
        request, [&](UnitId unit) { states_.constant_came(unit); });
}

} // namespace heddle::sm
