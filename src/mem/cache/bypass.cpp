#include "mem/cache/bypass.h"

#include "config/choices.h"

namespace heddle::mem {

Bypasses& bypasses() {
    return config::choices<Bypasses>("bypass policy", "bypass");
}

std::span<const stats::Statistic<BypassStats>> BypassStats::statistics() {
    using S = BypassStats;
    static const stats::Statistic<S> table[] = {
        {"accesses", &S::accesses, "accesses", "line look-ups of loads that were to bypass; those that hit included"},
        {"bypasses", &S::bypasses, "lines", "lines that were fetched for them without a way"},
        {"merges", &S::merges, "accesses", "line look-ups that joined such a line on its way"},
        {"kept", &S::kept, "lines",
         "such lines that entered the cache after all: an access that does not bypass joined them"},
    };
    return table;
}

std::span<const stats::Formula> BypassStats::formulas() {
    return {};
}

} // namespace heddle::mem

HEDDLE_STATISTICS(heddle::mem::BypassStats, "dcache_bypass", "loads that bypass the data caches")
