// What threads execute, and what the best order of it would save, of kernels whose paths are known (docs/oracle.md).

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernel_run.h"
#include "oracle/study.h"
#include "report/thread_traces.h"

namespace heddle::runtime {
namespace {

using probe::IssuedRun;
using probe::LaunchTrace;
using probe::StraightRun;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

// Warps of four threads.
RunSetup traced(ThreadTraceOptions what = {}) {
    RunSetup setup{.settings = {"core.width=4"}};
    setup.options.functional = true;
    setup.options.thread_traces = what;
    return setup;
}

std::vector<LaunchTrace> traces(const KernelRun& run) {
    return report::read_thread_traces(run.thread_traces);
}

// Two threads take the if; all meet at a barrier; thread t runs the loop t times, but once at least; thread 1 leaves
// before the end. PCs on the left.
const std::string kPaths = R"(
/* 0 */     mov.u32 %r1, %tid.x;
/* 1 */     setp.ge.u32 %p1, %r1, 2;
/* 2 */     @%p1 bra after;
/* 3 */     add.u32 %r2, %r1, 1;
/* 4 */     add.u32 %r2, %r2, 1;
        after:
/* 5 */     bar.sync 0;
/* 6 */     mov.u32 %r3, 0;
        again:
/* 7 */     add.u32 %r3, %r3, 1;
/* 8 */     setp.lt.u32 %p2, %r3, %r1;
/* 9 */     @%p2 bra again;
/* 10 */    setp.eq.u32 %p3, %r1, 1;
/* 11 */    @%p3 ret;
/* 12 */    mov.u32 %r4, %r3;
/* 13 */    ret;)";

TEST(ThreadTraces, RunsEndAtJumpsAndBarriers) {
    const std::vector<LaunchTrace> launches = traces(run_kernel_on(traced(), kPaths, 4));
    ASSERT_THAT(launches, SizeIs(1));
    EXPECT_EQ(launches[0].kernel, "k");
    EXPECT_FALSE(launches[0].cut);
    ASSERT_THAT(launches[0].warps, SizeIs(1));
    const probe::WarpTrace& warp = launches[0].warps[0];
    ASSERT_THAT(warp.threads, SizeIs(4));
    EXPECT_THAT(warp.threads[0], ElementsAre(StraightRun{0, 6, 0}, StraightRun{6, 8, 1}));
    EXPECT_THAT(warp.threads[1], ElementsAre(StraightRun{0, 6, 0}, StraightRun{6, 6, 1}));
    EXPECT_THAT(warp.threads[2],
                ElementsAre(StraightRun{0, 3, 0}, StraightRun{5, 1, 0}, StraightRun{6, 4, 1}, StraightRun{7, 7, 1}));
    EXPECT_THAT(warp.threads[3], ElementsAre(StraightRun{0, 3, 0}, StraightRun{5, 1, 0}, StraightRun{6, 4, 1},
                                             StraightRun{7, 3, 1}, StraightRun{7, 7, 1}));
}

TEST(ThreadTraces, WhatTheWarpIssuedAndInWhichOrder) {
    const KernelRun run = run_kernel_on(traced(), kPaths, 4);
    const std::vector<LaunchTrace> launches = traces(run);
    const probe::WarpTrace& warp = launches.at(0).warps.at(0);
    EXPECT_THAT(warp.order,
                ElementsAre(IssuedRun{{0, 3, 0}, 0b1111}, IssuedRun{{3, 2, 0}, 0b0011}, IssuedRun{{5, 1, 0}, 0b1111},
                            IssuedRun{{6, 4, 1}, 0b1111}, IssuedRun{{7, 3, 1}, 0b1100}, IssuedRun{{7, 3, 1}, 0b1000},
                            IssuedRun{{10, 2, 1}, 0b1111}, IssuedRun{{12, 2, 1}, 0b1101}));
    EXPECT_EQ(warp.issued, 3U + 2 + 1 + 4 + 3 + 3 + 2 + 2);
    EXPECT_EQ(run.result["totals"]["warp_instructions"], warp.issued);
    // The third thread's loop and the first one's if have to be issued, and that is all that pdom does.
    const oracle::Tally found = oracle::study(launches[0]).total;
    EXPECT_EQ(found.oracle, 20U);
    EXPECT_EQ(found.at_least, 20U);
    EXPECT_EQ(found.thread_instructions, (6U + 8) + (6 + 6) + (3 + 1 + 4 + 7) + (3 + 1 + 4 + 3 + 7));
}

// Blocks of 6 threads are warps of 4 and 2. Of three blocks the first 9 threads are two warps and the begin of a third.
TEST(ThreadTraces, TheFirstThreadsOfALaunch) {
    const std::string body =
        "mov.u32 %r1, %tid.x;\n setp.lt.u32 %p1, %r1, 3;\n @%p1 bra out;\n mov.u32 %r2, 1;\nout: ret;";
    const std::vector<LaunchTrace> launches = traces(run_kernel_on(traced({.threads = 9}), body, 6, 3));
    ASSERT_THAT(launches.at(0).warps, SizeIs(3));
    const auto& warps = launches[0].warps;
    EXPECT_EQ(warps[0].first_thread, 0U);
    EXPECT_THAT(warps[0].threads, SizeIs(4));
    EXPECT_EQ(warps[1].first_thread, 4U);
    EXPECT_THAT(warps[1].threads, SizeIs(2));
    EXPECT_EQ(warps[2].first_thread, 6U);
    EXPECT_EQ(warps[2].block, 1U);
    EXPECT_THAT(warps[2].threads, SizeIs(3));
    EXPECT_EQ(warps[0].issued, 5U);
    EXPECT_EQ(warps[2].issued, 4U) << "what the warp issues for its fourth thread alone is not counted";
}

TEST(ThreadTraces, AfterTheLimitNothingIsKept) {
    RunSetup setup = traced({.runs = 7});
    setup.launches = 2;
    const std::vector<LaunchTrace> launches = traces(run_kernel_on(setup, kPaths, 4));
    ASSERT_THAT(launches, SizeIs(2));
    // The first instruction makes four runs of threads and one of the warp, the if a sixth, the barrier the others.
    EXPECT_TRUE(launches[0].cut);
    const probe::WarpTrace& warp = launches[0].warps.at(0);
    EXPECT_THAT(warp.order,
                ElementsAre(IssuedRun{{0, 3, 0}, 0b1111}, IssuedRun{{3, 2, 0}, 0b0011}, IssuedRun{{5, 1, 0}, 0b1111}));
    EXPECT_EQ(warp.issued, 6U);
    EXPECT_THAT(warp.threads[0], ElementsAre(StraightRun{0, 6, 0}));
    EXPECT_TRUE(launches[1].cut);
    EXPECT_THAT(launches[1].warps, IsEmpty());
}

// DWF07 Figure 7: i from tid % 2 to 127; six instructions of the loop and five more where i is odd.
const std::string kPathological = R"(
    mov.u32 %r1, %tid.x;
    and.b32 %r2, %r1, 1;
again:
    and.b32 %r3, %r2, 1;
    setp.eq.u32 %p1, %r3, 0;
    @%p1 bra next;
    add.u32 %r4, %r4, 1; add.u32 %r4, %r4, 1; add.u32 %r4, %r4, 1; add.u32 %r4, %r4, 1; add.u32 %r4, %r4, 1;
next:
    add.u32 %r2, %r2, 1;
    setp.lt.u32 %p2, %r2, 128;
    @%p2 bra again;
    ret;)";

// pdom issues the if in each of 128 iterations: one half of the threads or the other takes it, in the last one the even
// threads alone. An iteration behind, all take it together in every second one: the even threads' own path.
TEST(Oracle, ThePathologicalLoop) {
    const std::vector<LaunchTrace> launches = traces(run_kernel_on(traced(), kPathological, 16));
    const oracle::LaunchStudy found = oracle::study(launches.at(0));
    ASSERT_THAT(found.warps, SizeIs(4));
    for (const oracle::Tally& warp : found.warps) {
        EXPECT_EQ(warp.pdom, 2U + 128 * (6 + 5) + 1);
        EXPECT_EQ(warp.oracle, 2U + 64 * 6 + 64 * (6 + 5) + 1);
        EXPECT_EQ(warp.in_pairs, warp.oracle);
        EXPECT_EQ(warp.at_least, warp.oracle);
        // The odd threads do without the first iteration.
        EXPECT_EQ(warp.thread_instructions, 4 * warp.oracle - 2 * 6);
    }
    EXPECT_EQ(found.total.best_warps, 4U);
}

// The loop with a barrier in each iteration (as bitonic sort has it, DWF07 3.3): no thread gets ahead of another.
TEST(Oracle, BarriersHoldThreadsTogether) {
    std::string body = kPathological;
    body.replace(body.find("next:"), 5, "next: bar.sync 0;");
    body.replace(body.find("and.b32 %r2, %r1, 1;"), 20, "mov.u32 %r2, 0;");
    body.replace(body.find("and.b32 %r3, %r2, 1;"), 20, "xor.b32 %r3, %r2, %r1; and.b32 %r3, %r3, 1;");
    const oracle::Tally found = oracle::study(traces(run_kernel_on(traced(), body, 16)).at(0)).total;
    EXPECT_EQ(found.pdom, 4 * (2U + 128 * (8 + 5) + 1));
    EXPECT_EQ(found.oracle, found.pdom);
    EXPECT_EQ(found.at_least, found.pdom);
}

std::uint64_t lanes_issued(const KernelRun& run) {
    const auto slots = run.result["kernels"][0]["active_lanes"].get<std::vector<std::uint64_t>>();
    std::uint64_t sum = 0;
    for (std::size_t lanes = 0; lanes < slots.size(); ++lanes)
        sum += lanes * slots[lanes];
    return sum;
}

// Threads of random loops and ifs: whatever the oracle finds lies between its bounds, and what was traced is what ran.
TEST(Oracle, BetweenTheBoundAndPdom) {
    const std::string body = R"(
        mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mad.lo.u32 %r1, %r2, 64, %r1;
        mul.lo.u32 %r3, %r1, 2654435761; shr.u32 %r4, %r3, 26; add.u32 %r4, %r4, 1;
    again:
        mad.lo.u32 %r3, %r3, 1664525, 1013904223; shr.u32 %r5, %r3, 30;
        setp.eq.u32 %p1, %r5, 0; @%p1 bra one;
        setp.eq.u32 %p1, %r5, 1; @%p1 bra two;
        add.u32 %r6, %r6, 1; add.u32 %r6, %r6, 1; bra next;
    one:
        add.u32 %r6, %r6, 3; add.u32 %r6, %r6, 3; add.u32 %r6, %r6, 3;
    two:
        add.u32 %r6, %r6, 5;
    next:
        sub.u32 %r4, %r4, 1; setp.ne.u32 %p2, %r4, 0; @%p2 bra again;
        ret;)";
    for (const char* width : {"core.width=8", "core.width=32", "core.width=64"}) {
        RunSetup setup = traced();
        setup.settings = {width};
        const KernelRun run = run_kernel_on(setup, body, 64, 2);
        const oracle::LaunchStudy found = oracle::study(traces(run).at(0));
        EXPECT_EQ(found.total.pdom, run.result["totals"]["warp_instructions"]);
        EXPECT_EQ(found.total.thread_instructions, lanes_issued(run)) << "whatever their guards";
        for (const oracle::Tally& warp : found.warps) {
            EXPECT_LE(warp.at_least, warp.oracle);
            EXPECT_LE(warp.oracle, warp.pdom);
        }
        EXPECT_LT(found.total.oracle, found.total.pdom);
    }
}

TEST(ThreadTraces, WhatIsNoTraceIsRefused) {
    EXPECT_THROW((void)report::read_thread_traces(""), UserError);
    EXPECT_THROW((void)report::read_thread_traces("[{}]"), UserError);
    EXPECT_THROW((void)report::read_thread_traces(
                     R"([{"kernel":"k","grid":[1,1,1],"block":[1,1,1],"cut":false,"warps":[)"
                     R"({"block":0,"first_thread":0,"issued":0,"threads":[[5,0,0]],"order":[]}]}])"),
                 UserError);
}

// The first was found by tests/fuzz/targets/traces.cpp.
TEST(ThreadTraces, NumbersThatAreNotWholeOrDoNotFitAreRefused) {
    for (const char* first : {"44294967295000000000", "4294967296", "-1", "1.5", "true"})
        EXPECT_THROW(
            (void)report::read_thread_traces(R"([{"kernel":"k","grid":[1,1,1],"block":[1,1,1],"cut":false,"warps":[)"
                                             R"({"block":0,"first_thread":0,"issued":1,"threads":[[)" +
                                             std::string(first) + R"(,1,0]],"order":[]}]}])"),
            UserError)
            << first;
}

// Found by tests/fuzz/targets/traces.cpp: a number took its memory for the barriers up to it.
TEST(ThreadTraces, MoreBarriersThanRunsBeforeAreRefused) {
    const auto read = [](const std::string& threads, const std::string& order) {
        return report::read_thread_traces(R"([{"kernel":"k","grid":[1,1,1],"block":[1,1,1],"cut":false,"warps":[)"
                                          R"({"block":0,"first_thread":0,"issued":1,"threads":[[)" +
                                          threads + "]],\"order\":[" + order + "]}]}]");
    };
    EXPECT_EQ(read("0,1,0,1,1,1", "0,1,0,1,1,1,1,1").front().warps.front().threads.front().size(), 2U);
    EXPECT_THROW((void)read("0,1,4042322160", ""), UserError);
    EXPECT_THROW((void)read("0,1,0,1,1,2", ""), UserError);
    EXPECT_THROW((void)read("0,1,0", "0,1,1,1"), UserError);
}

} // namespace
} // namespace heddle::runtime
