// Registers that are worth giving up, because an SM then has room for more warps.
#pragma once

#include "ir/program.h"
#include "native/target.h"

namespace heddle::native {

struct MoreWarps {
    unsigned registers = 0; // of a thread; 0: there is nothing to try
    double gain = 0;        // of warps: 1 is twice as many
};

// For code with `registers`. Warps are those of whole blocks, where the kernel bounds its threads, else as many on each
// sub-core. As ptxas does it (13.0, sm_80 and sm_86): a third more warps are worth some registers, a fifth more are
// not. Less than three quarters of the registers are taken to be out of reach.
[[nodiscard]] MoreWarps more_warps(unsigned registers, const ir::Kernel& kernel, const Target& target);

} // namespace heddle::native
