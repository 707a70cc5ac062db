#include "ir/selection/wide_registers.h"

#include <fmt/format.h>

#include "ir/selection/make_op.h"

namespace heddle::ir {

namespace {

bool is_wide(const Symbol& symbol) {
    return symbol.kind == Symbol::Kind::Register && symbol.variable->type == Type::B128 && symbol.variable->vector == 1;
}

} // namespace

std::optional<Halves> read_halves(FunctionLowering& f, const Operand& operand) {
    const Symbol found = f.cursor.find(operand);
    const bool plain = operand.kind == Operand::Kind::Name && operand.offset == 0 && !operand.minus &&
                       !operand.negated && operand.component.empty();
    if (!plain || !is_wide(found)) {
        f.cursor.error(operand.where, fmt::format("'{}' needs a register of type .b128 here", f.cursor.text()));
        return std::nullopt;
    }
    return Halves{f.places.virtual_register(found, 0), f.places.virtual_register(found, 1)};
}

void fill_upper_half(FunctionLowering& f, const Operand& operand, Type type) {
    const Symbol found = f.cursor.find(operand);
    if (operand.kind != Operand::Kind::Name || !is_wide(found))
        return;
    const bool is_signed = ptx::is_signed(type);
    MicroOp op = make_op(is_signed ? Opcode::Shr : Opcode::Mov, is_signed ? Type::S64 : Type::B64);
    op.dst[0] = f.places.virtual_register(found, 1);
    op.src[0] = is_signed ? f.places.virtual_register(found, 0) : f.places.constant(0, true);
    if (is_signed)
        op.src[1] = f.places.constant(63);
    op.dst_bytes = op.src_bytes = 8;
    f.emitter.emit(op);
}

void fill_upper_halves(FunctionLowering& f, const Operand& operand, Type type) {
    if (operand.kind != Operand::Kind::Vector)
        return fill_upper_half(f, operand, type);
    for (const Operand& element : operand.elements)
        fill_upper_half(f, element, type);
}

} // namespace heddle::ir
