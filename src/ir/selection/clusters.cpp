// Clusters of blocks: addresses in the shared memory of another block (ir/cluster_address.h), and the barrier of a
// cluster.
#include <fmt/format.h>

#include "ir/cluster_address.h"
#include "ir/selection/families.h"
#include "ir/selection/make_op.h"
#include "ir/selection/sequences.h"
#include "ir/selection/word_reader.h"

namespace heddle::ir {

namespace {

Place own_rank(FunctionLowering& f) {
    MicroOp op = make_op(Opcode::MovSpecial, Type::U32);
    op.imm = static_cast<std::int64_t>(SpecialRegister::ClusterCtarank);
    op.dst[0] = f.places.temporary(Type::U32);
    f.emitter.emit(op);
    return op.dst[0];
}

// The modifiers of mapa and getctarank: nothing or shared::cluster, then u32 or u64. A generic address has 64 bits.
std::optional<Type> address_type(FunctionLowering& f) {
    const std::vector<std::string_view>& words = f.cursor.instruction().modifiers;
    const bool shared = !words.empty() && words.front() == "shared::cluster";
    const Type type = words.size() == (shared ? 2U : 1U) ? ptx::type_named(words.back()) : Type::None;
    if (type == Type::U64 || (shared && type == Type::U32))
        return type;
    f.cursor.error(fmt::format("there are {0}.shared::cluster.u32, {0}.shared::cluster.u64 and {0}.u64, not '{1}'",
                               f.cursor.instruction().opcode, f.cursor.text()));
    return std::nullopt;
}

} // namespace

Place map_address(FunctionLowering& f, Place a, Place rank, Type type, Place to) {
    const Place field = emit_op(f, Opcode::Add, Type::U32, {rank, f.places.constant(1)});
    const bool wide = type == Type::U64;
    return emit_op(
        f, Opcode::Bfi, wide ? Type::B64 : Type::B32,
        {wide ? emit_widened(f, field) : field, a, f.places.constant(kRankShift), f.places.constant(kRankBits)}, to);
}

// mapa{.shared::cluster}.type d, a, rank;
void select_map_address(FunctionLowering& f) {
    const std::optional<Type> type = address_type(f);
    if (!type || !f.cursor.count(3, 3))
        return;
    const std::optional<Place> d = f.operands.destination(f.cursor.operand(0), *type);
    const std::optional<Place> a = f.operands.source(f.cursor.operand(1), *type);
    const std::optional<Place> rank = f.operands.source(f.cursor.operand(2), Type::U32);
    if (!d || !a || !rank)
        return;
    map_address(f, *a, *rank, *type, *d);
}

// getctarank{.shared::cluster}.type d, a;
void select_rank_of_address(FunctionLowering& f) {
    const std::optional<Type> type = address_type(f);
    if (!type || !f.cursor.count(2, 2))
        return;
    const std::optional<Place> d = f.operands.destination(f.cursor.operand(0), Type::U32);
    const std::optional<Place> a = f.operands.source(f.cursor.operand(1), *type);
    if (!d || !a)
        return;
    Place field = emit_op(f, Opcode::Bfe, *type, {*a, f.places.constant(kRankShift), f.places.constant(kRankBits)});
    if (*type == Type::U64)
        field = emit_resized(f, Type::U64, field, Type::U32, f.places.temporary(Type::U32));
    const Place own = f.places.temporary(Type::Pred);
    emit_compare(f, Sub::Eq, Type::U32, own, field, f.places.constant(0));
    const Place other = emit_op(f, Opcode::Sub, Type::U32, {field, f.places.constant(1)});
    emit_op(f, Opcode::Selp, Type::U32, {own_rank(f), other, own}, *d);
}

bool is_cluster_barrier(const ptx::Instruction& instruction) {
    return instruction.opcode == "barrier" && !instruction.modifiers.empty() &&
           instruction.modifiers.front() == "cluster";
}

// barrier.cluster.arrive{.release|.relaxed}{.aligned};   barrier.cluster.wait{.acquire}{.aligned};
void select_cluster_barrier(FunctionLowering& f) {
    WordReader words(f.cursor.instruction());
    words.accept("cluster");
    const bool arrives = words.accept("arrive");
    const bool waits = !arrives && words.accept("wait");
    const bool is_relaxed = arrives && !words.accept("release") && words.accept("relaxed");
    if (waits)
        words.accept("acquire"); // without effect
    words.accept("aligned");
    if ((!arrives && !waits) || !words.is_at_end())
        return f.cursor.error(fmt::format("there are barrier.cluster.arrive{{.release|.relaxed}}{{.aligned}} and "
                                          "barrier.cluster.wait{{.acquire}}{{.aligned}}, not '{}'",
                                          f.cursor.text()));
    if (!f.cursor.count(0, 0))
        return;
    if (arrives && !is_relaxed)
        emit_release_to_cluster(f);
    MicroOp op = make_op(Opcode::Barrier);
    op.sub = arrives ? Sub::BarClusterArrive : Sub::BarClusterWait;
    f.emitter.emit(op);
}

} // namespace heddle::ir
