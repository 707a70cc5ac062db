#include "mem/cache/prefetcher.h"

#include "config/choices.h"

namespace heddle::mem {

Prefetchers& prefetchers() {
    return config::choices<Prefetchers>("prefetcher");
}

std::span<const stats::Statistic<PrefetchStats>> PrefetchStats::statistics() {
    using S = PrefetchStats;
    static const stats::Statistic<S> table[] = {
        {"issued", &S::issued, "lines", "lines that were fetched ahead of a demand access"},
        {"useful", &S::useful, "lines", "of these, lines that had come when an instruction first accessed them"},
        {"late", &S::late, "lines", "lines that were on their way then: the access waited as one that merges"},
        {"useless", &S::useless, "lines", "lines that left the cache before an instruction accessed them"},
        {"dropped_there", &S::dropped_there, "lines", "requested by the prefetcher, but there or on their way"},
        {"dropped_mshr", &S::dropped_mshr, "lines",
         "requested with one free MSHR entry or none: the last one is for misses"},
        {"dropped_way", &S::dropped_way, "lines", "requested when every way of the set was reserved"},
        {"dropped_port", &S::dropped_port, "lines", "requested when the way to memory had no room to spare"},
    };
    return table;
}

std::span<const stats::Formula> PrefetchStats::formulas() {
    static const stats::Formula table[] = {
        {"accuracy", "useful+late", "issued", "share of the prefetches that an instruction has accessed"},
    };
    return table;
}

} // namespace heddle::mem

HEDDLE_STATISTICS(heddle::mem::PrefetchStats, "icache_prefetch", "prefetches of instruction caches")
HEDDLE_STATISTICS(heddle::mem::PrefetchStats, "ccache_prefetch", "prefetches of constant caches")
HEDDLE_STATISTICS(heddle::mem::PrefetchStats, "tcache_prefetch", "prefetches of texture caches")
HEDDLE_STATISTICS(heddle::mem::PrefetchStats, "dcache_prefetch", "prefetches of data caches")
HEDDLE_STATISTICS(heddle::mem::PrefetchStats, "llc_prefetch", "prefetches of the last level, all slices")
