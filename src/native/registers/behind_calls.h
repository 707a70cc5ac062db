// Registers that called functions leave alone, because their callers need them behind the call.
#pragma once

#include <cstdint>
#include <vector>

#include "native/function.h"

namespace heddle::native {

// As many as the registers that functions of CUDA's calling convention keep for their callers (R16 to R31), and some
// for what is only read behind the next call; assumed.
inline constexpr unsigned kMostBehindCalls = 24;

// Before allocation: takes to local memory what is needed behind calls beyond `most` registers, and all predicates.
void store_at_calls(Function& function, unsigned most);

// The first registers of each kind belong to callers.
struct Kept {
    std::uint32_t vector = 0;   // a multiple of 4, so that groups of registers stay aligned
    std::uint32_t barriers = 0; // convergence barriers
};

// What the functions that `function` calls have to leave alone: kept[n], of CALL's Modifiers::imm n, grows where
// needed. `function` has its registers; those that it has to leave alone itself are kept[which].
void keep_behind_calls(const Function& function, std::uint32_t which, std::vector<Kept>& kept);

// Gives the function, which has registers from R0 and B0 on, those behind what its callers keep.
void move_behind(Function& function, const Kept& kept);

} // namespace heddle::native
