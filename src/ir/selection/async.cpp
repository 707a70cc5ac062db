// Asynchronous copies from global to shared memory (cp.async). A copy becomes a load and a store that execute at once,
// which PTX allows; so a wait for copies has no effect. Native code joins them again (native/selection/copies.cpp).
#include <algorithm>

#include <fmt/format.h>

#include "ir/async_copy.h"
#include "ir/selection/families.h"
#include "ir/selection/make_op.h"
#include "ir/selection/memory_operands.h"
#include "ir/selection/sequences.h"

namespace heddle::ir {

namespace {

constexpr std::string_view kWords[] = {"async",    "commit_group", "wait_group",    "wait_all", "ca",
                                       "cg",       "shared",       "shared::cta",   "global",   "L2::64B",
                                       "L2::128B", "L2::256B",     "L2::cache_hint"};

MicroOp access(Opcode opcode, Space space, Type type, unsigned vector) {
    MicroOp op = make_op(opcode, type);
    op.space = space;
    op.vector = static_cast<std::uint8_t>(vector);
    return op;
}

// Bytes [first, first + bytes) of a copy, where `valid` holds.
void copy_bytes(FunctionLowering& f, unsigned first, unsigned bytes, Place valid) {
    const unsigned words = std::max(1U, bytes / 4);
    const Type type = bytes == 1 ? Type::U8 : Type::B32;
    MicroOp load = access(Opcode::Ld, Space::Global, type, words);
    MicroOp store = access(Opcode::St, Space::Shared, type, words);
    if (!read_address(f, f.cursor.operand(1), load, load.src_bytes) ||
        !read_address(f, f.cursor.operand(0), store, store.dst_bytes))
        return;
    for (unsigned word = 0; word < words; ++word)
        load.dst[word] = store.src[word + 1] = f.places.temporary(Type::B32);
    load.dst_bytes = store.src_bytes = 4;
    store.flags |= kAsyncCopy;
    const std::vector<std::string_view>& modifiers = f.cursor.instruction().modifiers;
    if (std::find(modifiers.begin(), modifiers.end(), "cg") != modifiers.end())
        load.flags |= kUncached;
    for (MicroOp* const op : {&load, &store}) {
        op->imm += first;
        f.emitter.emit_if(valid, false, *op);
    }
}

// Zeros for the bytes [first, first + bytes), where `valid` does not hold.
void zero_bytes(FunctionLowering& f, unsigned first, unsigned bytes, Place valid) {
    const unsigned words = std::max(1U, bytes / 4);
    MicroOp store = access(Opcode::St, Space::Shared, bytes == 1 ? Type::U8 : Type::B32, words);
    if (!read_address(f, f.cursor.operand(0), store, store.dst_bytes))
        return;
    for (unsigned word = 0; word < words; ++word)
        store.src[word + 1] = f.places.constant(0);
    store.src_bytes = 4;
    store.flags |= kAsyncCopy;
    store.imm += first;
    f.emitter.emit_if(valid, valid != kNowhere, store);
}

// Copies the bytes, or writes zeros where the operand, a predicate, holds.
void copy_or_zero(FunctionLowering& f, unsigned bytes, const Operand& ignore) {
    bool negated = false;
    const std::optional<Place> none = f.operands.predicate(ignore, negated);
    if (!none)
        return;
    const std::uint32_t past = f.emitter.jump_if(*none, !negated);
    zero_bytes(f, 0, bytes, kNowhere);
    const std::uint32_t to_end = f.emitter.jump();
    f.emitter.land(past);
    copy_bytes(f, 0, bytes, kNowhere);
    f.emitter.land(to_end);
}

// Copies the first bytes, whose number is the operand, a .u32, and writes zeros to the others. There are short paths
// for all bytes and for none.
void copy_part(FunctionLowering& f, unsigned bytes, const Operand& operand) {
    const std::optional<Place> count = f.operands.source(operand, Type::U32);
    if (!count)
        return;
    const Place not_all = f.places.temporary(Type::Pred);
    emit_compare(f, Sub::Lt, Type::U32, not_all, *count, f.places.constant(bytes));
    const std::uint32_t past_all = f.emitter.jump_if(not_all);
    copy_bytes(f, 0, bytes, kNowhere);
    const std::uint32_t all_to_end = f.emitter.jump();
    f.emitter.land(past_all);
    const Place none = f.places.temporary(Type::Pred);
    emit_compare(f, Sub::Eq, Type::U32, none, *count, f.places.constant(0));
    const std::uint32_t past_none = f.emitter.jump_if(none, true);
    zero_bytes(f, 0, bytes, kNowhere);
    const std::uint32_t none_to_end = f.emitter.jump();
    f.emitter.land(past_none);
    for (unsigned byte = 0; byte < bytes; ++byte) {
        const Place valid = f.places.temporary(Type::Pred);
        emit_compare(f, Sub::Gt, Type::U32, valid, *count, f.places.constant(byte));
        copy_bytes(f, byte, 1, valid);
        zero_bytes(f, byte, 1, valid);
    }
    f.emitter.land(all_to_end);
    f.emitter.land(none_to_end);
}

// `partly`: the number of bytes to copy, or a predicate under which no bytes are copied; the others become 0. Null: all
// bytes are copied.
void copy(FunctionLowering& f, unsigned bytes, const Operand* partly) {
    if (partly == nullptr)
        return copy_bytes(f, 0, bytes, kNowhere);
    const Symbol named = partly->kind == Operand::Kind::Name ? f.cursor.symbol(*partly) : Symbol{};
    if (named.variable != nullptr && named.variable->type == Type::Pred)
        copy_or_zero(f, bytes, *partly);
    else
        copy_part(f, bytes, *partly);
}

} // namespace

// cp.async.commit_group;   cp.async.wait_group n;   cp.async.wait_all;
// cp.async.{ca|cg}.shared.global{hints} [to], [from], bytes{, valid bytes | ignore}{, policy};
void select_async(FunctionLowering& f) {
    const std::vector<std::string_view>& modifiers = f.cursor.instruction().modifiers;
    const auto has = [&](std::string_view modifier) {
        return std::find(modifiers.begin(), modifiers.end(), modifier) != modifiers.end();
    };
    if (!has("async"))
        return f.cursor.error(fmt::format("'{}': there are cp.async and cp.reduce.async.bulk", f.cursor.text()));
    if (has("mbarrier"))
        return select_arrival_of_copies(f);
    for (std::size_t i = 0; i < modifiers.size(); ++i) {
        const bool known = std::find(std::begin(kWords), std::end(kWords), modifiers[i]) != std::end(kWords);
        if (!known || std::find(modifiers.begin(), modifiers.begin() + static_cast<std::ptrdiff_t>(i), modifiers[i]) !=
                          modifiers.begin() + static_cast<std::ptrdiff_t>(i))
            return f.cursor.error_misplaced(modifiers[i]);
    }
    if (has("commit_group") || has("wait_all") || has("wait_group")) {
        const std::size_t operands = has("wait_group") ? 1 : 0;
        if (!f.cursor.count(operands, operands))
            return;
        std::optional<std::int64_t> what = has("wait_all") ? async_copy::kWaitForAll : async_copy::kCloseGroup;
        if (operands == 1)
            what = f.operands.integer(f.cursor.operand(0), "a number of groups");
        if (what)
            emit_memory_nop(f, Opcode::CpAsync, kAsyncCopy, *what);
        return;
    }
    const std::size_t policy = has("L2::cache_hint") ? 1 : 0;
    if (!(has("shared") || has("shared::cta")) || !has("global") || has("ca") == has("cg"))
        return f.cursor.error(fmt::format("'{}': cp.async copies .shared.global, by .ca or .cg", f.cursor.text()));
    if (!f.cursor.count(3 + policy, 4 + policy))
        return;
    const std::optional<std::int64_t> bytes = f.operands.integer(f.cursor.operand(2), "a number of bytes");
    if (!bytes)
        return;
    if (*bytes != 16 && (has("cg") || (*bytes != 4 && *bytes != 8)))
        return f.cursor.error(f.cursor.operand(2).where,
                              fmt::format("'{}' copies {}, not {}", f.cursor.text(),
                                          has("cg") ? "16 bytes" : "4, 8 or 16 bytes", *bytes));
    const std::optional<std::uint32_t> skip = f.emitter.jump_over_instruction();
    copy(f, static_cast<unsigned>(*bytes), f.cursor.operands().size() > 3 + policy ? &f.cursor.operand(3) : nullptr);
    if (skip)
        f.emitter.land(*skip);
}

} // namespace heddle::ir
