// What a scheduler sees of a core.
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
    // The same by home rows: the block's warps, whatever units their threads are in.
    std::uint32_t warps = 0;
    std::uint32_t waiting_warps = 0;  // some of whose threads are at a barrier
    std::uint32_t finished_warps = 0; // all of whose threads are gone
    std::uint64_t progress = 0;       // sum of active threads over issues (PRO III)
};

struct View {
    const UnitTable& units;
    const UnitSet& long_wait;                // some of its threads are put aside by a long-latency operation
    const UnitSet& at_barrier;               // threads of it came to a barrier; once released it is eligible again
    std::span<const std::uint64_t> progress; // by unit
    std::span<const BlockView> blocks;       // by block slot
    bool blocks_left = false;                // in the thread-block scheduler
    const ir::Program* program = nullptr;

    // It waits for a long-latency operation, or at a barrier.
    [[nodiscard]] bool is_stalled(UnitId unit) const {
        return long_wait.contains(unit) || (at_barrier.contains(unit) && !units.eligible.contains(unit));
    }
};

} // namespace heddle::warp
