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

// Shared memory of an SM, as blocks get it.
struct SharedRoom {
    std::uint64_t bytes;
    std::uint64_t reserve = 0; // what the system takes of a block
    std::uint64_t unit = 1;    // a block's part is a multiple of this
    SharedRoom(std::uint64_t bytes, std::uint64_t reserve = 0, std::uint64_t unit = 1)
        : bytes(bytes), reserve(reserve), unit(unit) {}
    // Of a machine.
    explicit SharedRoom(const config::Machine& machine);
};

// Registers of a thread of a kernel: at most as many as .maxnreg, .maxntid and .minnctapersm leave, and on machines
// with native code as a thread can name. A compiler spills the registers beyond this bound. On machines without native
// code the PTX does not say how many, so spills are not simulated.
[[nodiscard]] std::uint32_t registers_of(const CoreConfig& core, const ir::Kernel& kernel);

// The most registers of a thread with which an SM holds a block of so many threads.
[[nodiscard]] std::uint64_t registers_for(const CoreConfig& core, std::uint64_t threads);

// Threads take whole rows. A block that fits only with fewer registers gets fewer: on machines with native code as many
// as there are, as its code is made for the block then; on others as many as its native code would have, where these
// are known, and at most what a thread of compute capability 2 can name.
[[nodiscard]] Occupancy occupancy(const CoreConfig& core, const SharedRoom& shared, const exec::Launch& launch);

// The smallest of some sizes of shared memory, ascending, with which as many blocks are resident as with the largest.
// Those of `shared` are not read.
[[nodiscard]] std::uint64_t carve_out(const CoreConfig& core, std::span<const std::uint64_t> sizes,
                                      const SharedRoom& shared, const exec::Launch& launch);

} // namespace heddle::sm
