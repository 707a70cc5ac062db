// Registers of 128 bits: two of 64 bits, which micro-ops name.
#pragma once

#include "ir/selection/lowering.h"

namespace heddle::ir {

struct Halves {
    Place low, high;
};

// The halves of a register of 128 bits; an error is reported when the operand is none.
[[nodiscard]] std::optional<Halves> read_halves(FunctionLowering& f, const Operand& operand);
// Fills the upper half of a register of 128 bits whose lower half has just got a result of `type`: with its sign, or
// with zeros. No effect for another operand.
void fill_upper_half(FunctionLowering& f, const Operand& operand, Type type);
// The same for an operand or each element of a vector.
void fill_upper_halves(FunctionLowering& f, const Operand& operand, Type type);

} // namespace heddle::ir
