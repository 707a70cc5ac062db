// Operations that are routines of fixed code, and how a sequence of instructions stands for one.
#include <algorithm>

#include "native/routine.h"
#include "native/selection/selector.h"

namespace heddle::native {

namespace {

// A constant of a routine: both words, of which the operation takes what it needs.
Operand whole(std::uint64_t bits) {
    Operand out = immediate(bits);
    out.count = 2;
    return out;
}

} // namespace

// The instruction that computes the operation, with the operands of the operation.
Instruction Selector::standing(const MicroOp& op, Op native) {
    std::vector<Operand> src;
    for (std::size_t s = 0; s < op.src.size(); ++s) {
        const Place p = op.src.at(s);
        if (p == ir::kNowhere)
            continue;
        if (src.size() == Instruction{}.src.size())
            refuse();
        if (is_register(p) && form_.draft.registers[p].type == ir::Type::Pred)
            src.push_back(predicate(p));
        else if (is_constant(p))
            src.push_back(whole(bits(p)));
        else
            src.push_back(storage(p) == 8 ? wide(p) : in_register(word(p)));
    }
    Instruction i;
    i.op = native;
    i.guard = guard_;
    i.origins = {form_.pcs[op_]};
    for (std::size_t d = 0; d < op.dst.size(); ++d)
        if (op.dst.at(d) != ir::kNowhere) {
            if (d >= 2)
                refuse();
            i.dst.at(d) = value(op.dst.at(d));
        }
    for (std::size_t s = 0; s < src.size(); ++s)
        i.src.at(s) = src[s].kind == Operand::Kind::Constant ? group({part_of(src[s], 0), part_of(src[s], 1)}) : src[s];
    i.keeps = !kept_.empty();
    stand_for(i);
    i.mods.flags = op.flags;
    return i;
}

void Selector::routine(const MicroOp& op) {
    if (find_routine(op) == nullptr)
        refuse();
    Instruction i = standing(op, Op::Routine);
    out_.blocks[block_].code.push_back(std::move(i));
}

void Selector::finish_sequence(const MicroOp& op, Op native, std::initializer_list<Operand> reads) {
    Instruction i = standing(op, native);
    const auto is_none = [](const Operand& o) { return o.kind == Operand::Kind::None; };
    const auto rest = std::find_if(i.src.begin(), i.src.end(), is_none);
    i.mods.carried = static_cast<std::uint8_t>(rest - i.src.begin());
    std::copy(reads.begin(), reads.end(), rest);
    out_.blocks[block_].code.push_back(std::move(i));
}

std::uint32_t Selector::add_piece() {
    const auto block = static_cast<std::uint32_t>(out_.blocks.size());
    out_.blocks.emplace_back();
    pieces_[form_block_].push_back(block);
    return block;
}

std::uint32_t Selector::call_unless(const Operand& fast, const MicroOp& op) {
    Instruction& branch = emit(Op::Bra, {}, {});
    branch.guard = fast;
    branch.target = static_cast<std::uint32_t>(out_.blocks.size()) + 1;
    const std::uint32_t slow = add_piece();
    const std::uint32_t usual = add_piece();
    out_.blocks[block_].next = slow;
    const auto constants = constants_; // those of the routine are not there on the other path
    block_ = slow;
    routine(op);
    constants_ = constants;
    block_ = usual;
    out_.blocks[slow].next = usual;
    return slow;
}

void Selector::forget_registers() {
    constants_.clear();
    signs_.clear();
    divisors_.clear();
    divisions_.clear();
    offsets_.clear();
    piece_addresses_.clear();
    factors_.clear();
}

void Selector::join(std::uint32_t slow) {
    const std::uint32_t behind = add_piece();
    out_.blocks[block_].next = behind;
    out_.blocks[slow].next = behind;
    block_ = behind;
    forget_registers();
}

} // namespace heddle::native
