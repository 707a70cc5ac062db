#include "ir/analysis/dominators.h"

namespace heddle::ir {

std::vector<std::uint32_t> postorder(const Edges& successors, std::uint32_t root) {
    std::vector<std::uint32_t> order;
    std::vector<bool> seen(successors.size(), false);
    std::vector<std::pair<std::uint32_t, std::size_t>> stack{{root, 0}};
    seen[root] = true;
    while (!stack.empty()) {
        auto& [node, next] = stack.back();
        if (next == successors[node].size()) {
            order.push_back(node);
            stack.pop_back();
            continue;
        }
        const std::uint32_t successor = successors[node][next++];
        if (!seen[successor]) {
            seen[successor] = true;
            stack.emplace_back(successor, 0);
        }
    }
    return order;
}

// Cooper, Harvey and Kennedy ("A Simple, Fast Dominance Algorithm"). Not Boost's Lengauer-Tarjan, whose path
// compression recurses as deep as the longest path of blocks: a long program would overflow the stack. The tests
// compare the two.
std::vector<std::uint32_t> immediate_dominators(const std::vector<std::uint32_t>& order, const Edges& predecessors) {
    std::vector<std::uint32_t> number(predecessors.size(), 0);
    for (std::uint32_t i = 0; i < order.size(); ++i)
        number[order[i]] = i;
    std::vector<std::uint32_t> dominator(predecessors.size(), kNoNode);
    dominator[order.back()] = order.back();
    const auto common = [&](std::uint32_t a, std::uint32_t b) {
        while (a != b) {
            while (number[a] < number[b])
                a = dominator[a];
            while (number[b] < number[a])
                b = dominator[b];
        }
        return a;
    };
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t i = order.size() - 1; i-- > 0;) {
            const std::uint32_t node = order[i];
            std::uint32_t best = kNoNode;
            for (const std::uint32_t p : predecessors[node])
                if (dominator[p] != kNoNode)
                    best = best == kNoNode ? p : common(best, p);
            changed = changed || dominator[node] != best;
            dominator[node] = best;
        }
    }
    return dominator;
}

} // namespace heddle::ir
