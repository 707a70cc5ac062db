#include "formation/maws_config.h"

namespace heddle::formation {

std::span<const config::Parameter<MawsConfig>> MawsConfig::parameters() {
    using C = MawsConfig;
    static const config::Parameter<C> table[] = {
        {"split", &C::split, "", "none|aggress|lazy|latspec",
         "when a warp-split is divided after an access with hits and misses. none: never; aggress: at once; lazy: when "
         "no other can run; latspec: at once, if all other work is expected to take less time than the miss",
         "MAWS 5.2, 5.4.2, 5.4.3"},
        {"loop_bypass", &C::loop_bypass, "", "",
         "warp-splits do not wait for each other at branches whose threads only leave for the reconvergence point",
         "MAWS 5.5"},
        {"loop_push", &C::loop_push, "", "first|divergent",
         "when the branch of a loop enters the stack, so that loop_bypass detects the loop. first: at its first "
         "execution; divergent: when it diverges",
         "MAWS 5.5, 7.1: inferred"},
        {"memory_latency", &C::memory_latency, "cycles", "0..1000000",
         "latency that a warp-split expects of its first miss", "assumed: the memory's, MAWS Tables 3, 4"},
        {"inherit_mfc", &C::inherit_mfc, "", "",
         "threads that run ahead inherit the miss-free cycles of the divided warp-split (which counts them twice: "
         "sum-rMFC grows without bound, and latspec soon divides no more); false: they start with 0",
         "assumed: MAWS 5.4.1, the fall-behind keeps the table entry"},
    };
    return table;
}

std::span<const stats::Statistic<MawsStats>> MawsStats::statistics() {
    using S = MawsStats;
    static const stats::Statistic<S> table[] = {
        {"divergent", &S::divergent, "instructions", "accesses to the data cache with some hits and some misses"},
        {"splits", &S::splits, "warp-splits", "warp-splits divided into run-ahead and fall-behind threads"},
        {"merges_at_access", &S::merges_at_access, "merges",
         "merges with a warp-split that was ready after the same access"},
        {"merges_waiting", &S::merges_waiting, "merges", "merges with a warp-split that waited for the same access"},
        {"merges_at_branch", &S::merges_at_branch, "merges", "merges with a warp-split that waited at the same branch"},
        {"merges_at_barrier", &S::merges_at_barrier, "merges", "merges of warp-splits that one barrier released"},
        {"met", &S::met, "warp-splits", "warp-splits that came to a reconvergence point before others of their warp"},
        {"parked", &S::parked, "warp-splits",
         "warp-splits that had to wait for the rest of their warp at a conditional branch"},
        {"bypassed", &S::bypassed, "warp-splits", "warp-splits that passed the branch of a loop without a wait"},
        {"returns_behind", &S::returns_behind, "warp-splits",
         "warp-splits that were behind others of their warp when their data came"},
        {"run_ahead", &S::run_ahead, "instructions",
         "instructions between the foremost warp-split and one that is behind when its data come, summed over "
         "returns_behind"},
        {"present", &S::present, "warp-splits", "warp-splits of the SM at each division, summed over the divisions"},
        {"splits_of_warp", &S::splits_of_warp, "warp-splits", "divisions, by the number of warp-splits of the warp"},
        {"splits_of_sm", &S::splits_of_sm, "warp-splits", "divisions, by the number of warp-splits of the SM"},
    };
    return table;
}

std::span<const stats::Formula> MawsStats::formulas() {
    static const stats::Formula table[] = {
        {"mean_run_ahead", "run_ahead", "returns_behind",
         "mean number of instructions that a warp-split was behind when its data came"},
        {"mean_present", "present", "splits", "mean number of warp-splits of the SM at a division"},
        {"share_divided", "splits", "divergent",
         "share of the divergent accesses after which the warp-split was divided"},
    };
    return table;
}

} // namespace heddle::formation

HEDDLE_CONFIG_SECTION(heddle::formation::MawsConfig, "warp subdivision (core.formation = maws)")
HEDDLE_STATISTICS(heddle::formation::MawsStats, "maws", "warp subdivision at divergent cache accesses")
