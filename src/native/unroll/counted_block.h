// Loops of one block that go round as often as a comparison with a bound says.
#pragma once

#include <optional>

#include "native/unroll/trips.h"

namespace heddle::native {

// A loop of one block that ends with `i += step; if (i how bound) goto its begin`.
struct CountedBlock {
    std::uint32_t first = 0, branch = 0, compare = 0; // ops
    ir::Place variable = ir::kNowhere;                // i, at the begin and at the end of the block
    unsigned operand = 0;                             // of the comparison that is i
    ir::Sub how = ir::Sub::None;                      // of i with the bound where a thread stays
    ir::Type type = ir::Type::None;
    std::int64_t step = 0;
    std::optional<std::uint64_t> bound; // where it is constant
    std::uint32_t outside = 0;          // op at which a thread goes on that leaves
};

// `draft`: the code of the form before its registers were renamed. None: another kind of loop.
[[nodiscard]] std::optional<CountedBlock> counted_block(const SsaForm& form, const ir::Draft& draft,
                                                        const Definitions& definitions, const InnerLoop& loop);

} // namespace heddle::native
