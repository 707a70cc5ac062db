// Bulk copies (ir/bulk.h).
#include "ir/bulk.h"

#include "native/selection/selector.h"

namespace heddle::native {

namespace {

Op copy_of(const ir::MicroOp& op) {
    switch (op.kind) {
    case ir::Kind::Texture:
        return (op.imm & ir::bulk::kRank) != 0 ? Op::Utmaldg : Op::Ublkcp;
    case ir::Kind::Atomic:
        return Op::Ublkred;
    default:
        return Op::Ublkst;
    }
}

} // namespace

// The addresses are pairs; the size or the coordinates, and what is packed behind them, a group of words.
void Selector::bulk(const MicroOp& op) {
    Instruction i;
    i.op = copy_of(op);
    i.guard = guard_;
    i.origins = {form_.pcs[op_]};
    stand_for(i);
    const bool loads = op.kind == ir::Kind::Texture;
    i.mods.wide_sources = static_cast<std::uint8_t>(3U | (loads ? 1U << ir::bulk::kPacked : 0U));
    i.src[0] = pair(op.src[0]);
    i.src[1] = pair(op.src[1]);
    std::vector<Operand> words;
    for (std::size_t s = 2; s < op.src.size(); ++s)
        for (unsigned w = 0; op.src.at(s) != ir::kNowhere && w < ((i.mods.wide_sources >> s & 1) != 0 ? 2U : 1U); ++w)
            words.push_back(word(op.src.at(s), w));
    i.src[2] = group(words);
    i.keeps = !kept_.empty();
    out_.blocks[block_].code.push_back(std::move(i));
}

// The end of a group, or a wait.
void Selector::bulk_group(const MicroOp& op) {
    if (op.imm == ir::bulk::kClosesGroup)
        emit(Op::Utmacmdflush, {}, {}).mods.imm = op.imm;
    else
        emit(Op::DepbarBulk, {}, {immediate(static_cast<std::uint64_t>(op.imm - ir::bulk::kWaits))}).mods.imm = op.imm;
}

} // namespace heddle::native
