#include "handle.h"

#include <array>
#include <cstdio>
#include <new>

#include "runtime.h"
#include "unsupported.h"

namespace heddle::blas {

// Texts that the assembler puts into the library (ptx.cpp)
extern "C" {
extern const char heddle_blas_gemm_real[], heddle_blas_gemm_complex[], heddle_blas_gemm_narrow[],
    heddle_blas_structured[], heddle_blas_gemv[], heddle_blas_vectors[], heddle_blas_reductions[],
    heddle_blas_triangular[], heddle_blas_elements[];
}

// They live until the process ends: programs may call the library while it ends.
library::Kernels& kernels_of(Text text) {
    static auto* const all = new std::array<library::Kernels, 9>{
        library::Kernels(heddle_blas_gemm_real),   library::Kernels(heddle_blas_gemm_complex),
        library::Kernels(heddle_blas_gemm_narrow), library::Kernels(heddle_blas_structured),
        library::Kernels(heddle_blas_gemv),        library::Kernels(heddle_blas_vectors),
        library::Kernels(heddle_blas_reductions),  library::Kernels(heddle_blas_triangular),
        library::Kernels(heddle_blas_elements)};
    return (*all)[static_cast<std::size_t>(text)];
}

cublasStatus_t status_of(cudaError_t error) {
    switch (error) {
    case cudaSuccess:
        return CUBLAS_STATUS_SUCCESS;
    case cudaErrorMemoryAllocation:
        return CUBLAS_STATUS_ALLOC_FAILED;
    case cudaErrorInitializationError:
        return CUBLAS_STATUS_NOT_INITIALIZED;
    default:
        return CUBLAS_STATUS_EXECUTION_FAILED;
    }
}

void* memory_of(cublasHandle_t handle, std::size_t bytes) {
    const library::Runtime* const runtime = library::Runtime::find();
    if (handle->memory.empty() || handle->memory_bytes < bytes) {
        void* fresh = nullptr;
        if (runtime == nullptr || runtime->allocate(&fresh, bytes) != cudaSuccess)
            return nullptr;
        handle->memory.push_back(fresh);
        handle->memory_bytes = bytes;
    }
    return handle->memory.back();
}

cublasStatus_t not_supported(const std::string& what) {
    cudart::tell_unsupported(what.c_str());
    return CUBLAS_STATUS_NOT_SUPPORTED;
}

cublasStatus_t create(cublasHandle_t* handle) {
    if (handle == nullptr)
        return CUBLAS_STATUS_INVALID_VALUE;
    *handle = nullptr;
    const library::Runtime* const runtime = library::Runtime::find();
    if (runtime == nullptr || runtime->free(nullptr) != cudaSuccess)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    auto* const made = new (std::nothrow) cublasContext;
    // Enough for reductions, so that these allocate nothing while a stream is captured
    constexpr std::size_t kBytes = 8192;
    if (made == nullptr || memory_of(made, kBytes) == nullptr) {
        delete made;
        return CUBLAS_STATUS_ALLOC_FAILED;
    }
    *handle = made;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t destroy(cublasHandle_t handle) {
    if (handle == nullptr)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    for (void* const memory : handle->memory)
        (void)library::Runtime::find()->free(memory);
    delete handle;
    return CUBLAS_STATUS_SUCCESS;
}

} // namespace heddle::blas
