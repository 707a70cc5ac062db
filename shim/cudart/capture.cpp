// Captures of streams: what a program gives to them becomes a graph. Other streams join a capture by waiting for an
// event of it, and have to be waited for before it ends.
#include <map>

#include "base/process_object.h"
#include "graph.h"

using namespace heddle::cudart;

namespace {

std::vector<std::unique_ptr<Capture>>& captures() {
    static auto& all = heddle::process_object<std::vector<std::unique_ptr<Capture>>>("captures");
    return all;
}

// Events that were recorded in a captured stream, and what had been given to it then.
struct Recorded {
    Capture* capture;
    std::vector<cudaGraphNode_t> last;
};
std::map<cudaEvent_t, Recorded>& recorded() {
    static auto& all = heddle::process_object<std::map<cudaEvent_t, Recorded>>("captured events");
    return all;
}

void add_missing(std::vector<cudaGraphNode_t>& to, const std::vector<cudaGraphNode_t>& from) {
    for (const cudaGraphNode_t node : from)
        if (std::find(to.begin(), to.end(), node) == to.end())
            to.push_back(node);
}

// Whether what streams have added is before the end of the first stream, or was let go by the program.
bool are_all_joined(Capture& capture) {
    std::vector<cudaGraphNode_t> joined = capture.streams.front().last;
    add_missing(joined, capture.let_go);
    std::unordered_set<const CUgraphNode_st*> seen(joined.begin(), joined.end());
    for (std::size_t i = 0; i < joined.size(); ++i)
        for (const cudaGraphNode_t before : joined[i]->after)
            if (seen.insert(before).second)
                joined.push_back(before);
    return std::all_of(capture.added.begin(), capture.added.end(),
                       [&](const CUgraphNode_st* node) { return graph_of(node) == nullptr || seen.contains(node); });
}

bool are_nodes(const CUgraph_st& graph, const cudaGraphNode_t* nodes, std::size_t count) {
    return (nodes != nullptr || count == 0) &&
           std::all_of(nodes, nodes + count, [&](const CUgraphNode_st* node) { return graph.holds(node); });
}

// The default stream waits for all others, so it cannot be part of a graph.
bool can_be_captured(cudaStream_t stream) {
    return stream != nullptr && stream != cudaStreamLegacy;
}

// `graph`: null for a new one.
cudaError_t begin(cudaStream_t stream, cudaStreamCaptureMode mode, cudaGraph_t graph,
                  const std::vector<cudaGraphNode_t>& after) {
    static auto& begun = heddle::process_object<std::uint64_t>("captures that have begun");
    if (mode > cudaStreamCaptureModeRelaxed)
        return cudaErrorInvalidValue;
    if (!can_be_captured(stream))
        return cudaErrorStreamCaptureUnsupported;
    if (capture_of(stream) != nullptr)
        return cudaErrorIllegalState;
    auto capture = std::make_unique<Capture>();
    capture->is_new = graph == nullptr;
    capture->graph = graph == nullptr ? graphs().emplace_back(std::make_shared<CUgraph_st>()).get() : graph;
    capture->id = ++begun;
    capture->streams.push_back({stream, after});
    captures().push_back(std::move(capture));
    return cudaSuccess;
}

cudaError_t begin_new(cudaStream_t stream, cudaStreamCaptureMode mode) {
    return api([&](State&) { return begin(stream, mode, nullptr, {}); });
}
cudaError_t begin_in(cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t* after, std::size_t count,
                     cudaStreamCaptureMode mode) {
    return api([&](State&) {
        if (find_graph(graph) == nullptr || !are_nodes(*graph, after, count))
            return cudaErrorInvalidValue;
        return begin(stream, mode, graph, {after, after + count});
    });
}

// What the program had before the capture stays.
void drop(const Capture& capture) {
    if (capture.is_new)
        std::erase_if(graphs(), [&](const auto& g) { return g.get() == capture.graph; });
}
void finish(const Capture* capture) {
    std::erase_if(recorded(), [&](const auto& e) { return e.second.capture == capture; });
    std::erase_if(captures(), [&](const auto& c) { return c.get() == capture; });
}

// `out` may be null where the capture is in a graph that the program has.
cudaError_t end(cudaStream_t stream, cudaGraph_t* out) {
    return api([&](State&) {
        Capture* const capture = capture_of(stream);
        if (out != nullptr)
            *out = nullptr;
        else if (capture == nullptr || capture->is_new)
            return cudaErrorInvalidValue;
        if (capture == nullptr)
            return cudaErrorIllegalState;
        cudaError_t error = cudaSuccess;
        if (stream != capture->streams.front().stream)
            error = cudaErrorStreamCaptureUnmatched;
        else if (!capture->valid)
            error = cudaErrorStreamCaptureInvalidated;
        else if (!are_all_joined(*capture))
            error = cudaErrorStreamCaptureUnjoined;
        if (error == cudaErrorStreamCaptureUnmatched)
            return spoil(*capture, error);
        if (error != cudaSuccess)
            drop(*capture);
        else if (out != nullptr)
            *out = capture->graph;
        finish(capture);
        return error;
    });
}

} // namespace

bool heddle::cudart::is_any_captured() {
    return !captures().empty();
}

Capture* heddle::cudart::capture_of(cudaStream_t stream) {
    for (const auto& capture : captures())
        for (const Capture::Stream& s : capture->streams)
            if (s.stream == stream)
                return capture.get();
    return nullptr;
}

cudaError_t heddle::cudart::spoil(Capture& capture, cudaError_t error) {
    capture.valid = false;
    return error;
}

cudaError_t heddle::cudart::spoil_all(cudaError_t error) {
    for (const auto& capture : captures())
        capture->valid = false;
    return captures().empty() ? cudaSuccess : error;
}

// What a stream that has joined a capture was given stays in the graph, and has to be waited for.
void heddle::cudart::abandon(cudaStream_t stream) {
    Capture* const capture = capture_of(stream);
    if (capture == nullptr)
        return;
    if (stream == capture->streams.front().stream) {
        drop(*capture);
        return finish(capture);
    }
    std::erase_if(capture->streams, [&](const Capture::Stream& s) { return s.stream == stream; });
}

cudaError_t heddle::cudart::put_in(cudaStream_t stream, CUgraphNode_st node) {
    Capture& capture = *capture_of(stream);
    if (!capture.valid)
        return cudaErrorStreamCaptureInvalidated;
    std::vector<cudaGraphNode_t>& last = capture.last_of(stream);
    node.after = last;
    last = {capture.graph->add(std::move(node))};
    capture.added.push_back(last.front());
    return cudaSuccess;
}

cudaError_t heddle::cudart::update_dependencies(cudaStream_t stream, const cudaGraphNode_t* nodes, std::size_t count,
                                                unsigned flags) {
    Capture* const capture = capture_of(stream);
    if (capture == nullptr)
        return cudaErrorIllegalState;
    if (flags > cudaStreamSetCaptureDependencies || !are_nodes(*capture->graph, nodes, count))
        return cudaErrorInvalidValue;
    std::vector<cudaGraphNode_t>& last = capture->last_of(stream);
    if (flags == cudaStreamSetCaptureDependencies) {
        add_missing(capture->let_go, last);
        last.clear();
    }
    add_missing(last, {nodes, nodes + count});
    return cudaSuccess;
}

bool heddle::cudart::record_captured(cudaEvent_t event, cudaStream_t stream) {
    Capture* const capture = capture_of(stream);
    if (capture == nullptr) {
        recorded().erase(event);
        return false;
    }
    recorded()[event] = {capture, capture->last_of(stream)};
    return true;
}

bool heddle::cudart::is_captured(cudaEvent_t event) {
    return recorded().contains(event);
}

std::optional<cudaError_t> heddle::cudart::wait_captured(cudaStream_t stream, cudaEvent_t event) {
    Capture* const capture = capture_of(stream);
    const auto at = recorded().find(event);
    if (at == recorded().end())
        return capture == nullptr ? std::nullopt : std::optional(spoil(*capture, cudaErrorStreamCaptureIsolation));
    Capture& of_event = *at->second.capture;
    if (capture != nullptr && capture != &of_event) {
        spoil(*capture, cudaErrorStreamCaptureMerge);
        return spoil(of_event, cudaErrorStreamCaptureMerge);
    }
    if (!can_be_captured(stream))
        return spoil(of_event, cudaErrorStreamCaptureImplicit);
    if (capture == nullptr)
        of_event.streams.push_back({stream, {}});
    add_missing(of_event.last_of(stream), at->second.last);
    return cudaSuccess;
}

void heddle::cudart::forget(cudaEvent_t event) {
    recorded().erase(event);
}

cudaStreamCaptureStatus heddle::cudart::capture_status(cudaStream_t stream) {
    const Capture* const capture = capture_of(stream);
    return capture == nullptr ? cudaStreamCaptureStatusNone
           : capture->valid   ? cudaStreamCaptureStatusActive
                              : cudaStreamCaptureStatusInvalidated;
}

HEDDLE_CUDA_API cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
    return begin_new(stream, mode);
}
HEDDLE_CUDA_API cudaError_t cudaStreamBeginCapture_ptsz(cudaStream_t stream, cudaStreamCaptureMode mode) {
    return begin_new(stream, mode);
}
HEDDLE_CUDA_API cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                                          const cudaGraphNode_t* after, const cudaGraphEdgeData*,
                                                          std::size_t count, cudaStreamCaptureMode mode) {
    return begin_in(stream, graph, after, count, mode);
}
HEDDLE_CUDA_API cudaError_t cudaStreamBeginCaptureToGraph_ptsz(cudaStream_t stream, cudaGraph_t graph,
                                                               const cudaGraphNode_t* after, const cudaGraphEdgeData*,
                                                               std::size_t count, cudaStreamCaptureMode mode) {
    return begin_in(stream, graph, after, count, mode);
}
HEDDLE_CUDA_API cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
    return end(stream, graph);
}
HEDDLE_CUDA_API cudaError_t cudaStreamEndCapture_ptsz(cudaStream_t stream, cudaGraph_t* graph) {
    return end(stream, graph);
}
// Modes forbid calls that heddle takes in all of them.
HEDDLE_CUDA_API cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
    thread_local cudaStreamCaptureMode now = cudaStreamCaptureModeGlobal;
    if (mode == nullptr || *mode > cudaStreamCaptureModeRelaxed)
        return record(cudaErrorInvalidValue);
    std::swap(*mode, now);
    return record(cudaSuccess);
}
