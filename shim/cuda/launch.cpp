// Launches, and the properties of functions.
#include <vector>

#include "detail/runtime_templates.h"
#include "driver.h"
#include "texture_references.h"

using namespace heddle::driver;

namespace {

// Arguments as a block of bytes, in the form {CU_LAUNCH_PARAM_BUFFER_POINTER, block, ..., CU_LAUNCH_PARAM_END}: gives
// the place of each parameter in the block.
cudaError_t unpack(CUfunction function, void* const* extra, std::vector<void*>& arguments) {
    char* block = nullptr;
    std::size_t bytes = 0;
    for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
        if (extra[0] == CU_LAUNCH_PARAM_BUFFER_POINTER)
            block = static_cast<char*>(extra[1]);
        else if (extra[0] == CU_LAUNCH_PARAM_BUFFER_SIZE)
            bytes = *static_cast<std::size_t*>(extra[1]);
        else
            return cudaErrorInvalidValue;
    }
    std::size_t offset = 0, size = 0;
    while (cudaFuncGetParamInfo(kernel_of(function), arguments.size(), &offset, &size) == cudaSuccess) {
        if (block == nullptr || offset + size > bytes)
            return cudaErrorInvalidValue;
        arguments.push_back(block + offset);
    }
    (void)cudaGetLastError(); // of the first parameter that is not there
    return cudaSuccess;
}

} // namespace

cudaError_t heddle::driver::choose_arguments(CUfunction function, void**& arguments, void* const* extra,
                                             std::vector<void*>& unpacked) {
    if (extra == nullptr)
        return cudaSuccess;
    const cudaError_t error = arguments != nullptr ? cudaErrorInvalidValue : unpack(function, extra, unpacked);
    arguments = unpacked.data();
    return error;
}

HEDDLE_DRIVER_API CUresult cuLaunchKernel(CUfunction function, unsigned gridX, unsigned gridY, unsigned gridZ,
                                          unsigned blockX, unsigned blockY, unsigned blockZ, unsigned sharedBytes,
                                          CUstream stream, void** arguments, void** extra) {
    return in_context([&] {
        std::vector<void*> unpacked;
        if (const cudaError_t error = choose_arguments(function, arguments, extra, unpacked); error != cudaSuccess)
            return error;
        bind_references();
        return cudaLaunchKernel(kernel_of(function), dim3(gridX, gridY, gridZ), dim3(blockX, blockY, blockZ), arguments,
                                sharedBytes, stream);
    });
}

HEDDLE_DRIVER_API CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned gridX, unsigned gridY,
                                                     unsigned gridZ, unsigned blockX, unsigned blockY, unsigned blockZ,
                                                     unsigned sharedBytes, CUstream stream, void** arguments) {
    return in_context([&] {
        bind_references();
        return cudaLaunchCooperativeKernel(kernel_of(function), dim3(gridX, gridY, gridZ), dim3(blockX, blockY, blockZ),
                                           arguments, sharedBytes, stream);
    });
}

namespace {

// As the runtime's: attributes have the same numbers and layout.
cudaLaunchConfig_t runtime_config(const CUlaunchConfig& config) {
    return {dim3(config.gridDimX, config.gridDimY, config.gridDimZ),
            dim3(config.blockDimX, config.blockDimY, config.blockDimZ),
            config.sharedMemBytes,
            config.hStream,
            reinterpret_cast<cudaLaunchAttribute*>(config.attrs),
            config.numAttrs};
}

} // namespace

HEDDLE_DRIVER_API CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction function, void** arguments,
                                            void** extra) {
    return in_context([&] {
        std::vector<void*> unpacked;
        if (config == nullptr)
            return cudaErrorInvalidValue;
        if (const cudaError_t error = choose_arguments(function, arguments, extra, unpacked); error != cudaSuccess)
            return error;
        bind_references();
        const cudaLaunchConfig_t same = runtime_config(*config);
        return cudaLaunchKernelExC(&same, kernel_of(function), arguments);
    });
}

HEDDLE_DRIVER_API CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction function) {
    return in_context([&] {
        cudaFuncAttributes all;
        if (value == nullptr)
            return cudaErrorInvalidValue;
        const cudaError_t error = cudaFuncGetAttributes(&all, kernel_of(function));
        if (error != cudaSuccess)
            return error;
        switch (attribute) {
        case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
            *value = all.maxThreadsPerBlock;
            return cudaSuccess;
        case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
            *value = static_cast<int>(all.sharedSizeBytes);
            return cudaSuccess;
        case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
            *value = static_cast<int>(all.constSizeBytes);
            return cudaSuccess;
        case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
            *value = static_cast<int>(all.localSizeBytes);
            return cudaSuccess;
        case CU_FUNC_ATTRIBUTE_NUM_REGS:
            *value = all.numRegs;
            return cudaSuccess;
        case CU_FUNC_ATTRIBUTE_PTX_VERSION:
            *value = all.ptxVersion;
            return cudaSuccess;
        case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
            *value = all.binaryVersion;
            return cudaSuccess;
        case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA:
            *value = all.cacheModeCA;
            return cudaSuccess;
        case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
            *value = all.maxDynamicSharedSizeBytes;
            return cudaSuccess;
        case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
            *value = all.preferredShmemCarveout;
            return cudaSuccess;
        case CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET:
            *value = all.clusterDimMustBeSet;
            return cudaSuccess;
        case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
            *value = all.requiredClusterWidth;
            return cudaSuccess;
        case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
            *value = all.requiredClusterHeight;
            return cudaSuccess;
        case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
            *value = all.requiredClusterDepth;
            return cudaSuccess;
        case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
            *value = all.nonPortableClusterSizeAllowed;
            return cudaSuccess;
        case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
            *value = all.clusterSchedulingPolicyPreference;
            return cudaSuccess;
        case CU_FUNC_ATTRIBUTE_MAX:
            break;
        }
        return cudaErrorInvalidValue;
    });
}

// The attributes that can be set have the runtime's numbers.
HEDDLE_DRIVER_API CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
    return in_context(
        [&] { return cudaFuncSetAttribute(kernel_of(function), static_cast<cudaFuncAttribute>(attribute), value); });
}
HEDDLE_DRIVER_API CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache config) {
    return in_context([&] { return cudaFuncSetCacheConfig(kernel_of(function), static_cast<cudaFuncCache>(config)); });
}
HEDDLE_DRIVER_API CUresult cuFuncGetName(const char** name, CUfunction function) {
    return in_context([&] { return cudaFuncGetName(name, kernel_of(function)); });
}

HEDDLE_DRIVER_API CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction function, int blockSize,
                                                                       std::size_t sharedBytes) {
    return in_context([&] {
        return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel_of(function), blockSize, sharedBytes);
    });
}

HEDDLE_DRIVER_API CUresult cuOccupancyMaxPotentialBlockSize(int* grid, int* block, CUfunction function,
                                                            CUoccupancyB2DSize sharedOf, std::size_t sharedBytes,
                                                            int limit) {
    return in_context([&] {
        if (grid == nullptr || block == nullptr)
            return cudaErrorInvalidValue;
        return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
            grid, block, kernel_of(function),
            [&](int size) { return sharedOf == nullptr ? sharedBytes : sharedOf(size); }, limit);
    });
}

HEDDLE_DRIVER_API CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, CUfunction function,
                                                                                int blockSize, std::size_t sharedBytes,
                                                                                unsigned flags) {
    return in_context([&] {
        return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, kernel_of(function), blockSize,
                                                                      sharedBytes, flags);
    });
}
HEDDLE_DRIVER_API CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block, CUfunction function,
                                                                     CUoccupancyB2DSize sharedOf,
                                                                     std::size_t sharedBytes, int limit, unsigned) {
    return cuOccupancyMaxPotentialBlockSize(grid, block, function, sharedOf, sharedBytes, limit);
}
HEDDLE_DRIVER_API CUresult cuFuncSetSharedMemConfig(CUfunction function, CUsharedconfig config) {
    return in_context([&] { return cudaFuncSetSharedMemConfig(kernel_of(function), config); });
}
HEDDLE_DRIVER_API CUresult cuOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, CUfunction function, int blocks,
                                                                   int blockSize) {
    return in_context(
        [&] { return cudaOccupancyAvailableDynamicSMemPerBlock(bytes, kernel_of(function), blocks, blockSize); });
}

HEDDLE_DRIVER_API CUresult cuOccupancyMaxActiveClusters(int* clusters, CUfunction function,
                                                        const CUlaunchConfig* config) {
    return in_context([&] {
        if (config == nullptr)
            return cudaErrorInvalidValue;
        bind_references();
        const cudaLaunchConfig_t same = runtime_config(*config);
        return cudaOccupancyMaxActiveClusters(clusters, kernel_of(function), &same);
    });
}
HEDDLE_DRIVER_API CUresult cuOccupancyMaxPotentialClusterSize(int* blocks, CUfunction function,
                                                              const CUlaunchConfig* config) {
    return in_context([&] {
        if (config == nullptr)
            return cudaErrorInvalidValue;
        bind_references();
        const cudaLaunchConfig_t same = runtime_config(*config);
        return cudaOccupancyMaxPotentialClusterSize(blocks, kernel_of(function), &same);
    });
}
