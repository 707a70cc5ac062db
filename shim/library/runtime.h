// The CUDA runtime as heddle's replacements of NVIDIA's libraries call it.
#pragma once

#include <cuda_runtime_api.h>

namespace heddle::library {

// Functions of the runtime that the process uses. They are found when they are first needed, and not by the linker: a
// program may have any version of the runtime, also one that is linked into it and replaced (libheddle-static-runtime),
// and each version has a device of its own.
struct Runtime {
    cudaError_t (*allocate)(void** pointer, size_t bytes) = nullptr; // cudaMalloc
    decltype(&::cudaFree) free = nullptr;
    decltype(&::cudaMemcpyAsync) copy = nullptr;
    decltype(&::cudaMemcpy2DAsync) copy_rows = nullptr;
    decltype(&::cudaStreamSynchronize) wait = nullptr;
    decltype(&::cudaLibraryLoadData) load = nullptr;
    decltype(&::cudaLibraryGetKernel) kernel = nullptr;
    cudaError_t (*launch)(const void* kernel, dim3 blocks, dim3 threads, void** arguments, size_t shared,
                          cudaStream_t) = nullptr; // cudaLaunchKernel

    // Null where there is no runtime; says so on standard error.
    [[nodiscard]] static const Runtime* find();
};

} // namespace heddle::library
