// Texture and surface objects.
#include <cstddef>
#include <cstring>

#include <fmt/format.h>

#include "arrays.h"
#include "texture_limits.h"

using namespace heddle::cudart;
using heddle::runtime::Sampler;
using heddle::runtime::TexelArray;
using heddle::runtime::TexelFormat;
using heddle::runtime::Texture;

namespace {

// CUDA 11's struct grew in its course, and got functions of its own then.
constexpr std::size_t kTextureDescBytes =
    HEDDLE_CUDART_VERSION < 12000 ? offsetof(cudaTextureDesc, seamlessCubemap) : sizeof(cudaTextureDesc);

cudaError_t refuse(const std::string& why, cudaError_t error) {
    complain(why);
    return error;
}

cudaError_t linear_memory(const cudaResourceDesc& what, TexelArray& out) {
    const auto& linear = what.res.linear;
    out.layout = TexelArray::Layout::Linear;
    if (!read_format(linear.desc, out.format))
        return cudaErrorInvalidChannelDescriptor;
    out.begin = device_address(linear.devPtr);
    out.width = static_cast<std::uint32_t>(linear.sizeInBytes / out.format.bytes());
    const bool good = linear.sizeInBytes >= out.format.bytes() && linear.sizeInBytes >> 32 == 0;
    return good && out.begin % out.format.bytes() == 0 ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t pitched_memory(const cudaResourceDesc& what, TexelArray& out) {
    constexpr std::size_t kMost = 131072; // rows, and texels of a row
    const auto& pitched = what.res.pitch2D;
    out.layout = TexelArray::Layout::Pitch;
    if (!read_format(pitched.desc, out.format))
        return cudaErrorInvalidChannelDescriptor;
    if (pitched.width == 0 || pitched.height == 0 || pitched.width > kMost || pitched.height > kMost)
        return cudaErrorInvalidValue;
    if (pitched.height > 1 && (pitched.pitchInBytes % kTexturePitchAlignment != 0 ||
                               pitched.pitchInBytes < pitched.width * out.format.bytes()))
        return refuse(fmt::format("a texture of memory with a pitch of {} bytes: it must be a multiple of {}, and not "
                                  "less than a row of {} texels",
                                  pitched.pitchInBytes, kTexturePitchAlignment, pitched.width),
                      cudaErrorInvalidValue);
    out.begin = device_address(pitched.devPtr);
    out.width = static_cast<std::uint32_t>(pitched.width);
    out.height = static_cast<std::uint32_t>(pitched.height);
    out.pitch = pitched.pitchInBytes;
    return out.begin % out.format.bytes() == 0 ? cudaSuccess : cudaErrorInvalidValue;
}

// Where a resource has its texels. `array`: it, where it is one.
cudaError_t texels_of(State& state, const cudaResourceDesc& what, TexelArray& out, const cudaArray** array = nullptr) {
    switch (what.resType) {
    case cudaResourceTypeArray: {
        const cudaArray* const found = find_array(state, what.res.array.array);
        if (found == nullptr)
            return cudaErrorInvalidResourceHandle;
        out = found->texels;
        if (array != nullptr)
            *array = found;
        return cudaSuccess;
    }
    case cudaResourceTypeLinear:
        return linear_memory(what, out);
    case cudaResourceTypePitch2D:
        return pitched_memory(what, out);
    case cudaResourceTypeMipmappedArray:
        return refuse("textures of mipmapped arrays are not supported yet", cudaErrorNotSupported);
    }
    return cudaErrorInvalidValue;
}

bool read_outside(cudaTextureAddressMode mode, Sampler::Outside& out) {
    switch (mode) {
    case cudaAddressModeWrap:
        out = Sampler::Outside::Wrap;
        return true;
    case cudaAddressModeClamp:
        out = Sampler::Outside::Clamp;
        return true;
    case cudaAddressModeMirror:
        out = Sampler::Outside::Mirror;
        return true;
    case cudaAddressModeBorder:
        out = Sampler::Outside::Border;
        return true;
    }
    return false;
}

cudaError_t read_sampler(const cudaTextureDesc& how, const TexelArray& texels, Sampler& out) {
    const bool is_integer = texels.format.kind != TexelFormat::Kind::Float;
    const bool is_row = texels.layout == TexelArray::Layout::Linear; // has neither filter nor modes
    for (std::size_t d = 0; d < out.outside.size(); ++d)
        if (!read_outside(how.addressMode[d], out.outside[d]))
            return cudaErrorInvalidValue;
    if (how.filterMode != cudaFilterModePoint && how.filterMode != cudaFilterModeLinear)
        return cudaErrorInvalidFilterSetting;
    if (how.readMode != cudaReadModeElementType && how.readMode != cudaReadModeNormalizedFloat)
        return cudaErrorInvalidValue;
    if (how.sRGB != 0)
        return refuse("textures of sRGB values are not supported yet", cudaErrorNotSupported);
    out.normalised_values = is_integer && how.readMode == cudaReadModeNormalizedFloat;
    if (out.normalised_values && texels.format.bits == 32)
        return cudaErrorInvalidNormSetting;
    out.linear = how.filterMode == cudaFilterModeLinear && !is_row;
    if (out.linear && is_integer && !out.normalised_values)
        return cudaErrorInvalidFilterSetting;
    out.normalised_coordinates = how.normalizedCoords != 0 && !is_row;
    if (!is_row)
        std::memcpy(out.border.data(), how.borderColor, sizeof how.borderColor);
    return cudaSuccess;
}

// `bytes`: of the description, which has grown with CUDA's versions.
cudaError_t create_texture(cudaTextureObject_t* out, const cudaResourceDesc* what, const cudaTextureDesc* description,
                           std::size_t bytes, const cudaResourceViewDesc* view) {
    return api([&](State& state) {
        if (out == nullptr || what == nullptr || description == nullptr)
            return cudaErrorInvalidValue;
        cudaTextureDesc how{};
        std::memcpy(&how, description, bytes);
        if (how.seamlessCubemap != 0)
            return refuse("seamless filters of cubes are not supported yet", cudaErrorNotSupported);
        if (view != nullptr)
            return refuse("views of a texture's resource are not supported yet", cudaErrorNotSupported);
        Texture texture;
        if (const cudaError_t error = texels_of(state, *what, texture.texels); error != cudaSuccess)
            return error;
        if (const cudaError_t error = read_sampler(how, texture.texels, texture.sampler); error != cudaSuccess)
            return error;
        *out = state.device().add_texture(texture);
        state.objects[*out] = {*what, how};
        return cudaSuccess;
    });
}

cudaError_t create_surface(cudaSurfaceObject_t* out, const cudaResourceDesc* what) {
    return api([&](State& state) {
        if (out == nullptr || what == nullptr || what->resType != cudaResourceTypeArray)
            return cudaErrorInvalidValue;
        Texture surface;
        surface.is_surface = true;
        const cudaArray* array = nullptr;
        if (const cudaError_t error = texels_of(state, *what, surface.texels, &array); error != cudaSuccess)
            return error;
        if ((array->flags & cudaArraySurfaceLoadStore) == 0)
            return refuse("a surface of an array that was made without cudaArraySurfaceLoadStore",
                          cudaErrorInvalidValue);
        *out = state.device().add_texture(surface);
        state.objects[*out] = {*what, {}};
        return cudaSuccess;
    });
}

// The object of a handle, if it is one of this kind; null else.
const TextureObject* find_object(State& state, std::uint64_t handle, bool is_surface) {
    const Texture* const texture = state.device().texture(handle);
    const auto at = state.objects.find(handle);
    return texture == nullptr || texture->is_surface != is_surface || at == state.objects.end() ? nullptr : &at->second;
}

cudaError_t destroy(std::uint64_t handle, bool is_surface) {
    return api([&](State& state) {
        if (find_object(state, handle, is_surface) == nullptr)
            return cudaErrorInvalidValue;
        state.device().remove_texture(handle);
        state.objects.erase(handle);
        return cudaSuccess;
    });
}

cudaError_t describe_resource(cudaResourceDesc* out, std::uint64_t handle, bool is_surface) {
    return api([&](State& state) {
        const TextureObject* const object = find_object(state, handle, is_surface);
        if (out == nullptr || object == nullptr)
            return cudaErrorInvalidValue;
        *out = object->resource;
        return cudaSuccess;
    });
}

cudaError_t describe_sampler(cudaTextureDesc* out, std::size_t bytes, cudaTextureObject_t handle) {
    return api([&](State& state) {
        const TextureObject* const object = find_object(state, handle, false);
        if (out == nullptr || object == nullptr)
            return cudaErrorInvalidValue;
        std::memcpy(out, &object->sampler, bytes);
        return cudaSuccess;
    });
}

} // namespace

HEDDLE_CUDA_API cudaError_t cudaCreateTextureObject(cudaTextureObject_t* out, const cudaResourceDesc* what,
                                                    const cudaTextureDesc* how, const cudaResourceViewDesc* view) {
    return create_texture(out, what, how, kTextureDescBytes, view);
}
HEDDLE_CUDA_API cudaError_t cudaDestroyTextureObject(cudaTextureObject_t handle) {
    return destroy(handle, false);
}
HEDDLE_CUDA_API cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* out, cudaTextureObject_t handle) {
    return describe_resource(out, handle, false);
}
HEDDLE_CUDA_API cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* out, cudaTextureObject_t handle) {
    return describe_sampler(out, kTextureDescBytes, handle);
}
HEDDLE_CUDA_API cudaError_t cudaCreateTextureObject_v2(cudaTextureObject_t* out, const cudaResourceDesc* what,
                                                       const cudaTextureDesc* how, const cudaResourceViewDesc* view) {
    return create_texture(out, what, how, sizeof *how, view);
}
HEDDLE_CUDA_API cudaError_t cudaGetTextureObjectTextureDesc_v2(cudaTextureDesc* out, cudaTextureObject_t handle) {
    return describe_sampler(out, sizeof *out, handle);
}
HEDDLE_CUDA_API cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* out, const cudaResourceDesc* what) {
    return create_surface(out, what);
}
HEDDLE_CUDA_API cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t handle) {
    return destroy(handle, true);
}
HEDDLE_CUDA_API cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* out, cudaSurfaceObject_t handle) {
    return describe_resource(out, handle, true);
}
HEDDLE_CUDA_API cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(std::size_t* width, const cudaChannelFormatDesc* desc,
                                                                 int device) {
    return api([&](State&) {
        TexelFormat format;
        if (width == nullptr || desc == nullptr || device != 0 || !read_format(*desc, format))
            return device != 0 ? cudaErrorInvalidDevice : cudaErrorInvalidValue;
        *width = (std::size_t{1} << 32) / format.bytes() - 1;
        return cudaSuccess;
    });
}
