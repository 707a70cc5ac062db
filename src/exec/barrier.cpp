#include "exec/barrier.h"

#include <bit>
#include <cstring>
#include <optional>

#include <fmt/format.h>

namespace heddle::exec {

using ir::MicroOp;
using ir::Sub;
using warp::Group;
using warp::Outcome;

namespace {

bool reduces(Sub sub) {
    return sub == Sub::BarRedPopc || sub == Sub::BarRedAnd || sub == Sub::BarRedOr;
}

} // namespace

void Barriers::execute(const Group& group, const MicroOp& op, Outcome& outcome) const {
    outcome.kind = Outcome::Kind::Barrier;
    state_.take_by_guard(group, op, outcome);
    if (op.sub == Sub::BarArrive || op.sub == Sub::BarClusterArrive)
        for (unsigned p = 0; p < group.parts; ++p)
            outcome.taken[p] = 0;
}

Executor::BarrierUse Barriers::use(const Group& group) const {
    const MicroOp& op = state_.code().op(group.pc);
    std::optional<Executor::BarrierUse> use; // of the first thread with a true guard, which counts for all
    const std::span<const warp::Part> parts = parts_of(group);
    for (std::size_t p = 0; p < parts.size() && !use; ++p)
        state_.for_each_segment(parts.subspan(p, 1), op, [&](const Segment& s) {
            if (!use)
                use = use_of(op, group.pc, s);
        });
    return use.value_or(Executor::BarrierUse{reduces(op.sub), 0, 0});
}

Executor::BarrierUse Barriers::use_of(const MicroOp& op, Pc pc, const Segment& s) const {
    const auto lane = static_cast<unsigned>(std::countr_zero(s.mask));
    const auto value = [&](ir::Place place) {
        std::uint32_t v = 0;
        if (place != ir::kNowhere)
            std::memcpy(&v, source(place, s.frame, state_.pool()) + lane * sizeof v, sizeof v);
        return v;
    };
    const Executor::BarrierUse use{reduces(op.sub), value(op.src[0]), value(op.src[1])};
    if (use.number >= Executor::kBarriers)
        faults_.fault(Fault::Kind::Other, pc, s.row, s.lane(lane),
                      fmt::format("barrier {} does not exist: a block has barriers 0 to {}", use.number,
                                  Executor::kBarriers - 1));
    if (use.threads % kPtxWarp != 0)
        faults_.fault(Fault::Kind::Other, pc, s.row, s.lane(lane),
                      fmt::format("a barrier for {} threads: the number must be a multiple of the warp size, {}",
                                  use.threads, kPtxWarp));
    return use;
}

void Barriers::reduce(std::span<const warp::Waiting> waiting) const {
    std::uint32_t yes = 0;
    std::uint32_t all = 0;
    const auto for_each_reducing = [&](auto&& f) {
        for (const warp::Waiting& w : waiting)
            if (const MicroOp& op = state_.code().op(w.pc); reduces(op.sub))
                state_.for_each_segment({&w.part, 1}, op, [&](const Segment& s) { f(op, s); });
    };
    for_each_reducing([&](const MicroOp& op, const Segment& s) {
        const std::uint32_t bits = state_.predicate_bits(op.src[2], s.frame);
        yes += count_lanes((op.has(ir::kSourceNegated) ? ~bits : bits) & s.mask);
        all += count_lanes(s.mask);
    });
    for_each_reducing([&](const MicroOp& op, const Segment& s) {
        const bool holds = op.sub == Sub::BarRedAnd ? yes == all : yes != 0;
        if (op.sub != Sub::BarRedPopc)
            write_predicate(s.frame, op.dst[0], holds ? ~0U : 0, s.mask);
        else if (op.dst[0] != ir::kNowhere)
            rowops_.fill32(s.frame + op.dst[0], yes, s.mask);
    });
}

} // namespace heddle::exec
