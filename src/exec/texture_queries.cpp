#include "exec/texture_queries.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "exec/cube.h"
#include "exec/lane_access.h"
#include "ir/fetch.h"
#include "ir/geometry.h"

namespace heddle::exec {

using ir::MicroOp;
using ir::Opcode;
using ir::Query;
using warp::Group;
using warp::Outcome;
using Kind = Texture::Kind;
using Layers = Texture::Layers;

namespace {

// The numbers of OpenCL, as the PTX ISA lists them.
std::uint32_t channel_data_type(const Texture& texture) {
    const TexelFormat& format = texture.texels.format;
    const std::uint32_t width = format.bits == 8 ? 0 : format.bits == 16 ? 1 : 2;
    if (format.kind == TexelFormat::Kind::Float)
        return format.bits == 16 ? 0x10dd : 0x10de;
    const bool is_signed = format.kind == TexelFormat::Kind::Signed;
    if (texture.sampler.normalised_values)
        return (is_signed ? 0x10d0 : 0x10d2) + width;
    return (is_signed ? 0x10d7 : 0x10da) + width;
}

std::uint32_t channel_order(const Texture& texture) {
    const unsigned channels = texture.texels.format.channels;
    return channels == 1 ? 0x10b0 : channels == 2 ? 0x10b2 : 0x10b5; // R, RG, RGBA
}

// wrap, mirror, clamp_ogl, clamp_to_edge, clamp_to_border
std::uint32_t address_mode(Sampler::Outside mode) {
    switch (mode) {
    case Sampler::Outside::Wrap:
        return 0;
    case Sampler::Outside::Mirror:
        return 1;
    case Sampler::Outside::Clamp:
        return 3;
    case Sampler::Outside::Border:
        break;
    }
    return 4;
}

std::uint32_t array_size(const Texture& texture) {
    return texture.layers == Layers::Layered       ? texture.texels.depth
           : texture.layers == Layers::LayeredCube ? texture.texels.depth / 6
                                                   : 0;
}

std::uint32_t answer_of(Query query, const Texture& object, unsigned level) {
    const TexelArray& texels = object.level(level);
    const Sampler& sampler = object.sampler;
    switch (query) {
    case Query::Width:
        return texels.width;
    case Query::Height:
        return texels.height;
    case Query::Depth:
        return object.layers == Layers::None ? texels.depth : 1;
    case Query::ChannelDataType:
        return channel_data_type(object);
    case Query::ChannelOrder:
        return channel_order(object);
    case Query::NormalizedCoords:
        return sampler.normalised_coordinates ? 1 : 0;
    case Query::ArraySize:
        return array_size(object);
    case Query::MipmapLevels:
        return object.mipmapped ? object.levels() : 0;
    case Query::Samples:
        return 0;
    case Query::MemoryLayout:
        return texels.layout == TexelArray::Layout::Tiled ? 0 : 1;
    case Query::ForceUnnormalizedCoords:
        return sampler.forced_texels ? 1 : 0;
    case Query::FilterMode:
        return sampler.linear ? 1 : 0;
    case Query::AddressMode0:
    case Query::AddressMode1:
    case Query::AddressMode2:
        break;
    }
    return address_mode(sampler.outside[static_cast<unsigned>(query) - static_cast<unsigned>(Query::AddressMode0)]);
}

using Direction = std::array<double, 3>;

// How far the coordinates on the face of a cube, as parts of its size, go for a change of the direction.
Direction on_face(const std::array<float, 3>& direction, const Direction& change) {
    const FaceAxes& axes = axes_of(face_of(direction));
    const Direction d{direction[0], direction[1], direction[2]};
    const double m = axes.major.of(d), dm = axes.major.of(change);
    const auto part = [&](const SignedAxis& axis) { return (axis.of(change) * m - axis.of(d) * dm) / (2 * m * m); };
    return {part(axes.s), part(axes.t), 0};
}

} // namespace

template <class F>
void TextureQueries::for_each_thread(const Group& group, const MicroOp& op, Outcome& outcome, F&& f) const {
    outcome.executed = state_.for_each_segment(parts_of(group), op, [&](const Segment& s) {
        for_each_lane(s.mask, [&](unsigned i) {
            const std::uint32_t result = f(Thread{op, group.pc, s, i});
            std::memcpy(s.frame + op.dst[0] + std::size_t{i} * sizeof result, &result, sizeof result);
        });
    });
}

void TextureQueries::query(const Group& group, const MicroOp& op, Outcome& outcome) const {
    for_each_thread(group, op, outcome, [this](const Thread& t) { return answer(t); });
}

std::uint32_t TextureQueries::answer(const Thread& t) const {
    const auto query = static_cast<Query>(t.op.imm);
    const TextureObjects::Use use{t.pc, t.s, t.op.src[0]};
    const Texture* const named = objects_.look_up(use, t.i);
    // Samplers lie in textures or are objects of their own.
    const bool sampler = query == Query::ForceUnnormalizedCoords ||
                         (is_of_sampler(query) && named != nullptr && named->kind == Kind::Sampler);
    const Kind kind = sampler ? Kind::Sampler : t.op.opcode == Opcode::Suq ? Kind::Surface : Kind::Texture;
    const Texture& object = objects_.find(use, t.i, kind, nullptr);
    unsigned level = 0;
    if (t.op.src[1] != ir::kNowhere) {
        const auto wanted = lane_value<std::int32_t>(t.op.src[1], t.s, state_.pool(), t.i);
        level = static_cast<unsigned>(std::clamp(wanted, 0, static_cast<std::int32_t>(object.levels() - 1)));
    }
    return answer_of(query, object, level);
}

void TextureQueries::is_type(const Group& group, const MicroOp& op, Outcome& outcome) const {
    for_each_thread(group, op, outcome, [this](const Thread& t) -> std::uint32_t {
        const Texture* const named = objects_.look_up({t.pc, t.s, t.op.src[0]}, t.i);
        return named != nullptr && named->kind == kind_of(t.op.type) ? 1 : 0;
    });
}

void TextureQueries::level_of_gradients(const Group& group, const MicroOp& op, Outcome& outcome) const {
    for_each_thread(group, op, outcome, [this](const Thread& t) { return std::bit_cast<std::uint32_t>(level_of(t)); });
}

float TextureQueries::level_of(const Thread& t) const {
    const Texture& texture = objects_.find({t.pc, t.s, t.op.src[0]}, t.i, Kind::Texture, nullptr);
    const bool cube = ir::is_cube(t.op.sub);
    const bool parts = texture.sampler.normalised_coordinates || cube; // else gradients count texels
    const unsigned dimensions = ir::geometry_of(t.op.sub).dimensions;
    Direction along_x{}, along_y{};
    std::array<float, 3> direction{};
    for (unsigned d = 0; d < dimensions; ++d) {
        const auto pair =
            lane_value<std::array<float, 2>>(t.op.src[ir::fetch::kGradients + d], t.s, state_.pool(), t.i);
        along_x[d] = pair[0];
        along_y[d] = pair[1];
        if (cube)
            direction[d] = lane_value<float>(t.op.src[1 + d], t.s, state_.pool(), t.i);
    }
    const Direction size{double(texture.texels.width), double(texture.texels.height), double(texture.texels.depth)};
    const auto length = [&](const Direction& gradient) {
        const Direction change = cube ? on_face(direction, gradient) : gradient;
        double sum = 0;
        for (unsigned d = 0; d < dimensions; ++d) {
            const double texels = parts ? change[d] * size[d] : change[d];
            sum += texels * texels;
        }
        return std::sqrt(sum);
    };
    return static_cast<float>(std::log2(std::max(length(along_x), length(along_y))));
}

} // namespace heddle::exec
