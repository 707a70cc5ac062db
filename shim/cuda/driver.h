// What the files of the driver API share: its frame around calls of the runtime.
#pragma once

#include <cstddef>
#include <vector>

#include "cuda.h"
#include "driver_link.h"

#define HEDDLE_DRIVER_API extern "C" __attribute__((visibility("default")))

namespace heddle::driver {

// As a result of the driver API. Errors of the runtime that have no number there are CUDA_ERROR_INVALID_VALUE.
[[nodiscard]] CUresult result_of(cudaError_t error);

[[nodiscard]] bool is_initialised(); // by cuInit(), or by the program's calls of the runtime

// While it lives, the runtime's functions are called for the driver: they do not make a context current.
class DriverCall {
public:
    DriverCall() {
        __cudaHeddleDriverCall(1);
    }
    ~DriverCall() {
        __cudaHeddleDriverCall(-1);
    }
    DriverCall(const DriverCall&) = delete;
    DriverCall& operator=(const DriverCall&) = delete;
};

// The result of a call of the runtime. cudaGetLastError() does not report errors of the driver API.
inline CUresult finish(cudaError_t error) {
    if (error != cudaSuccess)
        (void)cudaGetLastError();
    return result_of(error);
}

// The frame of what needs cuInit(). What frees and destroys has it, too: addresses and handles say whose they are, and
// programs free what is left when their contexts are gone (Numba).
template <class F>
CUresult initialised(F&& body) {
    const DriverCall call;
    return is_initialised() ? finish(body()) : CUDA_ERROR_NOT_INITIALIZED;
}

// The thread's context; null when it has none. After calls of the runtime it is the device's primary one.
[[nodiscard]] CUcontext current();
[[nodiscard]] CUcontext primary_context();
[[nodiscard]] bool is_context(CUcontext context);

// The frame of what happens in a context.
template <class F>
CUresult in_context(F&& body) {
    const DriverCall call;
    if (!is_initialised())
        return CUDA_ERROR_NOT_INITIALIZED;
    return current() == nullptr ? CUDA_ERROR_INVALID_CONTEXT : finish(body());
}

// The frame of what concerns the device.
template <class F>
CUresult of_device(CUdevice device, F&& body) {
    return initialised([&] { return device != 0 ? cudaErrorInvalidDevice : body(); });
}

// `make(void**)` allocates.
template <class F>
CUresult allocated(CUdeviceptr* pointer, F&& make) {
    return in_context([&] {
        void* made = nullptr;
        if (pointer == nullptr)
            return cudaErrorInvalidValue;
        const cudaError_t error = make(&made);
        if (error == cudaSuccess)
            *pointer = reinterpret_cast<CUdeviceptr>(made);
        return error;
    });
}

// The handles of functions and of kernels, and those of modules and of libraries, are one.
inline const void* kernel_of(CUfunction function) {
    return reinterpret_cast<const void*>(function);
}
inline cudaLibrary_t library_of(CUmodule module) {
    return reinterpret_cast<cudaLibrary_t>(module);
}

// The numbers of the options are the same.
inline cudaJitOption* jit_options(CUjit_option* options) {
    return reinterpret_cast<cudaJitOption*>(options);
}

// launch.cpp: the arguments of a launch are single ones, or one block of them, which is unpacked.
cudaError_t choose_arguments(CUfunction function, void**& arguments, void* const* extra, std::vector<void*>& unpacked);

inline void* pointer_of(CUdeviceptr pointer) {
    return reinterpret_cast<void*>(pointer);
}
inline CUdeviceptr device_pointer(void* pointer) {
    return reinterpret_cast<CUdeviceptr>(pointer);
}

} // namespace heddle::driver
