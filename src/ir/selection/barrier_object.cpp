// Barrier objects in shared memory (mbarrier), whose layout is in ir/barrier_object.h. A wait is a load and a
// comparison. The arrivals of asynchronous copies of up to 16 bytes are done at once, as the copies are (async.cpp).
#include "ir/barrier_object.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "ir/async_copy.h"
#include "ir/selection/families.h"
#include "ir/selection/make_op.h"
#include "ir/selection/memory_operands.h"
#include "ir/selection/sequences.h"

namespace heddle::ir {

namespace {

enum class Action : std::uint8_t { None, Init, Inval, Arrive, Drop, Expect, Complete, Wait, Pending };

struct BarrierWords {
    Action action = Action::None;
    bool parity = false;
    bool tries = false; // the wait has a time limit
    bool noinc = false;
    bool counted = false;                  // names the number of arrivals
    bool expects = false;                  // the arrival names a number of bytes
    bool release = false, cluster = false; // its order and scope
    Space space = Space::Generic;
    std::string_view unknown;
};

constexpr std::pair<std::string_view, Action> kActions[] = {
    {"init", Action::Init},        {"inval", Action::Inval},      {"arrive", Action::Arrive},
    {"arrive_drop", Action::Drop}, {"expect_tx", Action::Expect}, {"complete_tx", Action::Complete},
    {"test_wait", Action::Wait},   {"try_wait", Action::Wait},    {"pending_count", Action::Pending},
};
// Without effect on values: memory accesses of heddle are in order.
constexpr std::string_view kOrder[] = {"acquire", "release", "relaxed", "cta", "cluster"};

template <class List>
bool is_in(const List& list, std::string_view word) {
    return std::find(std::begin(list), std::end(list), word) != std::end(list);
}

// False: the modifier is unknown, or not allowed here.
bool apply(std::string_view word, bool of_copies, BarrierWords& out) {
    const bool arrives = out.action == Action::Arrive || out.action == Action::Drop;
    const bool counts = out.action == Action::Expect || out.action == Action::Complete;
    if (word == "expect_tx" && arrives && !of_copies)
        return !std::exchange(out.expects, true) && !out.counted;
    const auto* const named =
        std::find_if(std::begin(kActions), std::end(kActions), [&](const auto& a) { return a.first == word; });
    if (named != std::end(kActions)) {
        const bool first = out.action == Action::None;
        out.action = named->second;
        out.tries = word == "try_wait";
        return first;
    }
    if (word == "shared" || word == "shared::cta") {
        out.space = Space::Shared;
        return out.action != Action::Pending;
    }
    if (word == "shared::cluster") {
        out.space = Space::SharedCluster;
        return (arrives || counts) && !of_copies;
    }
    if (word == "parity")
        return out.parity = out.action == Action::Wait;
    if (word == "noinc")
        return out.noinc = of_copies;
    if (word == "async" || word == "mbarrier")
        return of_copies;
    if (word == "noComplete") // without effect
        return out.counted = arrives && !out.expects;
    if (counts) // only .relaxed, with its scope
        return word == "b64" || word == "relaxed" || word == "cta" || word == "cluster";
    return word == "b64" || (is_in(kOrder, word) && (arrives || out.action == Action::Wait));
}

BarrierWords read_barrier_words(const ptx::Instruction& instruction) {
    BarrierWords out;
    for (const std::string_view word : instruction.modifiers)
        if (!apply(word, instruction.opcode == "cp", out) && out.unknown.empty())
            out.unknown = word;
    out.release = is_in(instruction.modifiers, "release");
    out.cluster = is_in(instruction.modifiers, "cluster");
    return out;
}

// acquire, release or relaxed stands with a scope, and a scope with one of them.
bool has_order_without_scope(const ptx::Instruction& instruction) {
    unsigned orders = 0, scopes = 0;
    for (const std::string_view word : instruction.modifiers) {
        scopes += word == "cta" || word == "cluster" ? 1 : 0;
        orders += word == "acquire" || word == "release" || word == "relaxed" ? 1 : 0;
    }
    return orders != scopes;
}

using namespace barrier_object;

// A temporary with the product of two .u32, in 64 bits.
Place wide_product(FunctionLowering& f, Place a, Place b) {
    MicroOp op = make_op(Opcode::Mul, Type::U32);
    op.sub = Sub::Wide;
    op.dst[0] = f.places.temporary(Type::U64);
    op.dst_bytes = 8;
    op.src[0] = a;
    op.src[1] = b;
    f.emitter.emit(op);
    return op.dst[0];
}

// A temporary with the word of an object for a number of arrivals, a .u32.
Place new_object(FunctionLowering& f, Place arrivals) {
    const Place many = f.places.temporary(Type::Pred);
    emit_compare(f, Sub::Gt, Type::U32, many, arrivals, f.places.constant(mask(kCountBits)));
    const Place factor =
        emit_op(f, Opcode::Selp, Type::U32,
                {f.places.constant((1U << kManyBits) | 1), f.places.constant((1U << kCountBits) | 1), many});
    const Place counts = wide_product(f, arrivals, factor);
    const Place kind =
        emit_op(f, Opcode::Selp, Type::U64, {f.places.constant(kMany, true), f.places.constant(0, true), many});
    return emit_op(f, Opcode::Or, Type::B64, {counts, kind});
}

// An instruction that would access the address in its operand, and has no effect.
void select_without_effect(FunctionLowering& f, Opcode opcode, Space space) {
    MicroOp op = make_op(opcode);
    op.space = space;
    if (!read_address(f, f.cursor.operand(0), op, op.src_bytes))
        return;
    if (opcode == Opcode::CpAsync) // an arrival of the thread's copies, which are over
        emit_memory_nop(f, opcode, kAsyncCopy, async_copy::kWaitForAll);
    else
        emit_memory_nop(f, opcode);
}

void init_barrier(FunctionLowering& f, Space space) {
    if (!f.cursor.count(2, 2))
        return;
    MicroOp store = make_op(Opcode::St, Type::B64);
    store.space = space;
    store.src_bytes = 8;
    const std::optional<Place> arrivals = f.operands.source(f.cursor.operand(1), Type::U32);
    if (!read_address(f, f.cursor.operand(0), store, store.dst_bytes) || !arrivals)
        return;
    store.src[1] = new_object(f, *arrivals);
    f.emitter.emit(store);
}

// The operand of an update: `bytes` more are expected, and `arrivals` threads have arrived (.u32 each).
Place pack_update(FunctionLowering& f, Place bytes, Place arrivals) {
    MicroOp op = make_op(Opcode::Pack, Type::B64);
    op.from = Type::B32;
    op.vector = 2;
    op.dst[0] = f.places.temporary(Type::B64);
    op.dst_bytes = 8;
    op.src[0] = bytes;
    op.src[1] = arrivals;
    f.emitter.emit(op);
    return op.dst[0];
}

// An atomic update of an object, without its address. `update`: see pack_update().
MicroOp make_update(Space space, Sub how, Place update) {
    MicroOp op = make_op(Opcode::Mbarrier, Type::U64);
    op.flags |= kStrong | kAcquire | kRelease;
    op.kind = Kind::Atomic;
    op.space = space;
    op.sub = how;
    op.dst_bytes = 8;
    op.src[1] = update;
    return op;
}

// An atomic update of the object at an address. `update`: see pack_update(). `state`: its destination, or null.
void update_object(FunctionLowering& f, Space space, Sub how, const Operand* state, const Operand& address,
                   Place update, std::uint32_t flags = 0) {
    MicroOp op = make_update(space, how, update);
    op.flags |= flags;
    const bool based = read_address(f, address, op, op.src_bytes);
    std::optional<Place> to = kNowhere;
    if (state != nullptr)
        to = f.operands.destination(*state, Type::U64, Width::Exact, true);
    if (!based || !to)
        return;
    if (space == Space::SharedCluster && *to != kNowhere)
        return f.cursor.error(
            state->where,
            fmt::format("'{}': the state of an object of another block is not given: write _", f.cursor.text()));
    op.dst[0] = *to;
    f.emitter.emit(op);
}

// mbarrier.arrive{.expect_tx} state, [addr]{, count};
void arrive(FunctionLowering& f, const BarrierWords& words) {
    if (!f.cursor.count(words.counted || words.expects ? 3 : 2, 3))
        return;
    const Place one = f.places.constant(1);
    const Place none = f.places.constant(0);
    std::optional<Place> number = one;
    if (f.cursor.operands().size() == 3)
        number = f.operands.source(f.cursor.operand(2), Type::U32);
    if (!number)
        return;
    const Place update = words.expects    ? pack_update(f, *number, one)
                         : *number == one ? f.places.constant(std::uint64_t{1} << 32, true)
                                          : pack_update(f, none, *number);
    if (words.release && words.cluster)
        emit_release_to_cluster(f);
    update_object(f, words.space, words.action == Action::Drop ? Sub::AtomArriveDrop : Sub::AtomArrive,
                  &f.cursor.operand(0), f.cursor.operand(1), update);
}

// mbarrier.expect_tx [addr], bytes;   mbarrier.complete_tx [addr], bytes;
void change_bytes(FunctionLowering& f, const BarrierWords& words) {
    if (!f.cursor.count(2, 2))
        return;
    const std::optional<Place> bytes = f.operands.source(f.cursor.operand(1), Type::U32);
    if (!bytes)
        return;
    if (words.action == Action::Complete)
        return emit_completion(f, words.space, f.cursor.operand(0), *bytes);
    update_object(f, words.space, Sub::AtomArrive, nullptr, f.cursor.operand(0),
                  pack_update(f, *bytes, f.places.constant(0)));
}

// p = whether the phase of a state, or of a parity, is over: the phase of the object differs.
void test_barrier(FunctionLowering& f, const BarrierWords& words) {
    const bool by_parity = words.parity;
    if (!f.cursor.count(3, words.tries ? 4 : 3)) // the fourth is a time limit
        return;
    MicroOp load = make_op(Opcode::Ld, Type::B64);
    load.space = words.space;
    load.flags |= kStrong | kAcquire | kTestsPhase | (words.tries ? kSuspends : 0U);
    load.dst_bytes = 8;
    const bool based = read_address(f, f.cursor.operand(1), load, load.src_bytes);
    const std::optional<Place> p = f.operands.predicate_destination(f.cursor.operand(0), false);
    const Operand& third = f.cursor.operand(2);
    if (by_parity && third.kind == Operand::Kind::Integer && third.bits > 1)
        return f.cursor.error(third.where, fmt::format("'{}': a parity is 0 or 1", f.cursor.text()));
    std::optional<Place> phase = f.operands.source(third, by_parity ? Type::U32 : Type::U64);
    if (!based || !p || !phase)
        return;
    if (by_parity)
        phase = emit_widened(f, *phase);
    load.dst[0] = f.places.temporary(Type::B64);
    f.emitter.emit(load);
    MicroOp part = make_op(by_parity ? Opcode::Shr : Opcode::Xor, by_parity ? Type::U64 : Type::B64);
    part.dst[0] = f.places.temporary(Type::B64);
    part.src[0] = load.dst[0];
    part.src[1] = by_parity ? f.places.constant(63) : *phase;
    part.dst_bytes = part.src_bytes = 8;
    f.emitter.emit(part);
    if (by_parity)
        emit_compare(f, Sub::Ne, Type::U64, *p, part.dst[0], *phase);
    else
        emit_compare(f, Sub::Lt, Type::S64, *p, part.dst[0], f.places.constant(0, true));
}

// The pending arrivals of a phase, from a state that an arrival returned.
void pending_count(FunctionLowering& f) {
    if (!f.cursor.count(2, 2))
        return;
    const std::optional<Place> number = f.operands.destination(f.cursor.operand(0), Type::U32);
    const std::optional<Place> state = f.operands.source(f.cursor.operand(1), Type::U64);
    if (!number || !state)
        return;
    const Place many = f.places.temporary(Type::Pred);
    const Place kind = emit_op(f, Opcode::And, Type::B64, {*state, f.places.constant(kMany, true)});
    emit_compare(f, Sub::Ne, Type::U64, many, kind, f.places.constant(0, true));
    const Place counts =
        emit_op(f, Opcode::Selp, Type::U64,
                {f.places.constant(mask(kManyBits), true), f.places.constant(mask(kCountBits), true), many});
    emit_resized(f, Type::U64, emit_op(f, Opcode::And, Type::B64, {*state, counts}), Type::U32, *number);
}

} // namespace

Place make_completion(FunctionLowering& f, Place bytes) {
    return pack_update(f, emit_negated(f, bytes), f.places.constant(0));
}

void emit_completion(FunctionLowering& f, Space space, const Operand& address, Place bytes) {
    update_object(f, space, Sub::AtomArrive, nullptr, address, make_completion(f, bytes));
}

void emit_completion_at(FunctionLowering& f, Place address, Place update) {
    MicroOp op = make_update(Space::SharedCluster, Sub::AtomArrive, update);
    op.flags |= kWithCopy;
    op.src[0] = address;
    op.src_bytes = f.places.storage(address);
    f.emitter.emit(op);
}

// mbarrier.init [addr], count;   .inval [addr];   .arrive{.expect_tx} state, [addr]{, count};   .arrive_drop likewise;
// mbarrier.expect_tx [addr], bytes;   .complete_tx likewise;
// mbarrier.test_wait p, [addr], state;   .test_wait.parity p, [addr], parity;   .try_wait likewise{, time};
// mbarrier.pending_count count, state;
void select_barrier_object(FunctionLowering& f) {
    const BarrierWords words = read_barrier_words(f.cursor.instruction());
    if (!words.unknown.empty())
        return f.cursor.error_misplaced(words.unknown);
    if (has_order_without_scope(f.cursor.instruction()))
        return f.cursor.error(fmt::format("'{}' needs an order (.acquire, .release or .relaxed) with a scope (.cta or "
                                          ".cluster), or neither",
                                          f.cursor.text()));
    switch (words.action) {
    case Action::Init:
        return init_barrier(f, words.space);
    case Action::Inval:
        return f.cursor.count(1, 1) ? select_without_effect(f, Opcode::Mbarrier, words.space) : void();
    case Action::Arrive:
    case Action::Drop:
        return arrive(f, words);
    case Action::Expect:
    case Action::Complete:
        return change_bytes(f, words);
    case Action::Wait:
        return test_barrier(f, words);
    case Action::Pending:
        return pending_count(f);
    case Action::None:
        f.cursor.error(fmt::format("'{}' needs .init, .inval, .arrive, .arrive_drop, .expect_tx, .complete_tx, "
                                   ".test_wait, .try_wait or .pending_count",
                                   f.cursor.text()));
    }
}

// cp.async.mbarrier.arrive{.noinc}{.shared}.b64 [addr];   without .noinc the phase expects one more arrival
void select_arrival_of_copies(FunctionLowering& f) {
    const BarrierWords words = read_barrier_words(f.cursor.instruction());
    if (!words.unknown.empty() || words.action != Action::Arrive)
        return f.cursor.error(
            fmt::format("'{}': there is cp.async.mbarrier.arrive with .noinc or not", f.cursor.text()));
    if (!f.cursor.count(1, 1))
        return;
    if (words.noinc)
        update_object(f, words.space, Sub::AtomArrive, nullptr, f.cursor.operand(0),
                      f.places.constant(std::uint64_t{1} << 32, true), kAsyncCopy | kWithCopy);
    else
        select_without_effect(f, Opcode::CpAsync, words.space);
}

} // namespace heddle::ir
