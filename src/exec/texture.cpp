#include "exec/texture.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "exec/half_bits.h"

namespace heddle::exec {

namespace {

// The bits of a channel as a result of tex.
std::uint32_t channel(const TexelFormat& format, std::uint32_t bits, bool normalised) {
    if (format.kind == TexelFormat::Kind::Float)
        return format.bits == 16 ? std::bit_cast<std::uint32_t>(float_of_f16(bits)) : bits;
    const unsigned unused = 32U - format.bits;
    if (format.kind == TexelFormat::Kind::Unsigned)
        return normalised ? std::bit_cast<std::uint32_t>(static_cast<float>(bits) / static_cast<float>(~0U >> unused))
                          : bits;
    const auto value = static_cast<std::int32_t>(bits << unused) >> unused;
    const auto greatest = static_cast<float>(0x7fff'ffffU >> unused);
    return std::bit_cast<std::uint32_t>(normalised ? std::max(-1.0F, static_cast<float>(value) / greatest)
                                                   : std::bit_cast<float>(value));
}

// A value of sRGB from 0 to 1 as linear light (IEC 61966-2-1).
std::uint32_t linear_light(std::uint32_t bits) {
    const double value = std::bit_cast<float>(bits);
    return std::bit_cast<std::uint32_t>(
        static_cast<float>(value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4)));
}

} // namespace

std::optional<Texture::Kind> kind_of(ptx::Type type) {
    switch (type) {
    case ptx::Type::Texref:
        return Texture::Kind::Texture;
    case ptx::Type::Samplerref:
        return Texture::Kind::Sampler;
    case ptx::Type::Surfref:
        return Texture::Kind::Surface;
    default:
        return std::nullopt;
    }
}

std::uint64_t TextureTable::add(const Texture& what) {
    if (free_.empty()) {
        free_.push_back(static_cast<std::uint32_t>(slots_.size()));
        slots_.emplace_back();
    }
    const std::uint32_t place = free_.back();
    free_.pop_back();
    Slot& slot = slots_[place];
    slot.texture = what;
    slot.live = true;
    ++slot.life;
    return slot.life << kPlaceBits | (place + 1);
}

const TextureTable::Slot* TextureTable::slot_of(std::uint64_t handle) const {
    const std::uint64_t place = handle & kPlaceMask;
    return place == 0 || place > slots_.size() ? nullptr : &slots_[place - 1];
}

const Texture* TextureTable::find(std::uint64_t handle) const {
    const Slot* const slot = slot_of(handle);
    return slot != nullptr && slot->live && slot->life == handle >> kPlaceBits ? &slot->texture : nullptr;
}

bool TextureTable::replace(std::uint64_t handle, const Texture& what) {
    if (find(handle) == nullptr)
        return false;
    slots_[(handle & kPlaceMask) - 1].texture = what;
    return true;
}

bool TextureTable::is_destroyed(std::uint64_t handle) const {
    const Slot* const slot = slot_of(handle);
    const std::uint64_t life = handle >> kPlaceBits;
    return slot != nullptr && life != 0 && (life < slot->life || (life == slot->life && !slot->live));
}

bool TextureTable::remove(std::uint64_t handle) {
    if (find(handle) == nullptr)
        return false;
    const auto place = static_cast<std::uint32_t>((handle & kPlaceMask) - 1);
    slots_[place].live = false;
    free_.push_back(place);
    return true;
}

bool gives_floats(const Texture& texture) {
    return texture.sampler.normalised_values || texture.texels.format.kind == TexelFormat::Kind::Float;
}

Channels read_texel(const Texture& texture, const std::byte* at) {
    const TexelFormat& format = texture.texels.format;
    Channels out{0, 0, 0, gives_floats(texture) ? std::bit_cast<std::uint32_t>(1.0F) : 1U};
    const unsigned bytes = format.bits / 8U;
    for (unsigned c = 0; c < format.channels; ++c) {
        std::uint32_t bits = 0;
        std::memcpy(&bits, at + std::size_t{c} * bytes, bytes);
        out[c] = channel(format, bits, texture.sampler.normalised_values);
        if (texture.sampler.srgb && c < 3)
            out[c] = linear_light(out[c]);
    }
    return out;
}

// Of a texture that gives integers, too, the bits of the colour count (cudaTextureDesc::borderColor).
Channels border_of(const Sampler& sampler) {
    Channels out;
    for (unsigned c = 0; c < out.size(); ++c)
        out[c] = std::bit_cast<std::uint32_t>(sampler.border[c]);
    return out;
}

} // namespace heddle::exec
