// Cache operators of loads, as far as they matter to the caches of an SM. Bulk copies to shared memory are such loads.
#pragma once

#include "ir/micro_op.h"

namespace heddle::ir {

// Whether the lines of a load do not enter the first-level cache. Stores have the operators too, without effect there.
[[nodiscard]] inline bool is_uncached(const MicroOp& op) {
    return op.has(kUncached) && (op.kind == Kind::Load || op.kind == Kind::Texture);
}

// Whether a micro-op drops what the first-level cache holds, as native code does behind an acquire (CCTL.IVALL).
[[nodiscard]] inline bool drops_lines(const MicroOp& op) {
    return op.opcode == Opcode::Fence && op.kind == Kind::Nop;
}

} // namespace heddle::ir
