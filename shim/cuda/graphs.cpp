// Graphs and captured streams are the runtime's.
#include "arrays.h"
#include "driver.h"

using namespace heddle::driver;

// Its parameters, which have the layout of the driver's, are not in heddle's header.
extern "C" cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* exec, cudaGraph_t graph, void* parameters);

namespace {

// Arguments as one block are not taken: the runtime copies single ones.
cudaError_t read_kernel(const CUDA_KERNEL_NODE_PARAMS& what, cudaKernelNodeParams& out) {
    if (what.extra != nullptr)
        return cudaErrorNotSupported;
    const void* const function = what.func != nullptr ? kernel_of(what.func) : what.kern;
    out = {const_cast<void*>(function),
           dim3(what.gridDimX, what.gridDimY, what.gridDimZ),
           dim3(what.blockDimX, what.blockDimY, what.blockDimZ),
           what.sharedMemBytes,
           what.kernelParams,
           nullptr};
    return cudaSuccess;
}

// Calls body(the runtime's parameters).
template <class F>
CUresult with_kernel(const CUDA_KERNEL_NODE_PARAMS* what, F&& body) {
    return in_context([&] {
        cudaKernelNodeParams parameters;
        if (what == nullptr)
            return cudaErrorInvalidValue;
        const cudaError_t error = read_kernel(*what, parameters);
        return error != cudaSuccess ? error : body(&parameters);
    });
}

} // namespace

HEDDLE_DRIVER_API CUresult cuStreamBeginCapture(CUstream stream, CUstreamCaptureMode mode) {
    return in_context([&] { return cudaStreamBeginCapture(stream, static_cast<cudaStreamCaptureMode>(mode)); });
}
#undef cuStreamBeginCapture
HEDDLE_DRIVER_API CUresult cuStreamBeginCapture(CUstream stream) {
    return cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_GLOBAL);
}
HEDDLE_DRIVER_API CUresult cuStreamEndCapture(CUstream stream, CUgraph* graph) {
    return in_context([&] { return cudaStreamEndCapture(stream, graph); });
}
HEDDLE_DRIVER_API CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus* status) {
    return in_context([&] {
        cudaStreamCaptureStatus found{};
        const cudaError_t error = status == nullptr ? cudaErrorInvalidValue : cudaStreamIsCapturing(stream, &found);
        if (error == cudaSuccess)
            *status = static_cast<CUstreamCaptureStatus>(found);
        return error;
    });
}
HEDDLE_DRIVER_API CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode* mode) {
    return in_context([&] {
        if (mode == nullptr)
            return cudaErrorInvalidValue;
        auto exchanged = static_cast<cudaStreamCaptureMode>(*mode);
        const cudaError_t error = cudaThreadExchangeStreamCaptureMode(&exchanged);
        *mode = static_cast<CUstreamCaptureMode>(exchanged);
        return error;
    });
}

HEDDLE_DRIVER_API CUresult cuGraphCreate(CUgraph* graph, unsigned flags) {
    return initialised([&] { return cudaGraphCreate(graph, flags); });
}
HEDDLE_DRIVER_API CUresult cuGraphDestroy(CUgraph graph) {
    return initialised([&] { return cudaGraphDestroy(graph); });
}
HEDDLE_DRIVER_API CUresult cuGraphClone(CUgraph* clone, CUgraph graph) {
    return initialised([&] { return cudaGraphClone(clone, graph); });
}

HEDDLE_DRIVER_API CUresult cuGraphAddKernelNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* after,
                                                std::size_t count, const CUDA_KERNEL_NODE_PARAMS* what) {
    return with_kernel(what, [&](const cudaKernelNodeParams* parameters) {
        return cudaGraphAddKernelNode(node, graph, after, count, parameters);
    });
}
HEDDLE_DRIVER_API CUresult cuGraphAddMemcpyNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* after,
                                                std::size_t count, const CUDA_MEMCPY3D* what, CUcontext) {
    return in_context([&] {
        cudaMemcpy3DParms parameters;
        const cudaError_t error = what == nullptr ? cudaErrorInvalidValue : read_copy(*what, parameters);
        return error != cudaSuccess ? error : cudaGraphAddMemcpyNode(node, graph, after, count, &parameters);
    });
}
HEDDLE_DRIVER_API CUresult cuGraphAddMemsetNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* after,
                                                std::size_t count, const CUDA_MEMSET_NODE_PARAMS* what, CUcontext) {
    return in_context([&] {
        if (what == nullptr)
            return cudaErrorInvalidValue;
        const cudaMemsetParams parameters{pointer_of(what->dst), what->pitch, what->value,
                                          what->elementSize,     what->width, what->height};
        return cudaGraphAddMemsetNode(node, graph, after, count, &parameters);
    });
}
HEDDLE_DRIVER_API CUresult cuGraphAddHostNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* after,
                                              std::size_t count, const CUDA_HOST_NODE_PARAMS* what) {
    return in_context([&] {
        if (what == nullptr)
            return cudaErrorInvalidValue;
        const cudaHostNodeParams parameters{what->fn, what->userData};
        return cudaGraphAddHostNode(node, graph, after, count, &parameters);
    });
}
HEDDLE_DRIVER_API CUresult cuGraphAddEmptyNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* after,
                                               std::size_t count) {
    return in_context([&] { return cudaGraphAddEmptyNode(node, graph, after, count); });
}
HEDDLE_DRIVER_API CUresult cuGraphAddChildGraphNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* after,
                                                    std::size_t count, CUgraph child) {
    return in_context([&] { return cudaGraphAddChildGraphNode(node, graph, after, count, child); });
}

HEDDLE_DRIVER_API CUresult cuGraphGetNodes(CUgraph graph, CUgraphNode* nodes, std::size_t* count) {
    return initialised([&] { return cudaGraphGetNodes(graph, nodes, count); });
}
HEDDLE_DRIVER_API CUresult cuGraphGetRootNodes(CUgraph graph, CUgraphNode* nodes, std::size_t* count) {
    return initialised([&] { return cudaGraphGetRootNodes(graph, nodes, count); });
}
HEDDLE_DRIVER_API CUresult cuGraphNodeGetType(CUgraphNode node, CUgraphNodeType* type) {
    return initialised([&] {
        cudaGraphNodeType found{};
        const cudaError_t error = type == nullptr ? cudaErrorInvalidValue : cudaGraphNodeGetType(node, &found);
        if (error == cudaSuccess)
            *type = static_cast<CUgraphNodeType>(found);
        return error;
    });
}
HEDDLE_DRIVER_API CUresult cuGraphDestroyNode(CUgraphNode node) {
    return initialised([&] { return cudaGraphDestroyNode(node); });
}

HEDDLE_DRIVER_API CUresult cuGraphKernelNodeGetParams(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS* what) {
    return initialised([&] {
        cudaKernelNodeParams found;
        const cudaError_t error = what == nullptr ? cudaErrorInvalidValue : cudaGraphKernelNodeGetParams(node, &found);
        if (error == cudaSuccess)
            *what = {reinterpret_cast<CUfunction>(found.func),
                     found.gridDim.x,
                     found.gridDim.y,
                     found.gridDim.z,
                     found.blockDim.x,
                     found.blockDim.y,
                     found.blockDim.z,
                     found.sharedMemBytes,
                     found.kernelParams,
                     nullptr,
                     nullptr,
                     nullptr};
        return error;
    });
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

HEDDLE_DRIVER_API CUresult cuGraphInstantiateWithFlags(CUgraphExec* exec, CUgraph graph, unsigned long long flags) {
    return in_context([&] { return cudaGraphInstantiateWithFlags(exec, graph, flags); });
}
// The form of CUDA 10 and 11. `failed`: a node that cannot be; `log`: room for a text.
HEDDLE_DRIVER_API CUresult cuGraphInstantiate_v2(CUgraphExec* exec, CUgraph graph, CUgraphNode* failed, char* log,
                                                 std::size_t bytes) {
    if (failed != nullptr)
        *failed = nullptr;
    if (log != nullptr && bytes != 0)
        *log = 0;
    return cuGraphInstantiateWithFlags(exec, graph, 0);
}
HEDDLE_DRIVER_API CUresult cuGraphExecUpdate(CUgraphExec exec, CUgraph graph, CUgraphExecUpdateResultInfo* result) {
    return in_context([&] {
        cudaGraphExecUpdateResultInfo found{};
        const cudaError_t error = result == nullptr ? cudaErrorInvalidValue : cudaGraphExecUpdate(exec, graph, &found);
        if (result != nullptr)
            *result = {found.result, found.errorNode, found.errorFromNode};
        return error;
    });
}
HEDDLE_DRIVER_API CUresult cuGraphInstantiateWithParams(CUgraphExec* exec, CUgraph graph, void* parameters) {
    return in_context([&] { return cudaGraphInstantiateWithParams(exec, graph, parameters); });
}
#undef cuGraphExecUpdate
HEDDLE_DRIVER_API CUresult cuGraphExecUpdate(CUgraphExec exec, CUgraph graph, CUgraphNode* node,
                                             CUgraphExecUpdateResult* result) {
    CUgraphExecUpdateResultInfo found{};
    const CUresult error = cuGraphExecUpdate_v2(exec, graph, &found);
    if (node != nullptr)
        *node = found.errorNode;
    if (result != nullptr)
        *result = found.result;
    return error;
}
HEDDLE_DRIVER_API CUresult cuGraphUpload(CUgraphExec exec, CUstream stream) {
    return in_context([&] { return cudaGraphUpload(exec, stream); });
}
HEDDLE_DRIVER_API CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream) {
    return in_context([&] { return cudaGraphLaunch(exec, stream); });
}
HEDDLE_DRIVER_API CUresult cuGraphExecDestroy(CUgraphExec exec) {
    return initialised([&] { return cudaGraphExecDestroy(exec); });
}
