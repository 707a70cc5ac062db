// What the files of the driver API share: its frame around calls of the runtime.
#pragma once

#include <cstddef>

#include "cuda.h"

#define HEDDLE_DRIVER_API extern "C" __attribute__((visibility("default")))

namespace heddle::driver {

// As a result of the driver API. Errors of the runtime that have no number there are CUDA_ERROR_INVALID_VALUE.
[[nodiscard]] CUresult result_of(cudaError_t error);

[[nodiscard]] bool is_initialised(); // by cuInit()

// The result of a call of the runtime. cudaGetLastError() does not report errors of the driver API.
inline CUresult finish(cudaError_t error) {
    if (error != cudaSuccess)
        (void)cudaGetLastError();
    return result_of(error);
}

// The frame of what needs cuInit().
template <class F>
CUresult initialised(F&& body) {
    return is_initialised() ? finish(body()) : CUDA_ERROR_NOT_INITIALIZED;
}

// The thread's context; null when it has none.
[[nodiscard]] CUcontext current();

// The frame of what happens in a context.
template <class F>
CUresult in_context(F&& body) {
    if (!is_initialised())
        return CUDA_ERROR_NOT_INITIALIZED;
    return current() == nullptr ? CUDA_ERROR_INVALID_CONTEXT : finish(body());
}

inline void* pointer_of(CUdeviceptr pointer) {
    return reinterpret_cast<void*>(pointer);
}
inline CUdeviceptr device_pointer(void* pointer) {
    return reinterpret_cast<CUdeviceptr>(pointer);
}

} // namespace heddle::driver
