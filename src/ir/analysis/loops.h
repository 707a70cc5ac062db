// Natural loops of a function, and the branches that delimit their iterations: MAWS 4 does not count these conditional
// branches.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/analysis/cfg.h"

namespace heddle::ir {

inline constexpr std::uint32_t kNoLoop = 0xffffffffU;

// A loop has a back edge, an edge to a block, the header, that dominates the source of the edge; the loop is entered
// only through its header. The loop holds all blocks that reach the back edge without passing the header. Loops of one
// header are one; others lie in each other or apart.
//
// A cycle that can be entered at several blocks (irreducible code) is no loop: it is not defined which of its branches
// begins an iteration. Loops inside it, and around it, are found.
struct Loops {
    std::vector<std::uint32_t> innermost; // by node: the header of the innermost loop that it lies in, or kNoLoop
    std::vector<std::uint32_t> around;    // by header: that of the innermost loop around its own; others: kNoLoop

    // Whether the edge goes out of the innermost loop of `from` or back to its header.
    [[nodiscard]] bool ends_iteration(std::uint32_t from, std::uint32_t to) const;
};
[[nodiscard]] Loops find_loops(const FlowGraph& graph);

// Sets MicroOp::loops of conditional branches that lie in a loop and can end an iteration of it: at its end, by leaving
// it (`break`), or by going back to its header (`continue`).
void mark_loop_branches(Draft& draft, const Cfg& cfg);

} // namespace heddle::ir
