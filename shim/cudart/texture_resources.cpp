#include "texture_resources.h"

#include <cstring>
#include <iterator>

#include <fmt/format.h>

#include "arrays.h"
#include "attributes.h"
#include "texture_limits.h"

using namespace heddle::cudart;
using heddle::runtime::Sampler;
using heddle::runtime::TexelArray;
using heddle::runtime::TexelFormat;
using heddle::runtime::Texture;

namespace {

cudaError_t check_alignment(heddle::Address texels) {
    return texels % kTexelsAlignment == 0
               ? cudaSuccess
               : refuse(
                     fmt::format("a texture of memory at {:#x}, which is no multiple of {}", texels, kTexelsAlignment),
                     cudaErrorInvalidValue);
}

cudaError_t linear_memory(const cudaResourceDesc& what, TexelArray& out) {
    const auto& linear = what.res.linear;
    out.layout = TexelArray::Layout::Linear;
    if (!read_format(linear.desc, out.format))
        return cudaErrorInvalidChannelDescriptor;
    out.begin = device_address(linear.devPtr);
    out.width = static_cast<std::uint32_t>(linear.sizeInBytes / out.format.bytes());
    const bool good = linear.sizeInBytes >= out.format.bytes() && linear.sizeInBytes >> 32 == 0;
    return good ? check_alignment(out.begin) : cudaErrorInvalidValue;
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
    return check_alignment(out.begin);
}

Texture::Layers layers_of(unsigned flags) {
    const bool layered = (flags & cudaArrayLayered) != 0;
    if ((flags & cudaArrayCubemap) != 0)
        return layered ? Texture::Layers::LayeredCube : Texture::Layers::Cube;
    return layered ? Texture::Layers::Layered : Texture::Layers::None;
}

cudaError_t mipmapped_array(State& state, const cudaMipmappedArray* array, Texture& out) {
    const cudaMipmappedArray* const found = find_mipmapped_array(state, array);
    if (found == nullptr)
        return cudaErrorInvalidResourceHandle;
    out.mipmapped = true;
    out.layers = layers_of(found->levels.front()->flags);
    out.sampler.normalised_values = is_normalised(found->levels.front()->format);
    out.texels = found->levels.front()->texels;
    for (std::size_t l = 1; l < found->levels.size(); ++l)
        out.smaller.push_back(found->levels[l]->texels);
    return cudaSuccess;
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

// The format of a view; false for block-compressed ones.
bool read_view_format(cudaResourceViewFormat format, TexelFormat& out) {
    struct Row {
        TexelFormat::Kind kind;
        std::uint8_t bits;
    };
    using Kind = TexelFormat::Kind;
    constexpr Row kRows[] = {{Kind::Unsigned, 8},  {Kind::Signed, 8},  {Kind::Unsigned, 16}, {Kind::Signed, 16},
                             {Kind::Unsigned, 32}, {Kind::Signed, 32}, {Kind::Float, 16},    {Kind::Float, 32}};
    constexpr std::uint8_t kChannels[] = {1, 2, 4};
    if (format == cudaResViewFormatNone)
        return true;
    const auto number = static_cast<unsigned>(format) - 1;
    if (number >= std::size(kRows) * std::size(kChannels))
        return false;
    const Row& row = kRows[number / std::size(kChannels)];
    out = {row.kind, row.bits, kChannels[number % std::size(kChannels)]};
    return true;
}

// Whether a number that counts from 1 is the size of a resource, which may be written 0 where there is one of it.
bool is_size(std::size_t given, std::uint32_t size) {
    return given == size || (given == 0 && size == 1);
}

cudaError_t choose_levels(const cudaResourceViewDesc& view, Texture& out) {
    if (view.firstMipmapLevel > view.lastMipmapLevel || view.lastMipmapLevel >= out.levels())
        return cudaErrorInvalidValue;
    out.smaller.resize(view.lastMipmapLevel);
    for (unsigned l = 0; l < view.firstMipmapLevel; ++l) {
        out.texels = out.smaller.front();
        out.smaller.erase(out.smaller.begin());
    }
    return cudaSuccess;
}

cudaError_t choose_layers(const cudaResourceViewDesc& view, Texture& out) {
    const bool layered = out.layers != Texture::Layers::None;
    if (!layered)
        return view.firstLayer == 0 && view.lastLayer == 0 ? cudaSuccess : cudaErrorInvalidValue;
    if (view.firstLayer > view.lastLayer || view.lastLayer >= out.texels.depth)
        return cudaErrorInvalidValue;
    const std::uint32_t layers = view.lastLayer - view.firstLayer + 1;
    if (out.layers != Texture::Layers::Layered && (view.firstLayer % 6 != 0 || layers % 6 != 0))
        return refuse("a view of a cube whose layers are not whole cubes", cudaErrorInvalidValue);
    const auto limit = [&](TexelArray& level) {
        level.begin = level.address_of(0, 0, view.firstLayer);
        level.depth = layers;
    };
    limit(out.texels);
    for (TexelArray& level : out.smaller)
        limit(level);
    return cudaSuccess;
}

// What came with mipmapped arrays, sRGB and cubes.
cudaError_t read_newer(const cudaTextureDesc& how, Texture& texture) {
    Sampler& out = texture.sampler;
    if (texture.mipmapped && !out.normalised_coordinates)
        return refuse("a texture of a mipmapped array whose coordinates are not normalised", cudaErrorInvalidValue);
    out.level_bias = how.mipmapLevelBias;
    out.least_level = how.minMipmapLevelClamp;
    out.most_level = how.maxMipmapLevelClamp;
    out.srgb = how.sRGB != 0;
    const TexelFormat& format = texture.texels.format;
    if (out.srgb && (format.kind != TexelFormat::Kind::Unsigned || format.bits != 8 || !out.normalised_values))
        return refuse("sRGB values other than unsigned integers of 8 bits that are read as normalised floats",
                      cudaErrorNotSupported);
    out.seamless = how.seamlessCubemap != 0;
    const bool cube = texture.layers == Texture::Layers::Cube || texture.layers == Texture::Layers::LayeredCube;
    return out.seamless && !cube ? refuse("a seamless texture that is no cube", cudaErrorInvalidValue) : cudaSuccess;
}

} // namespace

cudaError_t heddle::cudart::refuse(const std::string& why, cudaError_t error) {
    complain(why);
    return error;
}

cudaError_t heddle::cudart::read_resource(State& state, const cudaResourceDesc& what, Texture& out) {
    switch (what.resType) {
    case cudaResourceTypeArray: {
        const cudaArray* const found = find_array(state, what.res.array.array);
        if (found == nullptr)
            return cudaErrorInvalidResourceHandle;
        out.texels = found->texels;
        out.layers = layers_of(found->flags);
        out.sampler.normalised_values = is_normalised(found->format);
        return cudaSuccess;
    }
    case cudaResourceTypeLinear:
        out.sampler.normalised_values = is_normalised(what.res.linear.desc);
        return linear_memory(what, out.texels);
    case cudaResourceTypePitch2D:
        out.sampler.normalised_values = is_normalised(what.res.pitch2D.desc);
        return pitched_memory(what, out.texels);
    case cudaResourceTypeMipmappedArray:
        return mipmapped_array(state, what.res.mipmap.mipmap, out);
    }
    return cudaErrorInvalidValue;
}

cudaError_t heddle::cudart::read_surface(State& state, const cudaResourceDesc& what, Texture& out) {
    const cudaArray* const array = find_array(state, what.res.array.array);
    if (array == nullptr)
        return cudaErrorInvalidResourceHandle;
    if (const cudaError_t error = read_resource(state, what, out); error != cudaSuccess)
        return error;
    out.kind = Texture::Kind::Surface;
    // NVIDIA's samples have surfaces of levels of an array without the flag.
    return (array->flags & cudaArraySurfaceLoadStore) == 0 && !array->is_level
               ? refuse("a surface of an array that was made without cudaArraySurfaceLoadStore", cudaErrorInvalidValue)
               : cudaSuccess;
}

cudaError_t heddle::cudart::apply_view(const cudaResourceDesc& resource, const cudaResourceViewDesc& view,
                                       Texture& out) {
    if (resource.resType != cudaResourceTypeArray && resource.resType != cudaResourceTypeMipmappedArray)
        return cudaErrorInvalidValue;
    TexelFormat format = out.texels.format;
    if (!read_view_format(view.format, format))
        return refuse("views in block-compressed formats are not supported yet", cudaErrorNotSupported);
    if (format.bytes() != out.texels.format.bytes())
        return refuse(fmt::format("a view whose elements have {} bytes, of a resource whose elements have {}",
                                  format.bytes(), out.texels.format.bytes()),
                      cudaErrorInvalidValue);
    if (!is_size(view.width, out.texels.width) || !is_size(view.height, out.texels.height) ||
        !is_size(view.depth, out.texels.depth))
        return refuse("a view whose size is not that of its resource", cudaErrorInvalidValue);
    out.texels.format = format;
    if (view.format != cudaResViewFormatNone) // which has no normalised ones
        out.sampler.normalised_values = false;
    for (TexelArray& level : out.smaller)
        level.format = format;
    const cudaError_t error = choose_levels(view, out);
    return error == cudaSuccess ? choose_layers(view, out) : error;
}

cudaError_t heddle::cudart::read_sampler(const cudaTextureDesc& how, Texture& texture) {
    const TexelArray& texels = texture.texels;
    Sampler& out = texture.sampler;
    const bool is_integer = texels.format.kind != TexelFormat::Kind::Float;
    const bool is_row = texels.layout == TexelArray::Layout::Linear; // has neither filter nor modes
    for (std::size_t d = 0; d < out.outside.size(); ++d)
        if (!read_outside(how.addressMode[d], out.outside[d]))
            return cudaErrorInvalidValue;
    for (const cudaTextureFilterMode mode : {how.filterMode, how.mipmapFilterMode})
        if (mode != cudaFilterModePoint && mode != cudaFilterModeLinear)
            return cudaErrorInvalidFilterSetting;
    if (how.readMode != cudaReadModeElementType && how.readMode != cudaReadModeNormalizedFloat)
        return cudaErrorInvalidValue;
    // The format may ask for it already.
    out.normalised_values |= is_integer && how.readMode == cudaReadModeNormalizedFloat;
    if (out.normalised_values && texels.format.bits == 32)
        return cudaErrorInvalidNormSetting;
    out.linear = how.filterMode == cudaFilterModeLinear && !is_row;
    out.linear_levels = how.mipmapFilterMode == cudaFilterModeLinear && texture.mipmapped;
    if ((out.linear || out.linear_levels) && is_integer && !out.normalised_values)
        return cudaErrorInvalidFilterSetting;
    out.normalised_coordinates = how.normalizedCoords != 0 && !is_row;
    if (!is_row)
        std::memcpy(out.border.data(), how.borderColor, sizeof how.borderColor);
    return read_newer(how, texture);
}
