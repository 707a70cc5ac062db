// The modifiers of wmma, mma, ldmatrix and movmatrix. They have a separate dictionary: their types are no types of
// registers, and layouts may occur twice.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "ir/isa/matrix.h"
#include "ptx/syntax.h"

namespace heddle::ir {

[[nodiscard]] bool is_matrix_opcode(Opcode);

struct MatrixWords {
    enum class Action : std::uint8_t { None, Load, Store, Multiply } action = Action::None; // of wmma
    char matrix = 0; // a, b, c, d: of a load or store
    bool sync = false;
    bool transposed = false;
    bool saturate = false;
    Rounding rounding = Rounding::None;
    bool popc = false;
    std::string_view logic;        // and, xor
    std::array<bool, 2> by_rows{}; // layouts in text order
    unsigned layouts = 0;
    MatrixShape shape;
    std::uint8_t count = 0; // x1, x2, x4
    Space space = Space::Generic;
    std::array<Element, 4> types{};
    unsigned type_count = 0;
    bool b16 = false;
    bool newer = false;       // a modifier that heddle does not execute
    std::string_view unknown; // the first word that is no such modifier, or contradicts an earlier word
};

[[nodiscard]] MatrixWords read_matrix_words(const ptx::Instruction& instruction);

} // namespace heddle::ir
