// Names of opcodes.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "ir/isa/refusal.h"
#include "ir/micro_op.h"

namespace heddle::ir {

// The row of the opcode table that `name` (without modifiers) selects. Opcode::Other for instructions
// of PTX that the table has no row for; nothing for a name that is no instruction of PTX.
[[nodiscard]] std::optional<Opcode> find_opcode(std::string_view name);
// The instructions of PTX that the table has no row for.
[[nodiscard]] std::span<const Refusal> refused_opcodes();
// The opcode name nearest to `name`; empty when none is near.
[[nodiscard]] std::string nearest_opcode(std::string_view name);

} // namespace heddle::ir
