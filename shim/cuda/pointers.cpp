// What is known of memory, and advice about it.
#include "driver.h"

using namespace heddle::driver;

namespace {

// The attributes that a pointer has by its allocation.
cudaError_t range_attribute(void* value, CUpointer_attribute attribute, CUdeviceptr pointer) {
    void* begin = nullptr;
    std::size_t bytes = 0;
    const cudaError_t error = __cudaHeddleAddressRange(&begin, &bytes, pointer_of(pointer));
    if (error != cudaSuccess)
        return error;
    switch (attribute) {
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
        *static_cast<CUdeviceptr*>(value) = device_pointer(begin);
        return cudaSuccess;
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
        *static_cast<std::size_t*>(value) = bytes;
        return cudaSuccess;
    case CU_POINTER_ATTRIBUTE_BUFFER_ID: // unique while the allocation lives
        *static_cast<unsigned long long*>(value) = device_pointer(begin);
        return cudaSuccess;
    case CU_POINTER_ATTRIBUTE_MAPPED:
        *static_cast<int*>(value) = 1;
        return cudaSuccess;
    default:
        return cudaErrorInvalidValue;
    }
}

cudaError_t pointer_attribute(void* value, CUpointer_attribute attribute, CUdeviceptr pointer) {
    cudaPointerAttributes known;
    if (value == nullptr)
        return cudaErrorInvalidValue;
    const cudaError_t error = cudaPointerGetAttributes(&known, pointer_of(pointer));
    if (error != cudaSuccess || known.type == cudaMemoryTypeUnregistered)
        return cudaErrorInvalidValue;
    switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
        *static_cast<CUcontext*>(value) = current();
        return cudaSuccess;
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
        *static_cast<unsigned*>(value) = known.type == cudaMemoryTypeHost ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
        return cudaSuccess;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
        *static_cast<CUdeviceptr*>(value) = device_pointer(known.devicePointer);
        return cudaSuccess;
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
        *static_cast<void**>(value) = known.hostPointer;
        return known.hostPointer == nullptr ? cudaErrorInvalidValue : cudaSuccess;
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS: // every call is done when it returns
        *static_cast<int*>(value) = 1;
        return cudaSuccess;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
        *static_cast<unsigned*>(value) = known.type == cudaMemoryTypeManaged ? 1 : 0;
        return cudaSuccess;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
        *static_cast<int*>(value) = known.device;
        return cudaSuccess;
    default:
        return range_attribute(value, attribute, pointer);
    }
}

// What cuPointerGetAttributes says of an attribute that a pointer does not have.
void clear_attribute(void* value, CUpointer_attribute attribute) {
    switch (attribute) {
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
    case CU_POINTER_ATTRIBUTE_MAPPED:
        *static_cast<int*>(value) = 0;
        return;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
        *static_cast<int*>(value) = cudaInvalidDeviceId;
        return;
    default:
        *static_cast<void**>(value) = nullptr;
    }
}

} // namespace

HEDDLE_DRIVER_API CUresult cuPointerGetAttribute(void* value, CUpointer_attribute attribute, CUdeviceptr pointer) {
    return in_context([&] { return pointer_attribute(value, attribute, pointer); });
}

HEDDLE_DRIVER_API CUresult cuPointerGetAttributes(unsigned count, CUpointer_attribute* attributes, void** values,
                                                  CUdeviceptr pointer) {
    return in_context([&] {
        if (count == 0 || attributes == nullptr || values == nullptr)
            return cudaErrorInvalidValue;
        for (unsigned i = 0; i < count; ++i)
            if (pointer_attribute(values[i], attributes[i], pointer) != cudaSuccess && values[i] != nullptr)
                clear_attribute(values[i], attributes[i]);
        return cudaSuccess;
    });
}

HEDDLE_DRIVER_API CUresult cuPointerSetAttribute(const void* value, CUpointer_attribute attribute, CUdeviceptr) {
    return in_context([&] {
        return value != nullptr && attribute == CU_POINTER_ATTRIBUTE_SYNC_MEMOPS ? cudaSuccess : cudaErrorInvalidValue;
    });
}

HEDDLE_DRIVER_API CUresult cuMemGetAddressRange(CUdeviceptr* begin, std::size_t* bytes, CUdeviceptr pointer) {
    return in_context([&] {
        void* found = nullptr;
        const cudaError_t error = __cudaHeddleAddressRange(&found, bytes, pointer_of(pointer));
        if (error == cudaSuccess && begin != nullptr)
            *begin = device_pointer(found);
        return error == cudaErrorInvalidValue ? cudaErrorSymbolNotFound : error; // CUDA_ERROR_NOT_FOUND
    });
}

HEDDLE_DRIVER_API CUresult cuMemHostGetFlags(unsigned* flags, void* pointer) {
    return in_context([&] { return cudaHostGetFlags(flags, pointer); });
}
HEDDLE_DRIVER_API CUresult cuMemHostRegister(void* pointer, std::size_t bytes, unsigned flags) {
    return in_context([&] { return cudaHostRegister(pointer, bytes, flags); });
}
HEDDLE_DRIVER_API CUresult cuMemHostUnregister(void* pointer) {
    return in_context([&] { return cudaHostUnregister(pointer); });
}

HEDDLE_DRIVER_API CUresult cuMemAdvise_v2(CUdeviceptr pointer, std::size_t bytes, CUmem_advise advice,
                                          CUmemLocation location) {
    return in_context([&] { return cudaMemAdvise_v2(pointer_of(pointer), bytes, advice, location); });
}
HEDDLE_DRIVER_API CUresult cuMemAdvise(CUdeviceptr pointer, std::size_t bytes, CUmem_advise advice, CUdevice device) {
    return cuMemAdvise_v2(pointer, bytes, advice, heddle_cuda_location(device));
}
HEDDLE_DRIVER_API CUresult cuMemPrefetchAsync_v2(CUdeviceptr pointer, std::size_t bytes, CUmemLocation location,
                                                 unsigned flags, CUstream stream) {
    return in_context([&] { return cudaMemPrefetchAsync_v2(pointer_of(pointer), bytes, location, flags, stream); });
}
HEDDLE_DRIVER_API CUresult cuMemPrefetchAsync(CUdeviceptr pointer, std::size_t bytes, CUdevice device,
                                              CUstream stream) {
    return cuMemPrefetchAsync_v2(pointer, bytes, heddle_cuda_location(device), 0, stream);
}
HEDDLE_DRIVER_API CUresult cuMemPrefetchBatchAsync(CUdeviceptr* pointers, std::size_t* sizes, std::size_t count,
                                                   CUmemLocation* locations, std::size_t* from,
                                                   std::size_t location_count, unsigned long long flags,
                                                   CUstream stream) {
    return in_context([&] {
        return cudaMemPrefetchBatchAsync(reinterpret_cast<void**>(pointers), sizes, count, locations, from,
                                         location_count, flags, stream);
    });
}
HEDDLE_DRIVER_API CUresult cuMemDiscardBatchAsync(CUdeviceptr* pointers, std::size_t* sizes, std::size_t count,
                                                  unsigned long long flags, CUstream stream) {
    return in_context(
        [&] { return cudaMemDiscardBatchAsync(reinterpret_cast<void**>(pointers), sizes, count, flags, stream); });
}
HEDDLE_DRIVER_API CUresult cuMemDiscardAndPrefetchBatchAsync(CUdeviceptr* pointers, std::size_t* sizes,
                                                             std::size_t count, CUmemLocation* locations,
                                                             std::size_t* from, std::size_t location_count,
                                                             unsigned long long flags, CUstream stream) {
    return cuMemPrefetchBatchAsync(pointers, sizes, count, locations, from, location_count, flags, stream);
}
HEDDLE_DRIVER_API CUresult cuMemRangeGetAttributes(void** data, std::size_t* sizes, CUmem_range_attribute* attributes,
                                                   std::size_t count, CUdeviceptr pointer, std::size_t bytes) {
    return in_context(
        [&] { return cudaMemRangeGetAttributes(data, sizes, attributes, count, pointer_of(pointer), bytes); });
}
HEDDLE_DRIVER_API CUresult cuMemRangeGetAttribute(void* data, std::size_t size, CUmem_range_attribute attribute,
                                                  CUdeviceptr pointer, std::size_t bytes) {
    return cuMemRangeGetAttributes(&data, &size, &attribute, 1, pointer, bytes);
}
