// Barriers of a block: who waits, at which, and reductions over those who do.
#include <bit>
#include <cstring>

#include "exec/executor_impl.h"

namespace heddle::exec {

using ir::MicroOp;
using ir::Sub;
using warp::Group;
using warp::Outcome;
using warp::Part;

void Executor::Impl::barrier(const Group& group, const MicroOp& op, Outcome& outcome) {
    outcome.kind = Outcome::Kind::Barrier;
    take_by_guard(group, op, outcome);
    if (op.sub == Sub::BarArrive)
        for (unsigned p = 0; p < group.parts; ++p)
            outcome.taken[p] = 0;
}

Executor::BarrierUse Executor::barrier_use(const Group& group) const {
    const Impl& x = *impl_;
    const MicroOp& op = x.ops[group.pc];
    BarrierUse use{op.sub, 0, 0};
    bool first = true;
    x.for_each_segment(Impl::parts_of(group), op, [&](const Segment& s) {
        if (!first)
            return;
        first = false;
        const auto value = [&](ir::Place place) {
            std::uint32_t v = 0;
            const auto lane = static_cast<unsigned>(std::countr_zero(s.mask));
            if (place != ir::kNowhere)
                std::memcpy(&v, source(place, s.frame, x.pool) + lane * sizeof v, sizeof v);
            return v;
        };
        use.number = value(op.src[0]);
        use.threads = value(op.src[1]);
    });
    return use;
}

void Executor::execute_barrier_reduction(Pc pc, std::span<const Part> threads) {
    Impl& x = *impl_;
    const MicroOp& op = x.ops[pc];
    std::uint32_t yes = 0;
    const unsigned all = x.for_each_segment(threads, op, [&](const Segment& s) {
        const std::uint32_t bits = x.predicate_bits(op.src[2], s.frame);
        yes += count_lanes((op.has(ir::kSourceNegated) ? ~bits : bits) & s.mask);
    });
    const bool holds = op.sub == Sub::BarRedAnd ? yes == all : yes != 0;
    x.for_each_segment(threads, op, [&](const Segment& s) {
        if (op.sub != Sub::BarRedPopc)
            Impl::write_predicate(s.frame, op.dst[0], holds ? ~0U : 0, s.mask);
        else if (op.dst[0] != ir::kNowhere)
            x.rowops.fill32(s.frame + op.dst[0], yes, s.mask);
    });
}

} // namespace heddle::exec
