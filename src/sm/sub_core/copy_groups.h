// Asynchronous copies of up to 16 bytes (cp.async, in native code LDGSTS) that are on their way, by row. A copy issues
// and its warp goes on; the warp waits where the program waits for groups of copies. Threads of a warp that close
// groups apart close one of the warp's each.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "base/types.h"
#include "exec/copy_arrival.h"
#include "warp/flight.h"

namespace heddle::sm {

class CopyGroups {
public:
    static constexpr RowId kNoRow = static_cast<RowId>(-1);

    CopyGroups(std::size_t flights, std::size_t rows) : row_of_(flights, kNoRow), rows_(rows) {}

    void begin_kernel() { // after a launch that was stopped, copies may be on their way
        if (!std::exchange(used_, false))
            return;
        std::fill(row_of_.begin(), row_of_.end(), kNoRow);
        std::fill(rows_.begin(), rows_.end(), Row{});
    }
    // A row issues a copy.
    void begin(warp::FlightId flight, RowId row) {
        used_ = true;
        row_of_[flight] = row;
        rows_[row].last.on_way.push_back(flight);
    }
    // The copies of the row since the last call are a group.
    void commit(RowId row) {
        Row& r = rows_[row];
        r.last.is_group = true;
        close(r);
    }
    // Arrivals at barrier objects take effect when the row's copies so far are there. They are taken.
    void arrive(RowId row, std::vector<exec::CopyArrival>& arrivals) {
        Row& r = rows_[row];
        r.last.arrivals.swap(arrivals);
        close(r);
    }
    // The data of a copy are there. Returns its row, whose waits may have ended; kNoRow: the flight is no copy.
    RowId end(warp::FlightId flight) {
        const RowId row = std::exchange(row_of_[flight], kNoRow);
        if (row == kNoRow)
            return kNoRow;
        Row& r = rows_[row];
        for (Part& part : r.closed)
            std::erase(part.on_way, flight);
        std::erase(r.last.on_way, flight);
        finish_first(r);
        return row;
    }
    // A copy that a wait of the row until at most `groups` groups are on their way waits for; kNoFlight: none.
    [[nodiscard]] warp::FlightId awaited(RowId row, unsigned groups) const {
        const Row& r = rows_[row];
        return r.groups > groups ? r.closed.front().on_way.front() : warp::kNoFlight;
    }
    // The same of a wait for all copies.
    [[nodiscard]] warp::FlightId awaited(RowId row) const {
        const Row& r = rows_[row];
        if (!r.closed.empty())
            return r.closed.front().on_way.front();
        return r.last.on_way.empty() ? warp::kNoFlight : r.last.on_way.front();
    }

private:
    // Copies that end together for waits: a group, or a part of one in front of arrivals.
    struct Part {
        std::vector<warp::FlightId> on_way; // of a closed part that is first: not empty
        std::vector<exec::CopyArrival> arrivals;
        bool is_group = false; // or the end of one
    };
    struct Row {
        std::vector<Part> closed; // the earliest first
        Part last;
        unsigned groups = 0; // among `closed`
    };

    static void close(Row& row) {
        row.groups += row.last.is_group ? 1 : 0;
        row.closed.push_back(std::exchange(row.last, Part{}));
        finish_first(row);
    }
    // Groups end in their order.
    static void finish_first(Row& row) {
        for (; !row.closed.empty() && row.closed.front().on_way.empty(); row.closed.erase(row.closed.begin())) {
            exec::perform(row.closed.front().arrivals);
            row.groups -= row.closed.front().is_group ? 1 : 0;
        }
    }

    std::vector<RowId> row_of_; // by flight
    std::vector<Row> rows_;
    bool used_ = false; // since begin_kernel()
};

} // namespace heddle::sm
