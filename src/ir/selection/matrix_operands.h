// Operands of matrix instructions.
#pragma once

#include <optional>
#include <vector>

#include "ir/isa/matrix.h"
#include "ir/selection/lowering.h"

namespace heddle::ir {

// A micro-op in which all lanes of the warp take part.
[[nodiscard]] MicroOp make_matrix_op(Places& places, Opcode opcode);
// The type of the registers of a fragment.
[[nodiscard]] Type type_of_registers(const Fragment& fragment);

// The functions below report an error when they return nothing or false.

// What a list of registers may have beside them: `_` where it is a result alone, constants where it is only read.
enum class ListUse : std::uint8_t { Result, Source, Both };
// The registers of a vector operand, `wanted` of them, which fit `type`.
[[nodiscard]] std::optional<std::vector<Place>> matrix_registers(FunctionLowering& f, const Operand& operand,
                                                                 unsigned wanted, Type type, ListUse use);
[[nodiscard]] std::optional<std::vector<Place>> fragment_registers(FunctionLowering& f, const Operand& operand,
                                                                   const Fragment& fragment, ListUse use);
// The metadata of a sparse matrix A and their selector: operands `first` and the next. The selector goes to `matrix`.
[[nodiscard]] bool read_metadata(FunctionLowering& f, std::size_t first, Matrix& matrix, Place& metadata);
// Base and space of a matrix in memory: to op.src[0], op.src_bytes, op.imm and op.space.
[[nodiscard]] bool read_matrix_address(FunctionLowering& f, const Operand& operand, bool shared_only, MicroOp& op);

} // namespace heddle::ir
