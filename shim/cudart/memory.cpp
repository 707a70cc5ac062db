// Memory: allocations, and what is known of pointers.
#include "memory.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "graph_memory.h"
#include "registered_memory.h"

using namespace heddle::cudart;
using heddle::Address;

namespace {

constexpr std::size_t kPitch = 512;
constexpr std::size_t kHostAlignment = 4096;

// The block of `memory` that holds `address`, or null.
const MemoryBlock* block_of(const std::map<Address, MemoryBlock>& memory, Address address) {
    const auto at = block_at(memory, address);
    return at == memory.end() ? nullptr : &at->second;
}

// Memory that the host program reaches by the same pointers. Pages do not move, and accesses of the host take no
// simulated time.
cudaError_t allocate_managed(State& state, void** out, std::size_t bytes, unsigned flags) {
    if (out == nullptr || bytes == 0 || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost))
        return cudaErrorInvalidValue;
    const Address address =
        state.device().allocate_shared(bytes, fmt::format("cudaMallocManaged #{}", state.allocated));
    if (address == 0) {
        complain(fmt::format("cudaMallocManaged of {} bytes: the device has no room, or the program has something else "
                             "at the device's addresses, from {:#x} on",
                             bytes, heddle::exec::kGlobalBase));
        return cudaErrorMemoryAllocation;
    }
    ++state.allocated;
    state.device_memory[address] = {bytes};
    *out = reinterpret_cast<void*>(address);
    return cudaSuccess;
}

cudaError_t release(State& state, const void* pointer) {
    if (pointer == nullptr)
        return cudaSuccess;
    std::map<Address, MemoryBlock>* memory_of = &state.device_memory;
    auto block = memory_of->find(device_address(pointer));
    if (block == memory_of->end()) { // memory of the host is a pool's, else it is for cudaFreeHost
        memory_of = &state.host_memory;
        block = memory_of->find(device_address(pointer));
        if (block == memory_of->end() || block->second.pool == nullptr)
            return cudaErrorInvalidValue;
    }
    if (const std::shared_ptr<GraphMemory> memory = block->second.of_graph)
        return memory->freed == GraphMemory::Freed::ByOwner ? cudaErrorInvalidValue : end_memory(state, memory);
    if (MemoryPool* const pool = block->second.pool.get())
        pool->used -= block->second.bytes;
    state.advice.forget(block->first, block->first + block->second.bytes);
    memory_of->erase(block);
    return state.device().release(device_address(pointer)) ? cudaSuccess : cudaErrorInvalidValue;
}

// Memory of the host that kernels reach by the same pointers. Where the program has something else at the device's
// addresses it is the host's alone: copies need no more.
cudaError_t allocate_host(void** out, std::size_t bytes, unsigned flags) {
    return api([&](State& state) {
        constexpr unsigned kFlags = cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
        if (out == nullptr || (flags & ~kFlags) != 0)
            return cudaErrorInvalidValue;
        *out = nullptr;
        if (bytes == 0)
            return cudaSuccess;
        const Address address =
            state.device().allocate_pinned(bytes, fmt::format("cudaHostAlloc #{}", state.host_allocated));
        *out = address != 0
                   ? reinterpret_cast<void*>(address)
                   : std::aligned_alloc(kHostAlignment, (bytes + kHostAlignment - 1) / kHostAlignment * kHostAlignment);
        if (*out == nullptr)
            return cudaErrorMemoryAllocation;
        ++state.host_allocated;
        state.host_memory[device_address(*out)] = {bytes, flags};
        return cudaSuccess;
    });
}

cudaError_t release_host(State& state, void* pointer) {
    if (pointer == nullptr)
        return cudaSuccess;
    const auto block = state.host_memory.find(device_address(pointer));
    if (block == state.host_memory.end() || block->second.pool != nullptr)
        return cudaErrorInvalidValue;
    state.host_memory.erase(block);
    if (!state.device().release(device_address(pointer)))
        std::free(pointer);
    return cudaSuccess;
}

} // namespace

std::map<Address, MemoryBlock>::const_iterator heddle::cudart::block_at(const std::map<Address, MemoryBlock>& memory,
                                                                        Address address) {
    auto at = memory.upper_bound(address);
    if (at == memory.begin())
        return memory.end();
    --at;
    return address - at->first < at->second.bytes ? at : memory.end();
}

cudaError_t heddle::cudart::allocate(State& state, void** out, std::size_t bytes,
                                     const std::shared_ptr<MemoryPool>& pool) {
    if (out == nullptr)
        return cudaErrorInvalidValue;
    *out = nullptr;
    if (bytes == 0)
        return cudaSuccess;
    if (pool != nullptr && pool->most != 0 && (bytes > pool->most || pool->used > pool->most - bytes))
        return cudaErrorMemoryAllocation;
    const PoolMemory memory = pool != nullptr ? pool->memory : PoolMemory::Device;
    const std::string name = fmt::format("cudaMalloc #{}", state.allocated);
    const Address address = memory == PoolMemory::Device ? state.device().allocate(bytes, name)
                            : memory == PoolMemory::Host ? state.device().allocate_pinned(bytes, name)
                                                         : state.device().allocate_shared(bytes, name);
    if (address == 0)
        return cudaErrorMemoryAllocation;
    ++state.allocated;
    auto& blocks = memory == PoolMemory::Host ? state.host_memory : state.device_memory;
    blocks[address] = {.bytes = bytes, .pool = pool};
    if (pool != nullptr) {
        pool->used += bytes;
        pool->most_used = std::max(pool->most_used, pool->used);
    }
    *out = reinterpret_cast<void*>(address);
    return cudaSuccess;
}

HEDDLE_CUDA_API cudaError_t cudaMalloc(void** out, std::size_t bytes) {
    return api([&](State& state) { return allocate(state, out, bytes); });
}
HEDDLE_CUDA_API cudaError_t cudaFree(void* pointer) {
    return api([&](State& state) { return release(state, pointer); });
}
HEDDLE_CUDA_API cudaError_t cudaMallocManaged(void** out, std::size_t bytes, unsigned flags) {
    return api([&](State& state) { return allocate_managed(state, out, bytes, flags); });
}
HEDDLE_CUDA_API cudaError_t cudaMallocPitch(void** out, std::size_t* pitch, std::size_t width, std::size_t height) {
    return api([&](State& state) {
        if (pitch == nullptr)
            return cudaErrorInvalidValue;
        *pitch = (width + kPitch - 1) / kPitch * kPitch;
        return allocate(state, out, *pitch * height);
    });
}
HEDDLE_CUDA_API cudaError_t cudaMalloc3D(cudaPitchedPtr* out, cudaExtent extent) {
    return api([&](State& state) {
        if (out == nullptr)
            return cudaErrorInvalidValue;
        *out = {nullptr, (extent.width + kPitch - 1) / kPitch * kPitch, extent.width, extent.height};
        return allocate(state, &out->ptr, out->pitch * extent.height * extent.depth);
    });
}
HEDDLE_CUDA_API cudaError_t cudaMallocHost(void** out, std::size_t bytes) {
    return allocate_host(out, bytes, cudaHostAllocDefault);
}
HEDDLE_CUDA_API cudaError_t cudaHostAlloc(void** out, std::size_t bytes, unsigned flags) {
    return allocate_host(out, bytes, flags);
}
HEDDLE_CUDA_API cudaError_t cudaFreeHost(void* pointer) {
    return api([&](State& state) { return release_host(state, pointer); });
}
HEDDLE_CUDA_API cudaError_t cudaHostGetFlags(unsigned* out, void* host) {
    return api([&](State& state) {
        const MemoryBlock* const block = block_of(state.host_memory, device_address(host));
        if (out == nullptr || block == nullptr)
            return cudaErrorInvalidValue;
        // What the driver adds where addresses are unified.
        *out = block->flags | (state.device().is_shared(device_address(host)) ? unsigned{cudaHostAllocMapped} : 0U);
        return cudaSuccess;
    });
}
HEDDLE_CUDA_API cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
    return api([&](State& state) {
        std::uint64_t used = state.device().virtual_memory().created();
        for (const auto& [address, block] : state.device_memory)
            used += block.bytes;
        if (total != nullptr)
            *total = state.properties().global_bytes;
        if (free != nullptr)
            *free = state.properties().global_bytes - used;
        return cudaSuccess;
    });
}
HEDDLE_CUDA_API cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* out, const void* pointer) {
    return api([&](State& state) {
        if (out == nullptr)
            return cudaErrorInvalidValue;
        void* const p = const_cast<void*>(pointer);
        const bool shared = state.device().is_shared(device_address(pointer));
        if (block_of(state.host_memory, device_address(pointer)) != nullptr)
            *out = {cudaMemoryTypeHost, 0, shared ? p : nullptr, p};
        else if (const std::optional<Registered> registered = registered_at(state, device_address(pointer)))
            *out = {cudaMemoryTypeHost, 0, registered->on_device, registered->in_program};
        else if (shared)
            *out = {cudaMemoryTypeManaged, 0, p, p};
        else if (block_of(state.device_memory, device_address(pointer)) != nullptr ||
                 state.device().virtual_memory().at(device_address(pointer)) != 0 ||
                 state.device().variable_at(device_address(pointer)))
            *out = {cudaMemoryTypeDevice, 0, p, nullptr};
        else
            *out = {cudaMemoryTypeUnregistered, -2, nullptr, p};
        return cudaSuccess;
    });
}
