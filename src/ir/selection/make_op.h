// New micro-ops, before their operands are known.
#pragma once

#include "ir/isa/modifiers.h"
#include "ir/micro_op.h"

namespace heddle::ir {

// The latency class of an operation of the type; the 16-bit formats belong to f32.
[[nodiscard]] Domain domain_of(Type type);

// A micro-op with the kind, work and domain of its opcode and type, and no operands.
[[nodiscard]] MicroOp make_op(Opcode opcode, Type type = Type::None);
// A micro-op with the kind and work of its opcode, the fields that modifiers select, and no operands.
[[nodiscard]] MicroOp make_op(Opcode opcode, const Modifiers& modifiers);

} // namespace heddle::ir
