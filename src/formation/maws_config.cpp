#include "formation/maws_config.h"

namespace heddle::formation {

std::span<const config::Parameter<MawsConfig>> MawsConfig::parameters() {
    using C = MawsConfig;
    static const config::Parameter<C> table[] = {
        {"split", &C::split, "", "none|aggress|lazy|latspec",
         "when a warp-split whose access hits in part is divided: never; at once; when no other can run; at once if "
         "what "
         "all others have to execute is expected to take less time than the miss",
         "MAWS 5.2, 5.4.2, 5.4.3"},
        {"loop_bypass", &C::loop_bypass, "", "",
         "warp-splits do not wait for each other at branches that only leave for the reconvergence point", "MAWS 5.5"},
        {"loop_push", &C::loop_push, "", "first|divergent",
         "when a loop's branch enters the stack, which loop_bypass knows it by: when it is first executed, or when it "
         "diverges",
         "MAWS 5.5, 7.1: inferred"},
        {"memory_latency", &C::memory_latency, "cycles", "0..1000000",
         "latency that a warp-split expects before its first miss", "assumed: the memory's, MAWS Tables 3, 4"},
        {"inherit_mfc", &C::inherit_mfc, "", "",
         "threads that run ahead start with the miss-free cycles of the warp-split that was divided, not with none: "
         "they "
         "are counted twice then, sum-rMFC grows for ever, and latspec soon divides no more",
         "assumed: MAWS 5.4.1, the fall-behind keeps the table entry"},
    };
    return table;
}

std::span<const stats::Statistic<MawsStats>> MawsStats::statistics() {
    using S = MawsStats;
    static const stats::Statistic<S> table[] = {
        {"divergent", &S::divergent, "instructions", "divergent cache accesses: some of the threads missed"},
        {"splits", &S::splits, "warp-splits", "that were divided into run-ahead and fall-behind threads"},
        {"merges_at_access", &S::merges_at_access, "merges", "with a warp-split that stood behind the same access"},
        {"merges_waiting", &S::merges_waiting, "merges", "with a warp-split that waited for the same access"},
        {"merges_at_branch", &S::merges_at_branch, "merges", "with a warp-split that waited at the same branch"},
        {"merges_at_barrier", &S::merges_at_barrier, "merges", "of warp-splits that one barrier let go on"},
        {"met", &S::met, "warp-splits", "that came to a reconvergence point before others of their warp"},
        {"parked", &S::parked, "warp-splits", "that had to wait for the rest of their warp at a conditional branch"},
        {"bypassed", &S::bypassed, "warp-splits", "that did not, at the branch of a loop"},
        {"returns_behind", &S::returns_behind, "warp-splits", "whose data came when others of their warp were ahead"},
        {"run_ahead", &S::run_ahead, "instructions", "that the foremost was ahead of them then, summed"},
        {"present", &S::present, "warp-splits", "that the SM had when one was divided, summed"},
        {"splits_of_warp", &S::splits_of_warp, "warp-splits", "divided, by those that the warp had then"},
        {"splits_of_sm", &S::splits_of_sm, "warp-splits", "divided, by those that the SM had then"},
    };
    return table;
}

std::span<const stats::Formula> MawsStats::formulas() {
    static const stats::Formula table[] = {
        {"mean_run_ahead", "run_ahead", "returns_behind",
         "instructions that a warp-split was behind when its data came"},
        {"mean_present", "present", "splits", "warp-splits that the SM had when one was divided"},
        {"share_divided", "splits", "divergent", "warp-splits divided, a divergent access"},
    };
    return table;
}

} // namespace heddle::formation

HEDDLE_CONFIG_SECTION(heddle::formation::MawsConfig, "warp subdivision (core.formation = maws)")
HEDDLE_STATISTICS(heddle::formation::MawsStats, "maws", "warp subdivision at divergent cache accesses")
