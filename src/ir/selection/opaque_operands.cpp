#include "ir/selection/opaque_operands.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "ir/geometry.h"
#include "ir/selection/memory_operands.h"

namespace heddle::ir {

std::optional<Place> read_handle(FunctionLowering& f, const Operand& operand, std::initializer_list<Type> types) {
    Operand name = operand;
    name.kind = Operand::Kind::Name;
    name.elements.clear();
    const Symbol object = f.cursor.symbol(name);
    if (object.kind == Symbol::Kind::None)
        return std::nullopt;
    if (object.kind == Symbol::Kind::Register)
        return f.operands.register_of(name, Type::U64, Width::Exact);
    if (object.kind == Symbol::Kind::Variable &&
        std::find(types.begin(), types.end(), object.variable->type) != types.end() && operand.offset == 0)
        return f.operands.handle_of(name, object);
    f.cursor.error(operand.where, fmt::format("'{}' needs a .{} or a register of 64 bits with a handle here, not '{}'",
                                              f.cursor.text(), ptx::name_of(*types.begin()), operand.name));
    return std::nullopt;
}

bool read_coordinates(FunctionLowering& f, const Operand& operand, MicroOp& op, Type type) {
    const Geometry geometry = geometry_of(op.sub);
    const std::vector<Operand> list = elements(f.cursor, operand, std::bit_ceil(geometry.operands())); // 1, 2 or 4
    bool good = !list.empty();
    for (unsigned i = 0; i < list.size(); ++i) {
        const bool is_layer = i == 0 && geometry.layered;
        const std::optional<Place> s = f.operands.source(list[i], is_layer ? Type::S32 : type);
        good = good && s.has_value();
        if (i < geometry.operands())
            op.src[i + 1] = s.value_or(kNowhere);
    }
    return good;
}

bool read_surface(FunctionLowering& f, const Operand& operand, MicroOp& op) {
    if (operand.kind != Operand::Kind::Address || operand.name.empty() || operand.elements.size() != 1) {
        f.cursor.error(
            operand.where,
            fmt::format("'{}' needs a surface and its coordinates here, like [%rd1, {{%r1, %r2}}]", f.cursor.text()));
        return false;
    }
    const std::optional<Place> handle = read_handle(f, operand, {Type::Surfref});
    op.src[0] = handle.value_or(kNowhere);
    return read_coordinates(f, operand.elements[0], op, Type::S32) && handle;
}

} // namespace heddle::ir
