// Products of small matrices of numbers.
#pragma once

#include <array>
#include <cstdint>

#include "exec/matrix_positions.h"
#include "ir/isa/matrix.h"

namespace heddle::exec {

inline constexpr unsigned kMostElements = 1024; // of the matrices a, or b, of one instruction
inline constexpr unsigned kMostResults = 256;

// The matrices of a product, with the positions of MatrixPositions.
template <class T>
struct Operands {
    alignas(64) std::array<T, kMostElements> a, b;
    alignas(64) std::array<T, kMostResults> c{}; // an instruction for a part of the result reads that part of c
    // Of a sparse matrix a, which has its elements alone: the column of each element in the whole matrix.
    std::array<std::uint8_t, kMostElements> column;
};

// c = a x b + c, for the rows of the results.
void compute(const ir::Matrix& x, const MatrixPositions& at, Operands<float>& v);
void compute(const ir::Matrix& x, const MatrixPositions& at, Operands<double>& v);
void compute(const ir::Matrix& x, const MatrixPositions& at, Operands<std::int32_t>& v);

} // namespace heddle::exec
