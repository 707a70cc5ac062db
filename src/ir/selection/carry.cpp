// Arithmetic in extended precision. The carry flag CC.CF is a predicate of the function: PTX leaves the flag
// undefined before its first write and across calls. As in hardware, a difference is a + ~b + carry: its carry out is
// true where nothing is borrowed, and sub.cc has the carry in 1.
#include <fmt/format.h>

#include "ir/selection/families.h"

namespace heddle::ir {

// add.cc.type d, a, b;   addc[.cc].type d, a, b;   mad.half.cc.type d, a, b, c;   madc.half[.cc].type d, a, b, c;
// An instruction without a carry in reads a constant.
void select_carry(FunctionLowering& f, MicroOp op, const Modifiers& modifiers) {
    const bool carries_in = op.opcode == Opcode::AddC || op.opcode == Opcode::SubC || op.opcode == Opcode::MadC;
    const bool multiplies = op.opcode == Opcode::Mad || op.opcode == Opcode::MadC;
    const std::uint64_t no_carry = op.opcode == Opcode::Sub ? 0xffff'ffffU : 0;
    const std::size_t sources = multiplies ? 3 : 2;
    if (op.sub == Sub::Wide)
        return f.cursor.error(fmt::format("'{}' takes .lo or .hi", f.cursor.text()));
    if (!f.cursor.count(1 + sources, 1 + sources))
        return;
    const std::optional<Place> to = f.operands.destination(f.cursor.operand(0), op.type);
    bool good = to.has_value();
    for (std::size_t i = 0; i < sources; ++i) {
        const std::optional<Place> from = f.operands.source(f.cursor.operand(i + 1), op.type);
        good = good && from.has_value();
        op.src[i] = from.value_or(kNowhere);
    }
    if (!good)
        return;
    op.opcode = multiplies                                              ? Opcode::MadC
                : op.opcode == Opcode::Add || op.opcode == Opcode::AddC ? Opcode::AddC
                                                                        : Opcode::SubC;
    op.src[sources] = carries_in ? f.places.carry_flag() : f.places.constant(no_carry);
    op.dst[0] = *to;
    op.dst[1] = modifiers.has(kWithCarry) ? f.places.carry_flag() : kNowhere;
    op.dst_bytes = f.places.storage(op.dst[0]);
    op.src_bytes = f.places.storage(op.src[0]);
    f.emitter.emit(op);
}

} // namespace heddle::ir
