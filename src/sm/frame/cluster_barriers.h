// The barriers of clusters on one SM: which threads have arrived in the current phase, and which of them wait. A thread
// arrives and waits by separate instructions (barrier.cluster).
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "exec/cluster.h"
#include "warp/flight.h"

namespace heddle::sm {

class ClusterBarriers {
public:
    ClusterBarriers(unsigned block_slots, unsigned rows) : waiting_(block_slots), arrived_(rows) {}

    // A block with these threads starts.
    void begin_block(unsigned slot, std::span<const warp::Part> threads) {
        for (const warp::Part& part : threads)
            arrived_[part.row] = 0;
        waiting_[slot].clear();
    }
    // Threads of a row arrive. Those that have arrived in this phase do not count again.
    void arrive(exec::Cluster& cluster, RowId row, LaneMask lanes) {
        cluster.arrived += count_lanes(lanes & ~arrived_[row]);
        arrived_[row] |= lanes;
    }
    // Threads come to the instruction that waits. Returns those that have to wait; the phase in which the others have
    // arrived is complete.
    LaneMask wait(unsigned slot, Pc pc, RowId row, LaneMask lanes) {
        const LaneMask waits = lanes & arrived_[row];
        if (waits != 0)
            waiting_[slot].push_back({pc, {row, waits}});
        return waits;
    }
    // Threads exit, which the barrier then does not expect.
    void exit(exec::Cluster& cluster, RowId row, LaneMask lanes) {
        cluster.arrived -= count_lanes(arrived_[row] & lanes);
        arrived_[row] &= ~lanes;
    }
    // The phase is complete. Returns the threads of a block that have waited for it.
    std::vector<warp::Waiting> complete(unsigned slot, std::span<const warp::Part> threads) {
        for (const warp::Part& part : threads)
            arrived_[part.row] = 0;
        return std::exchange(waiting_[slot], {});
    }
    [[nodiscard]] std::span<const warp::Waiting> waiting(unsigned slot) const {
        return waiting_[slot];
    }

private:
    std::vector<std::vector<warp::Waiting>> waiting_; // by block slot
    std::vector<LaneMask> arrived_;                   // by row
};

} // namespace heddle::sm
