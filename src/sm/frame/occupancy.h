// The number of blocks of a launch that an SM can hold, and the resource that limits it.
#pragma once

#include <span>
#include <string_view>

#include "exec/launch.h"
#include "sm/frame/core_config.h"

namespace heddle::sm {

struct Occupancy {
    unsigned blocks = 0;
    std::string_view limited_by; // "threads", "blocks", "registers" or "shared memory": the first limit that is reached
};

// Registers of a thread of a kernel, at most as many as .maxntid leaves room for (assumed). A compiler spills the
// registers beyond this bound. The PTX does not say how many, so spills are not simulated.
[[nodiscard]] std::uint32_t registers_of(const CoreConfig& core, const ir::Kernel& kernel);

// Threads take whole rows. `shared_bytes`: shared memory of the SM; `reserve`: what of it the system takes of a block.
[[nodiscard]] Occupancy occupancy(const CoreConfig& core, std::uint64_t shared_bytes, const exec::Launch& launch,
                                  std::uint64_t reserve = 0);

// The smallest of some sizes of shared memory, ascending, with which as many blocks are resident as with the largest.
[[nodiscard]] std::uint64_t carve_out(const CoreConfig& core, std::span<const std::uint64_t> sizes,
                                      const exec::Launch& launch, std::uint64_t reserve);

} // namespace heddle::sm
