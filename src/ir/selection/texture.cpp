// Texture fetches and surface accesses, through the handle of an object in a register.
#include <bit>

#include <fmt/format.h>

#include "ir/geometry.h"
#include "ir/selection/families.h"
#include "ir/selection/memory_operands.h"
#include "ir/selection/wide_registers.h"

namespace heddle::ir {

namespace {

// Reads [handle, {x, y}] to src[0] and src[1..]. False: an error is reported, or a placeholder emitted for a form of
// PTX that heddle does not execute.
bool object_operands(FunctionLowering& f, const Operand& operand, MicroOp& op, bool surface) {
    if (operand.kind != Operand::Kind::Address || operand.name.empty() || operand.elements.empty()) {
        f.cursor.error(
            operand.where,
            fmt::format("'{}' needs an object and its coordinates here, like [%rd1, {{%f1, %f2}}]", f.cursor.text()));
        return false;
    }
    const Symbol object = f.cursor.symbol(operand);
    if (object.kind == Symbol::Kind::None)
        return false;
    if (object.kind != Symbol::Kind::Register || operand.elements.size() != 1) { // a .texref, or a separate sampler
        f.emitter.placeholder(op.opcode);
        return false;
    }
    Operand handle = operand;
    handle.kind = Operand::Kind::Name;
    const std::optional<Place> place = f.operands.register_of(handle, Type::U64, Width::Exact);
    const Geometry geometry = geometry_of(op.sub);
    const std::vector<Operand> list =
        elements(f.cursor, operand.elements[0], std::bit_ceil(geometry.operands())); // v1, v2 or v4
    bool good = place.has_value() && !list.empty();
    op.src[0] = place.value_or(kNowhere);
    for (unsigned i = 0; i < list.size(); ++i) {
        const bool is_layer = i == 0 && geometry.layered;
        const std::optional<Place> s = f.operands.source(list[i], surface || is_layer ? Type::S32 : op.from);
        good = good && s.has_value();
        if (i < geometry.operands())
            op.src[i + 1] = s.value_or(kNowhere);
    }
    return good;
}

// tex[.base|.level|.grad].geometry.v4.type.ctype d, [a, c][, lod][, ddx, ddy];
// tld4.component.2d.v4.type.f32 d, [a, c];
void select_fetch(FunctionLowering& f, MicroOp op, const Modifiers& modifiers) {
    const bool gathers = op.opcode == Opcode::Tld4;
    const bool cubic = op.sub == Sub::GeometryCube || op.sub == Sub::GeometryACube;
    if (op.vector != 4)
        return f.cursor.error(fmt::format("'{}': a fetch gives four elements: write .v4", f.cursor.text()));
    if (modifiers.has(kWithBase) + modifiers.has(kWithLod) + modifiers.has(kWithGradient) > 1)
        return f.cursor.error(fmt::format("'{}' takes only one of .base, .level and .grad", f.cursor.text()));
    if (cubic && (op.from != Type::F32 || modifiers.has(kWithGradient)))
        return f.cursor.error(fmt::format("'{}': cubes have coordinates of .f32, and no .grad", f.cursor.text()));
    if (gathers && op.sub != Sub::Geometry2d)
        return f.emitter.placeholder(op.opcode);
    // The level of a mipmapped texture has no effect: heddle's textures have one level.
    const std::size_t wanted = 2 + (modifiers.has(kWithLod) ? 1U : modifiers.has(kWithGradient) ? 2U : 0U);
    if (f.cursor.instruction().paired && !f.cursor.count(wanted + 1, wanted + 3)) // a predicate beside the destination
        return;
    if (f.cursor.operands().size() > wanted) // an offset, or a depth for comparison
        return f.emitter.placeholder(op.opcode);
    if (!f.cursor.count(wanted, wanted) || !read_elements_to(f, f.cursor.operand(0), op) ||
        !object_operands(f, f.cursor.operand(1), op, false))
        return;
    op.imm = modifiers.component;
    f.emitter.emit(op);
    fill_upper_halves(f, f.cursor.operand(0), op.type);
}

// suld.b.geometry[.cop][.vec].type.outside d, [a, c];
void select_surface_load(FunctionLowering& f, MicroOp op, const Modifiers& modifiers) {
    if (!modifiers.has(kWithUnformatted))
        return f.cursor.error(fmt::format("'{}': write .b", f.cursor.text()));
    if (op.vector * ptx::size_of(op.type) > 16)
        return f.cursor.error(fmt::format("'{}': an element has at most 16 bytes", f.cursor.text()));
    if (!f.cursor.count(2, 2) || !read_elements_to(f, f.cursor.operand(0), op) ||
        !object_operands(f, f.cursor.operand(1), op, true))
        return;
    op.imm = static_cast<std::int64_t>(modifiers.outside);
    f.emitter.emit(op);
    fill_upper_halves(f, f.cursor.operand(0), op.type);
}

// sust.b.geometry[.cop][.vec].type.outside [a, c], b;
void select_surface_store(FunctionLowering& f, MicroOp op, const Modifiers& modifiers) {
    if (!modifiers.has(kWithUnformatted))
        return f.cursor.error(fmt::format("'{}': write .b", f.cursor.text()));
    if (op.vector * ptx::size_of(op.type) > 16)
        return f.cursor.error(fmt::format("'{}': an element has at most 16 bytes", f.cursor.text()));
    if (!f.cursor.count(2, 2) || !object_operands(f, f.cursor.operand(0), op, true) ||
        !read_elements_from(f, f.cursor.operand(1), op, 4))
        return;
    op.imm = static_cast<std::int64_t>(modifiers.outside);
    f.emitter.emit(op);
}

} // namespace

void select_texture(FunctionLowering& f, MicroOp op, const Modifiers& modifiers) {
    switch (op.opcode) {
    case Opcode::Suld:
        return select_surface_load(f, op, modifiers);
    case Opcode::Sust:
        return select_surface_store(f, op, modifiers);
    default: // tex, tld4
        return select_fetch(f, op, modifiers);
    }
}

} // namespace heddle::ir
