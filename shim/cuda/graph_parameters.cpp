// Parameters of graphs' nodes: read, and changed in a graph or in an executable graph.
#include "graph_parameters.h"

#include <cstring>

using namespace heddle::driver;

namespace {

// Memory of the device, or of the host program.
CUmemorytype type_of(const void* pointer) {
    cudaPointerAttributes found{};
    const bool known = cudaPointerGetAttributes(&found, pointer) == cudaSuccess;
    return known && found.type >= cudaMemoryTypeDevice ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST;
}

// Bytes of an element of the array; 1 where there is none.
cudaError_t unit_of(cudaArray_t array, std::size_t& bytes) {
    cudaChannelFormatDesc format;
    bytes = 1;
    const cudaError_t error = array == nullptr ? cudaSuccess : cudaGetChannelDesc(&format, array);
    if (array != nullptr && error == cudaSuccess)
        bytes = static_cast<std::size_t>(format.x + format.y + format.z + format.w) / 8;
    return error;
}

// Calls body(the runtime's parameters), and converts what it has put there.
template <class Found, class Given, class Get, class Convert>
CUresult give(Given* out, Get&& get, Convert&& convert) {
    return in_context([&] {
        Found found{};
        const cudaError_t error = out == nullptr ? cudaErrorInvalidValue : get(&found);
        return error != cudaSuccess ? error : convert(found, *out);
    });
}

} // namespace

cudaError_t heddle::driver::read_kernel(const CUDA_KERNEL_NODE_PARAMS& what, std::vector<void*>& unpacked,
                                        cudaKernelNodeParams& out) {
    const void* const function = what.func != nullptr ? kernel_of(what.func) : what.kern;
    out = {const_cast<void*>(function),
           dim3(what.gridDimX, what.gridDimY, what.gridDimZ),
           dim3(what.blockDimX, what.blockDimY, what.blockDimZ),
           what.sharedMemBytes,
           what.kernelParams,
           nullptr};
    return choose_arguments(reinterpret_cast<CUfunction>(out.func), out.kernelParams, what.extra, unpacked);
}

CUDA_KERNEL_NODE_PARAMS heddle::driver::kernel_parameters(const cudaKernelNodeParams& what) {
    return {reinterpret_cast<CUfunction>(what.func),
            what.gridDim.x,
            what.gridDim.y,
            what.gridDim.z,
            what.blockDim.x,
            what.blockDim.y,
            what.blockDim.z,
            what.sharedMemBytes,
            what.kernelParams,
            nullptr,
            nullptr,
            nullptr};
}

cudaError_t heddle::driver::copy_parameters(const cudaMemcpy3DParms& what, CUDA_MEMCPY3D& out) {
    std::size_t unit = 1;
    const cudaArray_t array = what.srcArray != nullptr ? what.srcArray : what.dstArray;
    const cudaError_t error = unit_of(array, unit);
    if (error != cudaSuccess)
        return error;
    out = {};
    out.srcXInBytes = what.srcPos.x * (what.srcArray != nullptr ? unit : 1);
    out.srcY = what.srcPos.y;
    out.srcZ = what.srcPos.z;
    out.srcMemoryType = what.srcArray != nullptr ? CU_MEMORYTYPE_ARRAY : type_of(what.srcPtr.ptr);
    out.srcHost = what.srcPtr.ptr;
    out.srcDevice = device_pointer(what.srcPtr.ptr);
    out.srcArray = array_of(what.srcArray);
    out.srcPitch = what.srcPtr.pitch;
    out.srcHeight = what.srcPtr.ysize;
    out.dstXInBytes = what.dstPos.x * (what.dstArray != nullptr ? unit : 1);
    out.dstY = what.dstPos.y;
    out.dstZ = what.dstPos.z;
    out.dstMemoryType = what.dstArray != nullptr ? CU_MEMORYTYPE_ARRAY : type_of(what.dstPtr.ptr);
    out.dstHost = what.dstPtr.ptr;
    out.dstDevice = device_pointer(what.dstPtr.ptr);
    out.dstArray = array_of(what.dstArray);
    out.dstPitch = what.dstPtr.pitch;
    out.dstHeight = what.dstPtr.ysize;
    out.WidthInBytes = what.extent.width * unit;
    out.Height = what.extent.height;
    out.Depth = what.extent.depth;
    return cudaSuccess;
}

HEDDLE_DRIVER_API CUresult cuGraphKernelNodeGetParams(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS* out) {
    return give<cudaKernelNodeParams>(
        out, [&](cudaKernelNodeParams* found) { return cudaGraphKernelNodeGetParams(node, found); },
        [](const cudaKernelNodeParams& found, CUDA_KERNEL_NODE_PARAMS& to) {
            to = kernel_parameters(found);
            return cudaSuccess;
        });
}
// The form of before CUDA 12 ends before the kernel's handle.
#undef cuGraphKernelNodeGetParams
HEDDLE_DRIVER_API CUresult cuGraphKernelNodeGetParams(CUgraphNode node, void* out) {
    CUDA_KERNEL_NODE_PARAMS found;
    const CUresult result = out == nullptr ? CUDA_ERROR_INVALID_VALUE : cuGraphKernelNodeGetParams_v2(node, &found);
    if (result == CUDA_SUCCESS)
        std::memcpy(out, &found, offsetof(CUDA_KERNEL_NODE_PARAMS, kern));
    return result;
}
HEDDLE_DRIVER_API CUresult cuGraphKernelNodeSetParams(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS* what) {
    return with_kernel(
        what, [&](const cudaKernelNodeParams* parameters) { return cudaGraphKernelNodeSetParams(node, parameters); });
}
HEDDLE_DRIVER_API CUresult cuGraphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                                          const CUDA_KERNEL_NODE_PARAMS* what) {
    return with_kernel(what, [&](const cudaKernelNodeParams* parameters) {
        return cudaGraphExecKernelNodeSetParams(exec, node, parameters);
    });
}

HEDDLE_DRIVER_API CUresult cuGraphMemcpyNodeGetParams(CUgraphNode node, CUDA_MEMCPY3D* out) {
    return give<cudaMemcpy3DParms>(
        out, [&](cudaMemcpy3DParms* found) { return cudaGraphMemcpyNodeGetParams(node, found); }, copy_parameters);
}
HEDDLE_DRIVER_API CUresult cuGraphMemcpyNodeSetParams(CUgraphNode node, const CUDA_MEMCPY3D* what) {
    return with_copy(
        what, [&](const cudaMemcpy3DParms* parameters) { return cudaGraphMemcpyNodeSetParams(node, parameters); });
}
HEDDLE_DRIVER_API CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_MEMCPY3D* what,
                                                          CUcontext) {
    return with_copy(what, [&](const cudaMemcpy3DParms* parameters) {
        return cudaGraphExecMemcpyNodeSetParams(exec, node, parameters);
    });
}

HEDDLE_DRIVER_API CUresult cuGraphMemsetNodeGetParams(CUgraphNode node, CUDA_MEMSET_NODE_PARAMS* out) {
    return give<cudaMemsetParams>(
        out, [&](cudaMemsetParams* found) { return cudaGraphMemsetNodeGetParams(node, found); },
        [](const cudaMemsetParams& found, CUDA_MEMSET_NODE_PARAMS& to) {
            to = {device_pointer(found.dst), found.pitch, found.value, found.elementSize, found.width, found.height};
            return cudaSuccess;
        });
}
HEDDLE_DRIVER_API CUresult cuGraphMemsetNodeSetParams(CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS* what) {
    return with_fill(
        what, [&](const cudaMemsetParams* parameters) { return cudaGraphMemsetNodeSetParams(node, parameters); });
}
HEDDLE_DRIVER_API CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                                          const CUDA_MEMSET_NODE_PARAMS* what, CUcontext) {
    return with_fill(what, [&](const cudaMemsetParams* parameters) {
        return cudaGraphExecMemsetNodeSetParams(exec, node, parameters);
    });
}

HEDDLE_DRIVER_API CUresult cuGraphHostNodeGetParams(CUgraphNode node, CUDA_HOST_NODE_PARAMS* out) {
    return give<cudaHostNodeParams>(
        out, [&](cudaHostNodeParams* found) { return cudaGraphHostNodeGetParams(node, found); },
        [](const cudaHostNodeParams& found, CUDA_HOST_NODE_PARAMS& to) {
            to = {found.fn, found.userData};
            return cudaSuccess;
        });
}
HEDDLE_DRIVER_API CUresult cuGraphHostNodeSetParams(CUgraphNode node, const CUDA_HOST_NODE_PARAMS* what) {
    return with_host_call(
        what, [&](const cudaHostNodeParams* parameters) { return cudaGraphHostNodeSetParams(node, parameters); });
}
HEDDLE_DRIVER_API CUresult cuGraphExecHostNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                                        const CUDA_HOST_NODE_PARAMS* what) {
    return with_host_call(what, [&](const cudaHostNodeParams* parameters) {
        return cudaGraphExecHostNodeSetParams(exec, node, parameters);
    });
}

HEDDLE_DRIVER_API CUresult cuGraphMemAllocNodeGetParams(CUgraphNode node, CUDA_MEM_ALLOC_NODE_PARAMS* out) {
    static_assert(sizeof(CUDA_MEM_ALLOC_NODE_PARAMS) == sizeof(cudaMemAllocNodeParams));
    return in_context(
        [&] { return cudaGraphMemAllocNodeGetParams(node, reinterpret_cast<cudaMemAllocNodeParams*>(out)); });
}

// Functions with the parameters of the runtime's: HEDDLE_AS_RUNTIME(name, runtime's name, (parameters), (arguments)).
#define HEDDLE_LIST(...) __VA_ARGS__
#define HEDDLE_AS_RUNTIME(name, runtime_name, parameters, arguments)                                                   \
    HEDDLE_DRIVER_API CUresult name(HEDDLE_LIST parameters) {                                                          \
        return in_context([&] { return runtime_name arguments; });                                                     \
    }
HEDDLE_AS_RUNTIME(cuGraphChildGraphNodeGetGraph, cudaGraphChildGraphNodeGetGraph, (CUgraphNode node, CUgraph* out),
                  (node, out))
HEDDLE_AS_RUNTIME(cuGraphExecChildGraphNodeSetParams, cudaGraphExecChildGraphNodeSetParams,
                  (CUgraphExec exec, CUgraphNode node, CUgraph child), (exec, node, child))
HEDDLE_AS_RUNTIME(cuGraphEventRecordNodeGetEvent, cudaGraphEventRecordNodeGetEvent, (CUgraphNode node, CUevent* out),
                  (node, out))
HEDDLE_AS_RUNTIME(cuGraphEventRecordNodeSetEvent, cudaGraphEventRecordNodeSetEvent, (CUgraphNode node, CUevent event),
                  (node, event))
HEDDLE_AS_RUNTIME(cuGraphExecEventRecordNodeSetEvent, cudaGraphExecEventRecordNodeSetEvent,
                  (CUgraphExec exec, CUgraphNode node, CUevent event), (exec, node, event))
HEDDLE_AS_RUNTIME(cuGraphEventWaitNodeGetEvent, cudaGraphEventWaitNodeGetEvent, (CUgraphNode node, CUevent* out),
                  (node, out))
HEDDLE_AS_RUNTIME(cuGraphEventWaitNodeSetEvent, cudaGraphEventWaitNodeSetEvent, (CUgraphNode node, CUevent event),
                  (node, event))
HEDDLE_AS_RUNTIME(cuGraphExecEventWaitNodeSetEvent, cudaGraphExecEventWaitNodeSetEvent,
                  (CUgraphExec exec, CUgraphNode node, CUevent event), (exec, node, event))
HEDDLE_AS_RUNTIME(cuGraphMemFreeNodeGetParams, cudaGraphMemFreeNodeGetParams, (CUgraphNode node, CUdeviceptr* out),
                  (node, out))
HEDDLE_AS_RUNTIME(cuGraphKernelNodeGetAttribute, cudaGraphKernelNodeGetAttribute,
                  (CUgraphNode node, CUkernelNodeAttrID attribute, CUkernelNodeAttrValue* out), (node, attribute, out))
HEDDLE_AS_RUNTIME(cuGraphKernelNodeSetAttribute, cudaGraphKernelNodeSetAttribute,
                  (CUgraphNode node, CUkernelNodeAttrID attribute, const CUkernelNodeAttrValue* value),
                  (node, attribute, value))
HEDDLE_AS_RUNTIME(cuGraphKernelNodeCopyAttributes, cudaGraphKernelNodeCopyAttributes,
                  (CUgraphNode to, CUgraphNode from), (to, from))
