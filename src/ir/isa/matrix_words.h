// The modifiers of wmma, mma, wgmma, ldmatrix, stmatrix and movmatrix. They have a separate dictionary: their types are
// no types of registers, and layouts may occur twice.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "ir/isa/matrix.h"
#include "ptx/syntax.h"

namespace heddle::ir {

[[nodiscard]] bool is_matrix_opcode(Opcode);

struct MatrixWords {
    // Of wmma; the last four of wgmma.
    enum class Action : std::uint8_t {
        None,
        Load,
        Store,
        Multiply,
        MultiplyAsync,
        Fence,
        CommitGroup,
        WaitGroup
    } action = Action::None;
    char matrix = 0; // a, b, c, d: of a load or store
    bool sync = false, aligned = false;
    bool sparse = false;
    bool ordered = false; // .sp::ordered_metadata
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
    bool b16 = false, b8 = false;
    bool to_bytes = false;      // .b8x16
    std::uint8_t from_bits = 0; // .b6x16_p32, .b4x16_p64: 6 or 4
    std::string_view newer;     // the first word of devices that heddle does not simulate
    std::string_view unknown;   // the first word that is no such modifier, or contradicts an earlier word

    bool operator==(const MatrixWords&) const = default;
};

[[nodiscard]] MatrixWords read_matrix_words(const ptx::Instruction& instruction);

} // namespace heddle::ir
