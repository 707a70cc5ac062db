// Where code lies. It has addresses of its own, so no DRAM row holds both code and data.
#pragma once

#include "base/types.h"

namespace heddle::sm {

inline constexpr Address kCodeBase = 0x0400'0000'0000; // of the instruction with PC 0

} // namespace heddle::sm
