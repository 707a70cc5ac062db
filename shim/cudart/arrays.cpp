// CUDA arrays: allocation, and what is known of them.
#include "arrays.h"

#include <fmt/format.h>

#include "unsupported.h"

using namespace heddle::cudart;
using heddle::runtime::TexelArray;
using heddle::runtime::TexelFormat;

namespace {

constexpr unsigned kDepthTexture = 0x10; // CUDA_ARRAY3D_DEPTH_TEXTURE of the driver API
constexpr unsigned kFlags =
    cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayCubemap | cudaArrayTextureGather | kDepthTexture;
constexpr std::size_t kMost = 1U << 27; // texels of a dimension

} // namespace

// Sizes: (w, 0, 0), (w, h, 0), (w, h, d); layered (w, 0, n), (w, h, n); cubes (w, w, 6
// n).
bool heddle::cudart::is_array_shape(const cudaExtent& e, unsigned flags) {
    if ((flags & ~kFlags) != 0)
        return false;
    if (e.width == 0 || e.width > kMost || e.height > kMost || e.depth > kMost)
        return false;
    const bool layered = (flags & cudaArrayLayered) != 0;
    if ((flags & cudaArrayCubemap) != 0)
        return e.height == e.width && (layered ? e.depth != 0 && e.depth % 6 == 0 : e.depth == 6);
    return layered ? e.depth != 0 : e.depth == 0 || e.height != 0;
}

namespace {

cudaError_t allocate_array(cudaArray_t* out, const cudaChannelFormatDesc* desc, const cudaExtent& extent,
                           unsigned flags) {
    return api([&](State& state) {
        TexelFormat format;
        if (out == nullptr || desc == nullptr || !is_array_shape(extent, flags))
            return cudaErrorInvalidValue;
        if (!read_format(*desc, format))
            return cudaErrorInvalidChannelDescriptor;
        auto array = std::make_shared<cudaArray>();
        array->texels =
            TexelArray::tiled(format, static_cast<std::uint32_t>(extent.width),
                              static_cast<std::uint32_t>(extent.height), static_cast<std::uint32_t>(extent.depth));
        const std::uint64_t bytes = array->texels.bytes();
        array->texels.begin = state.device().allocate(bytes, fmt::format("cudaArray #{}", state.allocated));
        if (array->texels.begin == 0)
            return cudaErrorMemoryAllocation;
        ++state.allocated;
        state.device_memory[array->texels.begin] = {bytes};
        array->format = *desc;
        array->extent = extent;
        array->flags = flags;
        *out = array.get();
        state.arrays[array.get()] = std::move(array);
        return cudaSuccess;
    });
}

// The kind says the bits and the number of channels: 8X1 8X2 8X4 16X1 16X2 16X4, unsigned, then signed.
bool read_normalised(const cudaChannelFormatDesc& desc, TexelFormat& out) {
    const int number = desc.f - cudaChannelFormatKindUnsignedNormalized8X1;
    const bool is_signed = number >= 6;
    const int bits = number % 6 < 3 ? 8 : 16, channels = 1 << number % 3;
    cudaChannelFormatDesc plain = desc;
    plain.f = is_signed ? cudaChannelFormatKindSigned : cudaChannelFormatKindUnsigned;
    return read_format(plain, out) && out.bits == bits && out.channels == channels;
}

} // namespace

cudaArray* heddle::cudart::find_array(State& state, cudaArray_const_t array) {
    const auto at = state.arrays.find(array);
    return at == state.arrays.end() ? nullptr : at->second.get();
}

bool heddle::cudart::read_format(const cudaChannelFormatDesc& desc, TexelFormat& out) {
    if (is_normalised(desc))
        return read_normalised(desc, out);
    if (desc.f > cudaChannelFormatKindNone) {
        tell_unsupported("a format of block-compressed or planar texels");
        return false;
    }
    const bool four = desc.z != 0;
    const int bits = desc.x;
    if ((bits != 8 && bits != 16 && bits != 32) || (desc.y != 0 && desc.y != bits) ||
        (four ? desc.y == 0 || desc.z != bits || desc.w != bits : desc.w != 0))
        return false;
    switch (desc.f) {
    case cudaChannelFormatKindSigned:
        out.kind = TexelFormat::Kind::Signed;
        break;
    case cudaChannelFormatKindUnsigned:
        out.kind = TexelFormat::Kind::Unsigned;
        break;
    case cudaChannelFormatKindFloat:
        out.kind = TexelFormat::Kind::Float;
        break;
    default:
        return false;
    }
    out.bits = static_cast<std::uint8_t>(bits);
    out.channels = four ? 4 : desc.y != 0 ? 2 : 1;
    return out.kind != TexelFormat::Kind::Float || bits != 8;
}

HEDDLE_CUDA_API cudaError_t cudaMallocArray(cudaArray_t* out, const cudaChannelFormatDesc* desc, std::size_t width,
                                            std::size_t height, unsigned flags) {
    if ((flags & (cudaArrayLayered | cudaArrayCubemap)) != 0)
        return record(cudaErrorInvalidValue);
    return allocate_array(out, desc, {width, height, 0}, flags);
}
HEDDLE_CUDA_API cudaError_t cudaMalloc3DArray(cudaArray_t* out, const cudaChannelFormatDesc* desc, cudaExtent extent,
                                              unsigned flags) {
    return allocate_array(out, desc, extent, flags);
}
HEDDLE_CUDA_API cudaError_t cudaFreeArray(cudaArray_t array) {
    return api([&](State& state) {
        if (array == nullptr)
            return cudaSuccess;
        const auto at = state.arrays.find(array);
        if (at == state.arrays.end() || at->second->is_level)
            return cudaErrorInvalidValue;
        state.device_memory.erase(at->second->texels.begin);
        state.device().release(at->second->texels.begin);
        state.arrays.erase(at);
        return cudaSuccess;
    });
}
// Only arrays that are mapped to memory later have requirements, and there are none of these.
HEDDLE_CUDA_API cudaError_t cudaArrayGetMemoryRequirements(cudaArrayMemoryRequirements*, cudaArray_t, int) {
    return record(cudaErrorInvalidValue);
}
HEDDLE_CUDA_API cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* desc, cudaExtent* extent, unsigned* flags,
                                             cudaArray_t array) {
    return api([&](State& state) {
        const cudaArray* const found = find_array(state, array);
        if (found == nullptr)
            return cudaErrorInvalidResourceHandle;
        if (desc != nullptr)
            *desc = found->format;
        if (extent != nullptr)
            *extent = found->extent;
        if (flags != nullptr)
            *flags = found->flags;
        return cudaSuccess;
    });
}
HEDDLE_CUDA_API cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* desc, cudaArray_const_t array) {
    return api([&](State& state) {
        const cudaArray* const found = find_array(state, array);
        if (desc == nullptr || found == nullptr)
            return desc == nullptr ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle;
        *desc = found->format;
        return cudaSuccess;
    });
}
HEDDLE_CUDA_API cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind f) {
    return {x, y, z, w, f};
}
