// Output, assertions, memory and conditions of graphs from device code: calls that the device runtime serves.
#pragma once

#include "intrinsics.h"

extern "C" {
__device__ int vprintf(const char* format, const char* arguments);
__device__ int printf(const char* format, ...);
__device__ void* malloc(size_t bytes);
__device__ void free(void* memory);
__device__ void __assertfail(const char* message, const char* file, unsigned line, const char* function,
                             size_t char_bytes);
__device__ void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned value);

// Launches by kernels, for which clang has no <<<>>>. The names are those that CUDA's headers give them since CUDA 12.
__device__ void* __cudaCDP2GetParameterBuffer(size_t alignment, size_t bytes);
__device__ cudaError_t __cudaCDP2LaunchDevice(void* kernel, void* parameters, dim3 grid, dim3 block, unsigned shared,
                                              cudaStream_t stream);
#define cudaGetParameterBuffer __cudaCDP2GetParameterBuffer
#define cudaLaunchDevice __cudaCDP2LaunchDevice
}

// Kernels cannot wait for the grids that they have launched, as since CUDA 12. CUB asks for it by this name.
HEDDLE_CUDA_DEVICE cudaError_t __cudaDeviceSynchronizeDeprecationAvoidance() {
    return cudaErrorNotSupported;
}

// With a size that is not known when they are compiled they become loops.
HEDDLE_CUDA_DEVICE void* memcpy(void* to, const void* from, size_t bytes) {
    return __builtin_memcpy(to, from, bytes);
}
HEDDLE_CUDA_DEVICE void* memset(void* to, int value, size_t bytes) {
    return __builtin_memset(to, value, bytes);
}
// CUDA has no memcmp on the device, but libcu++ compares atomic values by it where they are waited for.
HEDDLE_CUDA_DEVICE int memcmp(const void* a, const void* b, size_t bytes) {
    const auto* const left = static_cast<const unsigned char*>(a);
    const auto* const right = static_cast<const unsigned char*>(b);
    for (size_t i = 0; i < bytes; ++i)
        if (left[i] != right[i])
            return left[i] - right[i];
    return 0;
}

// What assert() of the C library calls.
extern "C" __device__ __forceinline__ void __assert_fail(const char* message, const char* file, unsigned line,
                                                         const char* function) {
    __assertfail(message, file, line, function, 1);
}

HEDDLE_CUDA_DEVICE void __trap() {
    asm volatile("trap;");
}
HEDDLE_CUDA_DEVICE void __brkpt() {
    asm volatile("brkpt;");
}
// An event for profilers, of which there are none.
HEDDLE_CUDA_DEVICE void __prof_trigger(int) {}
// Launches run one after the other: a grid has nothing to wait for.
HEDDLE_CUDA_DEVICE void cudaGridDependencySynchronize() {
    asm volatile("griddepcontrol.wait;" ::: "memory");
}
HEDDLE_CUDA_DEVICE void cudaTriggerProgrammaticLaunchCompletion() {
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
}
HEDDLE_CUDA_DEVICE void __nanosleep(unsigned nanoseconds) {
    asm volatile("nanosleep.u32 %0;" ::"r"(nanoseconds));
}

// In device code clock() counts core cycles; the host keeps the C library's.
HEDDLE_CUDA_DEVICE clock_t clock() {
    return __nvvm_read_ptx_sreg_clock();
}
HEDDLE_CUDA_DEVICE long long clock64() {
    return __nvvm_read_ptx_sreg_clock64();
}
HEDDLE_CUDA_DEVICE unsigned long long globaltimer() {
    unsigned long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}
