// Graphs as programs see them: made by hand or by a capture, made executable, launched.
#include <cstring>
#include <unordered_map>

#include "copies.h"
#include "graph.h"

using namespace heddle::cudart;

// What is launched: the nodes' work as it was, or was set since, in order.
struct CUgraphExec_st {
    struct Step {
        const CUgraphNode_st* node; // of the graph that it was made from, which may be gone
        cudaGraphNodeType type;
        std::vector<std::size_t> after;
        Work work;
    };
    std::shared_ptr<std::vector<Step>> steps;
};

namespace {

using Step = CUgraphExec_st::Step;

std::vector<std::unique_ptr<CUgraphExec_st>>& executables() {
    static auto* const all = new std::vector<std::unique_ptr<CUgraphExec_st>>;
    return *all;
}
bool is_executable(cudaGraphExec_t exec) {
    return std::any_of(executables().begin(), executables().end(), [&](const auto& e) { return e.get() == exec; });
}
// The graph that a node is of; null when it is none's.
cudaGraph_t graph_of(const CUgraphNode_st* node) {
    for (const auto& graph : graphs())
        if (graph->holds(node))
            return graph.get();
    return nullptr;
}

std::vector<Step> steps_of(const CUgraph_st& graph) {
    std::unordered_map<const CUgraphNode_st*, std::size_t> number;
    std::vector<Step> steps;
    for (const auto& node : graph.nodes) {
        number[node.get()] = steps.size();
        Step& step = steps.emplace_back(node.get(), node->type, std::vector<std::size_t>{}, node->work);
        for (const CUgraphNode_st* const before : node->after)
            step.after.push_back(number.at(before));
        std::sort(step.after.begin(), step.after.end());
    }
    return steps;
}

cudaError_t do_all(const std::vector<Step>& steps) {
    for (const Step& step : steps)
        if (const cudaError_t error = step.work ? step.work() : cudaSuccess; error != cudaSuccess)
            return error;
    return cudaSuccess;
}

// Adds a node; make(node) fills it.
template <class Make>
cudaError_t add_node(cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* after, std::size_t count,
                     cudaGraphNodeType type, Make&& make) {
    return api([&](State&) {
        if (out == nullptr || find_graph(graph) == nullptr || (count != 0 && after == nullptr))
            return cudaErrorInvalidValue;
        CUgraphNode_st node{type, {}, {after, after + count}, {}};
        for (const cudaGraphNode_t before : node.after)
            if (!graph->holds(before))
                return cudaErrorInvalidValue;
        const cudaError_t error = make(node);
        if (error == cudaSuccess)
            *out = graph->add(std::move(node));
        return error;
    });
}

cudaError_t set_kernel(CUgraphNode_st& node, const cudaKernelNodeParams* what) {
    if (what == nullptr || what->extra != nullptr)
        return cudaErrorInvalidValue;
    const auto call = std::make_shared<KernelCall>(
        KernelCall{what->func, what->gridDim, what->blockDim, what->sharedMemBytes, false, dim3(0, 0, 0), {}, {}});
    const cudaError_t error = prepare_launch(*call, what->kernelParams);
    if (error != cudaSuccess)
        return error;
    node.kernel = call;
    node.work = [call] { return launch(*call); };
    return cudaSuccess;
}

cudaError_t set_host(CUgraphNode_st& node, const cudaHostNodeParams* what) {
    if (what == nullptr || what->fn == nullptr)
        return cudaErrorInvalidValue;
    node.work = [call = *what] {
        call.fn(call.userData);
        return cudaSuccess;
    };
    return cudaSuccess;
}

cudaError_t set_fill(CUgraphNode_st& node, const cudaMemsetParams* what) {
    if (what == nullptr || (what->elementSize != 1 && what->elementSize != 2 && what->elementSize != 4))
        return cudaErrorInvalidValue;
    node.work = [fill = *what] {
        return fill_elements(fill.dst, fill.height > 1 ? fill.pitch : fill.width * fill.elementSize, fill.value,
                             fill.elementSize, fill.width, fill.height);
    };
    return cudaSuccess;
}

cudaError_t give_nodes(const std::vector<cudaGraphNode_t>& nodes, cudaGraphNode_t* out, std::size_t* count) {
    if (count == nullptr)
        return cudaErrorInvalidValue;
    if (out != nullptr) {
        std::fill_n(out, *count, nullptr);
        std::copy_n(nodes.begin(), std::min(*count, nodes.size()), out);
    }
    *count = out == nullptr ? nodes.size() : std::min(*count, nodes.size());
    return cudaSuccess;
}

cudaError_t instantiate(cudaGraphExec_t* out, cudaGraph_t graph) {
    return api([&](State&) {
        if (out == nullptr || find_graph(graph) == nullptr)
            return cudaErrorInvalidValue;
        const auto& exec = executables().emplace_back(std::make_unique<CUgraphExec_st>());
        exec->steps = std::make_shared<std::vector<Step>>(steps_of(*graph));
        *out = exec.get();
        return cudaSuccess;
    });
}

cudaError_t launch_graph(cudaGraphExec_t exec, cudaStream_t stream) {
    std::shared_ptr<const std::vector<Step>> steps;
    const cudaError_t error = api([&](State&) {
        if (!is_executable(exec))
            return cudaErrorInvalidValue;
        steps = std::make_shared<std::vector<Step>>(*exec->steps); // what is set later is of later launches
        return cudaSuccess;
    });
    if (error != cudaSuccess)
        return error;
    return in_stream(stream, cudaGraphNodeTypeGraph, [steps] { return do_all(*steps); });
}

cudaError_t check_executable(cudaGraphExec_t exec) {
    return api([&](State&) { return is_executable(exec) ? cudaSuccess : cudaErrorInvalidValue; });
}

} // namespace

// The same nodes with the same order may do something else from now on.
cudaGraphExecUpdateResult heddle::cudart::update(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t* differs) {
    std::vector<Step> fresh = steps_of(*graph);
    std::vector<Step>& steps = *exec->steps;
    for (std::size_t i = 0; i < std::min(fresh.size(), steps.size()); ++i) {
        *differs = graph->nodes[i].get();
        if (fresh[i].type != steps[i].type)
            return cudaGraphExecUpdateErrorNodeTypeChanged;
        if (fresh[i].after != steps[i].after)
            return cudaGraphExecUpdateErrorTopologyChanged;
    }
    *differs = nullptr;
    if (fresh.size() != steps.size())
        return cudaGraphExecUpdateErrorTopologyChanged;
    for (std::size_t i = 0; i < steps.size(); ++i)
        steps[i].work = std::move(fresh[i].work);
    return cudaGraphExecUpdateSuccess;
}
bool heddle::cudart::can_update(cudaGraphExec_t exec, cudaGraph_t graph) {
    return is_executable(exec) && find_graph(graph) != nullptr;
}

HEDDLE_CUDA_API cudaError_t cudaGraphCreate(cudaGraph_t* out, unsigned flags) {
    return api([&](State&) {
        if (out == nullptr || flags != 0)
            return cudaErrorInvalidValue;
        *out = graphs().emplace_back(std::make_unique<CUgraph_st>()).get();
        return cudaSuccess;
    });
}
HEDDLE_CUDA_API cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
    return api([&](State&) {
        const auto erased = std::erase_if(graphs(), [&](const auto& g) { return g.get() == graph; });
        return erased != 0 ? cudaSuccess : cudaErrorInvalidValue;
    });
}
HEDDLE_CUDA_API cudaError_t cudaGraphClone(cudaGraph_t* out, cudaGraph_t graph) {
    return api([&](State&) {
        if (out == nullptr || find_graph(graph) == nullptr)
            return cudaErrorInvalidValue;
        auto clone = std::make_unique<CUgraph_st>();
        std::unordered_map<const CUgraphNode_st*, cudaGraphNode_t> twin;
        for (const auto& node : graph->nodes) {
            const cudaGraphNode_t copy = twin[node.get()] = clone->add(*node);
            for (cudaGraphNode_t& before : copy->after)
                before = twin.at(before);
        }
        *out = graphs().emplace_back(std::move(clone)).get();
        return cudaSuccess;
    });
}

HEDDLE_CUDA_API cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                                   const cudaGraphNode_t* after, std::size_t count,
                                                   const cudaKernelNodeParams* what) {
    return add_node(out, graph, after, count, cudaGraphNodeTypeKernel,
                    [&](CUgraphNode_st& node) { return set_kernel(node, what); });
}
HEDDLE_CUDA_API cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* after,
                                                 std::size_t count, const cudaHostNodeParams* what) {
    return add_node(out, graph, after, count, cudaGraphNodeTypeHost,
                    [&](CUgraphNode_st& node) { return set_host(node, what); });
}
HEDDLE_CUDA_API cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                                   const cudaGraphNode_t* after, std::size_t count,
                                                   const cudaMemsetParams* what) {
    return add_node(out, graph, after, count, cudaGraphNodeTypeMemset,
                    [&](CUgraphNode_st& node) { return set_fill(node, what); });
}
HEDDLE_CUDA_API cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                                   const cudaGraphNode_t* after, std::size_t count,
                                                   const cudaMemcpy3DParms* what) {
    return add_node(out, graph, after, count, cudaGraphNodeTypeMemcpy, [&](CUgraphNode_st& node) {
        if (what == nullptr)
            return cudaErrorInvalidValue;
        node.work = [copy = *what] { return copy_volume(&copy); };
        return cudaSuccess;
    });
}
HEDDLE_CUDA_API cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* out, cudaGraph_t graph,
                                                     const cudaGraphNode_t* after, std::size_t count, void* to,
                                                     const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    return add_node(out, graph, after, count, cudaGraphNodeTypeMemcpy, [&](CUgraphNode_st& node) {
        node.work = [=] { return copy(to, from, bytes, kind); };
        return cudaSuccess;
    });
}
HEDDLE_CUDA_API cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* after,
                                                  std::size_t count) {
    return add_node(out, graph, after, count, cudaGraphNodeTypeEmpty, [](CUgraphNode_st&) { return cudaSuccess; });
}
HEDDLE_CUDA_API cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                                       const cudaGraphNode_t* after, std::size_t count,
                                                       cudaGraph_t child) {
    return add_node(out, graph, after, count, cudaGraphNodeTypeGraph, [&](CUgraphNode_st& node) {
        if (find_graph(child) == nullptr || child == graph)
            return cudaErrorInvalidValue;
        node.work = [steps = std::make_shared<const std::vector<Step>>(steps_of(*child))] { return do_all(*steps); };
        return cudaSuccess;
    });
}

HEDDLE_CUDA_API cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* out, std::size_t* count) {
    return api([&](State&) {
        if (find_graph(graph) == nullptr)
            return cudaErrorInvalidValue;
        std::vector<cudaGraphNode_t> nodes;
        for (const auto& node : graph->nodes)
            nodes.push_back(node.get());
        return give_nodes(nodes, out, count);
    });
}
HEDDLE_CUDA_API cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* out, std::size_t* count) {
    return api([&](State&) {
        if (find_graph(graph) == nullptr)
            return cudaErrorInvalidValue;
        std::vector<cudaGraphNode_t> roots;
        for (const auto& node : graph->nodes)
            if (node->after.empty())
                roots.push_back(node.get());
        return give_nodes(roots, out, count);
    });
}
HEDDLE_CUDA_API cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
    return api([&](State&) {
        if (type == nullptr || graph_of(node) == nullptr)
            return cudaErrorInvalidValue;
        *type = node->type;
        return cudaSuccess;
    });
}
HEDDLE_CUDA_API cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
    return api([&](State&) {
        const cudaGraph_t graph = graph_of(node);
        if (graph == nullptr)
            return cudaErrorInvalidValue;
        for (const auto& other : graph->nodes)
            std::erase(other->after, node);
        std::erase_if(graph->nodes, [&](const auto& n) { return n.get() == node; });
        return cudaSuccess;
    });
}

HEDDLE_CUDA_API cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* out) {
    return api([&](State&) {
        if (out == nullptr || graph_of(node) == nullptr || node->kernel == nullptr)
            return cudaErrorInvalidValue;
        KernelCall& call = *node->kernel;
        *out = {const_cast<void*>(call.function),
                call.grid,
                call.block,
                static_cast<unsigned int>(call.shared),
                call.pointers.data(),
                nullptr};
        return cudaSuccess;
    });
}
HEDDLE_CUDA_API cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* what) {
    return api([&](State&) {
        const bool is_kernel = graph_of(node) != nullptr && node->kernel != nullptr;
        return is_kernel ? set_kernel(*node, what) : cudaErrorInvalidValue;
    });
}
HEDDLE_CUDA_API cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                             const cudaKernelNodeParams* what) {
    return api([&](State&) {
        if (!is_executable(exec))
            return cudaErrorInvalidValue;
        const auto step =
            std::find_if(exec->steps->begin(), exec->steps->end(), [&](const Step& s) { return s.node == node; });
        if (step == exec->steps->end() || step->type != cudaGraphNodeTypeKernel)
            return cudaErrorInvalidValue;
        CUgraphNode_st fresh{cudaGraphNodeTypeKernel, {}, {}, {}};
        const cudaError_t error = set_kernel(fresh, what);
        if (error == cudaSuccess)
            step->work = std::move(fresh.work);
        return error;
    });
}

// The arguments of CUDA 11 after the graph report a failure; there are no failures here.
HEDDLE_CUDA_API cudaError_t cudaGraphInstantiate(cudaGraphExec_t* out, cudaGraph_t graph, unsigned long long) {
    return instantiate(out, graph);
}
HEDDLE_CUDA_API cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* out, cudaGraph_t graph, unsigned long long) {
    return instantiate(out, graph);
}
HEDDLE_CUDA_API cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
    return api([&](State&) {
        const auto erased = std::erase_if(executables(), [&](const auto& e) { return e.get() == exec; });
        return erased != 0 ? cudaSuccess : cudaErrorInvalidValue;
    });
}
HEDDLE_CUDA_API cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t) {
    return check_executable(exec);
}
HEDDLE_CUDA_API cudaError_t cudaGraphUpload_ptsz(cudaGraphExec_t exec, cudaStream_t) {
    return check_executable(exec);
}
HEDDLE_CUDA_API cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
    return launch_graph(exec, stream);
}
HEDDLE_CUDA_API cudaError_t cudaGraphLaunch_ptsz(cudaGraphExec_t exec, cudaStream_t stream) {
    return launch_graph(exec, stream);
}
