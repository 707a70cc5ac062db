// Arrivals of bulk copies at barrier objects. A thread issues a copy and its arrivals one after the other and goes on.
// The arrivals take effect when the data of the copy have come.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "base/types.h"
#include "exec/copy_arrival.h"
#include "warp/flight.h"

namespace heddle::sm {

class CopyArrivals {
public:
    CopyArrivals(std::size_t flights, std::size_t rows) : copies_(flights), last_(rows, warp::kNoFlight) {}

    void begin_kernel() { // after a launch that was stopped, copies may be on their way
        if (!std::exchange(used_, false))
            return;
        std::fill(copies_.begin(), copies_.end(), Copy{});
        std::fill(last_.begin(), last_.end(), warp::kNoFlight);
    }
    // A row issues a copy.
    void begin(warp::FlightId flight, RowId row) {
        used_ = true;
        copies_[flight].row = row;
        last_[row] = flight;
    }
    // Arrivals of the row's last copy, which are taken: at once if it is there.
    void arrive(RowId row, std::vector<exec::CopyArrival>& arrivals) {
        if (last_[row] == warp::kNoFlight) {
            exec::perform(arrivals);
            return;
        }
        std::vector<exec::CopyArrival>& own = copies_[last_[row]].arrivals;
        own.insert(own.end(), arrivals.begin(), arrivals.end());
        arrivals.clear();
    }
    // The data of a copy are there.
    void end(warp::FlightId flight) {
        Copy& copy = copies_[flight];
        if (copy.row == kNoRow)
            return;
        if (last_[copy.row] == flight)
            last_[copy.row] = warp::kNoFlight;
        copy.row = kNoRow;
        exec::perform(copy.arrivals);
    }
    // All threads of a row have exited: its block may be over, and another one have its shared memory.
    void end_row(RowId row) {
        if (!used_)
            return;
        for (Copy& copy : copies_)
            if (copy.row == row) {
                copy.row = kNoRow;
                exec::perform(copy.arrivals);
            }
        last_[row] = warp::kNoFlight;
    }

private:
    static constexpr RowId kNoRow = static_cast<RowId>(-1);
    struct Copy {
        RowId row = kNoRow; // kNoRow: the flight is no copy
        std::vector<exec::CopyArrival> arrivals;
    };

    std::vector<Copy> copies_;         // by flight
    std::vector<warp::FlightId> last_; // by row: its last copy, if its data are not there
    bool used_ = false;                // since begin_kernel()
};

} // namespace heddle::sm
