// Executable graphs: what is launched.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "graph.h"

namespace heddle::cudart {

// What device code has changed in the launch of a node (cudaGraphKernelNodeSetParam and others), until the program
// changes it or uploads the graph.
struct DeviceChanges {
    KernelTask call;                // null: that of the step
    std::optional<bool> is_enabled; // nothing: that of the step
};

struct Plan;
struct Step {
    const CUgraphNode_st* node; // of the graph that it was made from, which may be gone; for device code its handle
    cudaGraphNodeType type;
    std::vector<std::size_t> after;
    Task task;
    bool is_enabled;
    std::vector<Plan> graphs; // within the node: the child graph, or the bodies of a conditional node
    std::shared_ptr<DeviceChanges> changes = nullptr; // of all copies of a plan; null: device code may not change it
};
struct Plan {
    std::vector<Step> steps; // in order
    std::vector<std::shared_ptr<Condition>> conditions;
};

Plan plan_of(const CUgraph_st& graph);
// A graph of the same nodes, for the node of another graph.
std::shared_ptr<CUgraph_st> graph_of(const Plan& plan);
Step* find_step(Plan& plan, const CUgraphNode_st* node); // also within nodes; null: there is none
cudaError_t perform(const Plan& plan);

// Calls visit(step) for all steps, also within nodes.
template <class F>
void each_step(const Plan& plan, const F& visit) {
    for (const Step& step : plan.steps) {
        visit(step);
        for (const Plan& graph : step.graphs)
            each_step(graph, visit);
    }
}

// graph_update.cpp: gives the steps the tasks of another graph's nodes. What became of it, and at which node it failed.
cudaGraphExecUpdateResult update(Plan& plan, const CUgraph_st& graph, cudaGraphNode_t* differs);

// graph_conditions.cpp
void reset(const Condition& condition);
cudaError_t perform(const Branch& branch, const std::vector<Plan>& bodies);
// Whether an executable graph can be made of it; `refused` is a node that does not permit it, if one does not.
cudaGraphInstantiateResult check_conditions(const CUgraph_st& graph, cudaGraphNode_t& refused);

cudaError_t instantiate(cudaGraphExec_t* out, cudaGraph_t graph, cudaGraphInstantiateParams& parameters);

} // namespace heddle::cudart

struct CUgraphExec_st {
    CUgraphExec_st(const CUgraph_st& graph, unsigned long long flags);
    ~CUgraphExec_st();
    CUgraphExec_st(const CUgraphExec_st&) = delete;
    CUgraphExec_st& operator=(const CUgraphExec_st&) = delete;

    heddle::cudart::Plan plan;
    unsigned long long flags;
    heddle::cudart::UserReferences objects;
    std::shared_ptr<bool> is_only_one; // false again when it ends
    bool is_uploaded = false;          // device code may launch it, if it is made for that
};

namespace heddle::cudart {

bool is_executable(cudaGraphExec_t exec);
void each_executable(const std::function<void(CUgraphExec_st&)>& visit); // in the order in which they were made

} // namespace heddle::cudart
