// Whether a launch has clusters of blocks, and which it may have.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "exec/launch.h"
#include "ir/program.h"

namespace heddle::gpu {

[[nodiscard]] bool uses_cluster_barrier(const ir::Program& program, const ir::Kernel& kernel);

// The reason why a launch cannot have its clusters; empty when it can. `resident`: blocks that `holder`, a GPC or the
// device, holds, in which a cluster lies.
[[nodiscard]] std::string cluster_refusal(const exec::Launch& launch, std::uint64_t resident, std::string_view holder);

} // namespace heddle::gpu
