#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "ir/selection/select.h"

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

unsigned component_index(std::string_view component) {
    const std::size_t index = std::string_view("xyzwrgba").find(component);
    return index == std::string_view::npos ? 4 : static_cast<unsigned>(index % 4);
}

// The bits of a floating-point literal in the shape of `type`.
std::uint64_t float_bits(const ptx::Operand& operand, Type type) {
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

std::size_t Selector::ConstantHash::operator()(const Constant& c) const {
    std::uint64_t h = c.bits * 0x9e37'79b9'7f4a'7c15ULL;
    h ^= (std::uint64_t{c.variable} << 8) + (static_cast<std::uint64_t>(c.base) << 1) + (c.wide ? 1U : 0U);
    return static_cast<std::size_t>(h ^ (h >> 29));
}

Place Selector::constant(const Constant& c) {
    const auto [entry, fresh] = constants_.emplace(c, kPool | static_cast<Place>(draft_.constants.size()));
    if (fresh)
        draft_.constants.push_back(c);
    return entry->second;
}

Place Selector::constant(std::uint64_t bits, bool wide) {
    Constant c;
    c.bits = wide ? bits : bits & 0xffff'ffffU;
    c.wide = wide;
    return constant(c);
}

Place Selector::virtual_register(const Symbol& symbol, std::string_view component) {
    const std::uint64_t part = component.empty() ? 0 : component_index(component);
    const std::uint64_t key =
        static_cast<std::uint64_t>(symbol.owner) << 62 | part << 60 | std::uint64_t{symbol.index} << 32 | symbol.number;
    const auto [entry, fresh] = registers_.emplace(key, static_cast<Place>(draft_.registers.size()));
    if (fresh)
        draft_.registers.push_back({symbol.variable->type});
    return entry->second;
}

Place Selector::temporary(Type type) {
    draft_.registers.push_back({type});
    return static_cast<Place>(draft_.registers.size() - 1);
}

std::uint8_t Selector::storage(Place place) const {
    if ((place & kPool) != 0)
        return draft_.constants[place & ~kPool].wide ? 8 : 4;
    return draft_.registers[place].storage();
}

Symbol Selector::symbol(const Operand& operand) {
    const Symbol found = names_.find(operand.name, at_);
    if (found.kind == Symbol::Kind::None)
        error(operand.where, fmt::format("'{}' is not declared{}", operand.name, names_.hint(operand.name, at_)));
    return found;
}

bool Selector::check_type(const Operand& operand, Type has, Type wants, Width width) {
    const Class have = class_of(has);
    const Class want = class_of(wants);
    const unsigned size = ptx::size_of(has);
    const unsigned wanted = ptx::size_of(wants);
    const bool either =
        have != Class::Predicate && want != Class::Predicate && (have == Class::Bits || want == Class::Bits);
    // A 16-bit format may lie in a wider untyped register; an f32 and a pair of halves are not one another's.
    const bool may_be_wider = width == Width::AtLeast && (want != Class::Float || (wanted == 2 && either));
    const bool wide_enough = size == wanted || (may_be_wider && size > wanted);
    const bool same = have == want && (want != Class::Float || has == wants);
    if ((same && (have == Class::Predicate || wide_enough)) || (either && wide_enough))
        return true;
    error(operand.where,
          fmt::format("'{}' has type .{}; '{}' needs {} here", operand.name, ptx::name_of(has), text(),
                      want == Class::Predicate ? "a predicate"
                                               : fmt::format("a register that fits .{}", ptx::name_of(wants))));
    return false;
}

std::optional<Place> Selector::register_of(const Operand& operand, Type type, Width width) {
    const Symbol found = symbol(operand);
    if (found.kind == Symbol::Kind::None)
        return std::nullopt;
    if (found.kind != Symbol::Kind::Register) {
        error(operand.where, fmt::format("'{}' is no register", operand.name));
        return std::nullopt;
    }
    const ptx::Variable& v = *found.variable;
    if (operand.offset != 0) {
        error(operand.where,
              fmt::format("'{}' takes no sum of a register and a constant: add {} to '{}' in an instruction of its own",
                          text(), operand.offset, operand.name));
        return std::nullopt;
    }
    if (operand.component.empty() != (v.vector == 1) ||
        (v.vector > 1 && component_index(operand.component) >= v.vector)) {
        error(operand.where, operand.component.empty()
                                 ? fmt::format("'{}' is a vector; name one component of it", operand.name)
                                 : fmt::format("'{}' has no component '{}'", operand.name, operand.component));
        return std::nullopt;
    }
    if (!check_type(operand, v.type, type, width))
        return std::nullopt;
    return virtual_register(found, operand.component);
}

std::optional<Place> Selector::immediate(const Operand& operand, Type type) {
    const unsigned size = ptx::size_of(type);
    const Class wants = class_of(type);
    if (ptx::is_half(type)) {
        error(operand.where, fmt::format("'{}' takes no constants: move the bits into a register first", text()));
        return std::nullopt;
    }
    if (operand.kind == Operand::Kind::Float) {
        if (wants == Class::Integer || wants == Class::Predicate || size < 4) {
            error(operand.where, fmt::format("'{}' needs an integer here", text()));
            return std::nullopt;
        }
        return constant(float_bits(operand, type), size == 8);
    }
    if (wants == Class::Float) {
        error(operand.where, fmt::format("'{}' needs a floating-point number here, like 1.0 or 0f3F800000", text()));
        return std::nullopt;
    }
    if (wants == Class::Predicate)
        return constant(operand.bits != 0 ? 0xffff'ffffU : 0U);
    std::uint64_t bits = operand.bits;
    if (size < 4)
        bits &= (1U << (8 * size)) - 1;
    return constant(bits, size == 8);
}

std::optional<Constant> Selector::address_of(const Operand& operand, const Symbol& symbol) {
    const ptx::Variable& v = *symbol.variable;
    Constant c;
    c.wide = true;
    c.bits = static_cast<std::uint64_t>(operand.offset);
    switch (v.space) {
    case Space::Shared:
        c.base = Constant::Base::Shared;
        c.variable = context_.names.shared_index(&v);
        if (std::find(draft_.shared.begin(), draft_.shared.end(), c.variable) == draft_.shared.end())
            draft_.shared.push_back(c.variable);
        return c;
    case Space::Local:
        if (symbol.owner != Symbol::Owner::Body)
            break;
        c.base = Constant::Base::Local;
        c.bits += locals_.offset[symbol.index];
        return c;
    case Space::Param:
        if (function_.is_entry && symbol.owner == Symbol::Owner::Parameter) {
            c.bits += parameters_.parameters[symbol.index].offset;
            return c;
        }
        c.base = Constant::Base::Param;
        c.bits += symbol.owner == Symbol::Owner::Body     ? params_.offset[symbol.index]
                  : symbol.owner == Symbol::Owner::Result ? formals_.results[symbol.index]
                                                          : formals_.parameters[symbol.index];
        return c;
    case Space::Global:
    case Space::Const:
        if (const Address address = context_.address_of(v); address != 0) {
            c.bits += address;
            return c;
        }
        error(operand.where, fmt::format("variable '{}' has no address: it is defined nowhere", v.name));
        return std::nullopt;
    default:
        break;
    }
    error(operand.where, fmt::format("the address of '{}' can not be taken", operand.name));
    return std::nullopt;
}

std::optional<Place> Selector::address_constant(const Operand& operand, const Symbol& symbol, Type type) {
    const unsigned size = ptx::size_of(type);
    if ((size != 4 && size != 8) || ptx::is_float(type)) {
        error(operand.where, fmt::format("'{}' is an address; '{}' can not take it here", operand.name, text()));
        return std::nullopt;
    }
    std::optional<Constant> c = address_of(operand, symbol);
    if (!c)
        return std::nullopt;
    c->wide = size == 8;
    return constant(*c);
}

std::optional<Place> Selector::source(const Operand& operand, Type type, Width width) {
    switch (operand.kind) {
    case Operand::Kind::Name: {
        if (operand.negated || operand.minus) {
            error(operand.where,
                  fmt::format("'{}' can not stand before '{}' here", operand.negated ? '!' : '-', operand.name));
            return std::nullopt;
        }
        const Symbol found = names_.find(operand.name, at_);
        if (found.kind == Symbol::Kind::Variable)
            return address_constant(operand, found, type);
        return register_of(operand, type, width);
    }
    case Operand::Kind::Integer:
    case Operand::Kind::Float:
        return immediate(operand, type);
    case Operand::Kind::Special:
        return special_operand(operand, type);
    case Operand::Kind::Address:
        error(operand.where, fmt::format("'{}' takes no address in brackets here", text()));
        return std::nullopt;
    case Operand::Kind::Sink:
        error(operand.where, "'_' can not be read");
        return std::nullopt;
    default:
        error(operand.where, fmt::format("'{}' takes a single operand here, not a list", text()));
        return std::nullopt;
    }
}

std::optional<Place> Selector::destination(const Operand& operand, Type type, Width width, bool sink) {
    if (operand.kind == Operand::Kind::Sink && sink)
        return kNowhere;
    if (operand.kind != Operand::Kind::Name || operand.negated) {
        error(operand.where, fmt::format("the destination of '{}' must be a register", text()));
        return std::nullopt;
    }
    return register_of(operand, type, width);
}

std::optional<Place> Selector::predicate(const Operand& operand, bool& negated) {
    negated = operand.negated;
    if (operand.kind == Operand::Kind::Integer)
        return immediate(operand, Type::Pred);
    if (operand.kind == Operand::Kind::Name)
        return register_of(operand, Type::Pred, Width::Exact);
    error(operand.where, fmt::format("'{}' needs a predicate here", text()));
    return std::nullopt;
}

std::optional<Place> Selector::predicate_destination(const Operand& operand, bool sink) {
    return destination(operand, Type::Pred, Width::Exact, sink);
}

std::optional<std::int64_t> Selector::integer(const Operand& operand, std::string_view what) {
    if (operand.kind == Operand::Kind::Integer)
        return static_cast<std::int64_t>(operand.bits);
    error(operand.where, fmt::format("{} of '{}' must be an integer constant", what, text()));
    return std::nullopt;
}

} // namespace heddle::ir
