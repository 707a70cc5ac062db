// Division of flights by their hits (MAWS 5): the threads that have their data go on, in a unit of their own, and leave
// those behind that wait. A formation that divides asks for it (formation.h: run_ahead, starved, divided); all calls of
// an SM to it are here.
#pragma once

#include "sm/frame/frame.h"
#include "sm/load_store/load_store_unit.h"

namespace heddle::sm {

class Division {
public:
    // Has the load/store unit find out which threads hit, where the formation divides flights.
    Division(const config::Machine& machine, Frame& frame, LoadStoreUnit& unit);

    // The formation divides flights.
    [[nodiscard]] bool is_on() const {
        return on_;
    }
    // Of a flight that leaves the load/store unit with lines missing: the formation divides it now.
    [[nodiscard]] bool divides(const warp::Flight& flight) const {
        return on_ && warp::hits_in_part(flight) && frame_.formation.run_ahead(flight);
    }
    // A flight was put aside: starved() may find one.
    void put_aside() {
        asks_ = on_;
    }
    // Whether starved() is worth a call once no unit can issue before memory answers.
    [[nodiscard]] bool may_divide() const {
        return asks_;
    }
    // The flight that the formation divides then; kNoFlight: none of those that have been put aside so far.
    [[nodiscard]] warp::FlightId starved() {
        const warp::FlightId flight = frame_.formation.starved();
        asks_ = flight != warp::kNoFlight;
        return flight;
    }
    // Divides a flight by its hit mask (MAWS 5.4): its threads that have their data become `ahead`, an unused flight,
    // in a unit of their own.
    void divide(warp::Flight& behind, warp::Flight& ahead);

private:
    Frame& frame_;
    LoadStoreUnit& unit_;
    const bool on_;
    bool asks_ = false; // a flight was put aside since the formation had none to divide
};

} // namespace heddle::sm
