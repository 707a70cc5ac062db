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

Place emit_op(FunctionLowering& f, Opcode opcode, Type type, std::initializer_list<Place> sources, Place to) {
    MicroOp op = make_op(opcode, type);
    op.dst[0] = to == kNowhere ? f.places.temporary(type) : to;
    op.dst_bytes = op.src_bytes = static_cast<std::uint8_t>(ptx::size_of(type));
    std::size_t next = 0;
    for (const Place source : sources)
        op.src[next++] = source;
    f.emitter.emit(op);
    return op.dst[0];
}

Place emit_resized(FunctionLowering& f, Type from_type, Place from, Type to_type, Place to) {
    MicroOp op = make_op(Opcode::Cvt, to_type);
    op.from = from_type;
    op.dst[0] = to;
    op.src[0] = from;
    op.dst_bytes = f.places.storage(to);
    op.src_bytes = f.places.storage(from);
    f.emitter.emit(op);
    return to;
}

Place emit_widened(FunctionLowering& f, Place from) {
    return emit_resized(f, Type::U32, from, Type::U64, f.places.temporary(Type::U64));
}

Place emit_negated(FunctionLowering& f, Place from) {
    return emit_op(f, Opcode::Neg, Type::S32, {from});
}

std::optional<Place> read_narrowed(FunctionLowering& f, const Operand& operand, Type type) {
    const std::optional<Place> from = f.operands.source(operand, type, Width::AtLeast);
    if (!from || f.places.storage(*from) == 4)
        return from;
    return emit_resized(f, Type::U64, *from, Type::U32, f.places.temporary(Type::B32));
}

void emit_extended(FunctionLowering& f, MicroOp op, Place to) {
    if (f.places.storage(to) == 4) {
        op.dst[0] = to;
        f.emitter.emit(op);
        return;
    }
    op.dst[0] = f.places.temporary(Type::B32);
    f.emitter.emit(op);
    emit_resized(f, Type::U32, op.dst[0], Type::U64, to);
}

void emit_release_to_cluster(FunctionLowering& f) {
    MicroOp op = make_op(Opcode::Fence);
    op.flags |= kBlockScope | kReachesL2;
    f.emitter.emit(op);
}

void emit_memory_nop(FunctionLowering& f, Opcode opcode, std::uint32_t flags, std::int64_t imm) {
    MicroOp op = make_op(opcode);
    op.flags |= flags;
    op.imm = imm;
    op.kind = Kind::Nop;
    op.work = Work::Memory;
    f.emitter.emit(op);
}

} // namespace heddle::ir
