// What is known of a captured stream, in the forms of the versions of CUDA.
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

} // namespace

#if HEDDLE_CUDART_VERSION >= 13000
#define HEDDLE_CAPTURE_INFO(name)                                                                                      \
    HEDDLE_CUDA_API cudaError_t name(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,     \
                                     cudaGraph_t* graph, const cudaGraphNode_t** last, const void** edges,             \
                                     std::size_t* count) {                                                             \
        return tell_with_edges(stream, {status, id, graph, last, count}, edges);                                       \
    }
HEDDLE_CAPTURE_INFO(cudaStreamGetCaptureInfo)
HEDDLE_CAPTURE_INFO(cudaStreamGetCaptureInfo_ptsz)
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
#endif
