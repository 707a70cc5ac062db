// Atomic operations of a warp on one word.
#pragma once

#include "native/function.h"
#include "native/target.h"

namespace heddle::native {

// Where all threads that execute an atomic operation of 32-bit integers together have the same address, one of them
// executes it for all, with the sum (minimum, ...) of their values, as in ptxas's code (docs/native-code.md). Results
// are those of one operation a thread, in the order of the lanes. `uniform`: the code may use uniform registers.
// For cores on which the threads of an instruction stay together to the end of the block.
void combine_atomics(Function& function, const Target& target, bool uniform);

} // namespace heddle::native
