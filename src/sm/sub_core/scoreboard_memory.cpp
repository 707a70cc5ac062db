// The load/store unit of the scoreboarded core: accesses at the data path, those that wait for memory, and what of them
// may be divided (maws).
#include <algorithm>

#include "sm/sub_core/scoreboard_core.h"

namespace heddle::sm {

using warp::Flight;
using warp::FlightId;

namespace {

bool loads(const Flight& flight) {
    return flight.op->kind == ir::Kind::Load || flight.op->kind == ir::Kind::Texture;
}

} // namespace

// The first instruction in the load/store unit goes on.
void ScoreboardCore::load_store(Cycle now) {
    const FlightId f = to_load_store_.front().flight;
    Flight& flight = flights_[f];
    ldst_step_ = data_.step(f, now);
    ldst_again_ = ldst_step_ == LoadStoreUnit::Step::Held ? kNever : now + 1;
    ldst_next_ = ldst_again_;
    causes_[static_cast<unsigned>(Pipe::LdSt)] = load_store_cause();
    if (ldst_step_ != LoadStoreUnit::Step::Done)
        return;
    to_load_store_.pop();
    find_ldst_next();
    opens_[static_cast<unsigned>(Pipe::LdSt)] = now;
    changed_ = all_schedulers_; // there is room for another
    come_back_all(data_.released(), now);
    if (flight.lines_left != 0) {
        if (runs_ahead_ && flight.committed && in_flight_[flight.id].writes != 0 && warp::hits_in_part(flight) &&
            unit_lives(flight) && !free_flights_.empty() && formation_.run_ahead(flight))
            let_ahead(flight, now + data_.latency(flight.id), now);
        return put_aside(flight, now);
    }
    if (in_flight_[flight.id].writes != 0)
        write_at(flight.id, now + data_.latency(flight.id), now);
    else
        finish(flight.id, now);
}

// Its threads that have their data go on as a flight of their own, whose registers are written at `at`, and in a unit
// of their own.
void ScoreboardCore::let_ahead(Flight& flight, Cycle at, Cycle now) {
    Flight& ahead = flights_[free_flights_.back()];
    free_flights_.pop_back();
    const UnitId unit = flight.group.unit;
    divide(flight, ahead);
    const FlightState& state = in_flight_[flight.id];
    in_flight_[ahead.id] = {.at_memory = state.at_memory, .writes = state.writes, .written = state.written};
    evaluate(unit);
    write_at(ahead.id, at, now);
}

// Nothing can issue before memory answers: the formation may have a flight to divide.
bool ScoreboardCore::divide_starved(Cycle now) {
    if (free_flights_.empty())
        return false;
    const FlightId flight = formation_.starved();
    if (flight == warp::kNoFlight)
        return asks_ = false;
    let_ahead(flights_[flight], std::max(now, in_flight_[flight].aside_since + data_.latency(flight)), now);
    return true;
}

void ScoreboardCore::put_aside(Flight& flight, Cycle now) {
    ++aside_;
    asks_ = runs_ahead_;
    in_flight_[flight.id].aside_since = now;
    formation_.put_aside(flight, now);
    if (!loads_are_long_ && loads(flight))
        for (unsigned p = 0; p < flight.group.parts; ++p)
            evaluate_waiting(flight.group.part[p].row, flight.id);
}

void ScoreboardCore::come_back_all(std::vector<FlightId>& flights, Cycle now) {
    for (const FlightId f : flights)
        come_back(f, now);
    flights.clear();
}

// Its last line has come, or the last store that it waited for is done.
void ScoreboardCore::come_back(FlightId f, Cycle now) {
    Flight& flight = flights_[f];
    --aside_;
    data_.stats().wait_cycles += now - in_flight_[f].aside_since;
    if (loads(flight))
        write_at(f, now + miss_latency_, now);
    else if (flight.op->kind == ir::Kind::Atomic)
        write_at(f, now + 1, now);
    else
        finish(f, now);
}

// The load/store unit writes the flight's registers, at `at` or when its port is free.
void ScoreboardCore::write_at(FlightId f, Cycle at, Cycle now) {
    wheel_.put(f, ldst_writes_.book(at), now);
}

} // namespace heddle::sm
