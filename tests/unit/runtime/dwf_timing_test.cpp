// Cycles of dynamic warp formation on machine `lwm11`, by hand: see lwm11_timing_test.cpp for how they are counted. An
// instruction takes one stage more (DWF07 6), eight cycles from fetch to fetch.

#include <gtest/gtest.h>

#include "kernel_run.h"

namespace heddle::runtime {
namespace {

constexpr Cycle kStart = 300;
constexpr Cycle kStages = 8;

// Seven dependent instructions and ret: one line of the instruction cache.
const char* const kChain = R"(
    mov.u32 %r1, 1;
    add.u32 %r1, %r1, %r1; add.u32 %r1, %r1, %r1; add.u32 %r1, %r1, %r1;
    add.u32 %r1, %r1, %r1; add.u32 %r1, %r1, %r1; add.u32 %r1, %r1, %r1;
    ret;)";

KernelRun run_dwf(const std::string& body, std::uint32_t threads, std::uint32_t blocks = 1,
                  std::vector<std::string> settings = {}) {
    settings.insert(settings.begin(), {"core.formation=dwf", "core.scheduler=dmaj"});
    return run_kernel(body, threads, blocks, settings);
}

TEST(DwfTiming, OneMoreStage) {
    EXPECT_EQ(run_dwf(kChain, 32).cycles, kStart + 8 * kStages);
    EXPECT_EQ(run_dwf(kChain, 32, 1, {"dwf.extra_stages=0"}).cycles, kStart + 8 * 7);
}

// Four blocks of eight threads. Any lane will do: they are one warp from the first instruction on. With conflicts its
// four threads of a home lane take four register-file cycles, three more.
TEST(DwfTiming, ThreadsOfOneHomeLaneTakeARegisterCycleEach) {
    EXPECT_EQ(run_dwf(kChain, 8, 4, {"dwf.lanes=ideal", "dwf.swizzle=false"}).cycles, kStart + 8 * kStages);
    EXPECT_EQ(run_dwf(kChain, 8, 4, {"dwf.lanes=conflict", "dwf.swizzle=false"}).cycles, kStart + 8 * (kStages + 3));
}

// The home lanes of odd rows are swapped in pairs: two threads of eight lanes each, four in a lane still.
TEST(DwfTiming, LaneAwareWarpsOfTheSameLanesDoNotMerge) {
    // Four warps, one a cycle: the last is fetched three cycles behind the first in each round of eight.
    const KernelRun run = run_dwf(kChain, 8, 4);
    EXPECT_EQ(run.cycles, kStart + 8 * kStages + 3);
    EXPECT_EQ(run.counter("dwf", "merged"), 0U);
}

// A warp of which some threads miss waits as a whole: what the first load brought in does not help lanes 0 to 15.
TEST(DwfTiming, APartialMissPutsTheWholeWarpAside) {
    const std::string body = "ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; shr.u32 %r1, %r1, 4;\n"
                             "mad.wide.u32 %rd2, %r1, 128, %rd1; ld.global.u32 %r2, [%rd1+4096];\n"
                             "ld.global.u32 %r2, [%rd2+4096]; ret;";
    // Five cheap instructions; a line of a closed row, 300 cycles after the memory stage; then lanes 0 to 15 hit and
    // the others request, in the second cycle of the memory stage, a line of the open row, 100 cycles.
    const KernelRun run = run_dwf(body, 32);
    EXPECT_EQ(run.cycles, kStart + 5 * kStages + (6 + 300 + 2) + (6 + 1 + 100 + 2));
    EXPECT_EQ(run.counter("core", "warp_instructions"), 7U);
}

// A function with a barrier, called at two or four places: behind the barrier all threads are one warp, whose return
// goes to as many PCs. The update registers take two of them a cycle (DWF07 4.2, footnote 4).
TEST(DwfTiming, FourReturnAddressesHoldThePipelineForACycle) {
    const auto stalled = [](unsigned places) {
        RunSetup setup{.settings = {"core.formation=dwf", "core.scheduler=dmaj"},
                       .globals = ".func f()\n{\nbar.sync 0;\nret;\n}\n"};
        const std::string two = "@%p1 bra odd;\ncall f, (); exit;\nodd: call f, (); exit;\n";
        const std::string four =
            "@%p2 bra high;\n" + two + "high: @%p1 bra highodd;\ncall f, (); exit;\nhighodd: call f, (); exit;\n";
        const KernelRun run = run_kernel_on(setup,
                                            "mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 1; setp.ne.u32 %p1, %r2, 0;\n"
                                            "and.b32 %r2, %r1, 2; setp.ne.u32 %p2, %r2, 0;\n" +
                                                (places == 4 ? four : two),
                                            32);
        EXPECT_EQ(run.result["stalls"]["tables"], run.counter("dwf", "stall_cycles"));
        return run.counter("dwf", "stall_cycles");
    };
    EXPECT_EQ(stalled(2), 0U);
    EXPECT_EQ(stalled(4), 1U);
}

// Each cycle has one cause, also where the front end or the whole pipeline stands still: divergent loops with loads and
// calls, on a machine with conflicts in its register file, and on one whose misses take the write-back stage.
TEST(DwfTiming, SlotCausesAddUpToTheCycles) {
    const std::string body =
        "ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; mov.u32 %r5, %ctaid.x; mad.lo.u32 %r1, %r5, 96, %r1;\n"
        "mad.wide.u32 %rd2, %r1, 4, %rd1; and.b32 %r2, %r1, 7;\n"
        "loop: and.b32 %r3, %r2, 1; setp.eq.u32 %p1, %r3, 0; @%p1 bra even;\n"
        "ld.global.u32 %r4, [%rd2]; add.u32 %r4, %r4, 1; st.global.u32 [%rd2], %r4; call f, (); bra next;\n"
        "even: call f, ();\n"
        "next: add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 20; @%p1 bra loop; bar.sync 0; ret;";
    for (const char* const machine : {"lwm11", "dwf07"})
        for (const char* const lanes : {"aware", "ideal", "conflict"}) {
            const KernelRun run = run_kernel_on({.machine = machine,
                                                 .settings = {"core.formation=dwf", "core.scheduler=dmaj", "gpu.sms=1",
                                                              "dwf.lanes=" + std::string(lanes)},
                                                 .globals = ".func f()\n{\nret;\n}\n"},
                                                body, 96, 6);
            std::uint64_t slots = 0;
            for (const auto& [cause, n] : run.result["stalls"].items())
                slots += n.get<std::uint64_t>();
            EXPECT_EQ(slots, run.cycles) << machine << ", " << lanes;
            EXPECT_EQ(run.result["stalls"]["registers"] != 0, std::string_view(lanes) == "conflict") << machine;
            // Thread t adds one in each odd iteration from t % 8 to 19: those of 1, 3, ... 19.
            for (unsigned t = 0; t < 6 * 96; ++t)
                ASSERT_EQ(run.words[t], 10 - t % 8 / 2) << machine << ", " << lanes << ", thread " << t;
        }
}

// 32 threads load a word each: those of lanes 0 to 15 from a line that is in the cache, the others from one that is
// not. Memory takes 300 cycles. The kernel lies in one line of the
// I-cache. With dwf.miss = unit all wait for it; with thread only those that missed do.
TEST(DwfTiming, ThreadsThatHitNeedNotWaitForThoseThatMiss) {
    const std::string body = "ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; mad.wide.u32 %rd2, %r1, 8, %rd1;\n"
                             "ld.global.u32 %r2, [%rd1+4096]; add.u32 %r2, %r2, %r2;\n" // the line of lanes 0 to 15
                             "mov.u64 %rd3, %clock64; ld.global.u32 %r4, [%rd2+4096]; add.u32 %r4, %r4, %r2;\n"
                             "mov.u64 %rd4, %clock64; sub.u64 %rd4, %rd4, %rd3; st.global.u32 [%rd2], %rd4; ret;";
    for (const bool thread : {false, true}) {
        const KernelRun run =
            run_kernel_on({.settings = {"core.formation=dwf", "core.scheduler=dmaj", "icache.line=256",
                                        std::string("dwf.miss=") + (thread ? "thread" : "unit")}},
                          body, 32);
        for (unsigned t = 0; t < 32; ++t) {
            if (thread && t < 16)
                EXPECT_LT(run.words[2 * t], 100U) << t;
            else
                EXPECT_GE(run.words[2 * t], 100U) << t;
        }
    }
}

} // namespace
} // namespace heddle::runtime
