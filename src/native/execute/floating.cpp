// Floating point and conversions.
#include "native/execute/expander.h"

namespace heddle::native {

using ir::Opcode;
using ir::Type;
using Kind = Operand::Kind;

bool Expander::floating(const Instruction& i) {
    switch (i.op) {
    case Op::Fadd:
    case Op::Dadd:
    case Op::Hadd2:
        return arithmetic(i, Opcode::Add, 2), true;
    case Op::Fmul:
    case Op::Dmul:
    case Op::Hmul2:
        return arithmetic(i, Opcode::Mul, 2), true;
    case Op::Ffma:
    case Op::Dfma:
    case Op::Hfma2:
        return arithmetic(i, Opcode::Fma, 3), true;
    case Op::Fmnmx:
    case Op::Hmnmx2:
        return arithmetic(i, i.src[2].inverted ? Opcode::Max : Opcode::Min, 2), true;
    case Op::Mufu:
        return arithmetic(i, i.mods.source, 1), true;
    case Op::Fchk:
        return check_quotient(i), true;
    case Op::F2f:
    case Op::F2i:
    case Op::I2f:
    case Op::I2fp:
        return convert(i), true;
    default:
        return false;
    }
}

void Expander::arithmetic(const Instruction& i, Opcode opcode, unsigned sources) {
    const bool wide = i.mods.type == Type::F64;
    MicroOp op = made(i, opcode);
    op.sub = ir::Sub::None;
    op.imm = 0;
    op.flags |= i.op == Op::Mufu ? std::uint32_t{ir::kApprox} : 0U;
    // A difference is no sum with a negated NaN.
    const bool subtracts = opcode == Opcode::Add && i.mods.source == Opcode::Sub;
    if (subtracts)
        op.opcode = Opcode::Sub;
    for (std::size_t s = 0; s < sources; ++s) {
        Operand from = i.src.at(i.mods.swapped && s < 2 ? 1 - s : s);
        if (subtracts && s == 1)
            from.minus = !from.minus;
        op.src.at(s) = out_.number(from, i.mods.type);
    }
    op.dst[0] = wide ? out_.wide_temporary() : out_.target(i.dst[0]);
    out_.set_sizes(op);
    out_.result(op);
    if (wide)
        out_.write_pair(i.dst[0], op.dst[0]);
}

void Expander::convert(const Instruction& i) {
    MicroOp op = made(i, Opcode::Cvt);
    op.src[0] = ptx::size_of(i.mods.from) == 8 ? out_.pair(i.src[0]) : out_.word(i.src[0]);
    const bool wide = ptx::size_of(i.mods.type) == 8;
    op.dst[0] = wide ? out_.wide_temporary() : out_.target(i.dst[0]);
    out_.set_sizes(op);
    out_.result(op);
    if (wide)
        out_.write_pair(i.dst[0], op.dst[0]);
}

// Whether a / b needs the slow path: by the exponents of both and their difference, as measured on sm_120 (public notes
// of "clean hand-built" code, 2026): a below 2^-102, b below 2^-125 or from 2^125 on, the quotient below 2^-125 or from
// 2^127 on, infinities and NaNs. In place of the quotient stands the difference of the exponents.
void Expander::check_quotient(const Instruction& i) {
    constexpr std::uint64_t kMantissa = 23, kExponent = 8;
    const auto exponent = [&](const Operand& o) {
        const Place to = out_.temporary();
        out_.compute(Opcode::Bfe, Type::U32, to, {out_.raw(o), out_.constant(kMantissa), out_.constant(kExponent)});
        return to;
    };
    const Place a = exponent(i.src[0]);
    const Place b = exponent(i.src[1]);
    const Place difference = out_.temporary();
    out_.compute(Opcode::Sub, Type::U32, difference, {a, b});
    const Place found = out_.predicate_temporary();
    // Whether a number is less than `least` or more than `most`; or the other that was found.
    const auto outside = [&](Place number, std::int32_t least, std::int32_t most, Place with, Place to) {
        const Place from_least = out_.temporary();
        out_.compute(Opcode::Sub, Type::U32, from_least, {number, out_.constant(static_cast<std::uint32_t>(least))});
        auto& op = to == found
                       ? out_.compute(Opcode::Setp, Type::U32, to,
                                      {from_least, out_.constant(static_cast<std::uint32_t>(most - least)), with})
                       : out_.result(Opcode::Setp, Type::U32, to,
                                     {from_least, out_.constant(static_cast<std::uint32_t>(most - least)), with});
        op.sub = ir::Sub::Gt;
        op.combine = with == ir::kNowhere ? ir::BoolOp::None : ir::BoolOp::Or;
    };
    constexpr std::int32_t kBias = 127;
    outside(a, kBias - 102, kBias + 127, ir::kNowhere, found);
    outside(b, kBias - 125, kBias + 124, found, found);
    outside(difference, -125, 126, found, out_.target(i.dst[0]));
}

} // namespace heddle::native
