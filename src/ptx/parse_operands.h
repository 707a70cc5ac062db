// Reads the operands of an instruction.
#pragma once

#include <cstdint>
#include <string_view>

#include "ptx/parse_constants.h"
#include "ptx/syntax.h"
#include "ptx/token_cursor.h"

namespace heddle::ptx {

class OperandParser {
public:
    OperandParser(TokenCursor& tokens, ConstantParser& constants) : tokens_(tokens), constants_(constants) {}

    // `in_call`: a list in parentheses may stand here.
    Operand operand(bool in_call) {
        return operand(in_call, 0);
    }

private:
    using Kind = Token::Kind;

    // `depth`: how many brackets the operand stands in.
    Operand operand(bool in_call, unsigned depth);
    Operand named_operand();
    Operand special_operand(const Token& name);
    Operand constant_operand();
    Operand address_operand(unsigned depth);
    std::int64_t offset();
    void operand_list(Operand& list, Kind close, std::string_view close_text, unsigned depth);

    TokenCursor& tokens_;
    ConstantParser& constants_;
};

} // namespace heddle::ptx
