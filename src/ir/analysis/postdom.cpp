#include "ir/analysis/postdom.h"

#include <algorithm>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>

#include "ir/analysis/dominators.h"

namespace heddle::ir {

namespace {

using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;

std::vector<bool> reaches_leaf(const FlowGraph& flow) {
    const std::size_t n = flow.successors.size();
    std::vector<std::vector<std::uint32_t>> predecessors(n);
    for (std::uint32_t v = 0; v < n; ++v)
        for (const std::uint32_t s : flow.successors[v])
            predecessors[s].push_back(v);
    std::vector<bool> reaches(n, false);
    std::vector<std::uint32_t> work;
    for (std::uint32_t v = 0; v < n; ++v)
        if (flow.leaves[v]) {
            reaches[v] = true;
            work.push_back(v);
        }
    while (!work.empty()) {
        const std::uint32_t v = work.back();
        work.pop_back();
        for (const std::uint32_t p : predecessors[v])
            if (!reaches[p]) {
                reaches[p] = true;
                work.push_back(p);
            }
    }
    return reaches;
}

// First nodes of the strongly connected components that nothing leaves, among nodes that reach no leaf.
std::vector<std::uint32_t> endless_heads(const FlowGraph& flow, const std::vector<bool>& reaches) {
    const std::size_t n = flow.successors.size();
    Graph graph(n);
    for (std::uint32_t v = 0; v < n; ++v)
        for (const std::uint32_t s : flow.successors[v])
            if (!reaches[v])
                boost::add_edge(v, s, graph);
    std::vector<std::size_t> component(n);
    const std::size_t count = boost::strong_components(
        graph, boost::make_iterator_property_map(component.begin(), boost::get(boost::vertex_index, graph)));
    std::vector<std::uint32_t> head(count, kLeaves);
    std::vector<bool> left(count, false);
    for (std::uint32_t v = 0; v < n; ++v) {
        if (reaches[v])
            continue;
        head[component[v]] = std::min(head[component[v]], v);
        for (const std::uint32_t s : flow.successors[v])
            left[component[v]] = left[component[v]] || component[s] != component[v];
    }
    std::vector<std::uint32_t> heads;
    for (std::size_t c = 0; c < count; ++c)
        if (head[c] != kLeaves && !left[c])
            heads.push_back(head[c]);
    std::sort(heads.begin(), heads.end());
    return heads;
}

} // namespace

std::vector<std::uint32_t> immediate_postdominators(const FlowGraph& flow) {
    const auto n = static_cast<std::uint32_t>(flow.successors.size());
    const std::vector<bool> reaches = reaches_leaf(flow);
    const bool endless = std::find(reaches.begin(), reaches.end(), false) != reaches.end();
    const std::vector<std::uint32_t> heads = endless ? endless_heads(flow, reaches) : std::vector<std::uint32_t>();

    // Nodes of the reversed graph: the flow graph's, the end of all paths, and a node before each head.
    const std::uint32_t end = n;
    std::vector<std::uint32_t> entry_of(n); // the node that an edge to v enters
    for (std::uint32_t v = 0; v < n; ++v)
        entry_of[v] = v;
    for (std::uint32_t i = 0; i < heads.size(); ++i)
        entry_of[heads[i]] = n + 1 + i;
    Edges successors(n + 1 + heads.size()), predecessors(n + 1 + heads.size()); // of the reversed graph
    const auto add = [&](std::uint32_t from, std::uint32_t to) {
        successors[from].push_back(to);
        predecessors[to].push_back(from);
    };
    for (std::uint32_t v = 0; v < n; ++v) {
        for (const std::uint32_t s : flow.successors[v])
            add(entry_of[s], v);
        if (flow.leaves[v])
            add(end, v);
    }
    for (const std::uint32_t head : heads) {
        add(head, entry_of[head]);
        add(end, entry_of[head]);
    }
    const std::vector<std::uint32_t> dominator = immediate_dominators(postorder(successors, end), predecessors);

    std::vector<std::uint32_t> result(n, kLeaves);
    for (std::uint32_t v = 0; v < n; ++v) {
        const std::uint32_t d = dominator[v];
        if (d != kNoNode && d != end)
            result[v] = d < n ? d : heads[d - n - 1];
    }
    return result;
}

void set_reconvergence(Draft& draft, const Cfg& cfg) {
    const std::vector<std::uint32_t> post = immediate_postdominators(cfg.graph);
    for (std::uint32_t i = 0; i < draft.ops.size(); ++i) {
        MicroOp& op = draft.ops[i];
        if (op.guard == kNowhere)
            continue;
        if (op.kind == Kind::Call) {
            op.reconvergence = i + 1; // threads that do not make the call wait there for the others
            continue;
        }
        if (op.kind != Kind::Branch && op.kind != Kind::Return && op.kind != Kind::Exit)
            continue;
        const std::uint32_t block = post[cfg.block_of[i]];
        op.reconvergence = block == kLeaves ? kNoPc : cfg.blocks[block].begin;
        if (block == kLeaves && !draft.source->is_entry && draft.returns)
            op.flags |= kDivergesAtReturn;
    }
}

} // namespace heddle::ir
