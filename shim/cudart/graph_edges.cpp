// The dependencies between the nodes of a graph. From CUDA 12.3 on functions have a parameter for data of the edges, of
// which there are none: dependencies are whole. CUDA 13 has only such forms.
#include <cstring>
#include <map>
#include <utility>

#include "graph.h"

using namespace heddle::cudart;

namespace {

using Edges = std::vector<std::pair<cudaGraphNode_t, cudaGraphNode_t>>; // before, after
constexpr std::size_t kEdgeData = 8;                                    // bytes of an edge's data; all zero is the rule

Edges edges_of(const CUgraph_st& graph) {
    Edges edges;
    for (const auto& node : graph.nodes)
        for (const cudaGraphNode_t before : node->after)
            edges.emplace_back(before, node.get());
    return edges;
}

// Gives the edges, or their number where there is room for neither end. `data`: of each edge.
cudaError_t give(const Edges& edges, cudaGraphNode_t* from, cudaGraphNode_t* to, void* data, std::size_t* count) {
    if (count == nullptr)
        return cudaErrorInvalidValue;
    if (from == nullptr && to == nullptr) {
        *count = edges.size();
        return cudaSuccess;
    }
    for (std::size_t i = 0; i < *count; ++i) {
        if (from != nullptr)
            from[i] = i < edges.size() ? edges[i].first : nullptr;
        if (to != nullptr)
            to[i] = i < edges.size() ? edges[i].second : nullptr;
    }
    if (data != nullptr)
        std::memset(data, 0, kEdgeData * *count);
    *count = std::min(*count, edges.size());
    return cudaSuccess;
}

cudaError_t give_edges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, void* data, std::size_t* count) {
    return api([&](State&) {
        return find_graph(graph) == nullptr ? cudaErrorInvalidValue : give(edges_of(*graph), from, to, data, count);
    });
}

// The nodes that a node comes after, or those that come after it.
cudaError_t give_neighbours(cudaGraphNode_t node, bool before, cudaGraphNode_t* out, void* data, std::size_t* count) {
    return api([&](State&) {
        const cudaGraph_t graph = graph_of(node);
        if (graph == nullptr)
            return cudaErrorInvalidValue;
        Edges edges = edges_of(*graph);
        std::erase_if(edges, [&](const auto& edge) { return (before ? edge.second : edge.first) != node; });
        return give(edges, before ? out : nullptr, before ? nullptr : out, data, count);
    });
}

// Puts the nodes into an order in which each is behind those that it comes after; false: there is none.
bool sort(CUgraph_st& graph) {
    std::vector<std::unique_ptr<CUgraphNode_st>> left = std::move(graph.nodes);
    graph.nodes.clear();
    std::unordered_set<const CUgraphNode_st*> placed;
    for (bool progress = true; progress && !left.empty();) {
        progress = false;
        for (auto& node : left) {
            const bool ready = std::all_of(node->after.begin(), node->after.end(),
                                           [&](const CUgraphNode_st* before) { return placed.contains(before); });
            if (!ready)
                continue;
            placed.insert(node.get());
            graph.nodes.push_back(std::move(node));
            progress = true;
        }
        std::erase(left, nullptr);
    }
    const bool sorted = left.empty();
    for (auto& node : left)
        graph.nodes.push_back(std::move(node));
    return sorted;
}

bool remove_edge(CUgraphNode_st& to, const CUgraphNode_st* from) {
    return std::erase(to.after, from) != 0;
}

// Adds edges, which must be new and make no circle, or removes edges, which must be there. An error changes nothing.
cudaError_t change(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to, std::size_t count,
                   bool add) {
    return api([&](State&) {
        if (find_graph(graph) == nullptr || (count != 0 && (from == nullptr || to == nullptr)))
            return cudaErrorInvalidValue;
        if (!add && count != 0 && is_single(*graph)) {
            complain("edges are removed from a graph with nodes for memory or conditions, where they have to stay");
            return cudaErrorInvalidValue;
        }
        std::map<cudaGraphNode_t, std::vector<cudaGraphNode_t>> old;
        for (const auto& node : graph->nodes)
            old[node.get()] = node->after;
        bool good = true;
        for (std::size_t i = 0; good && i < count; ++i) {
            good = graph->holds(from[i]) && graph->holds(to[i]);
            if (!good)
                break;
            const auto& after = to[i]->after;
            const bool there = std::find(after.begin(), after.end(), from[i]) != after.end();
            good = there != add;
            if (good && add)
                to[i]->after.push_back(from[i]);
            else if (good)
                remove_edge(*to[i], from[i]);
        }
        if (good && sort(*graph))
            return cudaSuccess;
        for (const auto& node : graph->nodes)
            node->after = old.at(node.get());
        sort(*graph);
        return cudaErrorInvalidValue;
    });
}

} // namespace

// `ending`: of names of the form with data.
#define HEDDLE_WITH_DATA(ending)                                                                                       \
    HEDDLE_CUDA_API cudaError_t cudaGraphGetEdges##ending(cudaGraph_t graph, cudaGraphNode_t* from,                    \
                                                          cudaGraphNode_t* to, void* data, std::size_t* count) {       \
        return give_edges(graph, from, to, data, count);                                                               \
    }                                                                                                                  \
    HEDDLE_CUDA_API cudaError_t cudaGraphNodeGetDependencies##ending(cudaGraphNode_t node, cudaGraphNode_t* out,       \
                                                                     void* data, std::size_t* count) {                 \
        return give_neighbours(node, true, out, data, count);                                                          \
    }                                                                                                                  \
    HEDDLE_CUDA_API cudaError_t cudaGraphNodeGetDependentNodes##ending(cudaGraphNode_t node, cudaGraphNode_t* out,     \
                                                                       void* data, std::size_t* count) {               \
        return give_neighbours(node, false, out, data, count);                                                         \
    }                                                                                                                  \
    HEDDLE_CUDA_API cudaError_t cudaGraphAddDependencies##ending(                                                      \
        cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to, const void*, std::size_t count) {   \
        return change(graph, from, to, count, true);                                                                   \
    }                                                                                                                  \
    HEDDLE_CUDA_API cudaError_t cudaGraphRemoveDependencies##ending(                                                   \
        cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to, const void*, std::size_t count) {   \
        return change(graph, from, to, count, false);                                                                  \
    }

#if HEDDLE_CUDART_VERSION >= 13000
HEDDLE_WITH_DATA()
#else
HEDDLE_WITH_DATA(_v2)
HEDDLE_CUDA_API cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                                              std::size_t* count) {
    return give_edges(graph, from, to, nullptr, count);
}
HEDDLE_CUDA_API cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* out,
                                                         std::size_t* count) {
    return give_neighbours(node, true, out, nullptr, count);
}
HEDDLE_CUDA_API cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* out,
                                                           std::size_t* count) {
    return give_neighbours(node, false, out, nullptr, count);
}
HEDDLE_CUDA_API cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                                     const cudaGraphNode_t* to, std::size_t count) {
    return change(graph, from, to, count, true);
}
HEDDLE_CUDA_API cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                                        const cudaGraphNode_t* to, std::size_t count) {
    return change(graph, from, to, count, false);
}
#endif
