// Values that are the same in all lanes of a warp.
#pragma once

#include <cstdint>
#include <vector>

#include "native/function.h"

namespace heddle::native {

// Of code before allocation. A register is uniform where each instruction that writes it computes from constants,
// parameters, special registers of the block or grid and uniform registers, under a uniform guard or none, in a block
// that all live threads of the warp execute together. A block between a branch that may part them and the place where
// they meet again is none; where one side of the branch only ends threads, the other side is.
struct Uniformity {
    std::vector<bool> registers; // by virtual register
    std::vector<bool> together;  // by block
};
[[nodiscard]] Uniformity find_uniform(const Function& function);

// By virtual register: all threads that execute an instruction together read the same value from it. Beside the uniform
// ones these are registers that one instruction writes, also in a block of some threads of the warp, and computes from
// such registers.
[[nodiscard]] std::vector<bool> find_equal(const Function& function);

} // namespace heddle::native
