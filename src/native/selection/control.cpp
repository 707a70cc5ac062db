// Branches and ends. Block n of the native code is block n of the form, or begins it (Selector::pieces_).
#include "native/selection/selector.h"

namespace heddle::native {

void Selector::control(const MicroOp& op) {
    switch (op.kind) {
    case ir::Kind::Branch: {
        Instruction& i = emit(Op::Bra, {}, {});
        i.target = form_.cfg.block_of[op.target];
        i.mods.flags = op.flags & ir::kUniform;
        return;
    }
    case ir::Kind::Call:
        emit(Op::Call, {}, {}).mods.imm = op.imm;
        return;
    case ir::Kind::Return:
        emit(Op::Ret, {}, {});
        return;
    case ir::Kind::Exit:
        emit(Op::Exit, {}, {});
        return;
    case ir::Kind::System:
        stand_for(emit(Op::Syscall, {}, {}));
        return;
    case ir::Kind::Trap:
        stand_for(emit(Op::Bpt, {}, {}));
        return;
    default:
        refuse();
    }
}

// Where threads go on behind each block; branches without a guard become that.
void Selector::finish_blocks() {
    for (const std::uint32_t b : form_.order) {
        Block& block = out_.blocks[pieces_[b].back()];
        out_.order.insert(out_.order.end(), pieces_[b].begin(), pieces_[b].end());
        Instruction* last = block.code.empty() ? nullptr : &block.code.back();
        const bool always_ends = last != nullptr && !last->is_guarded();
        if (always_ends && (last->op == Op::Exit || last->op == Op::Ret || last->op == Op::Bpt))
            continue;
        if (always_ends && last->op == Op::Bra) {
            block.next = last->target;
            block.code.pop_back();
            continue;
        }
        block.next = form_.cfg.block_of[form_.cfg.blocks[b].end]; // lowering ends functions with a return
        if (last != nullptr && last->op == Op::Bra && last->target == block.next)
            block.code.pop_back();
    }
}

} // namespace heddle::native
