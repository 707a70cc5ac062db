#include "native/input/predicate_branches.h"

#include <algorithm>
#include <map>

#include "ir/analysis/liveness.h"
#include "ir/analysis/loops.h"
#include "native/input/recover.h"

namespace heddle::native {

namespace {

using ir::Kind;
using ir::MicroOp;
using ir::Place;

// Sizes in micro-ops; a branch counts.
constexpr unsigned kMostOfSide = 8;
constexpr unsigned kMostOverlapping = 20; // of both sides, where their operations or those around them hide loads
constexpr unsigned kLongBlock = 7;

// The load may take the latency of the L2 or of DRAM.
bool is_far_load(const MicroOp& op) {
    return op.kind == Kind::Load &&
           (op.space == ir::Space::Global || op.space == ir::Space::Local || op.space == ir::Space::Generic);
}

class Predication {
public:
    explicit Predication(ir::Draft& draft)
        : draft_(draft), forgets_(draft.ops.size(), false), cfg_(ir::make_cfg(draft, {})),
          segments_(ir::live_segments(draft, cfg_)), loops_(ir::find_loops(cfg_.graph)),
          sources_(cfg_.blocks.size(), 0) {
        for (std::uint32_t b = 0; b < cfg_.blocks.size(); ++b) {
            begin_.push_back(block(b).begin);
            for (const std::uint32_t s : cfg_.graph.successors[b])
                ++sources_[s];
        }
    }

    std::vector<bool> run() {
        for (std::uint32_t b = 0; b + 1 < cfg_.blocks.size(); ++b)
            if (const MicroOp& op = draft_.ops[cfg_.blocks[b].end - 1]; op.is_conditional_branch())
                if (!try_exit(b) && !try_if(b))
                    try_if_else(b);
        return std::move(forgets_);
    }

private:
    [[nodiscard]] const ir::Block& block(std::uint32_t b) const {
        return cfg_.blocks[b];
    }

    [[nodiscard]] unsigned size(std::uint32_t b) const {
        return static_cast<unsigned>(std::count_if(
            draft_.ops.begin() + block(b).begin, draft_.ops.begin() + block(b).end, [](const MicroOp& op) {
                return op.kind != Kind::Nop && !(op.kind == Kind::Alu && op.opcode == ir::Opcode::Mov);
            }));
    }

    [[nodiscard]] bool loads(std::uint32_t begin, std::uint32_t end) const {
        return std::any_of(draft_.ops.begin() + begin, draft_.ops.begin() + end, is_far_load);
    }
    [[nodiscard]] bool loads(std::uint32_t b) const {
        return loads(block(b).begin, block(b).end);
    }

    // Whether a load among these ops has a result that none of them reads.
    [[nodiscard]] bool leaves_load(std::uint32_t begin, std::uint32_t end) const {
        for (std::uint32_t i = begin; i < end; ++i) {
            if (!is_far_load(draft_.ops[i]))
                continue;
            const Place result = draft_.ops[i].dst[0];
            const auto reads = [&](const MicroOp& op) {
                return std::find(op.src.begin(), op.src.end(), result) != op.src.end();
            };
            if (std::none_of(draft_.ops.begin() + i + 1, draft_.ops.begin() + end, reads))
                return true;
        }
        return false;
    }

    // Whether a loop begins, or its next round, behind a block.
    [[nodiscard]] bool goes_to_header(std::uint32_t b) const {
        const auto& next = cfg_.graph.successors[b];
        return std::any_of(next.begin(), next.end(), [&](std::uint32_t s) { return loops_.innermost[s] == s; });
    }

    // Whether ptxas makes guards of the sides of the branch at the end of block `head`; they meet at `join`.
    [[nodiscard]] bool is_short(std::uint32_t head, std::uint32_t join) const {
        unsigned all = 0, largest = 0;
        bool sides_load = false;
        for (std::uint32_t side = head + 1; side < join; ++side) {
            all += size(side);
            largest = std::max(largest, size(side));
            sides_load = sides_load || loads(side);
        }
        const std::uint32_t begin = begin_[head], end = block(head).end;
        const bool is_behind_load = leaves_load(begin, end);
        if (sides_load)
            return all <= kMostOverlapping &&
                   (loops_.innermost[head] == ir::kNoLoop || is_behind_load || loads(join) || !goes_to_header(join));
        const bool overlaps = (is_behind_load && size(join) >= kLongBlock) || (loads(begin, end) && loads(join));
        return largest <= kMostOfSide || (overlaps && all <= kMostOverlapping);
    }

    // Whether the ops of a block can be guarded by `guard`. `jumps`: its last op is a branch without a guard.
    [[nodiscard]] bool fits(std::uint32_t b, Place guard, bool jumps) const {
        const ir::Block& body = block(b);
        const std::uint32_t end = body.end - (jumps ? 1 : 0);
        if (sources_[b] != 1)
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
        return r < segments_.size() && std::any_of(segments_[r].begin(), segments_[r].end(), [&](const ir::Segment& s) {
                   return s.from <= 2 * op && 2 * op < s.to;
               });
    }

    // A register that these ops write again later is one of its own until then: values that have nothing in common may
    // share a register, and only the last one goes on behind the side.
    void split_registers(std::uint32_t begin, std::uint32_t end) {
        std::map<Place, Place> own;
        const auto is_written = [&](Place r, std::uint32_t from) {
            return std::any_of(draft_.ops.begin() + from, draft_.ops.begin() + end, [&](const MicroOp& op) {
                return std::find(op.dst.begin(), op.dst.end(), r) != op.dst.end();
            });
        };
        for (std::uint32_t i = begin; i < end; ++i) {
            each_source(draft_, draft_.ops[i], [&](Place& p) {
                if (const auto found = own.find(p); found != own.end())
                    p = found->second;
            });
            for (Place& d : draft_.ops[i].dst) {
                if (d == ir::kNowhere)
                    continue;
                const Place shared = d;
                own.erase(shared);
                if (!is_written(shared, i + 1))
                    continue;
                d = own[shared] = static_cast<Place>(draft_.registers.size());
                draft_.registers.push_back(draft_.registers[shared]);
            }
        }
    }

    // `elsewhere`: the op at which the threads of the other path go on.
    void guard(std::uint32_t b, Place predicate, bool negated, std::uint32_t elsewhere, bool jumps) {
        split_registers(block(b).begin, block(b).end - (jumps ? 1 : 0));
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

    // Whether all that a block does is to end its threads.
    [[nodiscard]] bool only_exits(std::uint32_t b) const {
        const MicroOp& last = draft_.ops[block(b).end - 1];
        return last.kind == Kind::Exit && last.guard == ir::kNowhere &&
               std::all_of(draft_.ops.begin() + block(b).begin, draft_.ops.begin() + block(b).end - 1,
                           [](const MicroOp& op) { return op.kind == Kind::Nop; });
    }

    // A branch to the end, or over it.
    bool try_exit(std::uint32_t b) {
        MicroOp& branch = draft_.ops[block(b).end - 1];
        const std::uint32_t target = cfg_.block_of[branch.target];
        const bool over = b + 2 < cfg_.blocks.size() && target == b + 2 && sources_[b + 1] == 1 && only_exits(b + 1);
        if (!over && (branch.target != block(target).begin || !only_exits(target)))
            return false;
        MicroOp& end = draft_.ops[block(over ? b + 1 : target).end - 1];
        MicroOp exit = end;
        exit.guard = branch.guard;
        exit.guard_negated = branch.guard_negated != over;
        if (over)
            remove(end);
        branch = exit;
        return true;
    }

    bool try_if(std::uint32_t b) {
        MicroOp& branch = draft_.ops[block(b).end - 1];
        if (b + 2 >= cfg_.blocks.size() || branch.target != block(b + 2).begin || !fits(b + 1, branch.guard, false) ||
            cfg_.graph.successors[b + 1] != std::vector<std::uint32_t>{b + 2} || !is_short(b, b + 2))
            return false;
        guard(b + 1, branch.guard, !branch.guard_negated, block(b + 2).begin, false);
        remove(branch);
        begin_[b + 2] = begin_[b];
        return true;
    }

    bool try_if_else(std::uint32_t b) {
        MicroOp& branch = draft_.ops[block(b).end - 1];
        if (b + 3 >= cfg_.blocks.size() || branch.target != block(b + 2).begin ||
            block(b + 1).end == block(b + 1).begin)
            return false;
        MicroOp& jump = draft_.ops[block(b + 1).end - 1];
        if (!is_jump(jump) || jump.target != block(b + 3).begin || !fits(b + 1, branch.guard, true) ||
            !fits(b + 2, branch.guard, false) || cfg_.graph.successors[b + 2] != std::vector<std::uint32_t>{b + 3} ||
            !is_short(b, b + 3))
            return false;
        guard(b + 1, branch.guard, !branch.guard_negated, block(b + 2).begin, true);
        // What both sides write keeps the result of the first for the threads that do not execute the second.
        guard(b + 2, branch.guard, branch.guard_negated, block(b + 3).begin, false);
        remove(jump);
        remove(branch);
        begin_[b + 3] = begin_[b];
        return true;
    }

    ir::Draft& draft_;
    std::vector<bool> forgets_;
    const ir::Cfg cfg_;
    const std::vector<std::vector<ir::Segment>> segments_;
    const ir::Loops loops_;
    std::vector<std::uint32_t> begin_;   // by block: its first op, with the blocks in front that have joined it
    std::vector<std::uint32_t> sources_; // by block: edges into it
};

} // namespace

std::vector<bool> predicate_branches(ir::Draft& draft) {
    return Predication(draft).run();
}

} // namespace heddle::native
