#include <algorithm>
#include <unordered_map>

#include "ir/analysis/dominators.h"
#include "native/ssa/form.h"

namespace heddle::native {

namespace {

using ir::MicroOp;
using ir::Place;

// After Braun et al., CC 2013: a read looks for the value along the predecessors and leaves a phi where several meet.
// Phis get their sources when all blocks are done.
class Builder {
public:
    Builder(ir::Draft draft, const std::vector<bool>& forgets) : forgets_(forgets) {
        form_.draft = std::move(draft);
        form_.cfg = ir::make_cfg(form_.draft, {});
        variables_ = form_.draft.registers;
        form_.draft.registers.clear();
        const std::size_t blocks = form_.cfg.blocks.size();
        form_.predecessors.resize(blocks);
        form_.phis.resize(blocks);
        form_.kept.resize(form_.draft.ops.size(), {ir::kNowhere, ir::kNowhere, ir::kNowhere, ir::kNowhere});
        at_begin_.resize(blocks);
        at_end_.resize(blocks);
        find_order();
    }

    SsaForm run() {
        for (const std::uint32_t b : form_.order)
            rename(b);
        for (std::size_t i = 0; i < open_.size(); ++i) // grows: a source may need a phi of its own
            complete(open_[i]);
        forget_unreachable();
        return std::move(form_);
    }

private:
    struct OpenPhi {
        std::uint32_t block = 0, index = 0;
        Place variable = 0;
    };

    // Their registers still are variables, whose numbers are those of other values now.
    void forget_unreachable() {
        for (std::uint32_t b = 0; b < form_.cfg.blocks.size(); ++b)
            if (!form_.cfg.reachable[b])
                for (std::uint32_t i = form_.cfg.blocks[b].begin; i < form_.cfg.blocks[b].end; ++i) {
                    form_.draft.ops[i] = {};
                    form_.draft.ops[i].kind = ir::Kind::Nop;
                }
    }

    void find_order() {
        const auto& successors = form_.cfg.graph.successors;
        std::vector<std::uint32_t> order = ir::postorder(successors, 0);
        std::vector<bool> reached(successors.size(), false);
        for (const std::uint32_t b : order)
            reached[b] = true;
        for (std::uint32_t b = 0; b < successors.size(); ++b)
            for (const std::uint32_t s : successors[b])
                if (reached[b])
                    form_.predecessors[s].push_back(b);
        for (auto& list : form_.predecessors) {
            std::sort(list.begin(), list.end());
            list.erase(std::unique(list.begin(), list.end()), list.end());
        }
        form_.idom = ir::immediate_dominators(order, form_.predecessors);
        std::reverse(order.begin(), order.end());
        form_.order = std::move(order);
    }

    Place fresh(Place variable) {
        form_.draft.registers.push_back(variables_[variable]);
        return static_cast<Place>(form_.draft.registers.size() - 1);
    }

    Place value_at_begin(std::uint32_t block, Place variable) {
        std::vector<std::uint32_t> passed; // blocks with one predecessor, which have the value of that one
        Place value = kUndefined;
        for (;;) {
            if (const auto found = at_begin_[block].find(variable); found != at_begin_[block].end()) {
                value = found->second;
                break;
            }
            const auto& from = form_.predecessors[block];
            if (from.size() > 1 || (from.size() == 1 && block == 0)) {
                value = add_phi(block, variable);
                break;
            }
            passed.push_back(block);
            if (from.empty())
                break;
            block = from.front();
            if (const auto found = at_end_[block].find(variable); found != at_end_[block].end()) {
                value = found->second;
                break;
            }
        }
        for (const std::uint32_t b : passed)
            at_begin_[b].emplace(variable, value);
        return value;
    }

    Place value_at_end(std::uint32_t block, Place variable) {
        const auto found = at_end_[block].find(variable);
        return found != at_end_[block].end() ? found->second : value_at_begin(block, variable);
    }

    Place add_phi(std::uint32_t block, Place variable) {
        const Place value = fresh(variable);
        form_.phis[block].push_back({value, {}});
        at_begin_[block].emplace(variable, value);
        open_.push_back({block, static_cast<std::uint32_t>(form_.phis[block].size() - 1), variable});
        return value;
    }

    void complete(OpenPhi open) {
        std::vector<Place> from;
        for (const std::uint32_t p : form_.predecessors[open.block])
            from.push_back(value_at_end(p, open.variable));
        if (open.block == 0)
            from.push_back(kUndefined); // the begin of the kernel
        form_.phis[open.block][open.index].from = std::move(from);
    }

    void rename(std::uint32_t b) {
        auto& now = at_end_[b];
        const auto read = [&](Place variable) {
            const auto found = now.find(variable);
            return found != now.end() ? found->second : value_at_begin(b, variable);
        };
        for (std::uint32_t i = form_.cfg.blocks[b].begin; i < form_.cfg.blocks[b].end; ++i) {
            MicroOp& op = form_.draft.ops[i];
            const bool keeps = op.guard != ir::kNowhere && !forgets_[i];
            each_source(form_.draft, op, [&](Place& p) {
                if (is_register(p))
                    p = read(p);
            });
            std::array<Place, 4> fresh_values{};
            for (std::size_t d = 0; d < 4; ++d)
                if (const Place variable = op.dst.at(d); variable != ir::kNowhere) {
                    const Place old = keeps ? read(variable) : kUndefined;
                    form_.kept[i].at(d) = old == kUndefined ? ir::kNowhere : old;
                    fresh_values.at(d) = fresh(variable);
                }
            for (std::size_t d = 0; d < 4; ++d)
                if (Place& p = op.dst.at(d); p != ir::kNowhere) {
                    now[p] = fresh_values.at(d);
                    p = fresh_values.at(d);
                }
        }
    }

    SsaForm form_;
    const std::vector<bool>& forgets_;
    std::vector<ir::Register> variables_;
    std::vector<std::unordered_map<Place, Place>> at_begin_, at_end_; // by block: variable -> value; looked up only
    std::vector<OpenPhi> open_;
};

} // namespace

SsaForm build_ssa(ir::Draft draft, const std::vector<bool>& forgets) {
    return Builder(std::move(draft), forgets).run();
}

} // namespace heddle::native
