// Floating-point arithmetic.
#include "native/selection/selector.h"

namespace heddle::native {

void Selector::select_floating(const MicroOp& op) {
    using enum ir::Opcode;
    const unsigned bytes = ptx::size_of(op.type);
    const bool wide_type = bytes == 8;
    const bool ftz = op.has(ir::kFtz);
    const auto source = [&](std::size_t s) { return number(op.src.at(s), op.type, ftz); };
    const auto finish = [&](Instruction& i) {
        i.mods.type = op.type;
        i.mods.source = op.opcode;
        i.mods.rounding = op.rounding;
        i.mods.flags = op.flags & (ir::kFtz | ir::kSaturate | ir::kNanResult | ir::kXorSign);
    };
    if (op.type == ir::Type::F32x2 || (op.from != ir::Type::None && op.from != op.type) || op.has(ir::kOutOfBounds))
        return routine(op);
    if (select_function(op))
        return;
    switch (op.opcode) {
    case Add:
    case Sub: {
        Operand b = source(1);
        if (op.opcode == Sub) {
            if (b.kind == Operand::Kind::Immediate || b.kind == Operand::Kind::Zero) {
                const Operand in = temporary(wide_type ? 2 : 1);
                copy_words(in, b);
                b = in;
            }
            b.minus = !b.minus;
        }
        return finish(emit(wide_type ? Op::Dadd : Op::Fadd, {value(op.dst[0])}, {source(0), b}));
    }
    case Mul:
        return finish(emit(wide_type ? Op::Dmul : Op::Fmul, {value(op.dst[0])}, {source(0), source(1)}));
    case Mad:
    case Fma:
        return finish(emit(wide_type ? Op::Dfma : Op::Ffma, {value(op.dst[0])}, {source(0), source(1), source(2)}));
    case Min:
    case Max:
        if (op.src[2] != ir::kNowhere || op.has(ir::kMagnitudes) || wide_type)
            return routine(op);
        return finish(emit(Op::Fmnmx, {value(op.dst[0])}, {source(0), source(1), always(op.opcode == Min)}));
    case Neg:
    case Abs:
        if (ftz)
            return routine(op);
        for (unsigned w = 0; w < bytes / 4; ++w) { // the sign is the highest bit
            const Operand d = wide_type ? part_of(value(op.dst[0]), w) : value(op.dst[0]);
            if (wide_type && w == 0) {
                copy(d, word(op.src[0], 0));
                continue;
            }
            const bool negates = op.opcode == Neg;
            emit(Op::Lop3, {d}, {word(op.src[0], w), immediate(negates ? 0x8000'0000U : 0x7fff'ffffU), zero()})
                .mods.imm = negates ? 0x3c : 0xc0;
        }
        return;
    case Copysign:
        return routine(op);
    case Rcp:
    case Sqrt:
    case Rsqrt:
    case Sin:
    case Cos:
    case Lg2:
    case Ex2:
    case Tanh: {
        if (!op.has(ir::kApprox) || wide_type)
            return routine(op);
        Instruction& i = emit(Op::Mufu, {value(op.dst[0])}, {source(0)});
        finish(i);
        return;
    }
    default:
        return routine(op);
    }
}

void Selector::half(const MicroOp& op) {
    using enum ir::Opcode;
    Op native = Op::Nop;
    switch (op.opcode) {
    case Add:
    case Sub:
        native = Op::Hadd2;
        break;
    case Mul:
        native = Op::Hmul2;
        break;
    case Mad:
    case Fma:
        native = Op::Hfma2;
        break;
    case Min:
    case Max:
        native = Op::Hmnmx2;
        break;
    default:
        return routine(op);
    }
    const bool three_way = native == Op::Hmnmx2 && op.src[2] != ir::kNowhere;
    if (three_way || op.src[3] != ir::kNowhere || op.has(ir::kOutOfBounds) || op.has(ir::kMagnitudes) ||
        (op.from != ir::Type::None && op.from != op.type))
        return routine(op);
    Operand b = word(op.src[1]);
    if (op.opcode == Sub) {
        b = in_register(b);
        b.minus = true;
    }
    const Operand last = op.src[2] != ir::kNowhere ? word(op.src[2])
                         : native == Op::Hmnmx2    ? always(op.opcode == Min)
                                                   : Operand{};
    Instruction& i = emit(native, {value(op.dst[0])}, {word(op.src[0]), b, last});
    i.mods.type = op.type;
    i.mods.source = op.opcode;
    i.mods.rounding = op.rounding;
    i.mods.flags = op.flags;
}

} // namespace heddle::native
