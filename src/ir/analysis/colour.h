// Dense places for virtual registers.
#pragma once

#include "ir/analysis/cfg.h"
#include "ir/selection/draft.h"

namespace heddle::ir {

// Fills colour, narrow_slots, wide_slots, predicates, live_registers and the calls' live sets of the draft. Registers
// that are alive at the same point never share a slot.
//
// Liveness differs between threads: while some lanes of a row are on one path, others may hold values of another path
// in the same slots. So a slot must belong lane by lane to the same threads at all times, and 32-bit registers (lane i
// at 4 i) never share one with 64-bit registers (lane i at 8 i): each width has a separate area, over all functions of
// a kernel. Time: about proportional to ops times the logarithm, for the usual tens of registers alive at once.
void colour(Draft& draft, const Cfg& cfg);

} // namespace heddle::ir
