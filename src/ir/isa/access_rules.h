// Rules between the modifiers of loads, stores, atomics, fences and barriers: which order goes with which scope and
// instruction, which hint with which space.
#pragma once

#include <string>

#include "ir/isa/modifiers.h"

namespace heddle::ir {

// The reason why the modifiers do not go together; empty when they do.
[[nodiscard]] std::string wrong_access(const ptx::Instruction& instruction, Opcode opcode, const Modifiers& modifiers);

} // namespace heddle::ir
