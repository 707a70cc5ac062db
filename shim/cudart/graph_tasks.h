// What nodes of graphs do: a description for each kind of node, which programs read and change.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <variant>
#include <vector>

#include "state.h"
#include "stream_operations.h"

namespace heddle::cudart {

// What has no description; its answer is that of the call.
using Work = std::function<cudaError_t()>;

using AttributeValue = std::array<char, 64>; // cudaLaunchAttributeValue; heddle's header has a part of it
inline constexpr int kMostAttribute = 31;    // numbers of attributes are below it

// A kernel's launch with a copy of its arguments. `function`: the address or handle that the program uses.
struct KernelCall {
    const void* function;
    dim3 grid, block;
    std::size_t shared;
    bool cooperative;
    dim3 cluster;                               // blocks of a cluster; zeros: as the kernel says
    std::vector<std::byte> arguments{};         // one behind the other, as the kernel has them
    std::vector<void*> pointers{};              // to them
    std::map<int, AttributeValue> attributes{}; // of cudaLaunchAttributeID that have no effect
};

// launch.cpp. What is wrong with such a launch is said now; `arguments` are copied.
cudaError_t prepare_launch(KernelCall& call, void** arguments);
cudaError_t check_launch(const KernelCall& call);
std::shared_ptr<KernelCall> copy_of(const KernelCall& call);
// graph_attributes.cpp: whether device code may change the launch as a node of a graph.
bool is_device_updatable(const KernelCall& call);
// Does it now.
cudaError_t launch(const KernelCall& call);

struct EventUse {
    cudaEvent_t event;
};

class GraphMemory; // graph_memory.h
struct MemoryUse {
    std::shared_ptr<GraphMemory> memory;
};

struct ChildGraph {
    std::shared_ptr<CUgraph_st> graph;
};

// The condition of a conditional node.
struct Condition {
    Condition(Address word, unsigned standard, bool is_assigned)
        : word(word), standard(standard), is_assigned(is_assigned) {}
    ~Condition();
    Condition(const Condition&) = delete;
    Condition& operator=(const Condition&) = delete;

    const Address word; // of the device's memory, where kernels set it: its handle
    unsigned standard;  // its value when its graph begins,
    bool is_assigned;   // if it is given one then
    bool has_node = false;
};
struct Branch {
    std::shared_ptr<Condition> condition;
    cudaGraphConditionalNodeType type;
    std::vector<std::shared_ptr<CUgraph_st>> bodies;
    std::vector<cudaGraph_t> handles; // of the bodies, as the program has them
};

using KernelTask = std::shared_ptr<KernelCall>; // not changed in place: executable graphs and clones have it, too
using BranchTask = std::shared_ptr<Branch>;
using Operations = std::shared_ptr<std::vector<StreamOperation>>;

using Task = std::variant<std::monostate, Work, KernelTask, cudaMemcpy3DParms, cudaMemsetParams, cudaHostNodeParams,
                          EventUse, MemoryUse, ChildGraph, BranchTask, Operations>;

// The descriptions as programs give them.
cudaError_t describe_kernel(Task& task, const cudaKernelNodeParams* what);
cudaError_t describe_copy(Task& task, const cudaMemcpy3DParms* what);
cudaError_t describe_copy_of_bytes(Task& task, void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind);
cudaError_t describe_copy_to_symbol(Task& task, const void* symbol, const void* from, std::size_t bytes,
                                    std::size_t offset, cudaMemcpyKind kind);
cudaError_t describe_copy_from_symbol(Task& task, void* to, const void* symbol, std::size_t bytes, std::size_t offset,
                                      cudaMemcpyKind kind);
cudaError_t describe_fill(Task& task, const cudaMemsetParams* what);
cudaError_t describe_host(Task& task, const cudaHostNodeParams* what);
cudaError_t describe_event(Task& task, cudaEvent_t event);
cudaError_t describe_child(Task& task, cudaGraph_t child);
// Copies of memory in one and two dimensions.
cudaMemcpy3DParms copy_of_bytes(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind);
cudaMemcpy3DParms copy_of_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                               std::size_t width, std::size_t height, cudaMemcpyKind kind);

// Does a task that has no graphs within it.
cudaError_t perform(const Task& task, cudaGraphNodeType type);

} // namespace heddle::cudart
