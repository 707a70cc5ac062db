#include "ir/analysis/calls.h"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>

#include "ir/analysis/cfg.h"

namespace heddle::ir {

namespace {

bool some_path_returns(const Draft& draft, const std::vector<bool>& never) {
    const Cfg cfg = make_cfg(draft, never);
    for (std::uint32_t i = 0; i < draft.ops.size(); ++i)
        if (draft.ops[i].kind == Kind::Return && cfg.reachable[cfg.block_of[i]])
            return true;
    return false;
}

} // namespace

std::vector<bool> find_never_returning(const std::vector<Draft>& drafts) {
    // The least fixed point: a function counts as returning once it has a path to a return on which all calls return.
    std::vector<bool> never(drafts.size(), true);
    for (std::size_t d = 0; d < drafts.size(); ++d)
        if (drafts[d].ops.empty())
            never[d] = false;
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t d = 0; d < drafts.size(); ++d) {
            if (!never[d] || drafts[d].source->is_noreturn || !some_path_returns(drafts[d], never))
                continue;
            never[d] = false;
            changed = true;
        }
    }
    return never;
}

Reach reach_from(std::uint32_t kernel, const std::vector<Draft>& drafts) {
    constexpr std::uint32_t kUnseen = 0xffffffffU;
    Reach reach;
    reach.index_of.assign(drafts.size(), kUnseen);
    const auto visit = [&](std::uint32_t draft) {
        if (reach.index_of[draft] != kUnseen)
            return;
        reach.index_of[draft] = static_cast<std::uint32_t>(reach.drafts.size());
        reach.drafts.push_back(draft);
    };
    visit(kernel);
    boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS> graph(1);
    for (std::uint32_t i = 0; i < reach.drafts.size(); ++i)
        for (const CallSite& site : drafts[reach.drafts[i]].calls) {
            visit(site.callee);
            boost::add_edge(i, reach.index_of[site.callee], graph); // adds vertices as needed
        }
    reach.by_name.assign(reach.drafts.size(), false);
    reach.by_name[0] = true;
    std::vector<std::uint32_t> follow{0};
    while (!follow.empty()) {
        const std::uint32_t from = follow.back();
        follow.pop_back();
        for (const CallSite& site : drafts[reach.drafts[from]].calls) {
            const std::uint32_t to = reach.index_of[site.callee];
            if (site.by_pointer || reach.by_name[to])
                continue;
            reach.by_name[to] = true;
            follow.push_back(to);
        }
    }
    std::vector<std::uint32_t> component(boost::num_vertices(graph));
    // Tarjan's order: a component gets its number after all that it reaches.
    reach.components = static_cast<std::uint32_t>(boost::strong_components(
        graph, boost::make_iterator_property_map(component.begin(), boost::get(boost::vertex_index, graph))));
    reach.component = std::move(component);
    return reach;
}

} // namespace heddle::ir
