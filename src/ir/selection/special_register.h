// Special registers (%tid.x, %clock64 ...) as operands.
#pragma once

#include <optional>

#include "ir/micro_op.h"
#include "ir/selection/cursor.h"

namespace heddle::ir {

// The micro-op that reads the special register of an operand of kind Special, without a destination. `type` is u32 or
// u64. Its kind is Nop for a register that PTX has and heddle does not. Reports an unknown name, and returns nothing
// then.
[[nodiscard]] std::optional<MicroOp> read_special(const Operand& operand, Cursor& cursor);
// Whether such a register may be read into a register that is narrower than it: its low bits.
[[nodiscard]] bool is_read_narrow(const MicroOp& op);

} // namespace heddle::ir
