// The class of work of a native instruction, by which a machine has its pipe and timing.
#pragma once

#include "ir/micro_op.h"
#include "native/instruction.h"

namespace heddle::native {

// Sets work and domain of the micro-op at the instruction's PC. Where nothing is set here, they are those of the
// operation of PTX that it executes.
void set_work(const Instruction& instruction, ir::MicroOp& op);

} // namespace heddle::native
