// The device: choosing, describing, synchronising, resetting it.
#include <cstdio>
#include <cstring>
#include <iterator>

#include "attributes.h"
#include "graph.h"
#include "graph_memory.h"
#include "properties.h"
#include "registered_memory.h"
#include "state.h"
#include "texture_limits.h"

using namespace heddle::cudart;
using heddle::runtime::Properties;

namespace {

int number(std::uint64_t value) {
    return static_cast<int>(value);
}

cudaError_t check_device(int device) {
    return device == 0 ? cudaSuccess : cudaErrorInvalidDevice;
}

// The fields that the layouts of all CUDA versions have, with equal names.
template <class Prop>
void fill(Prop& out, const Properties& p) {
    std::memset(&out, 0, sizeof out);
    std::snprintf(out.name, sizeof out.name, "%s", p.name.c_str());
    out.totalGlobalMem = p.global_bytes;
    out.sharedMemPerBlock = shared_unless_asked(p);
    out.sharedMemPerBlockOptin = p.shared_bytes_per_block;
    out.sharedMemPerMultiprocessor = p.shared_bytes_per_sm;
    out.reservedSharedMemPerBlock = reserved_shared(p);
    out.regsPerBlock = out.regsPerMultiprocessor = number(p.registers_per_block);
    out.warpSize = number(p.warp_size);
    out.memPitch = kPitchLimit;
    out.maxThreadsPerBlock = number(p.max_threads_per_block);
    const int block[3] = {number(p.max_block.x), number(p.max_block.y), number(p.max_block.z)};
    const int grid[3] = {number(p.max_grid.x), number(p.max_grid.y), number(p.max_grid.z)};
    std::memcpy(out.maxThreadsDim, block, sizeof block);
    std::memcpy(out.maxGridSize, grid, sizeof grid);
    out.totalConstMem = kConstantBytes;
    out.major = number(p.compute_major);
    out.minor = number(p.compute_minor);
    out.textureAlignment = out.surfaceAlignment = kTextureAlignment;
    out.texturePitchAlignment = kTexturePitchAlignment;
    out.multiProcessorCount = number(p.sms);
    out.unifiedAddressing = 1;
    out.managedMemory = 1;
    out.canMapHostMemory = 1;
    out.hostRegisterSupported = 1;
    out.cooperativeLaunch = 1;
    out.memoryPoolsSupported = 1;
    out.clusterLaunch = p.compute_major >= 9 ? 1 : 0;
    out.concurrentManagedAccess = 1; // of the host, while no call is under way
    out.memoryBusWidth = number(p.memory_bus_bits);
    out.l2CacheSize = number(p.l2_bytes);
    out.maxThreadsPerMultiProcessor = number(p.max_threads_per_sm);
    out.maxBlocksPerMultiProcessor = number(p.max_blocks_per_sm);
    out.streamPrioritiesSupported = 1;
    out.globalL1CacheSupported = out.localL1CacheSupported = 1;
}

void fill_12(cudaDeviceProp& out, const Properties& p) {
    fill(out, p);
    out.clockRate = number(p.clock_khz);
    out.memoryClockRate = number(p.memory_clock_khz);
    out.singleToDoublePrecisionPerfRatio = 1;
    int* limit = &out.maxTexture1D; // the first of as many
    static_assert(offsetof(cudaDeviceProp, surfaceAlignment) - offsetof(cudaDeviceProp, maxTexture1D) ==
                  std::size(kTextureLimits) * sizeof(int));
    for (const TextureLimit& l : kTextureLimits)
        *limit++ = l.value;
}

#if HEDDLE_CUDART_VERSION >= 13000
void fill_13(DeviceProp13& out, const Properties& p) {
    fill(out, p);
    int* limit = out.textureAndSurfaceLimits;
    for (const TextureLimit& l : kTextureLimits)
        if (l.attribute != cudaDevAttrMaxTexture1DLinearWidth) // no longer there
            *limit++ = l.value;
}
#endif

} // namespace

HEDDLE_CUDA_API cudaError_t cudaGetDeviceCount(int* count) {
    return api([&](State&) {
        if (count == nullptr)
            return cudaErrorInvalidValue;
        *count = 1;
        return cudaSuccess;
    });
}
HEDDLE_CUDA_API cudaError_t cudaGetDevice(int* device) {
    return api([&](State&) {
        if (device == nullptr)
            return cudaErrorInvalidValue;
        *device = 0;
        return cudaSuccess;
    });
}
HEDDLE_CUDA_API cudaError_t cudaSetDevice(int device) {
    return api([&](State&) { return check_device(device); });
}
HEDDLE_CUDA_API cudaError_t cudaInitDevice(int device, unsigned, unsigned) {
    return cudaSetDevice(device);
}
HEDDLE_CUDA_API cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp*) {
    return cudaGetDevice(device);
}
HEDDLE_CUDA_API cudaError_t cudaSetDeviceFlags(unsigned flags) {
    return api([&](State& state) {
        state.device_flags = flags;
        return cudaSuccess;
    });
}
HEDDLE_CUDA_API cudaError_t cudaGetDeviceFlags(unsigned* flags) {
    return api([&](State& state) {
        if (flags == nullptr)
            return cudaErrorInvalidValue;
        *flags = state.device_flags;
        return cudaSuccess;
    });
}

HEDDLE_CUDA_API cudaError_t cudaGetDeviceProperties_v2(cudaDeviceProp* out, int device) {
    return api([&](State& state) {
        if (out == nullptr)
            return cudaErrorInvalidValue;
        if (const cudaError_t error = check_device(device); error != cudaSuccess)
            return error;
        fill_12(*out, state.properties());
        return cudaSuccess;
    });
}
// The plain name means CUDA 13's struct in its library; before, CUDA 11's, which is how CUDA 12's begins.
#undef cudaGetDeviceProperties
HEDDLE_CUDA_API cudaError_t cudaGetDeviceProperties(void* out, int device) {
    return api([&](State& state) {
        if (out == nullptr)
            return cudaErrorInvalidValue;
        if (const cudaError_t error = check_device(device); error != cudaSuccess)
            return error;
#if HEDDLE_CUDART_VERSION >= 13000
        fill_13(*static_cast<DeviceProp13*>(out), state.properties());
#else
        cudaDeviceProp whole;
        fill_12(whole, state.properties());
        std::memcpy(out, &whole, offsetof(cudaDeviceProp, accessPolicyMaxWindowSize));
#endif
        return cudaSuccess;
    });
}

HEDDLE_CUDA_API cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
    return api([&](State& state) {
        if (value == nullptr)
            return cudaErrorInvalidValue;
        if (const cudaError_t error = check_device(device); error != cudaSuccess)
            return error;
        const std::optional<int> found = attribute_value(state.properties(), attribute);
        *value = found.value_or(0);
        return found ? cudaSuccess : cudaErrorInvalidValue;
    });
}

// Every call has finished its work when it returns, but for what captured streams were given.
HEDDLE_CUDA_API cudaError_t cudaDeviceSynchronize() {
    return api([](State&) { return spoil_all(cudaErrorStreamCaptureUnsupported); });
}

// Gives the program a device without its memory and errors. What ran stays in the results.
HEDDLE_CUDA_API cudaError_t cudaDeviceReset() {
    State& state = State::get();
    const std::lock_guard lock(state.mutex);
    while (!state.device_memory.empty()) {
        const auto block = state.device_memory.begin();
        if (const std::shared_ptr<GraphMemory> memory = block->second.of_graph) {
            (void)end_memory(state, memory);
            continue;
        }
        state.device().release(block->first);
        state.device_memory.erase(block);
    }
    state.arrays.clear();
    state.mipmapped_arrays.clear();
    for (const auto& [handle, object] : state.objects)
        state.device().remove_texture(handle);
    state.objects.clear();
    state.pools = {};
    state.device().virtual_memory().clear();
    unregister_all(state);
    state.device().drop_heap();
    state.sticky = cudaSuccess;
    last_error() = cudaSuccess;
    return cudaSuccess;
}

// The sizes of caches and stacks are the machine's; wishes are accepted and change nothing.
HEDDLE_CUDA_API cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) {
    return api([](State&) { return cudaSuccess; });
}
HEDDLE_CUDA_API cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
    return api([&](State&) {
        if (config == nullptr)
            return cudaErrorInvalidValue;
        *config = cudaFuncCachePreferNone;
        return cudaSuccess;
    });
}
HEDDLE_CUDA_API cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) {
    return api([](State&) { return cudaSuccess; });
}
HEDDLE_CUDA_API cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
    return api([&](State&) {
        if (config == nullptr)
            return cudaErrorInvalidValue;
        *config = cudaSharedMemBankSizeFourByte;
        return cudaSuccess;
    });
}
HEDDLE_CUDA_API cudaError_t cudaDeviceSetLimit(cudaLimit limit, std::size_t value) {
    return api([&](State& state) {
        if (limit < 0 || limit > cudaLimitPersistingL2CacheSize)
            return cudaErrorUnsupportedLimit;
        if (limit == cudaLimitMallocHeapSize)
            return state.device().set_heap_bytes(value) ? cudaSuccess : cudaErrorInvalidValue;
        state.limits[limit] = value;
        return cudaSuccess;
    });
}
HEDDLE_CUDA_API cudaError_t cudaDeviceGetLimit(std::size_t* value, cudaLimit limit) {
    return api([&](State& state) {
        if (value == nullptr)
            return cudaErrorInvalidValue;
        if (const auto set = state.limits.find(limit); set != state.limits.end()) {
            *value = set->second;
            return cudaSuccess;
        }
        switch (limit) { // what CUDA starts with
        case cudaLimitStackSize:
            *value = 1024;
            return cudaSuccess;
        case cudaLimitPrintfFifoSize:
            *value = std::size_t{1} << 20;
            return cudaSuccess;
        case cudaLimitMallocHeapSize:
            *value = state.device().heap_bytes();
            return cudaSuccess;
        case cudaLimitDevRuntimePendingLaunchCount: // the queue has room for more
            *value = 2048;
            return cudaSuccess;
        case cudaLimitPersistingL2CacheSize:
            *value = 0;
            return cudaSuccess;
        default:
            return cudaErrorUnsupportedLimit;
        }
    });
}
HEDDLE_CUDA_API cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
    return api([&](State&) {
        if (least != nullptr)
            *least = kLeastPriority;
        if (greatest != nullptr)
            *greatest = kGreatestPriority;
        return cudaSuccess;
    });
}
HEDDLE_CUDA_API cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int device) {
    return api([&](State&) {
        if (text == nullptr || length < 13)
            return cudaErrorInvalidValue;
        if (const cudaError_t error = check_device(device); error != cudaSuccess)
            return error;
        std::snprintf(text, static_cast<std::size_t>(length), "0000:00:00.0");
        return cudaSuccess;
    });
}
// There is only one device, which is no peer of its own.
HEDDLE_CUDA_API cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
    return api([&](State&) {
        if (can == nullptr)
            return cudaErrorInvalidValue;
        *can = 0;
        const cudaError_t error = check_device(device);
        return error != cudaSuccess ? error : check_device(peer);
    });
}
HEDDLE_CUDA_API cudaError_t cudaDriverGetVersion(int* version) {
    return api([&](State&) {
        if (version == nullptr)
            return cudaErrorInvalidValue;
        *version = HEDDLE_CUDART_VERSION;
        return cudaSuccess;
    });
}
HEDDLE_CUDA_API cudaError_t cudaRuntimeGetVersion(int* version) {
    return cudaDriverGetVersion(version);
}
// A profiler's window: there is no profiler.
HEDDLE_CUDA_API cudaError_t cudaProfilerStart() {
    return api([](State&) { return cudaSuccess; });
}
HEDDLE_CUDA_API cudaError_t cudaProfilerStop() {
    return api([](State&) { return cudaSuccess; });
}

HEDDLE_CUDA_API cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
    return api([&](State& state) {
        if (attributes == nullptr)
            return cudaErrorInvalidValue;
        cudaError_t error;
        const Kernel* kernel = state.find_kernel(function, error);
        if (kernel == nullptr)
            return error;
        const heddle::runtime::KernelInfo& info = state.device().info(*kernel->id);
        const Properties& p = state.properties();
        // CUDA 11's struct ends before the fields of clusters.
        constexpr bool kHasClusters = HEDDLE_CUDART_VERSION >= 12000;
        std::memset(attributes, 0,
                    kHasClusters ? sizeof *attributes : offsetof(cudaFuncAttributes, clusterDimMustBeSet));
        attributes->sharedSizeBytes = info.static_shared;
        attributes->constSizeBytes = info.constant_bytes;
        attributes->localSizeBytes = info.local_bytes;
        attributes->maxThreadsPerBlock = static_cast<int>(state.device().largest_block(*kernel->id));
        attributes->numRegs = static_cast<int>(state.device().registers(*kernel->id));
        attributes->ptxVersion = static_cast<int>(info.ptx_version);
        attributes->binaryVersion = static_cast<int>(p.compute_major * 10 + p.compute_minor);
        attributes->maxDynamicSharedSizeBytes =
            kernel->dynamic_shared.value_or(static_cast<int>(state.most_dynamic_shared(*kernel)));
        attributes->preferredShmemCarveout = kernel->carveout;
        if constexpr (kHasClusters) {
            const bool compiled = info.required_cluster.count() != 0;
            const heddle::Dim3 cluster = compiled ? info.required_cluster : kernel->cluster;
            attributes->clusterDimMustBeSet = compiled || info.explicit_cluster ? 1 : 0;
            attributes->requiredClusterWidth = static_cast<int>(cluster.x);
            attributes->requiredClusterHeight = static_cast<int>(cluster.y);
            attributes->requiredClusterDepth = static_cast<int>(cluster.z);
            attributes->clusterSchedulingPolicyPreference = kernel->scheduling;
            attributes->nonPortableClusterSizeAllowed = kernel->large_clusters ? 1 : 0;
        }
        return cudaSuccess;
    });
}
