// Windows of the generic address space: shared memory, local memory and parameters have one each. Their addresses
// differ from those of the spaces in the upper word alone.
#pragma once

#include "base/types.h"

namespace heddle::ir {

inline constexpr Address kSharedWindow = 0x0100'0000'0000;    // + offset in the block's shared memory
inline constexpr Address kLocalWindow = 0x0200'0000'0000;     // + offset in the thread's local memory
inline constexpr Address kParameterWindow = 0x0300'0000'0000; // + offset in the kernel's parameters
inline constexpr Address kWindowBytes = 0x0100'0000'0000;

} // namespace heddle::ir
