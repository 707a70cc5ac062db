#include "ir/selection/make_op.h"

namespace heddle::ir {

namespace {

// Floating-point operations that may be written without a rounding mode and round to nearest then.
bool rounds_by_default(Opcode opcode, Type type) {
    const bool arithmetic = opcode == Opcode::Add || opcode == Opcode::Sub || opcode == Opcode::Mul;
    return arithmetic && ptx::is_float(type);
}

} // namespace

Domain domain_of(Type type) {
    return type == Type::F64 ? Domain::F64 : ptx::is_float(type) ? Domain::F32 : Domain::Int;
}

MicroOp make_op(Opcode opcode, Type type) {
    MicroOp op;
    op.opcode = opcode;
    op.kind = info(opcode).kind;
    op.work = info(opcode).work;
    op.type = type;
    op.domain = domain_of(type);
    return op;
}

MicroOp make_op(Opcode opcode, const Modifiers& modifiers) {
    MicroOp op = make_op(opcode, modifiers.types[0]);
    op.from = modifiers.types[1];
    op.rounding = modifiers.rounding;
    if (op.rounding == Rounding::None && rounds_by_default(opcode, op.type))
        op.rounding = Rounding::Rn;
    op.sub = modifiers.sub;
    op.combine = modifiers.combine;
    op.space = modifiers.space;
    op.vector = modifiers.vector;
    op.flags = modifiers.flags;
    return op;
}

} // namespace heddle::ir
