// Addresses of pieces of matrices (wmma.load, wmma.store): the base and the offset of the lane. The offset depends on
// the distance of lines alone, so that the accesses of a block to one matrix, and to others of its kind, have it once.
// Constants of the base are in the displacement. A generic address that comes from one in shared memory (cvta.shared)
// is an address in shared memory, as in the code of ptxas.
#include <utility>

#include "native/selection/selector.h"

namespace heddle::native {

// The base without the constants that are added to it, and without its conversion from shared memory.
Selector::PieceBase Selector::piece_base(const MicroOp& access, Place base) const {
    PieceBase out{base, access.imm, access.space == ir::Space::Shared};
    for (;;) {
        if (out.shared && out.base != ir::kNowhere && is_constant(out.base)) {
            out.displacement += static_cast<std::int32_t>(bits(out.base));
            out.base = ir::kNowhere;
        }
        const MicroOp* const from = definition(out.base);
        if (from == nullptr)
            return out;
        const bool converts = from->opcode == ir::Opcode::Cvta && from->space == ir::Space::Shared &&
                              !from->has(ir::kToSpace) && access.space == ir::Space::Generic && !out.shared;
        if (converts)
            out.shared = true;
        else if (is_sum_with_constant(*from))
            out.displacement += out.shared || storage(out.base) == 4
                                    ? static_cast<std::int64_t>(static_cast<std::int32_t>(bits(from->src[1])))
                                    : static_cast<std::int64_t>(bits(from->src[1]));
        else
            return out;
        out.base = from->src[0];
    }
}

// The offset of a lane's piece: the operation that gives `address`, from address 0 on.
Operand Selector::piece_offset(Place address) {
    const MicroOp& piece = *definition(address);
    Operand& kept = offsets_[{piece.src[1], piece.imm}];
    if (!kept.is(Operand::Kind::None))
        return kept;
    const std::uint32_t access = std::exchange(op_, definitions_[address]);
    Instruction i = standing(piece, Op::Routine);
    op_ = access;
    i.src[0] = immediate(0);
    i.src[0].count = 2;
    i.dst[0] = temporary(2);
    kept = i.dst[0];
    out_.blocks[block_].code.push_back(std::move(i));
    return kept;
}

// The base register of an access to a piece, whose displacement and memory it sets; None: the access has another base.
Operand Selector::piece_address(const MicroOp& op, Instruction& i) {
    const MicroOp* const piece = definition(op.src[0]);
    if (piece == nullptr || piece->opcode != ir::Opcode::WmmaAddress || op.guard != ir::kNowhere)
        return {};
    const PieceBase from = piece_base(op, piece->src[0]);
    if (!fits_displacement(from.displacement))
        return {};
    i.mods.imm = from.displacement;
    if (from.shared && op.space == ir::Space::Generic) {
        i.op = i.op == Op::Ld ? Op::Lds : Op::Sts;
        i.mods.space = ir::Space::Shared;
    }
    Operand& kept = piece_addresses_[{from.base, from.shared, piece->src[1], piece->imm}];
    if (kept.is(Operand::Kind::None)) {
        const Operand offset = piece_offset(op.src[0]);
        if (from.base == ir::kNowhere)
            kept = from.shared ? part_of(offset, 0) : offset;
        else
            kept = from.shared ? sum(part_of(offset, 0), word(from.base)) : sum_wide(offset, wide(from.base));
    }
    return kept;
}

} // namespace heddle::native
