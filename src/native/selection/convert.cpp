// Conversions.
#include "ir/generic_windows.h"
#include "native/selection/selector.h"

namespace heddle::native {

void Selector::convert(const MicroOp& op) {
    const bool to_int = !ptx::is_float(op.type);
    const bool from_int = !ptx::is_float(op.from);
    if (convert_half(op))
        return;
    const bool small = ptx::is_small_float(op.type) || ptx::is_small_float(op.from) || op.src[1] != ir::kNowhere;
    if (small || op.has(ir::kRelu) || op.has(ir::kSatFinite))
        return routine(op);
    if (to_int && from_int)
        return op.has(ir::kSaturate) ? routine(op) : resize(op);
    const bool on_alu = target_.converts_on_alu && op.type == ir::Type::F32 && ptx::size_of(op.from) == 4 &&
                        !op.has(ir::kSaturate) && (op.rounding == ir::Rounding::Rn || op.rounding == ir::Rounding::Rz);
    const Op from_integer = on_alu ? Op::I2fp : Op::I2f;
    const Op native = to_int ? Op::F2i : from_int ? from_integer : Op::F2f;
    const Operand d = value(op.dst[0]);
    if (d.count == 2 && ptx::size_of(op.type) < 8)
        return routine(op);
    const bool wide_from = ptx::size_of(op.from) == 8;
    const Operand a = wide_from ? wide(op.src[0]) : from_int ? extended(op.src[0], op.from) : word(op.src[0]);
    Instruction& i = emit(native, {d}, {a});
    set_modifiers(i);
    i.mods.source = ir::Opcode::Cvt;
}

// To and from halves, as compilers for these chips have it: from Ampere on F2FP rounds one or two numbers of single
// precision, and HADD2.F32 or a shift makes one of a half. False: not so.
bool Selector::convert_half(const MicroOp& op) {
    const auto is = [](ir::Type type, ir::Type half, ir::Type brain) { return type == half || type == brain; };
    const bool pair = is(op.type, ir::Type::F16x2, ir::Type::BF16x2),
               to_half = is(op.type, ir::Type::F16, ir::Type::BF16);
    const bool single = op.from == ir::Type::F32;
    const bool rounds = op.rounding == ir::Rounding::Rn || op.rounding == ir::Rounding::Rz;
    if ((pair || to_half) && single && rounds && target_.packs_halves && op.src[2] == ir::kNowhere &&
        !op.has(ir::kSaturate) && !op.has(ir::kSatFinite)) {
        out_.blocks[block_].code.push_back(standing(op, Op::F2fp));
        return true;
    }
    if (op.type != ir::Type::F32 || !is(op.from, ir::Type::F16, ir::Type::BF16) || op.has(ir::kSaturate) ||
        op.src[1] != ir::kNowhere)
        return false;
    finish_sequence(op, op.from == ir::Type::F16 ? Op::Hadd2 : Op::Shf, {word(op.src[0])});
    return true;
}

// Between generic addresses and those of a space: windows begin at a multiple of 2^32.
void Selector::cross_window(const MicroOp& op) {
    const Operand d = value(op.dst[0]);
    Address window = 0;
    if (op.space == ir::Space::Shared || op.space == ir::Space::SharedCluster)
        window = ir::kSharedWindow;
    else if (op.space == ir::Space::Local)
        window = ir::kLocalWindow;
    else if (op.space == ir::Space::Param)
        window = ir::kParameterWindow;
    static_assert(((ir::kSharedWindow | ir::kLocalWindow | ir::kParameterWindow) & UINT32_MAX) == 0);
    const Operand a = wide(op.src[0]);
    if (ptx::size_of(op.type) != 8 || d.count != 2 || window == 0)
        return routine(op);
    const auto upper = static_cast<std::uint32_t>((op.has(ir::kToSpace) ? Address{0} - window : window) >> 32);
    copy(part_of(d, 0), part_of(a, 0));
    emit(Op::Iadd3, {part_of(d, 1)}, {part_of(a, 1), immediate(upper), zero()});
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
