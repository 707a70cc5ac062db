// Graphs: work that is described once and done any number of times. Nodes are the operations of streams, so a stream
// that is captured adds to its graph what it would have done (capture.cpp).
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "graph_tasks.h"
#include "state.h"
#include "user_objects.h"

struct CUgraphNode_st {
    cudaGraphNodeType type;
    heddle::cudart::Task task;
    std::vector<CUgraphNode_st*> after{};    // nodes of its graph that come before it
    const CUgraphNode_st* original{nullptr}; // of a node in a clone: the node it was made from, which may be gone
};

struct CUgraph_st {
    CUgraph_st();
    ~CUgraph_st();
    CUgraph_st(const CUgraph_st&) = delete;
    CUgraph_st& operator=(const CUgraph_st&) = delete;

    cudaGraphNode_t add(CUgraphNode_st node);
    void remove(const CUgraphNode_st* node);
    [[nodiscard]] bool holds(const CUgraphNode_st* node) const;

    std::vector<std::unique_ptr<CUgraphNode_st>> nodes; // each behind those that it comes after
    std::vector<std::shared_ptr<heddle::cudart::Condition>> conditions;
    heddle::cudart::UserReferences objects;
    std::uint64_t id;      // unique
    bool is_moved = false; // into a node of another graph, with which it ends
    // Whether there is an executable graph of it. Only graphs that can have one alone look at it.
    std::shared_ptr<bool> is_instantiated = std::make_shared<bool>(false);
};

namespace heddle::cudart {

// The graphs of the program but for those within nodes, to be called with the state's mutex held.
std::vector<std::shared_ptr<CUgraph_st>>& graphs();
cudaGraph_t find_graph(cudaGraph_t graph);        // also within a node; null: there is no such graph
cudaGraph_t graph_of(const CUgraphNode_st* node); // null: there is no such node
std::shared_ptr<CUgraph_st> clone(const CUgraph_st& graph);
// Whether a graph or one within it has nodes for memory or conditions: such a graph can not be cloned, has one
// executable graph at a time, and keeps its nodes and edges.
bool is_single(const CUgraph_st& graph);

// graphs.cpp: adds a node, whose task make(task) fills.
using Make = std::function<cudaError_t(Task&)>;
struct Place { // of a new node
    cudaGraphNode_t* out;
    cudaGraph_t graph;
    const cudaGraphNode_t* after;
    std::size_t count;
};
cudaError_t add_node(const Place& place, cudaGraphNodeType type, const Make& make);
// Gives the node another task. make(task) finds the old one.
cudaError_t set_node(cudaGraphNode_t node, cudaGraphNodeType type, const Make& make);
// graph_executables.cpp: gives the step of a node another task.
cudaError_t set_step(cudaGraphExec_t exec, cudaGraphNode_t node, cudaGraphNodeType type, const Make& make);

// Calls body(task) with the task of a node of that type.
template <class F>
cudaError_t with_task(cudaGraphNode_t node, cudaGraphNodeType type, F&& body) {
    return api([&](State&) {
        return graph_of(node) == nullptr || node->type != type ? cudaErrorInvalidValue : body(node->task);
    });
}

// A graph that is being made of what streams are given.
struct Capture {
    struct Stream {
        cudaStream_t stream;
        std::vector<cudaGraphNode_t> last; // what its next work comes after
    };
    cudaGraph_t graph;
    bool is_new;          // the graph: it ends with a capture that fails
    std::uint64_t id = 0; // unique
    bool valid = true;
    std::vector<Stream> streams;         // the first is the stream on which the program began
    std::vector<cudaGraphNode_t> added;  // by streams
    std::vector<cudaGraphNode_t> let_go; // by the program: nodes that need not be joined

    // Of one of them: what its next work comes after.
    [[nodiscard]] std::vector<cudaGraphNode_t>& last_of(cudaStream_t stream) {
        return std::find_if(streams.begin(), streams.end(), [&](const Stream& s) { return s.stream == stream; })->last;
    }
};

// capture.cpp; all with the state's mutex held.
bool is_any_captured();
Capture* capture_of(cudaStream_t stream);
// A call that a captured stream can not take: the capture is lost.
cudaError_t spoil(Capture& capture, cudaError_t error);
// The same of all captures. Success: there is none.
cudaError_t spoil_all(cudaError_t error);
cudaError_t put_in(cudaStream_t stream, CUgraphNode_st node);
// The stream is going to be destroyed.
void abandon(cudaStream_t stream);
cudaStreamCaptureStatus capture_status(cudaStream_t stream);
cudaError_t update_dependencies(cudaStream_t stream, const cudaGraphNode_t* nodes, std::size_t count, unsigned flags);
// Events: false when the stream is not captured; the answer of a call that has to do with a capture.
bool record_captured(cudaEvent_t event, cudaStream_t stream);
bool is_captured(cudaEvent_t event);
std::optional<cudaError_t> wait_captured(cudaStream_t stream, cudaEvent_t event);
void forget(cudaEvent_t event);

// streams.cpp: events, with the state's mutex held.
bool is_event(cudaEvent_t event);
cudaError_t record_now(State& state, cudaEvent_t event);

// Does the work of a stream, or puts it into the stream's graph as the task that describe() gives. Null for the default
// stream.
template <class Describe, class F>
cudaError_t in_stream(cudaStream_t stream, cudaGraphNodeType type, Describe&& describe, F&& work) {
    {
        const std::lock_guard lock(State::get().mutex);
        if (is_any_captured() && capture_of(stream) != nullptr) [[unlikely]]
            return record(put_in(stream, {type, describe()}));
    }
    return work();
}
// Of work that has no description.
template <class F>
cudaError_t in_stream(cudaStream_t stream, cudaGraphNodeType type, F&& work) {
    return in_stream(
        stream, type, [&] { return Task(Work(work)); }, work);
}

} // namespace heddle::cudart
