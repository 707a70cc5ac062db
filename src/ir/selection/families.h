// The families of instructions, a file each. A function emits the micro-ops of the current instruction, or reports an
// error. `op` comes from make_op() and has no operands.
#pragma once

#include <string_view>

#include "ir/isa/matrix_words.h"
#include "ir/isa/modifiers.h"
#include "ir/selection/lowering.h"

namespace heddle::ir {

// alu.cpp: arithmetic, logic and comparison
void select_by_signature(FunctionLowering& f, MicroOp op, std::string_view signature); // Form::operands
void select_compare(FunctionLowering& f, MicroOp op, const Modifiers& modifiers);
void select_lop3(FunctionLowering& f, MicroOp op);
// carry.cpp: add, sub, mad with carry in or out
void select_carry(FunctionLowering& f, MicroOp op, const Modifiers& modifiers);
// elements.cpp: vadd2 and similar
void select_elements(FunctionLowering& f, Opcode opcode);
// video.cpp: vadd, vmad and similar
void select_video(FunctionLowering& f, Opcode opcode);
// move.cpp
void select_move(FunctionLowering& f, MicroOp op);
// convert.cpp: conversions of values (cvt) and of addresses (cvta, isspacep)
void select_convert(FunctionLowering& f, MicroOp op, const Modifiers& modifiers);
// convert_bounded.cpp: cvt with .relu or .satfinite, to pairs, tf32 and formats of 4 to 8 bits; cvt.pack
void select_convert_bounded(FunctionLowering& f, MicroOp op);
void select_convert_pack(FunctionLowering& f);
void select_cvta(FunctionLowering& f, MicroOp op);
void select_isspacep(FunctionLowering& f, MicroOp op);
// memory.cpp: loads, stores, atomics
void select_memory(FunctionLowering& f, MicroOp op, const Modifiers& modifiers);
// async.cpp: cp
void select_async(FunctionLowering& f);
// barrier_object.cpp: mbarrier, cp.async.mbarrier
void select_barrier_object(FunctionLowering& f);
void select_arrival_of_copies(FunctionLowering& f);
// texture.cpp: textures and surfaces
void select_texture(FunctionLowering& f, MicroOp op, const Modifiers& modifiers);
// sync.cpp: barriers of blocks and warps, exchanges between the lanes of a warp
void select_sync(FunctionLowering& f, MicroOp op, const Modifiers& modifiers);
// matrix.cpp: wmma, mma, ldmatrix, movmatrix
void select_matrix(FunctionLowering& f, Opcode opcode);
// wmma.cpp: loads and stores of wmma
void select_wmma_access(FunctionLowering& f, const MatrixWords& words);
// control.cpp: branches and returns
void select_branch(FunctionLowering& f, MicroOp op);
void select_table_branch(FunctionLowering& f);
void select_return(FunctionLowering& f, MicroOp op);
// calls.cpp
void select_call(FunctionLowering& f, MicroOp op);

} // namespace heddle::ir
