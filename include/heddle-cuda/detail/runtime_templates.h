// C++ forms of the runtime API: typed pointers, variables as symbols, kernels by name.
#pragma once

#include "../cuda_runtime_api.h"

// The casts take pointers to constants, too.
template <class T>
inline cudaError_t cudaMalloc(T** devPtr, size_t size) {
    return ::cudaMalloc((void**)(devPtr), size);
}
template <class T>
inline cudaError_t cudaMallocHost(T** ptr, size_t size, unsigned int flags = 0) {
    return ::cudaHostAlloc((void**)(ptr), size, flags);
}
template <class T>
inline cudaError_t cudaHostAlloc(T** ptr, size_t size, unsigned int flags) {
    return ::cudaHostAlloc((void**)(ptr), size, flags);
}
template <class T>
inline cudaError_t cudaHostGetDevicePointer(T** device, void* host, unsigned int flags) {
    return ::cudaHostGetDevicePointer((void**)(device), host, flags);
}
template <class T>
inline cudaError_t cudaMallocManaged(T** devPtr, size_t size, unsigned int flags = cudaMemAttachGlobal) {
    return ::cudaMallocManaged((void**)(devPtr), size, flags);
}
template <class T>
inline cudaError_t cudaMallocPitch(T** devPtr, size_t* pitch, size_t width, size_t height) {
    return ::cudaMallocPitch((void**)(devPtr), pitch, width, height);
}
template <class T>
inline cudaError_t cudaMallocAsync(T** devPtr, size_t size, cudaStream_t stream) {
    return ::cudaMallocAsync((void**)(devPtr), size, stream);
}
template <class T>
inline cudaError_t cudaMallocFromPoolAsync(T** devPtr, size_t size, cudaMemPool_t pool, cudaStream_t stream) {
    return ::cudaMallocFromPoolAsync((void**)(devPtr), size, pool, stream);
}
template <class T>
inline cudaError_t cudaMallocAsync(T** devPtr, size_t size, cudaMemPool_t pool, cudaStream_t stream) {
    return ::cudaMallocFromPoolAsync((void**)(devPtr), size, pool, stream);
}

// Of many pieces of memory; with one place or one set of attributes for all.
template <class T, class U>
inline cudaError_t cudaMemcpyBatchAsync(T* const* dsts, U* const* srcs, const size_t* sizes, size_t count,
                                        cudaMemcpyAttributes* attributes, size_t* attributesFrom, size_t attributeCount,
                                        cudaStream_t stream) {
    return ::cudaMemcpyBatchAsync((void* const*)dsts, (const void* const*)srcs, sizes, count, attributes,
                                  attributesFrom, attributeCount, stream);
}
template <class T, class U>
inline cudaError_t cudaMemcpyBatchAsync(T* const* dsts, U* const* srcs, const size_t* sizes, size_t count,
                                        cudaMemcpyAttributes attributes, cudaStream_t stream) {
    size_t first = 0;
    return ::cudaMemcpyBatchAsync((void* const*)dsts, (const void* const*)srcs, sizes, count, &attributes, &first, 1,
                                  stream);
}
template <class T>
inline cudaError_t cudaMemPrefetchBatchAsync(T** pointers, size_t* sizes, size_t count, cudaMemLocation* locations,
                                             size_t* locationsFrom, size_t locationCount, unsigned long long flags,
                                             cudaStream_t stream) {
    return ::cudaMemPrefetchBatchAsync((void**)pointers, sizes, count, locations, locationsFrom, locationCount, flags,
                                       stream);
}
template <class T>
inline cudaError_t cudaMemPrefetchBatchAsync(T** pointers, size_t* sizes, size_t count, cudaMemLocation location,
                                             unsigned long long flags, cudaStream_t stream) {
    size_t first = 0;
    return ::cudaMemPrefetchBatchAsync((void**)pointers, sizes, count, &location, &first, 1, flags, stream);
}
template <class T>
inline cudaError_t cudaMemDiscardAndPrefetchBatchAsync(T** pointers, size_t* sizes, size_t count,
                                                       cudaMemLocation* locations, size_t* locationsFrom,
                                                       size_t locationCount, unsigned long long flags,
                                                       cudaStream_t stream) {
    return ::cudaMemDiscardAndPrefetchBatchAsync((void**)pointers, sizes, count, locations, locationsFrom,
                                                 locationCount, flags, stream);
}
template <class T>
inline cudaError_t cudaMemDiscardAndPrefetchBatchAsync(T** pointers, size_t* sizes, size_t count,
                                                       cudaMemLocation location, unsigned long long flags,
                                                       cudaStream_t stream) {
    size_t first = 0;
    return ::cudaMemDiscardAndPrefetchBatchAsync((void**)pointers, sizes, count, &location, &first, 1, flags, stream);
}

template <class T>
inline cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* src, size_t count, size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
    return ::cudaMemcpyToSymbol(reinterpret_cast<const void*>(&symbol), src, count, offset, kind);
}
template <class T>
inline cudaError_t cudaMemcpyFromSymbol(void* dst, const T& symbol, size_t count, size_t offset = 0,
                                        cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
    return ::cudaMemcpyFromSymbol(dst, reinterpret_cast<const void*>(&symbol), count, offset, kind);
}
template <class T>
inline cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* src, size_t count, size_t offset = 0,
                                           cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0) {
    return ::cudaMemcpyToSymbolAsync(reinterpret_cast<const void*>(&symbol), src, count, offset, kind, stream);
}
template <class T>
inline cudaError_t cudaMemcpyFromSymbolAsync(void* dst, const T& symbol, size_t count, size_t offset = 0,
                                             cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = 0) {
    return ::cudaMemcpyFromSymbolAsync(dst, reinterpret_cast<const void*>(&symbol), count, offset, kind, stream);
}
template <class T>
inline cudaError_t cudaGetSymbolAddress(void** devPtr, const T& symbol) {
    return ::cudaGetSymbolAddress(devPtr, reinterpret_cast<const void*>(&symbol));
}
template <class T>
inline cudaError_t cudaGetSymbolSize(size_t* size, const T& symbol) {
    return ::cudaGetSymbolSize(size, reinterpret_cast<const void*>(&symbol));
}

inline cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned int flags) {
    return ::cudaEventCreateWithFlags(event, flags);
}

// With the data of edges of CUDA 13, and without it as CUDA 12 had them first.
inline cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                    const cudaGraphEdgeData* edges, size_t count, cudaGraphNodeParams* what) {
    return ::cudaGraphAddNode_v2(node, graph, after, edges, count, what);
}
inline cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                    size_t count, cudaGraphNodeParams* what) {
    return ::cudaGraphAddNode_v2(node, graph, after, nullptr, count, what);
}
inline cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* nodes,
                                                       const cudaGraphEdgeData* edges, size_t count,
                                                       unsigned int flags = 0) {
    return ::cudaStreamUpdateCaptureDependencies_v2(stream, nodes, edges, count, flags);
}
inline cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* nodes, size_t count,
                                                       unsigned int flags = 0) {
    return ::cudaStreamUpdateCaptureDependencies_v2(stream, nodes, nullptr, count, flags);
}
template <class T>
inline cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                                  const cudaGraphNode_t* after, size_t after_count, const T& symbol,
                                                  const void* src, size_t count, size_t offset, cudaMemcpyKind kind) {
    return ::cudaGraphAddMemcpyNodeToSymbol(node, graph, after, after_count, reinterpret_cast<const void*>(&symbol),
                                            src, count, offset, kind);
}
template <class T>
inline cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                                    const cudaGraphNode_t* after, size_t after_count, void* dst,
                                                    const T& symbol, size_t count, size_t offset,
                                                    cudaMemcpyKind kind) {
    return ::cudaGraphAddMemcpyNodeFromSymbol(node, graph, after, after_count, dst,
                                              reinterpret_cast<const void*>(&symbol), count, offset, kind);
}
template <class T>
inline cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const T& symbol, const void* src,
                                                        size_t count, size_t offset, cudaMemcpyKind kind) {
    return ::cudaGraphMemcpyNodeSetParamsToSymbol(node, reinterpret_cast<const void*>(&symbol), src, count, offset,
                                                  kind);
}
template <class T>
inline cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void* dst, const T& symbol,
                                                          size_t count, size_t offset, cudaMemcpyKind kind) {
    return ::cudaGraphMemcpyNodeSetParamsFromSymbol(node, dst, reinterpret_cast<const void*>(&symbol), count, offset,
                                                    kind);
}
template <class T>
inline cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                            const T& symbol, const void* src, size_t count,
                                                            size_t offset, cudaMemcpyKind kind) {
    return ::cudaGraphExecMemcpyNodeSetParamsToSymbol(exec, node, reinterpret_cast<const void*>(&symbol), src, count,
                                                      offset, kind);
}
template <class T>
inline cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t exec, cudaGraphNode_t node, void* dst,
                                                              const T& symbol, size_t count, size_t offset,
                                                              cudaMemcpyKind kind) {
    return ::cudaGraphExecMemcpyNodeSetParamsFromSymbol(exec, node, dst, reinterpret_cast<const void*>(&symbol), count,
                                                        offset, kind);
}

template <class Function>
inline cudaError_t cudaLaunchKernel(Function* function, dim3 grid, dim3 block, void** args, size_t sharedMem = 0,
                                    cudaStream_t stream = 0) {
    return ::cudaLaunchKernel(reinterpret_cast<const void*>(function), grid, block, args, sharedMem, stream);
}
template <class Function>
inline cudaError_t cudaLaunchCooperativeKernel(Function* function, dim3 grid, dim3 block, void** args,
                                               size_t sharedMem = 0, cudaStream_t stream = 0) {
    return ::cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(function), grid, block, args, sharedMem, stream);
}
template <class... Parameters, class... Arguments>
inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(Parameters...),
                                      Arguments&&... arguments) {
    return [&](Parameters... values) {
        void* pointers[] = {&values..., nullptr};
        return ::cudaLaunchKernelExC(config, reinterpret_cast<const void*>(kernel), pointers);
    }(static_cast<Arguments&&>(arguments)...);
}
template <class... Arguments>
inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, const cudaKernel_t kernel,
                                      Arguments&&... arguments) {
    void* pointers[] = {(void*)&arguments..., nullptr};
    return ::cudaLaunchKernelExC(config, reinterpret_cast<const void*>(kernel), pointers);
}
template <class Function>
inline cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, Function* function, const cudaLaunchConfig_t* config) {
    return ::cudaOccupancyMaxActiveClusters(clusters, reinterpret_cast<const void*>(function), config);
}
template <class Function>
inline cudaError_t cudaOccupancyMaxPotentialClusterSize(int* blocks, Function* function,
                                                        const cudaLaunchConfig_t* config) {
    return ::cudaOccupancyMaxPotentialClusterSize(blocks, reinterpret_cast<const void*>(function), config);
}
template <class Function>
inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, Function* function) {
    return ::cudaFuncGetAttributes(attributes, reinterpret_cast<const void*>(function));
}
template <class Function>
inline cudaError_t cudaFuncSetAttribute(Function* function, cudaFuncAttribute attribute, int value) {
    return ::cudaFuncSetAttribute(reinterpret_cast<const void*>(function), attribute, value);
}
template <class Function>
inline cudaError_t cudaGetKernel(cudaKernel_t* kernel, Function* function) {
    return ::cudaGetKernel(kernel, reinterpret_cast<const void*>(function));
}
template <class Function>
inline cudaError_t cudaFuncSetCacheConfig(Function* function, cudaFuncCache config) {
    return ::cudaFuncSetCacheConfig(reinterpret_cast<const void*>(function), config);
}
template <class Function>
inline cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, Function function, int blocks,
                                                             int blockSize) {
    return ::cudaOccupancyAvailableDynamicSMemPerBlock(bytes, reinterpret_cast<const void*>(function), blocks, blockSize);
}
template <class Function>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, Function function, int blockSize,
                                                                 size_t dynamicSharedMem) {
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, reinterpret_cast<const void*>(function), blockSize,
                                                           dynamicSharedMem);
}
template <class Function>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, Function function, int blockSize,
                                                                          size_t dynamicSharedMem, unsigned flags) {
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, reinterpret_cast<const void*>(function),
                                                                    blockSize, dynamicSharedMem, flags);
}

// The block size, a multiple of the warp, with the most resident threads, and the grid that fills the device with it.
template <class Function, class SharedBytes>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int* gridSize, int* blockSize, Function function,
                                                                  SharedBytes sharedBytes, int limit = 0, unsigned flags = 0) {
    int device = 0, largest = 0, sms = 0, best = 0;
    cudaFuncAttributes attributes;
    cudaError_t error = ::cudaGetDevice(&device);
    if (error == cudaSuccess)
        error = ::cudaDeviceGetAttribute(&largest, cudaDevAttrMaxThreadsPerBlock, device);
    if (error == cudaSuccess)
        error = ::cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
    if (error == cudaSuccess)
        error = ::cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(function));
    if (error != cudaSuccess)
        return error;
    if (attributes.maxThreadsPerBlock < largest)
        largest = attributes.maxThreadsPerBlock;
    if (limit > 0 && limit < largest)
        largest = limit;
    *gridSize = *blockSize = 0;
    for (int size = largest - largest % 32; size > 0; size -= 32) {
        int blocks = 0;
        error = ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, reinterpret_cast<const void*>(function), size,
                                                                sharedBytes(size), flags);
        if (error != cudaSuccess)
            return error;
        if (blocks * size > best) {
            best = blocks * size;
            *blockSize = size;
            *gridSize = blocks * sms;
        }
    }
    return cudaSuccess;
}
template <class Function, class SharedBytes>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* gridSize, int* blockSize, Function function,
                                                                  SharedBytes sharedBytes, int limit = 0) {
    return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(gridSize, blockSize, function, sharedBytes, limit);
}
template <class Function>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int* gridSize, int* blockSize, Function function,
                                                      size_t dynamicSharedMem = 0, int limit = 0, unsigned flags = 0) {
    return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
        gridSize, blockSize, function, [dynamicSharedMem](int) { return dynamicSharedMem; }, limit, flags);
}
template <class Function>
inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int* gridSize, int* blockSize, Function function,
                                                      size_t dynamicSharedMem = 0, int limit = 0) {
    return cudaOccupancyMaxPotentialBlockSizeWithFlags(gridSize, blockSize, function, dynamicSharedMem, limit);
}
