// Conditional nodes: graphs that execute when a word of the device's memory, which kernels set, has a value.
#include "graph_conditions.h"

#include <fmt/format.h>

#include "base/process_object.h"
#include "graph_executables.h"

using namespace heddle::cudart;

namespace {

std::map<heddle::Address, std::weak_ptr<Condition>>& conditions() {
    static auto& all = heddle::process_object<std::map<heddle::Address, std::weak_ptr<Condition>>>("graph conditions");
    return all;
}

cudaError_t read(const Condition& condition, unsigned& value) {
    return api([&](State& state) {
        state.device().read(&value, condition.word, sizeof value);
        return cudaSuccess;
    });
}

bool has_kernel(const Plan& plan) {
    bool found = false;
    each_step(plan, [&](const Step& step) { found |= step.type == cudaGraphNodeTypeKernel && step.is_enabled; });
    return found;
}

cudaError_t repeat(const Condition& condition, const Plan& body) {
    for (;;) {
        unsigned value = 0;
        if (const cudaError_t error = read(condition, value); error != cudaSuccess || value == 0)
            return error;
        if (!has_kernel(body)) {
            complain("a conditional node repeats a body without kernels: its condition can not change");
            return record(cudaErrorLaunchTimeout);
        }
        if (const cudaError_t error = perform(body); error != cudaSuccess)
            return error;
    }
}

bool is_size(cudaGraphConditionalNodeType type, unsigned size) {
    return type == cudaGraphCondTypeIf      ? size == 1 || size == 2
           : type == cudaGraphCondTypeWhile ? size == 1
                                            : type == cudaGraphCondTypeSwitch && size != 0;
}

// Nodes that CUDA permits in the body of a conditional node.
bool is_for_body(cudaGraphNodeType type) {
    return type <= cudaGraphNodeTypeEmpty ? type != cudaGraphNodeTypeHost : type == cudaGraphNodeTypeConditional;
}

cudaGraphInstantiateResult check_within(const CUgraph_st& graph, bool is_body, cudaGraphNode_t& refused) {
    if (!std::all_of(graph.conditions.begin(), graph.conditions.end(), [](const auto& c) { return c->has_node; })) {
        complain("a graph has a handle of cudaGraphConditionalHandleCreate which no conditional node uses");
        return cudaGraphInstantiateConditionalHandleUnused;
    }
    for (const auto& node : graph.nodes) {
        std::vector<std::pair<const CUgraph_st*, bool>> within;
        if (const auto* const child = std::get_if<ChildGraph>(&node->task))
            within.emplace_back(child->graph.get(), is_body);
        if (const auto* const branch = std::get_if<BranchTask>(&node->task))
            for (const auto& body : (*branch)->bodies)
                within.emplace_back(body.get(), true);
        if (is_body && !is_for_body(node->type)) {
            refused = node.get();
            complain(
                "the body of a conditional node has a node that is neither a kernel, a copy, a fill, a child graph "
                "nor a conditional node: CUDA does not permit others there");
            return cudaGraphInstantiateInvalidStructure;
        }
        for (const auto& [inner, is_inner_body] : within)
            if (const auto result = check_within(*inner, is_inner_body, refused); result != cudaGraphInstantiateSuccess)
                return result;
    }
    return cudaGraphInstantiateSuccess;
}

} // namespace

Condition::~Condition() {
    conditions().erase(word);
    State::get().device().release(word);
}

void heddle::cudart::reset(const Condition& condition) {
    if (!condition.is_assigned)
        return;
    (void)api([&](State& state) {
        state.device().write(condition.word, &condition.standard, sizeof condition.standard);
        return cudaSuccess;
    });
}

cudaError_t heddle::cudart::perform(const Branch& branch, const std::vector<Plan>& bodies) {
    if (branch.type == cudaGraphCondTypeWhile)
        return repeat(*branch.condition, bodies.front());
    unsigned value = 0;
    if (const cudaError_t error = read(*branch.condition, value); error != cudaSuccess)
        return error;
    const unsigned which = branch.type == cudaGraphCondTypeSwitch ? value : value != 0 ? 0 : 1;
    return which < bodies.size() ? perform(bodies[which]) : cudaSuccess;
}

cudaGraphInstantiateResult heddle::cudart::check_conditions(const CUgraph_st& graph, cudaGraphNode_t& refused) {
    return check_within(graph, false, refused);
}

cudaError_t heddle::cudart::describe_branch(Task& task, cudaConditionalNodeParams* what) {
    if (what == nullptr)
        return cudaErrorInvalidValue;
    const auto at = conditions().find(what->handle);
    const auto condition = at == conditions().end() ? nullptr : at->second.lock();
    if (condition == nullptr || condition->has_node || !is_size(what->type, what->size)) {
        complain(
            fmt::format("a conditional node of handle {:#x}, type {} and {} bodies: a handle is of one node, an IF "
                        "has 1 or 2 bodies, a WHILE 1, a SWITCH 1 or more",
                        what->handle, static_cast<int>(what->type), what->size));
        return cudaErrorInvalidValue;
    }
    const auto branch = std::make_shared<Branch>(Branch{condition, what->type, {}, {}});
    for (unsigned i = 0; i < what->size; ++i)
        branch->handles.push_back(branch->bodies.emplace_back(std::make_shared<CUgraph_st>()).get());
    condition->has_node = true;
    what->phGraph_out = branch->handles.data();
    task = branch;
    return cudaSuccess;
}

HEDDLE_CUDA_API cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* out, cudaGraph_t graph,
                                                             unsigned standard, unsigned flags) {
    return api([&](State& state) {
        if (out == nullptr || find_graph(graph) == nullptr || (flags & ~unsigned{cudaGraphCondAssignDefault}) != 0)
            return cudaErrorInvalidValue;
        const heddle::Address word =
            state.device().allocate(sizeof standard, "condition of a graph", heddle::runtime::Owner::Simulator);
        if (word == 0)
            return cudaErrorMemoryAllocation;
        const auto condition = std::make_shared<Condition>(word, standard, flags == cudaGraphCondAssignDefault);
        conditions()[word] = condition;
        graph->conditions.push_back(condition);
        *out = word;
        return cudaSuccess;
    });
}
