// Nodes of any kind by one function, whose arguments differ between the versions of CUDA.
#include "graph_conditions.h"
#include "graph_executables.h"
#include "graph_memory.h"

using namespace heddle::cudart;

namespace {

bool has_conditions(const CUgraph_st& graph) {
    return std::any_of(graph.nodes.begin(), graph.nodes.end(), [](const auto& node) {
        const auto* const child = std::get_if<ChildGraph>(&node->task);
        return node->type == cudaGraphNodeTypeConditional || (child != nullptr && has_conditions(*child->graph));
    });
}

// A graph that becomes a part of another one, and ends with it.
cudaError_t move_child(Task& task, cudaGraph_t parent, cudaGraph_t child) {
    const auto at =
        std::find_if(graphs().begin(), graphs().end(), [&](const auto& graph) { return graph.get() == child; });
    if (at == graphs().end() || child == parent || *child->is_instantiated || has_conditions(*child)) {
        complain("a graph is moved into a node of another graph: it must be no part of a graph, and have neither an "
                 "executable graph nor conditional nodes");
        return cudaErrorInvalidValue;
    }
    child->is_moved = true;
    task = ChildGraph{*at};
    graphs().erase(at);
    return cudaSuccess;
}

// What is described in the same way for new nodes, nodes and steps.
cudaError_t describe(Task& task, const cudaGraphNodeParams& what) {
    switch (what.type) {
    case cudaGraphNodeTypeKernel:
        return describe_kernel(task, &what.kernel);
    case cudaGraphNodeTypeMemcpy:
        return describe_copy(task, &what.memcpy.copyParams);
    case cudaGraphNodeTypeMemset:
        return describe_fill(task, &what.memset);
    case cudaGraphNodeTypeHost:
        return describe_host(task, &what.host);
    case cudaGraphNodeTypeWaitEvent:
        return describe_event(task, what.eventWait.event);
    case cudaGraphNodeTypeEventRecord:
        return describe_event(task, what.eventRecord.event);
    case cudaGraphNodeTypeEmpty:
        return cudaSuccess;
    default:
        complain("a function for nodes of any kind is called for a kind of node that it does not serve: nodes of "
                 "external semaphores are not supported, and nodes for memory and conditions keep their parameters");
        return cudaErrorNotSupported;
    }
}

cudaError_t describe_new(Task& task, cudaGraph_t graph, cudaGraphNodeParams& what) {
    switch (what.type) {
    case cudaGraphNodeTypeGraph:
        return what.graph.ownership == cudaGraphChildGraphOwnershipMove ? move_child(task, graph, what.graph.graph)
                                                                        : describe_child(task, what.graph.graph);
    case cudaGraphNodeTypeMemAlloc:
        return describe_allocation(task, *graph, &what.alloc);
    case cudaGraphNodeTypeMemFree:
        return describe_release(task, *graph, what.free.dptr);
    case cudaGraphNodeTypeConditional:
        return describe_branch(task, &what.conditional);
    default:
        return describe(task, what);
    }
}

cudaError_t add(const Place& place, cudaGraphNodeParams* what) {
    if (what == nullptr)
        return record(cudaErrorInvalidValue);
    return add_node(place, what->type, [&](Task& task) { return describe_new(task, place.graph, *what); });
}

} // namespace

// With data of edges, which say nothing here: dependencies are whole.
HEDDLE_CUDA_API cudaError_t cudaGraphAddNode_v2(cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* after,
                                                const cudaGraphEdgeData*, std::size_t count,
                                                cudaGraphNodeParams* what) {
    return add({out, graph, after, count}, what);
}
#if HEDDLE_CUDART_VERSION >= 13000
HEDDLE_CUDA_API cudaError_t cudaGraphAddNode(cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* after,
                                             const cudaGraphEdgeData*, std::size_t count, cudaGraphNodeParams* what) {
    return add({out, graph, after, count}, what);
}
#else
HEDDLE_CUDA_API cudaError_t cudaGraphAddNode(cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* after,
                                             std::size_t count, cudaGraphNodeParams* what) {
    return add({out, graph, after, count}, what);
}
#endif
HEDDLE_CUDA_API cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams* what) {
    if (what == nullptr)
        return record(cudaErrorInvalidValue);
    return set_node(node, what->type, [&](Task& task) {
        return what->type == cudaGraphNodeTypeGraph ? describe_child(task, what->graph.graph) : describe(task, *what);
    });
}
HEDDLE_CUDA_API cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                       cudaGraphNodeParams* what) {
    if (what == nullptr)
        return record(cudaErrorInvalidValue);
    if (what->type == cudaGraphNodeTypeGraph)
        return cudaGraphExecChildGraphNodeSetParams(exec, node, what->graph.graph);
    return set_step(exec, node, what->type, [&](Task& task) { return describe(task, *what); });
}
