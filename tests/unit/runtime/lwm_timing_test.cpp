// Cycle counts of large warps on lwm11, worked out by hand. lwm11_timing_test.cpp explains what they are made of; here
// a sub-warp that is decoded at d writes back at d + 5, its memory stage is at d + 4, and the sub-warps of an
// instruction fetched at f are decoded at f + 1, f + 2, ...

#include <gtest/gtest.h>

#include "kernel_run.h"

namespace heddle::runtime {
namespace {

constexpr Cycle kStart = 300;

// Eight instructions, the last one ret, in one line of the instruction cache.
const char* const kChain = R"(
    mov.u32 %r1, 1;
    add.u32 %r1, %r1, %r1; add.u32 %r1, %r1, %r1; add.u32 %r1, %r1, %r1;
    add.u32 %r1, %r1, %r1; add.u32 %r1, %r1, %r1; add.u32 %r1, %r1, %r1;
    ret;)";

KernelRun run_lwm(const std::string& body, std::uint32_t threads, std::vector<std::string> settings) {
    settings.insert(settings.begin(), {"core.formation=lwm", "lwm.size=" + std::to_string(threads)});
    return run_kernel(body, threads, 1, settings);
}

TEST(LwmTiming, FourSubWarpsAreFetchedAgainAfterTheFirst) {
    // The first writes back at f + 6: an instruction every 7 cycles. The last of ret is decoded at f + 4 and writes
    // back at f + 9.
    EXPECT_EQ(run_lwm(kChain, 128, {}).cycles, kStart + 7 * 7 + 9 + 1);
}

TEST(LwmTiming, EightSubWarpsFillThePipeline) {
    // The last is decoded at f + 8, when the first has completed: an instruction every 8 cycles.
    EXPECT_EQ(run_lwm(kChain, 256, {}).cycles, kStart + 7 * 8 + (8 + 5) + 1);
}

TEST(LwmTiming, RefetchAllWaitsForTheLast) {
    // Four: it writes back at f + 4 + 5; eight: at f + 8 + 5.
    EXPECT_EQ(run_lwm(kChain, 128, {"lwm.refetch=all"}).cycles, kStart + 7 * 10 + 9 + 1);
    EXPECT_EQ(run_lwm(kChain, 256, {"lwm.refetch=all"}).cycles, kStart + 7 * 14 + 13 + 1);
}

TEST(LwmTiming, AJumpTakesOneSlotAndRetiresForAll) {
    const std::string body = "mov.u32 %r1, 1; bra L; L: add.u32 %r1, %r1, %r1; ret;";
    const KernelRun once = run_lwm(body, 256, {});
    EXPECT_EQ(once.result["totals"]["warp_instructions"], 8 + 1 + 8 + 8);
    EXPECT_EQ(once.result["totals"]["thread_instructions"], 4 * 256);
    EXPECT_EQ(once.cycles, kStart + 8 + 7 + 8 + (8 + 5) + 1); // the jump's one sub-warp writes back at f + 6
    EXPECT_EQ(once.counter("lwm", "jump_sub_warps_saved"), 7U);
    const KernelRun all = run_lwm(body, 256, {"lwm.jump_once=false"});
    EXPECT_EQ(all.result["totals"]["warp_instructions"], 4 * 8);
    EXPECT_EQ(all.result["totals"]["thread_instructions"], 4 * 256);
    EXPECT_EQ(all.cycles, kStart + 3 * 8 + (8 + 5) + 1);
}

TEST(LwmTiming, PackingByPredicate) {
    // The guard is true in every second row, then in no row: four sub-warps and an empty one.
    const std::string body = "mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 32; setp.eq.u32 %p1, %r2, 0;\n"
                             "@%p1 add.u32 %r3, %r1, %r1; setp.eq.u32 %p2, %r1, 5000; @%p2 add.u32 %r3, %r1, %r1; ret;";
    const KernelRun packed = run_lwm(body, 256, {});
    EXPECT_EQ(packed.result["totals"]["warp_instructions"], 8 + 8 + 8 + 4 + 8 + 1 + 8);
    EXPECT_EQ(packed.result["totals"]["thread_instructions"], 5 * 256 + 128);
    const KernelRun plain = run_lwm(body, 256, {"lwm.pack_predicate=false"});
    EXPECT_EQ(plain.result["totals"]["warp_instructions"], 7 * 8);
    EXPECT_EQ(plain.result["totals"]["thread_instructions"], 5 * 256 + 128);
}

// Rows 0 to 2 have loaded their lines; then all four rows load, and row 3 misses when the first sub-warp is through and
// the large warp has been fetched again.
//   the second load is fetched at f = 643: the first is fetched at 300 + 4 * 7 = 328, its sub-warps ask at 333 .. 335,
//   the row is closed, the lines come at 633, 637, 641 and are written back a cycle later; fetched again at 642 + 1.
//   Row 3 asks at f + 8, hits the row, comes at f + 108 and is written back at f + 109.
TEST(LwmTiming, AMissBehindTheFirstSubWarp) {
    const std::string body = "ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; mad.wide.u32 %rd2, %r1, 4, %rd1;\n"
                             "setp.lt.u32 %p1, %r1, 96; @%p1 ld.global.u32 %r2, [%rd2+4096];\n"
                             "ld.global.u32 %r3, [%rd2+4096]; add.u32 %r4, %r1, %r1; ret;";
    constexpr Cycle kSecond = 643;
    // The add is fetched at f + 7 and packs rows 0 to 2 until f + 10; row 3's residue is fetched at f + 110, decoded at
    // f + 111 and written back at f + 116. ret is fetched when the residue is decoded, packs rows 0 to 2 until f + 114
    // and the interlocked row 3 at f + 117.
    const KernelRun subwarp = run_lwm(body, 128, {});
    EXPECT_EQ(subwarp.cycles, kSecond + 117 + 5 + 1);
    EXPECT_EQ(subwarp.counter("lwm", "residues"), 1U);
    EXPECT_EQ(subwarp.result["stalls"]["interlock"], 2); // f + 115, f + 116
    // The add holds the front end from f + 11 until row 3 is written back, and packs it at f + 110: all a cycle
    // earlier.
    const KernelRun stall = run_lwm(body, 128, {"lwm.miss=stall"});
    EXPECT_EQ(stall.cycles, kSecond + 116 + 5 + 1);
    EXPECT_EQ(stall.counter("lwm", "residues"), 0U);
    EXPECT_EQ(stall.result["stalls"]["interlock"], 99 + 2);
    // The load is complete with row 3; the add is fetched at f + 110 and ret 7 cycles later.
    const KernelRun warp = run_lwm(body, 128, {"lwm.miss=warp"});
    EXPECT_EQ(warp.cycles, kSecond + 117 + 9 + 1);
    EXPECT_EQ(warp.counter("lwm", "residues"), 0U);
}

} // namespace
} // namespace heddle::runtime
