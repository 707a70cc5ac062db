// Nodes that programs add to graphs by hand, one function for each kind.
#include "copies.h"
#include "graph.h"

using namespace heddle::cudart;

HEDDLE_CUDA_API cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                                   const cudaGraphNode_t* after, std::size_t count,
                                                   const cudaKernelNodeParams* what) {
    return add_node({out, graph, after, count}, cudaGraphNodeTypeKernel,
                    [&](Task& task) { return describe_kernel(task, what); });
}
HEDDLE_CUDA_API cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* after,
                                                 std::size_t count, const cudaHostNodeParams* what) {
    return add_node({out, graph, after, count}, cudaGraphNodeTypeHost,
                    [&](Task& task) { return describe_host(task, what); });
}
HEDDLE_CUDA_API cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                                   const cudaGraphNode_t* after, std::size_t count,
                                                   const cudaMemsetParams* what) {
    return add_node({out, graph, after, count}, cudaGraphNodeTypeMemset,
                    [&](Task& task) { return describe_fill(task, what); });
}
HEDDLE_CUDA_API cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                                   const cudaGraphNode_t* after, std::size_t count,
                                                   const cudaMemcpy3DParms* what) {
    return add_node({out, graph, after, count}, cudaGraphNodeTypeMemcpy,
                    [&](Task& task) { return describe_copy(task, what); });
}
HEDDLE_CUDA_API cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* out, cudaGraph_t graph,
                                                     const cudaGraphNode_t* after, std::size_t count, void* to,
                                                     const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    return add_node({out, graph, after, count}, cudaGraphNodeTypeMemcpy,
                    [&](Task& task) { return describe_copy_of_bytes(task, to, from, bytes, kind); });
}
HEDDLE_CUDA_API cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* out, cudaGraph_t graph,
                                                           const cudaGraphNode_t* after, std::size_t count,
                                                           const void* symbol, const void* from, std::size_t bytes,
                                                           std::size_t offset, cudaMemcpyKind kind) {
    return add_node({out, graph, after, count}, cudaGraphNodeTypeMemcpy,
                    [&](Task& task) { return describe_copy_to_symbol(task, symbol, from, bytes, offset, kind); });
}
HEDDLE_CUDA_API cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* out, cudaGraph_t graph,
                                                             const cudaGraphNode_t* after, std::size_t count, void* to,
                                                             const void* symbol, std::size_t bytes, std::size_t offset,
                                                             cudaMemcpyKind kind) {
    return add_node({out, graph, after, count}, cudaGraphNodeTypeMemcpy,
                    [&](Task& task) { return describe_copy_from_symbol(task, to, symbol, bytes, offset, kind); });
}
HEDDLE_CUDA_API cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* after,
                                                  std::size_t count) {
    return add_node({out, graph, after, count}, cudaGraphNodeTypeEmpty, [](Task&) { return cudaSuccess; });
}
HEDDLE_CUDA_API cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                                       const cudaGraphNode_t* after, std::size_t count,
                                                       cudaGraph_t child) {
    return add_node({out, graph, after, count}, cudaGraphNodeTypeGraph,
                    [&](Task& task) { return describe_child(task, child); });
}
HEDDLE_CUDA_API cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                                        const cudaGraphNode_t* after, std::size_t count,
                                                        cudaEvent_t event) {
    return add_node({out, graph, after, count}, cudaGraphNodeTypeEventRecord,
                    [&](Task& task) { return describe_event(task, event); });
}
HEDDLE_CUDA_API cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                                      const cudaGraphNode_t* after, std::size_t count,
                                                      cudaEvent_t event) {
    return add_node({out, graph, after, count}, cudaGraphNodeTypeWaitEvent,
                    [&](Task& task) { return describe_event(task, event); });
}
