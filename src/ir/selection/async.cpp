// Asynchronous copies from global to shared memory (cp.async). Each is done at once, by the load and the store that it
// stands for: that is one of the times at which PTX allows it to be done, and then there is nothing to wait for.
#include <algorithm>

#include <fmt/format.h>

#include "ir/isa/opcode.h"
#include "ir/selection/select.h"

namespace heddle::ir {

namespace {

MicroOp access(Opcode opcode, Space space, Type type, unsigned vector) {
    MicroOp op;
    op.opcode = opcode;
    op.kind = info(opcode).kind;
    op.work = info(opcode).work;
    op.space = space;
    op.type = type;
    op.vector = static_cast<std::uint8_t>(vector);
    op.domain = domain_of(type);
    return op;
}

} // namespace

// cp.async.commit_group;   cp.async.wait_group n;   cp.async.wait_all;
// cp.async.{ca|cg}.shared.global{hints} [to], [from], bytes{, valid bytes | ignore}{, policy};
void Selector::select_async() {
    const auto has = [&](std::string_view modifier) {
        return std::find(now_->modifiers.begin(), now_->modifiers.end(), modifier) != now_->modifiers.end();
    };
    if (!has("async") || has("bulk"))
        return placeholder(Opcode::CpAsync); // of tensors
    if (has("mbarrier"))
        return select_arrival_of_copies();
    if (has("commit_group") || has("wait_all") || has("wait_group")) {
        const std::size_t operands = has("wait_group") ? 1 : 0;
        if (!count(operands, operands) || (operands == 1 && !integer(now_->operands[0], "a number of groups")))
            return;
        return nothing_to_do(Opcode::CpAsync);
    }
    const std::size_t policy = has("L2::cache_hint") ? 1 : 0;
    if (!(has("shared") || has("shared::cta")) || !has("global") || has("ca") == has("cg"))
        return error(now_->where, fmt::format("'{}': cp.async copies .shared.global, by .ca or .cg", text()));
    if (!count(3 + policy, 4 + policy))
        return;
    const std::optional<std::int64_t> bytes = integer(now_->operands[2], "a number of bytes");
    if (!bytes)
        return;
    if (*bytes != 16 && (has("cg") || (*bytes != 4 && *bytes != 8)))
        return error(now_->operands[2].where, fmt::format("'{}' copies {}, not {}", text(),
                                                          has("cg") ? "16 bytes" : "4, 8 or 16 bytes", *bytes));
    std::optional<std::uint32_t> skip; // for those whose guard is false
    if (guard_ != kNowhere) {
        skip = emit(jump());
        draft_.ops[*skip].guard_negated = !now_->guard_negated;
        guard_ = kNowhere;
    }
    copy(static_cast<unsigned>(*bytes), now_->operands.size() > 3 + policy ? &now_->operands[3] : nullptr);
    if (skip)
        draft_.ops[*skip].target = static_cast<std::uint32_t>(draft_.ops.size());
}

// `partly`: how many of the bytes are copied, or a predicate that says none; the others become 0.
void Selector::copy(unsigned bytes, const Operand* partly) {
    const auto here = [&] { return static_cast<std::uint32_t>(draft_.ops.size()); };
    const auto jump_if = [&](Place condition, bool negated) {
        const std::uint32_t at = emit(jump());
        draft_.ops[at].guard = condition;
        draft_.ops[at].guard_negated = negated;
        return at;
    };
    if (partly == nullptr)
        return copy_bytes(0, bytes, kNowhere);
    const Symbol named = partly->kind == Operand::Kind::Name ? symbol(*partly) : Symbol{};
    const bool is_predicate = named.variable != nullptr && named.variable->type == Type::Pred;
    bool negated = false;
    const std::optional<Place> says = is_predicate ? predicate(*partly, negated) : source(*partly, Type::U32);
    if (!says)
        return;
    std::vector<std::uint32_t> to_end;
    Place none = *says;
    if (!is_predicate) {
        const Place all = temporary(Type::Pred);
        compare(Sub::Lt, Type::U32, all, *says, constant(bytes));
        const std::uint32_t past = jump_if(all, false);
        copy_bytes(0, bytes, kNowhere);
        to_end.push_back(emit(jump()));
        draft_.ops[past].target = here();
        none = temporary(Type::Pred);
        compare(Sub::Eq, Type::U32, none, *says, constant(std::uint64_t{0}));
    }
    const std::uint32_t past = jump_if(none, !negated);
    zero_bytes(0, bytes, kNowhere);
    to_end.push_back(emit(jump()));
    draft_.ops[past].target = here();
    if (is_predicate)
        copy_bytes(0, bytes, kNowhere);
    for (unsigned byte = 0; byte < bytes && !is_predicate; ++byte) {
        const Place valid = temporary(Type::Pred);
        compare(Sub::Gt, Type::U32, valid, *says, constant(byte));
        copy_bytes(byte, 1, valid);
        zero_bytes(byte, 1, valid);
    }
    for (const std::uint32_t jump : to_end)
        draft_.ops[jump].target = here();
}

// Bytes [first, first + bytes) of a copy, where `valid` holds.
void Selector::copy_bytes(unsigned first, unsigned bytes, Place valid) {
    const unsigned words = std::max(1U, bytes / 4);
    const Type type = bytes == 1 ? Type::U8 : Type::B32;
    MicroOp load = access(Opcode::Ld, Space::Global, type, words);
    MicroOp store = access(Opcode::St, Space::Shared, type, words);
    if (!base(now_->operands[1], load, load.src_bytes) || !base(now_->operands[0], store, store.dst_bytes))
        return;
    for (unsigned word = 0; word < words; ++word)
        load.dst[word] = store.src[word + 1] = temporary(Type::B32);
    load.dst_bytes = store.src_bytes = 4;
    for (MicroOp* const op : {&load, &store}) {
        op->imm += first;
        draft_.ops[emit(*op)].guard = valid;
    }
}

// Zeros for the bytes [first, first + bytes), where `valid` does not hold.
void Selector::zero_bytes(unsigned first, unsigned bytes, Place valid) {
    const unsigned words = std::max(1U, bytes / 4);
    MicroOp store = access(Opcode::St, Space::Shared, bytes == 1 ? Type::U8 : Type::B32, words);
    if (!base(now_->operands[0], store, store.dst_bytes))
        return;
    for (unsigned word = 0; word < words; ++word)
        store.src[word + 1] = constant(std::uint64_t{0});
    store.src_bytes = 4;
    store.imm += first;
    MicroOp& emitted = draft_.ops[emit(store)];
    emitted.guard = valid;
    emitted.guard_negated = valid != kNowhere;
}

} // namespace heddle::ir
