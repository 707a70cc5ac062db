#include "formation/tbc_config.h"

namespace heddle::formation {

std::span<const config::Parameter<TbcConfig>> TbcConfig::parameters() {
    using C = TbcConfig;
    static const config::Parameter<C> table[] = {
        {"block", &C::block, "threads", "0..2048",
         "threads of a compaction block, which lies in one thread block; 0: the whole thread block",
         "LWM11 5.1 has 256"},
    };
    return table;
}

std::span<const stats::Statistic<TbcStats>> TbcStats::statistics() {
    using S = TbcStats;
    static const stats::Statistic<S> table[] = {
        {"branches", &S::branches, "branches", "branches at which the warps of a compaction block synchronised"},
        {"divergent", &S::divergent, "branches", "synchronised branches at which threads diverged"},
        {"reconvergences", &S::reconvergences, "events",
         "stack entries popped when all warps had come to the reconvergence point"},
        {"warps", &S::warps, "warps", "warps made by compaction"},
        {"threads", &S::threads, "threads", "threads of the compacted warps"},
        {"lanes", &S::lanes, "lanes", "lanes of the compacted warps"},
        {"warp_wait_cycles", &S::warp_wait_cycles, "cycles",
         "wait of each warp at a branch for the last warp of its block, summed over warps"},
        {"block_wait_cycles", &S::block_wait_cycles, "cycles",
         "time from the first to the last warp of a block at a branch, summed over branches"},
        {"reconvergence_wait_cycles", &S::reconvergence_wait_cycles, "cycles",
         "wait of each warp at a reconvergence point for the last warp, summed over warps"},
    };
    return table;
}

std::span<const stats::Formula> TbcStats::formulas() {
    static const stats::Formula table[] = {
        {"packing_efficiency", "threads", "lanes", "share of the lanes of compacted warps that had a thread"},
        {"mean_block_wait", "block_wait_cycles", "branches",
         "mean time from the first to the last warp of a block at a branch, in cycles"},
    };
    return table;
}

} // namespace heddle::formation

HEDDLE_CONFIG_SECTION(heddle::formation::TbcConfig, "thread block compaction (core.formation = tbc)")
HEDDLE_STATISTICS(heddle::formation::TbcStats, "tbc", "thread block compaction: compacted warps, waits at branches")
