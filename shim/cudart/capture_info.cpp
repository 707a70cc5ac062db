// What is known of a captured stream and what its next work comes after, in the forms of the versions of CUDA.
#include "graph.h"

using namespace heddle::cudart;

namespace {

struct Info {
    cudaStreamCaptureStatus* status;
    unsigned long long* id = nullptr;
    cudaGraph_t* graph = nullptr;
    const cudaGraphNode_t** last = nullptr; // what the stream's next work comes after; of heddle, until its next work
    std::size_t* count = nullptr;
};

cudaError_t tell(cudaStream_t stream, const Info& out) {
    return api([&](State&) {
        if (out.status == nullptr)
            return cudaErrorInvalidValue;
        *out.status = capture_status(stream);
        Capture* const capture = capture_of(stream);
        if (capture == nullptr || *out.status != cudaStreamCaptureStatusActive)
            return cudaSuccess;
        const std::vector<cudaGraphNode_t>& last = capture->last_of(stream);
        if (out.id != nullptr)
            *out.id = capture->id;
        if (out.graph != nullptr)
            *out.graph = capture->graph;
        if (out.last != nullptr)
            *out.last = last.data();
        if (out.count != nullptr)
            *out.count = last.size();
        return cudaSuccess;
    });
}

// With data of the edges, of which there are none: dependencies are whole.
cudaError_t tell_with_edges(cudaStream_t stream, const Info& out, const void** edges) {
    if (edges != nullptr)
        *edges = nullptr;
    return tell(stream, out);
}

cudaError_t update(cudaStream_t stream, const cudaGraphNode_t* nodes, std::size_t count, unsigned flags) {
    return api([&](State&) { return update_dependencies(stream, nodes, count, flags); });
}

} // namespace

#define HEDDLE_UPDATE_WITH_EDGES(name)                                                                                 \
    HEDDLE_CUDA_API cudaError_t name(cudaStream_t stream, cudaGraphNode_t* nodes, const cudaGraphEdgeData*,            \
                                     std::size_t count, unsigned flags) {                                              \
        return update(stream, nodes, count, flags);                                                                    \
    }
HEDDLE_UPDATE_WITH_EDGES(cudaStreamUpdateCaptureDependencies_v2)
HEDDLE_UPDATE_WITH_EDGES(cudaStreamUpdateCaptureDependencies_v2_ptsz)
#if HEDDLE_CUDART_VERSION >= 13000
#define HEDDLE_CAPTURE_INFO(name)                                                                                      \
    HEDDLE_CUDA_API cudaError_t name(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,     \
                                     cudaGraph_t* graph, const cudaGraphNode_t** last, const void** edges,             \
                                     std::size_t* count) {                                                             \
        return tell_with_edges(stream, {status, id, graph, last, count}, edges);                                       \
    }
HEDDLE_CAPTURE_INFO(cudaStreamGetCaptureInfo)
HEDDLE_CAPTURE_INFO(cudaStreamGetCaptureInfo_ptsz)
HEDDLE_UPDATE_WITH_EDGES(cudaStreamUpdateCaptureDependencies)
HEDDLE_UPDATE_WITH_EDGES(cudaStreamUpdateCaptureDependencies_ptsz)
#else
#define HEDDLE_CAPTURE_INFO(ending)                                                                                    \
    HEDDLE_CUDA_API cudaError_t cudaStreamGetCaptureInfo##ending(cudaStream_t stream, cudaStreamCaptureStatus* status, \
                                                                 unsigned long long* id) {                             \
        return tell(stream, {status, id});                                                                             \
    }                                                                                                                  \
    HEDDLE_CUDA_API cudaError_t cudaStreamGetCaptureInfo_v2##ending(                                                   \
        cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id, cudaGraph_t* graph,              \
        const cudaGraphNode_t** last, std::size_t* count) {                                                            \
        return tell(stream, {status, id, graph, last, count});                                                         \
    }                                                                                                                  \
    HEDDLE_CUDA_API cudaError_t cudaStreamGetCaptureInfo_v3##ending(                                                   \
        cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id, cudaGraph_t* graph,              \
        const cudaGraphNode_t** last, const void** edges, std::size_t* count) {                                        \
        return tell_with_edges(stream, {status, id, graph, last, count}, edges);                                       \
    }
HEDDLE_CAPTURE_INFO()
HEDDLE_CAPTURE_INFO(_ptsz)
#define HEDDLE_UPDATE(name)                                                                                            \
    HEDDLE_CUDA_API cudaError_t name(cudaStream_t stream, cudaGraphNode_t* nodes, std::size_t count, unsigned flags) { \
        return update(stream, nodes, count, flags);                                                                    \
    }
HEDDLE_UPDATE(cudaStreamUpdateCaptureDependencies)
HEDDLE_UPDATE(cudaStreamUpdateCaptureDependencies_ptsz)
#endif
