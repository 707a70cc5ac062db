// Reductions in surfaces (sured): the address of the element, and an atomic update where it lies inside.
#include <algorithm>

#include <fmt/format.h>

#include "ir/geometry.h"
#include "ir/selection/families.h"
#include "ir/selection/make_op.h"
#include "ir/selection/opaque_operands.h"
#include "ir/selection/reductions.h"
#include "ir/selection/sequences.h"

namespace heddle::ir {

namespace {

Sub operation_of(const ptx::Instruction& instruction) {
    for (const std::string_view word : instruction.modifiers)
        if (const Sub how = reduction_named(word); how != Sub::None)
            return how;
    return Sub::None;
}

// The geometry stands before or behind the operation.
Sub geometry_of(const ptx::Instruction& instruction) {
    for (const std::string_view word : instruction.modifiers) {
        if (word == "1d")
            return Sub::Geometry1d;
        if (word == "2d")
            return Sub::Geometry2d;
        if (word == "3d")
            return Sub::Geometry3d;
    }
    return Sub::None;
}

bool exists(Sub how, Type type, bool formatted) {
    const bool bounds = how == Sub::AtomMin || how == Sub::AtomMax;
    const bool logic = how == Sub::AtomAnd || how == Sub::AtomOr;
    if (formatted)
        return type == Type::B32 ? bounds || logic || how == Sub::AtomAdd : type == Type::B64 && bounds;
    if (logic)
        return type == Type::B32;
    return type == Type::U32 || type == Type::S32 || type == Type::U64 ? bounds || how == Sub::AtomAdd
                                                                       : type == Type::S64 && bounds;
}

// Updates the element with `value`; the conditions of `address` hold.
void emit_update(FunctionLowering& f, const MicroOp& address, Sub how, Type type, Place value) {
    const Place inside = f.places.temporary(Type::Pred);
    MicroOp none = make_op(Opcode::Mov, Type::Pred); // for lanes that do not execute the instruction
    none.dst[0] = inside;
    none.src[0] = f.places.constant(0);
    f.emitter.emit_if(kNowhere, false, none);
    MicroOp where = address;
    where.dst[0] = f.places.temporary(Type::U64);
    f.emitter.emit(where);
    emit_compare(f, Sub::Ne, Type::U64, inside, where.dst[0], f.places.constant(0, true));
    MicroOp update = make_op(Opcode::Red, type);
    update.space = Space::Global;
    update.sub = how;
    update.src[0] = where.dst[0];
    update.src_bytes = 8;
    update.src[1] = value;
    update.dst_bytes = ptx::size_of(type) == 8 ? 8 : 4;
    f.emitter.emit_if(inside, false, update);
}

} // namespace

// sured.b.op.geometry.type.outside [a, c], b;   sured.p.op.geometry.type.outside [a, c], b;
void select_surface_reduction(FunctionLowering& f, MicroOp op, const Modifiers& modifiers) {
    const Sub how = operation_of(f.cursor.instruction());
    const bool formatted = op.has(kFormatted);
    if (!modifiers.has(kWithUnit))
        return f.cursor.error(fmt::format("'{}': write .b or .p", f.cursor.text()));
    op.sub = geometry_of(f.cursor.instruction());
    if (op.sub == Sub::None)
        return f.cursor.error(fmt::format("'{}' needs .1d, .2d or .3d", f.cursor.text()));
    if (how == Sub::None)
        return f.cursor.error(fmt::format("'{}' needs an operation: .add, .min, .max, .and or .or", f.cursor.text()));
    if (!exists(how, op.type, formatted))
        return f.cursor.error(fmt::format("'{}': this operation has no such type", f.cursor.text()));
    if (!f.cursor.count(2, 2))
        return;
    MicroOp address = make_op(Opcode::SuredAddress, op.type);
    address.sub = op.sub;
    address.flags = op.flags;
    address.dst_bytes = 8;
    address.imm = static_cast<std::int64_t>(modifiers.outside);
    const std::optional<Place> value =
        read_surface(f, f.cursor.operand(0), address) ? f.operands.source(f.cursor.operand(1), op.type) : std::nullopt;
    if (!value)
        return;
    const bool wide = ptx::size_of(op.type) == 8;
    const bool by_format = formatted && (how == Sub::AtomMin || how == Sub::AtomMax);
    if (!by_format)
        return emit_update(f, address, how, formatted && how == Sub::AtomAdd ? Type::U32 : op.type, *value);
    const std::int64_t outside = address.imm;
    address.imm = outside | fetch::kOfUnsigned;
    emit_update(f, address, how, wide ? Type::U64 : Type::U32, *value);
    address.imm = outside | fetch::kOfSigned;
    emit_update(f, address, how, wide ? Type::S64 : Type::S32, *value);
}

} // namespace heddle::ir
