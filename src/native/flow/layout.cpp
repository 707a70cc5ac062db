#include <algorithm>

#include "native/flow/clean.h"

namespace heddle::native {

std::uint32_t end_of_jump(const Function& function, std::uint32_t block) {
    for (std::size_t steps = 0; steps < function.blocks.size(); ++steps) {
        const Block& b = function.blocks[block];
        if (!b.code.empty() || b.next == Instruction::kNoBlock)
            break;
        block = b.next;
    }
    return block;
}

namespace {

// Blocks that only lead to each other need an instruction to go round.
void keep_endless_loops(Function& function) {
    for (std::uint32_t b = 0; b < function.blocks.size(); ++b) {
        const std::uint32_t end = end_of_jump(function, b);
        Block& block = function.blocks[end];
        if (!block.code.empty() || block.next == Instruction::kNoBlock)
            continue;
        Instruction round;
        round.op = Op::Bra;
        round.target = end;
        block.code.push_back(round);
        block.next = Instruction::kNoBlock;
    }
}

} // namespace

void lay_out(Function& function) {
    for (Block& b : function.blocks)
        std::erase_if(b.code, [](const Instruction& i) { return i.op == Op::Nop; });
    keep_endless_loops(function);
    for (Block& b : function.blocks) {
        for (Instruction& i : b.code)
            if (i.op == Op::Bra || i.op == Op::Call)
                i.target = end_of_jump(function, i.target);
        if (b.next != Instruction::kNoBlock)
            b.next = end_of_jump(function, b.next);
    }
    const std::uint32_t entry = end_of_jump(function, function.order.front());
    std::erase_if(function.order, [&](std::uint32_t b) { return b != entry && function.blocks[b].code.empty(); });
    std::rotate(function.order.begin(), std::find(function.order.begin(), function.order.end(), entry),
                std::find(function.order.begin(), function.order.end(), entry) + 1);
    for (std::size_t n = 0; n < function.order.size(); ++n) {
        Block& b = function.blocks[function.order[n]];
        const bool follows = n + 1 < function.order.size() && function.order[n + 1] == b.next;
        if (b.next == Instruction::kNoBlock || follows)
            continue;
        Instruction jump;
        jump.op = Op::Bra;
        jump.target = b.next;
        if (!b.code.empty())
            jump.origins = {b.code.back().origins.empty() ? 0 : b.code.back().origins.front()};
        b.code.push_back(jump);
        b.next = Instruction::kNoBlock;
    }
}

} // namespace heddle::native
