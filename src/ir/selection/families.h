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
// stack.cpp: alloca, stacksave, stackrestore; .local variables of recursive functions
void select_stack(FunctionLowering& f, const MicroOp& op);
void begin_stack(FunctionLowering& f); // at the begin of a function
void free_stack(FunctionLowering& f);  // where it returns
// memory.cpp: loads, stores, atomics
void select_memory(FunctionLowering& f, MicroOp op, const Modifiers& modifiers);
// async.cpp: cp
void select_async(FunctionLowering& f);
// barrier_object.cpp: mbarrier, cp.async.mbarrier
void select_barrier_object(FunctionLowering& f);
void select_arrival_of_copies(FunctionLowering& f);
// An object at the address expects `bytes` (.u32) less.
void emit_completion(FunctionLowering& f, Space space, const Operand& address, Place bytes);
// The same in two steps: the operand of the update, and the update of an object at a shared::cluster address.
[[nodiscard]] Place make_completion(FunctionLowering& f, Place bytes);
void emit_completion_at(FunctionLowering& f, Place address, Place update);
// bulk.cpp: cp.async.bulk, cp.reduce.async.bulk
[[nodiscard]] bool is_bulk(const ptx::Instruction& instruction);
void select_bulk(FunctionLowering& f);
// tensor_map.cpp: tensormap
void select_tensor_map(FunctionLowering& f);
// clusters.cpp: mapa, getctarank, barrier.cluster
void select_map_address(FunctionLowering& f);
// The place `a` (.u32 or .u64) in the shared memory of block `rank` of the cluster.
Place map_address(FunctionLowering& f, Place a, Place rank, Type type, Place to = kNowhere);
void select_rank_of_address(FunctionLowering& f);
[[nodiscard]] bool is_cluster_barrier(const ptx::Instruction& instruction);
void select_cluster_barrier(FunctionLowering& f);
// store_async.cpp: st.async, red.async
[[nodiscard]] bool is_async_store(const ptx::Instruction& instruction);
void select_async_store(FunctionLowering& f);
// hopper_hints.cpp: createpolicy, applypriority, discard, setmaxnreg, griddepcontrol; fences of proxies
void select_hopper_hint(FunctionLowering& f, Opcode opcode);
[[nodiscard]] bool is_special_fence(const ptx::Instruction& instruction);
void select_special_fence(FunctionLowering& f);
// texture.cpp: fetches, loads and stores of surfaces
void select_texture(FunctionLowering& f, MicroOp op, const Modifiers& modifiers);
// surface_reduction.cpp
void select_surface_reduction(FunctionLowering& f, MicroOp op, const Modifiers& modifiers);
// texture_query.cpp: txq, suq, istypep
void select_texture_query(FunctionLowering& f, MicroOp op, const Modifiers& modifiers);
void select_istypep(FunctionLowering& f, MicroOp op);
// sync.cpp: barriers of blocks and warps, exchanges between the lanes of a warp
void select_sync(FunctionLowering& f, MicroOp op, const Modifiers& modifiers);
// matrix.cpp: all matrix instructions; of these the products in registers themselves
void select_matrix(FunctionLowering& f, Opcode opcode);
// matrix_moves.cpp
void select_ldmatrix(FunctionLowering& f, const MatrixWords& words);
void select_stmatrix(FunctionLowering& f, const MatrixWords& words);
void select_movmatrix(FunctionLowering& f, const MatrixWords& words);
// wgmma.cpp
void select_wgmma(FunctionLowering& f, const MatrixWords& words);
// wmma.cpp: loads and stores of wmma
void select_wmma_access(FunctionLowering& f, const MatrixWords& words);
// control.cpp: branches and returns
void select_branch(FunctionLowering& f, MicroOp op);
void select_table_branch(FunctionLowering& f);
void select_return(FunctionLowering& f, MicroOp op);
// calls.cpp
void select_call(FunctionLowering& f, MicroOp op);

} // namespace heddle::ir
