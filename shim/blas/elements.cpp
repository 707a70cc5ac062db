#include "elements.h"

namespace heddle::blas {

library::Shape shape_of_tiles(std::int64_t rows, std::int64_t columns) {
    constexpr std::int64_t kTile = 32;
    constexpr unsigned kRows = 8;
    return {dim3(static_cast<unsigned>(blocks_for(rows, kTile) * blocks_for(columns, kTile))), dim3(kTile, kRows)};
}

cublasStatus_t geam(cublasHandle_t handle, cublasOperation_t of_a, cublasOperation_t of_b, std::int64_t m,
                    std::int64_t n, const Factor& alpha, const MatrixOperand& a, const Factor& beta,
                    const MatrixOperand& b, const MatrixOperand& c) {
    // In place only where each element of c needs the element in its own place
    const auto may_be_c = [&](const MatrixOperand& operand, cublasOperation_t operation) {
        return operand.data != c.data || (operation == CUBLAS_OP_N && operand.leading == c.leading);
    };
    const bool valid = is_operation(of_a) && is_operation(of_b) && m >= 0 && n >= 0 &&
                       fits(a, of_a == CUBLAS_OP_N ? m : n) && fits(b, of_b == CUBLAS_OP_N ? m : n) && fits(c, m) &&
                       alpha.data != nullptr && beta.data != nullptr && may_be_c(a, of_a) && may_be_c(b, of_b);
    if (const cublasStatus_t status = check(handle, valid); status != CUBLAS_STATUS_SUCCESS || m == 0 || n == 0)
        return status;
    const AddParameters p{
        scalar_of(handle, alpha), scalar_of(handle, beta), matrix_of(a, of_a), matrix_of(b, of_b), matrix_of(c), m, n};
    return launch(handle, Text::Elements, "blas_geam_" + name_of(a.type), shape_of_tiles(m, n), p);
}

cublasStatus_t dgmm(cublasHandle_t handle, cublasSideMode_t side, std::int64_t m, std::int64_t n,
                    const MatrixOperand& a, const VectorOperand& x, const MatrixOperand& c) {
    const bool rows = side == CUBLAS_SIDE_LEFT;
    const bool valid = (rows || side == CUBLAS_SIDE_RIGHT) && m >= 0 && n >= 0 && fits(a, m) && fits(c, m);
    if (const cublasStatus_t status = check(handle, valid); status != CUBLAS_STATUS_SUCCESS || m == 0 || n == 0)
        return status;
    const ScaleParameters p{matrix_of(a), matrix_of(c), vector_of(x, rows ? m : n), m, n, rows};
    return launch(handle, Text::Elements, "blas_dgmm_" + name_of(a.type), shape_of_tiles(m, n), p);
}

} // namespace heddle::blas
