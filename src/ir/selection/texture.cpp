// Texture fetches and surface accesses, through the handle of an object in a register.

#include <bit>

#include <fmt/format.h>

#include "ir/geometry.h"
#include "ir/selection/select.h"

namespace heddle::ir {

// [handle, {x, y}]: src[0] and src[1..]. False where there is none; what PTX knows beyond is marked as not executable.
bool Selector::object_operands(const Operand& operand, MicroOp& op, bool surface) {
    if (operand.kind != Operand::Kind::Address || operand.name.empty() || operand.elements.empty()) {
        error(operand.where,
              fmt::format("'{}' needs an object and its coordinates here, like [%rd1, {{%f1, %f2}}]", text()));
        return false;
    }
    const Symbol object = symbol(operand);
    if (object.kind == Symbol::Kind::None)
        return false;
    if (object.kind != Symbol::Kind::Register || operand.elements.size() != 1) { // a .texref, or a sampler beside it
        placeholder(op.opcode);
        return false;
    }
    Operand handle = operand;
    handle.kind = Operand::Kind::Name;
    const std::optional<Place> place = register_of(handle, Type::U64, Width::Exact);
    const Geometry geometry = geometry_of(op.sub);
    const std::vector<Operand> list = elements(operand.elements[0], std::bit_ceil(geometry.operands())); // v1, v2 or v4
    bool good = place.has_value() && !list.empty();
    op.src[0] = place.value_or(kNowhere);
    for (unsigned i = 0; i < list.size(); ++i) {
        const bool is_layer = i == 0 && geometry.layered;
        const std::optional<Place> s = source(list[i], surface || is_layer ? Type::S32 : op.from);
        good = good && s.has_value();
        if (i < geometry.operands())
            op.src[i + 1] = s.value_or(kNowhere);
    }
    return good;
}

// tex[.base|.level|.grad].geometry.v4.type.ctype d, [a, c][, lod][, ddx, ddy];   tld4.component.2d.v4.type.f32 d, [a,
// c];
void Selector::select_fetch(MicroOp op, const Modifiers& modifiers) {
    const bool gathers = op.opcode == Opcode::Tld4;
    const bool cubic = op.sub == Sub::GeometryCube || op.sub == Sub::GeometryACube;
    if (op.vector != 4)
        return error(now_->where, fmt::format("'{}': a fetch gives four elements: write .v4", text()));
    if (modifiers.has(kWithBase) + modifiers.has(kWithLod) + modifiers.has(kWithGradient) > 1)
        return error(now_->where, fmt::format("'{}' takes only one of .base, .level and .grad", text()));
    if (cubic && (op.from != Type::F32 || modifiers.has(kWithGradient)))
        return error(now_->where, fmt::format("'{}': cubes have coordinates of .f32, and no .grad", text()));
    if (gathers && op.sub != Sub::Geometry2d)
        return placeholder(op.opcode);
    // What chooses among the levels of a mipmapped texture has no meaning here: there is one.
    const std::size_t wanted = 2 + (modifiers.has(kWithLod) ? 1U : modifiers.has(kWithGradient) ? 2U : 0U);
    if (now_->operands.size() > wanted) // an offset, a depth to compare with
        return placeholder(op.opcode);
    if (!count(wanted, wanted) || !elements_to(now_->operands[0], op) || !object_operands(now_->operands[1], op, false))
        return;
    op.imm = modifiers.component;
    emit(op);
}

// suld.b.geometry[.cop][.vec].type.outside d, [a, c];
void Selector::select_surface_load(MicroOp op, const Modifiers& modifiers) {
    if (!modifiers.has(kWithUnformatted))
        return error(now_->where, fmt::format("'{}': write .b", text()));
    if (op.vector * ptx::size_of(op.type) > 16)
        return error(now_->where, fmt::format("'{}': an element has at most 16 bytes", text()));
    if (!count(2, 2) || !elements_to(now_->operands[0], op) || !object_operands(now_->operands[1], op, true))
        return;
    op.imm = static_cast<std::int64_t>(modifiers.outside);
    emit(op);
}

// sust.b.geometry[.cop][.vec].type.outside [a, c], b;
void Selector::select_surface_store(MicroOp op, const Modifiers& modifiers) {
    if (!modifiers.has(kWithUnformatted))
        return error(now_->where, fmt::format("'{}': write .b", text()));
    if (op.vector * ptx::size_of(op.type) > 16)
        return error(now_->where, fmt::format("'{}': an element has at most 16 bytes", text()));
    if (!count(2, 2) || !object_operands(now_->operands[0], op, true) || !elements_from(now_->operands[1], op, 4))
        return;
    op.imm = static_cast<std::int64_t>(modifiers.outside);
    emit(op);
}

} // namespace heddle::ir
