// The positions of each thread's registers in the matrices of a product, computed once for each kind of fragment.
#pragma once

#include <cstdint>

#include "ir/isa/matrix.h"

namespace heddle::exec {

// By ((register * 32) + laneid) * elements of a register + element: the index of the element in its matrix,
//   a, accumulators   (matrix * rows + row) * columns + column
//   b                 (matrix * rows + row) * columns + column; of single bits (matrix * columns + column) * words of k
//                     + word
// Single bits count as words of 32 bits along k, one in a register.
struct MatrixPositions {
    const std::uint16_t* a = nullptr;
    const std::uint16_t* b = nullptr;
    const std::uint16_t* c = nullptr;
    const std::uint16_t* d = nullptr;
    std::uint16_t first_row = 0, end_row = 0; // of the results
};

// The tables stay valid until the process ends.
[[nodiscard]] MatrixPositions positions_of(const ir::Matrix& matrix);

} // namespace heddle::exec
