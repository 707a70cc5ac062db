#include "native/ssa/form.h"

namespace heddle::native {

namespace {

using ir::Kind;
using ir::MicroOp;
using ir::Place;

bool has_effect(const MicroOp& op) {
    switch (op.kind) {
    case Kind::Alu:
        return false;
    case Kind::Nop:
        return op.opcode == ir::Opcode::SetMaxRegisters || op.has(ir::kAsyncCopy) ||
               (op.opcode == ir::Opcode::CpBulk && op.imm != 0);
    case Kind::Special:
        return op.opcode == ir::Opcode::Alloca || op.opcode == ir::Opcode::Stacksave ||
               op.opcode == ir::Opcode::Stackrestore;
    case Kind::Load:
        return op.has(ir::kVolatile) || op.has(ir::kStrong);
    default:
        return true;
    }
}

class DeadCode {
public:
    explicit DeadCode(SsaForm& form) : form_(form), op_of_(form.draft.registers.size(), kNone), phi_of_(op_of_) {
        for (std::uint32_t i = 0; i < form.draft.ops.size(); ++i)
            for (const Place d : form.draft.ops[i].dst)
                if (d != ir::kNowhere)
                    op_of_[d] = i;
        for (std::uint32_t b = 0; b < form.phis.size(); ++b)
            for (std::uint32_t p = 0; p < form.phis[b].size(); ++p) {
                phi_of_[form.phis[b][p].dst] = static_cast<std::uint32_t>(phis_.size());
                phis_.push_back(&form.phis[b][p]);
            }
    }

    void run() {
        std::vector<bool> alive(form_.draft.registers.size(), false);
        std::vector<bool> stays(form_.draft.ops.size(), false);
        const auto need = [&](Place p) {
            if (p == ir::kNowhere || !is_register(p) || alive[p])
                return;
            alive[p] = true;
            work_.push_back(p);
        };
        const auto keep = [&](std::uint32_t i) {
            if (stays[i])
                return;
            stays[i] = true;
            each_source(form_.draft, form_.draft.ops[i], [&](Place& p) { need(p); });
            for (const Place p : form_.kept[i])
                need(p);
        };
        for (const std::uint32_t b : form_.order)
            for (std::uint32_t i = form_.cfg.blocks[b].begin; i < form_.cfg.blocks[b].end; ++i)
                if (has_effect(form_.draft.ops[i]))
                    keep(i);
        while (!work_.empty()) {
            const Place p = work_.back();
            work_.pop_back();
            if (phi_of_[p] != kNone) {
                for (const Place from : phis_[phi_of_[p]]->from)
                    need(from);
            } else if (op_of_[p] != kNone) {
                keep(op_of_[p]);
            }
        }
        sweep(alive, stays);
    }

private:
    void sweep(const std::vector<bool>& alive, const std::vector<bool>& stays) {
        for (std::uint32_t i = 0; i < form_.draft.ops.size(); ++i) {
            MicroOp& op = form_.draft.ops[i];
            if (!stays[i]) {
                op = {};
                op.kind = Kind::Nop;
                continue;
            }
            for (std::size_t d = 0; d < 4; ++d)
                if (Place& p = op.dst.at(d); p != ir::kNowhere && !alive[p] && may_drop(op))
                    p = ir::kNowhere;
        }
        for (auto& list : form_.phis)
            std::erase_if(list, [&](const Phi& phi) { return !alive[phi.dst]; });
    }

    // Results that the instruction need not write.
    static bool may_drop(const MicroOp& op) {
        return op.opcode == ir::Opcode::Setp || op.kind == Kind::Load || op.kind == Kind::Atomic ||
               op.opcode == ir::Opcode::Unpack || op.opcode == ir::Opcode::Shfl || op.opcode == ir::Opcode::Match ||
               op.opcode == ir::Opcode::Redux || op.kind == Kind::Texture;
    }

    static constexpr std::uint32_t kNone = 0xffffffffU;
    SsaForm& form_;
    std::vector<std::uint32_t> op_of_, phi_of_;
    std::vector<Phi*> phis_;
    std::vector<Place> work_;
};

} // namespace

void remove_dead_code(SsaForm& form) {
    DeadCode(form).run();
}

} // namespace heddle::native
