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

// The type of the factors that goes with a compute type; says once when there is no kernel for these types.
cublasStatus_t find_factor_type(cudaDataType a, cudaDataType b, cudaDataType c, cublasComputeType_t,
                                cudaDataType& factor);

// Several batches ("groups"), one after the other. The arrays have an element of each group; the pointers to the
// matrices of all groups follow each other in a, b and c.
template <class Int>
cublasStatus_t gemm_grouped(cublasHandle_t handle, const cublasOperation_t* of_a, const cublasOperation_t* of_b,
                            const Int* m, const Int* n, const Int* k, const Factor& alpha, const MatrixOperand& a,
                            const Int* lda, const MatrixOperand& b, const Int* ldb, const Factor& beta,
                            const MatrixOperand& c, const Int* ldc, Int groups, const Int* sizes) {
    std::int64_t first = 0;
    const auto matrices_of = [&](const MatrixOperand& all, Int leading) {
        return matrices(static_cast<const void* const*>(all.data) + first, all.type, leading);
    };
    const auto factor_of = [](const Factor& all, Int group) {
        return factor(static_cast<const char*>(all.data) + group * bytes_of(all.type), all.type);
    };
    cublasStatus_t status = check(handle, groups >= 0);
    for (Int i = 0; i < groups && status == CUBLAS_STATUS_SUCCESS; ++i) {
        status = gemm(handle, of_a[i], of_b[i], m[i], n[i], k[i], factor_of(alpha, i), matrices_of(a, lda[i]),
                      matrices_of(b, ldb[i]), factor_of(beta, i), matrices_of(c, ldc[i]), sizes[i]);
        first += sizes[i];
    }
    return status;
}
template <class Int>
cublasStatus_t gemm_grouped_ex(cublasHandle_t handle, const cublasOperation_t* of_a, const cublasOperation_t* of_b,
                               const Int* m, const Int* n, const Int* k, const void* alpha, const MatrixOperand& a,
                               const Int* lda, const MatrixOperand& b, const Int* ldb, const void* beta,
                               const MatrixOperand& c, const Int* ldc, Int groups, const Int* sizes,
                               cublasComputeType_t compute) {
    cudaDataType type{};
    const cublasStatus_t status = find_factor_type(a.type, b.type, c.type, compute, type);
    return status != CUBLAS_STATUS_SUCCESS ? status
                                           : gemm_grouped(handle, of_a, of_b, m, n, k, factor(alpha, type), a, lda, b,
                                                          ldb, factor(beta, type), c, ldc, groups, sizes);
}

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
