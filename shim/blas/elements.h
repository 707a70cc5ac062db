// What is computed element by element of matrices
#pragma once

#include "operands.h"

namespace heddle::blas {

// The grid of a kernel of elements.cu
[[nodiscard]] library::Shape shape_of_tiles(std::int64_t rows, std::int64_t columns);

// c = alpha op(a) + beta op(b)
cublasStatus_t geam(cublasHandle_t, cublasOperation_t of_a, cublasOperation_t of_b, std::int64_t m, std::int64_t n,
                    const Factor& alpha, const MatrixOperand& a, const Factor& beta, const MatrixOperand& b,
                    const MatrixOperand& c);
// c = diagonal(x) a or a diagonal(x)
cublasStatus_t dgmm(cublasHandle_t, cublasSideMode_t, std::int64_t m, std::int64_t n, const MatrixOperand& a,
                    const VectorOperand& x, const MatrixOperand& c);

} // namespace heddle::blas
