#include "ir/selection/emitter.h"

#include "ir/selection/make_op.h"

namespace heddle::ir {

Emitter::Emitter(const Cursor& cursor, Draft& draft) : cursor_(cursor), draft_(draft) {
    const std::size_t instructions = cursor.function().body.size() + 1;
    draft_.ops.reserve(instructions);
    first_op_.reserve(instructions);
}

void Emitter::begin_instruction() {
    first_op_.push_back(static_cast<std::uint32_t>(draft_.ops.size()));
    set_guard(kNowhere, false);
}

void Emitter::set_guard(Place predicate, bool negated) {
    guard_ = predicate;
    guard_negated_ = negated;
}

std::uint32_t Emitter::emit(const MicroOp& op) {
    return emit_if(guard_, guard_negated_, op);
}

std::uint32_t Emitter::emit_if(Place predicate, bool negated, const MicroOp& op) {
    draft_.ops.push_back(op);
    draft_.ops.back().guard = predicate;
    draft_.ops.back().guard_negated = negated;
    draft_.lines.push_back(cursor_.line());
    return static_cast<std::uint32_t>(draft_.ops.size() - 1);
}

void Emitter::placeholder(Opcode opcode) {
    MicroOp op = make_op(opcode);
    op.kind = Kind::Nop;
    draft_.not_executable.push_back(emit(op));
}

void Emitter::branch_to(MicroOp op, std::uint32_t instruction) {
    op.target = instruction;
    branches_.push_back(emit(op));
}

std::uint32_t Emitter::jump() {
    return emit(make_op(Opcode::Bra));
}

std::uint32_t Emitter::jump_if(Place predicate, bool negated) {
    return emit_if(predicate, negated, make_op(Opcode::Bra));
}

void Emitter::jump_back_if(Place predicate, std::uint32_t to) {
    MicroOp op = make_op(Opcode::Bra);
    op.target = to;
    emit_if(predicate, false, op);
}

void Emitter::land(std::uint32_t jump) {
    draft_.ops[jump].target = static_cast<Pc>(draft_.ops.size());
}

std::optional<std::uint32_t> Emitter::jump_over_instruction() {
    if (guard_ == kNowhere)
        return std::nullopt;
    const std::uint32_t jump = jump_if(guard_, !guard_negated_);
    set_guard(kNowhere, false);
    return jump;
}

void Emitter::resolve_targets() {
    for (const std::uint32_t op : branches_)
        draft_.ops[op].target = first_op_.at(draft_.ops[op].target);
}

} // namespace heddle::ir
