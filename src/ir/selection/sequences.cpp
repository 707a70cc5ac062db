#include "ir/selection/sequences.h"

#include "ir/selection/make_op.h"

namespace heddle::ir {

void emit_compare(FunctionLowering& f, Sub how, Type type, Place to, Place a, Place b) {
    MicroOp op = make_op(Opcode::Setp, type);
    op.sub = how;
    op.dst[0] = to;
    op.src[0] = a;
    op.src[1] = b;
    op.src_bytes = f.places.storage(a);
    f.emitter.emit(op);
}

void emit_copy(FunctionLowering& f, Place to, Place from) {
    MicroOp op = make_op(Opcode::Mov, Type::B32);
    op.dst[0] = to;
    op.src[0] = from;
    f.emitter.emit(op);
}

Place emit_negated(FunctionLowering& f, Place from) {
    MicroOp op = make_op(Opcode::Neg, Type::S32);
    op.dst[0] = f.places.temporary(Type::S32);
    op.src[0] = from;
    f.emitter.emit(op);
    return op.dst[0];
}

void emit_memory_nop(FunctionLowering& f, Opcode opcode) {
    MicroOp op = make_op(opcode);
    op.kind = Kind::Nop;
    op.work = Work::Memory;
    f.emitter.emit(op);
}

} // namespace heddle::ir
