// Memory that nodes of graphs allocate and free. Its addresses are reserved when the node is made; memory is there from
// the allocation to the release, also from one launch to the next.
#include "graph_memory.h"

#include <cstring>

#include <fmt/format.h>

#include "base/process_object.h"
#include "memory.h"

using namespace heddle::cudart;

namespace {

constexpr cudaMemAccessDesc kRights{{cudaMemLocationTypeDevice, 0}, cudaMemAccessFlagsProtReadWrite};

std::map<heddle::Address, std::weak_ptr<GraphMemory>>& reserved() {
    static auto& all = heddle::process_object<std::map<heddle::Address, std::weak_ptr<GraphMemory>>>("graph memory");
    return all;
}

struct Amounts {
    std::uint64_t used = 0, most_used = 0;
    std::uint64_t most_reserved = 0; // what is used is reserved
} amounts;

cudaError_t check_parameters(const cudaMemAllocNodeParams& what) {
    if (what.bytesize == 0 || what.poolProps.allocType != cudaMemAllocationTypePinned ||
        (what.accessDescCount != 0 && what.accessDescs == nullptr))
        return cudaErrorInvalidValue;
    if (what.poolProps.handleTypes != cudaMemHandleTypeNone)
        return cudaErrorNotSupported;
    for (std::size_t i = 0; i < what.accessDescCount; ++i)
        if (const cudaError_t error = check_place(what.accessDescs[i].location); error != cudaSuccess)
            return error;
    return check_place(what.poolProps.location);
}

bool frees(const CUgraph_st& graph, const std::shared_ptr<GraphMemory>& memory) {
    return std::any_of(graph.nodes.begin(), graph.nodes.end(), [&](const auto& node) {
        const auto* const use = std::get_if<MemoryUse>(&node->task);
        return use != nullptr && node->type == cudaGraphNodeTypeMemFree && use->memory == memory;
    });
}

std::uint64_t* amount_of(cudaGraphMemAttributeType attribute) {
    switch (attribute) {
    case cudaGraphMemAttrUsedMemCurrent:
    case cudaGraphMemAttrReservedMemCurrent:
        return &amounts.used;
    case cudaGraphMemAttrUsedMemHigh:
        return &amounts.most_used;
    case cudaGraphMemAttrReservedMemHigh:
        return &amounts.most_reserved;
    default:
        return nullptr;
    }
}

// Calls body(place of the amount) when there are such a device and such an attribute.
template <class F>
cudaError_t with_amount(int device, cudaGraphMemAttributeType attribute, const void* value, F&& body) {
    return api([&](State&) {
        if (device != 0)
            return cudaErrorInvalidDevice;
        std::uint64_t* const amount = amount_of(attribute);
        return amount == nullptr || value == nullptr ? cudaErrorInvalidValue : body(*amount);
    });
}

} // namespace

std::shared_ptr<GraphMemory> GraphMemory::reserve(State& state, std::uint64_t bytes, std::uint64_t owner) {
    const Address address = state.device().fixed_memory().reserve(bytes);
    if (address == 0)
        return nullptr;
    const auto memory = std::make_shared<GraphMemory>(address, bytes, owner);
    reserved()[address] = memory;
    return memory;
}

std::shared_ptr<GraphMemory> GraphMemory::find(const void* pointer) {
    const auto at = reserved().find(device_address(pointer));
    return at == reserved().end() ? nullptr : at->second.lock();
}

GraphMemory::~GraphMemory() {
    reserved().erase(address);
    State::get().device().fixed_memory().give_back(address, bytes);
}

cudaError_t heddle::cudart::begin_memory(State& state, const std::shared_ptr<GraphMemory>& memory) {
    if (memory->is_live) {
        complain(fmt::format("a graph allocates its memory at {} again before it is freed", memory->pointer()));
        return cudaErrorInvalidValue;
    }
    if (!state.device().fixed_memory().allocate(memory->address, memory->bytes,
                                                fmt::format("memory of a graph #{}", memory->owner)))
        return cudaErrorMemoryAllocation;
    memory->is_live = true;
    state.device_memory[memory->address] = {.bytes = memory->bytes, .of_graph = memory};
    amounts.used += memory->bytes;
    amounts.most_used = std::max(amounts.most_used, amounts.used);
    amounts.most_reserved = std::max(amounts.most_reserved, amounts.used);
    return cudaSuccess;
}

cudaError_t heddle::cudart::end_memory(State& state, const std::shared_ptr<GraphMemory>& memory) {
    if (!memory->is_live) {
        complain(fmt::format("memory of a graph at {} is freed, and it is not allocated", memory->pointer()));
        return cudaErrorInvalidValue;
    }
    memory->is_live = false;
    amounts.used -= memory->bytes;
    state.device().fixed_memory().release(memory->address, memory->bytes);
    state.device_memory.erase(memory->address);
    return cudaSuccess;
}

cudaError_t heddle::cudart::describe_allocation(Task& task, const CUgraph_st& graph, cudaMemAllocNodeParams* what) {
    if (what == nullptr || graph.is_moved)
        return cudaErrorInvalidValue;
    if (const cudaError_t error = check_parameters(*what); error != cudaSuccess)
        return error;
    const std::shared_ptr<GraphMemory> memory = GraphMemory::reserve(State::get(), what->bytesize, graph.id);
    if (memory == nullptr)
        return cudaErrorMemoryAllocation;
    what->dptr = memory->pointer();
    task = MemoryUse{memory};
    return cudaSuccess;
}

cudaError_t heddle::cudart::describe_release(Task& task, const CUgraph_st& graph, const void* pointer) {
    const std::shared_ptr<GraphMemory> memory = GraphMemory::find(pointer);
    if (graph.is_moved)
        return cudaErrorInvalidValue;
    if (memory == nullptr) {
        complain(fmt::format("a graph frees {}, which no node of a graph allocates", pointer));
        return cudaErrorInvalidValue;
    }
    const auto by = graph.id == memory->owner ? GraphMemory::Freed::ByOwner : GraphMemory::Freed::ByOthers;
    if (frees(graph, memory) || (memory->freed != GraphMemory::Freed::Nowhere && memory->freed != by)) {
        complain(fmt::format("a graph frees memory of a graph at {}, which another node frees", pointer));
        return cudaErrorInvalidValue;
    }
    memory->freed = by;
    task = MemoryUse{memory};
    return cudaSuccess;
}

cudaMemAllocNodeParams heddle::cudart::parameters_of(const GraphMemory& memory) {
    cudaMemAllocNodeParams out{};
    out.poolProps.allocType = cudaMemAllocationTypePinned;
    out.poolProps.location = kRights.location;
    out.accessDescs = &kRights;
    out.accessDescCount = 1;
    out.bytesize = memory.bytes;
    out.dptr = memory.pointer();
    return out;
}

HEDDLE_CUDA_API cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                                     const cudaGraphNode_t* after, std::size_t count,
                                                     cudaMemAllocNodeParams* what) {
    return add_node({out, graph, after, count}, cudaGraphNodeTypeMemAlloc,
                    [&](Task& task) { return describe_allocation(task, *graph, what); });
}
HEDDLE_CUDA_API cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node, cudaMemAllocNodeParams* out) {
    return with_task(node, cudaGraphNodeTypeMemAlloc, [&](const Task& task) {
        if (out == nullptr)
            return cudaErrorInvalidValue;
        *out = parameters_of(*std::get<MemoryUse>(task).memory);
        return cudaSuccess;
    });
}
HEDDLE_CUDA_API cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* out, cudaGraph_t graph,
                                                    const cudaGraphNode_t* after, std::size_t count, void* memory) {
    return add_node({out, graph, after, count}, cudaGraphNodeTypeMemFree,
                    [&](Task& task) { return describe_release(task, *graph, memory); });
}
HEDDLE_CUDA_API cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void* out) {
    return with_task(node, cudaGraphNodeTypeMemFree, [&](const Task& task) {
        if (out == nullptr)
            return cudaErrorInvalidValue;
        void* const pointer = std::get<MemoryUse>(task).memory->pointer();
        std::memcpy(out, &pointer, sizeof pointer);
        return cudaSuccess;
    });
}

// Memory goes back to the device when it is freed: nothing is kept that could be trimmed.
HEDDLE_CUDA_API cudaError_t cudaDeviceGraphMemTrim(int device) {
    return api([&](State&) { return device == 0 ? cudaSuccess : cudaErrorInvalidDevice; });
}
HEDDLE_CUDA_API cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute,
                                                           void* value) {
    return with_amount(device, attribute, value, [&](const std::uint64_t& amount) {
        std::memcpy(value, &amount, sizeof amount);
        return cudaSuccess;
    });
}
// Only the largest amounts can be set, and to 0: they are counted anew then.
HEDDLE_CUDA_API cudaError_t cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute,
                                                           void* value) {
    return with_amount(device, attribute, value, [&](std::uint64_t& amount) {
        std::uint64_t wanted;
        std::memcpy(&wanted, value, sizeof wanted);
        if (wanted != 0 || &amount == &amounts.used)
            return cudaErrorInvalidValue;
        amount = amounts.used;
        return cudaSuccess;
    });
}
