// Products of matrices and what is computed as one.
#pragma once

#include "operands.h"

namespace heddle::blas {

cublasStatus_t gemm(cublasHandle_t, cublasOperation_t of_a, cublasOperation_t of_b, std::int64_t m, std::int64_t n,
                    std::int64_t k, const Factor& alpha, const MatrixOperand& a, const MatrixOperand& b,
                    const Factor& beta, const MatrixOperand& c, std::int64_t batches);
// The compute type says of which type the factors are.
cublasStatus_t gemm_ex(cublasHandle_t, cublasOperation_t of_a, cublasOperation_t of_b, std::int64_t m, std::int64_t n,
                       std::int64_t k, const void* alpha, const MatrixOperand& a, const MatrixOperand& b,
                       const void* beta, const MatrixOperand& c, std::int64_t batches, cublasComputeType_t);

// c = alpha op(a) op(a)^T + beta c, in a triangle of c; hermitian: with the conjugated transposed matrix
cublasStatus_t syrk(cublasHandle_t, cublasFillMode_t, cublasOperation_t, std::int64_t n, std::int64_t k,
                    const Factor& alpha, const MatrixOperand& a, const Factor& beta, const MatrixOperand& c,
                    bool hermitian);
// c = alpha op(a) op(b)^T + beta c
cublasStatus_t syrkx(cublasHandle_t, cublasFillMode_t, cublasOperation_t, std::int64_t n, std::int64_t k,
                     const Factor& alpha, const MatrixOperand& a, const MatrixOperand& b, const Factor& beta,
                     const MatrixOperand& c, bool hermitian);
// c = alpha op(a) op(b)^T + (alpha or its conjugate) op(b) op(a)^T + beta c
cublasStatus_t syr2k(cublasHandle_t, cublasFillMode_t, cublasOperation_t, std::int64_t n, std::int64_t k,
                     const Factor& alpha, const MatrixOperand& a, const MatrixOperand& b, const Factor& beta,
                     const MatrixOperand& c, bool hermitian);
// c = alpha a b + beta c or alpha b a + beta c, where a triangle of a is stored
cublasStatus_t symm(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, std::int64_t m, std::int64_t n,
                    const Factor& alpha, const MatrixOperand& a, const MatrixOperand& b, const Factor& beta,
                    const MatrixOperand& c, Structure);
// c = alpha op(a) b or alpha b op(a), where a is triangular; c may be b
cublasStatus_t trmm(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t,
                    std::int64_t m, std::int64_t n, const Factor& alpha, const MatrixOperand& a, const MatrixOperand& b,
                    const MatrixOperand& c);

} // namespace heddle::blas
