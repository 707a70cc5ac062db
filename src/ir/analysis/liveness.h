// The times at which each register holds a value that is still needed, for one function.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ir/analysis/cfg.h"

namespace heddle::ir {

// Calls visit(register) for each register a micro-op of the draft reads, its guard included.
template <typename Visit>
void each_use(const Draft& draft, const MicroOp& op, Visit visit) {
    const auto visit_all = [&](std::span<const Place> places) {
        for (const Place p : places)
            if (p != kNowhere && (p & kPool) == 0)
                visit(p);
    };
    visit_all(op.src);
    if (op.is_matrix_product()) {
        const Matrix& matrix = draft.matrices[static_cast<std::size_t>(op.imm)];
        visit_all(std::span(matrix.source).first(matrix.sources()));
    }
    if (op.guard != kNowhere && (op.guard & kPool) == 0)
        visit(op.guard);
}

template <typename Visit>
void each_definition(const MicroOp& op, Visit visit) {
    for (const Place p : op.dst)
        if (p != kNowhere)
            visit(p);
}

// A stretch of the function's text, [from, to). Op i reads at time 2i and writes at time 2i + 1.
struct Segment {
    std::uint32_t from = 0, to = 0;
};

// By register, the stretches in which it is alive, in text order, not touching. A definition without a read is alive
// only at its own time. A definition under a guard does not end the life of the old value: lanes whose guard is false
// keep it. A row's frame is shared lane by lane and each thread follows its own path, so liveness along the paths of
// one thread is enough for SIMT.
//
// Backward data flow, one register at a time from its uses, so that the cost is proportional to the answer: bit sets
// over blocks and registers would take a hundred megabytes for functions of 100,000 instructions.
[[nodiscard]] std::vector<std::vector<Segment>> live_segments(const Draft& draft, const Cfg& cfg);

// The most 32-bit registers alive at one time (64-bit ones count two, predicates none).
[[nodiscard]] std::uint32_t most_alive(const Draft& draft, const std::vector<std::vector<Segment>>& segments);

// Fills CallSite::live.
void set_live_across_calls(Draft& draft, const std::vector<std::vector<Segment>>& segments);

} // namespace heddle::ir
