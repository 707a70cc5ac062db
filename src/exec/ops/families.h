// Families of register-to-register operations. Each function returns the operation for the instruction set in
// use, or null when the micro-op is not of its family or the combination of type and modifiers does not exist.
#pragma once

#include "exec/vector_ops.h"

namespace heddle::exec::ops {

[[nodiscard]] VectorOp select_move(const ir::MicroOp& op);          // mov, pack, unpack, selp, slct, cvta, isspacep
[[nodiscard]] VectorOp select_predicate(const ir::MicroOp& op);     // mov, and, or, xor, not on predicates
[[nodiscard]] VectorOp select_int_arith(const ir::MicroOp& op);     // add ... sad of integers
[[nodiscard]] VectorOp select_int_pairs(const ir::MicroOp& op);     // add, min, max of pairs of 16 bits; .relu
[[nodiscard]] VectorOp select_lop3(const ir::MicroOp& op);          // lop3, also with a predicate
[[nodiscard]] VectorOp select_carry(const ir::MicroOp& op);         // addc, subc, madc, with carry in or out
[[nodiscard]] VectorOp select_bits(const ir::MicroOp& op);          // logic, shifts, bit fields, prmt
[[nodiscard]] VectorOp select_elements(const ir::MicroOp& op);      // vadd2 ... vset4: halves and bytes of registers
[[nodiscard]] VectorOp select_video(const ir::MicroOp& op);         // vadd ... vset, vmad: words, halves or bytes
[[nodiscard]] VectorOp select_float_arith(const ir::MicroOp& op);   // add, sub, mul, fma, div, rcp, sqrt of f32, f64
[[nodiscard]] VectorOp select_float_misc(const ir::MicroOp& op);    // neg, abs, min, max, copysign, testp
[[nodiscard]] VectorOp select_compare(const ir::MicroOp& op);       // setp, set
[[nodiscard]] VectorOp select_convert(const ir::MicroOp& op);       // cvt, with registers of any width
[[nodiscard]] VectorOp select_convert_int(const ir::MicroOp& op);   // cvt from integers, in registers of their size
[[nodiscard]] VectorOp select_convert_float(const ir::MicroOp& op); // cvt from f32, f64, in registers of their size
[[nodiscard]] VectorOp
select_convert_bounded(const ir::MicroOp& op); // cvt with .relu, .satfinite, .rs; formats of 4 to 8 bits
[[nodiscard]] VectorOp select_convert_pack(const ir::MicroOp& op); // cvt.pack
[[nodiscard]] VectorOp select_approximate(const ir::MicroOp& op);  // .approx and .full forms, ex2, lg2, sin, cos
[[nodiscard]] VectorOp select_half_arith(const ir::MicroOp& op);   // add, sub, mul, fma, neg ... of f16, bf16, pairs
[[nodiscard]] VectorOp select_half_compare(const ir::MicroOp& op); // setp and set of f16, bf16, pairs
[[nodiscard]] VectorOp select_half_approximate(const ir::MicroOp& op); // ex2, tanh of f16, bf16, pairs
[[nodiscard]] VectorOp select_convert_half(const ir::MicroOp& op);     // cvt from and to f16, bf16, pairs

// Highway's name of the instruction set in use.
[[nodiscard]] const char* target_name();

} // namespace heddle::exec::ops
