// Tests of barrier objects (mbarrier.test_wait, try_wait): the load of the object and the comparison of its phase are
// one instruction.
#include "native/selection/selector.h"

namespace heddle::native {

// Whether the op loads a barrier object, and the next two take its phase and compare it, which nothing else reads.
bool Selector::is_phase_test(std::uint32_t i) const {
    const MicroOp& load = form_.draft.ops[i];
    const MicroOp& phase = form_.draft.ops[i + 1];
    const MicroOp& test = form_.draft.ops[i + 2];
    if (load.kind != ir::Kind::Load || !load.has(ir::kTestsPhase) || test.opcode != ir::Opcode::Setp)
        return false;
    if (phase.opcode != ir::Opcode::Shr && phase.opcode != ir::Opcode::Xor)
        return false;
    const auto has_guard_of_load = [&](const MicroOp& op) {
        return op.guard == load.guard && op.guard_negated == load.guard_negated;
    };
    const auto is_read_once = [&](Place p, const MicroOp& by) {
        return p != ir::kNowhere && uses_[p] == 1 && by.src[0] == p;
    };
    return has_guard_of_load(phase) && has_guard_of_load(test) && is_read_once(load.dst[0], phase) &&
           is_read_once(phase.dst[0], test) && test.dst[0] != ir::kNowhere && test.dst[1] == ir::kNowhere &&
           test.src[2] == ir::kNowhere;
}

// The second operand is the parity, a word, or the state of an earlier phase, a pair.
void Selector::test_phase(std::uint32_t i) {
    const MicroOp& load = form_.draft.ops[i];
    const MicroOp& phase = form_.draft.ops[i + 1];
    const MicroOp& test = form_.draft.ops[i + 2];
    Instruction out;
    out.op = Op::Syncs;
    set_modifiers(out);
    out.src[0] = address(load, out);
    out.src[1] = phase.opcode == ir::Opcode::Shr ? in_register(word(test.src[1])) : pair(phase.src[1]);
    begin(i + 2); // the predicate may keep its old value
    out.dst[0] = value(test.dst[0]);
    out.guard = guard_;
    out.keeps = !kept_.empty();
    out.origins = {form_.pcs[i]};
    out_.blocks[block_].code.push_back(std::move(out));
}

} // namespace heddle::native
