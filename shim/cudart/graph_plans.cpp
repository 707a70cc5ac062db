// The steps of executable graphs: made of a graph's nodes, and executed.
#include "graph_executables.h"

using namespace heddle::cudart;

namespace {

std::vector<Plan> graphs_within(const Task& task) {
    std::vector<Plan> out;
    if (const auto* const child = std::get_if<ChildGraph>(&task))
        out.push_back(plan_of(*child->graph));
    if (const auto* const branch = std::get_if<BranchTask>(&task))
        for (const auto& body : (*branch)->bodies)
            out.push_back(plan_of(*body));
    return out;
}

DeviceChanges changes_of(const Step& step) {
    if (step.changes == nullptr)
        return {};
    const std::lock_guard lock(State::get().mutex);
    return *step.changes;
}

cudaError_t perform(const Step& step) {
    const DeviceChanges changes = changes_of(step);
    if (!changes.is_enabled.value_or(step.is_enabled))
        return cudaSuccess;
    if (changes.call != nullptr)
        return heddle::cudart::perform(changes.call, step.type);
    if (const auto* const branch = std::get_if<BranchTask>(&step.task))
        return heddle::cudart::perform(**branch, step.graphs);
    return step.type == cudaGraphNodeTypeGraph ? heddle::cudart::perform(step.graphs.front())
                                               : heddle::cudart::perform(step.task, step.type);
}

} // namespace

Plan heddle::cudart::plan_of(const CUgraph_st& graph) {
    std::unordered_map<const CUgraphNode_st*, std::size_t> number;
    Plan plan{{}, graph.conditions};
    for (const auto& node : graph.nodes) {
        number[node.get()] = plan.steps.size();
        Step& step =
            plan.steps.emplace_back(Step{node.get(), node->type, {}, node->task, true, graphs_within(node->task)});
        if (const auto* const call = std::get_if<KernelTask>(&node->task);
            call != nullptr && is_device_updatable(**call))
            step.changes = std::make_shared<DeviceChanges>();
        for (const CUgraphNode_st* const before : node->after)
            step.after.push_back(number.at(before));
        std::sort(step.after.begin(), step.after.end());
    }
    return plan;
}

std::shared_ptr<CUgraph_st> heddle::cudart::graph_of(const Plan& plan) {
    auto out = std::make_shared<CUgraph_st>();
    for (const Step& step : plan.steps) {
        CUgraphNode_st node{step.is_enabled ? step.type : cudaGraphNodeTypeEmpty, step.is_enabled ? step.task : Task{}};
        if (step.type == cudaGraphNodeTypeGraph)
            node.task = ChildGraph{graph_of(step.graphs.front())};
        for (const std::size_t before : step.after)
            node.after.push_back(out->nodes[before].get());
        out->add(std::move(node));
    }
    return out;
}

Step* heddle::cudart::find_step(Plan& plan, const CUgraphNode_st* node) {
    for (Step& step : plan.steps) {
        if (step.node == node)
            return &step;
        for (Plan& graph : step.graphs)
            if (Step* const found = find_step(graph, node))
                return found;
    }
    return nullptr;
}

cudaError_t heddle::cudart::perform(const Plan& plan) {
    for (const auto& condition : plan.conditions)
        reset(*condition);
    for (const Step& step : plan.steps)
        if (const cudaError_t error = ::perform(step); error != cudaSuccess)
            return error;
    return cudaSuccess;
}
