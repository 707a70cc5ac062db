// The device and contexts. There is one device with one state; contexts are names for it, of which a thread has a
// stack.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <mutex>
#include <vector>

#include "driver.h"

using heddle::driver::in_context;
using heddle::driver::initialised;

namespace {

std::atomic<bool> is_up = false;
std::atomic<unsigned> primary_users = 0;
std::atomic<unsigned> primary_flags = 0;

std::mutex mutex;
std::vector<std::unique_ptr<char>> made; // a context's handle is a place of its own
char primary;
thread_local std::vector<CUcontext> stack;

CUcontext primary_context() {
    return reinterpret_cast<CUcontext>(&primary);
}

bool is_context(CUcontext context) {
    const std::lock_guard lock(mutex);
    return context == primary_context() || std::any_of(made.begin(), made.end(), [&](const auto& each) {
               return reinterpret_cast<CUcontext>(each.get()) == context;
           });
}

template <class F>
CUresult of_device(CUdevice device, F&& body) {
    return initialised([&] { return device != 0 ? cudaErrorInvalidDevice : body(); });
}

} // namespace

namespace heddle::driver {

bool is_initialised() {
    return is_up;
}

CUcontext current() {
    return stack.empty() ? nullptr : stack.back();
}

} // namespace heddle::driver

HEDDLE_DRIVER_API CUresult cuInit(unsigned flags) {
    if (flags != 0)
        return CUDA_ERROR_INVALID_VALUE;
    is_up = true;
    return CUDA_SUCCESS;
}

HEDDLE_DRIVER_API CUresult cuDriverGetVersion(int* version) {
    return version == nullptr ? CUDA_ERROR_INVALID_VALUE : heddle::driver::result_of(cudaDriverGetVersion(version));
}

HEDDLE_DRIVER_API CUresult cuDeviceGetCount(int* count) {
    return initialised([&] { return cudaGetDeviceCount(count); });
}

HEDDLE_DRIVER_API CUresult cuDeviceGet(CUdevice* device, int ordinal) {
    return of_device(ordinal, [&] {
        if (device == nullptr)
            return cudaErrorInvalidValue;
        *device = ordinal;
        return cudaSuccess;
    });
}

HEDDLE_DRIVER_API CUresult cuDeviceGetName(char* name, int length, CUdevice device) {
    return of_device(device, [&] {
        cudaDeviceProp properties;
        if (name == nullptr || length <= 0)
            return cudaErrorInvalidValue;
        const cudaError_t error = cudaGetDeviceProperties(&properties, device);
        if (error != cudaSuccess)
            return error;
        const std::size_t bytes = std::min(static_cast<std::size_t>(length) - 1, std::strlen(properties.name));
        std::memcpy(name, properties.name, bytes);
        name[bytes] = 0;
        return cudaSuccess;
    });
}

HEDDLE_DRIVER_API CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice device) {
    return of_device(device, [&] {
        cudaDeviceProp properties;
        if (uuid == nullptr)
            return cudaErrorInvalidValue;
        const cudaError_t error = cudaGetDeviceProperties(&properties, device);
        if (error == cudaSuccess)
            *uuid = properties.uuid;
        return error;
    });
}

HEDDLE_DRIVER_API CUresult cuDeviceTotalMem(std::size_t* bytes, CUdevice device) {
    return of_device(device, [&] {
        std::size_t free = 0;
        return bytes == nullptr ? cudaErrorInvalidValue : cudaMemGetInfo(&free, bytes);
    });
}

HEDDLE_DRIVER_API CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
    return of_device(device, [&] { return cudaDeviceGetAttribute(value, attribute, device); });
}

HEDDLE_DRIVER_API CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device) {
    return of_device(device, [&] {
        const cudaError_t error = cudaDeviceGetAttribute(major, cudaDevAttrComputeCapabilityMajor, device);
        return error != cudaSuccess ? error : cudaDeviceGetAttribute(minor, cudaDevAttrComputeCapabilityMinor, device);
    });
}

HEDDLE_DRIVER_API CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
    return of_device(device, [&] {
        if (context == nullptr)
            return cudaErrorInvalidValue;
        ++primary_users;
        *context = primary_context();
        return cudaSuccess;
    });
}

HEDDLE_DRIVER_API CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
    return of_device(device, [&] {
        if (primary_users != 0)
            --primary_users;
        return cudaSuccess;
    });
}

HEDDLE_DRIVER_API CUresult cuDevicePrimaryCtxReset(CUdevice device) {
    return of_device(device, [&] { return cudaDeviceReset(); });
}

HEDDLE_DRIVER_API CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned flags) {
    return of_device(device, [&] {
        primary_flags = flags;
        return cudaSuccess;
    });
}

HEDDLE_DRIVER_API CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned* flags, int* active) {
    return of_device(device, [&] {
        if (flags == nullptr || active == nullptr)
            return cudaErrorInvalidValue;
        *flags = primary_flags;
        *active = primary_users != 0 ? 1 : 0;
        return cudaSuccess;
    });
}

HEDDLE_DRIVER_API CUresult cuCtxCreate(CUcontext* context, unsigned, CUdevice device) {
    return of_device(device, [&] {
        if (context == nullptr)
            return cudaErrorInvalidValue;
        const std::lock_guard lock(mutex);
        made.push_back(std::make_unique<char>());
        *context = reinterpret_cast<CUcontext>(made.back().get());
        stack.push_back(*context);
        return cudaSuccess;
    });
}

// The forms of CUDA 11.4 and 12.5; their parameters have no meaning here.
HEDDLE_DRIVER_API CUresult cuCtxCreate_v3(CUcontext* context, void*, int, unsigned flags, CUdevice device) {
    return cuCtxCreate(context, flags, device);
}
HEDDLE_DRIVER_API CUresult cuCtxCreate_v4(CUcontext* context, void*, unsigned flags, CUdevice device) {
    return cuCtxCreate(context, flags, device);
}

// What was allocated in it stays: the device's memory is one.
HEDDLE_DRIVER_API CUresult cuCtxDestroy(CUcontext context) {
    if (context == primary_context() || !is_context(context))
        return CUDA_ERROR_INVALID_CONTEXT;
    if (!stack.empty() && stack.back() == context)
        stack.pop_back();
    const std::lock_guard lock(mutex);
    std::erase_if(made, [&](const auto& each) { return reinterpret_cast<CUcontext>(each.get()) == context; });
    return CUDA_SUCCESS;
}

HEDDLE_DRIVER_API CUresult cuCtxPushCurrent(CUcontext context) {
    if (!is_context(context))
        return CUDA_ERROR_INVALID_CONTEXT;
    stack.push_back(context);
    return CUDA_SUCCESS;
}

HEDDLE_DRIVER_API CUresult cuCtxPopCurrent(CUcontext* context) {
    if (stack.empty())
        return CUDA_ERROR_INVALID_CONTEXT;
    if (context != nullptr)
        *context = stack.back();
    stack.pop_back();
    return CUDA_SUCCESS;
}

HEDDLE_DRIVER_API CUresult cuCtxSetCurrent(CUcontext context) {
    if (context != nullptr && !is_context(context))
        return CUDA_ERROR_INVALID_CONTEXT;
    if (!stack.empty())
        stack.pop_back();
    if (context != nullptr)
        stack.push_back(context);
    return CUDA_SUCCESS;
}

HEDDLE_DRIVER_API CUresult cuCtxGetCurrent(CUcontext* context) {
    return initialised([&] {
        if (context == nullptr)
            return cudaErrorInvalidValue;
        *context = heddle::driver::current();
        return cudaSuccess;
    });
}

HEDDLE_DRIVER_API CUresult cuCtxGetDevice(CUdevice* device) {
    return in_context([&] { return cudaGetDevice(device); });
}

HEDDLE_DRIVER_API CUresult cuCtxGetApiVersion(CUcontext context, unsigned* version) {
    if (!is_context(context))
        return CUDA_ERROR_INVALID_CONTEXT;
    if (version == nullptr)
        return CUDA_ERROR_INVALID_VALUE;
    *version = 3020; // of the functions' second forms
    return CUDA_SUCCESS;
}

HEDDLE_DRIVER_API CUresult cuCtxSynchronize() {
    return in_context([] { return cudaDeviceSynchronize(); });
}
