#include "ptx/parse_instructions.h"

#include <string_view>

namespace heddle::ptx {

namespace {

// Labels and functions stand alone: no sign, no sum, no component.
void check_target(const Instruction& instruction) {
    for (const Operand& operand : instruction.operands)
        if (operand.kind == Operand::Kind::Name &&
            (operand.offset != 0 || operand.minus || operand.negated || !operand.component.empty()))
            throw ParseFailure{operand.where, "the target of a branch or a call is a name alone"};
}

} // namespace

Instruction InstructionParser::guarded_instruction() {
    tokens_.advance();
    const bool negated = tokens_.accept(Kind::Bang);
    const std::string_view guard = tokens_.identifier("a predicate register after '@'");
    const Token opcode = tokens_.current();
    tokens_.identifier("an instruction after its guard");
    if (tokens_.at(Kind::Colon))
        tokens_.fail(opcode, "expected an instruction after its guard, found a label");
    Instruction result = instruction(opcode);
    result.guard = guard;
    result.guard_negated = negated;
    return result;
}

Instruction InstructionParser::instruction(const Token& opcode) {
    Instruction instruction;
    instruction.opcode = opcode.text;
    instruction.where = opcode.where;
    instruction.modifiers.reserve(4);
    for (; tokens_.at(Kind::Suffix); tokens_.advance())
        instruction.modifiers.push_back(tokens_.current().word());
    if (!tokens_.at(Kind::Semicolon))
        operands(instruction);
    tokens_.expect_semicolon("an instruction");
    return instruction;
}

// After an opcode: whether the next line starts another statement, because ';' is missing.
bool InstructionParser::at_next_statement() const {
    if (!tokens_.current().first_on_line)
        return false;
    if (tokens_.at(Kind::Identifier) && tokens_.current().text[0] != '%') {
        const Kind behind = tokens_.peek().kind;
        return behind == Kind::Suffix || behind == Kind::Colon;
    }
    return tokens_.at(Kind::RightBrace) || tokens_.at(Kind::At) ||
           (tokens_.at(Kind::Suffix) && !constants_.at_constant());
}

void InstructionParser::operands(Instruction& instruction) {
    const bool is_call = instruction.opcode == "call";
    if (!is_call && at_next_statement())
        return;
    instruction.operands.reserve(4);
    do {
        instruction.operands.push_back(operands_.operand(is_call));
        if (!tokens_.at(Kind::Pipe))
            continue;
        if (instruction.operands.size() != 1)
            tokens_.fail("only the first operand may be a pair a|b");
        tokens_.advance();
        instruction.paired = true;
        instruction.operands.push_back(operands_.operand(false));
    } while (tokens_.accept(Kind::Comma));
    if (is_call || instruction.opcode == "bra")
        check_target(instruction);
}

} // namespace heddle::ptx
