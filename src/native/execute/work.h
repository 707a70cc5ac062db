// The class of work of a native instruction, by which a machine has its pipe and timing.
#pragma once

#include <span>

#include "ir/micro_op.h"
#include "ir/native_instruction.h"
#include "native/instruction.h"

namespace heddle::native {

// Sets work and domain of `op`, the micro-op of the instruction that is at its PC. Where the instruction does not say
// them, they are those of the first of its micro-ops that computes, and does not only move or convert.
void set_work(const Instruction& instruction, std::span<const ir::MicroOp> all, ir::MicroOp& op);

// The class of which machines have a timing apart from that of its work.
[[nodiscard]] ir::NativeInstruction::Class class_of(const Instruction& instruction);

} // namespace heddle::native
