// The driver API: functions that have a second form of CUDA 12 or 13. Their own names are those of the first form, as
// in CUDA 12.9; C++ has CUDA 13's form under the same name, too. Read by cuda.h.
#pragma once

#define cuStreamGetCaptureInfo cuStreamGetCaptureInfo_v2

#ifdef __cplusplus
extern "C" {
#endif
CUresult cuGraphAddNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* after, size_t count,
                        CUgraphNodeParams* what);
CUresult cuGraphAddNode_v2(CUgraphNode* node, CUgraph graph, const CUgraphNode* after, const CUgraphEdgeData* edges,
                           size_t count, CUgraphNodeParams* what);
CUresult cuGraphGetEdges(CUgraph graph, CUgraphNode* from, CUgraphNode* to, size_t* count);
CUresult cuGraphGetEdges_v2(CUgraph graph, CUgraphNode* from, CUgraphNode* to, CUgraphEdgeData* edges, size_t* count);
CUresult cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode* out, size_t* count);
CUresult cuGraphNodeGetDependencies_v2(CUgraphNode node, CUgraphNode* out, CUgraphEdgeData* edges, size_t* count);
CUresult cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode* out, size_t* count);
CUresult cuGraphNodeGetDependentNodes_v2(CUgraphNode node, CUgraphNode* out, CUgraphEdgeData* edges, size_t* count);
CUresult cuGraphAddDependencies(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to, size_t count);
CUresult cuGraphAddDependencies_v2(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                   const CUgraphEdgeData* edges, size_t count);
CUresult cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to, size_t count);
CUresult cuGraphRemoveDependencies_v2(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                      const CUgraphEdgeData* edges, size_t count);
CUresult cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id, CUgraph* graph,
                                const CUgraphNode** nodes, size_t* count);
CUresult cuStreamGetCaptureInfo_v3(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id, CUgraph* graph,
                                   const CUgraphNode** nodes, const CUgraphEdgeData** edges, size_t* count);
CUresult cuStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode* nodes, size_t count, unsigned int flags);
CUresult cuStreamUpdateCaptureDependencies_v2(CUstream stream, CUgraphNode* nodes, const CUgraphEdgeData* edges,
                                              size_t count, unsigned int flags);
#ifdef __cplusplus
}

inline CUresult cuGraphAddNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* after, const CUgraphEdgeData* edges,
                               size_t count, CUgraphNodeParams* what) {
    return cuGraphAddNode_v2(node, graph, after, edges, count, what);
}
inline CUresult cuGraphGetEdges(CUgraph graph, CUgraphNode* from, CUgraphNode* to, CUgraphEdgeData* edges,
                                size_t* count) {
    return cuGraphGetEdges_v2(graph, from, to, edges, count);
}
inline CUresult cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode* out, CUgraphEdgeData* edges, size_t* count) {
    return cuGraphNodeGetDependencies_v2(node, out, edges, count);
}
inline CUresult cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode* out, CUgraphEdgeData* edges,
                                             size_t* count) {
    return cuGraphNodeGetDependentNodes_v2(node, out, edges, count);
}
inline CUresult cuGraphAddDependencies(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                       const CUgraphEdgeData* edges, size_t count) {
    return cuGraphAddDependencies_v2(graph, from, to, edges, count);
}
inline CUresult cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                          const CUgraphEdgeData* edges, size_t count) {
    return cuGraphRemoveDependencies_v2(graph, from, to, edges, count);
}
inline CUresult cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id, CUgraph* graph,
                                       const CUgraphNode** nodes, const CUgraphEdgeData** edges, size_t* count) {
    return cuStreamGetCaptureInfo_v3(stream, status, id, graph, nodes, edges, count);
}
inline CUresult cuStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode* nodes, const CUgraphEdgeData* edges,
                                                  size_t count, unsigned int flags) {
    return cuStreamUpdateCaptureDependencies_v2(stream, nodes, edges, count, flags);
}
inline CUresult cuMemcpyBatchAsync(CUdeviceptr* to, CUdeviceptr* from, size_t* sizes, size_t count,
                                   CUmemcpyAttributes* attributes, size_t* attributesFrom, size_t attributeCount,
                                   CUstream stream) {
    return cuMemcpyBatchAsync_v2(to, from, sizes, count, attributes, attributesFrom, attributeCount, stream);
}
inline CUresult cuMemcpy3DBatchAsync(size_t count, CUDA_MEMCPY3D_BATCH_OP* copies, unsigned long long flags,
                                     CUstream stream) {
    return cuMemcpy3DBatchAsync_v2(count, copies, flags, stream);
}
// For a place instead of a device.
inline CUresult cuMemAdvise(CUdeviceptr pointer, size_t bytes, CUmem_advise advice, CUmemLocation location) {
    return cuMemAdvise_v2(pointer, bytes, advice, location);
}
inline CUresult cuMemPrefetchAsync(CUdeviceptr pointer, size_t bytes, CUmemLocation location, unsigned int flags,
                                   CUstream stream) {
    return cuMemPrefetchAsync_v2(pointer, bytes, location, flags, stream);
}
#endif
