// From the micro-ops of a kernel to native code.
#pragma once

#include <cstddef>
#include <string>

#include "ir/program.h"
#include "native/function.h"
#include "native/target.h"

namespace heddle::native {

struct Settings {
    unsigned registers = 0; // of a thread at most; 0: as many as the kernel's .maxntid leaves, 255 at most
    // Threads that execute an instruction together are the same of one warp to the end of the block. cp.async is one
    // instruction then, and a wait for groups of copies is one; else a copy is a load and a store. An atomic operation
    // on one word is one for all of them.
    bool rows_stay_whole = true;
    // Of a kernel that has more micro-ops than these with all calls replaced, functions with several calls stay
    // functions.
    std::size_t in_place = 1U << 14;
};

// Throws UserError where the back end has no code for an instruction (named, with its line), or registers do not
// suffice.
[[nodiscard]] Function compile(const ir::Program& program, const ir::Kernel& kernel, const Target& target,
                               const Settings& settings = {});

// The code beside the lines of PTX that it came from, with registers and instructions by pipe.
[[nodiscard]] std::string listing(const ir::Program& program, const Function& function, const Target& target);

} // namespace heddle::native
