// Formals of a .func, and operands of calls, that are registers: they go through parameter memory.
#pragma once

#include "ir/selection/lowering.h"

namespace heddle::ir {

// The move of a register or constant from (Ld) or to (St) an offset of the caller's or callee's parameter memory.
// `type`: of the formal.
[[nodiscard]] MicroOp parameter_move(Places& places, Opcode opcode, Type type, std::uint32_t offset, Place value);

// At the start of a function: emits the loads of its parameters that are registers.
void load_formals(FunctionLowering& f);
// At a return: emits the stores of the results that are registers.
void store_results(FunctionLowering& f);

} // namespace heddle::ir
