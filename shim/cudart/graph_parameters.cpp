// Parameters of nodes: read, and changed in a graph or in an executable graph.
#include <variant>

#include "copies.h"
#include "graph.h"

using namespace heddle::cudart;

namespace {

// Gives the description of a node of that type.
template <class T>
cudaError_t give(cudaGraphNode_t node, cudaGraphNodeType type, T* out) {
    return with_task(node, type, [&](const Task& task) {
        const T* const what = std::get_if<T>(&task);
        if (out == nullptr)
            return cudaErrorInvalidValue;
        if (what == nullptr) {
            complain("the parameters of a node are asked for which come from the capture of a copy or fill that has no "
                     "such parameters");
            return cudaErrorNotSupported;
        }
        *out = *what;
        return cudaSuccess;
    });
}

cudaError_t give_event(cudaGraphNode_t node, cudaGraphNodeType type, cudaEvent_t* out) {
    EventUse use{};
    const cudaError_t error = give(node, type, out == nullptr ? nullptr : &use);
    if (error == cudaSuccess)
        *out = use.event;
    return error;
}

} // namespace

HEDDLE_CUDA_API cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* out) {
    return with_task(node, cudaGraphNodeTypeKernel, [&](const Task& task) {
        if (out == nullptr)
            return cudaErrorInvalidValue;
        KernelCall& call = *std::get<KernelTask>(task);
        *out = {const_cast<void*>(call.function),
                call.grid,
                call.block,
                static_cast<unsigned int>(call.shared),
                call.pointers.data(),
                nullptr};
        return cudaSuccess;
    });
}
HEDDLE_CUDA_API cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms* out) {
    return give(node, cudaGraphNodeTypeMemcpy, out);
}
HEDDLE_CUDA_API cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams* out) {
    return give(node, cudaGraphNodeTypeMemset, out);
}
HEDDLE_CUDA_API cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams* out) {
    return give(node, cudaGraphNodeTypeHost, out);
}
HEDDLE_CUDA_API cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* out) {
    return give_event(node, cudaGraphNodeTypeEventRecord, out);
}
HEDDLE_CUDA_API cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* out) {
    return give_event(node, cudaGraphNodeTypeWaitEvent, out);
}
HEDDLE_CUDA_API cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* out) {
    return with_task(node, cudaGraphNodeTypeGraph, [&](const Task& task) {
        if (out == nullptr)
            return cudaErrorInvalidValue;
        *out = std::get<ChildGraph>(task).graph.get();
        return cudaSuccess;
    });
}

// The two functions that give a node's description: of the node, and of its step in an executable graph.
// HEDDLE_SET(node's function, executable graph's function, type, (parameters), (description of `task`)).
#define HEDDLE_LIST(...) __VA_ARGS__
#define HEDDLE_SET(of_node, of_exec, type, parameters, describe)                                                       \
    HEDDLE_CUDA_API cudaError_t of_node(cudaGraphNode_t node, HEDDLE_LIST parameters) {                                \
        return set_node(node, type, [&](Task& task) { return describe; });                                             \
    }                                                                                                                  \
    HEDDLE_CUDA_API cudaError_t of_exec(cudaGraphExec_t exec, cudaGraphNode_t node, HEDDLE_LIST parameters) {          \
        return set_step(exec, node, type, [&](Task& task) { return describe; });                                       \
    }
HEDDLE_SET(cudaGraphKernelNodeSetParams, cudaGraphExecKernelNodeSetParams, cudaGraphNodeTypeKernel,
           (const cudaKernelNodeParams* what), describe_kernel(task, what))
HEDDLE_SET(cudaGraphMemcpyNodeSetParams, cudaGraphExecMemcpyNodeSetParams, cudaGraphNodeTypeMemcpy,
           (const cudaMemcpy3DParms* what), describe_copy(task, what))
HEDDLE_SET(cudaGraphMemcpyNodeSetParams1D, cudaGraphExecMemcpyNodeSetParams1D, cudaGraphNodeTypeMemcpy,
           (void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind),
           describe_copy_of_bytes(task, to, from, bytes, kind))
HEDDLE_SET(cudaGraphMemcpyNodeSetParamsToSymbol, cudaGraphExecMemcpyNodeSetParamsToSymbol, cudaGraphNodeTypeMemcpy,
           (const void* symbol, const void* from, std::size_t bytes, std::size_t offset, cudaMemcpyKind kind),
           describe_copy_to_symbol(task, symbol, from, bytes, offset, kind))
HEDDLE_SET(cudaGraphMemcpyNodeSetParamsFromSymbol, cudaGraphExecMemcpyNodeSetParamsFromSymbol, cudaGraphNodeTypeMemcpy,
           (void* to, const void* symbol, std::size_t bytes, std::size_t offset, cudaMemcpyKind kind),
           describe_copy_from_symbol(task, to, symbol, bytes, offset, kind))
HEDDLE_SET(cudaGraphMemsetNodeSetParams, cudaGraphExecMemsetNodeSetParams, cudaGraphNodeTypeMemset,
           (const cudaMemsetParams* what), describe_fill(task, what))
HEDDLE_SET(cudaGraphHostNodeSetParams, cudaGraphExecHostNodeSetParams, cudaGraphNodeTypeHost,
           (const cudaHostNodeParams* what), describe_host(task, what))
HEDDLE_SET(cudaGraphEventRecordNodeSetEvent, cudaGraphExecEventRecordNodeSetEvent, cudaGraphNodeTypeEventRecord,
           (cudaEvent_t event), describe_event(task, event))
HEDDLE_SET(cudaGraphEventWaitNodeSetEvent, cudaGraphExecEventWaitNodeSetEvent, cudaGraphNodeTypeWaitEvent,
           (cudaEvent_t event), describe_event(task, event))
