// State of the instructions in flight in an SM with sub-cores, beside the flight of the frame.
#pragma once

#include <array>
#include <vector>

#include "sm/sub_core/decoded.h"
#include "sm/sub_core/issue_unit.h"
#include "warp/flight.h"

namespace heddle::sm {

class InFlight {
public:
    // Instructions in flight at once, without those that pass (core.h). When all are in use nothing is issued.
    static constexpr unsigned kMost = 512;
    static_assert(kMost == IssueUnit::kNoLoad);

    struct alignas(32) State {     // two lie in a cache line of the host
        bool at_memory = false;    // it goes through the load/store unit
        bool has_port = false;     // to write the results of a load
        bool commits_late = false; // its next PCs do not count yet
        bool tests_phase = false;  // PhaseTests has it
        bool copies = false;       // CopyArrivals or CopyGroups has it
        const Decoded* op = nullptr;
        Cycle aside_since = kNever;      // the cycle in which it was put aside; kNever: it was not
        std::uint64_t memory_stalls = 0; // issue slots that waited for its data

        [[nodiscard]] bool writes() const { // registers
            return op->writes != 0;
        }
    };

    InFlight() : states_(kMost + 1) {
        for (unsigned f = kMost; f-- > 0;)
            free_.push_back(static_cast<warp::FlightId>(f));
    }

    [[nodiscard]] bool is_full() const {
        return free_.empty();
    }
    // Takes a flight that is not in use; not to be called when is_full().
    warp::FlightId open(const State& state) {
        const warp::FlightId f = free_.back();
        free_.pop_back();
        states_[f] = state;
        return f;
    }
    void close(warp::FlightId f) {
        free_.push_back(f);
    }
    [[nodiscard]] State& operator[](warp::FlightId f) { // kNoLoad has a state too
        return states_[f];
    }
    [[nodiscard]] const State& operator[](warp::FlightId f) const {
        return states_[f];
    }

private:
    std::vector<State> states_;
    std::vector<warp::FlightId> free_;
};

} // namespace heddle::sm
