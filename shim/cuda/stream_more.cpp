// Attributes of streams, and what is known of captured ones. The runtime's functions have the same parameters; some
// types of them are not in heddle's headers.
#include "driver.h"

using namespace heddle::driver;

extern "C" {
cudaError_t cudaStreamGetAttribute(cudaStream_t stream, int attribute, void* value);
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, int attribute, const void* value);
cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from);
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,
                                     cudaGraph_t* graph, const cudaGraphNode_t** last, const void** edges,
                                     std::size_t* count); // CUDA 13's
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* nodes, const void* edges,
                                                std::size_t count, unsigned flags); // likewise
}

HEDDLE_DRIVER_API CUresult cuStreamGetAttribute(CUstream stream, CUstreamAttrID attribute, CUstreamAttrValue* value) {
    return in_context([&] { return cudaStreamGetAttribute(stream, attribute, value); });
}
HEDDLE_DRIVER_API CUresult cuStreamSetAttribute(CUstream stream, CUstreamAttrID attribute,
                                                const CUstreamAttrValue* value) {
    return in_context([&] { return cudaStreamSetAttribute(stream, attribute, value); });
}
HEDDLE_DRIVER_API CUresult cuStreamCopyAttributes(CUstream to, CUstream from) {
    return in_context([&] { return cudaStreamCopyAttributes(to, from); });
}

HEDDLE_DRIVER_API CUresult cuStreamGetCaptureInfo_v3(CUstream stream, CUstreamCaptureStatus* status,
                                                     unsigned long long* id, CUgraph* graph, const CUgraphNode** last,
                                                     const void** edges, std::size_t* count) {
    return in_context([&] {
        cudaStreamCaptureStatus found{};
        if (status == nullptr)
            return cudaErrorInvalidValue;
        const cudaError_t error = cudaStreamGetCaptureInfo(stream, &found, id, graph, last, edges, count);
        *status = static_cast<CUstreamCaptureStatus>(found);
        return error;
    });
}
HEDDLE_DRIVER_API CUresult cuStreamGetCaptureInfo_v2(CUstream stream, CUstreamCaptureStatus* status,
                                                     unsigned long long* id, CUgraph* graph, const CUgraphNode** last,
                                                     std::size_t* count) {
    return cuStreamGetCaptureInfo_v3(stream, status, id, graph, last, nullptr, count);
}
HEDDLE_DRIVER_API CUresult cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus* status,
                                                  unsigned long long* id) {
    return cuStreamGetCaptureInfo_v3(stream, status, id, nullptr, nullptr, nullptr, nullptr);
}

HEDDLE_DRIVER_API CUresult cuStreamUpdateCaptureDependencies_v2(CUstream stream, CUgraphNode* nodes,
                                                                const CUgraphEdgeData* edges, std::size_t count,
                                                                unsigned flags) {
    return in_context([&] { return cudaStreamUpdateCaptureDependencies(stream, nodes, edges, count, flags); });
}
HEDDLE_DRIVER_API CUresult cuStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode* nodes, std::size_t count,
                                                             unsigned flags) {
    return cuStreamUpdateCaptureDependencies_v2(stream, nodes, nullptr, count, flags);
}
