// A kernel and the functions that it calls, as one code.
#pragma once

#include <vector>

#include "native/function.h"

namespace heddle::native {

// Appends the functions, which have registers, to the first one, the kernel. CALL with Modifiers::imm n goes to
// functions[n] and ends its block from now on; RET of a function goes on behind all calls of it (Block::returns),
// whoever has called. So what follows from the flow of the code holds for all calls.
[[nodiscard]] Function link(std::vector<Function> functions);

} // namespace heddle::native
