// How many blocks of a launch an SM can hold, and what keeps it from holding more.
#pragma once

#include <string_view>

#include "exec/launch.h"
#include "sm/frame/core_config.h"

namespace heddle::sm {

struct Occupancy {
    unsigned blocks = 0;
    std::string_view limited_by; // "threads", "blocks", "registers" or "shared memory"; the first that is reached
};

// Registers a thread of a kernel takes: no more than its .maxntid leaves room for (assumed). Who compiles a kernel
// under such a bound spills what is more; the PTX does not know how much, so no spills are simulated.
[[nodiscard]] std::uint32_t registers_of(const CoreConfig& core, const ir::Kernel& kernel);

// Threads take whole rows. `shared_bytes`: shared memory of the SM.
[[nodiscard]] Occupancy occupancy(const CoreConfig& core, std::uint64_t shared_bytes, const exec::Launch& launch);

} // namespace heddle::sm
