// Operands of instructions that access memory: addresses, and the registers of vectors. Each function reports an error
// when it returns false or nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ir/selection/lowering.h"

namespace heddle::ir {

// Reads an address in brackets to op.space, op.src[0] and op.imm. `bytes`: the storage of the base.
[[nodiscard]] bool read_address(FunctionLowering& f, const Operand& operand, MicroOp& op, std::uint8_t& bytes);

// Whether the operand is a list of registers, or a vector register.
[[nodiscard]] bool is_vector(const Cursor& cursor, const Operand& operand);
// The elements of a vector operand, or the components of a vector register; the operand itself when `wanted` is 1.
// Empty after an error.
[[nodiscard]] std::vector<Operand> elements(Cursor& cursor, const Operand& operand, unsigned wanted);
// Whether elements that stand side by side are of one kind: integers, or floating-point numbers of one type. Registers
// of bits fit both.
[[nodiscard]] bool check_kinds(Cursor& cursor, const std::vector<Operand>& list);
// The registers that the op.vector elements of a load go to: to op.dst and op.dst_bytes. Elements of several may be
// `_`.
[[nodiscard]] bool read_elements_to(FunctionLowering& f, const Operand& operand, MicroOp& op);
// The registers and constants that the elements of a store come from: to op.src from `first` on, and op.src_bytes.
[[nodiscard]] bool read_elements_from(FunctionLowering& f, const Operand& operand, MicroOp& op, std::size_t first);

} // namespace heddle::ir
