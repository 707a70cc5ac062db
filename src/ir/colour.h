// Dense places for virtual registers.
#pragma once

#include "ir/cfg.h"
#include "ir/draft.h"

namespace heddle::ir {

// Fills colour, slots, predicates, live_registers and the calls' live sets of the draft. Registers that are alive
// at the same point never share a slot; 64-bit registers begin at even slots, so that two of them never half overlap.
// Time: about proportional to ops times the logarithm, for the usual tens of registers alive at once.
void colour(Draft& draft, const Cfg& cfg);

} // namespace heddle::ir
