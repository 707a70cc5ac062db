// Instructions of the uniform path.
#pragma once

#include "native/function.h"

namespace heddle::native {

// Before allocation: moves registers that are uniform (analysis.h) to uniform registers and uniform predicates, where
// the uniform path has the instructions that write them, and each instruction that reads them is of the uniform path or
// may read them. A vector instruction of the integer or multiply pipe reads one, where a constant could stand; an
// access has one as its base; a branch may have a uniform predicate. No copy takes a value to a vector register: what
// is needed there is computed there. Constants of a bank that instructions of the
// uniform path read come by ULDC.
void select_uniform(Function& function);

// Before allocation: marks branches whose guards are uniform, so that they need no convergence barrier.
void mark_uniform_branches(Function& function);

} // namespace heddle::native
