#include "exec/texture_access.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "exec/lane_access.h"
#include "ir/geometry.h"

namespace heddle::exec {

using ir::MicroOp;
using ir::Opcode;
using ir::Sub;
using warp::Group;
using warp::Outcome;

namespace {

// Writes one lane of a register, in the whole storage of the lane.
void put(const MicroOp& op, const Segment& s, unsigned element, unsigned i, std::uint64_t value) {
    if (op.dst[element] != ir::kNowhere)
        std::memcpy(s.frame + op.dst[element] + std::size_t{i} * op.dst_bytes, &value, op.dst_bytes);
}

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

std::string_view object_name(const MicroOp& op) {
    return op.opcode == Opcode::Tex || op.opcode == Opcode::Tld4 ? "texture" : "surface";
}

void begin_access(const MicroOp& op, Outcome& outcome, Access& access) {
    outcome.kind = Outcome::Kind::Memory;
    access.store = op.kind == ir::Kind::Surface;
    access.atomic = false;
    access.bytes = static_cast<std::uint8_t>(ptx::size_of(op.type) * op.vector);
    access.global = access.shared = access.local = access.constant = 0;
    access.texels.clear();
}

} // namespace

void TextureAccess::load(const Group& group, const MicroOp& op, Outcome& outcome, Access& access) {
    begin_access(op, outcome, access);
    outcome.executed = state_.for_each_segment(parts_of(group), op, [&](const Segment& s) {
        if (op.opcode == Opcode::Suld)
            load_surface(op, group.pc, s, access);
        else
            fetch_segment(op, group.pc, s, access);
    });
}

void TextureAccess::store(const Group& group, const MicroOp& op, Cycle now, Outcome& outcome, Access& access) {
    global_.now = now;
    begin_access(op, outcome, access);
    outcome.executed =
        state_.for_each_segment(parts_of(group), op, [&](const Segment& s) { store_surface(op, group.pc, s, access); });
}

const Texture& TextureAccess::object_of(const MicroOp& op, Pc pc, const Segment& s, unsigned i,
                                        const Texture* last) const {
    const auto handle = lane_value<std::uint64_t>(op.src[0], s, state_.pool(), i);
    const TextureTable* const textures = state_.launch().textures;
    const Texture* const found = textures == nullptr ? nullptr : textures->find(handle);
    if (found != nullptr && found == last)
        return *found;
    const std::string_view name = object_name(op);
    const bool is_surface = name == "surface";
    if (found == nullptr)
        faults_.fault(Fault::Kind::Address, pc, s.row, s.lane(i),
                      fmt::format("{:#x} is {} {} object", handle,
                                  textures != nullptr && textures->is_destroyed(handle) ? "a destroyed" : "no", name));
    if (found->is_surface != is_surface)
        faults_.fault(Fault::Kind::Address, pc, s.row, s.lane(i),
                      fmt::format("{:#x} is a {} object, where a {} object is needed", handle,
                                  found->is_surface ? "surface" : "texture", name));
    if (global_.image.find(found->texels.begin, found->texels.bytes()) == nullptr)
        faults_.fault(Fault::Kind::Address, pc, s.row, s.lane(i),
                      fmt::format("the memory of {} object {:#x} has been freed", name, handle));
    return *found;
}

Footprint TextureAccess::footprint_of(const MicroOp& op, const Segment& s, unsigned i, const Texture& from) const {
    const ir::Geometry shape = ir::geometry_of(op.sub);
    unsigned next = 1;
    const std::uint32_t layer = shape.layered ? lane_value<std::uint32_t>(op.src[next++], s, state_.pool(), i) : 0;
    if (op.from == ir::Type::S32) {
        std::array<std::int32_t, 3> at{};
        for (unsigned d = 0; d < shape.dimensions; ++d)
            at[d] = lane_value<std::int32_t>(op.src[next + d], s, state_.pool(), i);
        return find_texel(from, at, shape.dimensions, layer);
    }
    Coordinates where;
    where.layer = layer;
    where.dimensions = shape.dimensions;
    where.cube = op.sub == Sub::GeometryCube || op.sub == Sub::GeometryACube;
    for (unsigned d = 0; d < shape.dimensions; ++d)
        where.at[d] = lane_value<float>(op.src[next + d], s, state_.pool(), i);
    return find_texels(from, where, op.opcode == Opcode::Tld4);
}

void TextureAccess::fetch_segment(const MicroOp& op, Pc pc, const Segment& s, Access& access) {
    const Texture* object = nullptr;
    for_each_lane(s.mask, [&](unsigned i) {
        object = &object_of(op, pc, s, i, object);
        const Footprint found = footprint_of(op, s, i, *object);
        std::array<Channels, Footprint::kMost> texel;
        bool entered = false;
        for (unsigned t = 0; t < found.count; ++t) {
            const Address address = found.texel[t].address;
            texel[t] = address == 0 ? border_of(*object) : read_texel(*object, global_.image.host(address));
            if (address == 0)
                continue;
            access.texels.push_back(address);
            if (!entered)
                enter(s, i, address, access);
            entered = true;
        }
        access.bytes = static_cast<std::uint8_t>(object->texels.format.bytes());
        const bool gathers = op.opcode == Opcode::Tld4;
        const Channels result = found.count == 1 || gathers ? texel[0] : blend(found, texel.data());
        for (unsigned e = 0; e < op.vector; ++e)
            put(op, s, e, i, gathers ? texel[e][static_cast<unsigned>(op.imm)] : result[e]);
    });
}

Address TextureAccess::surface_address(const MicroOp& op, Pc pc, const Segment& s, unsigned i,
                                       const Texture& surface) const {
    const ir::Geometry shape = ir::geometry_of(op.sub);
    const TexelArray& texels = surface.texels;
    unsigned next = 1;
    const std::uint32_t layer = shape.layered ? lane_value<std::uint32_t>(op.src[next++], s, state_.pool(), i) : 0;
    std::array<std::int64_t, 4> at{0, 0, 0, layer}; // x counts bytes
    for (unsigned d = 0; d < shape.dimensions; ++d)
        at[d] = lane_value<std::int32_t>(op.src[next + d], s, state_.pool(), i);
    if (shape.layered)
        at[2] = at[3];
    const auto bytes = std::int64_t{ptx::size_of(op.type)} * op.vector;
    const std::array<std::int64_t, 3> most{std::int64_t{texels.width} * texels.format.bytes() - bytes,
                                           std::int64_t{texels.height} - 1, std::int64_t{texels.depth} - 1};
    if (at[0] % bytes != 0)
        faults_.fault(
            Fault::Kind::Misaligned, pc, s.row, s.lane(i),
            fmt::format("misaligned surface access of {} bytes at byte {} of a row: it must be a multiple of {}", bytes,
                        at[0], bytes));
    for (unsigned d = 0; d < 3; ++d) {
        if (at[d] >= 0 && at[d] <= most[d])
            continue;
        if (most[d] < 0 || op.imm == static_cast<std::int64_t>(ir::Outside::Trap))
            faults_.fault(
                Fault::Kind::Address, pc, s.row, s.lane(i),
                fmt::format("out-of-bounds access of {} bytes at byte {}, row {}, layer {} of a surface of {} bytes, "
                            "{} rows, {} layers",
                            bytes, at[0], at[1], at[2], most[0] + bytes, texels.height, texels.depth));
        if (op.imm == static_cast<std::int64_t>(ir::Outside::Zero))
            return 0;
        at[d] = std::clamp<std::int64_t>(at[d], 0, most[d] - (d == 0 ? most[d] % bytes : 0));
    }
    return texels.address_of(static_cast<std::uint64_t>(at[0]), static_cast<std::uint32_t>(at[1]),
                             static_cast<std::uint32_t>(at[2]));
}

TextureAccess::SurfacePlaces TextureAccess::surface_places(const MicroOp& op, Pc pc, const Segment& s) const {
    SurfacePlaces out;
    const Texture* object = nullptr;
    for_each_lane(s.mask, [&](unsigned i) {
        object = &object_of(op, pc, s, i, object);
        out.address[i] = surface_address(op, pc, s, i, *object);
        out.inside |= out.address[i] != 0 ? 1U << i : 0;
    });
    return out;
}

void TextureAccess::load_surface(const MicroOp& op, Pc pc, const Segment& s, Access& access) {
    const unsigned element = ptx::size_of(op.type);
    const SurfacePlaces places = surface_places(op, pc, s);
    alignas(64) std::array<std::byte, kVectorLanes * GlobalRow::kMaxBytes> data{};
    for_each_lane(places.inside, [&](unsigned i) {
        std::memcpy(&data[std::size_t{i} * access.bytes], global_.image.host(places.address[i]), access.bytes);
        access.texels.push_back(places.address[i]);
        enter(s, i, places.address[i], access);
    });
    const GlobalRow row{places.address.data(), places.inside, access.bytes};
    if (const std::uint32_t stored = global_.windowed && places.inside != 0 ? global_.log.perhaps_stored(row) : 0;
        stored != 0)
        global_.log.read(row, stored, data.data());
    for_each_lane(s.mask, [&](unsigned i) {
        for (unsigned e = 0; e < op.vector; ++e) {
            std::uint64_t value = 0;
            std::memcpy(&value, &data[std::size_t{i} * access.bytes + std::size_t{e} * element], element);
            put(op, s, e, i, value);
        }
    });
}

void TextureAccess::store_surface(const MicroOp& op, Pc pc, const Segment& s, Access& access) {
    const unsigned element = ptx::size_of(op.type);
    const SurfacePlaces places = surface_places(op, pc, s);
    if (places.inside == 0)
        return;
    const GlobalRow row{places.address.data(), places.inside, access.bytes};
    std::byte* const logged = global_.windowed ? global_.log.store(global_.now, row) : nullptr;
    for_each_lane(places.inside, [&](unsigned i) {
        std::byte* const to =
            global_.windowed ? logged + std::size_t{i} * access.bytes : global_.image.host(places.address[i]);
        for (unsigned e = 0; e < op.vector; ++e)
            std::memcpy(to + std::size_t{e} * element,
                        source(op.src[4 + e], s.frame, state_.pool()) + std::size_t{i} * op.src_bytes, element);
        access.global |= std::uint64_t{1} << access.count;
        enter(s, i, places.address[i], access);
    });
}

} // namespace heddle::exec
