// The handle of cuBLAS, and how functions launch kernels with it.
#pragma once

#include <cublas_api.h>
#include <string>
#include <vector>

#include "kernels.h"

struct cublasContext {
    cudaStream_t stream = nullptr;
    cublasPointerMode_t pointer_mode = CUBLAS_POINTER_MODE_HOST;
    cublasAtomicsMode_t atomics_mode = CUBLAS_ATOMICS_NOT_ALLOWED;
    cublasMath_t math_mode = CUBLAS_DEFAULT_MATH;
    int sm_count_target = 0;
    // Memory of the device for what kernels pass on to each other. What has become too small is kept: a graph may use
    // it.
    std::vector<void*> memory;
    std::size_t memory_bytes = 0;
};

namespace heddle::blas {

// The texts of PTX of this library, in the order in which kernels_of() has them
enum class Text { GemmReal, GemmComplex, GemmNarrow, Structured, Gemv, Vectors, Reductions, Triangular, Elements };
[[nodiscard]] library::Kernels& kernels_of(Text);

[[nodiscard]] cublasStatus_t status_of(cudaError_t);

template <class Parameters>
cublasStatus_t launch(cublasHandle_t handle, Text text, const std::string& kernel, const library::Shape& shape,
                      const Parameters& parameters) {
    return status_of(kernels_of(text).launch(kernel, shape, handle->stream, parameters));
}

// At least so many bytes of the handle's memory; null when there are no more.
[[nodiscard]] void* memory_of(cublasHandle_t handle, std::size_t bytes);

// Tells once on standard error what of a served function is not supported, and returns CUBLAS_STATUS_NOT_SUPPORTED.
[[nodiscard]] cublasStatus_t not_supported(const std::string& what);

[[nodiscard]] cublasStatus_t create(cublasHandle_t* handle);
[[nodiscard]] cublasStatus_t destroy(cublasHandle_t handle);

template <class T>
cublasStatus_t set(cublasHandle_t handle, T cublasContext::*member, T value) {
    if (handle == nullptr)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    handle->*member = value;
    return CUBLAS_STATUS_SUCCESS;
}
template <class T>
cublasStatus_t get(cublasHandle_t handle, T cublasContext::*member, T* value) {
    if (handle == nullptr)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (value == nullptr)
        return CUBLAS_STATUS_INVALID_VALUE;
    *value = handle->*member;
    return CUBLAS_STATUS_SUCCESS;
}

// The memory of a program is not used: the handle has its own.
inline cublasStatus_t set_workspace(cublasHandle_t handle) {
    return handle == nullptr ? CUBLAS_STATUS_NOT_INITIALIZED : CUBLAS_STATUS_SUCCESS;
}

} // namespace heddle::blas
