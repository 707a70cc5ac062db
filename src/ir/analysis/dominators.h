// Immediate dominators of a graph, forwards or backwards.
#pragma once

#include <cstdint>
#include <vector>

namespace heddle::ir {

inline constexpr std::uint32_t kNoNode = 0xffffffffU;

using Edges = std::vector<std::vector<std::uint32_t>>; // by node

// Nodes that `root` reaches, each behind all nodes that depth-first search finds from it.
[[nodiscard]] std::vector<std::uint32_t> postorder(const Edges& successors, std::uint32_t root);

// By node; the root's is the root itself, unreachable nodes have kNoNode. `order`: postorder() from the root.
[[nodiscard]] std::vector<std::uint32_t> immediate_dominators(const std::vector<std::uint32_t>& order,
                                                              const Edges& predecessors);

} // namespace heddle::ir
