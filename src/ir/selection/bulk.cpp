// Bulk copies (cp.async.bulk, cp.async.bulk.tensor, cp.reduce.async.bulk and their prefetches) to micro-ops that copy
// at once (ir/bulk.h). So a wait for a bulk group has no effect. A load completes the bytes at its barrier object by
// micro-ops that take effect when its data are there; the thread does not wait for that.
#include "ir/bulk.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "ir/selection/families.h"
#include "ir/selection/make_op.h"
#include "ir/selection/memory_operands.h"
#include "ir/selection/reductions.h"
#include "ir/selection/sequences.h"
#include "ir/selection/word_reader.h"

namespace heddle::ir {

namespace {

struct BulkForm {
    bool reduces = false, prefetches = false, loads = false, from_shared = false;
    bool multicast = false, hint = false, im2col = false, rows = false;
    unsigned rank = 0;
    Sub how = Sub::None;
    Type type = Type::None; // of a reduction of bytes
};

constexpr std::string_view kCompletes = "mbarrier::complete_tx::bytes";

bool read_rank(WordReader& words, BulkForm& form) {
    const std::string_view word = words.take();
    if (word.size() != 2 || word[1] != 'd' || word[0] < '1' || word[0] > '5')
        return false;
    form.rank = static_cast<unsigned>(word[0] - '0');
    return true;
}

// The end of the modifiers of a reduction of bytes: an operation and a type. The 16-bit formats have add.noftz.
bool read_typed_operation(WordReader& words, BulkForm& form) {
    form.how = reduction_named(words.take());
    const bool noftz = words.accept("noftz");
    form.type = ptx::type_named(words.take());
    const bool half = form.type == Type::F16 || form.type == Type::BF16;
    return noftz == (half && form.how == Sub::AtomAdd) &&
           (form.loads ? shared_reduction_exists(form.how, form.type) : global_reduction_exists(form.how, form.type));
}

// `im2col`, `rows`: the names of these modes for the direction of the copy.
bool read_mode(WordReader& words, BulkForm& form, std::string_view im2col, std::string_view rows) {
    form.im2col = words.accept(im2col);
    form.rows = !form.im2col && words.accept(rows);
    return form.im2col ? form.rank >= 3 : form.rows ? form.rank == 2 : words.accept("tile") || true;
}

// Where the ISA puts a modifier of a bulk copy: modifiers with lower numbers stand before those with higher ones.
unsigned place_of(std::string_view word, bool tensor) {
    if (word.size() == 2 && word[1] == 'd')
        return 0;
    if (word == "L2")
        return 1;
    if (word == "shared::cluster" || word == "shared::cta" || word == "global")
        return 2;
    if (reduction_named(word) != Sub::None)
        return tensor ? 3 : 8;
    if (word.starts_with("tile") || word.starts_with("im2col"))
        return 4;
    if (word == kCompletes || word == "bulk_group")
        return 5;
    if (word == "multicast::cluster")
        return 6;
    if (word == "L2::cache_hint")
        return 7;
    return word == "noftz" ? 9 : 10;
}

// The modifiers in the order of the ISA. ptxas takes those behind the name (cp.async.bulk, cp.reduce.async.bulk.tensor
// and the like) in any order, of which only that of the two spaces means something.
std::vector<std::string_view> ordered(std::vector<std::string_view> words) {
    constexpr std::string_view kName[] = {"reduce", "async", "bulk", "prefetch", "tensor"};
    const auto is_name = [&](std::string_view word) {
        return std::find(std::begin(kName), std::end(kName), word) != std::end(kName);
    };
    const auto begin = std::find_if_not(words.begin(), words.end(), is_name);
    const bool tensor = begin != words.begin() && *std::prev(begin) == "tensor";
    std::stable_sort(begin, words.end(),
                     [&](std::string_view a, std::string_view b) { return place_of(a, tensor) < place_of(b, tensor); });
    return words;
}

// Behind async.bulk.
bool read_form(WordReader& words, BulkForm& form) {
    form.prefetches = !form.reduces && words.accept("prefetch");
    if (words.accept("tensor") && !read_rank(words, form))
        return false;
    const bool tensor = form.rank != 0;
    if (form.prefetches) {
        if (!words.accept("L2") || !words.accept("global") ||
            (tensor && !read_mode(words, form, "im2col", "tile::gather4")))
            return false;
        form.hint = words.accept("L2::cache_hint");
        return true;
    }
    const bool of_cluster = words.accept("shared::cluster");
    if (of_cluster || words.accept("shared::cta")) {
        form.loads = true;
        form.from_shared = of_cluster && !tensor && words.accept("shared::cta");
        if (form.reduces ? !form.from_shared : !form.from_shared && !words.accept("global"))
            return false;
        if ((tensor && !read_mode(words, form, "im2col", "tile::gather4")) || !words.accept(kCompletes))
            return false;
        form.multicast = !form.from_shared && words.accept("multicast::cluster");
        form.hint = !form.from_shared && words.accept("L2::cache_hint");
        return !form.reduces || read_typed_operation(words, form);
    }
    if (!words.accept("global") || !words.accept("shared::cta") ||
        (tensor && form.reduces && (form.how = reduction_named(words.take())) == Sub::None) ||
        (tensor && !read_mode(words, form, "im2col_no_offs", "tile::scatter4")) || !words.accept("bulk_group"))
        return false;
    form.hint = words.accept("L2::cache_hint");
    return tensor || !form.reduces || read_typed_operation(words, form);
}

// The address in an operand, in 64 bits.
std::optional<Place> address_of(FunctionLowering& f, Operand operand, Space space) {
    MicroOp access = make_op(Opcode::Ld);
    access.space = space;
    operand.elements.clear();
    std::uint8_t bytes = 8;
    if (!read_address(f, operand, access, bytes))
        return std::nullopt;
    if (access.src[0] == kNowhere)
        return f.places.constant(static_cast<std::uint64_t>(access.imm), true);
    Place at = access.src[0];
    const auto displacement = static_cast<std::uint64_t>(access.imm);
    if (displacement != 0)
        at = emit_op(f, Opcode::Add, bytes == 8 ? Type::U64 : Type::U32,
                     {at, f.places.constant(displacement, bytes == 8)});
    if (bytes == 8)
        return at;
    return emit_widened(f, at);
}

// Reads [map, {coordinates}] into src[1] and src[2..].
bool read_box(FunctionLowering& f, const BulkForm& form, const Operand& operand, MicroOp& op) {
    if (operand.kind != Operand::Kind::Address || operand.elements.size() != 1) {
        f.cursor.error(
            operand.where,
            fmt::format("'{}' needs a tensor map and coordinates here, like [%rd1, {{%r1, %r2}}]", f.cursor.text()));
        return false;
    }
    const std::optional<Place> map = address_of(f, operand, Space::Generic);
    const unsigned coordinates = form.rows ? 5 : form.rank;
    const std::vector<Operand> list = elements(f.cursor, operand.elements[0], coordinates);
    if (!map || list.empty())
        return false;
    op.src[1] = *map;
    for (unsigned d = 0; d < coordinates; ++d) {
        const std::optional<Place> at = f.operands.source(list[d], Type::S32);
        if (!at)
            return false;
        op.src[2 + d] = *at;
    }
    return true;
}

// The offsets of im2col (one for each dimension but two) and the multicast mask, as src[bulk::kPacked].
bool read_packed(FunctionLowering& f, const Operand* offsets, unsigned wanted, const Operand* mask, MicroOp& op) {
    if (offsets == nullptr && mask == nullptr)
        return true;
    MicroOp pack = make_op(Opcode::Pack, Type::B64);
    pack.from = Type::B16;
    pack.vector = 4;
    pack.dst_bytes = 8;
    pack.src[0] = pack.src[1] = pack.src[2] = pack.src[3] = f.places.constant(0);
    if (offsets != nullptr) {
        const std::vector<Operand> list = elements(f.cursor, *offsets, wanted);
        if (list.empty())
            return false;
        for (unsigned d = 0; d < wanted; ++d) {
            const std::optional<Place> offset = f.operands.source(list[d], Type::U16);
            if (!offset)
                return false;
            pack.src[d] = *offset;
        }
    }
    if (mask != nullptr) {
        const std::optional<Place> blocks = f.operands.source(*mask, Type::U16);
        if (!blocks)
            return false;
        pack.src[3] = *blocks;
    }
    op.src[bulk::kPacked] = pack.dst[0] = f.places.temporary(Type::B64);
    f.emitter.emit(pack);
    return true;
}

// The bytes of a box of a tensor, of which op.src[1] is the map.
Place emit_box_bytes(FunctionLowering& f, const MicroOp& op) {
    MicroOp box = op;
    box.kind = Kind::Special;
    box.work = Work::Logic;
    box.flags = 0;
    box.src.fill(kNowhere);
    box.src[1] = op.src[1];
    box.dst[0] = f.places.temporary(Type::U32);
    f.emitter.emit(box);
    return box.dst[0];
}

// The bytes are complete at the object at the same place of each block in the mask, the high 16 bits of `packed`.
void complete_in_blocks(FunctionLowering& f, Place object, Place packed, Place bytes) {
    const Place rest = f.places.temporary(Type::B64);
    emit_op(f, Opcode::Shr, Type::U64, {packed, f.places.constant(48)}, rest);
    const Place update = make_completion(f, bytes);
    const Place none = f.places.temporary(Type::Pred), more = f.places.temporary(Type::Pred);
    const Place zero = f.places.constant(0, true), one = f.places.constant(1, true);
    emit_compare(f, Sub::Eq, Type::U64, none, rest, zero);
    const std::uint32_t past = f.emitter.jump_if(none);
    const std::uint32_t begin = f.emitter.next();
    MicroOp rank = make_op(Opcode::Bfind, Type::U64);
    rank.src[0] = rest;
    rank.src_bytes = 8;
    rank.dst[0] = f.places.temporary(Type::U32);
    f.emitter.emit(rank);
    emit_completion_at(f, map_address(f, object, rank.dst[0], Type::U64), update);
    const Place bit = emit_op(f, Opcode::Shl, Type::B64, {one, rank.dst[0]});
    emit_op(f, Opcode::Xor, Type::B64, {rest, bit}, rest);
    emit_compare(f, Sub::Ne, Type::U64, more, rest, zero);
    f.emitter.jump_back_if(more, begin);
    f.emitter.land(past);
}

// [to], [from], bytes, [object]{, mask}{, policy};   [to], [map, {..}], [object]{, {offsets}}{, mask}{, policy};
void select_load(FunctionLowering& f, const BulkForm& form) {
    const bool tensor = form.rank != 0;
    const std::size_t object = tensor ? 2 : 3;
    const std::size_t wanted = object + 1 + form.im2col + form.multicast + form.hint;
    if (!f.cursor.count(wanted, wanted))
        return;
    const std::optional<std::uint32_t> skip = f.emitter.jump_over_instruction();
    MicroOp op = make_op(Opcode::CpBulk);
    op.imm = form.rank | (form.multicast ? bulk::kMulticast : 0) | (form.from_shared ? bulk::kFromShared : 0) |
             (form.im2col ? bulk::kIm2col : 0) | (form.rows ? bulk::kRows : 0);
    op.flags |= kUncached;
    op.sub = form.how;
    op.type = form.type;
    const std::optional<Place> to = address_of(f, f.cursor.operand(0), Space::SharedCluster);
    const std::optional<Place> at = address_of(f, f.cursor.operand(object), Space::SharedCluster);
    if (!to || !at)
        return;
    op.src[0] = *to;
    Place total = kNowhere;
    if (tensor) {
        if (!read_box(f, form, f.cursor.operand(1), op))
            return;
        total = emit_box_bytes(f, op);
    } else {
        const std::optional<Place> from =
            address_of(f, f.cursor.operand(1), form.from_shared ? Space::Shared : Space::Global);
        const std::optional<Place> bytes = f.operands.source(f.cursor.operand(2), Type::U32);
        if (!from || !bytes)
            return;
        op.src[1] = *from;
        op.src[2] = total = *bytes;
    }
    std::size_t next = object + 1;
    const Operand* const offsets = form.im2col ? &f.cursor.operand(next++) : nullptr;
    const Operand* const mask = form.multicast ? &f.cursor.operand(next++) : nullptr;
    if (!read_packed(f, offsets, form.rank - 2, mask, op) ||
        (form.hint && !f.operands.source(f.cursor.operand(next), Type::B64)))
        return;
    f.emitter.emit(op);
    if (form.multicast)
        complete_in_blocks(f, *at, op.src[bulk::kPacked], total);
    else
        emit_completion_at(f, *at, make_completion(f, total));
    if (skip)
        f.emitter.land(*skip);
}

// [to], [from], bytes{, policy};   [map, {..}], [from]{, policy};
void select_store(FunctionLowering& f, const BulkForm& form) {
    const bool tensor = form.rank != 0;
    const std::size_t plain = tensor ? 2 : 3;
    if (!f.cursor.count(plain + form.hint, plain + form.hint))
        return;
    const std::optional<std::uint32_t> skip = f.emitter.jump_over_instruction();
    MicroOp op = make_op(Opcode::CpBulk);
    op.kind = form.reduces ? Kind::Atomic : Kind::Surface;
    op.imm = form.rank | (form.im2col ? bulk::kIm2col : 0) | (form.rows ? bulk::kRows : 0);
    op.sub = form.how;
    op.type = form.type;
    const std::optional<Place> from = address_of(f, f.cursor.operand(1), Space::Shared);
    if (!from || (form.hint && !f.operands.source(f.cursor.operand(plain), Type::B64)))
        return;
    op.src[0] = *from;
    Place total = kNowhere;
    if (tensor) {
        if (!read_box(f, form, f.cursor.operand(0), op))
            return;
        total = emit_box_bytes(f, op);
    } else {
        const std::optional<Place> to = address_of(f, f.cursor.operand(0), Space::Global);
        const std::optional<Place> bytes = f.operands.source(f.cursor.operand(2), Type::U32);
        if (!to || !bytes)
            return;
        op.src[1] = *to;
        op.src[2] = total = *bytes;
    }
    const Place at = f.places.temporary(Type::U32), more = f.places.temporary(Type::Pred);
    emit_copy(f, at, f.places.constant(0));
    const std::uint32_t begin = f.emitter.next();
    op.src[bulk::kPacked] = at;
    f.emitter.emit(op);
    emit_op(f, Opcode::Add, Type::U32, {at, f.places.constant(bulk::kPiece)}, at);
    emit_compare(f, Sub::Lt, Type::U32, more, at, total);
    f.emitter.jump_back_if(more, begin);
    if (skip)
        f.emitter.land(*skip);
}

// [from], bytes{, policy};   [map, {..}]{, {offsets}}{, policy};
void select_prefetch(FunctionLowering& f, const BulkForm& form) {
    const bool tensor = form.rank != 0;
    const std::size_t plain = tensor ? 1U + form.im2col : 2;
    if (!f.cursor.count(plain + form.hint, plain + form.hint))
        return;
    MicroOp op = make_op(Opcode::CpBulk);
    const bool good =
        tensor ? read_box(f, form, f.cursor.operand(0), op) &&
                     read_packed(f, form.im2col ? &f.cursor.operand(1) : nullptr, form.rank - 2, nullptr, op)
               : address_of(f, f.cursor.operand(0), Space::Global) && f.operands.source(f.cursor.operand(1), Type::U32);
    if (good && (!form.hint || f.operands.source(f.cursor.operand(plain), Type::B64)))
        emit_memory_nop(f, Opcode::CpBulk);
}

// commit_group;   wait_group{.read} n;
bool select_group(FunctionLowering& f, WordReader words) {
    const bool commits = words.accept("commit_group");
    if (!commits && !words.accept("wait_group"))
        return false;
    if (!commits)
        words.accept("read");
    if (!words.is_at_end())
        return false;
    if (!f.cursor.count(commits ? 0 : 1, commits ? 0 : 1))
        return true;
    if (commits)
        emit_memory_nop(f, Opcode::CpBulk, 0, bulk::kClosesGroup);
    else if (const auto groups = f.operands.integer(f.cursor.operand(0), "a number of groups"))
        emit_memory_nop(f, Opcode::CpBulk, 0, bulk::kWaits + *groups);
    return true;
}

} // namespace

bool is_bulk(const ptx::Instruction& instruction) {
    WordReader words(instruction);
    words.accept("reduce");
    return words.accept("async") && words.accept("bulk");
}

void select_bulk(FunctionLowering& f) {
    const std::vector<std::string_view> in_order = ordered(f.cursor.instruction().modifiers);
    WordReader words(in_order);
    BulkForm form;
    form.reduces = words.accept("reduce");
    words.accept("async");
    words.accept("bulk");
    if (!form.reduces && select_group(f, words))
        return;
    const auto& modifiers = f.cursor.instruction().modifiers;
    if (std::any_of(modifiers.begin(), modifiers.end(), is_refused))
        return f.emitter.placeholder(Opcode::CpBulk);
    if (!read_form(words, form) || !words.is_at_end())
        return f.cursor.error(fmt::format("'{}' is no bulk copy: the modifiers are not those of cp.async.bulk, "
                                          "cp.async.bulk.tensor, cp.async.bulk.prefetch or cp.reduce.async.bulk",
                                          f.cursor.text()));
    if (form.prefetches)
        select_prefetch(f, form);
    else if (form.loads)
        select_load(f, form);
    else
        select_store(f, form);
}

} // namespace heddle::ir
