// Instructions that have no effect.
#pragma once

#include "native/function.h"

namespace heddle::native {

// Removes instructions on registers whose results nothing reads, before allocation.
void remove_unread(Function& function);

// Removes definitions without code, blocks without instructions and branches to them; appends the branches that the
// order of the blocks needs. `order` and targets keep block numbers.
void lay_out(Function& function);

// Whether an instruction only computes its destinations.
[[nodiscard]] bool is_pure(const Instruction& instruction);

} // namespace heddle::native
