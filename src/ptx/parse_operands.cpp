#include "ptx/parse_operands.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace heddle::ptx {

namespace {

constexpr unsigned kDeepestOperand = 4; // brackets in one operand: a call's list, an address, a vector

// Sorted, for the binary search.
constexpr std::array<std::string_view, 32> kSpecialRegisters{"%aggr_smem_size",
                                                             "%clock",
                                                             "%clock64",
                                                             "%clock_hi",
                                                             "%cluster_ctaid",
                                                             "%cluster_ctarank",
                                                             "%cluster_nctaid",
                                                             "%cluster_nctarank",
                                                             "%clusterid",
                                                             "%ctaid",
                                                             "%current_graph_exec",
                                                             "%dynamic_smem_size",
                                                             "%globaltimer",
                                                             "%globaltimer_hi",
                                                             "%globaltimer_lo",
                                                             "%gridid",
                                                             "%is_explicit_cluster",
                                                             "%laneid",
                                                             "%lanemask_eq",
                                                             "%lanemask_ge",
                                                             "%lanemask_gt",
                                                             "%lanemask_le",
                                                             "%lanemask_lt",
                                                             "%nclusterid",
                                                             "%nctaid",
                                                             "%nsmid",
                                                             "%ntid",
                                                             "%nwarpid",
                                                             "%smid",
                                                             "%tid",
                                                             "%total_smem_size",
                                                             "%warpid"};
static_assert(std::is_sorted(kSpecialRegisters.begin(), kSpecialRegisters.end()));

// %pm0 .. %pm7 and %pm0_64 .. %pm7_64
bool is_performance_counter(std::string_view name) {
    return name.size() >= 4 && name.starts_with("%pm") && name[3] >= '0' && name[3] <= '7' &&
           (name.size() == 4 || name.substr(4) == "_64");
}

// %envreg0 .. %envreg31
bool is_environment(std::string_view name) {
    constexpr std::string_view kBegin = "%envreg";
    if (!name.starts_with(kBegin))
        return false;
    const std::string_view number = name.substr(kBegin.size());
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    if (number.size() == 1)
        return is_digit(number[0]);
    return number.size() == 2 && is_digit(number[1]) &&
           (number[0] == '1' || number[0] == '2' || number == "30" || number == "31");
}

bool is_special(std::string_view name) {
    if (name[0] != '%')
        return false;
    return std::binary_search(kSpecialRegisters.begin(), kSpecialRegisters.end(), name) || is_environment(name) ||
           name.starts_with("%reserved_smem_offset_") || is_performance_counter(name);
}

bool adjacent(std::string_view left, std::string_view right) {
    return left.data() + left.size() == right.data();
}

} // namespace

Operand OperandParser::operand(bool in_call, unsigned depth) {
    if (depth > kDeepestOperand)
        tokens_.fail("the brackets of this operand nest too deeply");
    const Position where = tokens_.current().where;
    Operand result;
    const bool signed_name = (tokens_.at(Kind::Bang) || tokens_.at(Kind::Minus)) && tokens_.peek().is(Kind::Identifier);
    if (tokens_.at(Kind::Identifier)) {
        result = named_operand();
    } else if (signed_name) {
        const bool negated = tokens_.at(Kind::Bang);
        tokens_.advance();
        result = named_operand();
        (negated ? result.negated : result.minus) = true;
    } else if (tokens_.at(Kind::LeftBracket)) {
        result = address_operand(depth);
    } else if (tokens_.at(Kind::LeftBrace)) {
        result.kind = Operand::Kind::Vector;
        operand_list(result, Kind::RightBrace, "',' or '}' after an element", depth);
    } else if (tokens_.at(Kind::LeftParen) && in_call) {
        result.kind = Operand::Kind::List;
        operand_list(result, Kind::RightParen, "',' or ')' after an argument", depth);
    } else if (constants_.at_constant()) {
        result = constant_operand();
    } else {
        tokens_.fail_expected("an operand");
    }
    result.where = where;
    return result;
}

// name, name.x, name+8, _, %tid.x, WARP_SZ
Operand OperandParser::named_operand() {
    const Token name = tokens_.current();
    if (name.text == "WARP_SZ")
        return constant_operand();
    tokens_.advance();
    if (is_special(name.text))
        return special_operand(name);
    Operand result;
    if (name.text == "_") {
        result.kind = Operand::Kind::Sink;
        return result;
    }
    result.name = name.text;
    if (tokens_.at(Kind::Suffix)) {
        result.component = tokens_.current().word();
        tokens_.advance();
    }
    result.offset = offset();
    if (tokens_.at(Kind::LeftBracket))
        tokens_.fail(fmt::format("an array element is written as an address here: [{}+bytes]", name.text));
    return result;
}

// +constant behind a name: all that follows is one expression, name+1<<2 is name+4. PTX has no difference: a negative
// constant is written +-4.
std::int64_t OperandParser::offset() {
    if (tokens_.at(Kind::Minus))
        tokens_.fail("a name can not stand before '-' here: write +-4 for a negative constant");
    if (!tokens_.accept(Kind::Plus))
        return 0;
    return static_cast<std::int64_t>(constants_.integer_expression("a constant behind '+'"));
}

Operand OperandParser::special_operand(const Token& name) {
    Operand result;
    result.kind = Operand::Kind::Special;
    result.name = name.text;
    if (tokens_.at(Kind::Suffix)) {
        if (!adjacent(name.text, tokens_.current().text))
            tokens_.fail(fmt::format("expected {} directly behind {}", describe(tokens_.current()), describe(name)));
        result.name = {name.text.data(), name.text.size() + tokens_.current().text.size()};
        tokens_.advance();
    }
    return result;
}

Operand OperandParser::constant_operand() {
    const Constant value = constants_.expression();
    Operand result;
    result.kind = value.is_integer() ? Operand::Kind::Integer : Operand::Kind::Float;
    result.is_f32 = value.kind == Constant::Kind::Single;
    result.bits = value.bits;
    return result;
}

// [name], [name+4], [16]; of textures and tensors [name, {x, y}]: what follows is in `elements`.
Operand OperandParser::address_operand(unsigned depth) {
    tokens_.advance();
    Operand result;
    result.kind = Operand::Kind::Address;
    if (tokens_.at(Kind::Identifier) && tokens_.current().text != "WARP_SZ") {
        result.name = tokens_.current().text;
        tokens_.advance();
        result.offset = offset();
    } else if (constants_.at_constant()) {
        result.offset = static_cast<std::int64_t>(constants_.integer_expression("an address"));
    } else {
        tokens_.fail_expected("an address");
    }
    while (tokens_.accept(Kind::Comma))
        result.elements.push_back(operand(false, depth + 1));
    tokens_.expect(Kind::RightBracket, "']'");
    return result;
}

void OperandParser::operand_list(Operand& list, Kind close, std::string_view close_text, unsigned depth) {
    const bool in_braces = close == Kind::RightBrace;
    tokens_.advance();
    if (in_braces)
        tokens_.open_brace();
    if (!tokens_.at(close)) {
        do {
            list.elements.push_back(operand(false, depth + 1));
            const Operand& element = list.elements.back();
            if (element.kind == Operand::Kind::Name && element.offset != 0)
                throw ParseFailure{element.where,
                                   "an element of a list is no sum: compute it in an instruction before"};
        } while (tokens_.accept(Kind::Comma));
    }
    tokens_.expect(close, close_text);
    if (in_braces)
        tokens_.close_brace();
}

} // namespace heddle::ptx
