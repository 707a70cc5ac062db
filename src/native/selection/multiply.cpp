// Products of integers, and sums that are multiply-adds.
#include <bit>

#include "native/selection/selector.h"

namespace heddle::native {

namespace {

bool is_integer(const ir::MicroOp& op, unsigned bytes) {
    return op.kind == ir::Kind::Alu && !ptx::is_float(op.type) && ptx::size_of(op.type) == bytes &&
           op.domain == ir::Domain::Int && !op.has(ir::kSaturate);
}

} // namespace

void Selector::multiply(const MicroOp& op) {
    using enum ir::Opcode;
    const unsigned bytes = ptx::size_of(op.type);
    const bool adds = op.opcode == Mad;
    if (op.has(ir::kSaturate) || op.opcode == Mul24 || op.opcode == Mad24 || op.dst[1] != ir::kNowhere)
        return routine(op);
    if (bytes == 8)
        return multiply_wide(op);
    const bool negative = ptx::is_signed(op.type);
    const Operand d = value(op.dst[0]);
    if (bytes == 2 && op.sub != ir::Sub::Lo) { // .wide: a product of 32 bits; .hi: its upper half
        if (op.sub == ir::Sub::Hi)
            return routine(op);
        emit(Op::Imad, {d},
             {extended(op.src[0], op.type), extended(op.src[1], op.type), adds ? word(op.src[2]) : zero()});
        return;
    }
    if (op.sub == ir::Sub::Lo) {
        emit(Op::Imad, {d}, {word(op.src[0]), word(op.src[1]), adds ? word(op.src[2]) : zero()});
        return;
    }
    Instruction& i = op.sub == ir::Sub::Wide
                         ? emit(Op::ImadWide, {d}, {word(op.src[0]), word(op.src[1]), adds ? wide(op.src[2]) : zero()})
                         : emit(Op::ImadHi, {d}, {word(op.src[0]), word(op.src[1]), adds ? word(op.src[2]) : zero()});
    i.mods.type = negative ? ir::Type::S32 : ir::Type::U32;
}

// The lower 64 bits of a product of pairs: {al, ah} * {bl, bh} = al * bl + ((al * bh + ah * bl) << 32).
void Selector::multiply_wide(const MicroOp& op) {
    const bool adds = op.opcode == ir::Opcode::Mad;
    if (op.sub != ir::Sub::Lo)
        return routine(op);
    const Operand a = pair(op.src[0]);
    const Operand b = wide(op.src[1]);
    const Operand product = temporary(2);
    const Operand c = adds ? wide(op.src[2]) : zero();
    Instruction& low = emit(Op::ImadWide, {product}, {part_of(a, 0), part_of(b, 0), c});
    low.mods.type = ir::Type::U32;
    const Operand cross = temporary();
    emit(Op::Imad, {cross}, {part_of(a, 0), part_of(b, 1), part_of(product, 1)});
    const Operand d = value(op.dst[0]);
    copy(part_of(d, 0), part_of(product, 0));
    emit(Op::Imad, {part_of(d, 1)}, {part_of(a, 1), part_of(b, 0), cross});
}

bool Selector::add_product(const MicroOp& op) {
    for (std::size_t s = 0; s < 2; ++s) {
        const MicroOp* inner = only_use(op.src.at(s));
        if (inner == nullptr || !is_integer(*inner, 4))
            continue;
        const Operand other = word(op.src.at(1 - s));
        if (inner->opcode == ir::Opcode::Mul && inner->sub == ir::Sub::Lo) {
            emit(Op::Imad, {value(op.dst[0])}, {word(inner->src[0]), word(inner->src[1]), other});
            return true;
        }
        if (inner->opcode == ir::Opcode::Shl && is_constant(inner->src[1]) &&
            (bits(inner->src[1]) & 0xffff'ffffU) < 32) {
            Instruction& i = emit(Op::Lea, {value(op.dst[0])}, {word(inner->src[0]), other});
            i.mods.imm = static_cast<std::int64_t>(bits(inner->src[1]) & 31);
            return true;
        }
    }
    return false;
}

// c + a * b with a product of 64 bits: mul.wide, or an extended index that is shifted or multiplied.
bool Selector::add_wide_product(const MicroOp& op) {
    for (std::size_t s = 0; s < 2; ++s) {
        const MicroOp* inner = definition(op.src.at(s));
        if (inner == nullptr || inner->kind != ir::Kind::Alu || inner->has(ir::kSaturate))
            continue;
        const Place other = op.src.at(1 - s);
        if (inner->opcode == ir::Opcode::Mul && inner->sub == ir::Sub::Wide && is_integer(*inner, 4)) {
            Instruction& i =
                emit(Op::ImadWide, {value(op.dst[0])}, {word(inner->src[0]), word(inner->src[1]), wide(other)});
            i.mods.type = ptx::is_signed(inner->type) ? ir::Type::S32 : ir::Type::U32;
            return true;
        }
        if (inner->opcode != ir::Opcode::Shl || !is_integer(*inner, 8) || !is_constant(inner->src[1]))
            continue;
        const MicroOp* index = definition(inner->src[0]);
        const std::uint64_t n = bits(inner->src[1]) & 0xffff'ffffU;
        if (index == nullptr || index->opcode != ir::Opcode::Cvt || index->domain != ir::Domain::Int ||
            ptx::size_of(index->from) != 4 || n > 30 || storage(index->dst[0]) != 8 || ptx::size_of(index->type) != 8)
            continue;
        Instruction& i = emit(Op::ImadWide, {value(op.dst[0])},
                              {word(index->src[0]), immediate(std::uint64_t{1} << n), wide(other)});
        i.mods.type = ptx::is_signed(index->from) ? ir::Type::S32 : ir::Type::U32;
        return true;
    }
    return false;
}

} // namespace heddle::native
