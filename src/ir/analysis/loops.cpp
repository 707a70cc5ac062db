#include "ir/analysis/loops.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "ir/analysis/dominators.h"

namespace heddle::ir {

namespace {

// Whether a node dominates another, in constant time: the nodes that a node dominates have the numbers after its own.
class DominatorTree {
public:
    DominatorTree(const std::vector<std::uint32_t>& order, const std::vector<std::uint32_t>& parent)
        : first_(parent.size(), 0), size_(parent.size(), 0) {
        for (const std::uint32_t node : order) { // dominators come behind what they dominate
            ++size_[node];
            if (node != order.back())
                size_[parent[node]] += size_[node];
        }
        std::vector<std::uint32_t> next(parent.size(), 1); // place of a node's next child, behind its own
        for (auto node = order.rbegin() + 1; node < order.rend(); ++node) {
            const std::uint32_t p = parent[*node];
            first_[*node] = first_[p] + next[p];
            next[p] += size_[*node];
        }
    }
    // Of nodes that the root reaches.
    [[nodiscard]] bool dominates(std::uint32_t a, std::uint32_t b) const {
        return first_[b] - first_[a] < size_[a]; // below first_[a] wraps around
    }

private:
    std::vector<std::uint32_t> first_, size_; // its number, and how many it dominates, itself included
};

// Gathers the blocks of loops, inner ones first; a loop that is complete counts as its header from then on.
class Gatherer {
public:
    explicit Gatherer(const Edges& predecessors) : predecessors_(predecessors), part_of_(predecessors.size()) {
        loops_.innermost.assign(predecessors.size(), kNoLoop);
        loops_.around.assign(predecessors.size(), kNoLoop);
        for (std::uint32_t v = 0; v < part_of_.size(); ++v)
            part_of_[v] = v;
    }

    // The loop of `header`, whose back edges come from `work`.
    void gather(std::uint32_t header, std::vector<std::uint32_t> work) {
        loops_.innermost[header] = header;
        while (!work.empty()) {
            const std::uint32_t node = whole(work.back());
            work.pop_back();
            if (node == header)
                continue;
            part_of_[node] = header;
            if (loops_.innermost[node] == node)
                loops_.around[node] = header;
            else
                loops_.innermost[node] = header;
            work.insert(work.end(), predecessors_[node].begin(), predecessors_[node].end());
        }
    }
    [[nodiscard]] Loops take() {
        return std::move(loops_);
    }

private:
    // The node, or the header of the outermost complete loop that holds it.
    std::uint32_t whole(std::uint32_t node) {
        while (part_of_[node] != node) {
            part_of_[node] = part_of_[part_of_[node]]; // path halving
            node = part_of_[node];
        }
        return node;
    }

    const Edges& predecessors_;
    std::vector<std::uint32_t> part_of_;
    Loops loops_;
};

} // namespace

bool Loops::ends_iteration(std::uint32_t from, std::uint32_t to) const {
    const std::uint32_t loop = innermost[from];
    if (loop == kNoLoop)
        return false;
    // A loop inside is entered through its header only.
    const bool stays = innermost[to] == loop || (innermost[to] == to && around[to] == loop);
    return to == loop || !stays;
}

Loops find_loops(const FlowGraph& flow) {
    const std::vector<std::uint32_t> order = postorder(flow.successors, 0);
    Edges predecessors(flow.successors.size());
    for (const std::uint32_t v : order) // unreachable code belongs to no loop
        for (const std::uint32_t s : flow.successors[v])
            predecessors[s].push_back(v);
    const DominatorTree tree(order, immediate_dominators(order, predecessors));
    Gatherer gatherer(predecessors);
    for (const std::uint32_t header : order) { // an inner header comes before the outer ones, which dominate it
        std::vector<std::uint32_t> back;
        std::copy_if(predecessors[header].begin(), predecessors[header].end(), std::back_inserter(back),
                     [&](std::uint32_t from) { return tree.dominates(header, from); });
        if (!back.empty())
            gatherer.gather(header, std::move(back));
    }
    return gatherer.take();
}

void mark_loop_branches(Draft& draft, const Cfg& cfg) {
    const Loops loops = find_loops(cfg.graph);
    for (std::uint32_t b = 0; b < cfg.blocks.size(); ++b) {
        MicroOp& last = draft.ops[cfg.blocks[b].end - 1];
        const std::vector<std::uint32_t>& next = cfg.graph.successors[b];
        last.loops = last.is_conditional_branch() && std::any_of(next.begin(), next.end(), [&](std::uint32_t to) {
                         return loops.ends_iteration(b, to);
                     });
    }
}

} // namespace heddle::ir
