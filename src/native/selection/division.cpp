// Operations that are routines of fixed code.
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

void Selector::routine(const MicroOp& op) {
    const Routine* found = find_routine(op);
    if (found == nullptr)
        refuse();
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
    i.op = Op::Routine;
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
    out_.blocks[block_].code.push_back(std::move(i));
}

} // namespace heddle::native
