#include "native/unroll/code.h"

#include "ir/analysis/cfg.h"
#include "ir/selection/make_op.h"

namespace heddle::native {

Rewriter::Rewriter(Code& code) : code_(code), at_(code.recovered.draft.ops.size(), kNoLabel) {}

Rewriter::Label Rewriter::fresh() {
    at_.push_back(kNoLabel);
    return static_cast<Label>(at_.size() - 1);
}

void Rewriter::place(Label label) {
    at_[label] = static_cast<std::uint32_t>(items_.size());
}

void Rewriter::append(const ir::MicroOp& op, std::uint32_t old, Label target) {
    items_.push_back({op, old, target, code_.marks[old]});
}

void Rewriter::jump(Label to, std::uint32_t old) {
    append(ir::make_op(ir::Opcode::Bra), old, to);
    items_.back().mark.settled = false;
}

void Rewriter::append_around(const SsaForm& form, const std::vector<bool>& loop) {
    const std::vector<ir::MicroOp>& ops = code_.recovered.draft.ops;
    for (std::uint32_t b = 0; b < form.cfg.blocks.size(); ++b) {
        if (loop[b] || !form.cfg.reachable[b])
            continue;
        const ir::Block& range = form.cfg.blocks[b];
        place(range.begin);
        for (std::uint32_t i = range.begin; i < range.end; ++i)
            append(ops[i], i, ops[i].kind == ir::Kind::Branch ? ops[i].target : kNoLabel);
        if (ir::falls_through(ops[range.end - 1]) && b + 1 < form.cfg.blocks.size())
            jump(form.cfg.blocks[b + 1].begin, range.end - 1);
    }
}

void Rewriter::drop(const std::vector<bool>& dropped) {
    std::vector<std::uint32_t> moved;
    std::vector<Item> left;
    for (std::size_t i = 0; i < items_.size(); ++i) {
        moved.push_back(static_cast<std::uint32_t>(left.size()));
        if (!dropped[i])
            left.push_back(items_[i]);
    }
    moved.push_back(static_cast<std::uint32_t>(left.size()));
    for (std::uint32_t& at : at_)
        if (at != kNoLabel)
            at = moved[at];
    items_ = std::move(left);
}

void Rewriter::drop_jumps() {
    const auto jumps = [](const Item& item) {
        return item.op.kind == ir::Kind::Branch && item.op.guard == ir::kNowhere;
    };
    std::vector<bool> dropped(items_.size(), false);
    for (std::size_t i = items_.size(); i-- > 0;) {
        if (!jumps(items_[i]))
            continue;
        const std::uint32_t to = at_[items_[i].target];
        std::size_t next = i + 1;
        while (next < items_.size() && dropped[next] && to != next)
            ++next;
        dropped[i] = to == next;
    }
    drop(dropped);
}

void Rewriter::drop_unreachable() {
    ir::Draft draft;
    for (const Item& item : items_) {
        draft.ops.push_back(item.op);
        if (item.target != kNoLabel)
            draft.ops.back().target = at_[item.target];
    }
    const ir::Cfg cfg = ir::make_cfg(draft, {});
    std::vector<bool> dropped;
    for (std::size_t i = 0; i < items_.size(); ++i)
        dropped.push_back(!cfg.reachable[cfg.block_of[i]]);
    drop(dropped);
}

// Puts code that one jump alone goes to behind that jump, so that they become one block.
void Rewriter::straighten() {
    std::vector<std::uint32_t> references(items_.size(), 0); // by item
    std::vector<std::uint32_t> begins(1, 0);                 // of runs that nothing falls out of
    for (std::uint32_t i = 0; i < items_.size(); ++i) {
        if (items_[i].target != kNoLabel)
            ++references[at_[items_[i].target]];
        if (!ir::falls_through(items_[i].op) && i + 1 < items_.size())
            begins.push_back(i + 1);
    }
    std::vector<std::uint32_t> run_at(items_.size(), kNoLabel); // by first item
    for (std::uint32_t r = 0; r < begins.size(); ++r)
        run_at[begins[r]] = r;
    std::vector<bool> placed(begins.size(), false);
    std::vector<std::uint32_t> moved(items_.size());
    std::vector<Item> ordered;
    for (std::uint32_t next = 0; next < begins.size(); ++next)
        for (std::uint32_t run = next; run != kNoLabel && !placed[run];) {
            placed[run] = true;
            const std::size_t end = run + 1 < begins.size() ? begins[run + 1] : items_.size();
            for (std::size_t i = begins[run]; i < end; ++i) {
                moved[i] = static_cast<std::uint32_t>(ordered.size());
                ordered.push_back(items_[i]);
            }
            const Item& last = items_[end - 1];
            const bool jumps = last.op.kind == ir::Kind::Branch && last.op.guard == ir::kNowhere;
            run = jumps && references[at_[last.target]] == 1 ? run_at[at_[last.target]] : kNoLabel;
        }
    for (std::uint32_t& at : at_)
        if (at < moved.size())
            at = moved[at];
    items_ = std::move(ordered);
}

void Rewriter::store() {
    Recovered& to = code_.recovered;
    std::vector<ir::Line> lines;
    std::vector<Pc> pcs;
    std::vector<bool> forgets;
    std::vector<ir::Matrix> matrices; // one for each product: SSA renames the places of each
    code_.marks.clear();
    to.draft.ops.clear();
    for (const Item& item : items_) {
        to.draft.ops.push_back(item.op);
        if (item.target != kNoLabel)
            to.draft.ops.back().target = at_[item.target];
        if (item.op.is_matrix_product()) {
            matrices.push_back(to.draft.matrices[static_cast<std::size_t>(item.op.imm)]);
            to.draft.ops.back().imm = static_cast<std::int64_t>(matrices.size()) - 1;
        }
        lines.push_back(to.draft.lines[item.old]);
        pcs.push_back(to.pcs[item.old]);
        forgets.push_back(code_.forgets[item.old]);
        code_.marks.push_back(item.mark);
    }
    to.draft.matrices = std::move(matrices);
    to.draft.lines = std::move(lines);
    to.pcs = std::move(pcs);
    code_.forgets = std::move(forgets);
}

void Rewriter::finish() {
    drop_unreachable();
    straighten();
    drop_jumps();
    store();
}

} // namespace heddle::native
