// Asynchronous copies of up to 16 bytes (cp.async): a load and the store of its elements are one instruction.
#include "ir/async_copy.h"
#include "native/selection/selector.h"

namespace heddle::native {

// Whether the op is a load whose elements the next one stores in shared memory, and nothing else reads.
bool Selector::is_copy(std::uint32_t i) const {
    const MicroOp& load = form_.draft.ops[i];
    const MicroOp& store = form_.draft.ops[i + 1];
    if (load.kind != ir::Kind::Load || store.kind != ir::Kind::Store || !store.has(ir::kAsyncCopy))
        return false;
    if (load.space != ir::Space::Global || load.type != store.type || load.vector != store.vector ||
        load.guard != store.guard || load.guard_negated != store.guard_negated)
        return false;
    for (unsigned e = 0; e < load.vector; ++e)
        if (load.dst.at(e) == ir::kNowhere || load.dst.at(e) != store.src.at(e + 1) || uses_[load.dst.at(e)] != 1)
            return false;
    return true;
}

// The displacement in shared memory is an operand of its own.
void Selector::copy_asynchronously(std::uint32_t i) {
    Instruction copy;
    copy.op = Op::Ldgsts;
    set_modifiers(copy);
    copy.src[0] = address(form_.draft.ops[i], copy);
    Instruction store;
    copy.src[1] = address(form_.draft.ops[i + 1], store);
    copy.src[2] = immediate(static_cast<std::uint32_t>(store.mods.imm));
    copy.guard = guard_;
    copy.origins = {form_.pcs[op_]};
    out_.blocks[block_].code.push_back(std::move(copy));
}

// The end of a group, or a wait.
void Selector::copy_group(const MicroOp& op) {
    if (op.imm == ir::async_copy::kCloseGroup)
        emit(Op::Ldgdepbar, {}, {}).mods.imm = op.imm;
    else if (op.imm == ir::async_copy::kWaitForAll)
        emit(Op::Depbar, {}, {}).mods.imm = op.imm;
    else
        emit(Op::Depbar, {}, {immediate(static_cast<std::uint64_t>(op.imm))}).mods.imm = op.imm;
}

} // namespace heddle::native
