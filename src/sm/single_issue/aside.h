// Flights that wait for memory outside the pipeline, and the units that wait with them.
#pragma once

#include <vector>

#include "warp/flight.h"

namespace heddle::sm {

class Aside {
public:
    Aside(unsigned units, std::size_t flights) : of_unit_(units), since_(flights) {}

    [[nodiscard]] unsigned count() const {
        return count_;
    }
    // Puts a flight aside. `waits`: its unit waits too. True when the unit begins to wait.
    bool put(warp::Flight& flight, bool waits, Cycle now) {
        ++count_;
        since_[flight.id] = now;
        flight.waits_long = waits;
        return waits && of_unit_[flight.group.unit]++ == 0;
    }
    // The flight's data are there. True when its unit no longer waits.
    bool take(const warp::Flight& flight) {
        --count_;
        return flight.waits_long && --of_unit_[flight.group.unit] == 0;
    }
    [[nodiscard]] Cycle since(warp::FlightId flight) const {
        return since_[flight];
    }

private:
    std::vector<std::uint16_t> of_unit_;
    std::vector<Cycle> since_; // by flight
    unsigned count_ = 0;
};

} // namespace heddle::sm
