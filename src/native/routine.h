// Operations that are routines of fixed code.
#pragma once

#include <cstdint>
#include <string_view>

#include "ir/micro_op.h"
#include "native/instruction.h"

namespace heddle::native {

// The instruction CALL.REL computes what its micro-op computes, in one issue.
struct Routine {
    std::string_view name;
    std::uint8_t registers; // that its code takes beside those that live on behind it
    std::string_view meaning;
};

// Null: the back end has no code for the operation.
[[nodiscard]] const Routine* find_routine(const ir::MicroOp& op);
// Of a CALL.REL.
[[nodiscard]] const Routine* routine_of(const Instruction& instruction);

} // namespace heddle::native
