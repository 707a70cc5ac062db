// Changes of tensor maps by a program (tensormap.replace), as stores of their fields (ir/tensor_map.h), and the copy of
// a changed map to global memory (tensormap.cp_fenceproxy). PTX ISA, "tensormap.replace" and "tensormap.cp_fenceproxy".
#include "ir/tensor_map.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>

#include <fmt/format.h>

#include "ir/selection/families.h"
#include "ir/selection/make_op.h"
#include "ir/selection/memory_operands.h"
#include "ir/selection/sequences.h"
#include "ir/selection/word_reader.h"

namespace heddle::ir {

namespace {

// How a value stands in a map.
enum class As : std::uint8_t {
    Itself,
    OneMore,     // a rank
    OneLess,     // a size
    Choice,      // a constant, at most Field::most
    ElementType, // the same, which sets two fields
    Nothing,     // the same, and there is nothing to change
};

struct Field {
    std::string_view name;
    std::int64_t offset;
    Type stored;
    std::uint8_t dimensions; // that have a value each; 0: there is one value
    As as;
    std::uint8_t most;
};

constexpr Field kFields[] = {
    {"global_address", tensor_map::kBegin, Type::U64, 0, As::Itself, 0},
    {"rank", tensor_map::kRank, Type::U8, 0, As::OneMore, 0},
    {"box_dim", tensor_map::kBox, Type::U16, 5, As::Itself, 0},
    {"global_dim", tensor_map::kSize, Type::U32, 5, As::OneLess, 0},
    {"global_stride", tensor_map::kStride, Type::U64, 4, As::Itself, 0},
    {"element_stride", tensor_map::kStep, Type::U8, 5, As::Itself, 0},
    {"elemtype", tensor_map::kType, Type::U8, 0, As::ElementType, 12},
    {"interleave_layout", 0, Type::None, 0, As::Nothing, 0}, // maps with a layout of 16 or 32 bytes cannot be made
    {"swizzle_mode", tensor_map::kSwizzle, Type::U8, 0, As::Choice, 3},
    {"swizzle_atomicity", 0, Type::None, 0, As::Nothing, 0},
    {"fill_mode", tensor_map::kFillsNan, Type::U8, 0, As::Choice, 1},
};

struct ElementType {
    std::uint8_t type; // CUtensorMapDataType
    std::uint8_t bytes;
};
// By the number of elemtype: u8, u16, u32, s32, u64, s64, f16, f32, f32.ftz, f64, bf16, tf32, tf32.ftz.
constexpr std::array<ElementType, 13> kElementTypes{
    {{0, 1}, {1, 2}, {2, 4}, {3, 4}, {4, 8}, {5, 8}, {6, 2}, {7, 4}, {10, 4}, {8, 8}, {9, 2}, {11, 4}, {12, 4}}};

const Field* field_named(std::string_view name) {
    const auto* const found =
        std::find_if(std::begin(kFields), std::end(kFields), [&](const Field& field) { return field.name == name; });
    return found == std::end(kFields) ? nullptr : found;
}

// An integer constant from 0 to `most`.
std::optional<std::uint64_t> constant_up_to(FunctionLowering& f, const Operand& operand, std::uint64_t most,
                                            std::string_view what) {
    const std::optional<std::int64_t> value = f.operands.integer(operand, what);
    if (value && (*value < 0 || static_cast<std::uint64_t>(*value) > most)) {
        f.cursor.error(operand.where,
                       most == 0
                           ? fmt::format("'{}' of {} cannot be executed yet: only 0", f.cursor.text(), *value)
                           : fmt::format("{} of '{}' is from 0 to {}, not {}", what, f.cursor.text(), most, *value));
        return std::nullopt;
    }
    return value;
}

// `map` is a store with an address; the field lies `offset` bytes from there.
void store_field(FunctionLowering& f, MicroOp map, Type type, std::int64_t offset, Place value) {
    map.type = type;
    map.imm += offset;
    map.src[1] = value;
    map.src_bytes = f.places.storage(value);
    f.emitter.emit(map);
}

// The number in the field. What does not fit there is out of range and stays so: it becomes the largest number.
Place number_of(FunctionLowering& f, const Field& field, Place value) {
    if (ptx::size_of(field.stored) == 8)
        return value;
    if (field.as == As::OneLess)
        return emit_op(f, Opcode::Sub, Type::U32, {value, f.places.constant(1)});
    const std::uint32_t most = ptx::size_of(field.stored) == 1 ? 0xff : 0xffff;
    const Place limit = f.places.constant(field.as == As::OneMore ? most - 1 : most);
    const Place limited = emit_op(f, Opcode::Min, Type::U32, {value, limit});
    return field.as == As::OneMore ? emit_op(f, Opcode::Add, Type::U32, {limited, f.places.constant(1)}) : limited;
}

void replace_by_constant(FunctionLowering& f, const Field& field, const MicroOp& map) {
    const std::optional<std::uint64_t> value = constant_up_to(f, f.cursor.operand(1), field.most, field.name);
    if (!value || field.as == As::Nothing)
        return;
    if (field.as == As::Choice)
        return store_field(f, map, field.stored, field.offset, f.places.constant(*value));
    const ElementType type = kElementTypes[*value];
    store_field(f, map, Type::U8, tensor_map::kType, f.places.constant(type.type));
    store_field(f, map, Type::U8, tensor_map::kElementBytes, f.places.constant(type.bytes));
}

void replace_by_value(FunctionLowering& f, const Field& field, const MicroOp& map) {
    std::int64_t offset = field.offset;
    if (field.dimensions != 0) {
        const auto dimension = constant_up_to(f, f.cursor.operand(1), field.dimensions - 1U, "the dimension");
        if (!dimension)
            return;
        offset += static_cast<std::int64_t>(*dimension) * ptx::size_of(field.stored);
    }
    const Type type = ptx::size_of(field.stored) == 8 ? Type::B64 : Type::B32;
    if (const auto value = f.operands.source(f.cursor.operand(field.dimensions != 0 ? 2 : 1), type))
        store_field(f, map, field.stored, offset, number_of(f, field, *value));
}

// tensormap.replace.tile.field{.space}.b1024.type [map], {dimension, }value;
void select_replace(FunctionLowering& f, WordReader words) {
    const bool tile = words.accept("tile");
    const Field* const field = field_named(words.take());
    MicroOp map = make_op(Opcode::St, Type::U8);
    map.space = words.accept("global") ? Space::Global : words.accept("shared::cta") ? Space::Shared : Space::Generic;
    const bool wide = field != nullptr && ptx::size_of(field->stored) == 8;
    if (!tile || field == nullptr || !words.accept("b1024") || !words.accept(wide ? "b64" : "b32") ||
        !words.is_at_end())
        return f.cursor.error(fmt::format(
            "there is tensormap.replace.tile.field{{.global, .shared::cta}}.b1024 with .b64 for the fields "
            "global_address "
            "and global_stride, with .b32 for rank, box_dim, global_dim, element_stride, elemtype, interleave_layout, "
            "swizzle_mode, swizzle_atomicity and fill_mode, not '{}'",
            f.cursor.text()));
    const std::size_t operands = field->dimensions != 0 ? 3 : 2;
    if (!f.cursor.count(operands, operands) || !read_address(f, f.cursor.operand(0), map, map.dst_bytes))
        return;
    const bool needs_constant = field->as >= As::Choice;
    return needs_constant ? replace_by_constant(f, *field, map) : replace_by_value(f, *field, map);
}

// Four bytes times the lane, the part of a map that the lane copies.
Place offset_of_lane(FunctionLowering& f) {
    MicroOp op = make_op(Opcode::MovSpecial, Type::U32);
    op.imm = static_cast<std::int64_t>(SpecialRegister::Laneid);
    op.dst[0] = f.places.temporary(Type::U32);
    f.emitter.emit(op);
    return emit_op(f, Opcode::Shl, Type::B32, {op.dst[0], f.places.constant(2)});
}

// Reads an address to `access`, whose field for the size of addresses is `bytes`, and adds the offset.
bool read_moved_address(FunctionLowering& f, const Operand& operand, MicroOp& access, std::uint8_t& bytes,
                        Place offset) {
    if (!read_address(f, operand, access, bytes))
        return false;
    if (access.src[0] == kNowhere) {
        bytes = 4;
        access.src[0] = offset;
    } else if (bytes == 8) {
        access.src[0] = emit_op(f, Opcode::Add, Type::U64, {access.src[0], emit_widened(f, offset)});
    } else {
        access.src[0] = emit_op(f, Opcode::Add, Type::U32, {access.src[0], offset});
    }
    return true;
}

// tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.scope.sync.aligned [to], [from], 128;
// Each lane of the warp copies its 32nd part.
void select_copy(FunctionLowering& f, WordReader words) {
    const bool named = words.accept("global") && words.accept("shared::cta") && words.accept("tensormap::generic") &&
                       words.accept("release");
    const bool scoped = words.accept("cta") || words.accept("cluster") || words.accept("gpu") || words.accept("sys");
    if (!named || !scoped || !words.accept("sync") || !words.accept("aligned") || !words.is_at_end())
        return f.cursor.error(fmt::format(
            "there is tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.scope.sync.aligned with a "
            "scope of cta, cluster, gpu or sys, not '{}'",
            f.cursor.text()));
    if (!f.cursor.count(3, 3))
        return;
    const std::optional<std::int64_t> bytes = f.operands.integer(f.cursor.operand(2), "a number of bytes");
    if (!bytes)
        return;
    if (*bytes != tensor_map::kBytes)
        return f.cursor.error(f.cursor.operand(2).where, fmt::format("'{}' is for the {} bytes of a tensor map",
                                                                     f.cursor.text(), tensor_map::kBytes));
    const Place offset = offset_of_lane(f);
    MicroOp load = make_op(Opcode::Ld, Type::B32), store = make_op(Opcode::St, Type::B32);
    load.space = Space::Shared;
    store.space = Space::Global;
    if (!read_moved_address(f, f.cursor.operand(1), load, load.src_bytes, offset) ||
        !read_moved_address(f, f.cursor.operand(0), store, store.dst_bytes, offset))
        return;
    load.dst[0] = store.src[1] = f.places.temporary(Type::B32);
    load.dst_bytes = store.src_bytes = 4;
    f.emitter.emit(load);
    f.emitter.emit(store);
    MicroOp fence = make_op(Opcode::Fence);
    fence.flags |= kBlockScope;
    f.emitter.emit(fence);
}

} // namespace

void select_tensor_map(FunctionLowering& f) {
    WordReader words(f.cursor.instruction());
    if (words.accept("replace"))
        return select_replace(f, words);
    if (words.accept("cp_fenceproxy"))
        return select_copy(f, words);
    f.cursor.error(fmt::format("there are tensormap.replace and tensormap.cp_fenceproxy, not '{}'", f.cursor.text()));
}

} // namespace heddle::ir
