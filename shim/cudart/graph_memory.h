// Memory that nodes of graphs allocate and free.
#pragma once

#include <memory>

#include "graph.h"

namespace heddle::cudart {

// What a node allocates, at an address that is fixed when the node is made.
class GraphMemory {
public:
    // Null: there are no such addresses.
    static std::shared_ptr<GraphMemory> reserve(State& state, std::uint64_t bytes, std::uint64_t owner);
    // By the address; null: there is none.
    static std::shared_ptr<GraphMemory> find(const void* pointer);
    GraphMemory(Address address, std::uint64_t bytes, std::uint64_t owner)
        : address(address), bytes(bytes), owner(owner) {}
    ~GraphMemory();
    GraphMemory(const GraphMemory&) = delete;
    GraphMemory& operator=(const GraphMemory&) = delete;

    [[nodiscard]] void* pointer() const {
        return reinterpret_cast<void*>(address);
    }

    const Address address;
    const std::uint64_t bytes;
    const std::uint64_t owner; // the graph (CUgraph_st::id) with the node
    // Which graphs have nodes that free it: its own, or others, not both.
    enum class Freed { Nowhere, ByOwner, ByOthers } freed = Freed::Nowhere;
    bool is_live = false;
};

cudaError_t begin_memory(State& state, const std::shared_ptr<GraphMemory>& memory);
cudaError_t end_memory(State& state, const std::shared_ptr<GraphMemory>& memory);

// The tasks of nodes of a graph. `what` gets the address.
cudaError_t describe_allocation(Task& task, const CUgraph_st& graph, cudaMemAllocNodeParams* what);
cudaError_t describe_release(Task& task, const CUgraph_st& graph, const void* pointer);
cudaMemAllocNodeParams parameters_of(const GraphMemory& memory);

} // namespace heddle::cudart
