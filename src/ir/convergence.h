// Convergence barriers of native code as micro-ops: Bra of kind Nop (native/execute/expand.h).
#pragma once

#include <cstdint>

namespace heddle::ir::convergence {

inline constexpr std::int64_t kYield = -1; // imm of YIELD; of the others a barrier

} // namespace heddle::ir::convergence
