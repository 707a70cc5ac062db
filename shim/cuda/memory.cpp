// Memory and copies are the runtime's; patterns of 16 and 32 bits are written here.
#include <algorithm>
#include <vector>

#include "driver.h"

using namespace heddle::driver;

namespace {

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

// Rows of `width` elements.
template <class T>
CUresult fill_rows(CUdeviceptr to, std::size_t pitch, T value, std::size_t width, std::size_t height, CUstream stream) {
    if (height > 1 && pitch < width * sizeof(T))
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = in_context([] { return cudaSuccess; });
    for (std::size_t row = 0; result == CUDA_SUCCESS && row < height; ++row)
        result = fill(to + row * pitch, value, width, stream);
    return result;
}

} // namespace

HEDDLE_DRIVER_API CUresult cuMemGetInfo(std::size_t* free, std::size_t* total) {
    return in_context([&] { return cudaMemGetInfo(free, total); });
}
HEDDLE_DRIVER_API CUresult cuMemAlloc(CUdeviceptr* pointer, std::size_t bytes) {
    return allocated(pointer, [&](void** out) { return bytes == 0 ? cudaErrorInvalidValue : cudaMalloc(out, bytes); });
}
HEDDLE_DRIVER_API CUresult cuMemAllocPitch(CUdeviceptr* pointer, std::size_t* pitch, std::size_t width,
                                           std::size_t height, unsigned) {
    return allocated(pointer, [&](void** out) { return cudaMallocPitch(out, pitch, width, height); });
}
HEDDLE_DRIVER_API CUresult cuMemAllocManaged(CUdeviceptr* pointer, std::size_t bytes, unsigned flags) {
    return allocated(pointer, [&](void** out) { return cudaMallocManaged(out, bytes, flags); });
}
HEDDLE_DRIVER_API CUresult cuMemAllocAsync(CUdeviceptr* pointer, std::size_t bytes, CUstream stream) {
    return allocated(pointer, [&](void** out) { return cudaMallocAsync(out, bytes, stream); });
}
HEDDLE_DRIVER_API CUresult cuMemFree(CUdeviceptr pointer) {
    return initialised([&] { return cudaFree(pointer_of(pointer)); });
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
    return allocated(device, [&](void** out) { return cudaHostGetDevicePointer(out, host, flags); });
}
HEDDLE_DRIVER_API CUresult cuMemFreeHost(void* pointer) {
    return initialised([&] { return cudaFreeHost(pointer); });
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

#define HEDDLE_FILL_ROWS(name, type)                                                                                   \
    HEDDLE_DRIVER_API CUresult name##_v2(CUdeviceptr to, std::size_t pitch, type value, std::size_t width,             \
                                         std::size_t height) {                                                         \
        return fill_rows(to, pitch, value, width, height, nullptr);                                                    \
    }                                                                                                                  \
    HEDDLE_DRIVER_API CUresult name##Async(CUdeviceptr to, std::size_t pitch, type value, std::size_t width,           \
                                           std::size_t height, CUstream stream) {                                      \
        return fill_rows(to, pitch, value, width, height, stream);                                                     \
    }
#undef cuMemsetD2D8
#undef cuMemsetD2D16
#undef cuMemsetD2D32
HEDDLE_FILL_ROWS(cuMemsetD2D8, unsigned char)
HEDDLE_FILL_ROWS(cuMemsetD2D16, unsigned short)
HEDDLE_FILL_ROWS(cuMemsetD2D32, unsigned)

// There is one device, so contexts have no meaning.
HEDDLE_DRIVER_API CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext, CUdeviceptr from, CUcontext, std::size_t bytes) {
    return cuMemcpyDtoD(to, from, bytes);
}
HEDDLE_DRIVER_API CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext, CUdeviceptr from, CUcontext, std::size_t bytes,
                                             CUstream stream) {
    return cuMemcpyDtoDAsync(to, from, bytes, stream);
}
