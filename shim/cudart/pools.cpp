// Pools of stream-ordered memory. Work is done when it is given, so that an allocation is there, and gone, at once, and
// a pool keeps nothing back: it is the numbers of what was allocated from it, and the settings that a program gave it.
#include <algorithm>
#include <cstring>
#include <optional>

#include "graph_memory.h"
#include "memory.h"

using namespace heddle::cudart;

namespace {

cudaMemPool_t handle_of(const std::shared_ptr<MemoryPool>& pool) {
    return reinterpret_cast<cudaMemPool_t>(pool.get());
}

std::shared_ptr<MemoryPool> find_pool(State& state, cudaMemPool_t handle) {
    for (const Pools::OfMemory& pools : state.pools.of_memory)
        if (handle == handle_of(pools.standard))
            return pools.standard;
    const auto at = std::find_if(state.pools.made.begin(), state.pools.made.end(),
                                 [&](const auto& pool) { return handle_of(pool) == handle; });
    return at == state.pools.made.end() ? nullptr : *at;
}

// Calls body(pool) for the pool of a handle.
template <class F>
cudaError_t with_pool(cudaMemPool_t handle, F&& body) {
    return api([&](State& state) {
        const std::shared_ptr<MemoryPool> pool = find_pool(state, handle);
        return pool == nullptr ? cudaErrorInvalidValue : body(state, pool);
    });
}

using Which = std::shared_ptr<MemoryPool> Pools::OfMemory::*;

cudaError_t give_pool(cudaMemPool_t* out, int device, Which which) {
    return api([&](State& state) {
        if (out == nullptr)
            return cudaErrorInvalidValue;
        if (device != 0)
            return cudaErrorInvalidDevice;
        *out = handle_of(state.pools.of(PoolMemory::Device).*which);
        return cudaSuccess;
    });
}

// The memory of a kind at a place; nothing: there is no such memory.
std::optional<PoolMemory> memory_at(cudaMemAllocationType kind, const cudaMemLocation& place) {
    const bool on_host = place.type >= cudaMemLocationTypeHost && place.type <= cudaMemLocationTypeHostNumaCurrent;
    if (!on_host && check_place(place) != cudaSuccess)
        return std::nullopt;
    if (kind == cudaMemAllocationTypeManaged)
        return PoolMemory::Managed;
    if (kind != cudaMemAllocationTypePinned)
        return std::nullopt;
    return on_host ? PoolMemory::Host : PoolMemory::Device;
}

cudaError_t give_pool(cudaMemPool_t* out, const cudaMemLocation* place, cudaMemAllocationType kind, Which which) {
    return api([&](State& state) {
        const auto memory = place == nullptr ? std::nullopt : memory_at(kind, *place);
        if (out == nullptr || !memory)
            return cudaErrorInvalidValue;
        *out = handle_of(state.pools.of(*memory).*which);
        return cudaSuccess;
    });
}

cudaMemAllocNodeParams allocation_of(std::size_t bytes) {
    cudaMemAllocNodeParams out{};
    out.poolProps.allocType = cudaMemAllocationTypePinned;
    out.poolProps.location = {cudaMemLocationTypeDevice, 0};
    out.bytesize = bytes;
    return out;
}

// Stream-ordered memory of a captured stream is memory of the graph.
cudaError_t allocate_captured(Capture& capture, void** out, std::size_t bytes, cudaStream_t stream) {
    if (out == nullptr)
        return cudaErrorInvalidValue;
    cudaMemAllocNodeParams what = allocation_of(bytes);
    CUgraphNode_st node{cudaGraphNodeTypeMemAlloc, {}};
    cudaError_t error = describe_allocation(node.task, *capture.graph, &what);
    if (error == cudaSuccess)
        error = put_in(stream, std::move(node));
    if (error == cudaSuccess)
        *out = what.dptr;
    return error;
}
cudaError_t free_captured(Capture& capture, const void* pointer, cudaStream_t stream) {
    CUgraphNode_st node{cudaGraphNodeTypeMemFree, {}};
    const cudaError_t error = describe_release(node.task, *capture.graph, pointer);
    return error != cudaSuccess ? error : put_in(stream, std::move(node));
}

cudaError_t allocate_in(State& state, void** out, std::size_t bytes, const std::shared_ptr<MemoryPool>& pool,
                        cudaStream_t stream) {
    Capture* const capture = capture_of(stream);
    if (capture != nullptr && pool->memory != PoolMemory::Device) // memory of graphs is the device's
        return cudaErrorNotSupported;
    return capture == nullptr ? allocate(state, out, bytes, pool) : allocate_captured(*capture, out, bytes, stream);
}
cudaError_t allocate_from(void** out, std::size_t bytes, cudaMemPool_t handle, cudaStream_t stream) {
    return with_pool(handle, [&](State& state, const std::shared_ptr<MemoryPool>& pool) {
        return allocate_in(state, out, bytes, pool, stream);
    });
}
cudaError_t allocate_async(void** out, std::size_t bytes, cudaStream_t stream) {
    return api([&](State& state) {
        return allocate_in(state, out, bytes, state.pools.of(PoolMemory::Device).current, stream);
    });
}
cudaError_t free_async(void* pointer, cudaStream_t stream) {
    return api([&](State&) {
        Capture* const capture = capture_of(stream);
        return capture == nullptr ? cudaFree(pointer) : free_captured(*capture, pointer, stream);
    });
}

cudaError_t check_properties(const cudaMemPoolProps& wanted) {
    if (wanted.handleTypes != cudaMemHandleTypeNone)
        return cudaErrorNotSupported;
    if (memory_at(wanted.allocType, wanted.location))
        return cudaSuccess;
    const bool at_another_device = wanted.allocType == cudaMemAllocationTypePinned;
    return at_another_device ? cudaErrorInvalidDevice : cudaErrorInvalidValue;
}

// The number of an attribute; null for other attributes.
std::uint64_t* attribute_of(MemoryPool& pool, cudaMemPoolAttr attribute) {
    switch (attribute) {
    case cudaMemPoolAttrReleaseThreshold:
        return &pool.release_threshold;
    case cudaMemPoolAttrReservedMemCurrent:
    case cudaMemPoolAttrUsedMemCurrent:
        return &pool.used;
    case cudaMemPoolAttrReservedMemHigh:
    case cudaMemPoolAttrUsedMemHigh:
        return &pool.most_used;
    default:
        return nullptr;
    }
}
int* switch_of(MemoryPool& pool, cudaMemPoolAttr attribute) {
    const bool known =
        attribute >= cudaMemPoolReuseFollowEventDependencies && attribute <= cudaMemPoolReuseAllowInternalDependencies;
    return known ? &pool.reuse[attribute - cudaMemPoolReuseFollowEventDependencies] : nullptr;
}

} // namespace

cudaError_t heddle::cudart::check_place(const cudaMemLocation& place) {
    return place.type == cudaMemLocationTypeDevice && place.id == 0 ? cudaSuccess : cudaErrorInvalidDevice;
}

HEDDLE_CUDA_API cudaError_t cudaMallocAsync(void** out, std::size_t bytes, cudaStream_t stream) {
    return allocate_async(out, bytes, stream);
}
HEDDLE_CUDA_API cudaError_t cudaMallocAsync_ptsz(void** out, std::size_t bytes, cudaStream_t stream) {
    return allocate_async(out, bytes, stream);
}
HEDDLE_CUDA_API cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
    return free_async(pointer, stream);
}
HEDDLE_CUDA_API cudaError_t cudaFreeAsync_ptsz(void* pointer, cudaStream_t stream) {
    return free_async(pointer, stream);
}
HEDDLE_CUDA_API cudaError_t cudaMallocFromPoolAsync(void** out, std::size_t bytes, cudaMemPool_t pool,
                                                    cudaStream_t stream) {
    return allocate_from(out, bytes, pool, stream);
}
HEDDLE_CUDA_API cudaError_t cudaMallocFromPoolAsync_ptsz(void** out, std::size_t bytes, cudaMemPool_t pool,
                                                         cudaStream_t stream) {
    return allocate_from(out, bytes, pool, stream);
}

HEDDLE_CUDA_API cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
    return give_pool(pool, device, &Pools::OfMemory::standard);
}
HEDDLE_CUDA_API cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
    return give_pool(pool, device, &Pools::OfMemory::current);
}
HEDDLE_CUDA_API cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t handle) {
    return with_pool(handle, [&](State& state, const std::shared_ptr<MemoryPool>& pool) {
        if (device != 0)
            return cudaErrorInvalidDevice;
        if (pool->memory != PoolMemory::Device)
            return cudaErrorInvalidValue;
        state.pools.of(PoolMemory::Device).current = pool;
        return cudaSuccess;
    });
}

HEDDLE_CUDA_API cudaError_t cudaMemPoolCreate(cudaMemPool_t* out, const cudaMemPoolProps* wanted) {
    return api([&](State& state) {
        if (out == nullptr || wanted == nullptr)
            return cudaErrorInvalidValue;
        if (const cudaError_t error = check_properties(*wanted); error != cudaSuccess)
            return error;
        const auto pool = std::make_shared<MemoryPool>();
        pool->memory = *memory_at(wanted->allocType, wanted->location);
        pool->most = wanted->maxSize;
        state.pools.made.push_back(pool);
        *out = handle_of(pool);
        return cudaSuccess;
    });
}
// What was allocated from it stays until it is freed.
HEDDLE_CUDA_API cudaError_t cudaMemPoolDestroy(cudaMemPool_t handle) {
    return with_pool(handle, [&](State& state, const std::shared_ptr<MemoryPool>& pool) {
        Pools::OfMemory& pools = state.pools.of(pool->memory);
        if (pool == pools.standard)
            return cudaErrorInvalidValue;
        if (pool == pools.current)
            pools.current = pools.standard;
        std::erase(state.pools.made, pool);
        return cudaSuccess;
    });
}
HEDDLE_CUDA_API cudaError_t cudaMemPoolTrimTo(cudaMemPool_t handle, std::size_t) {
    return with_pool(handle, [](State&, const std::shared_ptr<MemoryPool>&) { return cudaSuccess; });
}

HEDDLE_CUDA_API cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t handle, cudaMemPoolAttr attribute, void* value) {
    return with_pool(handle, [&](State&, const std::shared_ptr<MemoryPool>& pool) {
        if (value == nullptr)
            return cudaErrorInvalidValue;
        if (const int* const setting = switch_of(*pool, attribute))
            std::memcpy(value, setting, sizeof *setting);
        else if (const std::uint64_t* const number = attribute_of(*pool, attribute))
            std::memcpy(value, number, sizeof *number);
        else
            return cudaErrorInvalidValue;
        return cudaSuccess;
    });
}
// Of the amounts only the largest ones can be set, and to 0: they are counted anew then.
HEDDLE_CUDA_API cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t handle, cudaMemPoolAttr attribute, void* value) {
    return with_pool(handle, [&](State&, const std::shared_ptr<MemoryPool>& pool) {
        if (value == nullptr)
            return cudaErrorInvalidValue;
        if (int* const setting = switch_of(*pool, attribute)) {
            std::memcpy(setting, value, sizeof *setting);
            return cudaSuccess;
        }
        std::uint64_t number;
        std::memcpy(&number, value, sizeof number);
        if (attribute == cudaMemPoolAttrReleaseThreshold)
            pool->release_threshold = number;
        else if (attribute_of(*pool, attribute) == &pool->most_used && number == 0)
            pool->most_used = pool->used;
        else
            return cudaErrorInvalidValue;
        return cudaSuccess;
    });
}

HEDDLE_CUDA_API cudaError_t cudaMemPoolSetAccess(cudaMemPool_t handle, const cudaMemAccessDesc* rights,
                                                 std::size_t count) {
    return with_pool(handle, [&](State&, const std::shared_ptr<MemoryPool>&) {
        if (rights == nullptr && count != 0)
            return cudaErrorInvalidValue;
        for (std::size_t i = 0; i < count; ++i) {
            if (const cudaError_t error = check_place(rights[i].location); error != cudaSuccess)
                return error;
            if (rights[i].flags != cudaMemAccessFlagsProtReadWrite) // the device cannot be kept out of its own memory
                return cudaErrorInvalidValue;
        }
        return cudaSuccess;
    });
}
HEDDLE_CUDA_API cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* rights, cudaMemPool_t handle,
                                                 cudaMemLocation* place) {
    return with_pool(handle, [&](State&, const std::shared_ptr<MemoryPool>&) {
        if (rights == nullptr || place == nullptr)
            return cudaErrorInvalidValue;
        *rights = check_place(*place) == cudaSuccess ? cudaMemAccessFlagsProtReadWrite : cudaMemAccessFlagsProtNone;
        return cudaSuccess;
    });
}

// The same by a kind of memory and its place.
HEDDLE_CUDA_API cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t* pool, cudaMemLocation* place,
                                                     cudaMemAllocationType kind) {
    return give_pool(pool, place, kind, &Pools::OfMemory::standard);
}
HEDDLE_CUDA_API cudaError_t cudaMemGetMemPool(cudaMemPool_t* pool, cudaMemLocation* place, cudaMemAllocationType kind) {
    return give_pool(pool, place, kind, &Pools::OfMemory::current);
}
HEDDLE_CUDA_API cudaError_t cudaMemSetMemPool(cudaMemLocation* place, cudaMemAllocationType kind,
                                              cudaMemPool_t handle) {
    return with_pool(handle, [&](State& state, const std::shared_ptr<MemoryPool>& pool) {
        if (place == nullptr || memory_at(kind, *place) != pool->memory)
            return cudaErrorInvalidValue;
        state.pools.of(pool->memory).current = pool;
        return cudaSuccess;
    });
}
