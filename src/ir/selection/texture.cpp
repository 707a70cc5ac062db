// Texture fetches, and loads and stores of surfaces.
#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "ir/geometry.h"
#include "ir/selection/families.h"
#include "ir/selection/make_op.h"
#include "ir/selection/memory_operands.h"
#include "ir/selection/opaque_operands.h"
#include "ir/selection/sequences.h"
#include "ir/selection/wide_registers.h"

namespace heddle::ir {

namespace {

// Checks a fetch apart from its operands. False: an error is reported.
bool check_fetch(FunctionLowering& f, const MicroOp& op, const Modifiers& modifiers) {
    const bool pairs = op.type == Type::F16x2;
    const auto fail = [&f](std::string_view what) {
        f.cursor.error(fmt::format("'{}' {}", f.cursor.text(), what));
        return false;
    };
    if (op.vector != (pairs ? 2 : 4))
        return fail(pairs ? "gives two pairs of numbers: write .v2" : "gives four elements: write .v4");
    if (modifiers.has(kWithBase) + modifiers.has(kWithLod) + modifiers.has(kWithGradient) > 1)
        return fail("takes only one of .base, .level and .grad");
    if (is_cube(op.sub) && op.from != Type::F32)
        return fail("needs coordinates of .f32: the geometry is a cube");
    if (op.opcode == Opcode::Tld4 && op.sub != Sub::Geometry2d && op.sub != Sub::GeometryA2d && !is_cube(op.sub))
        return fail("needs .2d, .a2d, .cube or .acube");
    return true;
}

// Reads [texture, {x, y}] or [texture, sampler, {x, y}].
bool read_texture(FunctionLowering& f, const Operand& operand, MicroOp& op) {
    const std::size_t inner = operand.elements.size();
    if (operand.kind != Operand::Kind::Address || operand.name.empty() || inner == 0 || inner > 2) {
        f.cursor.error(
            operand.where,
            fmt::format("'{}' needs an object and its coordinates here, like [%rd1, {{%f1, %f2}}]", f.cursor.text()));
        return false;
    }
    const std::optional<Place> handle = read_handle(f, operand, {Type::Texref});
    op.src[0] = handle.value_or(kNowhere);
    if (inner == 2) {
        const Operand& sampler = operand.elements[0];
        if (sampler.kind != Operand::Kind::Name) {
            f.cursor.error(sampler.where, fmt::format("'{}' needs a sampler here", f.cursor.text()));
            return false;
        }
        const std::optional<Place> place = read_handle(f, sampler, {Type::Samplerref});
        if (!place)
            return false;
        op.src[fetch::kSampler] = *place;
    }
    return read_coordinates(f, operand.elements[inner - 1], op, op.from) && handle;
}

// Two registers of 32 bits in one of 64.
Place emit_pair(FunctionLowering& f, Place low, Place high) {
    MicroOp pack = make_op(Opcode::Pack, Type::B64);
    pack.from = Type::B32;
    pack.vector = 2;
    pack.dst_bytes = 8;
    pack.src[0] = low;
    pack.src[1] = high;
    pack.dst[0] = f.places.temporary(Type::B64);
    f.emitter.emit(pack);
    return pack.dst[0];
}

// Reads the gradients in operands `first` and the next one, and computes the level of detail for op.
bool read_gradients(FunctionLowering& f, std::size_t first, MicroOp& op) {
    const Geometry geometry = geometry_of(op.sub);
    const unsigned wanted = std::bit_ceil(geometry.dimensions);
    MicroOp level = make_op(Opcode::TexLevel, Type::F32);
    level.sub = op.sub;
    level.src[0] = op.src[0];
    std::array<std::vector<Operand>, 2> list;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const Operand& operand = f.cursor.operand(first + i);
        if (!is_vector(f.cursor, operand)) {
            f.cursor.error(operand.where,
                           fmt::format("'{}' needs a vector of gradients here, like {{%f1, %f2}}", f.cursor.text()));
            return false;
        }
        list[i] = elements(f.cursor, operand, wanted);
        if (list[i].empty())
            return false;
    }
    for (unsigned d = 0; d < wanted; ++d) {
        const std::optional<Place> x = f.operands.source(list[0][d], Type::F32);
        const std::optional<Place> y = f.operands.source(list[1][d], Type::F32);
        if (!x || !y)
            return false;
        if (d < geometry.dimensions)
            level.src[fetch::kGradients + d] = emit_pair(f, *x, *y);
    }
    for (unsigned d = 0; is_cube(op.sub) && d < geometry.dimensions; ++d)
        level.src[1 + d] = op.src[1 + d + (geometry.layered ? 1 : 0)];
    level.dst[0] = f.places.temporary(Type::F32);
    f.emitter.emit(level);
    op.src[fetch::kLevel] = level.dst[0];
    if (op.from != Type::S32)
        return true;
    const Place half = emit_op(f, Opcode::Add, Type::F32, {level.dst[0], f.places.constant(0x3f000000)});
    MicroOp nearest = make_op(Opcode::Cvt, Type::S32);
    nearest.from = Type::F32;
    nearest.domain = Domain::F32;
    nearest.rounding = Rounding::Rmi;
    nearest.src[0] = half;
    nearest.dst[0] = op.src[fetch::kLevel] = f.places.temporary(Type::S32);
    f.emitter.emit(nearest);
    return true;
}

// One byte for each offset, which cvt.pack limits to the range of bytes.
std::optional<Place> read_offsets(FunctionLowering& f, const Operand& operand, unsigned dimensions) {
    const std::vector<Operand> list = elements(f.cursor, operand, std::bit_ceil(dimensions));
    std::array<Place, 4> offset;
    offset.fill(f.places.constant(0));
    for (std::size_t d = 0; d < list.size(); ++d) {
        const std::optional<Place> s = f.operands.source(list[d], Type::S32);
        if (!s)
            return std::nullopt;
        if (d < dimensions)
            offset[d] = *s;
    }
    if (list.empty())
        return std::nullopt;
    const auto pack = [&f](Place high, Place low, Place above) {
        MicroOp op = make_op(Opcode::CvtPack, Type::B32);
        op.imm = -8;
        op.src[0] = high;
        op.src[1] = low;
        op.src[2] = above;
        op.dst[0] = f.places.temporary(Type::B32);
        f.emitter.emit(op);
        return op.dst[0];
    };
    const Place zero = f.places.constant(0);
    return pack(offset[1], offset[0], dimensions == 3 ? pack(zero, offset[2], zero) : zero);
}

// Reads what may stand at the end of a fetch: offsets, a depth for comparison.
bool read_extras(FunctionLowering& f, std::size_t next, MicroOp& op) {
    const std::vector<Operand>& all = f.cursor.operands();
    const unsigned dimensions = geometry_of(op.sub).dimensions;
    Place offsets = f.places.constant(0), depth = offsets;
    if (next < all.size() && is_vector(f.cursor, all[next])) {
        if (is_cube(op.sub)) {
            f.cursor.error(all[next].where,
                           fmt::format("'{}' takes no offsets: the geometry is a cube", f.cursor.text()));
            return false;
        }
        const std::optional<Place> word = read_offsets(f, all[next++], dimensions);
        if (!word)
            return false;
        offsets = *word;
        op.imm |= fetch::kOffsets;
    }
    if (next < all.size()) {
        if (op.sub == Sub::Geometry3d || op.from != Type::F32) {
            f.cursor.error(all[next].where, fmt::format("'{}' takes no depth: it needs coordinates of .f32, not in .3d",
                                                        f.cursor.text()));
            return false;
        }
        const std::optional<Place> value = f.operands.source(all[next++], Type::F32);
        if (!value)
            return false;
        depth = *value;
        op.imm |= fetch::kDepth;
    }
    if ((op.imm & (fetch::kOffsets | fetch::kDepth)) != 0)
        op.src[fetch::kExtra] = emit_pair(f, depth, offsets);
    return f.cursor.count(next, next);
}

// tex[.base|.level|.grad].geometry.v4.type.ctype d[|p], [a{, s}, c][, lod][, ddx, ddy][, offsets][, depth];
// tld4.component.geometry.v4.type.f32 d[|p], [a{, s}, c][, offsets][, depth];
void select_fetch(FunctionLowering& f, MicroOp op, const Modifiers& modifiers) {
    if (!check_fetch(f, op, modifiers))
        return;
    const std::size_t object = f.cursor.instruction().paired ? 2 : 1;
    const std::size_t levels = modifiers.has(kWithLod) ? 1U : modifiers.has(kWithGradient) ? 2U : 0U;
    const std::size_t least = object + 1 + levels;
    if (!f.cursor.count(least, least + 2) || !read_elements_to(f, f.cursor.operand(0), op))
        return;
    const std::optional<Place> resident =
        object == 2 ? f.operands.predicate_destination(f.cursor.operand(1), false) : kNowhere;
    if (!resident || !read_texture(f, f.cursor.operand(object), op))
        return;
    op.imm = modifiers.component;
    if (modifiers.has(kWithLod)) {
        const std::optional<Place> level = f.operands.source(f.cursor.operand(object + 1), op.from);
        if (!level)
            return;
        op.src[fetch::kLevel] = *level;
    }
    if ((modifiers.has(kWithGradient) && !read_gradients(f, object + 1, op)) || !read_extras(f, least, op))
        return;
    f.emitter.emit(op);
    fill_upper_halves(f, f.cursor.operand(0), op.type);
    if (*resident == kNowhere)
        return;
    MicroOp always = make_op(Opcode::Mov, Type::Pred); // all textures are in memory
    always.dst[0] = *resident;
    always.src[0] = f.places.constant(0xffff'ffffU);
    f.emitter.emit(always);
}

// Checks a surface access apart from its operands.
bool check_surface(FunctionLowering& f, const MicroOp& op, const Modifiers& modifiers) {
    const bool loads = op.opcode == Opcode::Suld;
    std::string_view wrong;
    if (!modifiers.has(kWithUnit) || (loads && op.has(kFormatted)))
        wrong = loads ? "write .b" : "write .b or .p";
    else if (op.has(kFormatted) && op.type != Type::B32)
        wrong = "formatted stores have the type .b32";
    else if (op.vector * ptx::size_of(op.type) > 16)
        wrong = "an element has at most 16 bytes";
    if (!wrong.empty())
        f.cursor.error(fmt::format("'{}': {}", f.cursor.text(), wrong));
    return wrong.empty();
}

// suld.b.geometry[.cop][.vec].type.outside d, [a, c];
void select_surface_load(FunctionLowering& f, MicroOp op, const Modifiers& modifiers) {
    if (!check_surface(f, op, modifiers) || !f.cursor.count(2, 2) || !read_elements_to(f, f.cursor.operand(0), op) ||
        !read_surface(f, f.cursor.operand(1), op))
        return;
    op.imm = static_cast<std::int64_t>(modifiers.outside);
    f.emitter.emit(op);
    fill_upper_halves(f, f.cursor.operand(0), op.type);
}

// sust.b.geometry[.cop][.vec].type.outside [a, c], b;   sust.p.geometry[.cop][.vec].b32.outside [a, c], b;
void select_surface_store(FunctionLowering& f, MicroOp op, const Modifiers& modifiers) {
    if (!check_surface(f, op, modifiers) || !f.cursor.count(2, 2) || !read_surface(f, f.cursor.operand(0), op) ||
        !read_elements_from(f, f.cursor.operand(1), op, 4))
        return;
    op.imm = static_cast<std::int64_t>(modifiers.outside);
    f.emitter.emit(op);
}

} // namespace

void select_texture(FunctionLowering& f, MicroOp op, const Modifiers& modifiers) {
    switch (op.opcode) {
    case Opcode::Suld:
        return select_surface_load(f, op, modifiers);
    case Opcode::Sust:
        return select_surface_store(f, op, modifiers);
    default: // tex, tld4
        return select_fetch(f, op, modifiers);
    }
}

} // namespace heddle::ir
