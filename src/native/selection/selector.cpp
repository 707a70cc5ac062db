#include "native/selection/selector.h"

#include <algorithm>

#include "ir/analysis/liveness.h"

namespace heddle::native {

Selector::Selector(const SsaForm& form, const Target& target, Function& out)
    : form_(form), target_(target), out_(out), values_(form.draft.registers.size()),
      definitions_(form.draft.registers.size(), kNoOp), uses_(form.draft.registers.size(), 0) {
    for (std::uint32_t i = 0; i < form.draft.ops.size(); ++i) {
        const MicroOp& op = form.draft.ops[i];
        ir::each_definition(op, [&](Place p) { definitions_[p] = i; });
        ir::each_use(form.draft, op, [&](Place p) { ++uses_[p]; });
        for (const Place p : form.kept[i])
            if (p != ir::kNowhere && is_register(p))
                uses_[p] += 2; // never folded into its use
    }
    for (const auto& list : form.phis)
        for (const Phi& phi : list)
            for (const Place p : phi.from)
                if (is_register(p))
                    uses_[p] += 2;
}

void Selector::run() {
    out_.blocks.resize(form_.cfg.blocks.size());
    out_.matrices = form_.draft.matrices;
    for (std::uint32_t b = 0; b < out_.blocks.size(); ++b)
        pieces_.push_back({b});
    for (const std::uint32_t b : form_.order) {
        block_ = form_block_ = b;
        forget_registers();
        for (std::uint32_t i = form_.cfg.blocks[b].begin; i < form_.cfg.blocks[b].end; ++i) {
            const std::uint32_t behind = form_.cfg.blocks[b].end - i - 1;
            begin(i);
            if (form_.rows_stay_whole && behind >= 1 && is_copy(i)) {
                copy_asynchronously(i++);
            } else if (behind >= 2 && is_phase_test(i)) {
                test_phase(i);
                i += 2;
            } else {
                select(form_.draft.ops[i]);
            }
        }
    }
    finish_blocks();
    place_phis();
}

void Selector::begin(std::uint32_t i) {
    op_ = i;
    guard_ = {};
    kept_.clear();
    const MicroOp& op = form_.draft.ops[i];
    if (op.guard == ir::kNowhere)
        return;
    keep_old(i);
    guard_ = predicate(op.guard, op.guard_negated);
}

void Selector::keep_old(std::uint32_t i) {
    for (std::size_t d = 0; d < 4; ++d) {
        const Place to = form_.draft.ops[i].dst.at(d);
        const Place old = form_.kept[i].at(d);
        if (to == ir::kNowhere || old == ir::kNowhere)
            continue;
        const Operand target = value(to);
        if (target.file == File::Predicate)
            copy(target, predicate(old));
        else
            copy_words(target, storage(to) == 8 ? wide(old) : word(old));
        kept_.push_back(target.number);
    }
}

void Selector::refuse() const {
    const MicroOp& op = form_.draft.ops[op_];
    throw Unsupported(form_.pcs[op_], std::string(ir::info(op.opcode).name));
}

void Selector::select(const MicroOp& op) {
    if (op.opcode == ir::Opcode::CpBulk && op.kind != ir::Kind::Nop && op.kind != ir::Kind::Special)
        return bulk(op);
    switch (op.kind) {
    case ir::Kind::Alu:
        return select_alu(op);
    case ir::Kind::Special:
        return special(op);
    case ir::Kind::Load:
        load(op);
        return acquire(op);
    case ir::Kind::Store:
        return store(op);
    case ir::Kind::Atomic:
        atomic(op);
        return acquire(op);
    case ir::Kind::Texture:
    case ir::Kind::Surface:
        return texture(op);
    case ir::Kind::Fence:
        fence(op);
        return acquire(op);
    case ir::Kind::Barrier:
        acquire(op);
        return barrier(op);
    case ir::Kind::WarpSync:
        return warp(op);
    case ir::Kind::Nop:
        if (op.opcode == ir::Opcode::Other)
            refuse();
        if (op.opcode == ir::Opcode::SetMaxRegisters)
            emit(Op::SetRegisters, {}, {immediate(static_cast<std::uint64_t>(op.imm))});
        if (op.has(ir::kAsyncCopy) && form_.rows_stay_whole)
            copy_group(op);
        if (op.opcode == ir::Opcode::CpBulk && op.imm != 0 && form_.rows_stay_whole)
            bulk_group(op);
        return;
    default:
        return control(op);
    }
}

void Selector::select_alu(const MicroOp& op) {
    using enum ir::Opcode;
    switch (op.opcode) {
    case Mov:
        return op.type == ir::Type::Pred ? predicate_logic(op) : move(op);
    case Pack:
        return pack(op);
    case Unpack:
        return unpack(op);
    case Cvta:
        return cross_window(op);
    case Cvt:
        return convert(op);
    case CvtPack:
        return routine(op);
    case Selp:
        return select_by(op);
    case Setp:
        return compare(op);
    case Set:
    case Slct:
        return set(op);
    case And:
    case Or:
    case Xor:
    case Not:
    case Lop3:
    case Cnot:
        return op.type == ir::Type::Pred ? predicate_logic(op) : logic(op);
    case Div:
    case Rem:
        return select_function(op) || divide(op) ? void() : routine(op);
    default:
        break;
    }
    if (ptx::is_half(op.type))
        return half(op);
    if (ptx::is_float(op.type) || op.type == ir::Type::F32x2)
        return select_floating(op);
    return select_integer(op);
}

} // namespace heddle::native
