#include "exec/surface_access.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "exec/half_bits.h"
#include "exec/lane_access.h"
#include "ir/fetch.h"
#include "ir/geometry.h"

namespace heddle::exec {

using ir::MicroOp;
using ir::Outside;
using warp::Group;
using warp::Outcome;

namespace {

void begin_access(const MicroOp& op, Outcome& outcome, Access& access) {
    outcome.kind = Outcome::Kind::Memory;
    access.store = op.kind == ir::Kind::Surface;
    access.atomic = false;
    access.bytes = static_cast<std::uint8_t>(ptx::size_of(op.type) * op.vector);
    access.global = access.shared = access.local = access.constant = access.other_block = 0;
    access.texels.clear();
}

// Bytes of an element that a micro-op accesses in a surface.
std::uint8_t element_bytes(const MicroOp& op, const Texture& surface) {
    return static_cast<std::uint8_t>(op.has(ir::kFormatted) ? surface.texels.format.bytes()
                                                            : ptx::size_of(op.type) * op.vector);
}

// 32 bits as a channel of the format: f32 for formats of floating point, else an integer, which is clamped to the
// channel's range.
std::uint32_t in_format(const TexelFormat& format, std::uint32_t bits) {
    if (format.bits == 32)
        return bits;
    if (format.kind == TexelFormat::Kind::Float)
        return f16_of_float(std::bit_cast<float>(bits));
    if (format.kind == TexelFormat::Kind::Unsigned)
        return std::min(bits, (1U << format.bits) - 1);
    const std::int32_t most = (1 << (format.bits - 1)) - 1;
    return static_cast<std::uint32_t>(std::clamp(static_cast<std::int32_t>(bits), -most - 1, most));
}

} // namespace

void SurfaceAccess::fault(const Thread& t, Fault::Kind kind, const std::string& what) const {
    faults_.fault(kind, t.pc, t.s.row, t.s.lane(t.i), what);
}

void SurfaceAccess::load(const Group& group, const MicroOp& op, Outcome& outcome, Access& access) {
    begin_access(op, outcome, access);
    outcome.executed =
        state_.for_each_segment(parts_of(group), op, [&](const Segment& s) { load_segment(op, group.pc, s, access); });
}

void SurfaceAccess::store(const Group& group, const MicroOp& op, Cycle now, Outcome& outcome, Access& access) {
    global_.now = now;
    begin_access(op, outcome, access);
    outcome.executed =
        state_.for_each_segment(parts_of(group), op, [&](const Segment& s) { store_segment(op, group.pc, s, access); });
}

void SurfaceAccess::addresses(const Group& group, const MicroOp& op, Outcome& outcome) const {
    outcome.executed = state_.for_each_segment(parts_of(group), op, [&](const Segment& s) {
        const Texture* object = nullptr;
        for_each_lane(s.mask, [&](unsigned i) {
            object = &objects_.find({group.pc, s, op.src[0]}, i, Texture::Kind::Surface, object);
            const Address address = reduced_address({op, group.pc, s, i}, *object);
            std::memcpy(s.frame + op.dst[0] + std::size_t{i} * sizeof address, &address, sizeof address);
        });
    });
}

Address SurfaceAccess::reduced_address(const Thread& t, const Texture& surface) const {
    const TexelFormat& format = surface.texels.format;
    if (t.op.has(ir::kFormatted)) {
        const unsigned bytes = ptx::size_of(t.op.type);
        if (format.kind == TexelFormat::Kind::Float || format.bytes() != bytes)
            fault(t, Fault::Kind::Other,
                  fmt::format("a reduction of {} bits in a surface of {} bits of {}: it must be one of integers of as "
                              "many bits",
                              8 * bytes, 8 * format.bytes(),
                              format.kind == TexelFormat::Kind::Float ? "floating point" : "integers"));
        const bool is_signed = format.kind == TexelFormat::Kind::Signed;
        if ((t.op.imm & (is_signed ? ir::fetch::kOfUnsigned : ir::fetch::kOfSigned)) != 0)
            return 0;
    }
    return element_address(t, surface, static_cast<Outside>(t.op.imm & ir::fetch::kOutside));
}

Address SurfaceAccess::element_address(const Thread& t, const Texture& surface, Outside outside) const {
    const MicroOp& op = t.op;
    const ir::Geometry shape = ir::geometry_of(op.sub);
    const TexelArray& texels = surface.texels;
    unsigned next = 1;
    const std::uint32_t layer = shape.layered ? lane_value<std::uint32_t>(op.src[next++], t.s, state_.pool(), t.i) : 0;
    std::array<std::int64_t, 4> at{0, 0, 0, layer}; // x counts bytes
    for (unsigned d = 0; d < shape.dimensions; ++d)
        at[d] = lane_value<std::int32_t>(op.src[next + d], t.s, state_.pool(), t.i);
    if (shape.layered)
        at[2] = at[3];
    const std::int64_t bytes = element_bytes(op, surface);
    if (op.has(ir::kFormatted))
        at[0] *= bytes;
    const std::array<std::int64_t, 3> most{std::int64_t{texels.width} * texels.format.bytes() - bytes,
                                           std::int64_t{texels.height} - 1, std::int64_t{texels.depth} - 1};
    if (at[0] % bytes != 0)
        fault(t, Fault::Kind::Misaligned,
              fmt::format("misaligned surface access of {} bytes at byte {} of a row: it must be a multiple of {}",
                          bytes, at[0], bytes));
    for (unsigned d = 0; d < 3; ++d) {
        if (at[d] >= 0 && at[d] <= most[d])
            continue;
        if (most[d] < 0 || outside == Outside::Trap)
            fault(t, Fault::Kind::Address,
                  fmt::format("out-of-bounds access of {} bytes at byte {}, row {}, layer {} of a surface of {} bytes, "
                              "{} rows, {} layers",
                              bytes, at[0], at[1], at[2], most[0] + bytes, texels.height, texels.depth));
        if (outside == Outside::Zero)
            return 0;
        at[d] = std::clamp<std::int64_t>(at[d], 0, most[d] - (d == 0 ? most[d] % bytes : 0));
    }
    return texels.address_of(static_cast<std::uint64_t>(at[0]), static_cast<std::uint32_t>(at[1]),
                             static_cast<std::uint32_t>(at[2]));
}

SurfaceAccess::Places SurfaceAccess::places_of(const MicroOp& op, Pc pc, const Segment& s) const {
    Places out;
    const Texture* object = nullptr;
    for_each_lane(s.mask, [&](unsigned i) {
        object = &objects_.find({pc, s, op.src[0]}, i, Texture::Kind::Surface, object);
        out.surface[i] = object;
        out.address[i] = element_address({op, pc, s, i}, *object, static_cast<Outside>(op.imm));
        out.inside |= out.address[i] != 0 ? 1U << i : 0;
    });
    return out;
}

void SurfaceAccess::load_segment(const MicroOp& op, Pc pc, const Segment& s, Access& access) {
    const unsigned element = ptx::size_of(op.type);
    const Places places = places_of(op, pc, s);
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
            if (op.dst[e] == ir::kNowhere)
                continue;
            std::uint64_t value = 0;
            std::memcpy(&value, &data[std::size_t{i} * access.bytes + std::size_t{e} * element], element);
            std::memcpy(s.frame + op.dst[e] + std::size_t{i} * op.dst_bytes, &value, op.dst_bytes);
        }
    });
}

void SurfaceAccess::store_segment(const MicroOp& op, Pc pc, const Segment& s, Access& access) {
    const Places places = places_of(op, pc, s);
    for (std::uint32_t rest = places.inside; rest != 0;) { // surfaces of formatted stores may differ in their elements
        const std::uint8_t bytes = element_bytes(op, *places.surface[static_cast<unsigned>(std::countr_zero(rest))]);
        std::uint32_t lanes = 0;
        for_each_lane(rest, [&](unsigned i) { lanes |= element_bytes(op, *places.surface[i]) == bytes ? 1U << i : 0; });
        store_lanes(op, s, places, lanes, bytes, access);
        rest &= ~lanes;
    }
}

void SurfaceAccess::store_lanes(const MicroOp& op, const Segment& s, const Places& places, std::uint32_t lanes,
                                std::uint8_t bytes, Access& access) {
    access.bytes = bytes;
    const GlobalRow row{places.address.data(), lanes, bytes};
    std::byte* const logged = global_.windowed ? global_.log.store(global_.now, row) : nullptr;
    for_each_lane(lanes, [&](unsigned i) {
        std::byte* const to =
            global_.windowed ? logged + std::size_t{i} * bytes : global_.image.host(places.address[i]);
        write_elements(op, s, i, *places.surface[i], to);
        access.global |= std::uint64_t{1} << access.count;
        enter(s, i, places.address[i], access);
    });
}

void SurfaceAccess::write_elements(const MicroOp& op, const Segment& s, unsigned i, const Texture& surface,
                                   std::byte* to) const {
    const auto from = [&](unsigned e) {
        return source(op.src[4 + e], s.frame, state_.pool()) + std::size_t{i} * op.src_bytes;
    };
    if (!op.has(ir::kFormatted)) {
        const unsigned element = ptx::size_of(op.type);
        for (unsigned e = 0; e < op.vector; ++e)
            std::memcpy(to + std::size_t{e} * element, from(e), element);
        return;
    }
    const TexelFormat& format = surface.texels.format;
    for (unsigned c = 0; c < format.channels; ++c) { // channels that the operand lacks become 0
        std::uint32_t bits = 0;
        if (c < op.vector)
            std::memcpy(&bits, from(c), sizeof bits);
        bits = in_format(format, bits);
        std::memcpy(to + std::size_t{c} * (format.bits / 8U), &bits, format.bits / 8U);
    }
}

} // namespace heddle::exec
