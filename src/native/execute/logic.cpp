// Logic, comparisons, selections, copies.
#include <algorithm>
#include <stdexcept>

#include "native/execute/expander.h"

namespace heddle::native {

using ir::Opcode;
using ir::Type;
using Kind = Operand::Kind;

bool Expander::logic(const Instruction& i) {
    const Place d = out_.target(i.dst[0]);
    switch (i.op) {
    case Op::Isetp:
        return compare(i, false), true;
    case Op::Fsetp:
    case Op::Dsetp:
    case Op::Hsetp2:
        return compare(i, true), true;
    case Op::IsetpX:
        return compare_upper(i), true;
    case Op::Plop3:
        return predicate_logic(i), true;
    case Op::Lop3:
        out_.result(Opcode::Lop3, Type::B32, d, {out_.word(i.src[0]), out_.word(i.src[1]), out_.word(i.src[2])}).imm =
            i.mods.imm;
        return true;
    case Op::Lop3P: {
        const Place word = out_.temporary();
        out_.compute(Opcode::Lop3, Type::B32, word, {out_.word(i.src[0]), out_.word(i.src[1]), out_.word(i.src[2])})
            .imm = i.mods.imm;
        out_.result(Opcode::Setp, Type::U32, d, {word, out_.constant(0)}).sub = i.mods.sub;
        return true;
    }
    case Op::Sel: {
        auto& op = out_.result(Opcode::Selp, Type::B32, d,
                               {out_.word(i.src[0]), out_.word(i.src[1]), out_.raw_predicate(i.src[2])});
        op.flags = i.src[2].inverted ? std::uint32_t{ir::kSourceNegated} : 0U;
        return true;
    }
    case Op::Prmt:
        out_.result(Opcode::Prmt, Type::B32, d, {out_.word(i.src[0]), out_.word(i.src[2]), out_.word(i.src[1])}).sub =
            ir::Sub::PrmtIndex;
        return true;
    case Op::Mov:
    case Op::LdcStack:
    case Op::ImadMov:
        out_.result(Opcode::Mov, Type::B32, d, {out_.word(i.src[0])});
        return true;
    case Op::P2r: {
        auto& op =
            out_.result(Opcode::Selp, Type::B32, d, {out_.constant(1), out_.constant(0), out_.raw_predicate(i.src[0])});
        op.flags = i.src[0].inverted ? std::uint32_t{ir::kSourceNegated} : 0U;
        return true;
    }
    case Op::R2p:
        out_.result(Opcode::Setp, Type::U32, d, {out_.word(i.src[0]), out_.constant(0)}).sub = ir::Sub::Ne;
        return true;
    default:
        return false;
    }
}

// p = (a ? b) op c, q = !(a ? b) op c
void Expander::compare(const Instruction& i, bool is_float) {
    const Operand& c = i.src[2];
    const bool combines = !(c.is(Kind::True) && !c.inverted && i.mods.combine == ir::BoolOp::And);
    Place with = ir::kNowhere;
    if (combines) {
        with = out_.raw_predicate(c);
        const bool overwritten =
            c.is(Kind::Register) && (with == out_.target(i.dst[0]) || with == out_.target(i.dst[1]));
        if (overwritten) {
            const Place copy = out_.predicate_temporary();
            out_.compute(Opcode::Mov, Type::Pred, copy, {with});
            with = copy;
        }
    }
    const Place a = is_float ? out_.number(i.src[0], i.mods.type) : out_.word(i.src[0]);
    const Place b = is_float ? out_.number(i.src[1], i.mods.type) : out_.word(i.src[1]);
    auto& op = out_.result(Opcode::Setp, i.mods.type, out_.target(i.dst[0]), {a, b, with});
    op.dst[1] = out_.target(i.dst[1]);
    op.sub = i.mods.sub;
    op.flags = i.mods.flags | (combines && c.inverted ? std::uint32_t{ir::kCombineNegated} : 0U);
    op.combine = combines ? i.mods.combine : ir::BoolOp::None;
}

// A comparison of pairs: the upper words decide, and where they are equal the comparison of the lower ones.
void Expander::compare_upper(const Instruction& i) {
    using S = ir::Sub;
    const Place a = out_.word(i.src[0]);
    const Place b = out_.word(i.src[1]);
    const Place low = out_.predicate(i.src[3]);
    const Place decided = out_.predicate_temporary();
    const auto setp = [&](S sub, ir::BoolOp combine, Place with) {
        auto& op = out_.compute(Opcode::Setp, i.mods.type, decided, {a, b, with});
        op.sub = sub;
        op.combine = combine;
    };
    switch (i.mods.sub) {
    case S::Eq:
        setp(S::Eq, ir::BoolOp::And, low);
        break;
    case S::Ne:
        setp(S::Ne, ir::BoolOp::Or, low);
        break;
    default: {
        const bool less = i.mods.sub == S::Lt || i.mods.sub == S::Le;
        setp(S::Eq, ir::BoolOp::And, low);
        setp(less ? S::Lt : S::Gt, ir::BoolOp::Or, decided);
        break;
    }
    }
    const Opcode combine = i.mods.combine == ir::BoolOp::Or    ? Opcode::Or
                           : i.mods.combine == ir::BoolOp::Xor ? Opcode::Xor
                                                               : Opcode::And;
    const Place with = out_.predicate_temporary(); // c may be a destination
    out_.compute(Opcode::Mov, Type::Pred, with, {out_.predicate(i.src[2])});
    if (i.dst[0].is(Kind::Register))
        out_.result(combine, Type::Pred, out_.target(i.dst[0]), {decided, with});
    if (!i.dst[1].is(Kind::Register))
        return;
    const Place opposite = out_.predicate_temporary();
    out_.compute(Opcode::Not, Type::Pred, opposite, {decided});
    out_.result(combine, Type::Pred, out_.target(i.dst[1]), {opposite, with});
}

// The tables that the selection uses: functions of the first two predicates.
void Expander::predicate_logic(const Instruction& i) {
    const Place d = out_.target(i.dst[0]);
    switch (i.mods.imm) {
    case 0xf0: {
        auto& op = out_.result(Opcode::Mov, Type::Pred, d, {out_.raw_predicate(i.src[0])});
        op.flags = i.src[0].inverted ? std::uint32_t{ir::kSourceNegated} : 0U;
        return;
    }
    case 0x0f:
        out_.result(Opcode::Not, Type::Pred, d, {out_.predicate(i.src[0])});
        return;
    case 0xc0:
    case 0xfc:
    case 0x3c: {
        const Opcode opcode = i.mods.imm == 0xc0 ? Opcode::And : i.mods.imm == 0xfc ? Opcode::Or : Opcode::Xor;
        out_.result(opcode, Type::Pred, d, {out_.predicate(i.src[0]), out_.predicate(i.src[1])});
        return;
    }
    default:
        throw std::logic_error("native code: a logic function of three predicates");
    }
}

} // namespace heddle::native
