// Immediate post-dominators: the place where the threads that part at a branch meet again at the latest.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/analysis/cfg.h"

namespace heddle::ir {

inline constexpr std::uint32_t kLeaves = 0xffffffffU; // they meet only where paths end

// By node, its immediate post-dominator or kLeaves.
//
// Nodes that reach no leaf (infinite loops) get one: the paths of a loop without end all come back to
// the first node of the loop, so that node's entry is taken as the place where they meet, and as a
// virtual leaf. A branch inside such a loop therefore meets again inside it. A node may so be its own
// immediate post-dominator.
[[nodiscard]] std::vector<std::uint32_t> immediate_postdominators(const FlowGraph& graph);

// Sets MicroOp::reconvergence and kDivergesAtReturn of all guarded branches, returns, exits and calls.
void set_reconvergence(Draft& draft, const Cfg& cfg);

} // namespace heddle::ir
