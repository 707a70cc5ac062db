// Memory and copies are the runtime's; patterns of 16 and 32 bits are written here.
#include <algorithm>
#include <vector>

#include "driver.h"

using heddle::driver::device_pointer;
using heddle::driver::in_context;
using heddle::driver::pointer_of;

namespace {

// `make(void**)` allocates.
template <class F>
CUresult allocate(CUdeviceptr* pointer, F&& make) {
    return in_context([&] {
        void* made = nullptr;
        if (pointer == nullptr)
            return cudaErrorInvalidValue;
        const cudaError_t error = make(&made);
        if (error == cudaSuccess)
            *pointer = device_pointer(made);
        return error;
    });
}

CUresult copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    return in_context([&] { return cudaMemcpy(to, from, bytes, kind); });
}
CUresult copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, CUstream stream) {
    return in_context([&] { return cudaMemcpyAsync(to, from, bytes, kind, stream); });
}

template <class T>
CUresult fill(CUdeviceptr to, T value, std::size_t count, CUstream stream) {
    if (sizeof(T) == 1)
        return in_context([&] { return cudaMemsetAsync(pointer_of(to), value, count, stream); });
    if (to % sizeof(T) != 0)
        return CUDA_ERROR_INVALID_VALUE;
    constexpr std::size_t kMost = std::size_t{1} << 18;
    const std::vector<T> pattern(std::min(count, kMost), value);
    for (std::size_t done = 0; done < count; done += kMost) {
        const std::size_t bytes = std::min(kMost, count - done) * sizeof(T);
        const CUresult result =
            copy(pointer_of(to + done * sizeof(T)), pattern.data(), bytes, cudaMemcpyHostToDevice, stream);
        if (result != CUDA_SUCCESS)
            return result;
    }
    return CUDA_SUCCESS;
}

} // namespace

HEDDLE_DRIVER_API CUresult cuMemGetInfo(std::size_t* free, std::size_t* total) {
    return in_context([&] { return cudaMemGetInfo(free, total); });
}
HEDDLE_DRIVER_API CUresult cuMemAlloc(CUdeviceptr* pointer, std::size_t bytes) {
    return allocate(pointer, [&](void** out) { return bytes == 0 ? cudaErrorInvalidValue : cudaMalloc(out, bytes); });
}
HEDDLE_DRIVER_API CUresult cuMemAllocPitch(CUdeviceptr* pointer, std::size_t* pitch, std::size_t width,
                                           std::size_t height, unsigned) {
    return allocate(pointer, [&](void** out) { return cudaMallocPitch(out, pitch, width, height); });
}
HEDDLE_DRIVER_API CUresult cuMemAllocManaged(CUdeviceptr* pointer, std::size_t bytes, unsigned flags) {
    return allocate(pointer, [&](void** out) { return cudaMallocManaged(out, bytes, flags); });
}
HEDDLE_DRIVER_API CUresult cuMemAllocAsync(CUdeviceptr* pointer, std::size_t bytes, CUstream stream) {
    return allocate(pointer, [&](void** out) { return cudaMallocAsync(out, bytes, stream); });
}
HEDDLE_DRIVER_API CUresult cuMemFree(CUdeviceptr pointer) {
    return in_context([&] { return cudaFree(pointer_of(pointer)); });
}
HEDDLE_DRIVER_API CUresult cuMemFreeAsync(CUdeviceptr pointer, CUstream stream) {
    return in_context([&] { return cudaFreeAsync(pointer_of(pointer), stream); });
}
HEDDLE_DRIVER_API CUresult cuMemAllocHost(void** pointer, std::size_t bytes) {
    return in_context([&] { return cudaMallocHost(pointer, bytes); });
}
HEDDLE_DRIVER_API CUresult cuMemHostAlloc(void** pointer, std::size_t bytes, unsigned flags) {
    return in_context([&] { return cudaHostAlloc(pointer, bytes, flags); });
}
HEDDLE_DRIVER_API CUresult cuMemHostGetDevicePointer(CUdeviceptr* device, void* host, unsigned flags) {
    return allocate(device, [&](void** out) { return cudaHostGetDevicePointer(out, host, flags); });
}
HEDDLE_DRIVER_API CUresult cuMemFreeHost(void* pointer) {
    return in_context([&] { return cudaFreeHost(pointer); });
}

HEDDLE_DRIVER_API CUresult cuPointerGetAttribute(void* value, CUpointer_attribute attribute, CUdeviceptr pointer) {
    return in_context([&] {
        cudaPointerAttributes known;
        if (value == nullptr)
            return cudaErrorInvalidValue;
        const cudaError_t error = cudaPointerGetAttributes(&known, pointer_of(pointer));
        if (error != cudaSuccess || known.type == cudaMemoryTypeUnregistered)
            return cudaErrorInvalidValue;
        switch (attribute) {
        case CU_POINTER_ATTRIBUTE_CONTEXT:
            *static_cast<CUcontext*>(value) = heddle::driver::current();
            return cudaSuccess;
        case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
            *static_cast<unsigned*>(value) =
                known.type == cudaMemoryTypeHost ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
            return cudaSuccess;
        case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
            *static_cast<CUdeviceptr*>(value) = device_pointer(known.devicePointer);
            return cudaSuccess;
        case CU_POINTER_ATTRIBUTE_HOST_POINTER:
            *static_cast<void**>(value) = known.hostPointer;
            return known.hostPointer == nullptr ? cudaErrorInvalidValue : cudaSuccess;
        case CU_POINTER_ATTRIBUTE_IS_MANAGED:
            *static_cast<unsigned*>(value) = known.type == cudaMemoryTypeManaged ? 1 : 0;
            return cudaSuccess;
        case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
            *static_cast<int*>(value) = known.device;
            return cudaSuccess;
        }
        return cudaErrorInvalidValue;
    });
}

HEDDLE_DRIVER_API CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, std::size_t bytes) {
    return copy(pointer_of(to), pointer_of(from), bytes, cudaMemcpyDefault);
}
HEDDLE_DRIVER_API CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
    return copy(pointer_of(to), pointer_of(from), bytes, cudaMemcpyDefault, stream);
}
HEDDLE_DRIVER_API CUresult cuMemcpyHtoD(CUdeviceptr to, const void* from, std::size_t bytes) {
    return copy(pointer_of(to), from, bytes, cudaMemcpyHostToDevice);
}
HEDDLE_DRIVER_API CUresult cuMemcpyDtoH(void* to, CUdeviceptr from, std::size_t bytes) {
    return copy(to, pointer_of(from), bytes, cudaMemcpyDeviceToHost);
}
HEDDLE_DRIVER_API CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, std::size_t bytes) {
    return copy(pointer_of(to), pointer_of(from), bytes, cudaMemcpyDeviceToDevice);
}
HEDDLE_DRIVER_API CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, std::size_t bytes, CUstream stream) {
    return copy(pointer_of(to), from, bytes, cudaMemcpyHostToDevice, stream);
}
HEDDLE_DRIVER_API CUresult cuMemcpyDtoHAsync(void* to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
    return copy(to, pointer_of(from), bytes, cudaMemcpyDeviceToHost, stream);
}
HEDDLE_DRIVER_API CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
    return copy(pointer_of(to), pointer_of(from), bytes, cudaMemcpyDeviceToDevice, stream);
}

HEDDLE_DRIVER_API CUresult cuMemsetD8(CUdeviceptr to, unsigned char value, std::size_t count) {
    return fill(to, value, count, nullptr);
}
HEDDLE_DRIVER_API CUresult cuMemsetD16(CUdeviceptr to, unsigned short value, std::size_t count) {
    return fill(to, value, count, nullptr);
}
HEDDLE_DRIVER_API CUresult cuMemsetD32(CUdeviceptr to, unsigned value, std::size_t count) {
    return fill(to, value, count, nullptr);
}
HEDDLE_DRIVER_API CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, std::size_t count, CUstream stream) {
    return fill(to, value, count, stream);
}
HEDDLE_DRIVER_API CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, std::size_t count, CUstream stream) {
    return fill(to, value, count, stream);
}
HEDDLE_DRIVER_API CUresult cuMemsetD32Async(CUdeviceptr to, unsigned value, std::size_t count, CUstream stream) {
    return fill(to, value, count, stream);
}
