// The flights of warp-splits that wait for memory, the start of each wait, and the flights that can be divided later
// (MAWS 5.2: lazy).
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
    // The flight is back. Returns the duration of its wait.
    Cycle take(warp::FlightId flight, Cycle now) {
        return now - std::exchange(since_[flight], kNever);
    }

    // The waiting flight may be divided when the core starves.
    void remember(const warp::Flight& flight) {
        while (!divisible_.empty() && !waits(divisible_.front())) // bounds the queue
            divisible_.pop();
        divisible_.push({flight.id, since_[flight.id], flight.group.unit, flight.generation, flight.committed,
                         flight.hit[0], flight.group.part[0].lanes});
    }
    // The flight that has waited longest (assumed), of those that still wait and `suits`. Earlier flights are dropped.
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
    RingQueue<Divisible> divisible_; // by the start of their wait; some have ended
};

} // namespace heddle::formation
