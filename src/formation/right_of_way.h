// The threads that continue while the running threads of a stack wait at a barrier, or for the rest of their PTX warp
// (assumed: the papers have no barriers in divergent code).
//
// Where threads of several PTX warps share a stack (lwm, tbc, rows wider than a warp), one of these warps may rightly
// wait for another that the stack keeps back: any side may continue. In a stack of one PTX warp, a side may only
// continue if it can next come to a barrier at which threads of the stack wait, or ends without a barrier: threads that
// are about to leave the kernel (if (i >= n) return;), and threads that parted from the others where threads may leave,
// and would only meet them at the end. The same holds for threads at a join that would go on without the others.
// Threads that come to another barrier first stay, and a program that needs them there deadlocks. But where nothing
// else may continue, shuffles and votes on the way to that barrier, which may be of these threads alone, do not keep a
// side back; and where the running threads wait for the rest of their PTX warp, any side may continue: its threads are
// among those that the mask names. Where no side is left, the running threads part that have executed the instruction
// with a mask of their own, and threads at a join go on without the others: what a mask names may be behind the join.
// With several PTX warps the same holds where the running threads are at a barrier, and others of the stack wait for
// the rest of their PTX warp.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

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
        if (stack.empty())
            return false;
        std::vector<Pc> syncs{stack.running.at.pc - 1};
        for (const auto& entry : stack.waiting())
            if (entry.at.pc != 0 && overlap(entry.threads, waiting) && syncs_at(entry.at.pc - 1) != ir::Kind::Nop)
                syncs.push_back(entry.at.pc - 1);
        const auto comes = [&](Point at, bool past_warp_syncs) {
            return std::any_of(syncs.begin(), syncs.end(), [&](Pc sync) {
                return ir::can_sync_first_at(ops_, at.pc, at.depth != 0, sync, past_warp_syncs);
            });
        };
        if (stack.give_way(waiting, [&](Point at, bool join) { return (!one_warp_ && !join) || comes(at, false); }))
            return true;
        const auto is_of_warp = [&](Pc sync) { return syncs_at(sync) == ir::Kind::WarpSync; };
        const bool of_warp = is_of_warp(syncs.front());
        if (one_warp_ &&
            stack.give_way(waiting, [&](Point at, bool join) { return !join && (of_warp || comes(at, true)); }))
            return true;
        const bool named = of_warp || (!one_warp_ && std::any_of(syncs.begin(), syncs.end(), is_of_warp));
        return named && (stack.go_ahead(waiting) || stack.give_way(waiting, [](Point, bool) { return true; }));
    }

private:
    // Barrier or WarpSync; Nop: neither, or no program is known.
    [[nodiscard]] ir::Kind syncs_at(Pc pc) const {
        const ir::Kind kind = pc < ops_.size() ? ops_[pc].kind : ir::Kind::Nop;
        return kind == ir::Kind::Barrier || kind == ir::Kind::WarpSync ? kind : ir::Kind::Nop;
    }

    bool one_warp_;
    std::span<const ir::MicroOp> ops_;
};

} // namespace heddle::formation
