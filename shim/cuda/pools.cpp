// Pools of stream-ordered memory are the runtime's, and so are the types of their parameters.
#include "driver.h"

using namespace heddle::driver;

extern "C" { // CUDA 13's, which heddle's header does not declare
cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t* pool, cudaMemLocation* place, cudaMemAllocationType type);
cudaError_t cudaMemGetMemPool(cudaMemPool_t* pool, cudaMemLocation* place, cudaMemAllocationType type);
cudaError_t cudaMemSetMemPool(cudaMemLocation* place, cudaMemAllocationType type, cudaMemPool_t pool);
}

HEDDLE_DRIVER_API CUresult cuDeviceGetDefaultMemPool(CUmemoryPool* pool, CUdevice device) {
    return initialised([&] { return cudaDeviceGetDefaultMemPool(pool, device); });
}
HEDDLE_DRIVER_API CUresult cuDeviceGetMemPool(CUmemoryPool* pool, CUdevice device) {
    return initialised([&] { return cudaDeviceGetMemPool(pool, device); });
}
HEDDLE_DRIVER_API CUresult cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool) {
    return initialised([&] { return cudaDeviceSetMemPool(device, pool); });
}
HEDDLE_DRIVER_API CUresult cuMemPoolCreate(CUmemoryPool* pool, const CUmemPoolProps* properties) {
    return initialised([&] { return cudaMemPoolCreate(pool, properties); });
}
HEDDLE_DRIVER_API CUresult cuMemPoolDestroy(CUmemoryPool pool) {
    return initialised([&] { return cudaMemPoolDestroy(pool); });
}
HEDDLE_DRIVER_API CUresult cuMemPoolTrimTo(CUmemoryPool pool, std::size_t keep) {
    return initialised([&] { return cudaMemPoolTrimTo(pool, keep); });
}
HEDDLE_DRIVER_API CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void* value) {
    return initialised([&] { return cudaMemPoolGetAttribute(pool, attribute, value); });
}
HEDDLE_DRIVER_API CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void* value) {
    return initialised([&] { return cudaMemPoolSetAttribute(pool, attribute, value); });
}
HEDDLE_DRIVER_API CUresult cuMemPoolGetAccess(CUmemAccess_flags* flags, CUmemoryPool pool, CUmemLocation* location) {
    return initialised([&] { return cudaMemPoolGetAccess(flags, pool, location); });
}
HEDDLE_DRIVER_API CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc* rights, std::size_t count) {
    return initialised([&] { return cudaMemPoolSetAccess(pool, rights, count); });
}
HEDDLE_DRIVER_API CUresult cuMemAllocFromPoolAsync(CUdeviceptr* pointer, std::size_t bytes, CUmemoryPool pool,
                                                   CUstream stream) {
    return allocated(pointer, [&](void** out) { return cudaMallocFromPoolAsync(out, bytes, pool, stream); });
}
HEDDLE_DRIVER_API CUresult cuMemGetDefaultMemPool(CUmemoryPool* pool, CUmemLocation* place,
                                                  enum cudaMemAllocationType type) {
    return initialised([&] { return cudaMemGetDefaultMemPool(pool, place, type); });
}
HEDDLE_DRIVER_API CUresult cuMemGetMemPool(CUmemoryPool* pool, CUmemLocation* place, enum cudaMemAllocationType type) {
    return initialised([&] { return cudaMemGetMemPool(pool, place, type); });
}
HEDDLE_DRIVER_API CUresult cuMemSetMemPool(CUmemLocation* place, enum cudaMemAllocationType type, CUmemoryPool pool) {
    return initialised([&] { return cudaMemSetMemPool(place, type, pool); });
}
