// Which registers hold a value that is still needed, a function at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "ir/cfg.h"

namespace heddle::ir {

// Calls visit(register) for each register a micro-op reads (guards and places of the pool aside; see guard).
template <typename Visit>
void each_use(const MicroOp& op, Visit visit) {
    for (const Place p : op.src)
        if (p != kNowhere && (p & kPool) == 0)
            visit(p);
    if (op.guard != kNowhere && (op.guard & kPool) == 0)
        visit(op.guard);
}

template <typename Visit>
void each_definition(const MicroOp& op, Visit visit) {
    for (const Place p : op.dst)
        if (p != kNowhere)
            visit(p);
}

// Registers alive at the end of each block, sorted. A definition under a guard is none here: lanes whose guard is
// false keep the old value. A row's frame is shared lane by lane and each thread follows its own path, so liveness
// along the paths of one thread is enough for SIMT.
[[nodiscard]] std::vector<std::vector<std::uint32_t>> live_out(const Draft& draft, const Cfg& cfg);

} // namespace heddle::ir
