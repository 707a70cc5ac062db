// Reads one instruction.
#pragma once

#include "ptx/parse_constants.h"
#include "ptx/parse_operands.h"
#include "ptx/syntax.h"
#include "ptx/token_cursor.h"

namespace heddle::ptx {

// Instruction::source is left to the caller.
class InstructionParser {
public:
    InstructionParser(TokenCursor& tokens, ConstantParser& constants)
        : tokens_(tokens), constants_(constants), operands_(tokens, constants) {}

    Instruction guarded_instruction();            // from '@' on
    Instruction instruction(const Token& opcode); // from behind the opcode on

private:
    using Kind = Token::Kind;

    void operands(Instruction& instruction);
    [[nodiscard]] bool at_next_statement() const;

    TokenCursor& tokens_;
    ConstantParser& constants_;
    OperandParser operands_;
};

} // namespace heddle::ptx
