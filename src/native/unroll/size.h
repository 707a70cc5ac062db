// What a loop costs, in the units of the rules for unrolling, and what forbids to unroll it.
#pragma once

#include <optional>

#include "ir/program.h"
#include "native/unroll/trips.h"

namespace heddle::native {

// Instructions of a round without the three that end it (sum, comparison, branch); none: the loop stays as it is. Sums
// and comparisons of loops that were unrolled in it count. `constant`: by register, whether it is constant in each
// round; operations that compute such registers count nothing.
[[nodiscard]] std::optional<unsigned> round_size(const SsaForm& form, const InnerLoop& loop,
                                                 const std::vector<bool>& constant);

// The registers that depend on constants and on counters that begin with a constant.
[[nodiscard]] std::vector<bool> constant_in_rounds(const SsaForm& form, const Definitions& definitions,
                                                   const InnerLoop& loop);

// Whether .pragma "nounroll" stands in front of the instruction or at the label before it.
[[nodiscard]] bool asks_to_stay(const ir::Program& program, Pc pc);

} // namespace heddle::native
