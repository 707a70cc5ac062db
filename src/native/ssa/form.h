// A function in static single assignment form (Cytron et al., TOPLAS 1991).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "ir/analysis/cfg.h"
#include "ir/selection/draft.h"
#include "native/input/recover.h"

namespace heddle::native {

struct Phi {
    ir::Place dst = ir::kNowhere;
    std::vector<ir::Place> from; // by predecessor; kUndefined: no value
};

// A draft in which every register has one definition: an op, or a phi at the begin of a block.
struct SsaForm {
    ir::Draft draft;
    ir::Cfg cfg;
    std::vector<std::vector<std::uint32_t>> predecessors; // by block
    std::vector<std::vector<Phi>> phis;                   // by block
    // By op under a guard: the registers whose values its destinations keep for threads without the guard; kNowhere:
    // none is needed.
    std::vector<std::array<ir::Place, 4>> kept;
    std::vector<Pc> pcs;                                      // by op: the micro-op of the program
    std::vector<std::uint32_t> order;                         // reachable blocks, each behind its dominators
    std::vector<std::uint32_t> idom;                          // by block
    bool rows_stay_whole = true;                              // Settings::rows_stay_whole
    std::span<const ir::ConstantVariable> constant_variables; // of the program
};

// `forgets`: by op, whether threads without its guard need no old value (predicate_branches.h).
[[nodiscard]] SsaForm build_ssa(ir::Draft draft, const std::vector<bool>& forgets);

// Copies, sums of constants, powers of two, addresses with a constant part, operations that were computed before.
void simplify(SsaForm& form);

// Removes ops and phis whose results nothing reads: the ops become Nops.
void remove_dead_code(SsaForm& form);

// Makes one load of 8 or 16 bytes of neighbouring loads of shared memory.
void merge_loads(SsaForm& form);

// The value of an operation on constants: of integers, comparisons, and some of floating point (fold_floating.cpp).
// False: not folded.
[[nodiscard]] bool fold(const ir::MicroOp& op, std::array<std::uint64_t, 3> source, std::uint64_t& result);

// Whether an access can have a displacement of so many bytes: it has 24 bits.
[[nodiscard]] constexpr bool fits_displacement(std::int64_t bytes) {
    constexpr std::int64_t kMost = (1 << 23) - 1;
    return bytes >= -kMost && bytes <= kMost;
}

// x + c of integers of 32 or 64 bits, for all threads.
[[nodiscard]] bool is_sum_with_constant(const ir::MicroOp& op);

// The value of a constant.
[[nodiscard]] inline std::uint64_t bits_of(const ir::Draft& draft, ir::Place constant) {
    return draft.constants[constant & ~ir::kPool].bits;
}

// A constant for a register of 4 or 8 bytes. As in the pool, one of 4 bytes fills both words.
[[nodiscard]] ir::Place constant_place(ir::Draft& draft, std::uint64_t bits, unsigned bytes);

} // namespace heddle::native
