// Native code as text.
#pragma once

#include <string>

#include "native/function.h"
#include "native/target.h"

namespace heddle::native {

// "@!P0 IADD3 R1, P2, R3.reuse, -R4, RZ". Blocks are named .L and their number; registers before allocation have v.
[[nodiscard]] std::string to_string(const Instruction& instruction);
// "B0-----:R-:W1:Y:S04": counters waited for, read and write counter, yield, stall.
[[nodiscard]] std::string to_string(const Control& control);

} // namespace heddle::native
