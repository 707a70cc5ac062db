// Asynchronous copies of up to 16 bytes (cp.async) as micro-ops. A copy is a load and a store; the store has the flag
// kAsyncCopy. The micro-ops of kind Nop that close a group, or wait for groups, have the flag and one of these numbers
// as `imm`; an arrival at a barrier object that waits for the copies of its thread has the flag, and kWithCopy. In
// native code a copy is one micro-op (micro_op.h). Copies execute at once: the checker of races (check/) reads the
// rest, and a core where copies of native code are asynchronous in time (sm/sub_core/copy_groups.h).
#pragma once

#include <cstdint>

namespace heddle::ir::async_copy {

// From 0 on: a wait until at most so many of the last groups are on their way.
inline constexpr std::int64_t kCloseGroup = -1; // cp.async.commit_group
inline constexpr std::int64_t kWaitForAll = -2; // cp.async.wait_all

} // namespace heddle::ir::async_copy
