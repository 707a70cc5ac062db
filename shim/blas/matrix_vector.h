// A matrix and vectors
#pragma once

#include "operands.h"

namespace heddle::blas {

// y = alpha op(a) x + beta y
cublasStatus_t gemv(cublasHandle_t, cublasOperation_t, std::int64_t m, std::int64_t n, const Factor& alpha,
                    const MatrixOperand& a, const VectorOperand& x, const Factor& beta, const VectorOperand& y,
                    std::int64_t batches);
// The same where a triangle of a is stored
cublasStatus_t symv(cublasHandle_t, cublasFillMode_t, std::int64_t n, const Factor& alpha, const MatrixOperand& a,
                    const VectorOperand& x, const Factor& beta, const VectorOperand& y, Structure);
// x = op(a) x, where a is triangular
cublasStatus_t trmv(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, std::int64_t n,
                    const MatrixOperand& a, const VectorOperand& x);

// a = alpha x y^T + a; conjugate: with the conjugated y
cublasStatus_t ger(cublasHandle_t, std::int64_t m, std::int64_t n, const Factor& alpha, const VectorOperand& x,
                   const VectorOperand& y, const MatrixOperand& a, bool conjugate);
// a = alpha x x^T + a, and a = alpha x y^T + alpha y x^T + a, in a triangle of a; hermitian: with conjugated transposed
// vectors, and the second alpha conjugated
cublasStatus_t syr(cublasHandle_t, cublasFillMode_t, std::int64_t n, const Factor& alpha, const VectorOperand& x,
                   const MatrixOperand& a, bool hermitian);
cublasStatus_t syr2(cublasHandle_t, cublasFillMode_t, std::int64_t n, const Factor& alpha, const VectorOperand& x,
                    const VectorOperand& y, const MatrixOperand& a, bool hermitian);

} // namespace heddle::blas
