#include "ir/selection/matrix_operands.h"

#include <fmt/format.h>

#include "ir/selection/make_op.h"
#include "ir/selection/memory_operands.h"
#include "ir/selection/sequences.h"

namespace heddle::ir {

MicroOp make_matrix_op(Places& places, Opcode opcode) {
    MicroOp op = make_op(opcode);
    op.flags = kHasMask;
    op.src[3] = places.constant(~0U);
    return op;
}

Type type_of_registers(const Fragment& fragment) {
    switch (fragment.element) {
    case Element::F64:
        return Type::F64;
    case Element::F32:
        return Type::F32;
    case Element::S32:
        return Type::S32;
    case Element::F16:
        return Type::F16x2;
    case Element::BF16:
        return Type::BF16x2;
    case Element::TF32:
        return Type::TF32;
    default:
        return Type::B32;
    }
}

namespace {

// An element of a list: a register; else a new one, for a result that is dropped (_) or a constant.
std::optional<Place> matrix_register(FunctionLowering& f, const Operand& element, Type type, ListUse use) {
    const Operand::Kind kind = element.kind;
    if (use == ListUse::Result && kind == Operand::Kind::Sink)
        return f.places.temporary(type);
    if (use == ListUse::Source && (kind == Operand::Kind::Integer || kind == Operand::Kind::Float)) {
        const bool wide = ptx::size_of(type) == 8;
        const bool is_float = type == Type::F32 || type == Type::F64;
        const std::optional<Place> value = f.operands.source(element, is_float ? type : wide ? Type::B64 : Type::B32);
        return value ? std::optional(emit_op(f, Opcode::Mov, wide ? Type::B64 : Type::B32, {*value})) : std::nullopt;
    }
    if (kind != Operand::Kind::Name || element.negated || element.minus) {
        f.cursor.error(element.where, fmt::format("'{}' needs a register here{}", f.cursor.text(),
                                                  use == ListUse::Result   ? ", or '_'"
                                                  : use == ListUse::Source ? ", or a constant"
                                                                           : ""));
        return std::nullopt;
    }
    return f.operands.register_of(element, type, Width::Exact);
}

} // namespace

std::optional<std::vector<Place>> matrix_registers(FunctionLowering& f, const Operand& operand, unsigned wanted,
                                                   Type type, ListUse use) {
    if (!is_vector(f.cursor, operand)) {
        f.cursor.error(operand.where, fmt::format("'{}' needs a vector of {} register{} here, like {{%r1}}",
                                                  f.cursor.text(), wanted, wanted == 1 ? "" : "s"));
        return std::nullopt;
    }
    const std::vector<Operand> list = elements(f.cursor, operand, wanted);
    if (list.empty())
        return std::nullopt;
    if (list.size() == 1) // ptxas takes neither a constant nor `_` there
        use = ListUse::Both;
    std::vector<Place> places;
    for (const Operand& element : list) {
        const std::optional<Place> place = matrix_register(f, element, type, use);
        if (!place)
            return std::nullopt;
        places.push_back(*place);
    }
    return places;
}

std::optional<std::vector<Place>> fragment_registers(FunctionLowering& f, const Operand& operand,
                                                     const Fragment& fragment, ListUse use) {
    return matrix_registers(f, operand, fragment.registers(), type_of_registers(fragment), use);
}

bool read_metadata(FunctionLowering& f, std::size_t first, Matrix& matrix, Place& metadata) {
    const std::vector<Operand> list = elements(f.cursor, f.cursor.operand(first), 1);
    if (list.empty())
        return false;
    const std::optional<Place> place = f.operands.register_of(list[0], Type::B32, Width::Exact);
    const Operand& operand = f.cursor.operand(first + 1);
    const std::optional<std::int64_t> selector = f.operands.integer(operand, "the sparsity selector");
    if (!place || !selector)
        return false;
    const unsigned selectors = metadata_of(matrix).selectors();
    if (*selector < 0 || *selector >= selectors) {
        f.cursor.error(operand.where,
                       fmt::format("the sparsity selector of '{}' is {}, not {}", f.cursor.text(),
                                   selectors == 1 ? "0" : fmt::format("0 to {}", selectors - 1), *selector));
        return false;
    }
    matrix.selector = static_cast<std::uint8_t>(*selector);
    metadata = *place;
    return true;
}

bool read_matrix_address(FunctionLowering& f, const Operand& operand, bool shared_only, MicroOp& op) {
    std::uint8_t bytes = 8;
    if (!read_address(f, operand, op, bytes))
        return false;
    op.src_bytes = bytes;
    if (op.src[0] == kNowhere) // an absolute address
        op.src[0] = f.places.constant(0, true);
    if (op.space == Space::Generic || op.space == Space::Shared || (op.space == Space::Global && !shared_only))
        return true;
    f.cursor.error(operand.where, fmt::format("'{}' needs an address in {}", f.cursor.text(),
                                              shared_only ? ".shared memory" : ".global or .shared memory"));
    return false;
}

} // namespace heddle::ir
