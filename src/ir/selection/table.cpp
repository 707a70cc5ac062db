// Branches through a table. They become a tree of comparisons with the index and ordinary branches, which every
// formation knows how to part at and to meet after: as many as the logarithm of the table's length on each way.
#include <algorithm>

#include <fmt/format.h>

#include "ir/selection/select.h"

namespace heddle::ir {

// L: .branchtargets a, b, ...;   brx.idx[.uni] index, L;
void Selector::select_table_branch() {
    if (!count(2, 2))
        return;
    const std::optional<Place> index = source(now_->operands[0], Type::U32);
    const std::optional<std::vector<std::uint32_t>> table = branch_targets(now_->operands[1]);
    if (!index || !table)
        return;
    std::optional<std::uint32_t> skip; // for those whose guard is false
    if (guard_ != kNowhere) {
        skip = emit(jump());
        draft_.ops[*skip].guard_negated = !now_->guard_negated;
        guard_ = kNowhere;
    }
    branch_among(*index, temporary(Type::Pred), *table, 0);
    if (skip)
        draft_.ops[*skip].target = static_cast<std::uint32_t>(draft_.ops.size());
}

// The labels of a list, as instructions.
std::optional<std::vector<std::uint32_t>> Selector::branch_targets(const Operand& operand) {
    const auto list = std::find_if(function_.targets.begin(), function_.targets.end(),
                                   [&](const ptx::Targets& t) { return t.name == operand.name; });
    if (list == function_.targets.end() || list->targets.empty()) {
        error(operand.where, fmt::format("'{}' needs a list of labels, '{}: .branchtargets ...;'", text(),
                                         operand.name.empty() ? "L" : operand.name));
        return std::nullopt;
    }
    std::vector<std::uint32_t> out;
    for (const std::string_view name : list->targets) {
        const std::optional<std::uint32_t> label = names_.label(name, at_);
        if (!label) {
            error(list->where, fmt::format("there is no label '{}' here{}", name, names_.label_hint(name, at_)));
            return std::nullopt;
        }
        out.push_back(*label);
    }
    return out;
}

MicroOp Selector::jump() {
    MicroOp op;
    op.opcode = Opcode::Bra;
    op.kind = Kind::Branch;
    op.work = Work::Control;
    return op;
}

// Goes to targets[index - first].
void Selector::branch_among(Place index, Place high, std::span<const std::uint32_t> targets, std::uint32_t first) {
    if (targets.size() == 1) {
        MicroOp op = jump();
        op.target = targets[0];
        branches_.push_back(emit(op));
        return;
    }
    const std::size_t half = targets.size() / 2;
    compare(Sub::Ge, Type::U32, high, index, constant(first + half));
    const std::uint32_t up = emit(jump());
    draft_.ops[up].guard = high;
    branch_among(index, high, targets.subspan(0, half), first);
    draft_.ops[up].target = static_cast<std::uint32_t>(draft_.ops.size());
    branch_among(index, high, targets.subspan(half), static_cast<std::uint32_t>(first + half));
}

} // namespace heddle::ir
