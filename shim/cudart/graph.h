// Graphs: work that is described once and done any number of times. Nodes are the operations of streams, so a stream
// that is captured adds to its graph what it would have done (capture.cpp).
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "state.h"

namespace heddle::cudart {

// What is done, each time; its answer as that of the call.
using Work = std::function<cudaError_t()>;

// A kernel's launch with a copy of its arguments. `function`: the address or handle that the program uses.
struct KernelCall {
    const void* function;
    dim3 grid, block;
    std::size_t shared;
    bool cooperative;
    dim3 cluster;                     // blocks of a cluster; zeros: as the kernel says
    std::vector<std::byte> arguments; // one behind the other, as the kernel has them
    std::vector<void*> pointers;      // to them
};

// launch.cpp. What is wrong with such a launch is said now; `arguments` are copied.
cudaError_t prepare_launch(KernelCall& call, void** arguments);
// Does it now.
cudaError_t launch(const KernelCall& call);

} // namespace heddle::cudart

struct CUgraphNode_st {
    cudaGraphNodeType type;
    heddle::cudart::Work work;                            // null: none
    std::vector<CUgraphNode_st*> after;                   // nodes of its graph that come before it
    std::shared_ptr<heddle::cudart::KernelCall> kernel{}; // of a kernel's node: what `work` launches
};

struct CUgraph_st {
    std::vector<std::unique_ptr<CUgraphNode_st>> nodes; // each behind those that it comes after

    cudaGraphNode_t add(CUgraphNode_st node) {
        return nodes.emplace_back(std::make_unique<CUgraphNode_st>(std::move(node))).get();
    }
    [[nodiscard]] bool holds(const CUgraphNode_st* node) const {
        return std::any_of(nodes.begin(), nodes.end(), [&](const auto& n) { return n.get() == node; });
    }
};

namespace heddle::cudart {

// The graphs of the program, to be called with the state's mutex held.
std::vector<std::unique_ptr<CUgraph_st>>& graphs();
cudaGraph_t find_graph(cudaGraph_t graph); // null: there is no such graph

// A graph that is being made of what streams are given.
struct Capture {
    struct Stream {
        cudaStream_t stream;
        std::vector<cudaGraphNode_t> last; // what its next work comes after
    };
    cudaGraph_t graph;
    std::uint64_t id = 0; // unique
    bool valid = true;
    std::vector<Stream> streams; // the first is the stream on which the program began

    // Of one of them: what its next work comes after.
    [[nodiscard]] std::vector<cudaGraphNode_t>& last_of(cudaStream_t stream) {
        return std::find_if(streams.begin(), streams.end(), [&](const Stream& s) { return s.stream == stream; })->last;
    }
};

// graphs.cpp; with the state's mutex held. What became of it, and at which node of the graph it failed.
bool can_update(cudaGraphExec_t exec, cudaGraph_t graph);
cudaGraphExecUpdateResult update(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t* differs);

// capture.cpp; all with the state's mutex held.
bool is_any_captured();
Capture* capture_of(cudaStream_t stream);
// A call that a captured stream can not take: the capture is lost.
cudaError_t spoil(Capture& capture, cudaError_t error);
cudaError_t put_in(cudaStream_t stream, CUgraphNode_st node);
// The stream is going to be destroyed.
void abandon(cudaStream_t stream);
cudaStreamCaptureStatus capture_status(cudaStream_t stream);
// Events: false when the stream is not captured; the answer of a call that has to do with a capture.
bool record_captured(cudaEvent_t event, cudaStream_t stream);
bool is_captured(cudaEvent_t event);
std::optional<cudaError_t> wait_captured(cudaStream_t stream, cudaEvent_t event);
void forget(cudaEvent_t event);

// Does the work of a stream, or puts it into the stream's graph. Null for the default stream.
template <class F>
cudaError_t in_stream(cudaStream_t stream, cudaGraphNodeType type, F&& work) {
    {
        const std::lock_guard lock(State::get().mutex);
        if (is_any_captured() && capture_of(stream) != nullptr) [[unlikely]]
            return record(put_in(stream, {type, std::forward<F>(work), {}}));
    }
    return work();
}

} // namespace heddle::cudart
