// Integers.
#include <stdexcept>

#include "native/execute/expander.h"

namespace heddle::native {

using ir::Opcode;
using ir::Type;
using Kind = Operand::Kind;

bool Expander::integer(const Instruction& i) {
    const auto one = [&](Opcode opcode, Type type) {
        out_.result(opcode, type, out_.target(i.dst[0]), {out_.word(i.src[0])});
        return true;
    };
    switch (i.op) {
    case Op::Iadd3:
    case Op::ImadIadd:
        return add(i), true;
    case Op::Iadd3X:
        return add_with_carry(i), true;
    case Op::Imnmx:
        out_.result(i.src[2].inverted ? Opcode::Max : Opcode::Min, i.mods.type, out_.target(i.dst[0]),
                    {out_.word(i.src[0]), out_.word(i.src[1])});
        return true;
    case Op::Iabs:
        return one(Opcode::Abs, Type::S32);
    case Op::Lea:
        return shift_add(i), true;
    case Op::Shf:
    case Op::ImadShl:
        return shift(i), true;
    case Op::Vabsdiff:
        out_.result(Opcode::Sad, i.mods.type, out_.target(i.dst[0]),
                    {out_.word(i.src[0]), out_.word(i.src[1]), out_.word(i.src[2])});
        return true;
    case Op::Sgxt:
        out_.result(Opcode::Bfe, i.mods.type, out_.target(i.dst[0]),
                    {out_.word(i.src[0]), out_.constant(0), out_.word(i.src[1])});
        return true;
    case Op::Popc:
        return one(Opcode::Popc, Type::B32);
    case Op::Flo:
        return one(Opcode::Bfind, Type::U32);
    case Op::Brev:
        return one(Opcode::Brev, Type::B32);
    case Op::Imad:
    case Op::ImadHi:
    case Op::ImadWide:
        return multiply(i), true;
    default:
        return false;
    }
}

// The carry out is that of two summands. A negated one counts as its complement and a carry in.
void Expander::add(const Instruction& i) {
    const Place d = out_.target(i.dst[0]);
    if (i.dst[1].is(Kind::Register)) {
        if (!i.src[2].is(Kind::Zero) || (i.src[0].minus && i.src[1].minus))
            throw std::logic_error("native code: a carry out of a sum of three");
        const bool subtracts = i.src[0].minus || i.src[1].minus;
        const std::size_t second = i.src[0].minus ? 0 : 1;
        auto& op = out_.result(
            subtracts ? Opcode::SubC : Opcode::AddC, Type::U32, d == ir::kNowhere ? out_.temporary() : d,
            {out_.word(i.src.at(1 - second)), out_.raw(i.src.at(second)), out_.constant(subtracts ? ~0U : 0)});
        op.dst[1] = out_.target(i.dst[1]);
        return;
    }
    std::vector<std::pair<Place, bool>> terms; // negated ones last
    for (const bool minus : {false, true})
        for (std::size_t s = 0; s < 3; ++s)
            if (!i.src.at(s).is(Kind::Zero) && !i.src.at(s).is(Kind::None) && i.src.at(s).minus == minus) {
                Operand plain = i.src.at(s);
                plain.minus = false;
                terms.emplace_back(out_.word(plain), minus);
            }
    if (terms.empty() || terms.front().second)
        terms.insert(terms.begin(), {out_.constant(0), false});
    if (terms.size() == 1) {
        out_.result(Opcode::Mov, Type::B32, d, {terms[0].first});
        return;
    }
    Place sum = terms[0].first;
    for (std::size_t t = 1; t < terms.size(); ++t) {
        const bool last = t + 1 == terms.size();
        const Opcode opcode = terms[t].second ? Opcode::Sub : Opcode::Add;
        const Place to = last ? d : out_.temporary();
        if (last)
            out_.result(opcode, Type::U32, to, {sum, terms[t].first});
        else
            out_.compute(opcode, Type::U32, to, {sum, terms[t].first});
        sum = to;
    }
}

void Expander::add_with_carry(const Instruction& i) {
    if (!i.src[2].is(Kind::Zero))
        throw std::logic_error("native code: a sum of three with a carry in");
    const Place d = out_.target(i.dst[0]);
    auto& op = out_.result(Opcode::AddC, Type::U32, d == ir::kNowhere ? out_.temporary() : d,
                           {out_.word(i.src[0]), out_.word(i.src[1]), out_.predicate(i.src[3])});
    op.dst[1] = out_.target(i.dst[1]);
}

void Expander::shift_add(const Instruction& i) {
    const Place shifted = out_.temporary();
    const Place a = out_.word(i.src[0]);
    const Place b = out_.word(i.src[1]);
    out_.compute(Opcode::Shl, Type::B32, shifted, {a, out_.constant(static_cast<std::uint64_t>(i.mods.imm))});
    out_.result(Opcode::Add, Type::U32, out_.target(i.dst[0]), {shifted, b});
}

// Shifts of a word, funnel shifts (B64), and a word of a shifted pair (U64, S64; imm: the upper one).
void Expander::shift(const Instruction& i) {
    const bool left = i.mods.sub == ir::Sub::ShfLeft;
    const Place d = out_.target(i.dst[0]);
    const Place low = out_.word(i.src[0]);
    const Place amount = out_.word(i.src[1]);
    const Type type = i.mods.type;
    if (type == Type::B64) {
        auto& op = out_.result(Opcode::Shf, Type::B32, d, {low, out_.word(i.src[2]), amount});
        op.sub = i.mods.sub;
        op.flags = i.mods.flags;
        return;
    }
    const Opcode opcode = left ? Opcode::Shl : Opcode::Shr;
    if (ptx::size_of(type) == 4) {
        out_.result(opcode, left ? Type::B32 : type, d, {low, amount});
        return;
    }
    const Place both = out_.packed(low, out_.word(i.src[2]));
    const Place shifted = out_.wide_temporary();
    out_.compute(opcode, left ? Type::B64 : type, shifted, {both, amount});
    auto& op = out_.result(Opcode::Unpack, Type::B64, ir::kNowhere, {shifted});
    op.from = Type::B32;
    op.vector = 2;
    op.dst.at(i.mods.imm == 1 ? 1 : 0) = d;
}

void Expander::multiply(const Instruction& i) {
    const Place a = out_.word(i.src[0]);
    const Place b = out_.word(i.src[1]);
    const bool adds = !i.src[2].is(Kind::Zero);
    if (i.op == Op::ImadWide) {
        const Place d = out_.wide_temporary();
        auto& op = adds ? out_.compute(Opcode::Mad, i.mods.type, d, {a, b, out_.pair(i.src[2])})
                        : out_.compute(Opcode::Mul, i.mods.type, d, {a, b});
        op.sub = ir::Sub::Wide;
        return out_.write_pair(i.dst[0], d);
    }
    const bool high = i.op == Op::ImadHi;
    const Type type = high ? i.mods.type : Type::U32;
    const Place d = out_.target(i.dst[0]);
    auto& op = adds ? out_.result(Opcode::Mad, type, d, {a, b, out_.word(i.src[2])})
                    : out_.result(Opcode::Mul, type, d, {a, b});
    op.sub = high ? ir::Sub::Hi : ir::Sub::Lo;
}

} // namespace heddle::native
