#include "ir/analysis/calls.h"

#include <algorithm>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>

#include "ir/analysis/cfg.h"

namespace heddle::ir {

namespace {

// Follows the paths of all drafts from their begins. A path waits at a call of a function of which no return is known
// yet, and goes on once there is one: so each micro-op is visited once.
class ReturnSearch {
public:
    explicit ReturnSearch(const std::vector<Draft>& drafts)
        : drafts_(drafts), seen_(drafts.size()), never_(drafts.size(), true), waiting_(drafts.size()) {}

    std::vector<bool> run() && {
        for (std::uint32_t d = 0; d < drafts_.size(); ++d) {
            seen_[d].assign(drafts_[d].ops.size(), false);
            if (drafts_[d].ops.empty())
                never_[d] = false;
        }
        for (std::uint32_t d = 0; d < drafts_.size(); ++d) {
            if (!drafts_[d].ops.empty())
                visit({d, 0});
            while (!work_.empty()) {
                const Step step = work_.back();
                work_.pop_back();
                follow(step);
            }
        }
        return std::move(never_);
    }

private:
    struct Step {
        std::uint32_t draft, op;
    };

    void visit(Step to) {
        if (to.op >= drafts_[to.draft].ops.size() || seen_[to.draft][to.op])
            return;
        seen_[to.draft][to.op] = true;
        work_.push_back(to);
    }
    void follow(Step step) {
        const Draft& draft = drafts_[step.draft];
        const MicroOp& op = draft.ops[step.op];
        if (op.kind == Kind::Return)
            found_return(step.draft);
        if (op.kind == Kind::Branch)
            visit({step.draft, op.target});
        if (op.kind == Kind::Call && op.guard == kNowhere) {
            const auto site = std::lower_bound(draft.calls.begin(), draft.calls.end(), step.op,
                                               [](const CallSite& c, std::uint32_t at) { return c.op < at; });
            if (never_[site->callee])
                return waiting_[site->callee].push_back({step.draft, step.op + 1});
        }
        if (falls_through(op))
            visit({step.draft, step.op + 1});
    }
    void found_return(std::uint32_t draft) {
        if (!never_[draft] || drafts_[draft].source->is_noreturn)
            return;
        never_[draft] = false;
        for (const Step& behind_call : waiting_[draft])
            visit(behind_call);
    }

    const std::vector<Draft>& drafts_;
    std::vector<std::vector<bool>> seen_; // by draft and micro-op
    std::vector<bool> never_;
    std::vector<std::vector<Step>> waiting_; // by callee: what is behind its calls
    std::vector<Step> work_;
};

} // namespace

std::vector<bool> find_never_returning(const std::vector<Draft>& drafts) {
    return ReturnSearch(drafts).run();
}

std::vector<bool> find_recursive(const std::vector<Draft>& drafts) {
    boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS> graph(drafts.size());
    std::vector<bool> out(drafts.size(), false);
    for (std::uint32_t d = 0; d < drafts.size(); ++d)
        for (const CallSite& site : drafts[d].calls) {
            boost::add_edge(d, site.callee, graph);
            out[d] = out[d] || site.callee == d;
        }
    std::vector<std::uint32_t> component(drafts.size());
    const auto components = static_cast<std::uint32_t>(boost::strong_components(
        graph, boost::make_iterator_property_map(component.begin(), boost::get(boost::vertex_index, graph))));
    std::vector<std::uint32_t> members(components, 0);
    for (const std::uint32_t c : component)
        ++members[c];
    for (std::uint32_t d = 0; d < drafts.size(); ++d)
        out[d] = out[d] || members[component[d]] > 1;
    return out;
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
    reach.component_begin.assign(reach.components + 1, 0);
    for (const std::uint32_t c : reach.component)
        ++reach.component_begin[c + 1];
    for (std::uint32_t c = 0; c < reach.components; ++c)
        reach.component_begin[c + 1] += reach.component_begin[c];
    reach.by_component.resize(reach.drafts.size());
    std::vector<std::uint32_t> next(reach.component_begin.begin(), reach.component_begin.end() - 1);
    for (std::uint32_t i = 0; i < reach.component.size(); ++i)
        reach.by_component[next[reach.component[i]]++] = i;
    return reach;
}

} // namespace heddle::ir
