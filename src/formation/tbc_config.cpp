#include "formation/tbc_config.h"

namespace heddle::formation {

std::span<const config::Parameter<TbcConfig>> TbcConfig::parameters() {
    using C = TbcConfig;
    static const config::Parameter<C> table[] = {
        {"block", &C::block, "threads", "0..2048",
         "threads of a compaction block, which lies in one thread block; 0: the thread block", "LWM11 5.1 has 256"},
    };
    return table;
}

std::span<const stats::Statistic<TbcStats>> TbcStats::statistics() {
    using S = TbcStats;
    static const stats::Statistic<S> table[] = {
        {"branches", &S::branches, "branches", "at which the warps of a compaction block synchronised"},
        {"divergent", &S::divergent, "branches", "of these, those at which its threads parted"},
        {"reconvergences", &S::reconvergences, "events", "entries popped when all warps had come to their end"},
        {"warps", &S::warps, "warps", "made by compaction"},
        {"threads", &S::threads, "threads", "that they held when they were made"},
        {"lanes", &S::lanes, "lanes", "that they had"},
        {"warp_wait_cycles", &S::warp_wait_cycles, "cycles",
         "sum over warps, from executing a branch until the last warp of the block has"},
        {"block_wait_cycles", &S::block_wait_cycles, "cycles",
         "sum over branches, from the first warp's execution to the last's"},
        {"reconvergence_wait_cycles", &S::reconvergence_wait_cycles, "cycles",
         "sum over warps, from reaching a reconvergence point until the last warp has"},
    };
    return table;
}

std::span<const stats::Formula> TbcStats::formulas() {
    static const stats::Formula table[] = {
        {"packing_efficiency", "threads", "lanes", "lanes of compacted warps that held a thread"},
        {"mean_block_wait", "block_wait_cycles", "branches", "cycles a block waited at a branch"},
    };
    return table;
}

} // namespace heddle::formation

HEDDLE_CONFIG_SECTION(heddle::formation::TbcConfig, "thread block compaction (core.formation = tbc)")
HEDDLE_STATISTICS(heddle::formation::TbcStats, "tbc", "thread block compaction: warps made, waits at branches")
