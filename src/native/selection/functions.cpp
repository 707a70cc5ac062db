// Quotients, reciprocals, roots and functions of floating point as the sequences of instructions that ptxas makes of
// them (docs/native-code.md, "Division and roots"). One instruction computes the result of PTX: the last one of a
// division or root that is correctly rounded, MUFU of an approximate function. The instructions beside MUFU leave
// values as they are.
#include <utility>

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

bool is_approximate(const ir::MicroOp& op) {
    switch (op.opcode) {
    case Opcode::Div:
    case Opcode::Rcp:
    case Opcode::Sqrt:
        return op.has(ir::kApprox) || op.has(ir::kFull);
    case Opcode::Rsqrt:
    case Opcode::Lg2:
    case Opcode::Ex2:
    case Opcode::Sin:
    case Opcode::Cos:
        return true;
    default:
        return false;
    }
}

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

// Whether the operation is a sequence. In other roundings, and under a guard unless it is approximate, all of its work
// is the routine's; without numbers below the normal ones (.ftz) an approximate function is one MUFU.
bool Selector::select_function(const MicroOp& op) {
    const bool nearest = op.rounding == Rounding::Rn;
    const bool wide_type = op.type == Type::F64;
    if (op.type != Type::F32 && !wide_type)
        return false;
    if (is_approximate(op))
        return !wide_type && approximate(op);
    if (op.guard != ir::kNowhere || !nearest)
        return false;
    switch (op.opcode) {
    case Opcode::Div:
        return wide_type ? quotient_wide(op) : quotient(op), true;
    case Opcode::Rcp:
        return wide_type ? reciprocal_wide(op) : reciprocal(op), true;
    case Opcode::Sqrt:
        return wide_type ? root_wide(op) : root(op), true;
    default:
        return false;
    }
}

// Threads outside a guard compute, too, and keep the old value.
bool Selector::approximate(const MicroOp& op) {
    const bool flushes = op.has(ir::kFtz);
    const bool one = flushes && op.opcode != Opcode::Div && op.opcode != Opcode::Sin && op.opcode != Opcode::Cos;
    if (one)
        return false;
    const Operand result = value(op.dst[0]);
    const Operand guard = std::exchange(guard_, {});
    const Operand to = guard.is(Operand::Kind::None) ? result : temporary();
    switch (op.opcode) {
    case Opcode::Div:
        quotient_approximate(op, to);
        break;
    case Opcode::Rcp:
        reciprocal_approximate(op, to);
        break;
    case Opcode::Sin:
    case Opcode::Cos:
        angle_function(op, to);
        break;
    default:
        scaled_function(op, to);
    }
    guard_ = guard;
    if (to != result)
        copy(result, to);
    return true;
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

void Selector::compute_in(const MicroOp& op, Op native, const Operand& to, std::initializer_list<Operand> values,
                          std::initializer_list<Operand> reads) {
    Instruction i;
    i.op = native;
    i.origins = {form_.pcs[op_]};
    stand_for(i);
    i.mods.flags = op.flags;
    i.mods.carried = static_cast<std::uint8_t>(values.size());
    i.dst[0] = to;
    std::copy(reads.begin(), reads.end(), std::copy(values.begin(), values.end(), i.src.begin()));
    out_.blocks[block_].code.push_back(std::move(i));
}

void Selector::pass_on(Op native, const Operand& guard, const Operand& to, const Operand& value,
                       std::initializer_list<Operand> reads) {
    Instruction i;
    i.op = native;
    i.origins = {form_.pcs[op_]};
    i.guard = guard;
    i.keeps = !guard.is(Operand::Kind::None);
    i.mods.type = Type::F32;
    i.mods.source = Opcode::Mov;
    i.mods.sources = i.mods.results = 1;
    i.mods.carried = 1;
    i.dst[0] = to;
    i.src[0] = value;
    std::copy(reads.begin(), reads.end(), i.src.begin() + 1);
    out_.blocks[block_].code.push_back(std::move(i));
}

// A register of the sequence's own.
Operand Selector::copied(Place p) {
    const Operand out = temporary();
    copy(out, word(p));
    return out;
}

// a * MUFU.RCP(b). Divisors beyond 2^126 are scaled (.full), and ones below 2^-126 unless they count as zeros (.ftz).
void Selector::quotient_approximate(const MicroOp& op, const Operand& to) {
    const Operand x = copied(op.src[0]), y = copied(op.src[1]);
    Operand size = y;
    size.absolute = true;
    struct Scale {
        Operand guard;
        std::uint64_t factor;
    };
    std::vector<Scale> scales;
    if (op.has(ir::kFull))
        scales.push_back({compares(Op::Fsetp, Type::F32, Sub::Gt, size, immediate(kPower126), always()), kQuarter});
    if (!op.has(ir::kFtz))
        scales.push_back(
            {inverted(compares(Op::Fsetp, Type::F32, Sub::Geu, size, immediate(kLeastNormal), always())), kPower24});
    for (const Scale& scale : scales)
        for (const Operand& o : {y, x})
            pass_on(Op::Fmul, scale.guard, o, o, {o, immediate(scale.factor)});
    const Operand r = temporary();
    compute_in(op, Op::Mufu, r, {x, y}, {y});
    pass_on(Op::Fmul, {}, to, r, {r, x});
}

void Selector::reciprocal_approximate(const MicroOp& op, const Operand& to) {
    const Operand a = in_register(word(op.src[0]));
    Operand size = a;
    size.absolute = true;
    const Operand normal = compares(Op::Fsetp, Type::F32, Sub::Geu, size, immediate(kLeastNormal), always());
    const Operand large = compares(Op::Fsetp, Type::F32, Sub::Gt, size, immediate(kPower126), always());
    const Operand up = temporary();
    emit(Op::Sel, {up}, {in_register(immediate(kPower24)), immediate(kOne), inverted(normal)});
    const Operand factor = temporary();
    emit(Op::Sel, {factor}, {up, immediate(kQuarter), inverted(large)});
    const Operand scaled = temporary(), r = temporary();
    pass_on(Op::Fmul, {}, scaled, a, {a, factor});
    compute_in(op, Op::Mufu, r, {scaled}, {scaled});
    pass_on(Op::Fmul, {}, to, r, {factor, r});
}

// Numbers below the normal ones are scaled, and the result is scaled back.
void Selector::scaled_function(const MicroOp& op, const Operand& to) {
    constexpr std::uint64_t kMinus126 = 0xc2fc'0000, kMinus24 = 0xc1c0'0000;     // numbers
    constexpr std::uint64_t kPowerMinus12 = 0x3980'0000, kPower12 = 0x4580'0000; // 2^-12, 2^12
    const bool power = op.opcode == Opcode::Ex2;
    const Operand x = copied(op.src[0]);
    Operand size = x;
    size.absolute = !power;
    const Operand small =
        inverted(compares(Op::Fsetp, Type::F32, Sub::Geu, size, immediate(power ? kMinus126 : kLeastNormal), always()));
    pass_on(Op::Fmul, small, x, x, {x, immediate(power ? kHalf : kPower24)});
    compute_in(op, Op::Mufu, to, {x}, {x});
    if (power)
        pass_on(Op::Fmul, small, to, to, {to, to});
    else if (op.opcode == Opcode::Lg2)
        pass_on(Op::Fadd, small, to, to, {to, immediate(kMinus24)});
    else
        pass_on(Op::Fmul, small, to, to, {to, immediate(op.opcode == Opcode::Sqrt ? kPowerMinus12 : kPower12)});
}

// MUFU reads parts of a turn.
void Selector::angle_function(const MicroOp& op, const Operand& to) {
    constexpr std::uint64_t kPerTurn = 0x3e22'f983; // 1 / (2 pi)
    const Operand a = in_register(word(op.src[0]));
    const Operand turns = temporary();
    pass_on(Op::Fmul, {}, turns, a, {a, immediate(kPerTurn)});
    compute_in(op, Op::Mufu, to, {turns}, {turns});
}

} // namespace heddle::native
