#include "exec/texture_access.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "exec/half_bits.h"
#include "exec/lane_access.h"
#include "ir/fetch.h"
#include "ir/geometry.h"

namespace heddle::exec {

using ir::MicroOp;
using ir::Opcode;
using ir::Type;
using warp::Group;
using warp::Outcome;

namespace {

// The weighted sum of texels: computed in f64, rounded once.
Channels blend(const Footprint& from, const Channels* texel) {
    Channels out;
    for (unsigned c = 0; c < out.size(); ++c) {
        double sum = 0;
        for (unsigned t = 0; t < from.count; ++t)
            if (from.texel[t].weight != 0) // 0 times infinity would be a NaN
                sum += from.texel[t].weight * double{std::bit_cast<float>(texel[t][c])};
        out[c] = std::bit_cast<std::uint32_t>(static_cast<float>(sum));
    }
    return out;
}

std::uint32_t half_of(std::uint32_t channel) {
    return f16_of_float(std::bit_cast<float>(channel));
}

} // namespace

template <class T>
T TextureAccess::value(const Thread& t, unsigned source) const {
    return lane_value<T>(t.op.src[source], t.s, state_.pool(), t.i);
}

void TextureAccess::fetch(const Group& group, const MicroOp& op, Outcome& outcome, Access& access) const {
    outcome.kind = Outcome::Kind::Memory;
    access.store = access.atomic = false;
    access.bytes = 0;
    access.global = access.shared = access.local = access.constant = 0;
    access.texels.clear();
    outcome.executed =
        state_.for_each_segment(parts_of(group), op, [&](const Segment& s) { fetch_segment(op, group.pc, s, access); });
}

void TextureAccess::fetch_segment(const MicroOp& op, Pc pc, const Segment& s, Access& access) const {
    const Texture* object = nullptr;
    for_each_lane(s.mask, [&](unsigned i) {
        object = &objects_.find({pc, s, op.src[0]}, i, Texture::Kind::Texture, object);
        fetch_lane({op, pc, s, i}, *object, access);
    });
}

void TextureAccess::fetch_lane(const Thread& t, const Texture& from, Access& access) const {
    const MicroOp& op = t.op;
    if ((ptx::is_half(op.type) || (op.imm & ir::fetch::kDepth) != 0) && !gives_floats(from))
        faults_.fault(Fault::Kind::Other, t.pc, t.s.row, t.s.lane(t.i),
                      fmt::format("the texture gives integers, where {} needs floating-point numbers",
                                  ptx::is_half(op.type) ? "a result of 16 bits" : "a comparison of depths"));
    const bool own = op.src[ir::fetch::kSampler] == ir::kNowhere;
    const Sampler separate = own ? Sampler() : sampler_of(t, from);
    const Sampler& sampler = own ? from.sampler : separate;
    const Footprint found = footprint_of(t, from, sampler);
    std::array<Channels, Footprint::kMost> texel;
    read_texels(t, from, sampler, found, texel.data(), access);
    access.bytes = static_cast<std::uint8_t>(from.texels.format.bytes());
    if (op.opcode == Opcode::Tld4) {
        const auto component = static_cast<unsigned>(op.imm & ir::fetch::kComponent);
        return write_result(t, {texel[0][component], texel[1][component], texel[2][component], texel[3][component]});
    }
    write_result(t, found.count == 1 ? texel[0] : blend(found, texel.data()));
}

Sampler TextureAccess::sampler_of(const Thread& t, const Texture& from) const {
    const Sampler& own = from.sampler;
    Sampler out =
        objects_.find({t.pc, t.s, t.op.src[ir::fetch::kSampler]}, t.i, Texture::Kind::Sampler, nullptr).sampler;
    const bool is_row = from.texels.layout == TexelArray::Layout::Linear; // has neither filter nor modes
    out.linear = out.linear && gives_floats(from) && !is_row;
    out.linear_levels = out.linear_levels && gives_floats(from);
    out.normalised_coordinates = own.normalised_coordinates && !out.forced_texels && !is_row;
    out.seamless = own.seamless;
    return out;
}

void TextureAccess::read_offsets(const Thread& t, Coordinates& where) const {
    const std::uint64_t word = value<std::uint64_t>(t, ir::fetch::kExtra) >> 32;
    for (unsigned d = 0; d < where.dimensions; ++d) {
        const auto offset = static_cast<std::int8_t>(word >> (8 * d));
        if (offset < -8 || offset > 7)
            faults_.fault(Fault::Kind::Other, t.pc, t.s.row, t.s.lane(t.i),
                          "an offset of a texture fetch is not from -8 to 7");
        where.offset[d] = offset;
    }
}

Footprint TextureAccess::footprint_of(const Thread& t, const Texture& from, const Sampler& sampler) const {
    const MicroOp& op = t.op;
    const ir::Geometry shape = ir::geometry_of(op.sub);
    const bool levelled = op.src[ir::fetch::kLevel] != ir::kNowhere;
    unsigned next = 1;
    Coordinates where;
    where.layer = shape.layered ? value<std::uint32_t>(t, next++) : 0;
    where.dimensions = shape.dimensions;
    if ((op.imm & ir::fetch::kOffsets) != 0)
        read_offsets(t, where);
    if (op.from == Type::S32) {
        Place3 place{{}, shape.dimensions, where.layer, 0};
        for (unsigned d = 0; d < shape.dimensions; ++d)
            place.at[d] = std::int64_t{value<std::int32_t>(t, next + d)} + where.offset[d];
        if (levelled)
            place.level = static_cast<std::uint32_t>(std::max(0, value<std::int32_t>(t, ir::fetch::kLevel)));
        return find_texel(from, sampler, place);
    }
    where.cube = ir::is_cube(op.sub);
    for (unsigned d = 0; d < shape.dimensions; ++d)
        where.at[d] = value<float>(t, next + d);
    Levels levels;
    if (levelled && from.mipmapped)
        levels = choose_levels(from, sampler, value<float>(t, ir::fetch::kLevel));
    return find_texels(from, sampler, where, levels, op.opcode == Opcode::Tld4);
}

void TextureAccess::read_texels(const Thread& t, const Texture& from, const Sampler& sampler, const Footprint& found,
                                Channels* out, Access& access) const {
    const bool compares = (t.op.imm & ir::fetch::kDepth) != 0;
    const float depth =
        compares ? std::bit_cast<float>(static_cast<std::uint32_t>(value<std::uint64_t>(t, ir::fetch::kExtra))) : 0;
    bool entered = false;
    for (unsigned n = 0; n < found.count; ++n) {
        const Address address = found.texel[n].address;
        out[n] = address == 0 ? border_of(sampler) : read_texel(from, global_.image.host(address));
        for (unsigned c = 0; compares && c < from.texels.format.channels; ++c)
            out[n][c] = std::bit_cast<std::uint32_t>(depth <= std::bit_cast<float>(out[n][c]) ? 1.0F : 0.0F);
        if (address == 0)
            continue;
        access.texels.push_back(address);
        if (!entered)
            enter(t.s, t.i, address, access);
        entered = true;
    }
}

void TextureAccess::write_result(const Thread& t, const Channels& result) const {
    const MicroOp& op = t.op;
    for (unsigned e = 0; e < op.vector; ++e) {
        if (op.dst[e] == ir::kNowhere)
            continue;
        const std::uint64_t bits = op.type == Type::F16x2 ? half_of(result[2 * e]) | half_of(result[2 * e + 1]) << 16
                                   : op.type == Type::F16 ? half_of(result[e])
                                                          : result[e];
        std::memcpy(t.s.frame + op.dst[e] + std::size_t{t.i} * op.dst_bytes, &bits, op.dst_bytes);
    }
}

} // namespace heddle::exec
