// The dependencies between the nodes of a graph are the runtime's, in the forms of CUDA 13.
#include "driver.h"

using namespace heddle::driver;

extern "C" {
cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, void* data,
                              std::size_t* count);
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* out, void* data, std::size_t* count);
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* out, void* data, std::size_t* count);
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                     const void* data, std::size_t count);
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                        const void* data, std::size_t count);
}

HEDDLE_DRIVER_API CUresult cuGraphGetEdges_v2(CUgraph graph, CUgraphNode* from, CUgraphNode* to, void* data,
                                              std::size_t* count) {
    return initialised([&] { return cudaGraphGetEdges(graph, from, to, data, count); });
}
HEDDLE_DRIVER_API CUresult cuGraphGetEdges(CUgraph graph, CUgraphNode* from, CUgraphNode* to, std::size_t* count) {
    return cuGraphGetEdges_v2(graph, from, to, nullptr, count);
}
HEDDLE_DRIVER_API CUresult cuGraphNodeGetDependencies_v2(CUgraphNode node, CUgraphNode* out, void* data,
                                                         std::size_t* count) {
    return initialised([&] { return cudaGraphNodeGetDependencies(node, out, data, count); });
}
HEDDLE_DRIVER_API CUresult cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode* out, std::size_t* count) {
    return cuGraphNodeGetDependencies_v2(node, out, nullptr, count);
}
HEDDLE_DRIVER_API CUresult cuGraphNodeGetDependentNodes_v2(CUgraphNode node, CUgraphNode* out, void* data,
                                                           std::size_t* count) {
    return initialised([&] { return cudaGraphNodeGetDependentNodes(node, out, data, count); });
}
HEDDLE_DRIVER_API CUresult cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode* out, std::size_t* count) {
    return cuGraphNodeGetDependentNodes_v2(node, out, nullptr, count);
}
HEDDLE_DRIVER_API CUresult cuGraphAddDependencies_v2(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                                     const void* data, std::size_t count) {
    return initialised([&] { return cudaGraphAddDependencies(graph, from, to, data, count); });
}
HEDDLE_DRIVER_API CUresult cuGraphAddDependencies(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                                  std::size_t count) {
    return cuGraphAddDependencies_v2(graph, from, to, nullptr, count);
}
HEDDLE_DRIVER_API CUresult cuGraphRemoveDependencies_v2(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                                        const void* data, std::size_t count) {
    return initialised([&] { return cudaGraphRemoveDependencies(graph, from, to, data, count); });
}
HEDDLE_DRIVER_API CUresult cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                                     std::size_t count) {
    return cuGraphRemoveDependencies_v2(graph, from, to, nullptr, count);
}
