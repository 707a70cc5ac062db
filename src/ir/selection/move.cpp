// mov: copies, reads of special registers, packing and unpacking.
#include <fmt/format.h>

#include "ir/current_graph.h"
#include "ir/selection/families.h"
#include "ir/selection/make_op.h"
#include "ir/selection/memory_operands.h"
#include "ir/selection/sequences.h"
#include "ir/selection/special_register.h"
#include "ir/selection/wide_registers.h"

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

// mov.b64 d, %current_graph_exec;   a load, or 0 in a module that launches no graphs
void select_current_graph(FunctionLowering& f, Type type) {
    const Operand& from = f.cursor.operand(1);
    if (ptx::is_float(type) || ptx::size_of(type) != 8)
        return f.cursor.error(from.where, fmt::format("'{}' is read by mov.u64", from.name));
    const std::optional<Place> d = f.operands.destination(f.cursor.operand(0), type);
    if (!d)
        return;
    Address address = 0;
    for (const UnitNames& unit : f.context.names.units())
        if (const ptx::Variable* const v = unit.variable(kCurrentGraphVariable); v != nullptr)
            address = f.context.address_of(*v);
    MicroOp op = make_op(address == 0 ? Opcode::Mov : Opcode::Ld, Type::U64);
    op.space = Space::Global;
    op.dst[0] = *d;
    op.src[0] = f.places.constant(address, true);
    op.dst_bytes = op.src_bytes = 8;
    f.emitter.emit(op);
}

// mov.type d, %special;
void select_special(FunctionLowering& f, Type type) {
    const Operand& from = f.cursor.operand(1);
    if (from.name == "%current_graph_exec")
        return select_current_graph(f, type);
    std::optional<MicroOp> op = read_special(from, f.cursor);
    if (!op)
        return;
    const bool narrow = ptx::size_of(type) < op->dst_bytes;
    const bool predicate = op->imm == static_cast<std::int64_t>(SpecialRegister::IsExplicitCluster);
    if (predicate != (type == Type::Pred))
        return f.cursor.error(from.where, fmt::format("'{}' is read by mov.{}", from.name,
                                                      predicate            ? "pred"
                                                      : op->dst_bytes == 8 ? "u64"
                                                                           : "u32"));
    if (predicate)
        return select_special_predicate(f, *op);
    if (ptx::is_float(type) || ptx::size_of(type) > op->dst_bytes || (narrow && !is_read_narrow(*op)))
        return f.cursor.error(from.where, fmt::format("'{}' is read by mov.u{}", from.name, 8 * op->dst_bytes));
    const std::optional<Place> d = f.operands.destination(f.cursor.operand(0), type);
    if (!d)
        return;
    op->dst[0] = op->dst_bytes == f.places.storage(*d) ? *d : f.places.temporary(Type::U64);
    f.emitter.emit(*op);
    if (op->dst[0] != *d)
        emit_resized(f, Type::U64, op->dst[0], ptx::size_of(type) == 2 ? Type::U16 : Type::U32, *d);
}

// A move of an element's width between registers of `count` elements and one of `type`.
MicroOp element_move(Opcode opcode, Type type, std::size_t count) {
    MicroOp op = make_op(opcode, type);
    op.from = bits_of(ptx::size_of(type) / static_cast<unsigned>(count));
    op.vector = static_cast<std::uint8_t>(count);
    return op;
}

void emit_pack(FunctionLowering& f, Type type, Place to, const std::vector<Operand>& list) {
    MicroOp op = element_move(Opcode::Pack, type, list.size());
    bool good = check_kinds(f.cursor, list);
    for (std::size_t i = 0; i < list.size(); ++i) {
        const std::optional<Place> s = f.operands.source(list[i], op.from);
        good = good && s.has_value();
        op.src[i] = s.value_or(kNowhere);
    }
    if (!good)
        return;
    op.dst[0] = to;
    op.dst_bytes = f.places.storage(to);
    op.src_bytes = 4;
    f.emitter.emit(op);
}

void emit_unpack(FunctionLowering& f, Type type, const std::vector<Operand>& list, Place from) {
    MicroOp op = element_move(Opcode::Unpack, type, list.size());
    bool good = check_kinds(f.cursor, list);
    for (std::size_t i = 0; i < list.size(); ++i) {
        const std::optional<Place> d = f.operands.destination(list[i], op.from, Width::Exact, true);
        good = good && d.has_value();
        op.dst[i] = d.value_or(kNowhere);
    }
    if (!good)
        return;
    op.src[0] = from;
    op.src_bytes = f.places.storage(from);
    op.dst_bytes = 4;
    f.emitter.emit(op);
}

// Whether the type is of bits, of two or four elements.
bool has_elements(Type type, std::size_t count) {
    const unsigned bytes = ptx::size_of(type);
    return type == bits_of(bytes) && (count == 2 || count == 4) && bytes / count != 0;
}

// mov.b d, {a, b};
void select_pack(FunctionLowering& f, const MicroOp& op, const Operand& vector) {
    const std::size_t n = vector.elements.size();
    if (!has_elements(op.type, n))
        return f.cursor.error(fmt::format("'{}' can not pack {} registers", f.cursor.text(), n));
    if (const std::optional<Place> d = f.operands.destination(f.cursor.operand(0), op.type))
        emit_pack(f, op.type, *d, vector.elements);
}

// mov.b {a, b}, d;
void select_unpack(FunctionLowering& f, const MicroOp& op, const Operand& vector) {
    const std::size_t n = vector.elements.size();
    if (!has_elements(op.type, n))
        return f.cursor.error(fmt::format("'{}' can not unpack into {} registers", f.cursor.text(), n));
    if (const std::optional<Place> s = f.operands.source(f.cursor.operand(1), op.type))
        emit_unpack(f, op.type, vector.elements, *s);
}

void emit_move(FunctionLowering& f, MicroOp op, Place to, Place from) {
    op.dst[0] = to;
    op.src[0] = from;
    op.dst_bytes = op.src_bytes = f.places.storage(to);
    f.emitter.emit(op);
}

} // namespace

namespace {

// mov.b128 d, a;   mov.b128 d, {a, b};   mov.b128 {a, b}, d;   also with four registers of 32 bits
void select_wide_move(FunctionLowering& f) {
    const Operand& to = f.cursor.operand(0);
    const Operand& from = f.cursor.operand(1);
    const bool packs = from.kind == Operand::Kind::Vector, unpacks = to.kind == Operand::Kind::Vector;
    const std::size_t n = packs ? from.elements.size() : unpacks ? to.elements.size() : 2;
    if ((packs && unpacks) || (n != 2 && n != 4))
        return f.cursor.error(fmt::format("'{}' moves a register, or two or four elements", f.cursor.text()));
    if (!check_kinds(f.cursor, packs ? from.elements : to.elements))
        return;
    const std::optional<Halves> wide = read_halves(f, unpacks ? from : to);
    const std::optional<Halves> other = packs || unpacks ? wide : read_halves(f, from);
    if (!wide || !other)
        return;
    for (const bool high : {false, true}) {
        const Place half = high ? wide->high : wide->low;
        if (n == 4) {
            Operand pair = packs ? from : to;
            pair.elements = {pair.elements[high ? 2 : 0], pair.elements[high ? 3 : 1]};
            packs ? emit_pack(f, Type::B64, half, pair.elements) : emit_unpack(f, Type::B64, pair.elements, half);
            continue;
        }
        MicroOp op = make_op(Opcode::Mov, Type::B64);
        op.dst_bytes = op.src_bytes = 8;
        op.dst[0] = unpacks
                        ? f.operands.destination(to.elements[high], Type::B64, Width::Exact, true).value_or(kNowhere)
                        : half;
        const std::optional<Place> source = packs  ? f.operands.source(from.elements[high], Type::B64)
                                            : high ? other->high
                                                   : other->low;
        op.src[0] = source.value_or(kNowhere);
        if (op.dst[0] != kNowhere && source)
            f.emitter.emit(op);
    }
}

// mov.v2.type d, a;   of two vector registers, or lists of registers
void select_vector_move(FunctionLowering& f, MicroOp op) {
    const unsigned count = op.vector;
    if (count * ptx::size_of(op.type) > 16)
        return f.cursor.error(fmt::format("'{}': a vector has at most 128 bits", f.cursor.text()));
    const std::vector<Operand> to = elements(f.cursor, f.cursor.operand(0), count);
    const std::vector<Operand> from = elements(f.cursor, f.cursor.operand(1), count);
    op.vector = 1;
    if (to.empty() || from.empty())
        return;
    std::vector<Place> copies; // all are read before the first is written
    for (unsigned i = 0; i < count; ++i) {
        const std::optional<Place> s = f.operands.source(from[i], op.type);
        if (!s)
            return;
        copies.push_back(f.places.temporary(op.type));
        emit_move(f, op, copies.back(), *s);
    }
    for (unsigned i = 0; i < count; ++i)
        if (const std::optional<Place> d = f.operands.destination(to[i], op.type))
            emit_move(f, op, *d, copies[i]);
}

// mov.v4.u32 {a, b, c, d}, %tid;   the last one is zero.
void select_special_vector(FunctionLowering& f, const MicroOp& op) {
    const Operand& from = f.cursor.operand(1);
    if (op.vector != 4 || ptx::is_float(op.type) || ptx::size_of(op.type) != 4)
        return f.cursor.error(from.where, fmt::format("'{}' is read by mov.v4.u32", from.name));
    const std::vector<Operand> to = elements(f.cursor, f.cursor.operand(0), op.vector);
    for (std::size_t i = 0; i < to.size(); ++i) {
        if (to[i].kind == Operand::Kind::Sink)
            continue;
        const std::string name = fmt::format("{}.{}", from.name, "xyzw"[i]);
        Operand part = from;
        part.name = name;
        std::optional<MicroOp> read = make_op(Opcode::Mov, Type::B32);
        if (i == 3)
            read->src[0] = f.places.constant(0, false);
        else
            read = read_special(part, f.cursor);
        const std::optional<Place> d = f.operands.destination(to[i], op.type);
        if (!read || !d)
            return;
        read->dst[0] = *d;
        f.emitter.emit(*read);
    }
}

} // namespace

// mov.type d, a;   mov.b d, {a, b};   mov.b {a, b}, d;
void select_move(FunctionLowering& f, MicroOp op) {
    if (!f.cursor.count(2, 2))
        return;
    if (op.vector > 1)
        return f.cursor.operand(1).kind == Operand::Kind::Special ? select_special_vector(f, op)
                                                                  : select_vector_move(f, op);
    if (op.type == Type::B128)
        return select_wide_move(f);
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
