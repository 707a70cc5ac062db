// The first barrier or warp synchronisation that threads reach.
#pragma once

#include <span>

#include "base/types.h"
#include "ir/micro_op.h"

namespace heddle::ir {

// Whether threads at `from` can reach the synchronisation at `sync` (a Barrier or WarpSync) before any other, or end
// without one. Threads in a function (`in_function`) may have been called from anywhere: a return leads behind every
// call of its function. The targets of a jump through a register are not known: such a path counts as not reaching
// `sync`. `past_warp_syncs`: a WarpSync on the way is none that comes before.
[[nodiscard]] bool can_sync_first_at(std::span<const MicroOp> ops, Pc from, bool in_function, Pc sync,
                                     bool past_warp_syncs = false);

} // namespace heddle::ir
