// Integers of 64 bits as pairs of words.
#include "native/selection/selector.h"

namespace heddle::native {

void Selector::add_wide(const Operand& d, const Operand& a, const Operand& b, bool subtract) {
    const Operand carry_out = temporary_predicate();
    const Operand low = part_of(b, 0);
    const Operand high = part_of(b, 1);
    if (subtract && low.kind == Operand::Kind::Zero) { // nothing is borrowed
        copy(part_of(d, 0), part_of(a, 0));
        emit(Op::Iadd3, {part_of(d, 1)}, {part_of(a, 1), negated(in_register(high)), zero()});
        return;
    }
    if (subtract) {
        const Operand in = in_register(low);
        emit(Op::Iadd3, {part_of(d, 0), carry_out}, {part_of(a, 0), negated(in), zero()});
        emit(Op::Iadd3X, {part_of(d, 1)}, {part_of(a, 1), inverted(in_register(high)), zero(), carry_out});
        return;
    }
    emit(Op::Iadd3, {part_of(d, 0), carry_out}, {part_of(a, 0), low, zero()});
    emit(Op::Iadd3X, {part_of(d, 1)}, {part_of(a, 1), high, zero(), carry_out});
}

void Selector::minmax_wide(const MicroOp& op) {
    const Operand a = pair(op.src[0]);
    const Operand b = pair(op.src[1]);
    MicroOp compared = op;
    compared.opcode = ir::Opcode::Setp;
    compared.sub = op.opcode == ir::Opcode::Min ? ir::Sub::Lt : ir::Sub::Gt;
    compared.combine = ir::BoolOp::None;
    compared.src[2] = ir::kNowhere;
    const Operand p = temporary_predicate();
    compare_into(compared, p, {});
    for (unsigned w = 0; w < 2; ++w)
        emit(Op::Sel, {part_of(value(op.dst[0]), w)}, {part_of(a, w), part_of(b, w), p});
}

void Selector::shift_wide(const MicroOp& op) {
    const bool left = op.opcode == ir::Opcode::Shl;
    const bool negative = !left && ptx::is_signed(op.type);
    const Operand a = pair(op.src[0]);
    const Operand d = value(op.dst[0]);
    const auto shf = [&](const Operand& to, const Operand& low, const Operand& amount, const Operand& high, bool both,
                         bool upper) {
        Instruction& i = emit(Op::Shf, {to}, {low, amount, high});
        i.mods.type = both ? (negative ? ir::Type::S64 : ir::Type::U64) : negative ? ir::Type::S32 : ir::Type::U32;
        i.mods.sub = left ? ir::Sub::ShfLeft : ir::Sub::ShfRight;
        i.mods.flags = ir::kClamp;
        i.mods.imm = upper ? 1 : 0;
    };
    const Operand lo = part_of(a, 0);
    const Operand hi = part_of(a, 1);
    if (is_constant(op.src[1]) && (bits(op.src[1]) & 0xffff'ffffU) >= 32) {
        const auto n = static_cast<std::uint32_t>(bits(op.src[1]));
        const std::uint32_t rest = n >= 64 ? 32 : n - 32;
        if (left) {
            shf(part_of(d, 1), lo, immediate(rest), zero(), false, false);
            copy(part_of(d, 0), zero());
        } else {
            shf(part_of(d, 0), hi, immediate(rest), zero(), false, false);
            if (negative)
                shf(part_of(d, 1), hi, immediate(31), zero(), false, false);
            else
                copy(part_of(d, 1), zero());
        }
        return;
    }
    const Operand amount = word(op.src[1]);
    if (left) {
        shf(part_of(d, 1), lo, amount, hi, true, true);
        shf(part_of(d, 0), lo, amount, zero(), false, false);
    } else {
        shf(part_of(d, 0), lo, amount, hi, true, false);
        shf(part_of(d, 1), hi, amount, zero(), false, false);
    }
}

} // namespace heddle::native
