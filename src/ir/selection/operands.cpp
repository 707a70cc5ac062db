#include "ir/selection/operands.h"

#include <bit>

#include <fmt/format.h>

#include "ir/selection/make_op.h"
#include "ir/selection/special_register.h"

namespace heddle::ir {

namespace {

enum class Class { Predicate, Float, Integer, Bits };

Class class_of(Type type) {
    switch (type) {
    case Type::Pred:
        return Class::Predicate;
    case Type::B8:
    case Type::B16:
    case Type::B32:
    case Type::B64:
    case Type::B128:
        return Class::Bits;
    default:
        return ptx::is_float(type) ? Class::Float : Class::Integer;
    }
}

// From 0; 4 for a name that is no component.
unsigned component_index(std::string_view component) {
    const std::size_t index = std::string_view("xyzwrgba").find(component);
    return index == std::string_view::npos ? 4 : static_cast<unsigned>(index % 4);
}

// Whether a register of type `given` can be an operand of type `required`.
bool fits(Type given, Type required, Width width) {
    const Class have = class_of(given);
    const Class want = class_of(required);
    const unsigned size = ptx::size_of(given);
    const unsigned wanted = ptx::size_of(required);
    const bool either =
        have != Class::Predicate && want != Class::Predicate && (have == Class::Bits || want == Class::Bits);
    // A number may lie in a wider untyped register. An f32 does not fit a pair of halves, nor a pair an f32.
    if (!ptx::has_variables(required))
        return have == Class::Bits && size == wanted;
    const bool may_be_wider = width == Width::AtLeast && (want != Class::Float || either);
    const bool wide_enough = size == wanted || (may_be_wider && size > wanted);
    const bool same = have == want && (want != Class::Float || given == required);
    return (same && (have == Class::Predicate || wide_enough)) || (either && wide_enough);
}

// The bits of a floating-point literal in the shape of `type`.
std::uint64_t float_bits(const Operand& operand, Type type) {
    const bool narrow = ptx::size_of(type) == 4;
    std::uint64_t bits = operand.bits;
    if (operand.is_f32 && !narrow)
        bits =
            std::bit_cast<std::uint64_t>(static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits))));
    else if (!operand.is_f32 && narrow)
        bits = std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(bits)));
    return bits;
}

} // namespace

Operands::Operands(Cursor& cursor, Places& places, Variables& variables, Emitter& emitter)
    : cursor_(cursor), places_(places), variables_(variables), emitter_(emitter) {}

bool Operands::check_type(const Operand& operand, Type given, Type required, Width width) {
    if (fits(given, required, width))
        return true;
    cursor_.error(operand.where, fmt::format("'{}' has type .{}; '{}' needs {} here", operand.name, ptx::name_of(given),
                                             cursor_.text(),
                                             required == Type::Pred
                                                 ? "a predicate"
                                                 : fmt::format("a register that fits .{}", ptx::name_of(required))));
    return false;
}

bool Operands::check_component(const Operand& operand, const ptx::Variable& variable) {
    if (operand.component.empty()) {
        if (variable.vector == 1)
            return true;
        cursor_.error(operand.where, fmt::format("'{}' is a vector; name one component of it", operand.name));
        return false;
    }
    if (variable.vector > 1 && component_index(operand.component) < variable.vector)
        return true;
    cursor_.error(operand.where, fmt::format("'{}' has no component '{}'", operand.name, operand.component));
    return false;
}

std::optional<Place> Operands::register_of(const Operand& operand, Type type, Width width) {
    const Symbol found = cursor_.symbol(operand);
    if (found.kind == Symbol::Kind::None)
        return std::nullopt;
    if (found.kind != Symbol::Kind::Register) {
        cursor_.error(operand.where, fmt::format("'{}' is no register", operand.name));
        return std::nullopt;
    }
    if (operand.offset != 0) {
        cursor_.error(operand.where,
                      fmt::format("'{}' takes no sum of a register and a constant here", cursor_.text()));
        return std::nullopt;
    }
    const ptx::Variable& v = *found.variable;
    if (!check_component(operand, v) || !check_type(operand, v.type, type, width))
        return std::nullopt;
    return places_.virtual_register(found, operand.component.empty() ? 0 : component_index(operand.component));
}

std::optional<Place> Operands::immediate(const Operand& operand, Type type) {
    const unsigned size = ptx::size_of(type);
    const Class required = class_of(type);
    if (ptx::is_half(type) || !ptx::has_variables(type) || type == Type::B128) {
        cursor_.error(operand.where,
                      fmt::format("'{}' takes no constants: move the bits into a register first", cursor_.text()));
        return std::nullopt;
    }
    if (operand.kind == Operand::Kind::Float) {
        if (required == Class::Integer || required == Class::Predicate || size < 4) {
            cursor_.error(operand.where, fmt::format("'{}' needs an integer here", cursor_.text()));
            return std::nullopt;
        }
        if (required == Class::Bits && operand.is_f32 != (size == 4)) {
            cursor_.error(operand.where, fmt::format("'{}' needs a constant of {} bits here, like {}", cursor_.text(),
                                                     8 * size, size == 4 ? "0f3F800000" : "1.0"));
            return std::nullopt;
        }
        return places_.constant(float_bits(operand, type), size == 8);
    }
    if (required == Class::Float) {
        cursor_.error(operand.where,
                      fmt::format("'{}' needs a floating-point number here, like 1.0 or 0f3F800000", cursor_.text()));
        return std::nullopt;
    }
    if (required == Class::Predicate)
        return places_.constant(operand.bits != 0 ? 0xffff'ffffU : 0U);
    std::uint64_t bits = operand.bits;
    if (size < 4)
        bits &= (1U << (8 * size)) - 1;
    return places_.constant(bits, size == 8);
}

std::optional<Place> Operands::address_constant(const Operand& operand, const Symbol& symbol, Type type) {
    const unsigned size = ptx::size_of(type);
    const std::string_view opcode = cursor_.instruction().opcode;
    const bool maps = opcode == "mapa" && symbol.variable->space == ptx::Space::Shared;
    if (operand.offset == 0 && opcode != "mov" && opcode != "cvta" && !maps) { // as ptxas, which takes variable+4
        cursor_.error(operand.where, fmt::format("'{}' needs a register here: read the address of '{}' by mov first",
                                                 cursor_.text(), operand.name));
        return std::nullopt;
    }
    if ((size != 4 && size != 8) || ptx::is_float(type) || !ptx::has_variables(type)) {
        cursor_.error(operand.where,
                      fmt::format("'{}' is an address; '{}' can not take it here", operand.name, cursor_.text()));
        return std::nullopt;
    }
    if (ptx::is_opaque(symbol.variable->type)) {
        if (size == 8)
            return handle_of(operand, symbol);
        cursor_.error(operand.where, fmt::format("the handle of '{}' has 64 bits", operand.name));
        return std::nullopt;
    }
    std::optional<Constant> c = variables_.address_of(operand, symbol);
    if (!c)
        return std::nullopt;
    c->wide = size == 8;
    const Place frame = variables_.frame_of(symbol);
    return frame == kNowhere ? places_.constant(*c) : behind_frame(frame, *c);
}

Place Operands::behind_frame(Place frame, const Constant& offset) {
    MicroOp add = make_op(Opcode::Add, offset.wide ? Type::U64 : Type::U32);
    add.src[0] = frame; // its lower half has all of a local address
    add.src[1] = places_.constant(offset);
    add.src_bytes = add.dst_bytes = offset.wide ? 8 : 4;
    add.dst[0] = places_.temporary(add.type);
    emitter_.emit(add);
    return add.dst[0];
}

// The address of an opaque variable is its handle; a parameter of a kernel holds the handle.
std::optional<Place> Operands::handle_of(const Operand& operand, const Symbol& symbol) {
    if (operand.offset != 0 || symbol.variable->elements() != 1 || symbol.variable->space == Space::Reg ||
        (symbol.variable->space == Space::Param && !variables_.is_kernel_parameter(symbol))) {
        cursor_.error(operand.where, fmt::format("there is no handle of '{}' here", operand.name));
        return std::nullopt;
    }
    const std::optional<Constant> c = variables_.address_of(operand, symbol);
    if (!c)
        return std::nullopt;
    if (!variables_.is_kernel_parameter(symbol))
        return places_.constant(*c);
    MicroOp load = make_op(Opcode::Ld, Type::U64);
    load.space = Space::Param;
    load.imm = static_cast<std::int64_t>(c->bits);
    load.dst_bytes = load.src_bytes = 8;
    load.dst[0] = places_.temporary(Type::U64);
    emitter_.emit(load);
    return load.dst[0];
}

std::optional<Place> Operands::special(const Operand& operand, Type type) {
    const ptx::Instruction& instruction = cursor_.instruction();
    if (instruction.opcode != "cvt" || instruction.modifiers.front() == "pack") {
        cursor_.error(operand.where,
                      fmt::format("'{}' needs a register here: read '{}' by mov first", cursor_.text(), operand.name));
        return std::nullopt;
    }
    std::optional<MicroOp> op = read_special(operand, cursor_);
    if (!op)
        return std::nullopt;
    const bool wide = op->dst_bytes == 8;
    if (ptx::is_float(type) || type == Type::Pred || wide != (ptx::size_of(type) == 8)) {
        cursor_.error(operand.where, fmt::format("'{}' has type .u{}, which '{}' can not take here", operand.name,
                                                 8 * op->dst_bytes, cursor_.text()));
        return std::nullopt;
    }
    op->dst[0] = places_.temporary(op->type);
    emitter_.emit(*op);
    return op->dst[0];
}

std::optional<Place> Operands::name(const Operand& operand, Type type, Width width) {
    if (operand.negated && type == Type::Pred)
        return complement(operand);
    if (operand.negated) {
        cursor_.error(operand.where, fmt::format("'!' can not stand before '{}' here", operand.name));
        return std::nullopt;
    }
    if (!check_sign(operand))
        return std::nullopt;
    const Symbol found = cursor_.find(operand);
    if (found.kind == Symbol::Kind::Variable)
        return address_constant(operand, found, type);
    return operand.offset != 0 ? sum(operand, type, width) : register_of(operand, type, width);
}

bool Operands::check_sign(const Operand& operand) {
    if (operand.minus)
        cursor_.error(operand.where, fmt::format("'-' can not stand before '{}' here", operand.name));
    return !operand.minus;
}

// !p, computed in an instruction of its own.
std::optional<Place> Operands::complement(const Operand& operand) {
    const std::optional<Place> from = register_of(operand, Type::Pred, Width::Exact);
    if (!from)
        return std::nullopt;
    MicroOp complement = make_op(Opcode::Not, Type::Pred);
    complement.dst[0] = places_.temporary(Type::Pred);
    complement.src[0] = *from;
    emitter_.emit(complement);
    return complement.dst[0];
}

// register+constant: computed in an instruction of its own, in the width of the register.
std::optional<Place> Operands::sum(const Operand& operand, Type type, Width width) {
    Operand plain = operand;
    plain.offset = 0;
    const std::optional<Place> from = register_of(plain, type, width);
    if (!from)
        return std::nullopt;
    const Type has = cursor_.symbol(plain).variable->type;
    const unsigned size = ptx::size_of(has);
    if (ptx::is_float(has) || has == Type::Pred || size < 2 || size > 8) {
        cursor_.error(operand.where, fmt::format("'{}' has type .{}: only an integer register of 16, 32 or 64 bits can "
                                                 "be part of a sum",
                                                 operand.name, ptx::name_of(has)));
        return std::nullopt;
    }
    MicroOp add = make_op(Opcode::Add, size == 2 ? Type::U16 : size == 4 ? Type::U32 : Type::U64);
    std::uint64_t bits = static_cast<std::uint64_t>(operand.offset);
    if (size == 2)
        bits &= 0xffff;
    add.dst[0] = places_.temporary(has);
    add.src[0] = *from;
    add.src[1] = places_.constant(bits, size == 8);
    add.dst_bytes = add.src_bytes = places_.storage(*from);
    emitter_.emit(add);
    return add.dst[0];
}

std::optional<Place> Operands::source(const Operand& operand, Type type, Width width) {
    switch (operand.kind) {
    case Operand::Kind::Name:
        return name(operand, type, width);
    case Operand::Kind::Integer:
    case Operand::Kind::Float:
        return immediate(operand, type);
    case Operand::Kind::Special:
        return special(operand, type);
    case Operand::Kind::Address:
        cursor_.error(operand.where, fmt::format("'{}' takes no address in brackets here", cursor_.text()));
        return std::nullopt;
    case Operand::Kind::Sink:
        cursor_.error(operand.where, "'_' can not be read");
        return std::nullopt;
    default:
        cursor_.error(operand.where, fmt::format("'{}' takes a single operand here, not a list", cursor_.text()));
        return std::nullopt;
    }
}

std::optional<Place> Operands::destination(const Operand& operand, Type type, Width width, bool sink) {
    if (operand.kind == Operand::Kind::Sink && sink)
        return kNowhere;
    if (operand.kind != Operand::Kind::Name || operand.negated) {
        cursor_.error(operand.where, fmt::format("the destination of '{}' must be a register", cursor_.text()));
        return std::nullopt;
    }
    return check_sign(operand) ? register_of(operand, type, width) : std::nullopt;
}

std::optional<Place> Operands::predicate(const Operand& operand, bool& negated) {
    negated = operand.negated;
    if (operand.kind == Operand::Kind::Integer)
        return immediate(operand, Type::Pred);
    if (operand.kind == Operand::Kind::Name)
        return check_sign(operand) ? register_of(operand, Type::Pred, Width::Exact) : std::nullopt;
    cursor_.error(operand.where, fmt::format("'{}' needs a predicate here", cursor_.text()));
    return std::nullopt;
}

std::optional<Place> Operands::predicate_destination(const Operand& operand, bool sink) {
    return destination(operand, Type::Pred, Width::Exact, sink);
}

std::optional<std::int64_t> Operands::integer(const Operand& operand, std::string_view what) {
    if (operand.kind == Operand::Kind::Integer)
        return static_cast<std::int64_t>(operand.bits);
    cursor_.error(operand.where, fmt::format("{} of '{}' must be an integer constant", what, cursor_.text()));
    return std::nullopt;
}

} // namespace heddle::ir
