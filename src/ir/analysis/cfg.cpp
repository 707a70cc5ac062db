#include "ir/analysis/cfg.h"

#include <algorithm>

namespace heddle::ir {

namespace {

bool ends_path(const MicroOp& op) {
    return op.kind == Kind::Return || op.kind == Kind::Exit || op.kind == Kind::Trap;
}

// Ops of `draft` that are calls of functions that never return.
std::vector<bool> dead_calls(const Draft& draft, const std::vector<bool>& never_returns) {
    std::vector<bool> dead(draft.ops.size(), false);
    for (const CallSite& site : draft.calls)
        dead[site.op] = never_returns[site.callee];
    return dead;
}

void mark_reachable(Cfg& cfg) {
    cfg.reachable.assign(cfg.blocks.size(), false);
    std::vector<std::uint32_t> work;
    const auto visit = [&](std::uint32_t block) {
        if (!cfg.reachable[block]) {
            cfg.reachable[block] = true;
            work.push_back(block);
        }
    };
    visit(0);
    while (!work.empty()) {
        const std::uint32_t block = work.back();
        work.pop_back();
        for (const std::uint32_t next : cfg.graph.successors[block])
            visit(next);
    }
}

} // namespace

bool falls_through(const MicroOp& op) {
    return op.guard != kNowhere || (op.kind != Kind::Branch && !ends_path(op));
}

Cfg make_cfg(const Draft& draft, const std::vector<bool>& never_returns) {
    const std::size_t n = draft.ops.size();
    const std::vector<bool> dead = dead_calls(draft, never_returns);
    std::vector<bool> leader(n + 1, false);
    leader[0] = true;
    for (std::size_t i = 0; i < n; ++i) {
        const MicroOp& op = draft.ops[i];
        if (op.kind == Kind::Branch)
            leader[op.target] = true;
        if (op.kind == Kind::Branch || ends_path(op) || dead[i])
            leader[i + 1] = true;
    }
    Cfg cfg;
    cfg.block_of.resize(n);
    for (std::uint32_t i = 0; i < n; ++i) {
        if (leader[i])
            cfg.blocks.push_back({i, i});
        cfg.blocks.back().end = i + 1;
        cfg.block_of[i] = static_cast<std::uint32_t>(cfg.blocks.size() - 1);
    }
    cfg.graph.successors.resize(cfg.blocks.size());
    cfg.graph.leaves.assign(cfg.blocks.size(), false);
    for (std::uint32_t b = 0; b < cfg.blocks.size(); ++b) {
        const std::uint32_t last = cfg.blocks[b].end - 1;
        const MicroOp& op = draft.ops[last];
        std::vector<std::uint32_t>& next = cfg.graph.successors[b];
        if (op.kind == Kind::Branch)
            next.push_back(cfg.block_of[op.target]);
        cfg.graph.leaves[b] = ends_path(op) || dead[last];
        const bool goes_on = dead[last] ? op.guard != kNowhere : falls_through(op);
        if (goes_on && b + 1 < cfg.blocks.size() && (next.empty() || next[0] != b + 1))
            next.push_back(b + 1);
    }
    mark_reachable(cfg);
    return cfg;
}

} // namespace heddle::ir
