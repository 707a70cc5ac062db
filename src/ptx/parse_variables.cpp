#include "ptx/parse_variables.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <fmt/format.h>

namespace heddle::ptx {

namespace {

constexpr std::uint32_t kMostRegisters = 1U << 20;           // of one list %r<N>
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 40; // of one variable
constexpr std::size_t kMostExtents = 16;
constexpr unsigned kMostVectorBytes = 16;

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

// So that elements() and bytes() never overflow.
void check_size(const Variable& variable) {
    std::uint64_t bytes = std::uint64_t{variable.vector} * size_of(variable.type);
    for (const std::uint64_t extent : variable.extents) {
        if (bytes != 0 && extent > kMostBytes / bytes)
            throw ParseFailure{variable.where,
                               fmt::format("'{}' is too large: a variable has at most 2^40 bytes", variable.name)};
        bytes *= extent == 0 ? 1 : extent;
    }
}

} // namespace

bool VariableParser::at_space() const {
    return tokens_.at(Kind::Suffix) && space_named(tokens_.current().word()) != Space::Generic;
}

// .space [.attribute(..)] [.align N] [.v2|.v4] .type
Variable VariableParser::variable_shape(Linkage linked) {
    Variable variable;
    variable.space = space_named(tokens_.current().word());
    variable.is_extern = linked.is_extern;
    variable.is_visible = linked.is_visible;
    variable.is_weak = linked.is_weak;
    tokens_.advance();
    while (variable.type == Type::None) {
        if (!tokens_.at(Kind::Suffix))
            tokens_.fail_expected("a type");
        if (tokens_.at_suffix("align")) {
            alignment(variable);
            continue;
        }
        if (tokens_.at_suffix("attribute")) {
            variable.is_managed |= directives_.attribute();
            continue;
        }
        if (tokens_.at_suffix("v2") || tokens_.at_suffix("v4")) {
            variable.vector = tokens_.at_suffix("v2") ? 2 : 4;
        } else {
            variable.type = type_named(tokens_.current().word());
            if (variable.type == Type::None)
                tokens_.fail(fmt::format("unknown type {}", describe(tokens_.current())));
            if (!has_variables(variable.type))
                tokens_.fail(
                    fmt::format("{} is a type of instructions alone: a register has the type .b8, .b16, .b32 or .b64",
                                describe(tokens_.current())));
            if (variable.type == Type::Pred && variable.space != Space::Reg)
                tokens_.fail("a .pred variable is a register");
            if (variable.type == Type::Pred && variable.vector > 1)
                tokens_.fail("a predicate is no element of a vector");
            if (variable.vector > 1 && variable.vector * size_of(variable.type) > kMostVectorBytes)
                tokens_.fail("a vector has at most 128 bits");
        }
        tokens_.advance();
    }
    return variable;
}

void VariableParser::alignment(Variable& variable) {
    tokens_.advance();
    const Token number = tokens_.current();
    variable.align = tokens_.small_number("an alignment in bytes");
    if (!std::has_single_bit(variable.align))
        tokens_.fail(number, fmt::format("an alignment is a power of two, found {}", variable.align));
}

// name [<count>] [extents] [= initialiser]
void VariableParser::declarator(Variable& variable) {
    variable.where = tokens_.current().where;
    variable.name = tokens_.identifier("a variable's name");
    if (tokens_.at(Kind::Less)) {
        if (variable.space != Space::Reg)
            tokens_.fail("only registers are declared as a list <N>");
        tokens_.advance();
        const Token number = tokens_.current();
        variable.count = tokens_.small_number("the number of registers");
        if (variable.count == 0 || variable.count > kMostRegisters)
            tokens_.fail(number, fmt::format("a list has 1 to {} registers, found {}", kMostRegisters, variable.count));
        tokens_.expect(Kind::Greater, "'>'");
    }
    if (tokens_.at(Kind::LeftBracket))
        extents(variable);
    if (tokens_.at(Kind::Equal)) {
        initialisers_.initialiser(variable);
        check_size(variable); // an open array has its length now
    }
}

void VariableParser::extents(Variable& variable) {
    if (variable.space == Space::Reg)
        tokens_.fail("a register is no array");
    while (tokens_.at(Kind::LeftBracket)) {
        const Token bracket = tokens_.current();
        tokens_.advance();
        if (variable.extents.size() == kMostExtents)
            tokens_.fail(bracket, fmt::format("an array has at most {} extents", kMostExtents));
        if (tokens_.at(Kind::RightBracket) && variable.extents.empty()) {
            variable.extents.push_back(0);
        } else {
            const Token number = tokens_.current();
            const std::uint64_t extent = constants_.integer_expression("an array's extent");
            if (extent == 0 && !variable.extents.empty())
                tokens_.fail(number, "only the first extent may be open");
            variable.extents.push_back(extent);
        }
        tokens_.expect(Kind::RightBracket, "']'");
    }
    check_size(variable);
}

// ( parameter, ... ), empty included.
std::vector<Variable> VariableParser::parameters(bool is_entry) {
    std::vector<Variable> list;
    tokens_.expect(Kind::LeftParen, "'('");
    if (tokens_.accept(Kind::RightParen))
        return list;
    do
        list.push_back(parameter(is_entry));
    while (tokens_.accept(Kind::Comma));
    tokens_.expect(Kind::RightParen, "',' or ')' after a parameter");
    return list;
}

Variable VariableParser::parameter(bool is_entry) {
    if (!tokens_.at_suffix("param") && (is_entry || !tokens_.at_suffix("reg")))
        tokens_.fail_expected(is_entry ? "'.param'" : "'.param' or '.reg'");
    Variable variable = variable_shape({});
    if (tokens_.at_suffix("ptr"))
        pointer_attribute();
    variable.where = tokens_.current().where;
    variable.name = tokens_.identifier("a parameter's name");
    if (tokens_.at(Kind::LeftBracket))
        extents(variable);
    return variable;
}

// .ptr [.space] [.align N]: describes the target of a pointer, and has no effect.
void VariableParser::pointer_attribute() {
    tokens_.advance();
    if (at_space())
        tokens_.advance();
    if (tokens_.at_suffix("align")) {
        Variable pointee;
        alignment(pointee);
    }
}

} // namespace heddle::ptx
