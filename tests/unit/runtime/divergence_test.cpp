// What is counted of branches and of divergent accesses, of kernels whose branches and accesses one can count by hand;
// and the views of it: MAWS Table 2 and Figure 2.

#include <gtest/gtest.h>

#include "kernel_run.h"

namespace heddle::runtime::test {
namespace {

// Of each warp: a branch whose threads go both ways, one that all take, a loop of three iterations, and a loop of one
// iteration for even threads and two for odd ones: 1 + 1 + 3 + 2 conditional branches, two of them in no loop, two (the
// first one, and the last loop's first) divergent.
const std::string kBranches = R"(
    mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 1; mov.u32 %r3, 0; mov.u32 %r4, 0;
    setp.eq.u32 %p1, %r2, 0; @%p1 bra A;
    add.u32 %r5, %r5, 1;
A:  setp.lt.u32 %p2, %r1, 1000; @%p2 bra B;
    add.u32 %r5, %r5, 1;
B:  add.u32 %r3, %r3, 1; setp.lt.u32 %p3, %r3, 3; @%p3 bra B;
C:  add.u32 %r4, %r4, 1; setp.le.u32 %p4, %r4, %r2; @%p4 bra C;
    ret;)";

struct Branches {
    std::uint64_t all, non_loop, divergent;
    bool operator==(const Branches&) const = default;
};

Branches branches_of(const RunSetup& setup, std::uint32_t threads) {
    const KernelRun run = run_kernel_on(setup, kBranches, threads);
    return {run.counter("core", "conditional_branches"), run.counter("core", "non_loop_branches"),
            run.counter("core", "divergent_branches")};
}

TEST(ConditionalBranches, AreCountedByWarp) {
    const Branches two_warps{14, 4, 4};
    EXPECT_EQ(branches_of({.machine = "lwm11"}, 64), two_warps);
    EXPECT_EQ(branches_of({.machine = "gtx480"}, 64), two_warps);
    EXPECT_EQ(branches_of({.machine = "maws-bulk"}, 16), two_warps); // 8 lanes
    RunSetup untimed;
    untimed.options.functional = true;
    EXPECT_EQ(branches_of(untimed, 64), two_warps);
}

// Threads by themselves do not diverge: 5 branches each, of the last loop 1 or 2, of 64 threads.
TEST(ConditionalBranches, AreCountedByThreadUnderMimd) {
    EXPECT_EQ(branches_of({.settings = {"core.formation=mimd"}}, 64), (Branches{64 * 5 + 32 * 1 + 32 * 2, 64 * 2, 0}));
}

// Under `serial` the two sides of the first branch never meet again: from there on each warp has two units, that of the
// even threads with 1 + 3 + 1 branches and that of the odd ones with 1 + 3 + 2.
TEST(ConditionalBranches, AreCountedByIssueSlot) {
    EXPECT_EQ(branches_of({.settings = {"core.formation=serial"}}, 64), (Branches{2 * (1 + 5 + 6), 2 * 3, 2}));
}

// A warp of 8 and lines of 32 bytes. All threads miss line 0; threads 5 to 7 miss a line each, the others hit line 0;
// threads 1 to 4 miss a line each, the others hit; all hit; threads 4 to 7 miss in a store, the others hit.
const std::string kAccesses = R"(
    ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; mov.u32 %r9, 0;
    ld.global.u32 %r4, [%rd1];
    setp.ge.u32 %p1, %r1, 5; selp.u32 %r2, %r1, 0, %p1; mad.wide.u32 %rd2, %r2, 32, %rd1; ld.global.u32 %r4, [%rd2];
    mad.wide.u32 %rd3, %r1, 32, %rd1; ld.global.u32 %r4, [%rd3];
    ld.global.u32 %r4, [%rd3];
    setp.ge.u32 %p1, %r1, 4; selp.u32 %r2, %r1, 0, %p1; add.u32 %r3, %r2, 8; selp.u32 %r2, %r3, 0, %p1;
    mad.wide.u32 %rd4, %r2, 32, %rd1; st.global.u32 [%rd4], %r9;
    ret;)";

KernelRun accesses(const std::vector<std::string>& settings, unsigned launches = 1, std::uint32_t blocks = 1,
                   const std::string& machine = "maws-bulk") {
    return run_kernel_on({.machine = machine, .settings = settings, .launches = launches}, kAccesses, 8, blocks);
}

const nlohmann::json& rows_of(const KernelRun& run) {
    return run.result.at("views").at("divergence").at("rows");
}

TEST(DivergentAccesses, AreCountedByTheThreadsThatMiss) {
    const KernelRun run = accesses({"gpu.sms=1"});
    EXPECT_EQ(run.counter("divergence", "missed"), 4U);
    EXPECT_EQ(run.counter("divergence", "divergent"), 3U);
    ASSERT_EQ(rows_of(run).size(), 1U);
    const auto& row = rows_of(run)[0];
    EXPECT_EQ(run.result["views"]["divergence"]["interval"], 1000000);
    EXPECT_EQ(row["missed"], 4);
    EXPECT_EQ(row["divergent"], 3);
    EXPECT_EQ(row["degree"], nlohmann::json({0, 0, 0, 1, 2, 0, 0, 0, 0}));
    EXPECT_EQ(row["most_lines"], 4); // all of an access, before its first has come
    // A miss takes 300 cycles and more, and there are 1 + 3 + 4 + 4 of them.
    const double line_cycles = row["mean_lines"].get<double>() * static_cast<double>(run.cycles);
    EXPECT_NEAR(line_cycles, static_cast<double>(run.counter("divergence", "line_cycles")), 1e-6);
    EXPECT_GT(line_cycles, 12 * 300);
}

TEST(DivergentAccesses, TheOtherMachinesHaveNoSuchViews) {
    const KernelRun run = accesses({}, 1, 1, "lwm11");
    EXPECT_FALSE(run.result["views"].contains("table2"));
    EXPECT_FALSE(run.result["views"].contains("divergence"));
    const KernelRun maws = accesses({"core.formation=maws"}, 1, 1, "lwm11");
    EXPECT_TRUE(maws.result["views"].contains("divergence"));
}

// The first miss is seen in some cycle t: an interval of t + 1 cycles ends with it, one of t cycles before it.
TEST(DivergentAccesses, AnIntervalEndsInTheCycleBeforeItsMultiple) {
    const KernelRun cycles = accesses({"gpu.sms=1", "views.interval=1"});
    ASSERT_LT(cycles.cycles, 4096U); // so that no intervals are merged
    ASSERT_EQ(rows_of(cycles).size(), cycles.cycles);
    std::uint64_t t = 0;
    while (rows_of(cycles)[t]["missed"] == 0)
        ++t;
    ASSERT_GT(t, 1U);
    const KernelRun within = accesses({"gpu.sms=1", "views.interval=" + std::to_string(t + 1)});
    EXPECT_EQ(rows_of(within)[0]["missed"], 1);
    const KernelRun behind = accesses({"gpu.sms=1", "views.interval=" + std::to_string(t)});
    EXPECT_EQ(rows_of(behind)[0]["missed"], 0);
    EXPECT_EQ(rows_of(behind)[1]["missed"], 1);
    EXPECT_EQ(rows_of(behind)[1]["cycle"], t);
    EXPECT_EQ(within.cycles, cycles.cycles); // what is simulated does not depend on it
}

// Four blocks of a warp go to the four SMs, which do the same: four times the counts. The second launch, whose data
// caches have been flushed, does so again, later on the clock of the run: in intervals as long as the first one, in the
// second.
TEST(DivergentAccesses, AreOfAllSmsAndLaunches) {
    const auto first = accesses({}, 1, 4).cycles;
    const KernelRun run = accesses({"views.interval=" + std::to_string(first)}, 2, 4);
    const auto& rows = rows_of(run);
    const auto second = run.result["kernels"][1]["cycles"].get<std::uint64_t>();
    ASSERT_EQ(run.result["kernels"][0]["cycles"], first);
    ASSERT_LE(second, first); // its instructions are there
    ASSERT_EQ(rows.size(), 2U);
    for (const auto& row : rows) {
        EXPECT_EQ(row["missed"], 4 * 4);
        EXPECT_EQ(row["degree"], nlohmann::json({0, 0, 0, 4, 8, 0, 0, 0, 0}));
        EXPECT_EQ(row["most_lines"], 4); // to one cache
    }
    EXPECT_EQ(rows[1]["cycle"], first);
    const double line_cycles = rows[0]["mean_lines"].get<double>() * static_cast<double>(first) +
                               rows[1]["mean_lines"].get<double>() * static_cast<double>(second);
    EXPECT_NEAR(line_cycles, static_cast<double>(run.counter("divergence", "line_cycles")), 1e-6);
}

TEST(Table2, IsOfAMillionCyclesOfAnSm) {
    const KernelRun run = accesses({}, 1, 4);
    const auto cycles = run.result["totals"]["cycles"].get<double>();
    EXPECT_EQ(run.counter("core", "cycles"), run.result["totals"]["cycles"].get<std::uint64_t>() * 4);
    const auto& rates = run.result["views"]["table2"];
    EXPECT_DOUBLE_EQ(rates["cache_misses"], 4e6 / cycles); // 4 accesses with a miss on each SM
    EXPECT_DOUBLE_EQ(rates["divergent_accesses"], 3e6 / cycles);
    EXPECT_EQ(rates["non_loop_branches"], 0);

    const KernelRun branches = run_kernel_on({.machine = "maws-bulk"}, kBranches, 8, 4); // a warp on each SM
    EXPECT_DOUBLE_EQ(branches.result["views"]["table2"]["non_loop_branches"],
                     2e6 / branches.result["totals"]["cycles"].get<double>());
    EXPECT_DOUBLE_EQ(branches.result["views"]["table2"]["divergent_branches"],
                     2e6 / branches.result["totals"]["cycles"].get<double>());
}

} // namespace
} // namespace heddle::runtime::test
