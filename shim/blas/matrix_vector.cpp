#include "matrix_vector.h"

#include <algorithm>

#include "elements.h"
#include "vectors.h"

namespace heddle::blas {

namespace {

constexpr unsigned kThreads = 128, kRowsOfWarps = 4; // of a block; gemv.cu

library::Shape shape_for(std::int64_t rows, std::int64_t rows_of_a_block, std::int64_t batches) {
    return {dim3(static_cast<unsigned>(blocks_for(rows, rows_of_a_block)),
                 static_cast<unsigned>(std::min(batches, kMostBatches))),
            dim3(kThreads)};
}

cublasStatus_t multiply_structured(cublasHandle_t handle, std::int64_t n, const Scalar& alpha, const Matrix& a,
                                   const Vector& x, const Scalar& beta, const Vector& y, cudaDataType type) {
    const GemvParameters p{alpha, beta, a, x, y, n, n, 1};
    return launch(handle, Text::Gemv, "blas_gemv_structured_" + name_of(type), shape_for(n, kThreads, 1), p);
}

cublasStatus_t add_rank_one(cublasHandle_t handle, const RankOneParameters& p, cudaDataType type) {
    if (p.m == 0 || p.n == 0)
        return CUBLAS_STATUS_SUCCESS;
    return launch(handle, Text::Elements, "blas_rank_one_" + name_of(type), shape_of_tiles(p.m, p.n), p);
}

} // namespace

cublasStatus_t gemv(cublasHandle_t handle, cublasOperation_t operation, std::int64_t m, std::int64_t n,
                    const Factor& alpha, const MatrixOperand& a, const VectorOperand& x, const Factor& beta,
                    const VectorOperand& y, std::int64_t batches) {
    const bool valid = is_operation(operation) && m >= 0 && n >= 0 && batches >= 0 && fits(a, m) && x.step != 0 &&
                       y.step != 0 && alpha.data != nullptr && beta.data != nullptr;
    if (const cublasStatus_t status = check(handle, valid); status != CUBLAS_STATUS_SUCCESS)
        return status;
    const bool turned = operation != CUBLAS_OP_N;
    const std::int64_t rows = turned ? n : m, columns = turned ? m : n;
    if (rows == 0 || columns == 0 || batches == 0)
        return CUBLAS_STATUS_SUCCESS;
    const GemvParameters p{scalar_of(handle, alpha),
                           scalar_of(handle, beta),
                           matrix_of(a, operation),
                           vector_of(x, columns),
                           vector_of(y, rows),
                           rows,
                           columns,
                           batches};
    return launch(handle, Text::Gemv,
                  (turned ? "blas_gemv_rows_" : "blas_gemv_columns_") + name_of(a.type) + "_" + name_of(y.type),
                  shape_for(rows, turned ? kRowsOfWarps : kThreads, batches), p);
}

cublasStatus_t symv(cublasHandle_t handle, cublasFillMode_t fill, std::int64_t n, const Factor& alpha,
                    const MatrixOperand& a, const VectorOperand& x, const Factor& beta, const VectorOperand& y,
                    Structure structure) {
    const bool valid = is_fill(fill) && n >= 0 && fits(a, n) && x.step != 0 && y.step != 0 && alpha.data != nullptr &&
                       beta.data != nullptr;
    if (const cublasStatus_t status = check(handle, valid); status != CUBLAS_STATUS_SUCCESS || n == 0)
        return status;
    return multiply_structured(handle, n, scalar_of(handle, alpha), structured(a, structure, fill), vector_of(x, n),
                               scalar_of(handle, beta), vector_of(y, n), a.type);
}

cublasStatus_t trmv(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t operation,
                    cublasDiagType_t diagonal, std::int64_t n, const MatrixOperand& a, const VectorOperand& x) {
    const bool valid = is_fill(fill) && is_operation(operation) && n >= 0 && fits(a, n) && x.step != 0;
    if (const cublasStatus_t status = check(handle, valid); status != CUBLAS_STATUS_SUCCESS || n == 0)
        return status;
    // Every element of the result needs several of the old ones.
    const VectorOperand old{memory_of(handle, static_cast<std::size_t>(n * bytes_of(x.type))), x.type, 1, 0, false};
    if (old.data == nullptr)
        return CUBLAS_STATUS_ALLOC_FAILED;
    if (const cublasStatus_t status = copy(handle, n, x, old); status != CUBLAS_STATUS_SUCCESS)
        return status;
    return multiply_structured(handle, n, scalar_of(1), structured(a, kTriangular, fill, operation, diagonal),
                               vector_of(old, n), scalar_of(0), vector_of(x, n), a.type);
}

cublasStatus_t ger(cublasHandle_t handle, std::int64_t m, std::int64_t n, const Factor& alpha, const VectorOperand& x,
                   const VectorOperand& y, const MatrixOperand& a, bool conjugate) {
    const bool valid = m >= 0 && n >= 0 && fits(a, m) && x.step != 0 && y.step != 0 && alpha.data != nullptr;
    if (const cublasStatus_t status = check(handle, valid); status != CUBLAS_STATUS_SUCCESS)
        return status;
    RankOneParameters p{};
    p.alpha = scalar_of(handle, alpha);
    p.x = vector_of(x, m);
    p.y = vector_of(y, n);
    p.a = matrix_of(a);
    p.m = m;
    p.n = n;
    p.conjugate = conjugate;
    return add_rank_one(handle, p, a.type);
}

cublasStatus_t syr2(cublasHandle_t handle, cublasFillMode_t fill, std::int64_t n, const Factor& alpha,
                    const VectorOperand& x, const VectorOperand& y, const MatrixOperand& a, bool hermitian) {
    const bool valid = is_fill(fill) && n >= 0 && fits(a, n) && x.step != 0 && y.step != 0 && alpha.data != nullptr;
    if (const cublasStatus_t status = check(handle, valid); status != CUBLAS_STATUS_SUCCESS)
        return status;
    RankOneParameters p{};
    p.alpha = p.second_alpha = scalar_of(handle, alpha);
    p.second_alpha.conjugate = hermitian;
    p.x = vector_of(x, n);
    p.y = vector_of(y, n);
    p.a = matrix_of(a);
    p.m = p.n = n;
    p.part = part_of(fill);
    p.conjugate = p.real_diagonal = hermitian;
    p.twice = true;
    return add_rank_one(handle, p, a.type);
}

cublasStatus_t syr(cublasHandle_t handle, cublasFillMode_t fill, std::int64_t n, const Factor& alpha,
                   const VectorOperand& x, const MatrixOperand& a, bool hermitian) {
    const bool valid = is_fill(fill) && n >= 0 && fits(a, n) && x.step != 0 && alpha.data != nullptr;
    if (const cublasStatus_t status = check(handle, valid); status != CUBLAS_STATUS_SUCCESS)
        return status;
    RankOneParameters p{};
    p.alpha = scalar_of(handle, alpha);
    p.x = p.y = vector_of(x, n);
    p.a = matrix_of(a);
    p.m = p.n = n;
    p.part = part_of(fill);
    p.conjugate = p.real_diagonal = hermitian;
    return add_rank_one(handle, p, a.type);
}

} // namespace heddle::blas
