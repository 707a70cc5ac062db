// The barriers of clusters on one SM: which threads have arrived in the current phase, and which of them wait. A thread
// arrives and waits by separate instructions (barrier.cluster). A phase may end on another SM: from then on nobody here
// has arrived in the new one, though those that wait are released a cycle later.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "exec/cluster.h"
#include "warp/flight.h"

namespace heddle::sm {

class ClusterBarriers {
public:
    ClusterBarriers(unsigned block_slots, unsigned rows) : waiting_(block_slots), rows_(rows) {}

    // A block with these threads starts.
    void begin_block(unsigned slot, std::span<const warp::Part> threads) {
        for (const warp::Part& part : threads)
            rows_[part.row] = {};
        waiting_[slot].clear();
    }
    // Threads of a row arrive. Those that have arrived in this phase do not count again.
    void arrive(exec::Cluster& cluster, RowId row, LaneMask lanes) {
        LaneMask& arrived = arrived_in(cluster, row);
        cluster.arrived += count_lanes(lanes & ~arrived);
        arrived |= lanes;
    }
    // Threads come to the instruction that waits. Returns those that have to wait; the phase in which the others have
    // arrived is complete.
    LaneMask wait(const exec::Cluster& cluster, unsigned slot, Pc pc, RowId row, LaneMask lanes) {
        const LaneMask waits = lanes & arrived_in(cluster, row);
        if (waits != 0)
            waiting_[slot].push_back({pc, {row, waits}});
        return waits;
    }
    // Threads exit, which the barrier then does not expect.
    void exit(exec::Cluster& cluster, RowId row, LaneMask lanes) {
        LaneMask& arrived = arrived_in(cluster, row);
        cluster.arrived -= count_lanes(arrived & lanes);
        arrived &= ~lanes;
    }
    // A phase is complete. Returns the threads of a block that have waited for it.
    std::vector<warp::Waiting> complete(unsigned slot) {
        return std::exchange(waiting_[slot], {});
    }
    [[nodiscard]] std::span<const warp::Waiting> waiting(unsigned slot) const {
        return waiting_[slot];
    }

private:
    struct Row {
        LaneMask arrived = 0;
        std::uint64_t phase = 0; // in which they have
    };
    // The threads of a row that have arrived in the current phase.
    LaneMask& arrived_in(const exec::Cluster& cluster, RowId row) {
        if (rows_[row].phase != cluster.phase)
            rows_[row] = {0, cluster.phase};
        return rows_[row].arrived;
    }

    std::vector<std::vector<warp::Waiting>> waiting_; // by block slot
    std::vector<Row> rows_;
};

} // namespace heddle::sm
