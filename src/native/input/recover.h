// A kernel of a linked program as the draft of a function again.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ir/program.h"
#include "ir/selection/draft.h"

namespace heddle::native {

struct Recovered {
    ir::Draft draft;
    std::vector<Pc> pcs; // by op: the micro-op of the program
};

// The micro-ops of the kernel (`which` 0) or of called[which - 1], and of the functions that it calls, in the place of
// the calls, with virtual places: registers are the places of the frame, constants the entries of the pool.
// Reconvergence PCs are not kept.
//
// Micro-ops are the input, not the syntax tree: every rule of PTX that the lowering knows is in them already (widths of
// registers, rounding, addresses of variables), so native code cannot differ from them in what it understands. Places
// are shared by registers that are alive at different times; the SSA form takes these apart again.
//
// `called` (called_functions.h): calls of called[n] stay, with n + 1 in imm. Their arguments and results are copied by
// the caller, in local memory. A called function ends with the one return that it has, and the kernel has exits only.
[[nodiscard]] Recovered recover(const ir::Program& program, const ir::Kernel& kernel,
                                std::span<const std::uint32_t> called = {}, std::uint32_t which = 0);

// The constant 0 that stands for a register without a value.
inline constexpr ir::Place kUndefined = ir::kPool;

[[nodiscard]] inline bool is_constant(ir::Place place) {
    return place != ir::kNowhere && (place & ir::kPool) != 0;
}
[[nodiscard]] inline bool is_register(ir::Place place) {
    return (place & ir::kPool) == 0; // kNowhere has the bit
}

// Calls visit(place) with each source of the op that may be changed, its guard included.
template <typename Visit>
void each_source(ir::Draft& draft, ir::MicroOp& op, Visit visit) {
    for (ir::Place& p : op.src)
        if (p != ir::kNowhere)
            visit(p);
    if (op.is_matrix_product()) {
        ir::Matrix& matrix = draft.matrices[static_cast<std::size_t>(op.imm)];
        for (unsigned i = 0; i < matrix.sources(); ++i)
            visit(matrix.source.at(i));
    }
    if (op.guard != ir::kNowhere)
        visit(op.guard);
}

} // namespace heddle::native
