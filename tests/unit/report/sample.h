// Two launches whose numbers are easy to add in one's head.
#pragma once

#include "report/result.h"
#include "stats/tree.h"

namespace heddle::report::test {

inline stats::Snapshot sample_stats() {
    struct Cache {
        std::uint64_t hits = 3, misses = 1;
        stats::Histogram ways{2, 1};
        static std::span<const stats::Statistic<Cache>> statistics() {
            static const stats::Statistic<Cache> table[] = {
                {"hits", &Cache::hits, "accesses", ""},
                {"misses", &Cache::misses, "accesses", ""},
                {"ways", &Cache::ways, "accesses", ""},
            };
            return table;
        }
        static std::span<const stats::Formula> formulas() {
            static const stats::Formula table[] = {{"hit_rate", "hits", "hits + misses", ""}};
            return table;
        }
    };
    const Cache cache;
    stats::Tree tree;
    tree.add("dcache", cache);
    return tree.snapshot();
}

// A machine of width 4: 10 cycles of which 6 issue, 2 slots of 4 lanes and 4 of 1.
inline KernelResult sample_kernel(std::string name) {
    return {std::move(name),
            {2, 1, 1},
            {8, 1, 1},
            12,
            4,
            "threads",
            true,
            {10, 6, 11, {4, 4, 0, 0, 2}, {{"memory", 3}, {"barrier", 1}}, sample_stats()},
            0,
            640};
}

inline RunResult sample_run() {
    RunResult run;
    run.program = "sample";
    run.machine = "lwm11";
    run.config = {{"core.formation", {"pdom", "command line"}}, {"core.width", {"4", "machines/lwm11.toml:7"}}};
    run.kernels = {sample_kernel("first"), sample_kernel("second"), sample_kernel("first")};
    run.host = {0.5, 45000000};
    return run;
}

} // namespace heddle::report::test
