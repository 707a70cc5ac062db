// Barriers and exchanges between the lanes of a PTX warp.
#include <fmt/format.h>

#include "ir/selection/select.h"

namespace heddle::ir {

// bar.sync a[, b];   bar.arrive a, b;   bar.red.op.type d, a[, b], [!]c;   bar.warp.sync mask;
void Selector::select_barrier(MicroOp op, const Modifiers& modifiers) {
    if (modifiers.has(kWithWarp))
        return select_warp_barrier(op);
    const bool reduces = modifiers.has(kWithBarRed);
    const bool arrives = op.sub == Sub::BarArrive;
    const bool red = !arrives && op.sub != Sub::BarSync;
    const Type wanted = !reduces ? Type::None : op.sub == Sub::BarRedPopc ? Type::U32 : Type::Pred;
    if (red != reduces || op.type != wanted)
        return error(now_->where,
                     fmt::format("'{}' is no barrier: there are {}.sync, {}.arrive, {}.red.popc.u32, "
                                 "{}.red.and.pred and {}.red.or.pred",
                                 text(), now_->opcode, now_->opcode, now_->opcode, now_->opcode, now_->opcode));
    const std::size_t fixed = red ? 3 : arrives ? 2 : 1;
    if (!count(fixed, arrives ? fixed : fixed + 1))
        return;
    const std::vector<Operand>& operands = now_->operands;
    std::size_t next = 0;
    bool good = true;
    if (red) {
        const std::optional<Place> d = destination(operands[next++], op.type);
        good = d.has_value();
        op.dst[0] = d.value_or(kNowhere);
    }
    const std::optional<Place> number = source(operands[next++], Type::U32);
    good = good && number.has_value();
    op.src[0] = number.value_or(kNowhere);
    if (next + (red ? 1U : 0U) < operands.size()) {
        const std::optional<Place> threads = source(operands[next++], Type::U32);
        good = good && threads.has_value();
        op.src[1] = threads.value_or(kNowhere);
    }
    if (red) {
        bool negated = false;
        const std::optional<Place> p = predicate(operands[next], negated);
        good = good && p.has_value();
        op.src[2] = p.value_or(kNowhere);
        if (negated)
            op.flags |= kSourceNegated;
    }
    if (good)
        emit(op);
}

void Selector::select_warp_barrier(MicroOp op) {
    if (op.sub != Sub::BarSync || op.type != Type::None)
        return error(now_->where, fmt::format("'{}' is no barrier: a warp has bar.warp.sync", text()));
    if (!count(1, 1))
        return;
    const std::optional<Place> mask = source(now_->operands[0], Type::B32);
    if (!mask)
        return;
    op.opcode = Opcode::WarpBarrier;
    op.kind = Kind::WarpSync;
    op.sub = Sub::None;
    op.src[3] = *mask;
    op.flags |= kHasMask;
    emit(op);
}

// shfl[.sync].mode.b32 d[|p], a, b, c[, mask];
void Selector::select_shuffle(MicroOp op) {
    const bool mask = op.has(kHasMask);
    const std::size_t first = now_->paired ? 2 : 1;
    const std::size_t sources = mask ? 4 : 3;
    if (!count(first + sources, first + sources))
        return;
    const std::optional<Place> d = destination(now_->operands[0], op.type, Width::Exact, now_->paired);
    bool good = d.has_value();
    op.dst[0] = d.value_or(kNowhere);
    if (now_->paired) {
        const std::optional<Place> p = predicate_destination(now_->operands[1], true);
        good = good && p.has_value();
        op.dst[1] = p.value_or(kNowhere);
    }
    for (std::size_t i = 0; i < sources; ++i) {
        const std::optional<Place> s = source(now_->operands[first + i], Type::B32);
        good = good && s.has_value();
        op.src[i] = s.value_or(kNowhere);
    }
    if (good)
        emit(op);
}

// vote[.sync].mode.pred p, [!]a[, mask];   vote[.sync].ballot.b32 d, [!]a[, mask];
void Selector::select_vote(MicroOp op) {
    const bool mask = op.has(kHasMask);
    if ((op.sub == Sub::VoteBallot) != (op.type == Type::B32))
        return error(now_->where, fmt::format("'{}': ballot has type .b32, all, any and uni have .pred", text()));
    if (!count(mask ? 3 : 2, mask ? 3 : 2))
        return;
    const std::optional<Place> d = destination(now_->operands[0], op.type);
    bool negated = false;
    const std::optional<Place> a = predicate(now_->operands[1], negated);
    bool good = d && a;
    op.dst[0] = d.value_or(kNowhere);
    op.src[0] = a.value_or(kNowhere);
    if (negated)
        op.flags |= kSourceNegated;
    if (mask) {
        const std::optional<Place> m = source(now_->operands[2], Type::B32);
        good = good && m.has_value();
        op.src[3] = m.value_or(kNowhere);
    }
    if (good)
        emit(op);
}

// match.any.sync.type d, a, mask;   match.all.sync.type d[|p], a, mask;
void Selector::select_match(MicroOp op) {
    if ((op.sub != Sub::VoteAny && op.sub != Sub::VoteAll) || !op.has(kHasMask))
        return error(now_->where, fmt::format("'{}': there are match.any.sync and match.all.sync", text()));
    if (now_->paired && op.sub == Sub::VoteAny)
        return error(now_->where, fmt::format("'{}' has no predicate: match.all does", text()));
    const std::size_t first = now_->paired ? 2 : 1;
    if (!count(first + 2, first + 2))
        return;
    const std::optional<Place> d = destination(now_->operands[0], Type::B32, Width::Exact, now_->paired);
    const std::optional<Place> a = source(now_->operands[first], op.type);
    const std::optional<Place> mask = source(now_->operands[first + 1], Type::B32);
    bool good = d && a && mask;
    if (now_->paired) {
        const std::optional<Place> p = predicate_destination(now_->operands[1], true);
        good = good && p.has_value();
        op.dst[1] = p.value_or(kNowhere);
    }
    if (!good)
        return;
    op.dst[0] = *d;
    op.src[0] = *a;
    op.src[3] = *mask;
    op.src_bytes = op.type == Type::B64 ? 8 : 4;
    emit(op);
}

// redux.sync.op.type d, a, mask;
void Selector::select_reduction(MicroOp op) {
    const bool bitwise = op.sub == Sub::AtomAnd || op.sub == Sub::AtomOr || op.sub == Sub::AtomXor;
    const bool arithmetic = op.sub == Sub::AtomAdd || op.sub == Sub::AtomMin || op.sub == Sub::AtomMax;
    if (op.type == Type::B32 ? !bitwise : !arithmetic)
        return error(now_->where,
                     fmt::format("'{}' is no reduction: redux.sync has add, min and max of .u32 and .s32, and and, or "
                                 "and xor of .b32",
                                 text()));
    if (!count(3, 3))
        return;
    const std::optional<Place> d = destination(now_->operands[0], op.type);
    const std::optional<Place> a = source(now_->operands[1], op.type);
    const std::optional<Place> mask = source(now_->operands[2], Type::B32);
    if (!d || !a || !mask)
        return;
    op.dst[0] = *d;
    op.src[0] = *a;
    op.src[3] = *mask;
    emit(op);
}

// elect.sync d|p, mask;
void Selector::select_election(MicroOp op) {
    if (!now_->paired)
        return error(now_->where, fmt::format("'{}' gives a register and a predicate: d|p, mask", text()));
    if (!count(3, 3))
        return;
    const std::optional<Place> d = destination(now_->operands[0], Type::B32, Width::Exact, true);
    const std::optional<Place> p = predicate_destination(now_->operands[1], true);
    const std::optional<Place> mask = source(now_->operands[2], Type::B32);
    if (!d || !p || !mask)
        return;
    op.dst[0] = *d;
    op.dst[1] = *p;
    op.src[3] = *mask;
    emit(op);
}

void Selector::select_activemask(MicroOp op) {
    if (!count(1, 1))
        return;
    if (const std::optional<Place> d = destination(now_->operands[0], op.type)) {
        op.dst[0] = *d;
        emit(op);
    }
}

} // namespace heddle::ir
