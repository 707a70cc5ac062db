// Functions whose parameters differ between versions of CUDA: as of CUDA 13, and for C++ also as of CUDA 12. Read by
// cuda_runtime_api.h.
#pragma once

#include "../cuda_runtime_api.h"

#ifdef __cplusplus
extern "C" {
#endif

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                     const cudaGraphEdgeData* edges, size_t count);
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                        const cudaGraphEdgeData* edges, size_t count);
cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, cudaGraphEdgeData* edges,
                              size_t* count);
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* out, cudaGraphEdgeData* edges,
                                         size_t* count);
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* out, cudaGraphEdgeData* edges,
                                           size_t* count);
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus* status,
                                     unsigned long long* id HEDDLE_CUDA_DEFAULT(nullptr),
                                     cudaGraph_t* graph HEDDLE_CUDA_DEFAULT(nullptr),
                                     const cudaGraphNode_t** nodes HEDDLE_CUDA_DEFAULT(nullptr),
                                     const cudaGraphEdgeData** edges HEDDLE_CUDA_DEFAULT(nullptr),
                                     size_t* count HEDDLE_CUDA_DEFAULT(nullptr));

// By their names of CUDA 12.
static inline cudaError_t cudaGraphAddDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t* from,
                                                      const cudaGraphNode_t* to, const cudaGraphEdgeData* edges,
                                                      size_t count) {
    return cudaGraphAddDependencies(graph, from, to, edges, count);
}
static inline cudaError_t cudaGraphRemoveDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t* from,
                                                         const cudaGraphNode_t* to, const cudaGraphEdgeData* edges,
                                                         size_t count) {
    return cudaGraphRemoveDependencies(graph, from, to, edges, count);
}
static inline cudaError_t cudaGraphGetEdges_v2(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                                               cudaGraphEdgeData* edges, size_t* count) {
    return cudaGraphGetEdges(graph, from, to, edges, count);
}
static inline cudaError_t cudaGraphNodeGetDependencies_v2(cudaGraphNode_t node, cudaGraphNode_t* out,
                                                          cudaGraphEdgeData* edges, size_t* count) {
    return cudaGraphNodeGetDependencies(node, out, edges, count);
}
static inline cudaError_t cudaGraphNodeGetDependentNodes_v2(cudaGraphNode_t node, cudaGraphNode_t* out,
                                                            cudaGraphEdgeData* edges, size_t* count) {
    return cudaGraphNodeGetDependentNodes(node, out, edges, count);
}
static inline cudaError_t cudaStreamGetCaptureInfo_v3(cudaStream_t stream, enum cudaStreamCaptureStatus* status,
                                                      unsigned long long* id HEDDLE_CUDA_DEFAULT(nullptr),
                                                      cudaGraph_t* graph HEDDLE_CUDA_DEFAULT(nullptr),
                                                      const cudaGraphNode_t** nodes HEDDLE_CUDA_DEFAULT(nullptr),
                                                      const cudaGraphEdgeData** edges HEDDLE_CUDA_DEFAULT(nullptr),
                                                      size_t* count HEDDLE_CUDA_DEFAULT(nullptr)) {
    return cudaStreamGetCaptureInfo(stream, status, id, graph, nodes, edges, count);
}
static inline cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream, enum cudaStreamCaptureStatus* status,
                                                      unsigned long long* id HEDDLE_CUDA_DEFAULT(nullptr),
                                                      cudaGraph_t* graph HEDDLE_CUDA_DEFAULT(nullptr),
                                                      const cudaGraphNode_t** nodes HEDDLE_CUDA_DEFAULT(nullptr),
                                                      size_t* count HEDDLE_CUDA_DEFAULT(nullptr)) {
    const cudaGraphEdgeData** no_edges = 0;
    return cudaStreamGetCaptureInfo(stream, status, id, graph, nodes, no_edges, count);
}

// Attributes of streams: those of launches that streams have.
typedef enum cudaLaunchAttributeID cudaStreamAttrID;
typedef union cudaLaunchAttributeValue cudaStreamAttrValue;
#define cudaStreamAttributeAccessPolicyWindow cudaLaunchAttributeAccessPolicyWindow
#define cudaStreamAttributeSynchronizationPolicy cudaLaunchAttributeSynchronizationPolicy
#define cudaStreamAttributePriority cudaLaunchAttributePriority
#define cudaStreamAttributeMemSyncDomainMap cudaLaunchAttributeMemSyncDomainMap
#define cudaStreamAttributeMemSyncDomain cudaLaunchAttributeMemSyncDomain
cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID attribute, cudaStreamAttrValue* value);
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID attribute, const cudaStreamAttrValue* value);
cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from);

#ifdef __cplusplus
}

inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                            size_t count) {
    return cudaGraphAddDependencies(graph, from, to, nullptr, count);
}
inline cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                               const cudaGraphNode_t* to, size_t count) {
    return cudaGraphRemoveDependencies(graph, from, to, nullptr, count);
}
inline cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, size_t* count) {
    return cudaGraphGetEdges(graph, from, to, nullptr, count);
}
inline cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* out, size_t* count) {
    return cudaGraphNodeGetDependencies(node, out, nullptr, count);
}
inline cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* out, size_t* count) {
    return cudaGraphNodeGetDependentNodes(node, out, nullptr, count);
}
inline cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus* status,
                                            unsigned long long* id, cudaGraph_t* graph, const cudaGraphNode_t** nodes,
                                            size_t* count) {
    return cudaStreamGetCaptureInfo(stream, status, id, graph, nodes, nullptr, count);
}
// These also tell which copy failed: a number that is none, because it is not known.
inline cudaError_t cudaMemcpyBatchAsync(void** dsts, void** srcs, size_t* sizes, size_t count,
                                        struct cudaMemcpyAttributes* attributes, size_t* attributesFrom,
                                        size_t attributeCount, size_t* failed, cudaStream_t stream) {
    const cudaError_t error =
        cudaMemcpyBatchAsync(dsts, srcs, sizes, count, attributes, attributesFrom, attributeCount, stream);
    if (failed != nullptr && error != cudaSuccess)
        *failed = ~(size_t)0;
    return error;
}
inline cudaError_t cudaMemcpy3DBatchAsync(size_t count, struct cudaMemcpy3DBatchOp* copies, size_t* failed,
                                          unsigned long long flags, cudaStream_t stream) {
    const cudaError_t error = cudaMemcpy3DBatchAsync(count, copies, flags, stream);
    if (failed != nullptr && error != cudaSuccess)
        *failed = ~(size_t)0;
    return error;
}
// CUDA 11's form.
inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, cudaGraphNode_t* failed, char* log,
                                        size_t bytes) {
    if (failed != nullptr)
        *failed = nullptr;
    if (log != nullptr && bytes != 0)
        *log = 0;
    return cudaGraphInstantiate(exec, graph, 0ULL);
}
#endif
