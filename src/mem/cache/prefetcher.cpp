#include "mem/cache/prefetcher.h"

#include "config/choices.h"

namespace heddle::mem {

Prefetchers& prefetchers() {
    return config::choices<Prefetchers>("prefetcher");
}

std::span<const stats::Statistic<PrefetchStats>> PrefetchStats::statistics() {
    using S = PrefetchStats;
    static const stats::Statistic<S> table[] = {
        {"issued", &S::issued, "lines", "prefetches that were sent for"},
        {"useful", &S::useful, "lines", "of these, those that had come when an instruction first asked for them"},
        {"late", &S::late, "lines", "those that were on their way then: the access waited as one that merges"},
        {"useless", &S::useless, "lines", "those that left the cache before an instruction asked for them"},
        {"dropped_there", &S::dropped_there, "lines", "asked for, but there or on their way"},
        {"dropped_mshr", &S::dropped_mshr, "lines", "asked for with one free MSHR entry or none: that is for misses"},
        {"dropped_way", &S::dropped_way, "lines", "asked for when every way of the set was reserved"},
        {"dropped_port", &S::dropped_port, "lines", "asked for when the way to memory had no room to spare"},
    };
    return table;
}

std::span<const stats::Formula> PrefetchStats::formulas() {
    static const stats::Formula table[] = {
        {"accuracy", "useful+late", "issued", "share of the prefetches that an instruction has asked for"},
    };
    return table;
}

} // namespace heddle::mem

HEDDLE_STATISTICS(heddle::mem::PrefetchStats, "icache_prefetch", "prefetches of instruction caches")
HEDDLE_STATISTICS(heddle::mem::PrefetchStats, "ccache_prefetch", "prefetches of constant caches")
HEDDLE_STATISTICS(heddle::mem::PrefetchStats, "tcache_prefetch", "prefetches of texture caches")
HEDDLE_STATISTICS(heddle::mem::PrefetchStats, "dcache_prefetch", "prefetches of data caches")
HEDDLE_STATISTICS(heddle::mem::PrefetchStats, "llc_prefetch", "prefetches of the last level, all slices")
