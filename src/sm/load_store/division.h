// Division of flights by their hits (MAWS 5): the threads whose data are there continue in a unit of their own; the
// other threads wait. The formation decides (formation.h: run_ahead, starved, divided). All calls of an SM for this are
// here.
#pragma once

#include "sm/frame/frame.h"
#include "sm/load_store/load_store_unit.h"

namespace heddle::sm {

class Division {
public:
    // Makes the load/store unit find the threads that hit, where the formation divides flights.
    Division(const config::Machine& machine, Frame& frame, LoadStoreUnit& unit);

    // Whether the formation divides flights.
    [[nodiscard]] bool is_on() const {
        return on_;
    }
    // For a flight that leaves the load/store unit with lines missing: whether the formation divides it now.
    [[nodiscard]] bool divides(const warp::Flight& flight) const {
        return on_ && warp::hits_in_part(flight) && frame_.formation.run_ahead(flight);
    }
    // A flight was put aside: starved() may find a flight.
    void put_aside() {
        asks_ = on_;
    }
    // Whether starved() may find a flight once no unit can issue before memory answers.
    [[nodiscard]] bool may_divide() const {
        return asks_;
    }
    // The flight that the formation divides when nothing can issue; kNoFlight: none of those put aside so far.
    [[nodiscard]] warp::FlightId starved() {
        const warp::FlightId flight = frame_.formation.starved();
        if (const formation::Guard* const guard = frame_.contexts.guard())
            guard->check_starved(flight, frame_.flights.used());
        asks_ = flight != warp::kNoFlight;
        return flight;
    }
    // Divides a flight by its hit mask (MAWS 5.4). The threads whose data are there become `ahead`, an unused flight,
    // in a unit of their own.
    void divide(warp::Flight& behind, warp::Flight& ahead);

private:
    Frame& frame_;
    LoadStoreUnit& unit_;
    const bool on_;
    bool asks_ = false; // a flight was put aside since the last starved() without a result
};

} // namespace heddle::sm
