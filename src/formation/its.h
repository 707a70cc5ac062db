// Warps of native code: paths with a PC of their own, which meet at convergence barriers (formation/warp_paths.h). BSSY
// and BSYNC are micro-ops Bra of kind Nop (native/execute/expand.h).
#pragma once

#include <memory>

#include "formation/formation.h"

namespace heddle::formation {

// Not among the formations by name: micro-ops of PTX have no convergence barriers.
[[nodiscard]] std::unique_ptr<Formation> make_its(const Shape& shape);

} // namespace heddle::formation
