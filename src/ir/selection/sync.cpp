// Barriers and exchanges between the lanes of a PTX warp.
#include <fmt/format.h>

#include "ir/selection/families.h"

namespace heddle::ir {

namespace {

// bar.warp.sync mask;
void select_warp_barrier(FunctionLowering& f, MicroOp op) {
    if (op.sub != Sub::BarSync || op.type != Type::None)
        return f.cursor.error(fmt::format("'{}' is no barrier: a warp has bar.warp.sync", f.cursor.text()));
    if (!f.cursor.count(1, 1))
        return;
    const std::optional<Place> mask = f.operands.source(f.cursor.operand(0), Type::U32);
    if (!mask)
        return;
    op.opcode = Opcode::WarpBarrier;
    op.kind = Kind::WarpSync;
    op.sub = Sub::None;
    op.src[3] = *mask;
    op.flags |= kHasMask;
    f.emitter.emit(op);
}

// bar.sync a[, b];   bar.arrive a, b;   bar.red.op.type d, a[, b], [!]c;
void select_barrier(FunctionLowering& f, MicroOp op, const Modifiers& modifiers) {
    if (modifiers.has(kWithWarp))
        return select_warp_barrier(f, op);
    const bool reduces = modifiers.has(kWithBarRed);
    const bool arrives = op.sub == Sub::BarArrive;
    const bool red = !arrives && op.sub != Sub::BarSync;
    const Type wanted = !reduces ? Type::None : op.sub == Sub::BarRedPopc ? Type::U32 : Type::Pred;
    if (red != reduces || op.type != wanted)
        return f.cursor.error(fmt::format("'{0}' is no barrier: there are {1}.sync, {1}.arrive, {1}.red.popc.u32, "
                                          "{1}.red.and.pred and {1}.red.or.pred",
                                          f.cursor.text(), f.cursor.instruction().opcode));
    const std::size_t fixed = red ? 3 : arrives ? 2 : 1;
    if (!f.cursor.count(fixed, arrives ? fixed : fixed + 1))
        return;
    const std::vector<Operand>& operands = f.cursor.operands();
    std::size_t next = 0;
    bool good = true;
    if (red) {
        const std::optional<Place> d = f.operands.destination(operands[next++], op.type);
        good = d.has_value();
        op.dst[0] = d.value_or(kNowhere);
    }
    if (operands[next].kind == Operand::Kind::Integer && operands[next].bits > 15)
        return f.cursor.error(operands[next].where,
                              fmt::format("'{}': barriers have numbers from 0 to 15", f.cursor.text()));
    const std::optional<Place> number = f.operands.source(operands[next++], Type::U32);
    good = good && number.has_value();
    op.src[0] = number.value_or(kNowhere);
    if (next + (red ? 1U : 0U) < operands.size()) {
        const std::optional<Place> threads = f.operands.source(operands[next++], Type::U32);
        good = good && threads.has_value();
        op.src[1] = threads.value_or(kNowhere);
    }
    if (red) {
        bool negated = false;
        const std::optional<Place> p = f.operands.predicate(operands[next], negated);
        good = good && p.has_value();
        op.src[2] = p.value_or(kNowhere);
        if (negated)
            op.flags |= kSourceNegated;
    }
    if (good)
        f.emitter.emit(op);
}

// shfl[.sync].mode.b32 d[|p], a, b, c[, mask];
void select_shuffle(FunctionLowering& f, MicroOp op) {
    const bool mask = op.has(kHasMask);
    const std::size_t first = f.cursor.instruction().paired ? 2 : 1;
    const std::size_t sources = mask ? 4 : 3;
    if (!f.cursor.count(first + sources, first + sources))
        return;
    const std::optional<Place> d =
        f.operands.destination(f.cursor.operand(0), op.type, Width::Exact, f.cursor.instruction().paired);
    bool good = d.has_value();
    op.dst[0] = d.value_or(kNowhere);
    if (f.cursor.instruction().paired) {
        const std::optional<Place> p = f.operands.predicate_destination(f.cursor.operand(1), true);
        good = good && p.has_value();
        op.dst[1] = p.value_or(kNowhere);
    }
    for (std::size_t i = 0; i < sources; ++i) {
        const std::optional<Place> s = f.operands.source(f.cursor.operand(first + i), i == 3 ? Type::U32 : Type::B32);
        good = good && s.has_value();
        op.src[i] = s.value_or(kNowhere);
    }
    if (good)
        f.emitter.emit(op);
}

// vote[.sync].mode.pred p, [!]a[, mask];   vote[.sync].ballot.b32 d, [!]a[, mask];
void select_vote(FunctionLowering& f, MicroOp op) {
    const bool mask = op.has(kHasMask);
    if ((op.sub == Sub::VoteBallot) != (op.type == Type::B32))
        return f.cursor.error(fmt::format("'{}': ballot has type .b32, all, any and uni have .pred", f.cursor.text()));
    if (!f.cursor.count(mask ? 3 : 2, mask ? 3 : 2))
        return;
    const std::optional<Place> d = f.operands.destination(f.cursor.operand(0), op.type);
    bool negated = false;
    const std::optional<Place> a = f.operands.predicate(f.cursor.operand(1), negated);
    bool good = d && a;
    op.dst[0] = d.value_or(kNowhere);
    op.src[0] = a.value_or(kNowhere);
    if (negated)
        op.flags |= kSourceNegated;
    if (mask) {
        const std::optional<Place> m = f.operands.source(f.cursor.operand(2), Type::U32);
        good = good && m.has_value();
        op.src[3] = m.value_or(kNowhere);
    }
    if (good)
        f.emitter.emit(op);
}

// match.any.sync.type d, a, mask;   match.all.sync.type d[|p], a, mask;
void select_match(FunctionLowering& f, MicroOp op) {
    if ((op.sub != Sub::VoteAny && op.sub != Sub::VoteAll) || !op.has(kHasMask))
        return f.cursor.error(fmt::format("'{}': there are match.any.sync and match.all.sync", f.cursor.text()));
    if (f.cursor.instruction().paired && op.sub == Sub::VoteAny)
        return f.cursor.error(fmt::format("'{}' has no predicate: match.all does", f.cursor.text()));
    const std::size_t first = f.cursor.instruction().paired ? 2 : 1;
    if (!f.cursor.count(first + 2, first + 2))
        return;
    const std::optional<Place> d =
        f.operands.destination(f.cursor.operand(0), Type::U32, Width::Exact, f.cursor.instruction().paired);
    const std::optional<Place> a = f.operands.source(f.cursor.operand(first), op.type);
    const std::optional<Place> mask = f.operands.source(f.cursor.operand(first + 1), Type::U32);
    bool good = d && a && mask;
    if (f.cursor.instruction().paired) {
        const std::optional<Place> p = f.operands.predicate_destination(f.cursor.operand(1), true);
        good = good && p.has_value();
        op.dst[1] = p.value_or(kNowhere);
    }
    if (!good)
        return;
    op.dst[0] = *d;
    op.src[0] = *a;
    op.src[3] = *mask;
    op.src_bytes = op.type == Type::B64 ? 8 : 4;
    f.emitter.emit(op);
}

// redux.sync.op.type d, a, mask;
void select_reduction(FunctionLowering& f, MicroOp op) {
    const bool bitwise = op.sub == Sub::AtomAnd || op.sub == Sub::AtomOr || op.sub == Sub::AtomXor;
    const bool compares = op.sub == Sub::AtomMin || op.sub == Sub::AtomMax;
    const bool arithmetic = compares || op.sub == Sub::AtomAdd;
    if (op.type == Type::B32 ? !bitwise : op.type == Type::F32 ? !compares : !arithmetic)
        return f.cursor.error(
            fmt::format("'{}' is no reduction: redux.sync has add, min and max of .u32 and .s32, min and max of .f32, "
                        "and and, or and xor of .b32",
                        f.cursor.text()));
    if (!f.cursor.count(3, 3))
        return;
    const Type type = bitwise ? Type::U32 : op.type; // no register of floating point
    const std::optional<Place> d = f.operands.destination(f.cursor.operand(0), type);
    const std::optional<Place> a = f.operands.source(f.cursor.operand(1), type);
    const std::optional<Place> mask = f.operands.source(f.cursor.operand(2), Type::U32);
    if (!d || !a || !mask)
        return;
    op.dst[0] = *d;
    op.src[0] = *a;
    op.src[3] = *mask;
    f.emitter.emit(op);
}

// elect.sync d|p, mask;
void select_election(FunctionLowering& f, MicroOp op) {
    if (!f.cursor.instruction().paired)
        return f.cursor.error(fmt::format("'{}' gives a register and a predicate: d|p, mask", f.cursor.text()));
    if (!f.cursor.count(3, 3))
        return;
    const std::optional<Place> d = f.operands.destination(f.cursor.operand(0), Type::U32, Width::Exact, true);
    const std::optional<Place> p = f.operands.predicate_destination(f.cursor.operand(1), true);
    const std::optional<Place> mask = f.operands.source(f.cursor.operand(2), Type::U32);
    if (!d || !p || !mask)
        return;
    op.dst[0] = *d;
    op.dst[1] = *p;
    op.src[3] = *mask;
    f.emitter.emit(op);
}

void select_activemask(FunctionLowering& f, MicroOp op) {
    if (!f.cursor.count(1, 1))
        return;
    if (const std::optional<Place> d = f.operands.destination(f.cursor.operand(0), op.type)) {
        op.dst[0] = *d;
        f.emitter.emit(op);
    }
}

} // namespace

void select_sync(FunctionLowering& f, MicroOp op, const Modifiers& modifiers) {
    switch (op.opcode) {
    case Opcode::Shfl:
        return select_shuffle(f, op);
    case Opcode::Vote:
        return select_vote(f, op);
    case Opcode::Match:
        return select_match(f, op);
    case Opcode::Redux:
        return select_reduction(f, op);
    case Opcode::Elect:
        return select_election(f, op);
    case Opcode::Activemask:
        return select_activemask(f, op);
    default: // bar, barrier
        return select_barrier(f, op, modifiers);
    }
}

} // namespace heddle::ir
