// Copies between memory of the host and of the device, in elements of so many bytes
#pragma once

#include <cstdint>
#include <cublas_api.h>

namespace heddle::blas {

cublasStatus_t copy_vector_async(std::int64_t n, std::int64_t bytes, const void* x, std::int64_t step_x, void* y,
                                 std::int64_t step_y, cudaStream_t);
cublasStatus_t copy_matrix_async(std::int64_t rows, std::int64_t columns, std::int64_t bytes, const void* a,
                                 std::int64_t leading_a, void* b, std::int64_t leading_b, cudaStream_t);
// The same, done when they return
cublasStatus_t copy_vector(std::int64_t n, std::int64_t bytes, const void* x, std::int64_t step_x, void* y,
                           std::int64_t step_y);
cublasStatus_t copy_matrix(std::int64_t rows, std::int64_t columns, std::int64_t bytes, const void* a,
                           std::int64_t leading_a, void* b, std::int64_t leading_b);

} // namespace heddle::blas
