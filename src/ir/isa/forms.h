// The types, modifiers and operands of each opcode: the grammar of the instruction set as one table.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "ir/isa/modifiers.h"
#include "ir/micro_op.h"

namespace heddle::ir {

// A set of types as a bit mask.
using TypeSet = std::uint64_t;
[[nodiscard]] constexpr TypeSet set_of(Type type) {
    return TypeSet{1} << static_cast<unsigned>(type);
}

// ".u32 .s32": the types of a set; empty for set_of(Type::None).
[[nodiscard]] std::string names_of(TypeSet types);

// One form: `opcode` with a first type in `types` (and a second in `from`, 0 for none).
struct Form {
    Opcode opcode;
    TypeSet types; // set_of(Type::None): the form has no type
    TypeSet from;
    Groups allowed;  // groups that may occur, `required` and `also` included
    Groups required; // exactly one modifier of these groups must occur (0: none)
    Groups also;     // exactly one modifier of these groups must occur as well (0: none)
    // Operands in text order; empty: the family of the opcode reads them (selection/families.h).
    //   D destination of the type   W of twice its width   o a u32   P a predicate
    //   A source of the type        w of twice its width   u a u32   p a predicate   F of the second type
    std::string_view operands;
};

// The forms of an opcode; empty when it cannot execute at all.
[[nodiscard]] std::span<const Form> forms_of(Opcode);
// All groups that any form of the opcode allows.
[[nodiscard]] Groups groups_of(Opcode);

} // namespace heddle::ir
