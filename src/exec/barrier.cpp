// Barriers of a block: who waits, at which, and reductions over those who do.
#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "exec/executor_impl.h"

namespace heddle::exec {

using ir::MicroOp;
using ir::Sub;
using warp::Group;
using warp::Outcome;

void Executor::Impl::barrier(const Group& group, const MicroOp& op, Outcome& outcome) {
    outcome.kind = Outcome::Kind::Barrier;
    take_by_guard(group, op, outcome);
    if (op.sub == Sub::BarArrive)
        for (unsigned p = 0; p < group.parts; ++p)
            outcome.taken[p] = 0;
}

namespace {

bool reduces(Sub sub) {
    return sub == Sub::BarRedPopc || sub == Sub::BarRedAnd || sub == Sub::BarRedOr;
}

} // namespace

Executor::BarrierUse Executor::barrier_use(const Group& group) const {
    const Impl& x = *impl_;
    const MicroOp& op = x.ops[group.pc];
    BarrierUse use{reduces(op.sub), 0, 0};
    bool known = false; // the first thread speaks for all
    const auto ask = [&](const Segment& s) {
        if (known)
            return;
        known = true;
        const auto lane = static_cast<unsigned>(std::countr_zero(s.mask));
        const auto value = [&](ir::Place place) {
            std::uint32_t v = 0;
            if (place != ir::kNowhere)
                std::memcpy(&v, source(place, s.frame, x.pool) + lane * sizeof v, sizeof v);
            return v;
        };
        use.number = value(op.src[0]);
        use.threads = value(op.src[1]);
        if (use.number >= kBarriers)
            x.fault(Fault::Kind::Other, group.pc, s.row, s.lane(lane),
                    fmt::format("barrier {} does not exist: a block has barriers 0 to {}", use.number, kBarriers - 1));
        if (use.threads % kPtxWarp != 0)
            x.fault(Fault::Kind::Other, group.pc, s.row, s.lane(lane),
                    fmt::format("a barrier for {} threads: the number must be a multiple of the warp size, {}",
                                use.threads, kPtxWarp));
    };
    const std::span<const warp::Part> parts = Impl::parts_of(group);
    for (std::size_t p = 0; p < parts.size() && !known; ++p)
        x.for_each_segment(parts.subspan(p, 1), op, ask);
    return use;
}

void Executor::execute_barrier_reduction(std::span<const warp::Waiting> waiting) {
    Impl& x = *impl_;
    std::uint32_t yes = 0;
    std::uint32_t all = 0;
    const auto for_each_reducing = [&](auto&& f) {
        for (const warp::Waiting& w : waiting)
            if (const MicroOp& op = x.ops[w.pc]; reduces(op.sub))
                x.for_each_segment({&w.part, 1}, op, [&](const Segment& s) { f(op, s); });
    };
    for_each_reducing([&](const MicroOp& op, const Segment& s) {
        const std::uint32_t bits = x.predicate_bits(op.src[2], s.frame);
        yes += count_lanes((op.has(ir::kSourceNegated) ? ~bits : bits) & s.mask);
        all += count_lanes(s.mask);
    });
    for_each_reducing([&](const MicroOp& op, const Segment& s) {
        const bool holds = op.sub == Sub::BarRedAnd ? yes == all : yes != 0;
        if (op.sub != Sub::BarRedPopc)
            Impl::write_predicate(s.frame, op.dst[0], holds ? ~0U : 0, s.mask);
        else if (op.dst[0] != ir::kNowhere)
            x.rowops.fill32(s.frame + op.dst[0], yes, s.mask);
    });
}

} // namespace heddle::exec
