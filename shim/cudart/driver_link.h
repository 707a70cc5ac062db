// What libcuda.so.1 asks of libcudart.so.13 beside CUDA's own functions. The names begin as the library exports them.
#pragma once

#include "cuda_runtime_api.h"
#include "runtime/device.h"

extern "C" {
// Whether the calling thread has called the runtime, so that the device's primary context is current to it.
bool __cudaHeddleUsesRuntime();
// Whether any thread has, so that the driver is initialised.
bool __cudaHeddleIsUsed();
// +1: the runtime's functions that the thread calls from now on are called by the driver; -1: no longer.
void __cudaHeddleDriverCall(int change);
// Calls body(device, data) as a function of the runtime.
cudaError_t __cudaHeddleOnDevice(cudaError_t (*body)(heddle::runtime::Device& device, void* data), void* data);
// Memory operations of streams (CUstreamBatchMemOpParams), and nodes of graphs that do them. `exec`: null changes the
// node, otherwise its step in the executable graph.
cudaError_t __cudaHeddleStreamOperations(cudaStream_t stream, const void* operations, unsigned count);
cudaError_t __cudaHeddleAddOperations(cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* after,
                                      size_t after_count, const void* operations, unsigned count);
cudaError_t __cudaHeddleSetOperations(cudaGraphExec_t exec, cudaGraphNode_t node, const void* operations,
                                      unsigned count);
cudaError_t __cudaHeddleGetOperations(cudaGraphNode_t node, void** operations, unsigned* count);
// The allocation that holds an address.
cudaError_t __cudaHeddleAddressRange(void** begin, size_t* bytes, const void* pointer);
// The handle of a texture or surface reference of a library.
cudaError_t __cudaHeddleReference(unsigned long* handle, cudaLibrary_t library, const char* name, bool is_surface);
// Of a kernel of a library; null for others.
cudaError_t __cudaHeddleLibraryOf(cudaLibrary_t* library, const void* kernel);
}
