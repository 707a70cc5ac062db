// Copies in two and three dimensions, with arrays at either end. The driver API counts in bytes; the runtime counts in
// elements where there is an array.
#include <algorithm>
#include <utility>

#include "arrays.h"
#include "driver.h"

using namespace heddle::driver;

namespace {

// One end of a copy.
struct End {
    std::size_t x, y, z;
    CUmemorytype type;
    const void* host;
    CUdeviceptr device;
    CUarray array;
    std::size_t pitch, height;
};

cudaError_t element_bytes(CUarray array, std::size_t& bytes) {
    cudaChannelFormatDesc format;
    const cudaError_t error = cudaGetChannelDesc(&format, array_of(array));
    if (error == cudaSuccess)
        bytes = static_cast<std::size_t>(format.x + format.y + format.z + format.w) / 8;
    return error;
}

// `unit`: bytes of an element of the arrays.
cudaError_t read_end(const End& end, const CUDA_MEMCPY3D& what, std::size_t unit, cudaArray_t& array, cudaPos& at,
                     cudaPitchedPtr& memory) {
    if (end.type == CU_MEMORYTYPE_ARRAY) {
        array = array_of(end.array);
        at = {end.x / unit, end.y, end.z};
        return end.x % unit == 0 ? cudaSuccess : cudaErrorInvalidValue;
    }
    if (end.type != CU_MEMORYTYPE_HOST && end.type != CU_MEMORYTYPE_DEVICE && end.type != CU_MEMORYTYPE_UNIFIED)
        return cudaErrorInvalidValue;
    const std::size_t pitch = end.pitch != 0 ? end.pitch : end.x + what.WidthInBytes;
    const std::size_t height = end.height != 0 ? end.height : what.Height;
    if (end.x + what.WidthInBytes > pitch && (what.Height > 1 || what.Depth > 1))
        return cudaErrorInvalidValue;
    const auto begin = end.type == CU_MEMORYTYPE_HOST ? reinterpret_cast<CUdeviceptr>(end.host) : end.device;
    // The offsets are in the pointer, whose unit does not depend on the other end.
    memory = {pointer_of(begin + (end.z * height + end.y) * pitch + end.x), std::max(pitch, what.WidthInBytes), pitch,
              height};
    return cudaSuccess;
}

CUresult copy(const CUDA_MEMCPY3D* what, CUstream stream, bool wait) {
    return in_context([&] {
        cudaMemcpy3DParms parameters;
        if (what == nullptr)
            return cudaErrorInvalidValue;
        const cudaError_t error = read_copy(*what, parameters);
        if (error != cudaSuccess)
            return error;
        return wait ? cudaMemcpy3D(&parameters) : cudaMemcpy3DAsync(&parameters, stream);
    });
}

CUresult copy(const CUDA_MEMCPY2D* what, CUstream stream, bool wait) {
    if (what == nullptr)
        return CUDA_ERROR_INVALID_VALUE;
    CUDA_MEMCPY3D volume{};
    volume.srcXInBytes = what->srcXInBytes;
    volume.srcY = what->srcY;
    volume.srcMemoryType = what->srcMemoryType;
    volume.srcHost = what->srcHost;
    volume.srcDevice = what->srcDevice;
    volume.srcArray = what->srcArray;
    volume.srcPitch = what->srcPitch;
    volume.dstXInBytes = what->dstXInBytes;
    volume.dstY = what->dstY;
    volume.dstMemoryType = what->dstMemoryType;
    volume.dstHost = what->dstHost;
    volume.dstDevice = what->dstDevice;
    volume.dstArray = what->dstArray;
    volume.dstPitch = what->dstPitch;
    volume.WidthInBytes = what->WidthInBytes;
    volume.Height = what->Height;
    volume.Depth = 1;
    return copy(&volume, stream, wait);
}

// The contexts of a copy between devices have no meaning: there is one device.
CUresult copy(const CUDA_MEMCPY3D_PEER* what, CUstream stream, bool wait) {
    static_assert(sizeof(CUDA_MEMCPY3D_PEER) == sizeof(CUDA_MEMCPY3D));
    return copy(reinterpret_cast<const CUDA_MEMCPY3D*>(what), stream, wait);
}

// One row, between arrays and memory.
struct Row {
    CUmemorytype type;
    CUarray array;
    const void* host;
    CUdeviceptr device;
    std::size_t offset;
};
Row in_array(CUarray array, std::size_t offset) {
    return {CU_MEMORYTYPE_ARRAY, array, nullptr, 0, offset};
}
Row in_host(const void* host) {
    return {CU_MEMORYTYPE_HOST, nullptr, host, 0, 0};
}
Row in_device(CUdeviceptr device) {
    return {CU_MEMORYTYPE_DEVICE, nullptr, nullptr, device, 0};
}

CUresult copy_row(const Row& to, const Row& from, std::size_t bytes, CUstream stream = nullptr, bool wait = true) {
    CUDA_MEMCPY2D what{};
    what.srcXInBytes = from.offset;
    what.srcMemoryType = from.type;
    what.srcHost = from.host;
    what.srcDevice = from.device;
    what.srcArray = from.array;
    what.dstXInBytes = to.offset;
    what.dstMemoryType = to.type;
    what.dstHost = const_cast<void*>(to.host);
    what.dstDevice = to.device;
    what.dstArray = to.array;
    what.WidthInBytes = bytes;
    what.Height = 1;
    return copy(&what, stream, wait);
}

} // namespace

cudaError_t heddle::driver::read_copy(const CUDA_MEMCPY3D& what, cudaMemcpy3DParms& out) {
    std::size_t unit = 1;
    for (const auto& [type, array] :
         {std::pair(what.srcMemoryType, what.srcArray), {what.dstMemoryType, what.dstArray}})
        if (type == CU_MEMORYTYPE_ARRAY)
            if (const cudaError_t error = element_bytes(array, unit); error != cudaSuccess)
                return error;
    if (what.WidthInBytes % unit != 0 || what.srcLOD != 0 || what.dstLOD != 0)
        return cudaErrorInvalidValue;
    out = {};
    out.extent = {what.WidthInBytes / unit, what.Height, what.Depth};
    out.kind = cudaMemcpyDefault;
    const cudaError_t error = read_end({what.srcXInBytes, what.srcY, what.srcZ, what.srcMemoryType, what.srcHost,
                                        what.srcDevice, what.srcArray, what.srcPitch, what.srcHeight},
                                       what, unit, out.srcArray, out.srcPos, out.srcPtr);
    if (error != cudaSuccess)
        return error;
    return read_end({what.dstXInBytes, what.dstY, what.dstZ, what.dstMemoryType, what.dstHost, what.dstDevice,
                     what.dstArray, what.dstPitch, what.dstHeight},
                    what, unit, out.dstArray, out.dstPos, out.dstPtr);
}

HEDDLE_DRIVER_API CUresult cuMemcpy2D(const CUDA_MEMCPY2D* what) {
    return copy(what, nullptr, true);
}
HEDDLE_DRIVER_API CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D* what) {
    return copy(what, nullptr, true);
}
HEDDLE_DRIVER_API CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D* what, CUstream stream) {
    return copy(what, stream, false);
}
HEDDLE_DRIVER_API CUresult cuMemcpy3D(const CUDA_MEMCPY3D* what) {
    return copy(what, nullptr, true);
}
HEDDLE_DRIVER_API CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D* what, CUstream stream) {
    return copy(what, stream, false);
}
HEDDLE_DRIVER_API CUresult cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER* what) {
    return copy(what, nullptr, true);
}
HEDDLE_DRIVER_API CUresult cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER* what, CUstream stream) {
    return copy(what, stream, false);
}
HEDDLE_DRIVER_API CUresult cuMemcpyAtoA(CUarray to, std::size_t toOffset, CUarray from, std::size_t fromOffset,
                                        std::size_t bytes) {
    return copy_row(in_array(to, toOffset), in_array(from, fromOffset), bytes);
}
HEDDLE_DRIVER_API CUresult cuMemcpyAtoD(CUdeviceptr to, CUarray from, std::size_t offset, std::size_t bytes) {
    return copy_row(in_device(to), in_array(from, offset), bytes);
}
HEDDLE_DRIVER_API CUresult cuMemcpyDtoA(CUarray to, std::size_t offset, CUdeviceptr from, std::size_t bytes) {
    return copy_row(in_array(to, offset), in_device(from), bytes);
}
HEDDLE_DRIVER_API CUresult cuMemcpyAtoH(void* to, CUarray from, std::size_t offset, std::size_t bytes) {
    return copy_row(in_host(to), in_array(from, offset), bytes);
}
HEDDLE_DRIVER_API CUresult cuMemcpyHtoA(CUarray to, std::size_t offset, const void* from, std::size_t bytes) {
    return copy_row(in_array(to, offset), in_host(from), bytes);
}
HEDDLE_DRIVER_API CUresult cuMemcpyAtoHAsync(void* to, CUarray from, std::size_t offset, std::size_t bytes,
                                             CUstream stream) {
    return copy_row(in_host(to), in_array(from, offset), bytes, stream, false);
}
HEDDLE_DRIVER_API CUresult cuMemcpyHtoAAsync(CUarray to, std::size_t offset, const void* from, std::size_t bytes,
                                             CUstream stream) {
    return copy_row(in_array(to, offset), in_host(from), bytes, stream, false);
}
