#include "ir/analysis/sync_order.h"

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

} // namespace

bool can_sync_first_at(std::span<const MicroOp> ops, Pc from, bool in_function, Pc sync) {
    Reached reached(ops.size());
    std::vector<Pc> behind_calls; // visited once any function returns
    bool returns = false;
    bool others = !reached.visit(from); // a path reaches another synchronisation, or none
    while (!reached.done()) {
        const Pc pc = reached.take();
        if (pc == sync)
            return true;
        const MicroOp& op = ops[pc];
        switch (op.kind) {
        case Kind::Barrier:
        case Kind::WarpSync:
        case Kind::Indirect:
            others = true;
            continue;
        case Kind::Return:
            others |= in_function;
            returns = true;
            for (const Pc behind : std::exchange(behind_calls, {}))
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
