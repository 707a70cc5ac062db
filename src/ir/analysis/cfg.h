// The control-flow graph of one function, its blocks runs of micro-ops.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/selection/draft.h"

namespace heddle::ir {

// A flow graph without code, the input of the computation of post-dominators and of tests. Node 0 is the entry.
struct FlowGraph {
    std::vector<std::vector<std::uint32_t>> successors;
    std::vector<bool> leaves; // a path ends in this node: return, exit, trap, a call that never returns
};

struct Block {
    std::uint32_t begin = 0, end = 0; // micro-ops
};

struct Cfg {
    std::vector<Block> blocks;           // in order of ops
    std::vector<std::uint32_t> block_of; // by op
    FlowGraph graph;
    std::vector<bool> reachable; // from the entry, by block
};

// `never_returns`: by draft, whether a call of it ends the path.
[[nodiscard]] Cfg make_cfg(const Draft& draft, const std::vector<bool>& never_returns);

// Whether threads can execute the next op after this one (at least the lanes whose guard is false).
[[nodiscard]] bool falls_through(const MicroOp& op);

} // namespace heddle::ir
