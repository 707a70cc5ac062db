// Graphs as the program makes them: graphs and their nodes.
#include <variant>

#include "base/process_object.h"
#include "graph.h"

using namespace heddle::cudart;

namespace {

// Every graph and every node that there is, also within nodes.
std::unordered_set<const CUgraph_st*>& known_graphs() {
    static auto& all = heddle::process_object<std::unordered_set<const CUgraph_st*>>("all graphs");
    return all;
}
std::unordered_map<const CUgraphNode_st*, cudaGraph_t>& known_nodes() {
    static auto& all =
        heddle::process_object<std::unordered_map<const CUgraphNode_st*, cudaGraph_t>>("all graph nodes");
    return all;
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

// The nodes of which is(node) holds.
template <class F>
cudaError_t give_nodes_of(cudaGraph_t graph, cudaGraphNode_t* out, std::size_t* count, F&& is) {
    return api([&](State&) {
        if (find_graph(graph) == nullptr)
            return cudaErrorInvalidValue;
        std::vector<cudaGraphNode_t> nodes;
        for (const auto& node : graph->nodes)
            if (is(*node))
                nodes.push_back(node.get());
        return give_nodes(nodes, out, count);
    });
}

bool is_single_node(const CUgraphNode_st& node) {
    if (const auto* const child = std::get_if<ChildGraph>(&node.task))
        return is_single(*child->graph);
    return node.type == cudaGraphNodeTypeMemAlloc || node.type == cudaGraphNodeTypeMemFree ||
           node.type == cudaGraphNodeTypeConditional;
}

} // namespace

CUgraph_st::CUgraph_st() {
    static auto& made = heddle::process_object<std::uint64_t>("graphs that were made");
    id = ++made;
    known_graphs().insert(this);
}

CUgraph_st::~CUgraph_st() {
    for (const auto& node : nodes)
        known_nodes().erase(node.get());
    known_graphs().erase(this);
}

cudaGraphNode_t CUgraph_st::add(CUgraphNode_st node) {
    const cudaGraphNode_t added = nodes.emplace_back(std::make_unique<CUgraphNode_st>(std::move(node))).get();
    known_nodes()[added] = this;
    return added;
}

void CUgraph_st::remove(const CUgraphNode_st* node) {
    for (const auto& other : nodes)
        std::erase(other->after, node);
    known_nodes().erase(node);
    std::erase_if(nodes, [&](const auto& n) { return n.get() == node; });
}

bool CUgraph_st::holds(const CUgraphNode_st* node) const {
    return graph_of(node) == this;
}

std::vector<std::shared_ptr<CUgraph_st>>& heddle::cudart::graphs() {
    static auto& all = heddle::process_object<std::vector<std::shared_ptr<CUgraph_st>>>("graphs of the program");
    return all;
}

cudaGraph_t heddle::cudart::find_graph(cudaGraph_t graph) {
    return known_graphs().contains(graph) ? graph : nullptr;
}

cudaGraph_t heddle::cudart::graph_of(const CUgraphNode_st* node) {
    const auto at = known_nodes().find(node);
    return at == known_nodes().end() ? nullptr : at->second;
}

std::shared_ptr<CUgraph_st> heddle::cudart::clone(const CUgraph_st& graph) {
    auto out = std::make_shared<CUgraph_st>();
    std::unordered_map<const CUgraphNode_st*, cudaGraphNode_t> twin;
    for (const auto& node : graph.nodes) {
        const cudaGraphNode_t copy = twin[node.get()] = out->add(*node);
        copy->original = node.get();
        for (cudaGraphNode_t& before : copy->after)
            before = twin.at(before);
        if (auto* const child = std::get_if<ChildGraph>(&copy->task))
            child->graph = clone(*child->graph);
    }
    out->objects.add(graph.objects);
    return out;
}

bool heddle::cudart::is_single(const CUgraph_st& graph) {
    return std::any_of(graph.nodes.begin(), graph.nodes.end(), [](const auto& node) { return is_single_node(*node); });
}

cudaError_t heddle::cudart::add_node(const Place& place, cudaGraphNodeType type, const Make& make) {
    return api([&](State&) {
        if (place.out == nullptr || find_graph(place.graph) == nullptr || (place.count != 0 && place.after == nullptr))
            return cudaErrorInvalidValue;
        CUgraphNode_st node{type, {}, {place.after, place.after + place.count}};
        for (auto before = node.after.begin(); before != node.after.end(); ++before)
            if (!place.graph->holds(*before) || std::find(node.after.begin(), before, *before) != before)
                return cudaErrorInvalidValue;
        const cudaError_t error = make(node.task);
        if (error == cudaSuccess)
            *place.out = place.graph->add(std::move(node));
        return error;
    });
}

cudaError_t heddle::cudart::set_node(cudaGraphNode_t node, cudaGraphNodeType type, const Make& make) {
    return with_task(node, type, [&](Task& task) {
        Task fresh = task;
        const cudaError_t error = make(fresh);
        if (error == cudaSuccess)
            task = std::move(fresh);
        return error;
    });
}

HEDDLE_CUDA_API cudaError_t cudaGraphCreate(cudaGraph_t* out, unsigned flags) {
    return api([&](State&) {
        if (out == nullptr || flags != 0)
            return cudaErrorInvalidValue;
        *out = graphs().emplace_back(std::make_shared<CUgraph_st>()).get();
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
        if (is_single(*graph)) {
            complain(
                "cudaGraphClone: the graph has nodes for memory or conditions, and CUDA does not clone such graphs");
            return cudaErrorInvalidValue;
        }
        *out = graphs().emplace_back(clone(*graph)).get();
        return cudaSuccess;
    });
}
HEDDLE_CUDA_API cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* out, cudaGraphNode_t original,
                                                     cudaGraph_t graph) {
    return api([&](State&) {
        if (out == nullptr || original == nullptr || find_graph(graph) == nullptr)
            return cudaErrorInvalidValue;
        const auto at = std::find_if(graph->nodes.begin(), graph->nodes.end(),
                                     [&](const auto& node) { return node->original == original; });
        if (at == graph->nodes.end())
            return cudaErrorInvalidValue;
        *out = at->get();
        return cudaSuccess;
    });
}

HEDDLE_CUDA_API cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* out, std::size_t* count) {
    return give_nodes_of(graph, out, count, [](const CUgraphNode_st&) { return true; });
}
HEDDLE_CUDA_API cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* out, std::size_t* count) {
    return give_nodes_of(graph, out, count, [](const CUgraphNode_st& node) { return node.after.empty(); });
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
        if (is_single(*graph)) {
            complain("cudaGraphDestroyNode: the graph has nodes for memory or conditions, so that its nodes stay");
            return cudaErrorInvalidValue;
        }
        graph->remove(node);
        return cudaSuccess;
    });
}
