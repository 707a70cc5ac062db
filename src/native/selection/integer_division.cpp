// Quotients and remainders of integers as the sequences of instructions that ptxas makes of them (docs/native-code.md,
// "Division and roots"): a reciprocal in single precision, steps of Newton on integers, the quotient, two corrections.
// The last instruction computes the result of PTX. What divisions by one divisor have in common is there once in a
// block.
#include "native/selection/selector.h"

namespace heddle::native {

using ir::Opcode;
using ir::Rounding;
using ir::Sub;
using ir::Type;

// Whether the operation is a sequence; under a guard all of it is the routine's.
bool Selector::divide(const MicroOp& op) {
    if (op.guard != ir::kNowhere || ptx::is_float(op.type))
        return false;
    return ptx::size_of(op.type) == 8 ? divide_pairs(op) : divide_words(op), true;
}

Operand Selector::sum(const Operand& a, const Operand& b) {
    const Operand out = temporary();
    emit(Op::Iadd3, {out}, {a, b, zero()});
    return out;
}

Operand Selector::sum_wide(const Operand& a, const Operand& b) {
    const Operand out = temporary(2);
    add_wide(out, a, b.minus ? negated(b) : b, b.minus);
    return out;
}

Operand Selector::product(Op native, const Operand& a, const Operand& b, const Operand& c) {
    const Operand out = temporary(native == Op::ImadWide ? 2 : 1);
    emit(native, {out}, {a, b, c}).mods.type = Type::U32;
    return out;
}

Operand Selector::chosen(const Operand& p, const Operand& a, const Operand& b) {
    const Operand out = temporary(a.count);
    for (unsigned w = 0; w < a.count; ++w)
        emit(Op::Sel, {part_of(out, w)}, {part_of(a, w), part_of(b, w), p});
    return out;
}

Operand Selector::compares_wide(Sub sub, const Operand& a, const Operand& b) {
    const Operand low = compares(Op::Isetp, Type::U32, sub, part_of(a, 0), part_of(b, 0), always());
    const Operand out = temporary_predicate();
    Instruction& i = emit(Op::IsetpX, {out}, {part_of(a, 1), part_of(b, 1), always(), low});
    i.mods.type = Type::U32;
    i.mods.sub = sub;
    i.mods.combine = ir::BoolOp::And;
    return out;
}

void Selector::guarded_sum(const Operand& guard, const Operand& to, const Operand& a, const Operand& b) {
    Instruction& i = emit(Op::Iadd3, {to}, {a, b, zero()});
    i.guard = guard;
    i.keeps = true;
}

// 2^32 / divisor, or 2^64 / divisor of a pair, a little less than it is, from single precision.
Operand Selector::reciprocal_of(const Operand& divisor, bool is_signed) {
    const bool wide_type = divisor.count == 2;
    const Operand number = temporary();
    Instruction& from = emit(Op::I2f, {number}, {divisor});
    from.mods.type = Type::F32;
    from.mods.from = wide_type ? Type::U64 : is_signed ? Type::S32 : Type::U32;
    from.mods.rounding = Rounding::Rp;
    from.mods.source = Opcode::Cvt;
    const Operand r = temporary();
    function(Opcode::Rcp, r, number);
    const Operand scaled = sum(r, immediate(wide_type ? 0x1fff'fffe : 0x0fff'fffe)); // times 2^63 or 2^31, less 2 ulp
    const Operand out = temporary(2); // of one word: the upper word of an addend of 64 bits
    Instruction& to = emit(Op::F2i, {wide_type ? out : part_of(out, 1)}, {scaled});
    to.mods.type = wide_type ? Type::U64 : Type::U32;
    to.mods.from = Type::F32;
    to.mods.rounding = Rounding::Rzi;
    to.mods.source = Opcode::Cvt;
    if (!wide_type)
        copy(part_of(out, 0), zero());
    return out;
}

Operand Selector::opposite(const Operand& o) {
    return o.is(Operand::Kind::Immediate) ? negated(o) : sum(zero(), negated(o));
}

Selector::OperandKey Selector::key_of(const Operand& o) {
    return {o.kind, o.number, o.part, o.value};
}

// The absolute value of a register, and whether it is not negative: once in a block.
const std::array<Operand, 2>& Selector::size_and_sign(const Operand& a) {
    auto& known = signs_[{a.number, a.part}];
    if (known[0].is(Operand::Kind::None)) {
        known[0] = temporary();
        emit(Op::Iabs, {known[0]}, {a});
        known[1] = compares(Op::Isetp, Type::S32, Sub::Ge, a, zero(), always());
    }
    return known;
}

// What divisions of a block by one divisor have in common.
const Selector::Divisor& Selector::divisor(const Operand& b, bool is_signed) {
    const auto [entry, fresh] = divisors_.try_emplace({key_of(b), is_signed});
    Divisor& known = entry->second;
    if (!fresh)
        return known;
    known.constant = b.is(Operand::Kind::Immediate);
    known.size = b;
    if (is_signed && known.constant) {
        known.size = b.value >> 31 != 0 ? negated(b) : b;
    } else if (is_signed) {
        known.size = temporary();
        emit(Op::Iabs, {known.size}, {b});
    }
    const Operand r = reciprocal_of(known.size, is_signed);
    const Operand error = product(Op::Imad, part_of(r, 1), opposite(known.size), zero());
    known.factor = product(Op::ImadHi, part_of(r, 1), error, r);
    return known;
}

// The quotient and the rest of absolute values, neither of which has its corrections. Both are made once for operands
// of which a block needs both.
const Selector::Division& Selector::division(const Operand& a, const Operand& b, bool is_signed) {
    const auto [entry, fresh] = divisions_.try_emplace({key_of(a), key_of(b), is_signed});
    Division& known = entry->second;
    if (!fresh)
        return known;
    const Divisor& by = divisor(b, is_signed);
    const Operand x = is_signed && a.is(Operand::Kind::Register) ? size_and_sign(a)[0] : a;
    known.quotient = product(Op::ImadHi, by.factor, x, zero());
    if (is_signed) {
        Operand size = by.size;
        if (!by.constant) {
            size = temporary();
            emit(Op::Iabs, {size}, {b});
        }
        known.rest = product(Op::Imad, known.quotient, opposite(size), x);
    } else {
        known.rest = product(Op::Imad, opposite(known.quotient), by.size, x);
    }
    known.first = compares(Op::Isetp, Type::U32, Sub::Ge, known.rest, by.size, always());
    guarded_sum(known.first, known.rest, known.rest, negated(by.size));
    known.second = compares(Op::Isetp, Type::U32, Sub::Ge, known.rest, by.size, always());
    return known;
}

// A constant divisor is not 0, and its absolute value and opposite are constants, too.
void Selector::divide_words(const MicroOp& op) {
    const bool is_signed = ptx::is_signed(op.type);
    const bool remainder = op.opcode == Opcode::Rem;
    const Operand a = in_register(extended(op.src[0], op.type));
    Operand b = extended(op.src[1], op.type);
    const bool constant = b.is(Operand::Kind::Immediate);
    if (!constant)
        b = in_register(b);
    const Division& both = division(a, b, is_signed);
    const Operand y = divisor(b, is_signed).size;
    const Operand found = remainder ? both.rest : both.quotient;
    if (!remainder)
        guarded_sum(both.first, found, found, immediate(1));
    if (constant && !is_signed)
        return finish_sequence(op, Op::Iadd3, {found, both.second});
    guarded_sum(both.second, found, found, remainder ? negated(y) : immediate(1));
    if (!is_signed)
        return finish_division(op, found, b);
    Operand positive;
    if (remainder && a.is(Operand::Kind::Register)) {
        positive = size_and_sign(a)[1];
    } else {
        const Operand sign = temporary();
        emit(Op::Lop3, {sign}, {a, b, zero()}).mods.imm = 0x3c;
        positive = compares(Op::Isetp, Type::S32, Sub::Ge, sign, zero(), always());
    }
    if (constant)
        return finish_sequence(op, Op::Iadd3, {found, positive});
    guarded_sum(inverted(positive), found, zero(), negated(found));
    finish_division(op, found, b);
}

// All ones where the divisor is 0.
void Selector::finish_division(const MicroOp& op, const Operand& found, const Operand& divisor) {
    const Operand divides = compares(Op::Isetp, Type::U32, Sub::Ne, divisor, zero(), always());
    finish_sequence(op, Op::Lop3, {found, divisor, zero(), divides});
}

// The upper 64 bits of a product of pairs.
Operand Selector::upper_product(const Operand& a, const Operand& b) {
    const Operand low = product(Op::ImadHi, part_of(a, 0), part_of(b, 0), zero());
    const Operand crossed = product(Op::ImadWide, part_of(a, 0), part_of(b, 1), group({low, part_of(a, 0)}));
    const Operand upper = product(Op::Imad, part_of(a, 1), part_of(b, 1), zero());
    const Operand middle = product(Op::ImadHi, part_of(a, 1), part_of(b, 0), part_of(crossed, 0));
    const Operand top = product(Op::ImadHi, part_of(a, 1), part_of(b, 1), part_of(crossed, 1));
    const Operand out = temporary(2);
    const Operand carry = temporary_predicate();
    emit(Op::Iadd3, {part_of(out, 0), carry}, {upper, middle, zero()});
    emit(Op::Iadd3X, {part_of(out, 1)}, {top, zero(), zero(), carry});
    return out;
}

// The lower 64 bits.
Operand Selector::product_wide(const Operand& a, const Operand& b) {
    const Operand low = product(Op::ImadWide, part_of(a, 0), part_of(b, 0), zero());
    const Operand once = product(Op::Imad, part_of(a, 0), part_of(b, 1), part_of(low, 1));
    emit(Op::Imad, {part_of(low, 1)}, {part_of(a, 1), part_of(b, 0), once});
    return low;
}

void Selector::divide_pairs(const MicroOp& op) {
    const bool is_signed = ptx::is_signed(op.type);
    const bool remainder = op.opcode == Opcode::Rem;
    const Operand a = pair(op.src[0]);
    const Operand b = pair(op.src[1]);
    const auto with_sign = [&](const Operand& sign, const Operand& o) { // o, or -o where the sign is negative
        const Operand positive = compares(Op::Isetp, Type::S32, Sub::Ge, part_of(sign, 1), zero(), always());
        return chosen(positive, o, sum_wide(zero(), negated(o)));
    };
    const auto size = [&](const Operand& o) { return is_signed ? with_sign(o, o) : o; };
    const Operand x = size(a);
    const Operand y = size(b);
    Operand r = reciprocal_of(y, false);
    for (int step = 0; step < 2; ++step)
        r = upper_product(r, sum_wide(zero(), negated(product_wide(r, y))));
    Operand q = upper_product(r, x);
    Operand rest = sum_wide(x, negated(product_wide(q, y)));
    const Operand one = immediate(1);
    const Operand first = compares_wide(Sub::Ge, rest, y);
    const Operand less = sum_wide(rest, negated(y));
    if (!remainder)
        q = chosen(first, sum_wide(q, one), q);
    rest = chosen(first, less, rest);
    const Operand second = compares_wide(Sub::Ge, rest, y);
    Operand found = remainder ? chosen(second, sum_wide(rest, negated(y)), rest) : chosen(second, sum_wide(q, one), q);
    if (is_signed && !remainder) { // the sign is that of both together
        const Operand both = temporary(2);
        emit(Op::Lop3, {part_of(both, 1)}, {part_of(a, 1), part_of(b, 1), zero()}).mods.imm = 0x3c;
        found = with_sign(both, found);
    } else if (is_signed) {
        found = with_sign(a, found);
    }
    const Operand divides = compares_wide(Sub::Ne, y, zero());
    const Operand low = chosen(divides, part_of(found, 0), immediate(0xffff'ffff));
    finish_sequence(op, Op::Sel, {part_of(found, 1), low, divides});
}

} // namespace heddle::native
