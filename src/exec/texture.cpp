#include "exec/texture.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "exec/half_bits.h"

namespace heddle::exec {

namespace {

using Outside = Sampler::Outside;

// Larger coordinates have the result of this one under every mode but wrap and mirror. For wrap and mirror they have no
// useful meaning: f32 has no fractions there.
constexpr double kFar = 1 << 30;

// Limits a coordinate to the range of integers; NaN is 0.
double near(double x) {
    return std::isnan(x) ? 0 : std::clamp(x, -kFar, kFar);
}

std::int64_t whole(double x) {
    return static_cast<std::int64_t>(std::floor(x));
}

// The texel for index `i` in a row of `size` texels under the addressing mode; -1: the border.
std::int64_t place_of(std::int64_t i, std::uint32_t size, Outside mode) {
    const std::int64_t n = size;
    if (i >= 0 && i < n)
        return i;
    switch (mode) {
    case Outside::Wrap:
        return (i % n + n) % n;
    case Outside::Mirror: {
        const std::int64_t in_pair = (i % (2 * n) + 2 * n) % (2 * n);
        return in_pair < n ? in_pair : 2 * n - 1 - in_pair;
    }
    case Outside::Clamp:
        return i < 0 ? 0 : n - 1;
    case Outside::Border:
        break;
    }
    return -1;
}

// The texels of a footprint along one dimension, and their weights.
struct Span {
    std::int64_t first, second;
    double weight; // of the second
    bool both;
};

// CUDA: the weight of a linear filter has 9 bits, 8 of them behind the binary point.
constexpr double kWeightSteps = 256;

Span span_of(double x, std::uint32_t size, Outside mode, bool linear) {
    if (!linear) {
        const std::int64_t i = place_of(whole(near(x)), size, mode);
        return {i, i, 0, false};
    }
    const double corner = near(x) - 0.5;
    const std::int64_t i = whole(corner);
    const double weight = std::floor((corner - static_cast<double>(i)) * kWeightSteps + 0.5) / kWeightSteps;
    return {place_of(i, size, mode), place_of(i + 1, size, mode), weight, true};
}

// Wrap and mirror exist for normalised coordinates only.
Outside mode_of(const Sampler& sampler, unsigned dimension) {
    const Outside mode = sampler.outside[dimension];
    const bool periodic = mode == Outside::Wrap || mode == Outside::Mirror;
    return periodic && !sampler.normalised_coordinates ? Outside::Clamp : mode;
}

struct Grid {
    const TexelArray& texels;
    std::uint32_t layer; // of planes and rows
    bool is_volume;

    [[nodiscard]] Address at(std::int64_t x, std::int64_t y, std::int64_t z) const {
        if (x < 0 || y < 0 || z < 0)
            return 0;
        return texels.address_of(static_cast<std::uint64_t>(x) * texels.format.bytes(), static_cast<std::uint32_t>(y),
                                 is_volume ? static_cast<std::uint32_t>(z) : layer);
    }
};

constexpr Span kNoDimension{0, 0, 0, false};

void add_all(Footprint& out, const Grid& grid, const Span& x, const Span& y, const Span& z) {
    const auto of = [](const Span& s, unsigned second) { return second != 0 ? s.second : s.first; };
    const auto weight = [](const Span& s, unsigned second) { return second != 0 ? s.weight : 1 - s.weight; };
    for (unsigned k = 0; k <= (z.both ? 1U : 0U); ++k)
        for (unsigned j = 0; j <= (y.both ? 1U : 0U); ++j)
            for (unsigned i = 0; i <= (x.both ? 1U : 0U); ++i)
                out.add(grid.at(of(x, i), of(y, j), of(z, k)), weight(x, i) * weight(y, j) * weight(z, k));
}

// The face of a cube that a direction meets, and the place on the face.
struct OnFace {
    std::uint32_t face;
    float s, t; // from 0 to 1
};
OnFace meet(const std::array<float, 3>& d) {
    const float ax = std::fabs(d[0]), ay = std::fabs(d[1]), az = std::fabs(d[2]);
    std::uint32_t face;
    float m, s, t;
    if (ax >= ay && ax >= az) {
        face = d[0] < 0 ? 1 : 0;
        m = ax;
        s = d[0] < 0 ? d[2] : -d[2];
        t = -d[1];
    } else if (ay >= az) {
        face = d[1] < 0 ? 3 : 2;
        m = ay;
        s = d[0];
        t = d[1] < 0 ? -d[2] : d[2];
    } else {
        face = d[2] < 0 ? 5 : 4;
        m = az;
        s = d[2] < 0 ? -d[0] : d[0];
        t = -d[1];
    }
    return {face, (s / m + 1) / 2, (t / m + 1) / 2};
}

Footprint find_on_cube(const Texture& texture, const Coordinates& where) {
    const TexelArray& texels = texture.texels;
    const OnFace on = meet(where.at);
    const std::uint32_t cubes = std::max(1U, texels.depth / 6);
    const std::uint32_t layer = std::min(where.layer, cubes - 1) * 6 + on.face;
    const Grid grid{texels, std::min(layer, texels.depth - 1), false};
    const bool linear = texture.sampler.linear;
    Footprint out;
    add_all(out, grid, span_of(double{on.s} * texels.width, texels.width, Outside::Clamp, linear),
            span_of(double{on.t} * texels.height, texels.height, Outside::Clamp, linear), kNoDimension);
    return out;
}

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

} // namespace

TexelArray TexelArray::tiled(TexelFormat format, std::uint32_t width, std::uint32_t height, std::uint32_t depth) {
    TexelArray out;
    out.layout = Layout::Tiled;
    out.format = format;
    out.width = width;
    out.height = std::max(1U, height);
    out.depth = std::max(1U, depth);
    out.pitch = (std::uint64_t{width} * format.bytes() + kTileBytes - 1) / kTileBytes * kTileBytes;
    return out;
}

std::uint64_t TexelArray::bytes() const {
    switch (layout) {
    case Layout::Linear:
        return std::uint64_t{width} * format.bytes();
    case Layout::Pitch:
        return (height - 1) * pitch + std::uint64_t{width} * format.bytes();
    case Layout::Tiled:
        break;
    }
    return pitch * depth * (height == 1 ? 1 : bands() * kTileRows);
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
    const std::uint64_t place = handle & ((std::uint64_t{1} << kPlaceBits) - 1);
    return place == 0 || place > slots_.size() ? nullptr : &slots_[place - 1];
}

const Texture* TextureTable::find(std::uint64_t handle) const {
    const Slot* const slot = slot_of(handle);
    return slot != nullptr && slot->live && slot->life == handle >> kPlaceBits ? &slot->texture : nullptr;
}

bool TextureTable::is_destroyed(std::uint64_t handle) const {
    const Slot* const slot = slot_of(handle);
    const std::uint64_t life = handle >> kPlaceBits;
    return slot != nullptr && life != 0 && (life < slot->life || (life == slot->life && !slot->live));
}

bool TextureTable::remove(std::uint64_t handle) {
    if (find(handle) == nullptr)
        return false;
    const auto place = static_cast<std::uint32_t>((handle & ((std::uint64_t{1} << kPlaceBits) - 1)) - 1);
    slots_[place].live = false;
    free_.push_back(place);
    return true;
}

Footprint find_texels(const Texture& texture, const Coordinates& where, bool gathers) {
    if (where.cube)
        return find_on_cube(texture, where);
    const TexelArray& texels = texture.texels;
    const std::array<std::uint32_t, 3> size{texels.width, texels.height, texels.depth};
    const bool linear = texture.sampler.linear || gathers;
    std::array<Span, 3> span{kNoDimension, kNoDimension, kNoDimension};
    for (unsigned d = 0; d < where.dimensions; ++d) {
        const double x = texture.sampler.normalised_coordinates ? double{where.at[d]} * size[d] : double{where.at[d]};
        const bool linear_memory = texels.layout == TexelArray::Layout::Linear;
        span[d] = span_of(x, size[d], linear_memory ? Outside::Border : mode_of(texture.sampler, d), linear);
    }
    const Grid grid{texels, std::min(where.layer, texels.depth - 1), where.dimensions == 3};
    Footprint out;
    if (!gathers) {
        add_all(out, grid, span[0], span[1], span[2]);
        return out;
    }
    // Counter-clockwise from the lower left, with y downwards.
    out.add(grid.at(span[0].first, span[1].second, 0), 0.25);
    out.add(grid.at(span[0].second, span[1].second, 0), 0.25);
    out.add(grid.at(span[0].second, span[1].first, 0), 0.25);
    out.add(grid.at(span[0].first, span[1].first, 0), 0.25);
    return out;
}

Footprint find_texel(const Texture& texture, const std::array<std::int32_t, 3>& at, unsigned dimensions,
                     std::uint32_t layer) {
    const TexelArray& texels = texture.texels;
    const std::array<std::uint32_t, 3> size{texels.width, texels.height, texels.depth};
    std::array<std::int64_t, 3> place{};
    for (unsigned d = 0; d < dimensions; ++d) {
        const Outside mode = texture.sampler.outside[d] == Outside::Border ? Outside::Border : Outside::Clamp;
        place[d] = place_of(at[d], size[d], texels.layout == TexelArray::Layout::Linear ? Outside::Border : mode);
    }
    const Grid grid{texels, std::min(layer, texels.depth - 1), dimensions == 3};
    Footprint out;
    out.add(grid.at(place[0], place[1], place[2]), 1);
    return out;
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
    }
    return out;
}

Channels border_of(const Texture& texture) {
    Channels out;
    for (unsigned c = 0; c < out.size(); ++c) {
        const float value = texture.sampler.border[c];
        out[c] = gives_floats(texture) ? std::bit_cast<std::uint32_t>(value)
                                       : static_cast<std::uint32_t>(whole(near(value)));
    }
    return out;
}

} // namespace heddle::exec
