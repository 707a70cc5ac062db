// Immediate post-dominators: the latest place where the paths of a branch meet again.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/analysis/cfg.h"

namespace heddle::ir {

inline constexpr std::uint32_t kLeaves = 0xffffffffU; // the paths meet only where they end

// By node, its immediate post-dominator or kLeaves.
//
// Nodes that reach no leaf lie in infinite loops. All paths of an infinite loop come back to its first
// node, so the entry of that node is a virtual leaf and the place where the paths meet. Therefore the
// paths of a branch in such a loop meet inside the loop, and a node can be its own immediate
// post-dominator.
[[nodiscard]] std::vector<std::uint32_t> immediate_postdominators(const FlowGraph& graph);

// Sets MicroOp::reconvergence and kDivergesAtReturn of all guarded branches, returns, exits and calls.
void set_reconvergence(Draft& draft, const Cfg& cfg);

} // namespace heddle::ir
