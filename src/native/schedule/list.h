// List scheduling of blocks, before allocation.
#pragma once

#include "native/function.h"
#include "native/target.h"

namespace heddle::native {

struct Pressure {
    unsigned without_loss; // registers that cost no warps of an SM beside the order that the code had
    unsigned alive;        // registers of the order that was made, where most hold values; both with those of target.h
};

// Orders the instructions of each block: of those that may issue, the one with the longest way to the end of the block
// goes first, so that loads go early. Where more than `registers` would be alive, or more than cost no warps, an
// instruction that ends more lives than it begins goes first instead; `spare` lowers the second limit.
Pressure schedule(Function& function, const Target& target, unsigned registers, unsigned spare = 0);

} // namespace heddle::native
