// Integer arithmetic of up to 32 bits, and what has no better place.
#include "native/integer_pair.h"
#include "native/selection/selector.h"

namespace heddle::native {

void Selector::select_integer(const MicroOp& op) {
    using enum ir::Opcode;
    if (is_integer_pair(op.type))
        return routine(op);
    switch (op.opcode) {
    case Add:
    case Sub:
        return op.has(ir::kSaturate) ? routine(op) : add(op);
    case AddC:
    case SubC:
    case MadC:
        return carry(op);
    case Mul:
    case Mad:
    case Mul24:
    case Mad24:
        return multiply(op);
    case Neg:
        if (ptx::size_of(op.type) == 8)
            return add_wide(value(op.dst[0]), immediate(0), wide(op.src[0]), true);
        emit(Op::Iadd3, {value(op.dst[0])}, {zero(), negated(in_register(word(op.src[0]))), zero()});
        return;
    case Abs:
        return absolute(op);
    case Min:
    case Max:
        return ptx::size_of(op.type) == 8 ? minmax_wide(op) : minmax(op);
    case Sad:
        if (ptx::size_of(op.type) != 4)
            return routine(op);
        emit(Op::Vabsdiff, {value(op.dst[0])}, {word(op.src[0]), word(op.src[1]), word(op.src[2])}).mods.type = op.type;
        return;
    case Dp4a:
    case Dp2a: {
        Instruction& i = emit(Op::Idp, {value(op.dst[0])}, {word(op.src[0]), word(op.src[1]), word(op.src[2])});
        stand_for(i);
        return;
    }
    case Shl:
    case Shr:
        return ptx::size_of(op.type) == 8 ? shift_wide(op) : shift(op);
    case Shf:
        return funnel(op);
    case Bfe:
    case Bfi:
    case Szext:
    case Bmsk:
        return field(op);
    case Popc:
    case Clz:
    case Bfind:
    case Brev:
        return bits_of(op);
    case Prmt:
        if (op.sub == ir::Sub::PrmtIndex) {
            emit(Op::Prmt, {value(op.dst[0])}, {word(op.src[0]), word(op.src[2]), word(op.src[1])});
            return;
        }
        return routine(op);
    default:
        return routine(op);
    }
}

void Selector::add(const MicroOp& op) {
    const bool subtract = op.opcode == ir::Opcode::Sub;
    if (ptx::size_of(op.type) == 8) {
        if (!subtract && add_wide_product(op))
            return;
        return add_wide(value(op.dst[0]), wide(op.src[0]), wide(op.src[1]), subtract);
    }
    if (!subtract && ptx::size_of(op.type) == 4 && add_product(op))
        return;
    // Sums of three: a + b with b = c + d, computed for this sum alone.
    Operand third = zero();
    Place a = op.src[0];
    Place b = op.src[1];
    for (int side = 0; side < 2 && !subtract; ++side) {
        const MicroOp* inner = only_use(side == 0 ? a : b);
        if (inner == nullptr || inner->kind != ir::Kind::Alu || inner->opcode != ir::Opcode::Add ||
            ptx::is_float(inner->type) || is_integer_pair(inner->type) ||
            ptx::size_of(inner->type) != ptx::size_of(op.type) || inner->has(ir::kSaturate))
            continue;
        third = word(side == 0 ? b : a);
        a = inner->src[0];
        b = inner->src[1];
        break;
    }
    const Operand second = word(b);
    emit(Op::Iadd3, {value(op.dst[0])}, {word(a), subtract ? negated(second) : second, third});
}

// The carry lies in a predicate, as in PTX's CC.CF: src[2] in, dst[1] out.
void Selector::carry(const MicroOp& op) {
    if (ptx::size_of(op.type) != 4)
        return routine(op);
    const bool multiplies = op.opcode == ir::Opcode::MadC;
    Operand a = word(op.src[0]);
    Operand b = word(op.src[1]);
    if (multiplies) {
        const Operand product_of = temporary();
        Instruction& i = emit(op.sub == ir::Sub::Hi ? Op::ImadHi : Op::Imad, {product_of}, {a, b, zero()});
        i.mods.type = op.type;
        a = product_of;
        b = word(op.src[2]);
    }
    if (op.opcode == ir::Opcode::SubC)
        b = inverted(b);
    const Operand out = op.dst[1] == ir::kNowhere ? Operand{} : value(op.dst[1]);
    emit(Op::Iadd3X, {value(op.dst[0]), out}, {a, b, zero(), predicate(op.src[multiplies ? 3 : 2])});
}

void Selector::minmax(const MicroOp& op) {
    if (op.src[2] != ir::kNowhere || op.flags != 0)
        return routine(op);
    const bool minimum = op.opcode == ir::Opcode::Min;
    Instruction& i = emit(Op::Imnmx, {value(op.dst[0])},
                          {extended(op.src[0], op.type), extended(op.src[1], op.type), always(minimum)});
    i.mods.type = ptx::is_signed(op.type) ? ir::Type::S32 : ir::Type::U32;
}

void Selector::absolute(const MicroOp& op) {
    if (ptx::size_of(op.type) == 8) {
        const Operand a = pair(op.src[0]);
        const Operand negative = temporary(2);
        add_wide(negative, immediate(0), a, true);
        const Operand p = temporary_predicate();
        Instruction& i = emit(Op::Isetp, {p}, {part_of(a, 1), zero(), always()});
        i.mods.type = ir::Type::S32;
        i.mods.sub = ir::Sub::Lt;
        i.mods.combine = ir::BoolOp::And;
        for (unsigned w = 0; w < 2; ++w)
            emit(Op::Sel, {part_of(value(op.dst[0]), w)}, {part_of(negative, w), part_of(a, w), p});
        return;
    }
    emit(Op::Iabs, {value(op.dst[0])}, {in_register(extended(op.src[0], op.type))});
}

void Selector::shift(const MicroOp& op) {
    const bool left = op.opcode == ir::Opcode::Shl;
    const Operand a = left ? word(op.src[0]) : extended(op.src[0], op.type);
    Instruction& i = emit(Op::Shf, {value(op.dst[0])}, {a, word(op.src[1]), zero()});
    i.mods.type = !left && ptx::is_signed(op.type) ? ir::Type::S32 : ir::Type::U32;
    i.mods.sub = left ? ir::Sub::ShfLeft : ir::Sub::ShfRight;
    i.mods.flags = ir::kClamp;
}

void Selector::funnel(const MicroOp& op) {
    Instruction& i =
        emit(Op::Shf, {value(op.dst[0])}, {word(op.src[0]), word(op.src[2]), in_register(word(op.src[1]))});
    i.mods.type = ir::Type::B64;
    i.mods.sub = op.sub;
    i.mods.flags = op.flags & ir::kClamp;
    i.mods.imm = op.sub == ir::Sub::ShfLeft ? 1 : 0; // the upper or the lower word
}

// The place of a field of bits, where it is known and not empty: the operands from `first` on.
std::optional<Selector::Field> Selector::known_field(const MicroOp& op, std::size_t first) const {
    if (!is_constant(op.src.at(first)) || !is_constant(op.src.at(first + 1)))
        return std::nullopt;
    const Field out{static_cast<std::uint32_t>(bits(op.src.at(first)) & 0xff),
                    static_cast<std::uint32_t>(bits(op.src.at(first + 1)) & 0xff)};
    return out.length == 0 ? std::nullopt : std::optional(out);
}

Operand Selector::shifted_by(std::uint32_t bits, ir::Sub way, const Operand& word) {
    if (bits == 0)
        return word;
    const Operand out = temporary();
    Instruction& i = emit(Op::Shf, {out}, {word, immediate(bits), zero()});
    i.mods.type = ir::Type::U32;
    i.mods.sub = way;
    i.mods.flags = ir::kClamp;
    return out;
}

// bfi at a known place that lies in the lower word: the field shifted, and chosen by its mask.
bool Selector::insert_field(const MicroOp& op) {
    const std::optional<Field> field = op.opcode == ir::Opcode::Bfi ? known_field(op, 2) : std::nullopt;
    const Operand d = value(op.dst[0]);
    if (!field || field->position + field->length > 32 || d.count * 4U != ptx::size_of(op.type))
        return false;
    const auto [position, length] = *field;
    const Operand shifted = shifted_by(position, ir::Sub::ShfLeft, word(op.src[0]));
    const auto mask = static_cast<std::uint32_t>(((std::uint64_t{1} << length) - 1) << position);
    constexpr std::int64_t kChoose = (0xf0 & 0xcc) | (0xaa & ~0xcc); // a where b, else c
    emit(Op::Lop3, {d.count == 2 ? part_of(d, 0) : d}, {shifted, immediate(mask), word(op.src[1], 0)}).mods.imm =
        kChoose;
    if (d.count == 2)
        copy(part_of(d, 1), word(op.src[1], 1));
    return true;
}

// bfe.u64 of at most 32 bits at a known place: the words shifted, and cut.
bool Selector::extract_wide_field(const MicroOp& op) {
    const bool extracts = op.opcode == ir::Opcode::Bfe && op.type == ir::Type::U64;
    const std::optional<Field> field = extracts ? known_field(op, 1) : std::nullopt;
    const Operand d = value(op.dst[0]);
    if (!field || field->length > 32 || field->position + field->length > 64 || d.count != 2)
        return false;
    const auto [position, length] = *field;
    const Operand shifted = temporary();
    Instruction& i = emit(Op::Shf, {shifted},
                          {position < 32 ? word(op.src[0], 0) : word(op.src[0], 1), immediate(position % 32),
                           position < 32 ? in_register(word(op.src[0], 1)) : zero()});
    i.mods.type = position < 32 ? ir::Type::B64 : ir::Type::U32;
    i.mods.sub = ir::Sub::ShfRight;
    i.mods.flags = ir::kClamp;
    emit(Op::Sgxt, {part_of(d, 0)}, {shifted, immediate(length)}).mods.type = ir::Type::U32;
    copy(part_of(d, 1), zero());
    return true;
}

void Selector::field(const MicroOp& op) {
    if (insert_field(op) || extract_wide_field(op))
        return;
    const bool extracts = op.opcode == ir::Opcode::Bfe && ptx::size_of(op.type) == 4;
    const std::optional<Field> known = extracts ? known_field(op, 1) : std::nullopt;
    if (!known || known->position + known->length > 32)
        return routine(op);
    const auto [position, length] = *known;
    const bool negative = ptx::is_signed(op.type);
    const Operand shifted = shifted_by(position, ir::Sub::ShfRight, word(op.src[0]));
    emit(Op::Sgxt, {value(op.dst[0])}, {shifted, immediate(length)}).mods.type =
        negative ? ir::Type::S32 : ir::Type::U32;
}

void Selector::bits_of(const MicroOp& op) {
    if (ptx::size_of(op.type) == 8 || op.opcode == ir::Opcode::Bfind) {
        if (op.opcode != ir::Opcode::Popc)
            return routine(op);
        const Operand low = temporary();
        const Operand high = temporary();
        emit(Op::Popc, {low}, {in_register(word(op.src[0], 0))});
        emit(Op::Popc, {high}, {in_register(word(op.src[0], 1))});
        emit(Op::Iadd3, {value(op.dst[0])}, {low, high, zero()});
        return;
    }
    if (op.opcode == ir::Opcode::Clz) { // FLO gives the distance of the leading one from bit 31; of 0 it gives -1
        const Operand leading = temporary();
        emit(Op::Flo, {leading}, {in_register(word(op.src[0]))});
        emit(Op::Iadd3, {value(op.dst[0])}, {immediate(31), negated(leading), zero()});
        return;
    }
    emit(op.opcode == ir::Opcode::Popc ? Op::Popc : Op::Brev, {value(op.dst[0])}, {in_register(word(op.src[0]))});
}

} // namespace heddle::native
