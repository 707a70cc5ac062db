// Short branches become predicates.
#pragma once

#include "ir/analysis/cfg.h"
#include "ir/selection/draft.h"

namespace heddle::native {

// Replaces short branches (over one side, or over both sides of an if and else) by guards, and branches to the end of
// the kernel by guarded exits, where ptxas does so: docs/native-code.md has the rules. Operations on registers whose
// results no other path reads lose nothing by executing for all threads and stay without a guard. Registers that only
// the guarded micro-ops read keep no old value: marked in the result, by op. Sides with barriers, exchanges between
// lanes, atomics or further branches are left as they are.
[[nodiscard]] std::vector<bool> predicate_branches(ir::Draft& draft);

} // namespace heddle::native
