#include "triangular.h"

#include <algorithm>

namespace heddle::blas {

namespace {

// The kernel solves lower triangular systems. An upper one is a lower one with its rows in the opposite order: the
// begin of a and b moves to the last row, and the steps are negative.
struct System {
    Matrix a, b;
    std::int64_t begin_of_a = 0, begin_of_b = 0; // in elements
};
System lower_system(Matrix a, Matrix b, std::int64_t n) {
    System out{a, b};
    if (a.lower)
        return out;
    out.begin_of_a = (n - 1) * (a.row + a.column);
    out.begin_of_b = (n - 1) * b.row;
    out.a.row = -a.row;
    out.a.column = -a.column;
    out.a.lower = true;
    out.b.row = -b.row;
    return out;
}

cublasStatus_t solve(cublasHandle_t handle, const Scalar& alpha, const Matrix& a, const Matrix& b, std::int64_t n,
                     std::int64_t columns, std::int64_t batches, cudaDataType type) {
    if (n == 0 || columns == 0 || batches == 0)
        return CUBLAS_STATUS_SUCCESS;
    constexpr std::int64_t kTile = 32;
    constexpr unsigned kRows = 8;
    const System system = lower_system(a, b, n);
    const SolveParameters p{alpha, system.a, system.b, system.begin_of_a, system.begin_of_b, n, columns, batches};
    const library::Shape shape{
        dim3(static_cast<unsigned>(blocks_for(columns, kTile)), static_cast<unsigned>(std::min(batches, kMostBatches))),
        dim3(kTile, kRows)};
    return launch(handle, Text::Triangular, "blas_trsm_" + name_of(type), shape, p);
}

} // namespace

// x op(a) = alpha b is op(a)^T x^T = alpha b^T.
cublasStatus_t trsm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill, cublasOperation_t operation,
                    cublasDiagType_t diagonal, std::int64_t m, std::int64_t n, const Factor& alpha,
                    const MatrixOperand& a, const MatrixOperand& b, std::int64_t batches) {
    const bool left = side == CUBLAS_SIDE_LEFT;
    const bool valid = (left || side == CUBLAS_SIDE_RIGHT) && is_fill(fill) && is_operation(operation) && m >= 0 &&
                       n >= 0 && batches >= 0 && fits(a, left ? m : n) && fits(b, m) && alpha.data != nullptr;
    if (const cublasStatus_t status = check(handle, valid); status != CUBLAS_STATUS_SUCCESS)
        return status;
    const Matrix of_a = structured(a, kTriangular, fill, operation, diagonal), of_b = matrix_of(b);
    return solve(handle, scalar_of(handle, alpha), left ? of_a : transposed(of_a), left ? of_b : transposed(of_b),
                 left ? m : n, left ? n : m, batches, a.type);
}

cublasStatus_t trsv(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t operation,
                    cublasDiagType_t diagonal, std::int64_t n, const MatrixOperand& a, const VectorOperand& x) {
    const bool valid = is_fill(fill) && is_operation(operation) && n >= 0 && fits(a, n) && x.step != 0;
    if (const cublasStatus_t status = check(handle, valid); status != CUBLAS_STATUS_SUCCESS)
        return status;
    return solve(handle, scalar_of(1), structured(a, kTriangular, fill, operation, diagonal), column_of(x, n), n, 1, 1,
                 a.type);
}

} // namespace heddle::blas
