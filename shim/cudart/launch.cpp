// Launches, and the properties of kernels.
#include <algorithm>
#include <cstring>
#include <vector>

#include <fmt/format.h>

#include "base/readable_name.h"
#include "clusters.h"

using namespace heddle::cudart;
using heddle::runtime::KernelInfo;
using heddle::runtime::LaunchShape;
using heddle::runtime::Properties;

namespace {

struct Configuration {
    dim3 grid, block;
    std::size_t shared;
    cudaStream_t stream;
};
thread_local std::vector<Configuration> configurations; // of <<<...>>>, between push and the stub's pop

bool beyond(const dim3& shape, const heddle::Dim3& most) {
    return shape.x > most.x || shape.y > most.y || shape.z > most.z;
}

LaunchShape shape_of(const dim3& grid, const dim3& block, std::size_t shared, bool cooperative = false) {
    return {{grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, static_cast<std::uint32_t>(shared), cooperative};
}

// Why a launch cannot be: its code, and text for people.
cudaError_t check_configuration(State& state, const Kernel& called, const dim3& grid, const dim3& block,
                                std::size_t shared, bool cooperative, std::string& why) {
    const Properties& p = state.properties();
    const heddle::runtime::Device& device = state.device();
    const heddle::runtime::KernelId id = *called.id;
    const KernelInfo& kernel = device.info(id);
    const std::uint64_t threads = std::uint64_t{block.x} * block.y * block.z;
    if (std::uint64_t{grid.x} * grid.y * grid.z == 0 || threads == 0)
        why = fmt::format("an empty grid or block: <<<({},{},{}), ({},{},{})>>>", grid.x, grid.y, grid.z, block.x,
                          block.y, block.z);
    else if (threads > p.max_threads_per_block || beyond(block, p.max_block))
        why = fmt::format("blocks of ({},{},{}) threads; the machine takes {} in all and ({},{},{})", block.x, block.y,
                          block.z, p.max_threads_per_block, p.max_block.x, p.max_block.y, p.max_block.z);
    else if (beyond(grid, p.max_grid))
        why = fmt::format("a grid of ({},{},{}) blocks; the machine takes ({},{},{})", grid.x, grid.y, grid.z,
                          p.max_grid.x, p.max_grid.y, p.max_grid.z);
    if (!why.empty())
        return cudaErrorInvalidConfiguration;
    if (kernel.max_threads != 0 && threads > kernel.max_threads) {
        why = fmt::format("blocks of {} threads; its __launch_bounds__ allow {}", threads, kernel.max_threads);
        return cudaErrorLaunchOutOfResources;
    }
    if (shared + kernel.static_shared > p.shared_bytes_per_block) {
        why = fmt::format("{} + {} bytes of shared memory a block; the machine has {}", kernel.static_shared, shared,
                          p.shared_bytes_per_block);
        return cudaErrorInvalidValue;
    }
    if (const std::uint64_t most = state.most_dynamic_shared(called); shared > most) {
        why = fmt::format("{} bytes of dynamic shared memory a block, of which it may have {} "
                          "(cudaFuncAttributeMaxDynamicSharedMemorySize asks for more)",
                          shared, most);
        return cudaErrorInvalidValue;
    }
    const std::uint64_t resident = device.occupancy(id, shape_of(grid, block, shared)).blocks;
    if (resident == 0) {
        why = fmt::format("blocks of {} threads with {} registers each; an SM has {} registers: at most {} threads",
                          threads, kernel.registers, p.registers_per_block, device.largest_block(id));
        return cudaErrorLaunchOutOfResources;
    }
    const std::uint64_t blocks = std::uint64_t{grid.x} * grid.y * grid.z;
    if (cooperative && blocks > resident * p.sms) {
        why = fmt::format("a cooperative launch of {} blocks, all of which have to run at once; {} SMs hold {} each",
                          blocks, p.sms, resident);
        return cudaErrorCooperativeLaunchTooLarge;
    }
    return cudaSuccess;
}

// Finds the kernel and checks the launch.
cudaError_t check_launch(State& state, const KernelCall& call, Kernel*& kernel) {
    cudaError_t error;
    kernel = state.find_kernel(call.function, error);
    if (kernel == nullptr)
        return error;
    std::string why;
    error = check_configuration(state, *kernel, call.grid, call.block, call.shared, call.cooperative, why);
    if (error == cudaSuccess) {
        const std::vector<std::uint64_t> rooms =
            state.device().cluster_rooms(*kernel->id, shape_of(call.grid, call.block, call.shared));
        error = check_cluster(state.device().info(*kernel->id), *kernel, call.grid, call.cluster,
                              *std::max_element(rooms.begin(), rooms.end()), why);
    }
    if (error != cudaSuccess)
        complain(fmt::format("launch of '{}': {}", heddle::readable_name(kernel->name), why));
    return error;
}

cudaError_t launch_now(const KernelCall& call, void* const* arguments) {
    return api(
        [&](State& state) {
            Kernel* kernel = nullptr;
            const cudaError_t error = check_launch(state, call, kernel);
            if (error != cudaSuccess)
                return error;
            LaunchShape shape = shape_of(call.grid, call.block, call.shared, call.cooperative);
            const dim3 cluster = named_cluster(*kernel, call.cluster);
            shape.cluster = {cluster.x, cluster.y, cluster.z};
            return state.launch(*kernel, shape, arguments);
        },
        cudaErrorLaunchFailure);
}

cudaError_t launch(KernelCall call, void** arguments, cudaStream_t stream) {
    const std::lock_guard lock(State::get().mutex);
    if (!is_any_captured() || capture_of(stream) == nullptr) [[likely]]
        return launch_now(call, arguments);
    return api([&](State&) {
        const auto kept = std::make_shared<KernelCall>(std::move(call));
        const cudaError_t error = prepare_launch(*kept, arguments);
        if (error != cudaSuccess)
            return spoil(*capture_of(stream), error);
        return put_in(stream, {cudaGraphNodeTypeKernel, kept});
    });
}

// With attributes. Of those only the cooperative one and clusters change what a program computes.
cudaError_t launch(const cudaLaunchConfig_t* config, const void* function, void** arguments) {
    if (config == nullptr || (config->numAttrs != 0 && config->attrs == nullptr))
        return record(cudaErrorInvalidValue);
    KernelCall call{function, config->gridDim, config->blockDim, config->dynamicSmemBytes, false, dim3(0, 0, 0)};
    for (unsigned i = 0; i < config->numAttrs; ++i) {
        const cudaLaunchAttribute& attribute = config->attrs[i];
        const auto& shape = attribute.val.clusterDim;
        if (attribute.id == cudaLaunchAttributeCooperative)
            call.cooperative = attribute.val.cooperative != 0;
        else if (attribute.id == cudaLaunchAttributeClusterDimension)
            call.cluster = dim3(shape.x, shape.y, shape.z);
        else
            std::memcpy(call.attributes[attribute.id].data(), &attribute.val, sizeof attribute.val);
        if (attribute.id == cudaLaunchAttributeClusterDimension && (shape.x == 0 || shape.y == 0 || shape.z == 0))
            return record(cudaErrorInvalidClusterSize);
    }
    return launch(std::move(call), arguments, config->stream);
}

// Sets one dimension of the clusters that launches have to have. All three are checked by a launch.
cudaError_t require_cluster(State& state, Kernel& kernel, cudaFuncAttribute attribute, int value) {
    if (value < 0)
        return cudaErrorInvalidValue;
    if (state.device().info(*kernel.id).required_cluster.count() != 0)
        return cudaErrorNotPermitted; // the compiler has set them
    const auto blocks = static_cast<std::uint32_t>(value);
    (attribute == cudaFuncAttributeRequiredClusterWidth    ? kernel.cluster.x
     : attribute == cudaFuncAttributeRequiredClusterHeight ? kernel.cluster.y
                                                           : kernel.cluster.z) = blocks;
    return cudaSuccess;
}

} // namespace

cudaError_t heddle::cudart::prepare_launch(KernelCall& call, void** arguments) {
    State& state = State::get();
    Kernel* kernel = nullptr;
    const cudaError_t error = ::check_launch(state, call, kernel);
    if (error != cudaSuccess)
        return error;
    const KernelInfo& info = state.device().info(*kernel->id);
    if (!info.parameters.empty() && arguments == nullptr)
        return cudaErrorInvalidValue;
    call.arguments.resize(info.parameter_bytes);
    for (std::size_t i = 0; i < info.parameters.size(); ++i) {
        std::byte* const at = call.arguments.data() + info.parameters[i].offset;
        std::memcpy(at, arguments[i], info.parameters[i].bytes);
        call.pointers.push_back(at);
    }
    return cudaSuccess;
}

cudaError_t heddle::cudart::check_launch(const KernelCall& call) {
    Kernel* kernel = nullptr;
    return ::check_launch(State::get(), call, kernel);
}

std::shared_ptr<KernelCall> heddle::cudart::copy_of(const KernelCall& call) {
    auto out = std::make_shared<KernelCall>(call);
    for (void*& pointer : out->pointers)
        pointer = out->arguments.data() + (static_cast<std::byte*>(pointer) - call.arguments.data());
    return out;
}

cudaError_t heddle::cudart::launch(const KernelCall& call) {
    return launch_now(call, call.pointers.data());
}

HEDDLE_CUDA_API unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared, CUstream_st* stream) {
    configurations.push_back({grid, block, shared, stream});
    return 0;
}

HEDDLE_CUDA_API cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared, void* stream) {
    if (configurations.empty())
        return record(cudaErrorMissingConfiguration);
    const Configuration& c = configurations.back();
    *grid = c.grid;
    *block = c.block;
    *shared = c.shared;
    std::memcpy(stream, &c.stream, sizeof c.stream);
    configurations.pop_back();
    return cudaSuccess;
}

HEDDLE_CUDA_API cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                                             std::size_t shared, cudaStream_t stream) {
    return launch({function, grid, block, shared, false, dim3(0, 0, 0)}, arguments, stream);
}
HEDDLE_CUDA_API cudaError_t cudaLaunchKernel_ptsz(const void* function, dim3 grid, dim3 block, void** arguments,
                                                  std::size_t shared, cudaStream_t stream) {
    return launch({function, grid, block, shared, false, dim3(0, 0, 0)}, arguments, stream);
}

HEDDLE_CUDA_API cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                                                        std::size_t shared, cudaStream_t stream) {
    return launch({function, grid, block, shared, true, dim3(0, 0, 0)}, arguments, stream);
}
HEDDLE_CUDA_API cudaError_t cudaLaunchCooperativeKernel_ptsz(const void* function, dim3 grid, dim3 block,
                                                             void** arguments, std::size_t shared,
                                                             cudaStream_t stream) {
    return launch({function, grid, block, shared, true, dim3(0, 0, 0)}, arguments, stream);
}
HEDDLE_CUDA_API cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function,
                                                void** arguments) {
    return launch(config, function, arguments);
}
HEDDLE_CUDA_API cudaError_t cudaLaunchKernelExC_ptsz(const cudaLaunchConfig_t* config, const void* function,
                                                     void** arguments) {
    return launch(config, function, arguments);
}

// The stubs of nvcc 13 get a handle once and launch with it. The handle is the address of the host function.
HEDDLE_CUDA_API cudaError_t __cudaGetKernel(const void** handle, const void* function) {
    *handle = function;
    return cudaSuccess;
}
HEDDLE_CUDA_API cudaError_t cudaGetKernel(cudaKernel_t* handle, const void* function) {
    *handle = static_cast<cudaKernel_t>(const_cast<void*>(function));
    return cudaSuccess;
}
HEDDLE_CUDA_API cudaError_t cudaGetFuncBySymbol(cudaFunction_t* handle, const void* function) {
    *handle = static_cast<cudaFunction_t>(const_cast<void*>(function));
    return cudaSuccess;
}
HEDDLE_CUDA_API cudaError_t __cudaLaunchKernel(const void* handle, dim3 grid, dim3 block, void** arguments,
                                               std::size_t shared, cudaStream_t stream) {
    return launch({handle, grid, block, shared, false, dim3(0, 0, 0)}, arguments, stream);
}
HEDDLE_CUDA_API cudaError_t __cudaLaunchKernel_ptsz(const void* handle, dim3 grid, dim3 block, void** arguments,
                                                    std::size_t shared, cudaStream_t stream) {
    return launch({handle, grid, block, shared, false, dim3(0, 0, 0)}, arguments, stream);
}

HEDDLE_CUDA_API cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
    return api([&](State& state) {
        cudaError_t error;
        Kernel* kernel = state.find_kernel(function, error);
        if (kernel == nullptr)
            return error;
        switch (attribute) {
        case cudaFuncAttributePreferredSharedMemoryCarveout:
            if (value < cudaSharedmemCarveoutDefault || value > cudaSharedmemCarveoutMaxShared)
                return cudaErrorInvalidValue;
            kernel->carveout = value;
            return cudaSuccess;
        case cudaFuncAttributeClusterSchedulingPolicyPreference:
            kernel->scheduling = value;
            return cudaSuccess;
        case cudaFuncAttributeNonPortableClusterSizeAllowed:
            kernel->large_clusters = value != 0;
            return cudaSuccess;
        case cudaFuncAttributeRequiredClusterWidth:
        case cudaFuncAttributeRequiredClusterHeight:
        case cudaFuncAttributeRequiredClusterDepth:
            return require_cluster(state, *kernel, attribute, value);
        case cudaFuncAttributeMaxDynamicSharedMemorySize:
            break;
        default:
            return cudaErrorInvalidValue;
        }
        const std::uint64_t most =
            state.properties().shared_bytes_per_block - state.device().info(*kernel->id).static_shared;
        if (value < 0 || static_cast<std::uint64_t>(value) > most)
            return cudaErrorInvalidValue;
        kernel->dynamic_shared = value;
        return cudaSuccess;
    });
}

// Preferences about caches change nothing in a machine whose memories are fixed.
HEDDLE_CUDA_API cudaError_t cudaFuncSetCacheConfig(const void* function, cudaFuncCache) {
    return api([&](State& state) {
        cudaError_t error;
        state.find_kernel(function, error);
        return error;
    });
}
HEDDLE_CUDA_API cudaError_t cudaFuncSetSharedMemConfig(const void* function, cudaSharedMemConfig) {
    return cudaFuncSetCacheConfig(function, cudaFuncCachePreferNone);
}

HEDDLE_CUDA_API cudaError_t cudaFuncGetName(const char** name, const void* function) {
    return api([&](State& state) {
        cudaError_t error;
        const Kernel* kernel = state.find_kernel(function, error);
        if (kernel != nullptr && name != nullptr)
            *name = kernel->name.c_str();
        return name == nullptr ? cudaErrorInvalidValue : error;
    });
}

HEDDLE_CUDA_API cudaError_t cudaFuncGetParamInfo(const void* function, std::size_t index, std::size_t* offset,
                                                 std::size_t* bytes) {
    return api([&](State& state) {
        cudaError_t error;
        const Kernel* kernel = state.find_kernel(function, error);
        if (kernel == nullptr)
            return error;
        const auto& parameters = state.device().info(*kernel->id).parameters;
        if (index >= parameters.size() || offset == nullptr)
            return cudaErrorInvalidValue;
        *offset = parameters[index].offset;
        if (bytes != nullptr)
            *bytes = parameters[index].bytes;
        return cudaSuccess;
    });
}

HEDDLE_CUDA_API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function,
                                                                                   int threads, std::size_t shared,
                                                                                   unsigned) {
    return api([&](State& state) {
        if (blocks == nullptr || threads <= 0)
            return cudaErrorInvalidValue;
        cudaError_t error;
        const Kernel* kernel = state.find_kernel(function, error);
        if (kernel == nullptr)
            return error;
        const Properties& p = state.properties();
        const bool fits = static_cast<std::uint32_t>(threads) <= p.max_threads_per_block &&
                          shared <= state.most_dynamic_shared(*kernel);
        const LaunchShape shape = shape_of(dim3(1), dim3(static_cast<unsigned>(threads)), shared);
        *blocks = fits ? static_cast<int>(state.device().occupancy(*kernel->id, shape).blocks) : 0;
        return cudaSuccess;
    });
}
HEDDLE_CUDA_API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function,
                                                                          int threads, std::size_t shared) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, shared, 0);
}

// The most dynamic shared memory with which that many blocks are resident.
HEDDLE_CUDA_API cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, const void* function,
                                                                      int blocks, int threads) {
    return api([&](State& state) {
        if (bytes == nullptr || blocks <= 0 || threads <= 0)
            return cudaErrorInvalidValue;
        cudaError_t error;
        const Kernel* kernel = state.find_kernel(function, error);
        if (kernel == nullptr)
            return error;
        const auto fit = [&](std::size_t shared) {
            const LaunchShape shape = shape_of(dim3(1), dim3(static_cast<unsigned>(threads)), shared);
            return state.device().occupancy(*kernel->id, shape).blocks >= static_cast<unsigned>(blocks);
        };
        std::size_t low = 0, high = state.most_dynamic_shared(*kernel) + 1;
        if (static_cast<unsigned>(threads) > state.properties().max_threads_per_block || !fit(0))
            return cudaErrorInvalidValue;
        while (high - low > 1) { // `low` fits, `high` does not
            const std::size_t middle = (low + high) / 2;
            (fit(middle) ? low : high) = middle;
        }
        *bytes = low;
        return cudaSuccess;
    });
}
HEDDLE_CUDA_API cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, cudaFuncAttribute attribute, int value,
                                                            int device) {
    return device != 0 ? record(cudaErrorInvalidDevice) : cudaFuncSetAttribute(kernel, attribute, value);
}
