// Clusters of thread blocks in launches.
#pragma once

#include <string>

#include "graph.h"

namespace heddle::cudart {

// The blocks of a launch's cluster: as the launch says, else as the kernel does (__cluster_dims__); 1 x 1 x 1 without
// clusters.
[[nodiscard]] dim3 cluster_of(const runtime::KernelInfo& kernel, const dim3& asked);

// The cluster that a launch names, or else the one that the program has required of the kernel.
[[nodiscard]] dim3 named_cluster(const Kernel& kernel, const dim3& asked);

// The error of a launch whose clusters cannot be; `why`: text for people. `resident`: blocks that a GPC holds, or the
// device where it has no GPCs.
[[nodiscard]] cudaError_t check_cluster(const runtime::KernelInfo& info, const Kernel& kernel, const dim3& grid,
                                        const dim3& asked, std::uint64_t resident, std::string& why);

} // namespace heddle::cudart
