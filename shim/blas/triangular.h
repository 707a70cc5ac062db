// Triangular systems
#pragma once

#include "operands.h"

namespace heddle::blas {

// Solves op(a) x = alpha b or x op(a) = alpha b, where a is triangular; x comes in the place of b.
cublasStatus_t trsm(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t,
                    std::int64_t m, std::int64_t n, const Factor& alpha, const MatrixOperand& a, const MatrixOperand& b,
                    std::int64_t batches);
// The same for one vector
cublasStatus_t trsv(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, std::int64_t n,
                    const MatrixOperand& a, const VectorOperand& x);

} // namespace heddle::blas
