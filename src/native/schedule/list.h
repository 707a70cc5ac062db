// List scheduling of blocks, before allocation.
#pragma once

#include "native/function.h"
#include "native/target.h"

namespace heddle::native {

// Orders the instructions of each block: of those that may issue, the one with the longest way to the end of the block
// goes first, so that loads go early. Where more than `registers` would be alive, or more than cost no warps beside the
// order that the code has, an instruction that ends more lives than it begins goes first instead; `spare` lowers the
// second limit. Returns the registers that cost no warps.
unsigned schedule(Function& function, const Target& target, unsigned registers, unsigned spare = 0);

} // namespace heddle::native
