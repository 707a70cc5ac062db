// An internal check of the lowered program.
#pragma once

#include "ir/program.h"

namespace heddle::ir {

// Checks that every place lies in the kernel's frame or pool, aligned as its storage demands, that targets and
// reconvergence points lie in their function (calls: at a function's begin) and that each kind has the operands it
// needs. Throws std::logic_error with the micro-op: an error here is a fault of the lowering, never of the user.
void verify(const Program& program, const Kernel& kernel);

} // namespace heddle::ir
