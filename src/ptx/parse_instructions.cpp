// Instructions and their operands.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "ptx/parser_impl.h"

namespace heddle::ptx {

namespace {

constexpr unsigned kDeepest = 4; // brackets in one operand: a call's list, an address, a vector

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

bool is_special(std::string_view name) {
    if (name[0] != '%')
        return false;
    return std::binary_search(kSpecialRegisters.begin(), kSpecialRegisters.end(), name) ||
           name.starts_with("%envreg") || name.starts_with("%reserved_smem_offset_") || is_performance_counter(name);
}

bool adjacent(std::string_view left, std::string_view right) {
    return left.data() + left.size() == right.data();
}

} // namespace

void Parser::guarded_instruction(Function& function) {
    advance();
    const bool negated = accept(Kind::Bang);
    const std::string_view guard = identifier("a predicate register after '@'");
    const Token opcode = token_;
    identifier("an instruction after its guard");
    if (at(Kind::Colon))
        fail(opcode, "expected an instruction after its guard, found a label");
    instruction(function, opcode, guard, negated);
}

void Parser::instruction(Function& function, const Token& opcode, std::string_view guard, bool guard_negated) {
    Instruction instruction;
    instruction.opcode = opcode.text;
    instruction.where = opcode.where;
    instruction.guard = guard;
    instruction.guard_negated = guard_negated;
    instruction.source = source_line_;
    instruction.modifiers.reserve(4);
    for (; at(Kind::Suffix); advance())
        instruction.modifiers.push_back(token_.word());
    if (!at(Kind::Semicolon))
        operands(instruction);
    expect_semicolon("an instruction");
    function.body.push_back(std::move(instruction));
}

// After an opcode: whether the next line starts another statement, because ';' is missing.
bool Parser::at_next_statement() const {
    if (!token_.first_on_line)
        return false;
    if (at(Kind::Identifier) && token_.text[0] != '%') {
        const Kind behind = peek().kind;
        return behind == Kind::Suffix || behind == Kind::Colon;
    }
    return at(Kind::RightBrace) || at(Kind::At) || (at(Kind::Suffix) && !at_constant());
}

void Parser::operands(Instruction& instruction) {
    const bool is_call = instruction.opcode == "call";
    if (!is_call && at_next_statement())
        return;
    instruction.operands.reserve(4);
    do {
        instruction.operands.push_back(operand(is_call, 0));
        if (!at(Kind::Pipe))
            continue;
        if (instruction.operands.size() != 1)
            fail(token_, "only the first operand may be a pair a|b");
        advance();
        instruction.paired = true;
        instruction.operands.push_back(operand(false, 0));
    } while (accept(Kind::Comma));
}

Operand Parser::operand(bool in_call, unsigned depth) {
    if (depth > kDeepest)
        fail(token_, "the brackets of this operand nest too deeply");
    const Position where = token_.where;
    Operand result;
    const bool signed_name = (at(Kind::Bang) || at(Kind::Minus)) && peek().is(Kind::Identifier);
    if (at(Kind::Identifier)) {
        result = named_operand();
    } else if (signed_name) {
        const bool negated = at(Kind::Bang);
        advance();
        result = named_operand();
        (negated ? result.negated : result.minus) = true;
    } else if (at(Kind::LeftBracket)) {
        result = address_operand(depth);
    } else if (at(Kind::LeftBrace)) {
        result.kind = Operand::Kind::Vector;
        operand_list(result, Kind::RightBrace, "',' or '}' after an element", depth);
    } else if (at(Kind::LeftParen) && in_call) {
        result.kind = Operand::Kind::List;
        operand_list(result, Kind::RightParen, "',' or ')' after an argument", depth);
    } else if (at_constant()) {
        result = constant_operand();
    } else {
        fail_expected("an operand");
    }
    result.where = where;
    return result;
}

// name, name.x, name+8, _, %tid.x, WARP_SZ
Operand Parser::named_operand() {
    const Token name = token_;
    if (name.text == "WARP_SZ")
        return constant_operand();
    advance();
    if (is_special(name.text))
        return special_operand(name);
    Operand result;
    if (name.text == "_") {
        result.kind = Operand::Kind::Sink;
        return result;
    }
    result.name = name.text;
    if (at(Kind::Suffix)) {
        result.component = token_.word();
        advance();
    }
    result.offset = signed_offset();
    if (at(Kind::LeftBracket))
        fail(token_, fmt::format("an array element is written as an address here: [{}+bytes]", name.text));
    return result;
}

Operand Parser::special_operand(const Token& name) {
    Operand result;
    result.kind = Operand::Kind::Special;
    result.name = name.text;
    if (at(Kind::Suffix)) {
        if (!adjacent(name.text, token_.text))
            fail(token_, fmt::format("expected {} directly behind {}", describe(token_), describe(name)));
        result.name = {name.text.data(), name.text.size() + token_.text.size()};
        advance();
    }
    return result;
}

Operand Parser::constant_operand() {
    const Constant value = expression();
    Operand result;
    result.kind = value.is_integer() ? Operand::Kind::Integer : Operand::Kind::Float;
    result.is_f32 = value.kind == Constant::Kind::Single;
    result.bits = value.bits;
    return result;
}

// [name], [name+4], [16]; of textures and tensors [name, {x, y}]: what follows is in `elements`.
Operand Parser::address_operand(unsigned depth) {
    advance();
    Operand result;
    result.kind = Operand::Kind::Address;
    if (at(Kind::Identifier) && token_.text != "WARP_SZ") {
        result.name = token_.text;
        advance();
        result.offset = signed_offset();
    } else if (at_constant()) {
        result.offset = static_cast<std::int64_t>(integer_expression("an address"));
    } else {
        fail_expected("an address");
    }
    while (accept(Kind::Comma))
        result.elements.push_back(operand(false, depth + 1));
    expect(Kind::RightBracket, "']'");
    return result;
}

void Parser::operand_list(Operand& list, Kind close, std::string_view close_text, unsigned depth) {
    const unsigned brace = close == Kind::RightBrace ? 1 : 0;
    advance();
    open_braces_ += brace;
    if (!at(close)) {
        do
            list.elements.push_back(operand(false, depth + 1));
        while (accept(Kind::Comma));
    }
    expect(close, close_text);
    open_braces_ -= brace;
}

} // namespace heddle::ptx
