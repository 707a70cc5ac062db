// Arithmetic in extended precision. The carry flag CC.CF is a predicate of the function's own, which PTX leaves
// undefined before it is first written and across calls.
#include <fmt/format.h>

#include "ir/selection/select.h"

namespace heddle::ir {

Place Selector::carry_flag() {
    if (carry_flag_ == kNowhere)
        carry_flag_ = temporary(Type::Pred);
    return carry_flag_;
}

// add.cc.type d, a, b;   addc[.cc].type d, a, b;   mad.half.cc.type d, a, b, c;   madc.half[.cc].type d, a, b, c;
// Those without a carry in take the constant that is false.
void Selector::select_carry(MicroOp op, const Modifiers& modifiers) {
    const bool carries_in = op.opcode == Opcode::AddC || op.opcode == Opcode::SubC || op.opcode == Opcode::MadC;
    const bool multiplies = op.opcode == Opcode::Mad || op.opcode == Opcode::MadC;
    const std::size_t sources = multiplies ? 3 : 2;
    if (op.sub == Sub::Wide)
        return error(now_->where, fmt::format("'{}' takes .lo or .hi", text()));
    if (!count(1 + sources, 1 + sources))
        return;
    const std::optional<Place> to = destination(now_->operands[0], op.type);
    bool good = to.has_value();
    for (std::size_t i = 0; i < sources; ++i) {
        const std::optional<Place> from = source(now_->operands[i + 1], op.type);
        good = good && from.has_value();
        op.src[i] = from.value_or(kNowhere);
    }
    if (!good)
        return;
    op.opcode = multiplies                                              ? Opcode::MadC
                : op.opcode == Opcode::Add || op.opcode == Opcode::AddC ? Opcode::AddC
                                                                        : Opcode::SubC;
    op.src[sources] = carries_in ? carry_flag() : constant(0);
    op.dst[0] = *to;
    op.dst[1] = modifiers.has(kWithCarry) ? carry_flag() : kNowhere;
    op.dst_bytes = storage(op.dst[0]);
    op.src_bytes = storage(op.src[0]);
    emit(op);
}

} // namespace heddle::ir
