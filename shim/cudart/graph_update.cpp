// An executable graph gets the parameters of another graph with the same nodes and edges.
#include "graph_executables.h"

using namespace heddle::cudart;

namespace {

cudaGraphExecUpdateResult compare(const std::vector<Plan>& old, const std::vector<Plan>& fresh,
                                  cudaGraphNode_t* differs);

// Whether a step can take another's task.
cudaGraphExecUpdateResult compare(const Step& old, const Step& fresh) {
    if (old.type != fresh.type)
        return cudaGraphExecUpdateErrorNodeTypeChanged;
    if (old.after != fresh.after)
        return cudaGraphExecUpdateErrorTopologyChanged;
    if (const auto* const memory = std::get_if<MemoryUse>(&old.task))
        return memory->memory == std::get<MemoryUse>(fresh.task).memory ? cudaGraphExecUpdateSuccess
                                                                        : cudaGraphExecUpdateErrorNotSupported;
    if (const auto* const branch = std::get_if<BranchTask>(&old.task)) {
        const Branch& other = *std::get<BranchTask>(fresh.task);
        if ((*branch)->type != other.type || (*branch)->bodies.size() != other.bodies.size())
            return cudaGraphExecUpdateErrorParametersChanged;
    }
    return cudaGraphExecUpdateSuccess;
}

cudaGraphExecUpdateResult compare(const Plan& old, const Plan& fresh, cudaGraphNode_t* differs) {
    if (old.steps.size() != fresh.steps.size()) { // said first, and without a node
        *differs = nullptr;
        return cudaGraphExecUpdateErrorTopologyChanged;
    }
    for (std::size_t i = 0; i < old.steps.size(); ++i) {
        *differs = const_cast<cudaGraphNode_t>(fresh.steps[i].node);
        if (const auto result = compare(old.steps[i], fresh.steps[i]); result != cudaGraphExecUpdateSuccess)
            return result;
        if (const auto result = compare(old.steps[i].graphs, fresh.steps[i].graphs, differs);
            result != cudaGraphExecUpdateSuccess)
            return result;
    }
    *differs = nullptr;
    return cudaGraphExecUpdateSuccess;
}

// The graphs within a node.
cudaGraphExecUpdateResult compare(const std::vector<Plan>& old, const std::vector<Plan>& fresh,
                                  cudaGraphNode_t* differs) {
    for (std::size_t i = 0; i < old.size(); ++i)
        if (const auto result = compare(old[i], fresh[i], differs); result != cudaGraphExecUpdateSuccess)
            return result;
    return cudaGraphExecUpdateSuccess;
}

// Steps keep their nodes, by which the program names them, and whether they are switched on.
void take(Plan& plan, Plan&& fresh) {
    plan.conditions = std::move(fresh.conditions);
    for (std::size_t i = 0; i < plan.steps.size(); ++i) {
        plan.steps[i].task = std::move(fresh.steps[i].task);
        plan.steps[i].changes = std::move(fresh.steps[i].changes);
        for (std::size_t g = 0; g < plan.steps[i].graphs.size(); ++g)
            take(plan.steps[i].graphs[g], std::move(fresh.steps[i].graphs[g]));
    }
}

cudaError_t update_with(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphExecUpdateResult* result,
                        cudaGraphNode_t* differs) {
    return api([&](State&) {
        if (result == nullptr || differs == nullptr || !is_executable(exec) || find_graph(graph) == nullptr ||
            graph->is_moved)
            return cudaErrorInvalidValue;
        *result = update(exec->plan, *graph, differs);
        return *result == cudaGraphExecUpdateSuccess ? cudaSuccess : cudaErrorGraphExecUpdateFailure;
    });
}

} // namespace

cudaGraphExecUpdateResult heddle::cudart::update(Plan& plan, const CUgraph_st& graph, cudaGraphNode_t* differs) {
    Plan fresh = plan_of(graph);
    const cudaGraphExecUpdateResult result = compare(plan, fresh, differs);
    if (result == cudaGraphExecUpdateSuccess)
        take(plan, std::move(fresh));
    return result;
}

HEDDLE_CUDA_API cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                                 cudaGraph_t child) {
    return api([&](State&) {
        if (!is_executable(exec) || find_graph(child) == nullptr)
            return cudaErrorInvalidValue;
        Step* const step = find_step(exec->plan, node);
        if (step == nullptr || step->type != cudaGraphNodeTypeGraph)
            return cudaErrorInvalidValue;
        cudaGraphNode_t differs = nullptr;
        return update(step->graphs.front(), *child, &differs) == cudaGraphExecUpdateSuccess ? cudaSuccess
                                                                                            : cudaErrorInvalidValue;
    });
}

// The arguments of these functions differ between the versions of CUDA.
#if HEDDLE_CUDART_VERSION >= 12000
HEDDLE_CUDA_API cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                                cudaGraphExecUpdateResultInfo* outcome) {
    if (outcome == nullptr)
        return record(cudaErrorInvalidValue);
    *outcome = {};
    return update_with(exec, graph, &outcome->result, &outcome->errorNode);
}
HEDDLE_CUDA_API cudaError_t cudaGraphInstantiate(cudaGraphExec_t* out, cudaGraph_t graph, unsigned long long flags) {
    return cudaGraphInstantiateWithFlags(out, graph, flags);
}
#else
// The header declares the newer ones: these have names of their own here.
HEDDLE_CUDA_API cudaError_t heddle_update_11(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t* node,
                                             cudaGraphExecUpdateResult* result) __asm__("cudaGraphExecUpdate");
cudaError_t heddle_update_11(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t* node,
                             cudaGraphExecUpdateResult* result) {
    return update_with(exec, graph, result, node);
}
HEDDLE_CUDA_API cudaError_t heddle_instantiate_11(cudaGraphExec_t* out, cudaGraph_t graph, cudaGraphNode_t* refused,
                                                  char* log, std::size_t bytes) __asm__("cudaGraphInstantiate");
cudaError_t heddle_instantiate_11(cudaGraphExec_t* out, cudaGraph_t graph, cudaGraphNode_t* refused, char* log,
                                  std::size_t bytes) {
    cudaGraphInstantiateParams parameters{};
    const cudaError_t error = cudaGraphInstantiateWithParams(out, graph, &parameters);
    if (refused != nullptr)
        *refused = parameters.errNode_out;
    if (log != nullptr && bytes != 0)
        *log = 0;
    return error;
}
#endif
