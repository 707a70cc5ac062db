// Nodes that programs add to graphs.
#include <cstring>

#include "graph_parameters.h"

using namespace heddle::driver;

namespace {

// The parameters of a node of any kind as the runtime has them, but for memory operations.
cudaError_t read_node(const CUgraphNodeParams& what, std::vector<void*>& unpacked, cudaGraphNodeParams& out) {
    out.type = static_cast<cudaGraphNodeType>(what.type);
    switch (what.type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
        return read_kernel(what.kernel, unpacked, out.kernel);
    case CU_GRAPH_NODE_TYPE_MEMCPY:
        return read_copy(what.memcpy.copyParams, out.memcpy.copyParams);
    case CU_GRAPH_NODE_TYPE_MEMSET:
        out.memset = {pointer_of(what.memset.dst), what.memset.pitch, what.memset.value,
                      what.memset.elementSize,     what.memset.width, what.memset.height};
        return cudaSuccess;
    case CU_GRAPH_NODE_TYPE_CONDITIONAL:
        out.conditional = {what.conditional.handle, what.conditional.type, what.conditional.size, nullptr};
        return cudaSuccess;
    default: // the layout is the same
        std::memcpy(out.reserved1, what.reserved1, sizeof out.reserved1);
        return cudaSuccess;
    }
}

// What the runtime gives back.
void tell_node(const cudaGraphNodeParams& found, CUgraphNodeParams& what) {
    if (what.type == CU_GRAPH_NODE_TYPE_MEM_ALLOC)
        what.alloc.dptr = device_pointer(found.alloc.dptr);
    if (what.type == CU_GRAPH_NODE_TYPE_CONDITIONAL)
        what.conditional.phGraph_out = found.conditional.phGraph_out;
}

// Calls body(the runtime's parameters), or operations(of memory).
template <class F, class G>
CUresult with_node(CUgraphNodeParams* what, F&& body, G&& operations) {
    return in_context([&] {
        if (what == nullptr)
            return cudaErrorInvalidValue;
        if (what->type == CU_GRAPH_NODE_TYPE_BATCH_MEM_OP)
            return operations(what->memOp);
        cudaGraphNodeParams parameters = {};
        std::vector<void*> unpacked;
        cudaError_t error = read_node(*what, unpacked, parameters);
        if (error == cudaSuccess)
            error = body(&parameters);
        if (error == cudaSuccess)
            tell_node(parameters, *what);
        return error;
    });
}

} // namespace

HEDDLE_DRIVER_API CUresult cuGraphAddKernelNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* after,
                                                std::size_t count, const CUDA_KERNEL_NODE_PARAMS* what) {
    return with_kernel(what, [&](const cudaKernelNodeParams* parameters) {
        return cudaGraphAddKernelNode(node, graph, after, count, parameters);
    });
}
HEDDLE_DRIVER_API CUresult cuGraphAddMemcpyNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* after,
                                                std::size_t count, const CUDA_MEMCPY3D* what, CUcontext) {
    return with_copy(what, [&](const cudaMemcpy3DParms* parameters) {
        return cudaGraphAddMemcpyNode(node, graph, after, count, parameters);
    });
}
HEDDLE_DRIVER_API CUresult cuGraphAddMemsetNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* after,
                                                std::size_t count, const CUDA_MEMSET_NODE_PARAMS* what, CUcontext) {
    return with_fill(what, [&](const cudaMemsetParams* parameters) {
        return cudaGraphAddMemsetNode(node, graph, after, count, parameters);
    });
}
HEDDLE_DRIVER_API CUresult cuGraphAddHostNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* after,
                                              std::size_t count, const CUDA_HOST_NODE_PARAMS* what) {
    return with_host_call(what, [&](const cudaHostNodeParams* parameters) {
        return cudaGraphAddHostNode(node, graph, after, count, parameters);
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
HEDDLE_DRIVER_API CUresult cuGraphAddEventRecordNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* after,
                                                     std::size_t count, CUevent event) {
    return in_context([&] { return cudaGraphAddEventRecordNode(node, graph, after, count, event); });
}
HEDDLE_DRIVER_API CUresult cuGraphAddEventWaitNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* after,
                                                   std::size_t count, CUevent event) {
    return in_context([&] { return cudaGraphAddEventWaitNode(node, graph, after, count, event); });
}
HEDDLE_DRIVER_API CUresult cuGraphAddMemAllocNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* after,
                                                  std::size_t count, CUDA_MEM_ALLOC_NODE_PARAMS* what) {
    static_assert(sizeof(CUDA_MEM_ALLOC_NODE_PARAMS) == sizeof(cudaMemAllocNodeParams));
    return in_context([&] {
        return cudaGraphAddMemAllocNode(node, graph, after, count, reinterpret_cast<cudaMemAllocNodeParams*>(what));
    });
}
HEDDLE_DRIVER_API CUresult cuGraphAddMemFreeNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* after,
                                                 std::size_t count, CUdeviceptr memory) {
    return in_context([&] { return cudaGraphAddMemFreeNode(node, graph, after, count, pointer_of(memory)); });
}

// Nodes of any kind. Data of edges say nothing here: dependencies are whole.
HEDDLE_DRIVER_API CUresult cuGraphAddNode_v2(CUgraphNode* node, CUgraph graph, const CUgraphNode* after,
                                             const CUgraphEdgeData* edges, std::size_t count, CUgraphNodeParams* what) {
    return with_node(
        what,
        [&](cudaGraphNodeParams* parameters) {
            return cudaGraphAddNode_v2(node, graph, after, edges, count, parameters);
        },
        [&](const CUDA_BATCH_MEM_OP_NODE_PARAMS& batch) {
            return __cudaHeddleAddOperations(node, graph, after, count, batch.paramArray, batch.count);
        });
}
HEDDLE_DRIVER_API CUresult cuGraphAddNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* after, std::size_t count,
                                          CUgraphNodeParams* what) {
    return cuGraphAddNode_v2(node, graph, after, nullptr, count, what);
}
HEDDLE_DRIVER_API CUresult cuGraphNodeSetParams(CUgraphNode node, CUgraphNodeParams* what) {
    return with_node(
        what, [&](cudaGraphNodeParams* parameters) { return cudaGraphNodeSetParams(node, parameters); },
        [&](const CUDA_BATCH_MEM_OP_NODE_PARAMS& batch) {
            return __cudaHeddleSetOperations(nullptr, node, batch.paramArray, batch.count);
        });
}
HEDDLE_DRIVER_API CUresult cuGraphExecNodeSetParams(CUgraphExec exec, CUgraphNode node, CUgraphNodeParams* what) {
    return with_node(
        what, [&](cudaGraphNodeParams* parameters) { return cudaGraphExecNodeSetParams(exec, node, parameters); },
        [&](const CUDA_BATCH_MEM_OP_NODE_PARAMS& batch) {
            return exec == nullptr ? cudaErrorInvalidValue
                                   : __cudaHeddleSetOperations(exec, node, batch.paramArray, batch.count);
        });
}
