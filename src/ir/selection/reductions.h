// The reductions of asynchronous instructions (red.async, cp.reduce.async.bulk).
#pragma once

#include <string_view>

#include "ir/micro_op.h"

namespace heddle::ir {

// The operation that a modifier names: add, min, max, inc, dec, and, or, xor. None: another word.
[[nodiscard]] Sub reduction_named(std::string_view word);
// Whether there is the operation on the type in shared memory, and in global memory.
[[nodiscard]] bool shared_reduction_exists(Sub how, Type type);
[[nodiscard]] bool global_reduction_exists(Sub how, Type type);

} // namespace heddle::ir
