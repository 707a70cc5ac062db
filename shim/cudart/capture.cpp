// Captures of streams: what a program gives to them becomes a graph. Other streams join a capture by waiting for an
// event of it, and have to be waited for before it ends.
#include <map>

#include "graph.h"

using namespace heddle::cudart;

namespace {

std::vector<std::unique_ptr<Capture>>& captures() {
    static auto* const all = new std::vector<std::unique_ptr<Capture>>;
    return *all;
}

// Events that were recorded in a captured stream, and what had been given to it then.
struct Recorded {
    Capture* capture;
    std::vector<cudaGraphNode_t> last;
};
std::map<cudaEvent_t, Recorded>& recorded() {
    static auto* const all = new std::map<cudaEvent_t, Recorded>;
    return *all;
}

void add_missing(std::vector<cudaGraphNode_t>& to, const std::vector<cudaGraphNode_t>& from) {
    for (const cudaGraphNode_t node : from)
        if (std::find(to.begin(), to.end(), node) == to.end())
            to.push_back(node);
}

// Whether the nodes and all before them are the whole graph.
bool are_all_joined(const CUgraph_st& graph, std::vector<cudaGraphNode_t> joined) {
    for (std::size_t i = 0; i < joined.size(); ++i)
        add_missing(joined, std::vector<cudaGraphNode_t>(joined[i]->after)); // a copy: `joined` moves
    return joined.size() == graph.nodes.size();
}

// The default stream waits for all others, so it cannot be part of a graph.
bool can_be_captured(cudaStream_t stream) {
    return stream != nullptr && stream != cudaStreamLegacy;
}

cudaError_t begin(cudaStream_t stream, cudaStreamCaptureMode mode) {
    static std::uint64_t begun = 0;
    return api([&](State&) {
        if (mode > cudaStreamCaptureModeRelaxed)
            return cudaErrorInvalidValue;
        if (!can_be_captured(stream))
            return cudaErrorStreamCaptureUnsupported;
        if (capture_of(stream) != nullptr)
            return cudaErrorIllegalState;
        auto capture = std::make_unique<Capture>();
        capture->graph = graphs().emplace_back(std::make_unique<CUgraph_st>()).get();
        capture->id = ++begun;
        capture->streams.push_back({stream, {}});
        captures().push_back(std::move(capture));
        return cudaSuccess;
    });
}

void drop(cudaGraph_t graph) {
    std::erase_if(graphs(), [&](const auto& g) { return g.get() == graph; });
}
void finish(const Capture* capture) {
    std::erase_if(recorded(), [&](const auto& e) { return e.second.capture == capture; });
    std::erase_if(captures(), [&](const auto& c) { return c.get() == capture; });
}

cudaError_t end(cudaStream_t stream, cudaGraph_t* out) {
    return api([&](State&) {
        Capture* const capture = capture_of(stream);
        if (out == nullptr)
            return cudaErrorInvalidValue;
        *out = nullptr;
        if (capture == nullptr)
            return cudaErrorIllegalState;
        cudaError_t error = cudaSuccess;
        if (stream != capture->streams.front().stream)
            error = cudaErrorStreamCaptureUnmatched;
        else if (!capture->valid)
            error = cudaErrorStreamCaptureInvalidated;
        else if (!are_all_joined(*capture->graph, capture->streams.front().last))
            error = cudaErrorStreamCaptureUnjoined;
        if (error == cudaErrorStreamCaptureUnmatched)
            return spoil(*capture, error);
        if (error == cudaSuccess)
            *out = capture->graph;
        else
            drop(capture->graph);
        finish(capture);
        return error;
    });
}

} // namespace

std::vector<std::unique_ptr<CUgraph_st>>& heddle::cudart::graphs() {
    static auto* const all = new std::vector<std::unique_ptr<CUgraph_st>>;
    return *all;
}

cudaGraph_t heddle::cudart::find_graph(cudaGraph_t graph) {
    const bool known = std::any_of(graphs().begin(), graphs().end(), [&](const auto& g) { return g.get() == graph; });
    return known ? graph : nullptr;
}

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

void heddle::cudart::abandon(cudaStream_t stream) {
    Capture* const capture = capture_of(stream);
    if (capture == nullptr)
        return;
    if (stream == capture->streams.front().stream) {
        drop(capture->graph);
        return finish(capture);
    }
    capture->valid = false;
    std::erase_if(capture->streams, [&](const Capture::Stream& s) { return s.stream == stream; });
}

cudaError_t heddle::cudart::put_in(cudaStream_t stream, CUgraphNode_st node) {
    Capture& capture = *capture_of(stream);
    if (!capture.valid)
        return cudaErrorStreamCaptureInvalidated;
    std::vector<cudaGraphNode_t>& last = capture.last_of(stream);
    node.after = last;
    last = {capture.graph->add(std::move(node))};
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
    return begin(stream, mode);
}
HEDDLE_CUDA_API cudaError_t cudaStreamBeginCapture_ptsz(cudaStream_t stream, cudaStreamCaptureMode mode) {
    return begin(stream, mode);
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
