// Graphs and captured streams are the runtime's.
#include "driver.h"

using namespace heddle::driver;

HEDDLE_DRIVER_API CUresult cuStreamBeginCapture(CUstream stream, CUstreamCaptureMode mode) {
    return in_context([&] { return cudaStreamBeginCapture(stream, static_cast<cudaStreamCaptureMode>(mode)); });
}
#undef cuStreamBeginCapture
HEDDLE_DRIVER_API CUresult cuStreamBeginCapture(CUstream stream) {
    return cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_GLOBAL);
}
HEDDLE_DRIVER_API CUresult cuStreamBeginCaptureToGraph(CUstream stream, CUgraph graph, const CUgraphNode* after,
                                                       const CUgraphEdgeData* edges, std::size_t count,
                                                       CUstreamCaptureMode mode) {
    return in_context([&] {
        return cudaStreamBeginCaptureToGraph(stream, graph, after, edges, count,
                                             static_cast<cudaStreamCaptureMode>(mode));
    });
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
HEDDLE_DRIVER_API CUresult cuGraphInstantiateWithParams(CUgraphExec* exec, CUgraph graph,
                                                        CUDA_GRAPH_INSTANTIATE_PARAMS* parameters) {
    static_assert(sizeof *parameters == sizeof(cudaGraphInstantiateParams));
    return in_context([&] {
        return cudaGraphInstantiateWithParams(exec, graph, reinterpret_cast<cudaGraphInstantiateParams*>(parameters));
    });
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
