// The state of a core that a scheduler reads.
#pragma once

#include <span>

#include "ir/program.h"
#include "warp/unit_table.h"

namespace heddle::warp {

struct BlockView { // of a resident block, by block slot
    bool resident = false;
    std::uint64_t global_id = 0; // linear index in the grid
    std::uint32_t live_threads = 0;
    std::uint32_t waiting_threads = 0; // at a barrier
    std::uint32_t finished_threads = 0;
    // Home rows of the block, independent of the units that their threads are in.
    std::uint32_t warps = 0;
    std::uint32_t waiting_warps = 0;  // rows with a thread at a barrier
    std::uint32_t finished_warps = 0; // rows whose threads have all ended
    std::uint64_t progress = 0;       // sum of active threads over issues (PRO III)
};

struct View {
    const UnitTable& units;
    const UnitSet& long_wait;  // units with threads put aside by a long-latency operation
    const UnitSet& at_barrier; // units with threads that have reached a barrier; eligible again after the release
    std::span<const std::uint64_t> progress; // by unit
    std::span<const BlockView> blocks;       // by block slot
    bool blocks_left = false;                // in the thread-block scheduler
    const ir::Program* program = nullptr;

    // The unit waits for a long-latency operation, or at a barrier.
    [[nodiscard]] bool is_stalled(UnitId unit) const {
        return long_wait.contains(unit) || (at_barrier.contains(unit) && !units.eligible.contains(unit));
    }
};

} // namespace heddle::warp
