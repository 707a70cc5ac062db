#include "sm/core.h"

namespace heddle::sm {

std::span<const stats::Statistic<CoreStats>> CoreStats::statistics() {
    using S = CoreStats;
    static const stats::Statistic<S> table[] = {
        {"cycles", &S::cycles, "cycles", "simulated cycles"},
        {"warp_instructions", &S::warp_instructions, "instructions", "issue slots that carried an instruction"},
        {"thread_instructions", &S::thread_instructions, "instructions",
         "instructions by threads whose guard was true"},
        {"barriers", &S::barriers, "releases", "barriers that let their threads go on"},
        {"blocks", &S::blocks, "blocks", "thread blocks that ran to their end"},
        {"active_lanes", &S::active_lanes, "slots", "issue slots by the number of their lanes"},
    };
    return table;
}

} // namespace heddle::sm

HEDDLE_STATISTICS(heddle::sm::CoreStats, "core", "what the core executed")
