// Cycle counts of thread block compaction on lwm11, worked out by hand (lwm11_timing_test.cpp explains the parts).

#include <gtest/gtest.h>

#include "kernel_run.h"

namespace heddle::runtime {
namespace {

constexpr Cycle kStart = 300;

// Two warps; threads 16 to 47 execute the add, so lanes 16 to 31 of the first and 0 to 15 of the second: one warp.
const char* const kIf = R"(
    mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 48; popc.b32 %r3, %r2; setp.ne.u32 %p1, %r3, 1;
    @%p1 bra J;
    add.u32 %r4, %r1, %r1;
J:  ret;)";

TEST(TbcTiming, AnIfOfTwoWarpsIsCompactedIntoOne) {
    const KernelRun run = run_kernel(kIf, 64, 1, {"core.formation=tbc"});
    EXPECT_EQ(run.result["totals"]["warp_instructions"], 5 * 2 + 1 + 2);
    EXPECT_EQ(run.result["totals"]["thread_instructions"], 4 * 64 + 32 + 32 + 64); // the branch: threads that take it
    // The branch is the fifth instruction: fetched at 328 and 329, the second warp's is written back at 335. The
    // compacted warp is fetched at 336 and comes to the end of the if at 342. The static warps are made at 343 and 344,
    // in these cycles fetched, and the second's ret is written back at 350.
    EXPECT_EQ(run.cycles, kStart + 51);
    EXPECT_EQ(run.counter("tbc", "branches"), 1U);
    EXPECT_EQ(run.counter("tbc", "divergent"), 1U);
    EXPECT_EQ(run.counter("tbc", "reconvergences"), 1U);
    EXPECT_EQ(run.counter("tbc", "warps"), 3U);
    EXPECT_EQ(run.counter("tbc", "threads"), 32U + 64U);
    EXPECT_EQ(run.counter("tbc", "warp_wait_cycles"), 1U); // the first waits for the second
    EXPECT_EQ(run.counter("tbc", "block_wait_cycles"), 1U);
    EXPECT_EQ(run.counter("tbc", "reconvergence_wait_cycles"), 0U);
}

TEST(TbcTiming, PdomNeedsTwo) {
    EXPECT_EQ(run_kernel(kIf, 64).result["totals"]["warp_instructions"], 5 * 2 + 2 + 2);
}

} // namespace
} // namespace heddle::runtime
