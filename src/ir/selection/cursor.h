// The instruction of a function that is being lowered: its text, the names in its scope, the errors about it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/isa/modifiers.h"
#include "ir/isa/names.h"
#include "ir/selection/context.h"
#include "ir/selection/draft.h"
#include "ptx/syntax.h"

namespace heddle::ir {

using ptx::Operand;

class Cursor {
public:
    // Stands before the first instruction. The arguments outlive the cursor.
    Cursor(const Context& context, const ptx::Function& function);

    // `index`: of an instruction in Function::body.
    void move_to(std::uint32_t index);
    void move_behind_the_last();

    [[nodiscard]] const ptx::Function& function() const {
        return function_;
    }
    // The position for micro-ops that are emitted here: of the instruction; before the first one, of the function;
    // behind the last one, of the closing brace.
    [[nodiscard]] Line line() const;

    // The functions below need a current instruction.
    [[nodiscard]] const ptx::Instruction& instruction() const {
        return *instruction_;
    }
    [[nodiscard]] const std::vector<Operand>& operands() const {
        return instruction_->operands;
    }
    [[nodiscard]] const Operand& operand(std::size_t i) const {
        return instruction_->operands[i];
    }
    // The opcode with its modifiers, as written.
    [[nodiscard]] std::string text() const;

    // The symbol of an operand of kind Name; of kind None for an unknown name and for another operand.
    [[nodiscard]] Symbol find(const Operand& operand) const;

    // The functions below report an error when they return false, nothing or a symbol of kind None.

    // The symbol of the operand's name.
    [[nodiscard]] Symbol symbol(const Operand& operand);
    // Index in Function::body of the instruction behind a label. `where`: the position of an error.
    [[nodiscard]] std::optional<std::uint32_t> label(std::string_view name, Position where);
    // Whether the instruction has at least `least` and at most `most` operands.
    [[nodiscard]] bool count(std::size_t least, std::size_t most);
    // Decodes the modifiers, which may be of the `allowed` groups.
    [[nodiscard]] bool decode(Groups allowed, Modifiers& out);

    void error(Position where, std::string message);
    void error(std::string message);                           // at the instruction
    void error_at(std::string_view word, std::string message); // at a modifier, a piece of the instruction's text
    // The modifier `word` is not allowed here.
    void error_misplaced(std::string_view word);

private:
    const Context& context_;
    const ptx::Function& function_;
    Names names_;
    const ptx::Instruction* instruction_ = nullptr;
    std::uint32_t index_ = 0; // of *instruction_
    Position outside_;        // while there is no instruction
};

} // namespace heddle::ir
