// mov: copies, reads of special registers, packing and unpacking.
#include <fmt/format.h>

#include "ir/selection/families.h"
#include "ir/selection/sequences.h"
#include "ir/selection/special_register.h"

namespace heddle::ir {

namespace {

Type bits_of(unsigned bytes) {
    return bytes == 1 ? Type::B8 : bytes == 2 ? Type::B16 : bytes == 4 ? Type::B32 : Type::B64;
}

// mov.pred p, %is_explicit_cluster;
void select_special_predicate(FunctionLowering& f, MicroOp op) {
    const std::optional<Place> p = f.operands.predicate_destination(f.cursor.operand(0), false);
    if (!p)
        return;
    op.dst[0] = f.places.temporary(Type::U32);
    f.emitter.emit(op);
    emit_compare(f, Sub::Ne, Type::U32, *p, op.dst[0], f.places.constant(0));
}

// mov.type d, %special;
void select_special(FunctionLowering& f, Type type) {
    const Operand& from = f.cursor.operand(1);
    std::optional<MicroOp> op = read_special(from, f.cursor);
    if (!op)
        return;
    if (op->kind == Kind::Nop)
        return f.emitter.placeholder(Opcode::Mov);
    const bool predicate = op->imm == static_cast<std::int64_t>(SpecialRegister::IsExplicitCluster);
    if (predicate != (type == Type::Pred))
        return f.cursor.error(from.where, fmt::format("'{}' is read by mov.{}", from.name,
                                                      predicate            ? "pred"
                                                      : op->dst_bytes == 8 ? "u64"
                                                                           : "u32"));
    if (predicate)
        return select_special_predicate(f, *op);
    if (ptx::is_float(type) || ptx::size_of(type) > op->dst_bytes || (ptx::size_of(type) != 8 && op->dst_bytes == 8))
        return f.cursor.error(from.where, fmt::format("'{}' is read by mov.u{}", from.name, 8 * op->dst_bytes));
    const std::optional<Place> d = f.operands.destination(f.cursor.operand(0), type);
    if (!d)
        return;
    op->dst[0] = *d;
    f.emitter.emit(*op);
}

// mov.b d, {a, b};
void select_pack(FunctionLowering& f, MicroOp op, const Operand& vector) {
    const std::size_t n = vector.elements.size();
    const unsigned bytes = ptx::size_of(op.type);
    if (op.type != bits_of(bytes) || (n != 2 && n != 4) || bytes / n == 0)
        return f.cursor.error(fmt::format("'{}' can not pack {} registers", f.cursor.text(), n));
    const std::optional<Place> d = f.operands.destination(f.cursor.operand(0), op.type);
    bool good = d.has_value();
    op.opcode = Opcode::Pack;
    op.from = bits_of(bytes / static_cast<unsigned>(n));
    op.vector = static_cast<std::uint8_t>(n);
    for (std::size_t i = 0; i < n; ++i) {
        const std::optional<Place> s = f.operands.source(vector.elements[i], op.from);
        good = good && s.has_value();
        op.src[i] = s.value_or(kNowhere);
    }
    if (!good)
        return;
    op.dst[0] = *d;
    op.dst_bytes = f.places.storage(*d);
    op.src_bytes = 4;
    f.emitter.emit(op);
}

// mov.b {a, b}, d;
void select_unpack(FunctionLowering& f, MicroOp op, const Operand& vector) {
    const std::size_t n = vector.elements.size();
    const unsigned bytes = ptx::size_of(op.type);
    if (op.type != bits_of(bytes) || (n != 2 && n != 4) || bytes / n == 0)
        return f.cursor.error(fmt::format("'{}' can not unpack into {} registers", f.cursor.text(), n));
    const std::optional<Place> s = f.operands.source(f.cursor.operand(1), op.type);
    bool good = s.has_value();
    op.opcode = Opcode::Unpack;
    op.from = bits_of(bytes / static_cast<unsigned>(n));
    op.vector = static_cast<std::uint8_t>(n);
    for (std::size_t i = 0; i < n; ++i) {
        const std::optional<Place> d = f.operands.destination(vector.elements[i], op.from, Width::Exact, true);
        good = good && d.has_value();
        op.dst[i] = d.value_or(kNowhere);
    }
    if (!good)
        return;
    op.src[0] = *s;
    op.src_bytes = f.places.storage(*s);
    op.dst_bytes = 4;
    f.emitter.emit(op);
}

} // namespace

// mov.type d, a;   mov.b d, {a, b};   mov.b {a, b}, d;
void select_move(FunctionLowering& f, MicroOp op) {
    if (!f.cursor.count(2, 2))
        return;
    const Operand& to = f.cursor.operand(0);
    const Operand& from = f.cursor.operand(1);
    if (from.kind == Operand::Kind::Vector)
        return select_pack(f, op, from);
    if (to.kind == Operand::Kind::Vector)
        return select_unpack(f, op, to);
    if (from.kind == Operand::Kind::Special)
        return select_special(f, op.type);
    const std::optional<Place> d = f.operands.destination(to, op.type);
    bool negated = false;
    const Symbol named = f.cursor.find(from);
    if (named.kind == Symbol::Kind::Function && (from.offset != 0 || from.minus || from.negated))
        return f.cursor.error(
            from.where, fmt::format("'{}' is a function: its address has no sign, and is part of no sum", from.name));
    const std::optional<Place> a = named.kind == Symbol::Kind::Function
                                       ? f.places.constant(code_address(named.index), ptx::size_of(op.type) == 8)
                                   : op.type == Type::Pred ? f.operands.predicate(from, negated)
                                                           : f.operands.source(from, op.type);
    if (!d || !a)
        return;
    op.dst[0] = *d;
    op.src[0] = *a;
    if (negated)
        op.flags |= kSourceNegated;
    if (op.type != Type::Pred)
        op.dst_bytes = op.src_bytes = f.places.storage(*d);
    f.emitter.emit(op);
}

} // namespace heddle::ir
