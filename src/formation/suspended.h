// The flights of warp-splits that wait for memory, since when, and which of them could still be divided (MAWS 5.2:
// lazy).
#pragma once

#include <utility>
#include <vector>

#include "base/ring_queue.h"
#include "warp/flight.h"

namespace heddle::formation {

class Suspended {
public:
    struct Divisible {
        warp::FlightId flight;
        Cycle since;
        UnitId unit;
        std::uint32_t generation;
        bool committed;
        LaneMask hit, lanes;
    };

    void put(const warp::Flight& flight, Cycle now) {
        if (since_.size() <= flight.id)
            since_.resize(flight.id + 1U, kNever);
        since_[flight.id] = now;
    }
    [[nodiscard]] bool holds(warp::FlightId flight) const {
        return flight < since_.size() && since_[flight] != kNever;
    }
    // It is back: for how long it was away.
    Cycle take(warp::FlightId flight, Cycle now) {
        return now - std::exchange(since_[flight], kNever);
    }

    // A flight that was put may be divided when the core starves.
    void remember(const warp::Flight& flight) {
        while (!divisible_.empty() && !waits(divisible_.front())) // or the queue grew while nobody starves
            divisible_.pop();
        divisible_.push({flight.id, since_[flight.id], flight.group.unit, flight.generation, flight.committed,
                         flight.hit[0], flight.group.part[0].lanes});
    }
    // The one that has waited longest (assumed) of those that still wait and `suits`; those before it are forgotten.
    template <class Suits>
    warp::FlightId oldest(Suits&& suits) {
        while (!divisible_.empty()) {
            const Divisible oldest = divisible_.pop();
            if (waits(oldest) && suits(oldest))
                return oldest.flight;
        }
        return warp::kNoFlight;
    }

private:
    [[nodiscard]] bool waits(const Divisible& d) const {
        return since_[d.flight] == d.since;
    }

    std::vector<Cycle> since_;       // by flight; kNever: it does not wait
    RingQueue<Divisible> divisible_; // by the time they were put; some are back
};

} // namespace heddle::formation
