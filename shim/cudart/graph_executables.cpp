// Executable graphs: made, launched, changed.
#include "graph_executables.h"

#include <fmt/format.h>

#include "base/process_object.h"
#include "device_graphs.h"
#include "graph_memory.h"

using namespace heddle::cudart;

namespace {

std::vector<std::unique_ptr<CUgraphExec_st>>& executables() {
    static auto& all = heddle::process_object<std::vector<std::unique_ptr<CUgraphExec_st>>>("executable graphs");
    return all;
}

// What device code may launch.
bool is_for_device(const CUgraph_st& graph, cudaGraphNode_t& refused) {
    bool works = false;
    for (const auto& node : graph.nodes) {
        const auto* const child = std::get_if<ChildGraph>(&node->task);
        const bool permitted =
            node->type <= cudaGraphNodeTypeMemset || (child != nullptr && is_for_device(*child->graph, refused));
        if (!permitted) {
            refused = refused == nullptr ? node.get() : refused;
            return false;
        }
        works = true;
    }
    return works;
}

cudaGraphInstantiateResult check_graph(const CUgraph_st& graph, unsigned long long flags, cudaGraphNode_t& refused) {
    constexpr unsigned long long kFlags = cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagUpload |
                                          cudaGraphInstantiateFlagDeviceLaunch |
                                          cudaGraphInstantiateFlagUseNodePriority;
    constexpr unsigned long long kNotTogether =
        cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagDeviceLaunch;
    if ((flags & ~kFlags) != 0 || (flags & kNotTogether) == kNotTogether)
        return cudaGraphInstantiateError;
    if (is_single(graph) && *graph.is_instantiated) {
        complain("a graph with nodes for memory or conditions has an executable graph already, and can have only one");
        return cudaGraphInstantiateError;
    }
    if ((flags & cudaGraphInstantiateFlagDeviceLaunch) != 0 && !is_for_device(graph, refused))
        return cudaGraphInstantiateNodeOperationNotSupported;
    return check_conditions(graph, refused);
}

// Memory of an earlier launch that is still there: it is freed if the program wants that.
cudaError_t free_memory(State& state, const CUgraphExec_st& exec) {
    std::vector<std::shared_ptr<GraphMemory>> live;
    each_step(exec.plan, [&](const Step& step) {
        const auto* const use = std::get_if<MemoryUse>(&step.task);
        if (use != nullptr && step.type == cudaGraphNodeTypeMemAlloc && use->memory->is_live)
            live.push_back(use->memory);
    });
    for (const auto& memory : live) {
        if ((exec.flags & cudaGraphInstantiateFlagAutoFreeOnLaunch) == 0) {
            complain(fmt::format("launch of a graph whose memory at {} of the last launch is not freed: free it, or "
                                 "make the graph executable with cudaGraphInstantiateFlagAutoFreeOnLaunch",
                                 memory->pointer()));
            return cudaErrorInvalidValue;
        }
        if (const cudaError_t error = end_memory(state, memory); error != cudaSuccess)
            return error;
    }
    return cudaSuccess;
}

// Within a stream that is captured the graph becomes a node of the captured one.
cudaError_t launch_captured(cudaGraphExec_t exec, cudaStream_t stream) {
    bool is_single = false;
    each_step(exec->plan, [&](const Step& step) {
        is_single |= std::holds_alternative<MemoryUse>(step.task) || std::holds_alternative<BranchTask>(step.task);
    });
    if (is_single) {
        complain(
            "a graph with nodes for memory or conditions is launched in a stream that is captured: it can not be a "
            "part of another graph");
        return spoil(*capture_of(stream), cudaErrorStreamCaptureUnsupported);
    }
    return put_in(stream, {cudaGraphNodeTypeGraph, ChildGraph{graph_of(exec->plan)}});
}

cudaError_t launch_graph(cudaGraphExec_t exec, cudaStream_t stream) {
    Plan plan;
    bool captured = false;
    const cudaError_t error = api([&](State& state) {
        if (!is_executable(exec))
            return cudaErrorInvalidValue;
        captured = is_any_captured() && capture_of(stream) != nullptr;
        if (captured)
            return launch_captured(exec, stream);
        const cudaError_t freed = free_memory(state, *exec);
        exec->is_uploaded = true;
        if (freed == cudaSuccess)
            plan = exec->plan; // host functions run without the lock, and other threads may change the graph
        return freed;
    });
    if (error != cudaSuccess || captured)
        return error;
    const cudaError_t result = perform_graph(exec, plan);
    const std::lock_guard lock(State::get().mutex);
    plan = {}; // may be the last to hold memory of the graph
    return result;
}

// Calls body(the executable graph).
template <class F>
cudaError_t with_executable(cudaGraphExec_t exec, F&& body) {
    return api([&](State&) { return is_executable(exec) ? body(*exec) : cudaErrorInvalidValue; });
}

// Calls body(step) for the step of a node that can be switched off.
template <class F>
cudaError_t with_switch(cudaGraphExec_t exec, cudaGraphNode_t node, F&& body) {
    return with_executable(exec, [&](CUgraphExec_st& e) {
        Step* const step = find_step(e.plan, node);
        if (step == nullptr || step->type > cudaGraphNodeTypeMemset)
            return cudaErrorInvalidValue;
        return body(*step);
    });
}

cudaError_t upload(cudaGraphExec_t exec) {
    return with_executable(exec, [](CUgraphExec_st& e) {
        e.is_uploaded = true;
        each_step(e.plan, [](const Step& step) {
            if (step.changes != nullptr)
                *step.changes = {};
        });
        return cudaSuccess;
    });
}

cudaError_t instantiate_with(cudaGraphExec_t* exec, cudaGraph_t graph, cudaGraphInstantiateParams* parameters) {
    return api(
        [&](State&) { return parameters == nullptr ? cudaErrorInvalidValue : instantiate(exec, graph, *parameters); });
}

} // namespace

CUgraphExec_st::CUgraphExec_st(const CUgraph_st& graph, unsigned long long flags)
    : plan(plan_of(graph)), flags(flags), is_only_one(graph.is_instantiated) {
    objects.add(graph.objects);
    *is_only_one = true;
}

CUgraphExec_st::~CUgraphExec_st() {
    *is_only_one = false;
}

bool heddle::cudart::is_executable(cudaGraphExec_t exec) {
    return std::any_of(executables().begin(), executables().end(), [&](const auto& e) { return e.get() == exec; });
}

void heddle::cudart::each_executable(const std::function<void(CUgraphExec_st&)>& visit) {
    for (const auto& exec : executables())
        visit(*exec);
}

cudaError_t heddle::cudart::set_step(cudaGraphExec_t exec, cudaGraphNode_t node, cudaGraphNodeType type,
                                     const Make& make) {
    return with_executable(exec, [&](CUgraphExec_st& e) {
        Step* const step = find_step(e.plan, node);
        if (step == nullptr || step->type != type)
            return cudaErrorInvalidValue;
        Task fresh = step->task;
        const cudaError_t error = make(fresh);
        if (error != cudaSuccess)
            return error;
        step->task = std::move(fresh);
        if (step->changes != nullptr)
            step->changes->call = nullptr;
        return cudaSuccess;
    });
}

cudaError_t heddle::cudart::instantiate(cudaGraphExec_t* out, cudaGraph_t graph,
                                        cudaGraphInstantiateParams& parameters) {
    parameters.errNode_out = nullptr;
    parameters.result_out = cudaGraphInstantiateError;
    if (out == nullptr || find_graph(graph) == nullptr || graph->is_moved)
        return cudaErrorInvalidValue;
    parameters.result_out = check_graph(*graph, parameters.flags, parameters.errNode_out);
    if (parameters.result_out != cudaGraphInstantiateSuccess)
        return parameters.result_out == cudaGraphInstantiateNodeOperationNotSupported ? cudaErrorNotSupported
                                                                                      : cudaErrorInvalidValue;
    *out = executables().emplace_back(std::make_unique<CUgraphExec_st>(*graph, parameters.flags)).get();
    (*out)->is_uploaded = (parameters.flags & cudaGraphInstantiateFlagUpload) != 0;
    return cudaSuccess;
}

HEDDLE_CUDA_API cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* out, cudaGraph_t graph,
                                                          unsigned long long flags) {
    cudaGraphInstantiateParams parameters{flags, nullptr, nullptr, cudaGraphInstantiateSuccess};
    return instantiate_with(out, graph, &parameters);
}
HEDDLE_CUDA_API cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* exec, cudaGraph_t graph,
                                                           cudaGraphInstantiateParams* parameters) {
    return instantiate_with(exec, graph, parameters);
}
HEDDLE_CUDA_API cudaError_t cudaGraphInstantiateWithParams_ptsz(cudaGraphExec_t* exec, cudaGraph_t graph,
                                                                cudaGraphInstantiateParams* parameters) {
    return instantiate_with(exec, graph, parameters);
}
HEDDLE_CUDA_API cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t exec, unsigned long long* out) {
    return with_executable(exec, [&](const CUgraphExec_st& e) {
        if (out == nullptr)
            return cudaErrorInvalidValue;
        *out = e.flags & ~static_cast<unsigned long long>(cudaGraphInstantiateFlagUpload);
        return cudaSuccess;
    });
}
HEDDLE_CUDA_API cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
    return api([&](State&) {
        const auto erased = std::erase_if(executables(), [&](const auto& e) { return e.get() == exec; });
        return erased != 0 ? cudaSuccess : cudaErrorInvalidValue;
    });
}
HEDDLE_CUDA_API cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t) {
    return upload(exec);
}
HEDDLE_CUDA_API cudaError_t cudaGraphUpload_ptsz(cudaGraphExec_t exec, cudaStream_t) {
    return upload(exec);
}
HEDDLE_CUDA_API cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
    return launch_graph(exec, stream);
}
HEDDLE_CUDA_API cudaError_t cudaGraphLaunch_ptsz(cudaGraphExec_t exec, cudaStream_t stream) {
    return launch_graph(exec, stream);
}

HEDDLE_CUDA_API cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned enabled) {
    return with_switch(exec, node, [&](Step& step) {
        step.is_enabled = enabled != 0;
        if (step.changes != nullptr)
            step.changes->is_enabled.reset();
        return cudaSuccess;
    });
}
HEDDLE_CUDA_API cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned* out) {
    return with_switch(exec, node, [&](const Step& step) {
        if (out == nullptr)
            return cudaErrorInvalidValue;
        *out = step.is_enabled ? 1 : 0;
        return cudaSuccess;
    });
}
