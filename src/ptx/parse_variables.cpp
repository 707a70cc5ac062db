// Variable declarations and parameter lists.
#include <bit>

#include <fmt/format.h>

#include "ptx/parser_impl.h"

namespace heddle::ptx {

namespace {

constexpr std::uint32_t kMostRegisters = 1U << 20;           // of one list %r<N>
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 40; // of one variable
constexpr std::size_t kMostExtents = 16;

Space space_named(std::string_view word) {
    if (word == "reg")
        return Space::Reg;
    if (word == "const")
        return Space::Const;
    if (word == "global")
        return Space::Global;
    if (word == "local")
        return Space::Local;
    if (word == "param")
        return Space::Param;
    if (word == "shared")
        return Space::Shared;
    return Space::Generic;
}

} // namespace

bool Parser::at_space() const {
    return at(Kind::Suffix) && space_named(token_.word()) != Space::Generic;
}

// .space [.attribute(..)] [.align N] [.v2|.v4] .type
Variable Parser::variable_shape(Linkage linked) {
    Variable variable;
    variable.space = space_named(token_.word());
    variable.is_extern = linked.is_extern;
    variable.is_visible = linked.is_visible;
    variable.is_weak = linked.is_weak;
    advance();
    while (variable.type == Type::None) {
        if (!at(Kind::Suffix))
            fail_expected("a type");
        if (token_.is_suffix("align")) {
            alignment(variable);
            continue;
        }
        if (token_.is_suffix("attribute")) {
            variable.is_managed |= attribute();
            continue;
        }
        if (token_.is_suffix("v2") || token_.is_suffix("v4")) {
            variable.vector = token_.is_suffix("v2") ? 2 : 4;
        } else {
            variable.type = type_named(token_.word());
            if (variable.type == Type::None)
                fail(token_, fmt::format("unknown type {}", describe(token_)));
            if (variable.type == Type::Pred && variable.space != Space::Reg)
                fail(token_, "a .pred variable is a register");
        }
        advance();
    }
    return variable;
}

void Parser::alignment(Variable& variable) {
    advance();
    const Token number = token_;
    variable.align = small_number("an alignment in bytes");
    if (!std::has_single_bit(variable.align))
        fail(number, fmt::format("an alignment is a power of two, found {}", variable.align));
}

// name [<count>] [extents] [= initialiser]
void Parser::declarator(Variable& variable) {
    variable.where = token_.where;
    variable.name = identifier("a variable's name");
    if (at(Kind::Less)) {
        if (variable.space != Space::Reg)
            fail(token_, "only registers are declared as a list <N>");
        advance();
        const Token number = token_;
        variable.count = small_number("the number of registers");
        if (variable.count == 0 || variable.count > kMostRegisters)
            fail(number, fmt::format("a list has 1 to {} registers, found {}", kMostRegisters, variable.count));
        expect(Kind::Greater, "'>'");
    }
    if (at(Kind::LeftBracket))
        extents(variable);
    if (at(Kind::Equal))
        initialiser(variable);
}

void Parser::extents(Variable& variable) {
    if (variable.space == Space::Reg)
        fail(token_, "a register is no array");
    while (at(Kind::LeftBracket)) {
        const Token bracket = token_;
        advance();
        if (variable.extents.size() == kMostExtents)
            fail(bracket, fmt::format("an array has at most {} extents", kMostExtents));
        if (at(Kind::RightBracket) && variable.extents.empty()) {
            variable.extents.push_back(0);
        } else {
            const Token number = token_;
            const std::uint64_t extent = integer_expression("an array's extent");
            if (extent == 0 && !variable.extents.empty())
                fail(number, "only the first extent may be open");
            variable.extents.push_back(extent);
        }
        expect(Kind::RightBracket, "']'");
    }
    check_size(variable);
}

// So that elements() and bytes() never overflow.
void Parser::check_size(const Variable& variable) {
    std::uint64_t bytes = std::uint64_t{variable.vector} * size_of(variable.type);
    for (const std::uint64_t extent : variable.extents) {
        if (bytes != 0 && extent > kMostBytes / bytes)
            throw Failure{variable.where,
                          fmt::format("'{}' is too large: a variable has at most 2^40 bytes", variable.name)};
        bytes *= extent == 0 ? 1 : extent;
    }
}

// ( parameter, ... ), empty included.
std::vector<Variable> Parser::parameters(bool is_entry) {
    std::vector<Variable> list;
    expect(Kind::LeftParen, "'('");
    if (accept(Kind::RightParen))
        return list;
    do
        list.push_back(parameter(is_entry));
    while (accept(Kind::Comma));
    expect(Kind::RightParen, "',' or ')' after a parameter");
    return list;
}

Variable Parser::parameter(bool is_entry) {
    if (!token_.is_suffix("param") && (is_entry || !token_.is_suffix("reg")))
        fail_expected(is_entry ? "'.param'" : "'.param' or '.reg'");
    Variable variable = variable_shape({});
    if (token_.is_suffix("ptr"))
        pointer_attribute();
    variable.where = token_.where;
    variable.name = identifier("a parameter's name");
    if (at(Kind::LeftBracket))
        extents(variable);
    return variable;
}

// .ptr [.space] [.align N]: describes the target of a pointer, and has no effect.
void Parser::pointer_attribute() {
    advance();
    if (at_space())
        advance();
    if (token_.is_suffix("align")) {
        Variable pointee;
        alignment(pointee);
    }
}

} // namespace heddle::ptx
