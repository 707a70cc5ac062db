// What a loop costs, in the units of the rules for unrolling, and what forbids to unroll it.
#pragma once

#include <optional>

#include "ir/program.h"
#include "native/unroll/trips.h"

namespace heddle::native {

// An SSA form with simplified copies of the ops, which are those that a loop will have.
[[nodiscard]] SsaForm simplified(const SsaForm& form);

// Instructions of a round without the three that end it (sum, comparison, branch); none: the loop stays as it is.
[[nodiscard]] std::optional<unsigned> round_size(const SsaForm& simplified, const InnerLoop& loop);

// Whether .pragma "nounroll" stands in front of the instruction or at the label before it.
[[nodiscard]] bool asks_to_stay(const ir::Program& program, Pc pc);

} // namespace heddle::native
