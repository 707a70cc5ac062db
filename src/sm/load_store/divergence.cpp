#include "sm/load_store/divergence.h"

#include <bit>

namespace heddle::sm {

Divergence::Divergence(const formation::Formation& formation, std::size_t flights, std::uint64_t lines, unsigned width,
                       const ViewsConfig& views)
    : formation_(formation), accesses_(flights), brought_(std::bit_ceil(4 * lines)), intervals_(views.interval, width) {
}

void Divergence::hit(const warp::Flight& flight, Address line) {
    if (was_ahead(brought(line), flight, line))
        ++stats_.helped;
}

void Divergence::missed(const warp::Flight& flight, unsigned index, Address line) {
    Access& access = accesses_[flight.id];
    access.missing |= std::uint64_t{1} << index;
    Brought& by = brought(line);
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
        if ((access.missing >> need.line & 1) == 0)
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
         "divergent cache accesses are counted over time by intervals of so many cycles", "MAWS 4, Figure 2"},
    };
    return table;
}

std::span<const stats::Statistic<DivergenceStats>> DivergenceStats::statistics() {
    using S = DivergenceStats;
    static const stats::Statistic<S> table[] = {
        {"missed", &S::missed, "instructions", "loads and stores of which some thread missed"},
        {"divergent", &S::divergent, "instructions", "of these, those of which other threads did not: divergent"},
        {"degree", &S::degree, "instructions", "divergent accesses by the threads that missed"},
        {"helped", &S::helped, "accesses", "hits on a line that a warp-split further ahead had sent for"},
        {"helped_late", &S::helped_late, "accesses", "such lines that were still on their way"},
        {"line_cycles", &S::line_cycles, "cycles", "lines on their way to the data cache, summed over the cycles"},
        {"busy_cycles", &S::busy_cycles, "cycles", "cycles in which there was one"},
        {"on_their_way", &S::on_their_way, "cycles", "by the lines that were on their way"},
    };
    return table;
}

std::span<const stats::Formula> DivergenceStats::formulas() {
    static const stats::Formula table[] = {
        {"share_divergent", "divergent", "missed", "accesses with a miss of which other threads hit"},
        {"mlp", "line_cycles", "busy_cycles", "memory-level parallelism: lines on their way while there is one"},
    };
    return table;
}

} // namespace heddle::sm

HEDDLE_CONFIG_SECTION(heddle::sm::ViewsConfig, "what is counted over time for RESULT.json; changes nothing else")
HEDDLE_STATISTICS(heddle::sm::DivergenceStats, "divergence",
                  "divergent cache accesses; only where a core looks at them (wpu, or core.formation = maws)")
