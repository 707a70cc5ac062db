// The parameters of a launch that functional execution uses.
#pragma once

#include <span>

#include "base/types.h"
#include "exec/cluster.h"
#include "exec/texture.h"
#include "ir/program.h"

namespace heddle::exec {

struct Launch {
    const ir::Program* program = nullptr;
    const ir::Kernel* kernel = nullptr;
    Dim3 grid;
    Dim3 block;
    Dim3 cluster{};                        // blocks of a cluster, which divides the grid; 1 x 1 x 1: none
    bool explicit_cluster = false;         // the program or the launch has named the shape
    std::uint32_t dynamic_shared = 0;      // bytes beyond the kernel's static ones
    std::span<const std::byte> parameters; // the parameter block, parameter_bytes long
    std::uint64_t grid_id = 0;
    unsigned width = 32;      // lanes of a row
    unsigned rows = 32;       // rows of the SM
    unsigned block_slots = 8; // blocks that can be resident at once
    bool swizzled = false;    // even and odd threads of every other row have swapped lanes
    // Groups are the same threads of one row from the first operation of a straight line to its last
    // (formation::Needs::units_are_rows): the executor may execute a straight line in one call (exec/straight_lines.h).
    bool keeps_lines_whole = false;
    // An access outside every allocation (exec/overruns.h) and a store to a variable of constant memory by its address
    // end the launch, which a GPU lets pass.
    bool strict = true;
    std::uint32_t sms = 1;                  // of the device
    double nanoseconds_per_cycle = 1.0;     // for %globaltimer
    const TextureTable* textures = nullptr; // of the device; null: it has none
    ClusterTable* clusters = nullptr;       // of this launch; null: it has no clusters
    // Address of zeroed memory for the grid's barrier of a cooperative launch, which programs read from %envreg1 (high
    // half) and %envreg2. 0: none.
    Address grid_barrier = 0;

    // The number of a block's cluster in the grid, and of the block in its cluster, x fastest.
    [[nodiscard]] std::uint64_t cluster_of(Dim3 ctaid) const {
        const std::uint64_t y = ctaid.y / cluster.y + std::uint64_t{grid.y / cluster.y} * (ctaid.z / cluster.z);
        return ctaid.x / cluster.x + grid.x / cluster.x * y;
    }
    [[nodiscard]] unsigned rank_in_cluster(Dim3 ctaid) const {
        return ctaid.x % cluster.x + cluster.x * (ctaid.y % cluster.y + cluster.y * (ctaid.z % cluster.z));
    }
    [[nodiscard]] std::uint32_t shared_bytes() const {
        const std::uint32_t fixed = kernel->static_shared;
        return dynamic_shared == 0 ? fixed : ((fixed + 15) & ~15U) + dynamic_shared;
    }
    // Shared memory that the system reserves in a block (%reserved_smem_offset_...): 1 KiB behind that of the program
    // (a GPU has it in front). Only kernels that name these registers reach it.
    static constexpr std::uint32_t kReservedShared = 1024;
    [[nodiscard]] std::uint32_t reserved_shared_begin() const {
        return (shared_bytes() + 127) & ~127U;
    }
    [[nodiscard]] std::uint32_t reachable_shared_bytes() const {
        return kernel->reads_reserved_shared ? reserved_shared_begin() + kReservedShared : shared_bytes();
    }
};

} // namespace heddle::exec
