// Which barrier or warp synchronisation threads come to first.
#pragma once

#include <span>

#include "base/types.h"
#include "ir/micro_op.h"

namespace heddle::ir {

// Whether threads at `from` can come to the synchronisation at `sync` (a Barrier or WarpSync) before they come to any
// other, or come to none at all before they end. Where they go when they return from the function that they are in
// (`in_function`), or jump through a register, is not known: they do not come to `sync` that way.
[[nodiscard]] bool can_sync_first_at(std::span<const MicroOp> ops, Pc from, bool in_function, Pc sync);

} // namespace heddle::ir
