#include "ir/analysis/sync_order.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "ir/analysis/cfg.h"

namespace heddle::ir {
namespace {

// Micro-ops that are reached without a synchronisation before them.
class Reached {
public:
    explicit Reached(std::size_t ops) : seen_(ops, false) {}

    // False for a PC behind the program.
    bool visit(Pc pc) {
        if (pc >= seen_.size())
            return false;
        if (!seen_[pc])
            work_.push_back(pc);
        seen_[pc] = true;
        return true;
    }
    [[nodiscard]] bool done() const {
        return work_.empty();
    }
    Pc take() {
        const Pc pc = work_.back();
        work_.pop_back();
        return pc;
    }

private:
    std::vector<bool> seen_;
    std::vector<Pc> work_;
};

// Where functions return to.
class Returns {
public:
    explicit Returns(std::span<const MicroOp> ops) : ops_(ops) {}

    // The micro-ops behind all calls of the function that returns at `pc`. Functions lie one after the other, and
    // each is called: this one begins at the last target of a call that is not behind `pc`.
    [[nodiscard]] std::vector<Pc> targets(Pc pc) {
        if (calls_.empty())
            find_calls();
        Pc begin = 0;
        for (const Call& call : calls_)
            if (call.target <= pc)
                begin = std::max(begin, call.target);
        std::vector<Pc> behind;
        for (const Call& call : calls_)
            if (call.target == begin)
                behind.push_back(call.pc + 1);
        return behind;
    }

private:
    struct Call {
        Pc pc, target;
    };
    void find_calls() {
        for (Pc pc = 0; pc < ops_.size(); ++pc)
            if (ops_[pc].kind == Kind::Call)
                calls_.push_back({pc, ops_[pc].target});
    }

    std::span<const MicroOp> ops_;
    std::vector<Call> calls_;
};

} // namespace

bool can_sync_first_at(std::span<const MicroOp> ops, Pc from, bool in_function, Pc sync, bool past_warp_syncs) {
    Reached reached(ops.size());
    Returns all_returns(ops);
    std::vector<Pc> behind_calls; // visited once any function returns
    bool returns = false;
    bool others = !reached.visit(from); // a path reaches another synchronisation, or none
    while (!reached.done()) {
        const Pc pc = reached.take();
        if (pc == sync)
            return true;
        const MicroOp& op = ops[pc];
        switch (op.kind) {
        case Kind::WarpSync:
            if (past_warp_syncs)
                break;
            [[fallthrough]];
        case Kind::Barrier:
        case Kind::Indirect:
            others = true;
            continue;
        case Kind::Return:
            returns = true;
            for (const Pc behind : in_function ? all_returns.targets(pc) : std::exchange(behind_calls, {}))
                others |= !reached.visit(behind);
            break;
        case Kind::Branch:
            others |= !reached.visit(op.target);
            break;
        case Kind::Call:
            others |= !reached.visit(op.target);
            if (!returns && op.guard == kNowhere) {
                behind_calls.push_back(pc + 1);
                continue;
            }
            break;
        default:
            break;
        }
        if (falls_through(op))
            others |= !reached.visit(pc + 1);
    }
    return !others;
}

} // namespace heddle::ir
