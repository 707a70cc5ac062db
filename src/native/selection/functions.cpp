// Quotients, reciprocals, roots and functions of floating point as the sequences of instructions that ptxas makes of
// them (docs/native-code.md, "Division and roots"). The last instruction computes the result of PTX.
#include "native/selection/selector.h"

namespace heddle::native {

using ir::Opcode;
using ir::Rounding;
using ir::Sub;
using ir::Type;

namespace {

constexpr std::uint64_t kOne = 0x3f80'0000, kMinusOne = 0xbf80'0000, kHalf = 0x3f00'0000;
constexpr std::uint64_t kWideOne = 0x3ff0'0000'0000'0000, kWideHalf = 0x3fe0'0000'0000'0000,
                        kWideThreeEighths = 0x3fd8'0000'0000'0000;
constexpr std::uint64_t kLeastNormal = 0x0080'0000;                      // 2^-126
constexpr std::uint64_t kPower24 = 0x4b80'0000;                          // 2^24
constexpr std::uint64_t kPower126 = 0x7e80'0000, kQuarter = 0x3e80'0000; // 2^126

} // namespace

Operand Selector::fused(Type type, const Operand& a, const Operand& b, const Operand& c) {
    const bool wide_type = type == Type::F64;
    const Operand out = temporary(wide_type ? 2 : 1);
    Instruction& i = emit(wide_type ? Op::Dfma : Op::Ffma, {out}, {a, b, c});
    i.mods.type = type;
    i.mods.source = Opcode::Fma;
    i.mods.rounding = Rounding::Rn;
    return out;
}

Operand Selector::times(Type type, const Operand& a, const Operand& b) {
    const bool wide_type = type == Type::F64;
    const Operand out = temporary(wide_type ? 2 : 1);
    Instruction& i = emit(wide_type ? Op::Dmul : Op::Fmul, {out}, {a, b});
    i.mods.type = type;
    i.mods.source = Opcode::Mul;
    i.mods.rounding = Rounding::Rn;
    return out;
}

// MUFU; of double precision it reads and writes the upper word.
void Selector::function(Opcode which, const Operand& to, const Operand& a) {
    Instruction& i = emit(Op::Mufu, {to}, {a});
    i.mods.type = Type::F32;
    i.mods.source = which;
}

Operand Selector::compares(Op native, Type type, Sub sub, const Operand& a, const Operand& b, const Operand& with) {
    const Operand out = temporary_predicate();
    Instruction& i = emit(native, {out}, {a, b, with});
    i.mods.type = type;
    i.mods.sub = sub;
    i.mods.combine = ir::BoolOp::And;
    return out;
}

// Whether the operation is a sequence. Under a guard and in other roundings all of its work is the routine's; without
// numbers below the normal ones (.ftz) an approximate function is one MUFU.
bool Selector::select_function(const MicroOp& op) {
    const bool nearest = op.rounding == Rounding::Rn;
    const bool wide_type = op.type == Type::F64;
    const bool approximate = op.has(ir::kApprox) || op.has(ir::kFull);
    const bool flushes = op.has(ir::kFtz);
    if (op.guard != ir::kNowhere || (op.type != Type::F32 && !wide_type) || (approximate && wide_type))
        return false;
    switch (op.opcode) {
    case Opcode::Div:
        if (!approximate && !nearest)
            return false;
        return approximate ? quotient_approximate(op) : wide_type ? quotient_wide(op) : quotient(op), true;
    case Opcode::Rcp:
        if (approximate && flushes)
            return false;
        return approximate ? reciprocal_approximate(op) : wide_type ? reciprocal_wide(op) : reciprocal(op), true;
    case Opcode::Sqrt:
        if (approximate ? flushes : !nearest)
            return false;
        return approximate ? scaled_function(op) : wide_type ? root_wide(op) : root(op), true;
    case Opcode::Rsqrt:
    case Opcode::Lg2:
    case Opcode::Ex2:
        return !flushes && (scaled_function(op), true);
    case Opcode::Sin:
    case Opcode::Cos:
        return angle_function(op), true;
    default:
        return false;
    }
}

// A step of Newton for 1 / b, the quotient, and its correction. FCHK says whether all of that is exact.
void Selector::quotient(const MicroOp& op) {
    const Operand a = in_register(word(op.src[0]));
    const Operand b = in_register(word(op.src[1]));
    const Operand r = temporary();
    function(Opcode::Rcp, r, b);
    const Operand slow = temporary_predicate();
    emit(Op::Fchk, {slow}, {a, b}).mods.type = Type::F32;
    const Operand error = fused(Type::F32, negated(b), r, immediate(kOne));
    const Operand better = fused(Type::F32, r, error, r);
    const Operand q = fused(Type::F32, a, better, zero());
    const Operand rest = fused(Type::F32, negated(b), q, a);
    finish_sequence(op, Op::Ffma, {better, rest, q});
    call_unless(inverted(slow), op);
}

void Selector::reciprocal(const MicroOp& op) {
    const Operand a = in_register(word(op.src[0]));
    const Operand moved = temporary();
    emit(Op::Iadd3, {moved}, {a, immediate(0x0180'0000), zero()});
    const Operand exponent = temporary();
    emit(Op::Lop3, {exponent}, {moved, immediate(0x7f80'0000), zero()}).mods.imm = 0xc0;
    const Operand fast = compares(Op::Isetp, Type::U32, Sub::Gt, exponent, immediate(0x01ff'ffff), always());
    const std::uint32_t slow = call_unless(fast, op);
    const Operand r = temporary();
    function(Opcode::Rcp, r, a);
    const Operand error = fused(Type::F32, a, r, immediate(kMinusOne));
    const Operand opposite = temporary();
    Instruction& i = emit(Op::Fadd, {opposite}, {negated(error), zero()});
    i.mods.type = Type::F32;
    i.mods.source = Opcode::Add;
    finish_sequence(op, Op::Ffma, {r, opposite, r});
    join(slow);
}

void Selector::root(const MicroOp& op) {
    const Operand a = in_register(word(op.src[0]));
    const Operand moved = temporary();
    emit(Op::Iadd3, {moved}, {a, immediate(0xf300'0000), zero()});
    const Operand r = temporary();
    function(Opcode::Rsqrt, r, a);
    const Operand outside = compares(Op::Isetp, Type::U32, Sub::Gt, moved, immediate(0x727f'ffff), always());
    const std::uint32_t slow = call_unless(inverted(outside), op);
    const Operand s = times(Type::F32, a, r);
    const Operand half = times(Type::F32, r, immediate(kHalf));
    const Operand rest = fused(Type::F32, negated(s), s, a);
    finish_sequence(op, Op::Ffma, {rest, half, s});
    join(slow);
}

// Two steps of Newton; the upper words of operand and quotient say whether the result is exact.
void Selector::quotient_wide(const MicroOp& op) {
    const Operand a = pair(op.src[0]);
    const Operand b = pair(op.src[1]);
    const Operand r = temporary(2);
    copy(part_of(r, 0), immediate(1));
    function(Opcode::Rcp, part_of(r, 1), part_of(b, 1));
    Operand upper = part_of(a, 1);
    upper.absolute = true;
    const Operand large = compares(Op::Fsetp, Type::F32, Sub::Geu, upper, immediate(0x0360'0000), always());
    const Operand error = fused(Type::F64, negated(b), r, immediate(kWideOne));
    const Operand both = fused(Type::F64, error, error, error);
    const Operand better = fused(Type::F64, r, both, r);
    const Operand last = fused(Type::F64, negated(b), better, immediate(kWideOne));
    const Operand best = fused(Type::F64, better, last, better);
    const Operand q = times(Type::F64, a, best);
    const Operand rest = fused(Type::F64, negated(b), q, a);
    finish_sequence(op, Op::Dfma, {best, rest, q});
    Operand size = fused(Type::F32, zero(), part_of(b, 1), part_of(value(op.dst[0]), 1));
    size.absolute = true;
    call_unless(compares(Op::Fsetp, Type::F32, Sub::Gt, size, immediate(0x0010'0000), large), op);
}

void Selector::reciprocal_wide(const MicroOp& op) {
    const Operand a = pair(op.src[0]);
    const Operand r = temporary(2);
    function(Opcode::Rcp, part_of(r, 1), part_of(a, 1));
    emit(Op::Iadd3, {part_of(r, 0)}, {part_of(a, 1), immediate(0x0030'0402), zero()});
    Operand moved = part_of(r, 0);
    moved.absolute = true;
    const Operand fast = compares(Op::Fsetp, Type::F32, Sub::Geu, moved, immediate(0x0040'0402), always());
    const Operand error = fused(Type::F64, negated(a), r, immediate(kWideOne));
    const Operand both = fused(Type::F64, error, error, error);
    const Operand better = fused(Type::F64, r, both, r);
    const Operand last = fused(Type::F64, negated(a), better, immediate(kWideOne));
    finish_sequence(op, Op::Dfma, {better, last, better});
    call_unless(fast, op);
}

void Selector::root_wide(const MicroOp& op) {
    const Operand a = pair(op.src[0]);
    const Operand r = temporary(2);
    function(Opcode::Rsqrt, part_of(r, 1), part_of(a, 1));
    emit(Op::Iadd3, {part_of(r, 0)}, {part_of(a, 1), immediate(0xfcb0'0000), zero()});
    const Operand outside = compares(Op::Isetp, Type::U32, Sub::Ge, part_of(r, 0), immediate(0x7ca0'0000), always());
    const Operand square = times(Type::F64, r, r);
    const Operand error = fused(Type::F64, a, negated(square), immediate(kWideOne));
    const Operand series =
        fused(Type::F64, error, immediate(kWideHalf), kept_constant(immediate(kWideThreeEighths), 2));
    const Operand step = times(Type::F64, r, error);
    const Operand better = fused(Type::F64, series, step, r);
    const Operand s = times(Type::F64, a, better);
    const Operand half = temporary(2); // one less in the exponent
    emit(Op::Iadd3, {part_of(half, 1)}, {part_of(better, 1), immediate(0xfff0'0000), zero()});
    copy(part_of(half, 0), part_of(better, 0));
    const Operand rest = fused(Type::F64, negated(s), s, a);
    finish_sequence(op, Op::Dfma, {rest, half, s});
    call_unless(inverted(outside), op);
}

// `to` * `factor` where the guard holds.
void Selector::scale(const Operand& guard, const Operand& to, const Operand& from, std::uint64_t factor) {
    Instruction& i = emit(Op::Fmul, {to}, {from, immediate(factor)});
    i.mods.type = Type::F32;
    i.mods.source = Opcode::Mul;
    i.guard = guard;
    i.keeps = to == from;
}

// a * MUFU.RCP(b). Divisors beyond 2^126 are scaled (.full), and ones below 2^-126 unless they count as zeros (.ftz).
void Selector::quotient_approximate(const MicroOp& op) {
    const Operand a = in_register(word(op.src[0]));
    const Operand b = in_register(word(op.src[1]));
    const bool full = op.has(ir::kFull);
    const bool small = !op.has(ir::kFtz);
    Operand x = a;
    Operand y = b;
    const auto scaled = [&](Sub sub, std::uint64_t limit, bool holds, std::uint64_t factor) {
        Operand size = b;
        size.absolute = true;
        Operand guard = compares(Op::Fsetp, Type::F32, sub, size, immediate(limit), always());
        guard.inverted = !holds;
        for (Operand* o : {&y, &x}) {
            const Operand from = *o;
            const Operand to = from == a || from == b ? temporary() : from;
            scale(guard, to, from, factor);
            *o = to;
        }
    };
    if (full)
        scaled(Sub::Gt, kPower126, true, kQuarter);
    if (small)
        scaled(Sub::Geu, kLeastNormal, false, kPower24);
    const Operand r = temporary();
    function(Opcode::Rcp, r, y);
    finish_sequence(op, Op::Fmul, {r, x});
}

void Selector::reciprocal_approximate(const MicroOp& op) {
    const Operand a = in_register(word(op.src[0]));
    Operand size = a;
    size.absolute = true;
    const Operand normal = compares(Op::Fsetp, Type::F32, Sub::Geu, size, immediate(kLeastNormal), always());
    const Operand large = compares(Op::Fsetp, Type::F32, Sub::Gt, size, immediate(kPower126), always());
    const Operand up = temporary();
    emit(Op::Sel, {up}, {in_register(immediate(kPower24)), immediate(kOne), inverted(normal)});
    const Operand factor = temporary();
    emit(Op::Sel, {factor}, {up, immediate(kQuarter), inverted(large)});
    const Operand scaled = times(Type::F32, a, factor);
    const Operand r = temporary();
    function(Opcode::Rcp, r, scaled);
    finish_sequence(op, Op::Fmul, {factor, r});
}

// Numbers below the normal ones are scaled, and the result is scaled back.
void Selector::scaled_function(const MicroOp& op) {
    const Operand a = in_register(word(op.src[0]));
    const bool power = op.opcode == Opcode::Ex2;
    Operand size = a;
    size.absolute = !power;
    constexpr std::uint64_t kMinus126 = 0xc2fc'0000;
    const Operand normal =
        compares(Op::Fsetp, Type::F32, Sub::Geu, size, immediate(power ? kMinus126 : kLeastNormal), always());
    const Operand x = temporary();
    scale(inverted(normal), x, a, power ? kHalf : kPower24);
    const Operand y = temporary();
    function(op.opcode, y, x);
    if (power)
        return finish_sequence(op, Op::Fmul, {y, y});
    finish_sequence(op, op.opcode == Opcode::Lg2 ? Op::Fadd : Op::Fmul, {y});
}

// MUFU reads parts of a turn.
void Selector::angle_function(const MicroOp& op) {
    const Operand a = in_register(word(op.src[0]));
    constexpr std::uint64_t kPerTurn = 0x3e22'f983; // 1 / (2 pi)
    finish_sequence(op, Op::Mufu, {times(Type::F32, a, immediate(kPerTurn))});
}

} // namespace heddle::native
