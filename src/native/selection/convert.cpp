// Conversions.
#include "native/selection/selector.h"

namespace heddle::native {

void Selector::convert(const MicroOp& op) {
    const bool to_int = !ptx::is_float(op.type);
    const bool from_int = !ptx::is_float(op.from);
    const bool small = ptx::is_small_float(op.type) || ptx::is_small_float(op.from) || op.src[1] != ir::kNowhere;
    if (small || op.has(ir::kRelu) || op.has(ir::kSatFinite))
        return routine(op);
    if (to_int && from_int)
        return op.has(ir::kSaturate) ? routine(op) : resize(op);
    const Op native = to_int ? Op::F2i : from_int ? Op::I2f : Op::F2f;
    const Operand d = value(op.dst[0]);
    if (d.count == 2 && ptx::size_of(op.type) < 8)
        return routine(op);
    const bool wide_from = ptx::size_of(op.from) == 8;
    const Operand a = wide_from ? wide(op.src[0]) : from_int ? extended(op.src[0], op.from) : word(op.src[0]);
    Instruction& i = emit(native, {d}, {a});
    set_modifiers(i);
    i.mods.source = ir::Opcode::Cvt;
}

// Between integers: the value is cut to the smaller of both types, then extended to the register.
void Selector::resize(const MicroOp& op) {
    const unsigned from = ptx::size_of(op.from);
    const unsigned to = ptx::size_of(op.type);
    const Operand d = value(op.dst[0]);
    const bool from_sign = ptx::is_signed(op.from);
    const bool to_sign = ptx::is_signed(op.type);
    if (to == 8 && from == 8)
        return copy_words(d, wide(op.src[0]));
    const bool widens = to > from;
    const ir::Type cut = widens ? op.from : op.type;
    const bool negative = widens ? from_sign : to_sign;
    Operand a = extended(op.src[0], cut);
    if (widens && to < 4 && from_sign && !to_sign) { // the sign fills the result, not the register
        const Operand filled = temporary();
        emit(Op::Lop3, {filled}, {a, immediate(0xffff), zero()}).mods.imm = 0xc0;
        a = filled;
    }
    copy(d.count == 2 ? part_of(d, 0) : d, a);
    if (d.count == 1)
        return;
    // A result of less than 64 bits is extended by its own type.
    if (!(to == 8 ? from_sign : negative && to_sign)) {
        copy(part_of(d, 1), zero());
        return;
    }
    Instruction& i = emit(Op::Shf, {part_of(d, 1)}, {a, immediate(31), zero()});
    i.mods.type = ir::Type::S32;
    i.mods.sub = ir::Sub::ShfRight;
    i.mods.flags = ir::kClamp;
}

} // namespace heddle::native
