// The threads that continue while the running threads of a stack wait at a barrier, or for the rest of their PTX warp
// (assumed: the papers have no barriers in divergent code).
//
// Where threads of several PTX warps share a stack (lwm, tbc, rows wider than a warp), one of these warps may rightly
// wait for another that the stack keeps back: any side may continue. In a stack of one PTX warp, a side may only
// continue if it can come to the same barrier next, or ends without a barrier: threads that are about to leave the
// kernel (if (i >= n) return;), and threads that parted from the others where threads may leave, and would only meet
// them at the end. Threads that come to another barrier first stay, and a program that needs them there deadlocks.
#pragma once

#include <span>

#include "formation/reconvergence_stack.h"
#include "ir/analysis/sync_order.h"
#include "ir/program.h"

namespace heddle::formation {

class RightOfWay {
public:
    explicit RightOfWay(bool one_warp) : one_warp_(one_warp) {}

    void use(const ir::Program& program) {
        ops_ = program.ops;
    }
    // The running threads are behind the instruction at which they wait: all of them or, with several PTX warps, some.
    // True when the running threads change.
    template <class Threads>
    bool give_way(ReconvergenceStack<Threads>& stack, const Threads& waiting) const {
        const Pc sync = stack.running.at.pc - 1;
        return stack.give_way(waiting, [&](Point at, bool join) {
            return (!one_warp_ && !join) || ir::can_sync_first_at(ops_, at.pc, at.depth != 0, sync);
        });
    }

private:
    bool one_warp_;
    std::span<const ir::MicroOp> ops_;
};

} // namespace heddle::formation
