#include "gpu/cluster_limits.h"

#include <algorithm>

#include <fmt/format.h>

#include "exec/cluster.h"

namespace heddle::gpu {

bool uses_cluster_barrier(const ir::Program& program, const ir::Kernel& kernel) {
    return std::any_of(program.ops.begin() + kernel.begin, program.ops.begin() + kernel.end, [](const ir::MicroOp& op) {
        return op.sub == ir::Sub::BarClusterArrive || op.sub == ir::Sub::BarClusterWait;
    });
}

std::string cluster_refusal(const exec::Launch& launch, std::uint64_t resident, std::string_view holder) {
    const Dim3 c = launch.cluster, grid = launch.grid;
    const auto shape = [](Dim3 d) { return fmt::format("{}x{}x{}", d.x, d.y, d.z); };
    if (std::max({c.x, c.y, c.z}) > exec::kMostBlocksOfCluster || c.count() > exec::kMostBlocksOfCluster)
        return fmt::format("a cluster of {} blocks is larger than {}", shape(c), exec::kMostBlocksOfCluster);
    if (launch.kernel->largest_cluster != 0 && c.count() > launch.kernel->largest_cluster)
        return fmt::format("a cluster of {} blocks is larger than the kernel's .maxclusterrank of {}", shape(c),
                           launch.kernel->largest_cluster);
    if (grid.x % c.x != 0 || grid.y % c.y != 0 || grid.z % c.z != 0)
        return fmt::format("a grid of {} blocks does not divide into clusters of {}", shape(grid), shape(c));
    if (c.count() > resident)
        return fmt::format("a cluster of {} blocks, all of which have to run at once, does not fit: {} holds {}",
                           shape(c), holder, resident);
    return {};
}

} // namespace heddle::gpu
