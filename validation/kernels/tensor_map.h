// Maps of tensors of 16-bit elements for bulk copies, and what programs for Hopper ask of the host.
#pragma once

#include <cstring>
#include <vector>

#include <cuda.h>

#include "../cluster_launch.h"
#include "../hopper_pieces.h"
#include "timed_launch.h"

namespace validation {

inline auto tensor_map_encoder() {
    void* encode = nullptr;
    cudaDriverEntryPointQueryResult found{};
    CUDA_CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &encode, 12000, cudaEnableDefault, &found));
    return reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(encode);
}

/// A map of the tensor that begins at `begin`: its sizes and those of its boxes, the dimension that is contiguous first,
/// in elements. Boxes in the swizzle of 128 bytes are 64 elements wide. `strides`: elements from an index of each further
/// dimension to the next.
inline CUtensorMap tensor_map(CUtensorMapDataType type, void* begin, std::vector<cuuint64_t> sizes,
                              std::vector<cuuint64_t> strides, std::vector<cuuint32_t> box,
                              CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_128B) {
    constexpr cuuint64_t kBytes = 2;
    for (cuuint64_t& stride : strides)
        stride *= kBytes;
    const std::vector<cuuint32_t> steps(sizes.size(), 1);
    CUtensorMap map{};
    const CUresult made = tensor_map_encoder()(
        &map, type, static_cast<cuuint32_t>(sizes.size()), begin, sizes.data(), strides.data(), box.data(),
        steps.data(), CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE,
        CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    if (made != CUDA_SUCCESS) {
        std::fprintf(stderr, "no map of the tensor: error %d\n", made);
        std::exit(EXIT_FAILURE);
    }
    return map;
}

/// Whether the program is to run in its smallest size: the word "--quick" is there.
inline bool is_quick(int count, char** words) {
    return count > 1 && std::strcmp(words[1], "--quick") == 0;
}

/// Whether the device executes products of warpgroups. Elsewhere the programs end without a result.
inline bool has_warpgroups() {
    cudaDeviceProp device{};
    CUDA_CHECK(cudaGetDeviceProperties(&device, 0));
    return device.major == 9;
}

/// Blocks of as much shared memory as a kernel asks for.
template <class Kernel>
void allow_shared(Kernel* kernel, unsigned bytes) {
    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)));
}

/// Launches a kernel in clusters of `size` blocks.
template <class... Parameters>
void launch_in_clusters(void (*kernel)(Parameters...), unsigned size, unsigned blocks, unsigned threads,
                        unsigned shared, Parameters... arguments) {
    void* pointers[] = {&arguments...};
    CUDA_CHECK(
        launch_clusters(reinterpret_cast<const void*>(kernel), size, blocks, threads, shared, pointers));
}

/// Numbers from -1 to 1 that 16-bit types hold exactly, and whose products f32 does.
template <class T>
std::vector<T> eighths(std::size_t count, std::uint32_t seed) {
    std::vector<T> out(count);
    for (T& x : out) {
        seed = seed * 1664525 + 1013904223;
        x = static_cast<T>((static_cast<float>(seed >> 28) - 8) / 8);
    }
    return out;
}

} // namespace validation
