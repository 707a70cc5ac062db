// Branches and returns. A branch through a table becomes a tree of comparisons with the index and ordinary branches,
// which every formation supports. The depth is the logarithm of the table's length.
#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "ir/selection/families.h"
#include "ir/selection/formals.h"
#include "ir/selection/make_op.h"
#include "ir/selection/sequences.h"

namespace heddle::ir {

namespace {

// The labels of a .branchtargets list, as indices of instructions.
std::optional<std::vector<std::uint32_t>> branch_targets(Cursor& cursor, const Operand& operand) {
    const std::vector<ptx::Targets>& lists = cursor.function().targets;
    const auto list = std::find_if(lists.begin(), lists.end(), [&](const ptx::Targets& t) {
        return t.name == operand.name && t.kind == ptx::Targets::Kind::Branches;
    });
    if (list == lists.end()) {
        cursor.error(operand.where, fmt::format("'{}' needs a list of labels, '{}: .branchtargets ...;'", cursor.text(),
                                                operand.name.empty() ? "L" : operand.name));
        return std::nullopt;
    }
    std::vector<std::uint32_t> out;
    for (const std::string_view name : list->targets) {
        const std::optional<std::uint32_t> label = cursor.label(name, list->where);
        if (!label)
            return std::nullopt;
        out.push_back(*label);
    }
    return out;
}

// Goes to targets[index - first]. `upper`: a predicate for the comparisons.
void branch_among(FunctionLowering& f, Place index, Place upper, std::span<const std::uint32_t> targets,
                  std::uint32_t first) {
    if (targets.size() == 1)
        return f.emitter.branch_to(make_op(Opcode::Bra), targets[0]);
    const std::size_t half = targets.size() / 2;
    emit_compare(f, Sub::Ge, Type::U32, upper, index, f.places.constant(first + half));
    const std::uint32_t up = f.emitter.jump_if(upper);
    branch_among(f, index, upper, targets.subspan(0, half), first);
    f.emitter.land(up);
    branch_among(f, index, upper, targets.subspan(half), static_cast<std::uint32_t>(first + half));
}

} // namespace

void select_branch(FunctionLowering& f, MicroOp op) {
    if (!f.cursor.count(1, 1))
        return;
    const Operand& operand = f.cursor.operand(0);
    if (operand.kind != Operand::Kind::Name)
        return f.cursor.error(operand.where, fmt::format("'{}' needs a label", f.cursor.text()));
    if (const std::optional<std::uint32_t> label = f.cursor.label(operand.name, operand.where))
        f.emitter.branch_to(op, *label);
}

// L: .branchtargets a, b, ...;   brx.idx[.uni] index, L;
void select_table_branch(FunctionLowering& f) {
    if (!f.cursor.count(2, 2))
        return;
    const std::optional<Place> index = f.operands.source(f.cursor.operand(0), Type::U32);
    const std::optional<std::vector<std::uint32_t>> table = branch_targets(f.cursor, f.cursor.operand(1));
    if (!index || !table)
        return;
    const std::optional<std::uint32_t> skip = f.emitter.jump_over_instruction();
    branch_among(f, *index, f.places.temporary(Type::Pred), *table, 0);
    if (skip)
        f.emitter.land(*skip);
}

// In an entry function a return ends the thread.
void select_return(FunctionLowering& f, MicroOp op) {
    if (f.cursor.function().is_entry) {
        op.opcode = Opcode::Exit;
        op.kind = Kind::Exit;
    } else {
        store_results(f);
        free_stack(f);
    }
    f.emitter.emit(op);
}

} // namespace heddle::ir
