#include "native/input/predicate_branches.h"

#include <algorithm>

#include "ir/analysis/liveness.h"
#include "native/input/recover.h"

namespace heddle::native {

namespace {

using ir::Kind;
using ir::MicroOp;
using ir::Place;

class Predication {
public:
    explicit Predication(ir::Draft& draft)
        : draft_(draft), forgets_(draft.ops.size(), false), cfg_(ir::make_cfg(draft, {})),
          segments_(ir::live_segments(draft, cfg_)), sources_(cfg_.blocks.size(), 0) {
        for (std::uint32_t b = 0; b < cfg_.blocks.size(); ++b)
            for (const std::uint32_t s : cfg_.graph.successors[b])
                ++sources_[s];
    }

    std::vector<bool> run() {
        for (std::uint32_t b = 0; b + 1 < cfg_.blocks.size(); ++b)
            if (const MicroOp& op = draft_.ops[cfg_.blocks[b].end - 1]; op.is_conditional_branch())
                if (!try_if(b))
                    try_if_else(b);
        return std::move(forgets_);
    }

private:
    [[nodiscard]] const ir::Block& block(std::uint32_t b) const {
        return cfg_.blocks[b];
    }

    // Whether the ops of a block can be guarded by `guard`. `jumps`: its last op is a branch without a guard.
    [[nodiscard]] bool fits(std::uint32_t b, Place guard, bool jumps) const {
        const ir::Block& body = block(b);
        const std::uint32_t end = body.end - (jumps ? 1 : 0);
        if (sources_[b] != 1 || end - body.begin > kMostPredicated)
            return false;
        for (std::uint32_t i = body.begin; i < end; ++i) {
            const MicroOp& op = draft_.ops[i];
            const bool simple = op.kind == Kind::Alu || op.kind == Kind::Special || op.kind == Kind::Load ||
                                ir::stores(op.kind) || op.kind == Kind::Nop;
            const bool writes_guard = std::find(op.dst.begin(), op.dst.end(), guard) != op.dst.end();
            if (!simple || op.guard != ir::kNowhere || writes_guard || is_routine(op))
                return false;
        }
        return !jumps || is_jump(draft_.ops[end]);
    }

    [[nodiscard]] static bool is_jump(const MicroOp& op) {
        return op.kind == Kind::Branch && op.guard == ir::kNowhere;
    }

    // Divisions are long: a branch over one is worth it.
    [[nodiscard]] static bool is_routine(const MicroOp& op) {
        return op.work == ir::Work::Div || (op.opcode == ir::Opcode::Sqrt && !op.has(ir::kApprox));
    }

    // Registers alive at the begin of an op.
    [[nodiscard]] bool is_alive(Place r, std::uint32_t op) const {
        return std::any_of(segments_[r].begin(), segments_[r].end(),
                           [&](const ir::Segment& s) { return s.from <= 2 * op && 2 * op < s.to; });
    }

    // `elsewhere`: the op at which the threads of the other path go on.
    void guard(std::uint32_t b, Place predicate, bool negated, std::uint32_t elsewhere, bool jumps) {
        for (std::uint32_t i = block(b).begin; i < block(b).end - (jumps ? 1 : 0); ++i) {
            MicroOp& op = draft_.ops[i];
            const bool is_read = std::any_of(op.dst.begin(), op.dst.end(),
                                             [&](Place r) { return r != ir::kNowhere && is_alive(r, elsewhere); });
            if (op.kind == Kind::Alu && !is_read)
                continue;
            op.guard = predicate;
            op.guard_negated = negated;
            forgets_[i] = !is_read;
        }
    }

    void remove(MicroOp& op) {
        op = {};
        op.opcode = ir::Opcode::Bra;
        op.kind = Kind::Nop;
    }

    bool try_if(std::uint32_t b) {
        MicroOp& branch = draft_.ops[block(b).end - 1];
        if (b + 2 >= cfg_.blocks.size() || branch.target != block(b + 2).begin || !fits(b + 1, branch.guard, false) ||
            cfg_.graph.successors[b + 1] != std::vector<std::uint32_t>{b + 2})
            return false;
        guard(b + 1, branch.guard, !branch.guard_negated, block(b + 2).begin, false);
        remove(branch);
        return true;
    }

    bool try_if_else(std::uint32_t b) {
        MicroOp& branch = draft_.ops[block(b).end - 1];
        if (b + 3 >= cfg_.blocks.size() || branch.target != block(b + 2).begin ||
            block(b + 1).end == block(b + 1).begin)
            return false;
        MicroOp& jump = draft_.ops[block(b + 1).end - 1];
        if (!is_jump(jump) || jump.target != block(b + 3).begin || !fits(b + 1, branch.guard, true) ||
            !fits(b + 2, branch.guard, false) || cfg_.graph.successors[b + 2] != std::vector<std::uint32_t>{b + 3})
            return false;
        guard(b + 1, branch.guard, !branch.guard_negated, block(b + 2).begin, true);
        // What both sides write keeps the result of the first for the threads that do not execute the second.
        guard(b + 2, branch.guard, branch.guard_negated, block(b + 3).begin, false);
        remove(jump);
        remove(branch);
        return true;
    }

    ir::Draft& draft_;
    std::vector<bool> forgets_;
    const ir::Cfg cfg_;
    const std::vector<std::vector<ir::Segment>> segments_;
    std::vector<std::uint32_t> sources_; // by block: edges into it
};

} // namespace

std::vector<bool> predicate_branches(ir::Draft& draft) {
    return Predication(draft).run();
}

} // namespace heddle::native
