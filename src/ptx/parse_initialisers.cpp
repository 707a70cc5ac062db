#include "ptx/parse_initialisers.h"

#include <bit>

#include <fmt/format.h>

namespace heddle::ptx {

namespace {

constexpr std::uint64_t kMostPadding = std::uint64_t{1} << 22; // zeros between nested braces, in a module

// The f64 with an f32's value; a NaN keeps its sign and payload, which a conversion would make quiet.
std::uint64_t widened(std::uint32_t bits) {
    const bool is_nan = (bits & 0x7f800000U) == 0x7f800000U && (bits & 0x007fffffU) != 0;
    if (!is_nan)
        return std::bit_cast<std::uint64_t>(static_cast<double>(std::bit_cast<float>(bits)));
    return std::uint64_t{bits & 0x80000000U} << 32 | std::uint64_t{0x7ff} << 52 |
           std::uint64_t{bits & 0x007fffffU} << 29;
}

// A floating-point number initialises .f* variables, and .b32 and .b64 with its bits.
void floating_value(InitialValue& value, const Variable& variable, Constant constant, Position where) {
    const bool single = constant.kind == Constant::Kind::Single;
    if (is_float(variable.type)) {
        value.kind = InitialValue::Kind::Float;
        value.bits = single ? widened(static_cast<std::uint32_t>(constant.bits)) : constant.bits;
    } else if (variable.type == Type::B32) {
        if (!single)
            value.bits = std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(constant.bits)));
    } else if (variable.type == Type::B64) {
        if (single)
            value.bits = widened(static_cast<std::uint32_t>(constant.bits));
    } else {
        throw ParseFailure{where, fmt::format("expected an integer for a .{} variable, found a floating-point value",
                                              name_of(variable.type))};
    }
}

} // namespace

void InitialiserParser::initialiser(Variable& variable) {
    const Token equals = tokens_.current();
    if (variable.space != Space::Global && variable.space != Space::Const)
        tokens_.fail(equals, fmt::format("a .{} variable has no initial value", name_of(variable.space)));
    if (variable.is_extern)
        tokens_.fail(equals, "an .extern variable has no initial value");
    tokens_.advance();
    tokens_.start_initialiser();
    if (is_opaque(variable.type))
        return opaque_fields(variable);
    std::vector<std::uint64_t> shape = variable.extents;
    if (variable.vector > 1)
        shape.push_back(variable.vector);
    initial_level(variable, shape, 0);
    if (variable.extents.empty() || variable.extents[0] != 0)
        return;
    // an open array is as long as its initialiser
    std::uint64_t inner = 1;
    for (std::size_t i = 1; i < shape.size(); ++i)
        inner *= shape[i];
    variable.extents[0] = (variable.initial.size() + inner - 1) / inner;
}

// Of a texture or sampler: fields by name.
void InitialiserParser::opaque_fields(Variable& variable) {
    tokens_.expect(Kind::LeftBrace, "'{'");
    tokens_.open_brace();
    do {
        OpaqueField field;
        field.where = tokens_.current().where;
        field.name = tokens_.identifier("the name of a field");
        tokens_.expect(Kind::Equal, "'='");
        if (tokens_.at(Kind::Identifier))
            field.word = tokens_.identifier("a value");
        else
            field.number = constants_.integer_expression("the value of a field");
        variable.fields.push_back(field);
    } while (tokens_.accept(Kind::Comma));
    tokens_.expect(Kind::RightBrace, "'}'");
    tokens_.close_brace();
}

// A value, or the braces around the elements of extent `level`.
void InitialiserParser::initial_level(Variable& variable, const std::vector<std::uint64_t>& shape, std::size_t level) {
    if (level == shape.size()) {
        variable.initial.push_back(initial_value(variable));
        return;
    }
    const Token open = tokens_.current();
    const std::size_t start = variable.initial.size();
    tokens_.expect(Kind::LeftBrace, "'{'");
    tokens_.open_brace();
    std::uint64_t count = 0;
    if (!tokens_.at(Kind::RightBrace)) {
        do {
            if (++count > shape[level] && shape[level] != 0)
                tokens_.fail(
                    fmt::format("too many values for '{}': its extent here is {}", variable.name, shape[level]));
            initial_level(variable, shape, level + 1);
        } while (tokens_.accept(Kind::Comma));
    }
    tokens_.expect(Kind::RightBrace, "',' or '}' after an initial value");
    tokens_.close_brace();
    if (level == 0)
        return; // missing values at the end are zero
    std::uint64_t size = 1;
    for (std::size_t i = level; i < shape.size(); ++i)
        size *= shape[i];
    pad(variable, start + size, open.where);
}

void InitialiserParser::pad(Variable& variable, std::uint64_t size, Position where) {
    padding_ += size - variable.initial.size();
    if (padding_ > kMostPadding)
        throw ParseFailure{where, fmt::format("the initialiser of '{}' leaves too many values out", variable.name)};
    InitialValue zero;
    zero.where = where;
    if (is_float(variable.type))
        zero.kind = InitialValue::Kind::Float;
    variable.initial.resize(size, zero);
}

InitialValue InitialiserParser::initial_value(const Variable& variable) {
    const Token start = tokens_.current();
    const Kind behind = tokens_.peek().kind;
    InitialValue value;
    if (tokens_.at(Kind::Integer) && behind == Kind::LeftParen)
        value = masked_symbol();
    else if ((tokens_.at(Kind::Identifier) && tokens_.current().text != "WARP_SZ") ||
             (tokens_.at(Kind::LeftParen) && behind == Kind::Identifier))
        value = symbol_value();
    else
        value = constant_value(variable);
    value.where = start.where;
    if (value.kind == InitialValue::Kind::Symbol && is_float(variable.type))
        tokens_.fail(start, fmt::format("an address is no initial value for a .{} variable", name_of(variable.type)));
    return value;
}

// symbol, symbol+4, (symbol)+4, generic(symbol)+4
InitialValue InitialiserParser::symbol_value() {
    InitialValue value;
    value.kind = InitialValue::Kind::Symbol;
    if (tokens_.at(Kind::Identifier) && tokens_.current().text == "generic" && tokens_.peek().is(Kind::LeftParen)) {
        value.generic = true;
        tokens_.advance();
    }
    const bool in_parentheses = tokens_.accept(Kind::LeftParen);
    value.symbol = tokens_.identifier("a variable's or function's name");
    value.offset = constants_.signed_offset();
    if (in_parentheses) {
        tokens_.expect(Kind::RightParen, "')'");
        value.offset += constants_.signed_offset();
    }
    return value;
}

// 0xFF00(symbol): one byte of an address.
InitialValue InitialiserParser::masked_symbol() {
    const Token mask = tokens_.current();
    tokens_.advance();
    const int shift = mask.bits == 0 ? 0 : std::countr_zero(mask.bits);
    if (shift % 8 != 0 || mask.bits >> shift != 0xff)
        tokens_.fail(mask, fmt::format("expected a mask of one byte such as 0xFF00, found {}", describe(mask)));
    tokens_.expect(Kind::LeftParen, "'('");
    InitialValue value = symbol_value();
    tokens_.expect(Kind::RightParen, "')'");
    value.byte = static_cast<std::uint8_t>(shift / 8);
    return value;
}

InitialValue InitialiserParser::constant_value(const Variable& variable) {
    if (!constants_.at_constant() && !tokens_.at(Kind::Identifier))
        tokens_.fail_expected("an initial value");
    const Token start = tokens_.current();
    const Constant constant = constants_.expression();
    InitialValue value;
    value.bits = constant.bits;
    if (!constant.is_integer())
        floating_value(value, variable, constant, start.where);
    else if (is_float(variable.type))
        tokens_.fail(start, fmt::format("expected a floating-point value for a .{} variable, found an integer",
                                        name_of(variable.type)));
    return value;
}

} // namespace heddle::ptx
