// Cache operators of loads, as far as they matter to the caches of an SM.
#pragma once

#include "ir/micro_op.h"

namespace heddle::ir {

// Of a load: .cg, .cv or .L1::no_allocate, by which its line does not enter the first level. A bit of MicroOp::flags
// that otherwise only set and setp use.
inline constexpr Flag kUncached = kCombineNegated;

[[nodiscard]] inline bool is_uncached(const MicroOp& op) {
    return op.kind == Kind::Load && op.has(kUncached);
}

} // namespace heddle::ir
