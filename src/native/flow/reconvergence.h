// Convergence barriers: where lanes that a branch parts wait for each other.
#pragma once

#include "ir/analysis/cfg.h"
#include "native/function.h"

namespace heddle::native {

inline constexpr unsigned kMostBarriers = 16; // B0 to B15

// For each branch that may part lanes and whose paths meet again: BSSY in front of it, BSYNC where they meet, its
// immediate post-dominator. BSSY of a branch that leaves a loop stands in front of the loop: in the loop, lanes that go
// on would take the place of those that wait. Branches that meet at one place and are dominated by each other's BSSY
// share it. No barrier stands around a loop whose end depends on an atomic operation or a volatile or strong load in
// it: its threads may wait for each other, as at a spin lock. Such a loop has YIELD in front of each branch that
// leaves it, for barriers around it, unless it tests barrier objects. Where `most` barriers are in use already, a
// branch gets none: its threads meet at the next barrier around it. CALL gets one more than the highest number in use
// there.
void place_barriers(Function& function, unsigned most = kMostBarriers);

} // namespace heddle::native
