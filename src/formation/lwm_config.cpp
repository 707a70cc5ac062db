#include "formation/lwm_config.h"

namespace heddle::formation {

std::span<const config::Parameter<LwmConfig>> LwmConfig::parameters() {
    using C = LwmConfig;
    static const config::Parameter<C> table[] = {
        {"size", &C::size, "threads", "1..2048", "threads of a large warp, which lies in one thread block",
         "LWM11 5; the limit to a block is assumed"},
        {"refetch", &C::refetch, "", "first-subwarp|all",
         "sub-warps of an instruction that must complete before the large warp is fetched again; always all for a "
         "conditional branch, call, return, exit, barrier or warp synchronisation",
         "LWM11 3.1 for first-subwarp, LWM10 3.1 for all"},
        {"miss", &C::miss, "", "subwarp|warp|stall",
         "packing of threads that missed (refetch = first-subwarp). subwarp: the rest of the instruction is packed "
         "later, and the front end continues; warp: not necessary, because an access completes with its last sub-warp; "
         "stall: the front end waits",
         "assumed: LWM11 is silent"},
        {"jump_once", &C::jump_once, "", "", "an unconditional branch takes one sub-warp", "LWM11 3.1, LWM10 3.1.2"},
        {"memory_rows", &C::memory_rows, "", "",
         "sub-warps of an access to global memory are the rows of the active mask, so that it stays coalesced",
         "LWM10 3.1.2"},
        {"pack_predicate", &C::pack_predicate, "", "", "threads whose guard is false are not packed", "LWM11 5.1"},
    };
    return table;
}

std::span<const stats::Statistic<LwmStats>> LwmStats::statistics() {
    using S = LwmStats;
    static const stats::Statistic<S> table[] = {
        {"instructions", &S::instructions, "instructions", "instructions of large warps"},
        {"sub_warps", &S::sub_warps, "sub-warps", "sub-warps of these instructions"},
        {"threads", &S::threads, "threads", "threads packed into sub-warps"},
        {"lanes", &S::lanes, "lanes", "lanes of the sub-warps"},
        {"fewest", &S::fewest, "sub-warps", "sub-warps that would be needed if every thread could take any lane"},
        {"jumps", &S::jumps, "instructions", "unconditional branches that took one sub-warp"},
        {"jump_sub_warps_saved", &S::jump_sub_warps_saved, "sub-warps",
         "sub-warps saved by unconditional branches that took one sub-warp"},
        {"early", &S::early, "instructions",
         "instructions after which the large warp could be fetched again while sub-warps were still on their way"},
        {"residues", &S::residues, "events",
         "instructions of which a part was packed later, because threads waited for memory"},
    };
    return table;
}

std::span<const stats::Formula> LwmStats::formulas() {
    static const stats::Formula table[] = {
        {"packing_efficiency", "threads", "lanes", "share of the lanes of sub-warps that had a thread"},
        {"sub_warps_per_instruction", "sub_warps", "instructions", "mean number of sub-warps of an instruction"},
    };
    return table;
}

} // namespace heddle::formation

HEDDLE_CONFIG_SECTION(heddle::formation::LwmConfig, "large warps (core.formation = lwm)")
HEDDLE_STATISTICS(heddle::formation::LwmStats, "lwm", "large warps: packing of threads into sub-warps")
