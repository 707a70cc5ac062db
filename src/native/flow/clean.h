// Instructions that have no effect.
#pragma once

#include "native/function.h"

namespace heddle::native {

// Removes instructions on registers whose results nothing reads, before allocation.
void remove_unread(Function& function);

// Removes definitions without code, blocks without instructions and branches to them; appends the branches that the
// order of the blocks needs. `order` and targets keep block numbers.
void lay_out(Function& function);

// Where a jump to a block ends, past blocks without instructions. Of blocks that only lead to each other, one of them.
[[nodiscard]] std::uint32_t end_of_jump(const Function& function, std::uint32_t block);

// Whether an instruction only computes its destinations.
[[nodiscard]] bool is_pure(const Instruction& instruction);

} // namespace heddle::native
