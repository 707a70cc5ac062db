#include "formation/lwm_config.h"

namespace heddle::formation {

std::span<const config::Parameter<LwmConfig>> LwmConfig::parameters() {
    using C = LwmConfig;
    static const config::Parameter<C> table[] = {
        {"size", &C::size, "threads", "1..2048", "threads of a large warp; it never spans two blocks",
         "LWM11 5; the limit to a block is assumed"},
        {"refetch", &C::refetch, "", "first-subwarp|all",
         "which sub-warps of an instruction must have completed before the large warp is fetched again; all of a "
         "conditional branch, call, return, exit, barrier or warp synchronisation",
         "LWM11 3.1 for first-subwarp, LWM10 3.1 for all"},
        {"miss", &C::miss, "", "subwarp|warp|stall",
         "threads of a sub-warp that missed are to be packed again (refetch = first-subwarp): the rest of the "
         "instruction is packed later and the front end goes on (subwarp), does not arise because an access to "
         "memory is complete with its last sub-warp (warp), or holds the front end (stall)",
         "assumed: LWM11 is silent"},
        {"jump_once", &C::jump_once, "", "", "an unconditional branch is one sub-warp", "LWM11 3.1, LWM10 3.1.2"},
        {"memory_rows", &C::memory_rows, "", "",
         "the sub-warps of an access to global memory are the rows of the mask, so that it stays coalesced",
         "LWM10 3.1.2"},
        {"pack_predicate", &C::pack_predicate, "", "", "threads whose guard is false are not packed", "LWM11 5.1"},
    };
    return table;
}

std::span<const stats::Statistic<LwmStats>> LwmStats::statistics() {
    using S = LwmStats;
    static const stats::Statistic<S> table[] = {
        {"instructions", &S::instructions, "instructions", "instructions of large warps"},
        {"sub_warps", &S::sub_warps, "sub-warps", "packed for them"},
        {"threads", &S::threads, "threads", "packed into sub-warps"},
        {"lanes", &S::lanes, "lanes", "that the sub-warps had"},
        {"fewest", &S::fewest, "sub-warps",
         "that would have held their threads, had every thread fitted in every lane"},
        {"jumps", &S::jumps, "instructions", "unconditional branches that took one sub-warp"},
        {"jump_sub_warps_saved", &S::jump_sub_warps_saved, "sub-warps", "that they would have taken beyond it"},
        {"early", &S::early, "instructions",
         "after which the large warp could be fetched with sub-warps still on their way"},
        {"residues", &S::residues, "events",
         "threads that waited for memory kept an instruction from being packed whole"},
    };
    return table;
}

std::span<const stats::Formula> LwmStats::formulas() {
    static const stats::Formula table[] = {
        {"packing_efficiency", "threads", "lanes", "lanes of sub-warps that held a thread"},
        {"sub_warps_per_instruction", "sub_warps", "instructions", "sub-warps an instruction was packed into"},
    };
    return table;
}

} // namespace heddle::formation

HEDDLE_CONFIG_SECTION(heddle::formation::LwmConfig, "large warps (core.formation = lwm)")
HEDDLE_STATISTICS(heddle::formation::LwmStats, "lwm", "large warps: how well their threads were packed")
