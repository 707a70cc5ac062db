// Mipmapped arrays: allocation, and their levels.
#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "arrays.h"

using namespace heddle::cudart;
using heddle::runtime::TexelArray;
using heddle::runtime::TexelFormat;

namespace {

// Sizes of the next level: halves, but of layers; 0 where the array has no such dimension.
cudaExtent next_extent(const cudaExtent& e, unsigned flags) {
    const auto half = [](std::size_t n) { return n == 0 ? 0 : std::max<std::size_t>(1, n / 2); };
    const bool layered = (flags & (cudaArrayLayered | cudaArrayCubemap)) != 0;
    return {half(e.width), half(e.height), layered ? e.depth : half(e.depth)};
}

// Levels down to one texel.
unsigned most_levels(const cudaExtent& e, unsigned flags) {
    const bool layered = (flags & (cudaArrayLayered | cudaArrayCubemap)) != 0;
    const std::size_t most = std::max({e.width, e.height, layered ? 1 : e.depth});
    return static_cast<unsigned>(std::bit_width(most));
}

void add_levels(cudaMipmappedArray& array, const TexelArray& first, const cudaChannelFormatDesc& format,
                const cudaExtent& extent, unsigned flags, unsigned levels) {
    const bool layered = (flags & (cudaArrayLayered | cudaArrayCubemap)) != 0;
    TexelArray texels = first;
    cudaExtent size = extent;
    for (unsigned l = 0; l < levels; ++l) {
        array.levels.push_back(std::make_shared<cudaArray>(cudaArray{texels, format, size, flags, true}));
        texels = texels.next_level(layered);
        size = next_extent(size, flags);
    }
}

} // namespace

cudaMipmappedArray* heddle::cudart::find_mipmapped_array(State& state, const cudaMipmappedArray* array) {
    const auto at = state.mipmapped_arrays.find(array);
    return at == state.mipmapped_arrays.end() ? nullptr : at->second.get();
}

HEDDLE_CUDA_API cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t* out, const cudaChannelFormatDesc* desc,
                                                     cudaExtent extent, unsigned levels, unsigned flags) {
    return api([&](State& state) {
        TexelFormat format;
        if (out == nullptr || desc == nullptr || !is_array_shape(extent, flags))
            return cudaErrorInvalidValue;
        if (!read_format(*desc, format))
            return cudaErrorInvalidChannelDescriptor;
        auto array = std::make_shared<cudaMipmappedArray>();
        const TexelArray first =
            TexelArray::tiled(format, static_cast<std::uint32_t>(extent.width),
                              static_cast<std::uint32_t>(extent.height), static_cast<std::uint32_t>(extent.depth));
        add_levels(*array, first, *desc, extent, flags, std::clamp(levels, 1U, most_levels(extent, flags)));
        const TexelArray& last = array->levels.back()->texels;
        const std::uint64_t bytes = last.begin + last.bytes();
        const heddle::Address begin =
            state.device().allocate(bytes, fmt::format("cudaMipmappedArray #{}", state.allocated));
        if (begin == 0)
            return cudaErrorMemoryAllocation;
        ++state.allocated;
        state.device_memory[begin] = {bytes};
        for (const auto& level : array->levels) {
            level->texels.begin += begin;
            state.arrays[level.get()] = level;
        }
        *out = array.get();
        state.mipmapped_arrays[array.get()] = std::move(array);
        return cudaSuccess;
    });
}
HEDDLE_CUDA_API cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array) {
    return api([&](State& state) {
        if (array == nullptr)
            return cudaSuccess;
        const cudaMipmappedArray* const found = find_mipmapped_array(state, array);
        if (found == nullptr)
            return cudaErrorInvalidValue;
        const heddle::Address begin = found->levels.front()->texels.begin;
        for (const auto& level : found->levels)
            state.arrays.erase(level.get());
        state.device_memory.erase(begin);
        state.device().release(begin);
        state.mipmapped_arrays.erase(array);
        return cudaSuccess;
    });
}
HEDDLE_CUDA_API cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t* out, cudaMipmappedArray_const_t array,
                                                       unsigned level) {
    return api([&](State& state) {
        const cudaMipmappedArray* const found = find_mipmapped_array(state, array);
        if (found == nullptr)
            return cudaErrorInvalidResourceHandle;
        if (out == nullptr || level >= found->levels.size())
            return cudaErrorInvalidValue;
        *out = found->levels[level].get();
        return cudaSuccess;
    });
}
// Only arrays that are mapped to memory later have requirements, and there are none of these.
HEDDLE_CUDA_API cudaError_t cudaMipmappedArrayGetMemoryRequirements(cudaArrayMemoryRequirements*, cudaMipmappedArray_t,
                                                                    int) {
    return record(cudaErrorInvalidValue);
}
