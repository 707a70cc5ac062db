// Micro-ops that several families emit.
#pragma once

#include <initializer_list>

#include "ir/selection/lowering.h"

namespace heddle::ir {

// to = a `how` b, where `to` is a predicate.
void emit_compare(FunctionLowering& f, Sub how, Type type, Place to, Place a, Place b);
// to = from, of 32 bits.
void emit_copy(FunctionLowering& f, Place to, Place from);
// A micro-op on registers of the type. Its result is a temporary of the type unless `to` names one.
Place emit_op(FunctionLowering& f, Opcode opcode, Type type, std::initializer_list<Place> sources, Place to = kNowhere);
// to = from, an integer of another size. Returns `to`.
Place emit_resized(FunctionLowering& f, Type from_type, Place from, Type to_type, Place to);
// A temporary with a number of 32 bits, zero-extended to 64 bits.
[[nodiscard]] Place emit_widened(FunctionLowering& f, Place from);
// A temporary with -from, of 32 bits.
[[nodiscard]] Place emit_negated(FunctionLowering& f, Place from);
// A source of a 32-bit type. Of a register of 64 bits, the lower half: a copy of it in a new register.
[[nodiscard]] std::optional<Place> read_narrowed(FunctionLowering& f, const Operand& operand, Type type);
// Emits an operation with a 32-bit result, zero-extended where the register `to` has 64 bits.
void emit_extended(FunctionLowering& f, MicroOp op, Place to);
// A fence of the block that takes the time of one of the GPU: ptxas puts MEMBAR.GPU in front of releases to the
// cluster.
void emit_release_to_cluster(FunctionLowering& f);
// A micro-op without effect, which takes an issue slot of the load/store unit.
void emit_memory_nop(FunctionLowering& f, Opcode opcode, std::uint32_t flags = 0, std::int64_t imm = 0);

} // namespace heddle::ir
