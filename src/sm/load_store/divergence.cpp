#include "sm/load_store/divergence.h"

#include <bit>

namespace heddle::sm {

Divergence::Divergence(const formation::Formation& formation, std::size_t flights, std::uint64_t lines, unsigned width,
                       const ViewsConfig& views)
    : formation_(formation), accesses_(flights), last_requests_(std::bit_ceil(4 * lines)),
      intervals_(views.interval, width) {}

void Divergence::hit(const warp::Flight& flight, Address line) {
    if (was_ahead(last_request_of(line), flight, line))
        ++stats_.helped;
}

void Divergence::missed(const warp::Flight& flight, unsigned index, Address line) {
    Access& access = accesses_[flight.id];
    access.missing |= std::uint64_t{1} << index;
    LastRequest& by = last_request_of(line);
    if (was_ahead(by, flight, line))
        ++stats_.helped_late;
    else
        by = {line, access.order & ((std::uint64_t{1} << 48) - 1), flight.group.part[0].row};
}

void Divergence::finish(warp::Flight& flight, Cycle now) {
    const warp::Group& group = flight.group;
    const bool divisible = flight.op->kind == ir::Kind::Load || flight.op->kind == ir::Kind::Store;
    for (unsigned p = 0; p < group.parts; ++p) // all threads of an atomic operation or fence wait
        flight.hit[p] = divisible ? group.part[p].lanes : 0;
    if (!divisible)
        return;
    const Access& access = accesses_[flight.id];
    unsigned missing = 0;
    for (unsigned t = 0; t < access.threads; ++t) {
        const Access::Need& need = access.needs[t];
        if ((access.missing & need.lines) == 0)
            continue;
        ++missing;
        for (unsigned p = 0; p < group.parts; ++p)
            if (group.part[p].row == need.row)
                flight.hit[p] &= ~(LaneMask{1} << need.lane);
    }
    if (missing == access.threads) // the other threads do not execute it: none hits
        flight.hit.fill(0);
    const bool divergent = warp::hits_in_part(flight);
    ++stats_.missed;
    intervals_.missed(missing, divergent, now);
    if (!divergent)
        return;
    ++stats_.divergent;
    ++stats_.degree[missing];
}

void Divergence::on_their_way(unsigned lines, Cycle now) {
    const Cycle passed = now - since_;
    stats_.on_their_way[std::min<std::size_t>(lines_, DivergenceStats::kMostLines)] += passed;
    stats_.line_cycles += passed * lines_;
    if (lines_ != 0) {
        stats_.busy_cycles += passed;
        intervals_.on_their_way(lines_, since_, now);
    }
    lines_ = lines;
    since_ = now;
}

std::span<const config::Parameter<ViewsConfig>> ViewsConfig::parameters() {
    using C = ViewsConfig;
    static const config::Parameter<C> table[] = {
        {"interval", &C::interval, "cycles", "1..1000000000",
         "length of the intervals in which divergent cache accesses are counted over time", "MAWS 4, Figure 2"},
    };
    return table;
}

std::span<const stats::Statistic<DivergenceStats>> DivergenceStats::statistics() {
    using S = DivergenceStats;
    static const stats::Statistic<S> table[] = {
        {"missed", &S::missed, "instructions", "loads and stores with a thread that missed"},
        {"divergent", &S::divergent, "instructions",
         "loads and stores with a thread that missed and a thread that hit"},
        {"degree", &S::degree, "instructions", "divergent accesses, by the number of threads that missed"},
        {"helped", &S::helped, "accesses", "hits on a line that a warp-split further ahead had requested"},
        {"helped_late", &S::helped_late, "accesses",
         "accesses to a line that a warp-split further ahead had requested and that was still on its way"},
        {"line_cycles", &S::line_cycles, "cycles", "lines on their way to the data cache, summed over the cycles"},
        {"busy_cycles", &S::busy_cycles, "cycles", "cycles with a line on its way to the data cache"},
        {"on_their_way", &S::on_their_way, "cycles", "cycles, by the number of lines on their way to the data cache"},
    };
    return table;
}

std::span<const stats::Formula> DivergenceStats::formulas() {
    static const stats::Formula table[] = {
        {"share_divergent", "divergent", "missed", "share of the accesses with a miss in which other threads hit"},
        {"mlp", "line_cycles", "busy_cycles",
         "memory-level parallelism: mean number of lines on their way in cycles with any"},
    };
    return table;
}

} // namespace heddle::sm

HEDDLE_CONFIG_SECTION(heddle::sm::ViewsConfig, "counters over time in RESULT.json; no effect on the simulation")
HEDDLE_STATISTICS(heddle::sm::DivergenceStats, "divergence",
                  "divergent accesses to the data cache (only with core.model = wpu or core.formation = maws)")
