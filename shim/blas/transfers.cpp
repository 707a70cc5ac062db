#include "transfers.h"

#include "runtime.h"

namespace heddle::blas {

namespace {

cublasStatus_t mapped(cudaError_t error) {
    return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}

cublasStatus_t done(cublasStatus_t status) {
    return status == CUBLAS_STATUS_SUCCESS ? mapped(library::Runtime::find()->wait(nullptr)) : status;
}

} // namespace

cublasStatus_t copy_matrix_async(std::int64_t rows, std::int64_t columns, std::int64_t bytes, const void* a,
                                 std::int64_t leading_a, void* b, std::int64_t leading_b, cudaStream_t stream) {
    const library::Runtime* const runtime = library::Runtime::find();
    if (runtime == nullptr)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (rows < 0 || columns < 0 || bytes <= 0 || leading_a <= 0 || leading_b <= 0)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (rows == 0 || columns == 0)
        return CUBLAS_STATUS_SUCCESS;
    const auto in_bytes = [bytes](std::int64_t elements) { return static_cast<std::size_t>(elements * bytes); };
    return mapped(runtime->copy_rows(b, in_bytes(leading_b), a, in_bytes(leading_a), in_bytes(rows),
                                     static_cast<std::size_t>(columns), cudaMemcpyDefault, stream));
}

// A vector is a matrix of one row.
cublasStatus_t copy_vector_async(std::int64_t n, std::int64_t bytes, const void* x, std::int64_t step_x, void* y,
                                 std::int64_t step_y, cudaStream_t stream) {
    return copy_matrix_async(1, n, bytes, x, step_x, y, step_y, stream);
}

cublasStatus_t copy_matrix(std::int64_t rows, std::int64_t columns, std::int64_t bytes, const void* a,
                           std::int64_t leading_a, void* b, std::int64_t leading_b) {
    return done(copy_matrix_async(rows, columns, bytes, a, leading_a, b, leading_b, nullptr));
}

cublasStatus_t copy_vector(std::int64_t n, std::int64_t bytes, const void* x, std::int64_t step_x, void* y,
                           std::int64_t step_y) {
    return done(copy_vector_async(n, bytes, x, step_x, y, step_y, nullptr));
}

} // namespace heddle::blas
