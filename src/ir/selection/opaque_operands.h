// Operands that name texture, sampler and surface objects.
#pragma once

#include <initializer_list>
#include <optional>

#include "ir/selection/lowering.h"

namespace heddle::ir {

// The handle in a register of 64 bits, or of a variable of one of the types. Reports an error when it returns nothing.
[[nodiscard]] std::optional<Place> read_handle(FunctionLowering& f, const Operand& operand,
                                               std::initializer_list<Type> types);

// Reads the coordinates of an object's access to op.src[1..].
[[nodiscard]] bool read_coordinates(FunctionLowering& f, const Operand& operand, MicroOp& op, Type type);

// Reads [handle, {x, y}] of a surface to src[0] and src[1..].
[[nodiscard]] bool read_surface(FunctionLowering& f, const Operand& operand, MicroOp& op);

} // namespace heddle::ir
