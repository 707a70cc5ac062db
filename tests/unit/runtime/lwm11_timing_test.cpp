// Cycle counts of lwm11 worked out by hand from LWM11 Table 1 and docs/machine-files.md.
//
// Parts of the numbers below:
//   start      the first fetch misses in the instruction cache; its row is closed: 300 cycles. All instructions of a
//              line (8 of them) are there then, and the first is fetched in that cycle.
//   7          an instruction fetched at f writes back at f + 6; its unit is fetched again at f + 7.
//   memory     the memory stage is at f + 5. A line requested there at m and delivered at m + L writes back at
//              m + L + 1 and is fetched again at m + L + 2: an instruction that misses takes 5 + L + 2 cycles.
//   a launch's cycles are its last write-back's cycle + 1.

#include <gtest/gtest.h>

#include "kernel_run.h"

namespace heddle::runtime {
namespace {

constexpr Cycle kStart = 300;
constexpr Cycle kStages = 7;

// Seven dependent instructions and ret: one line of the instruction cache.
const char* const kChain = R"(
    mov.u32 %r1, 1;
    add.u32 %r1, %r1, %r1; add.u32 %r1, %r1, %r1; add.u32 %r1, %r1, %r1;
    add.u32 %r1, %r1, %r1; add.u32 %r1, %r1, %r1; add.u32 %r1, %r1, %r1;
    ret;)";

TEST(Lwm11Timing, DependentChainOfOneWarp) {
    EXPECT_EQ(run_kernel(kChain, 32).cycles, kStart + 8 * kStages);
}

TEST(Lwm11Timing, SevenWarpsFillThePipeline) {
    // 56 instructions, one a cycle from cycle 300 on; the last needs its 7 cycles.
    EXPECT_EQ(run_kernel(kChain, 7 * 32).cycles, kStart + 56 - 1 + kStages);
}

TEST(Lwm11Timing, SixWarpsLeaveOneSlotInSevenFree) {
    // A round of 6 fetches takes 7 cycles; the last warp's last fetch is 5 cycles behind the first's.
    EXPECT_EQ(run_kernel(kChain, 6 * 32).cycles, kStart + 7 * kStages + 5 + kStages);
}

TEST(Lwm11Timing, ThirtyTwoWarpsIssueOneACycle) {
    EXPECT_EQ(run_kernel(kChain, 1024).cycles, kStart + 256 - 1 + kStages);
}

TEST(Lwm11Timing, TheNextLineOfInstructionsIsARowHit) {
    std::string body = "mov.u32 %r1, 1;\n";
    for (int i = 0; i < 14; ++i)
        body += "add.u32 %r1, %r1, %r1;\n";
    // 16 instructions, two lines: the ninth fetch waits 100 cycles.
    EXPECT_EQ(run_kernel(body + "ret;", 32).cycles, kStart + 16 * kStages + 100);
}

// The code's row lies in bank 0, and so does the first row of the buffer: data are taken from the second row, bank 1.
const std::string kSecondRow = "ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; mad.wide.u32 %rd2, %r1, 4, %rd1;\n";

TEST(Lwm11Timing, LoadOfAClosedRow) {
    const std::string body = kSecondRow + "ld.global.u32 %r2, [%rd2+4096]; ret;";
    EXPECT_EQ(run_kernel(body, 32).cycles, kStart + 4 * kStages + (5 + 300 + 2));
}

TEST(Lwm11Timing, SecondLineOfTheRowHitsTheRow) {
    const std::string body = kSecondRow + "ld.global.u32 %r2, [%rd2+4096]; ld.global.u32 %r3, [%rd2+4224]; ret;";
    EXPECT_EQ(run_kernel(body, 32).cycles, kStart + 4 * kStages + (5 + 300 + 2) + (5 + 100 + 2));
}

TEST(Lwm11Timing, AnotherRowOfTheBankConflicts) {
    const std::string body = kSecondRow + "ld.global.u32 %r2, [%rd2+4096]; ld.global.u32 %r3, [%rd2+36864]; ret;";
    EXPECT_EQ(run_kernel(body, 32).cycles, kStart + 4 * kStages + 2 * (5 + 300 + 2)); // 36864 = 9 rows
}

TEST(Lwm11Timing, ALineThatIsThereTakesNoExtraCycle) {
    const std::string body = kSecondRow + "ld.global.u32 %r2, [%rd2+4096]; ld.global.u32 %r3, [%rd2+4096]; ret;";
    EXPECT_EQ(run_kernel(body, 32).cycles, kStart + 5 * kStages + (5 + 300 + 2));
}

TEST(Lwm11Timing, IdealMemoryHitsButKeepsThePort) {
    const std::string body = "ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; mad.wide.u32 %rd2, %r1, 128, %rd1;\n"
                             "ld.global.u32 %r2, [%rd2+4096]; ret;";
    const KernelRun run = run_kernel(body, 32, 1, {"dcache.ideal=true"});
    EXPECT_EQ(run.cycles, kStart + 5 * kStages + 31); // 32 lines, a port slot each
    EXPECT_EQ(run.result["stats"]["dcache"]["hits"], 32);
    EXPECT_EQ(run.result["stats"]["dram"]["reads"], 1); // the line of instructions
}

TEST(Lwm11Timing, AStoreMissFetchesItsLine) {
    const std::string body = kSecondRow + "st.global.u32 [%rd2+4096], %r1; ret;";
    const KernelRun waits = run_kernel(body, 32);
    EXPECT_EQ(waits.cycles, kStart + 4 * kStages + (5 + 300 + 2));
    const KernelRun goes_on = run_kernel(body, 32, 1, {"dcache.store_waits=false"});
    EXPECT_EQ(goes_on.cycles, kStart + 5 * kStages);
    for (const KernelRun& run : {waits, goes_on})
        EXPECT_EQ(run.result["stats"]["dram"]["reads"], 2); // instructions, and the line
}

// The load finds the line of the store before it on its way: requested at the store's memory stage, 7 cycles ago.
TEST(Lwm11Timing, ALoadBehindAStoreMissWaitsForItsLine) {
    const std::string body = kSecondRow + "st.global.u32 [%rd2+4096], %r1; ld.global.u32 %r2, [%rd2+4096]; ret;";
    const KernelRun run = run_kernel(body, 32, 1, {"dcache.store_waits=false"});
    EXPECT_EQ(run.cycles, kStart + 4 * kStages + (5 + 300 + 2));
    EXPECT_EQ(run.result["stats"]["dcache"]["merges"], 1);
    EXPECT_EQ(run.result["stats"]["dcache"]["misses"], 1);
    EXPECT_EQ(run.words[1024 + 5], 5U);
}

TEST(Lwm11Timing, LinesOfOneAccessStreamAtTheBusRate) {
    // 32 lines of one row: look-ups in 32 cycles, the first line after 300, the others every 128 B / 32 B = 4 cycles.
    const std::string body = "ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; mad.wide.u32 %rd2, %r1, 128, %rd1;\n"
                             "ld.global.u32 %r2, [%rd2+4096]; ret;";
    EXPECT_EQ(run_kernel(body, 32).cycles, kStart + 4 * kStages + (5 + 300 + 31 * 4 + 2));
}

TEST(Lwm11Timing, EachLineOfAHitTakesAPortSlot) {
    const std::string body = "ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; mad.wide.u32 %rd2, %r1, 128, %rd1;\n"
                             "ld.global.u32 %r2, [%rd2+4096]; ld.global.u32 %r2, [%rd2+4096]; ret;";
    EXPECT_EQ(run_kernel(body, 32).cycles, kStart + 4 * kStages + (5 + 300 + 31 * 4 + 2) + (kStages + 31));
}

TEST(Lwm11Timing, PortSlotsHoldThePipelineBehindThem) {
    // Two warps, the second a cycle behind: the first's second load holds the memory stage for 32 cycles and the
    // second's follows it there, 32 cycles more.
    const std::string body = "ld.param.u64 %rd1, [x]; mov.u32 %r1, %laneid; mad.wide.u32 %rd2, %r1, 128, %rd1;\n"
                             "ld.global.u32 %r2, [%rd2+4096]; bar.sync 0; ld.global.u32 %r2, [%rd2+4096]; ret;";
    const KernelRun run = run_kernel(body, 64);
    // Both warps leave the barrier in one cycle and are fetched at b and b + 1; the first reaches the memory stage at
    // b + 5, leaves it at b + 36, the second at b + 68; the second's ret takes 7 cycles more. The stalls of the first
    // load's look-ups are hidden behind its misses: 31 for the first warp, 31 for the second, 62 for the second loads.
    EXPECT_EQ(run.result["stalls"]["data_port"], 4 * 31);
}

TEST(Lwm11Timing, SharedMemoryBankConflictsSerialise) {
    const auto body = [](int stride) {
        return ".shared .align 4 .b8 s[8192];\n mov.u32 %r1, %tid.x; mov.u32 %r2, s;\n mad.lo.u32 %r3, %r1, " +
               std::to_string(stride) + ", %r2;\n ld.shared.u32 %r4, [%r3]; ret;";
    };
    EXPECT_EQ(run_kernel(body(4), 32).cycles, kStart + 5 * kStages);
    EXPECT_EQ(run_kernel(body(8), 32).cycles, kStart + 5 * kStages + 1);
    EXPECT_EQ(run_kernel(body(12), 32).cycles, kStart + 5 * kStages);
    EXPECT_EQ(run_kernel(body(128), 32).cycles, kStart + 5 * kStages + 31);
    EXPECT_EQ(run_kernel(body(0), 32).cycles, kStart + 5 * kStages);
}

TEST(Lwm11Timing, PrivateMemoryHasABankALane) {
    const std::string body =
        ".local .align 8 .b8 l[64];\n mov.u32 %r1, %tid.x; and.b32 %r1, %r1, 7; shl.b32 %r1, %r1, 2;\n"
        "mov.u32 %r2, l; add.u32 %r3, %r2, %r1; st.local.u32 [%r3], %r1; ld.local.u32 %r4, [%r3]; ret;";
    EXPECT_EQ(run_kernel(body, 32).cycles, kStart + 8 * kStages);
    const std::string wide = ".local .align 8 .b8 l[64];\n mov.u32 %r2, l; ld.local.u64 %rd1, [%r2]; ret;";
    EXPECT_EQ(run_kernel(wide, 32).cycles, kStart + 3 * kStages + 1); // two words of a bank
}

TEST(Lwm11Timing, LocalMemoryBeyondTheChipGoesThroughTheDataCache) {
    const std::string body = ".local .align 8 .b8 l[256];\n mov.u32 %r2, l; ld.local.u32 %r1, [%r2+128]; ret;";
    EXPECT_EQ(run_kernel(body, 32).cycles, kStart + 2 * kStages + (5 + 300 + 2));
}

TEST(Lwm11Timing, TheCacheKeepsItsLinesOverALongStream) {
    // 32 warps read 32 consecutive lines: all in one row. The first line comes 300 cycles after its look-up, the others
    // 4 cycles apart. Warp w's look-up is at s + w, long before its line's turn.
    const std::string body = kSecondRow + "ld.global.u32 %r2, [%rd2+4096]; ret;";
    // The load of warp 0 is its fourth instruction: fetched at 300 + 3 * 32, looked up 5 later. The last of 32 lines
    // comes 300 + 31 * 4 later; two cycles more and its ret is fetched, 7 more and all is over.
    EXPECT_EQ(run_kernel(body, 1024).cycles, kStart + 3 * 32 + 5 + 300 + 31 * 4 + 2 + 7);
}

TEST(Lwm11Timing, ABarrierReleasesAllWarpsAtOnce) {
    // Warps 0 and 1 fetch bar.sync at 300 and 301. The second arrives with its write-back at 307; both can be fetched
    // from 308 on: ret of warp 0 or 1 at 308, the other's at 309.
    EXPECT_EQ(run_kernel("bar.sync 0; ret;", 64).cycles, 309 + kStages);
}

TEST(Lwm11Timing, SlotCausesAddUpToTheCycles) {
    const std::string body =
        kSecondRow + "ld.global.u32 %r2, [%rd2+4096]; bar.sync 0; st.global.u32 [%rd2+8192], %r2; ret;";
    const KernelRun run = run_kernel(body, 256, 8);
    std::uint64_t slots = 0;
    for (const auto& [cause, n] : run.result["stalls"].items())
        slots += n.get<std::uint64_t>();
    EXPECT_EQ(slots, run.cycles);
    std::uint64_t lanes = 0;
    for (const auto& n : run.result["active_lanes"])
        lanes += n.get<std::uint64_t>();
    EXPECT_EQ(lanes, run.cycles);
}

TEST(Lwm11Timing, BlocksBeyondTheResidentThreadsWait) {
    // 40 warps in blocks of 8: four blocks are resident, the fifth follows when the first ends.
    const KernelRun run = run_kernel(kChain, 256, 5);
    EXPECT_EQ(run.result["totals"]["warp_instructions"], 40 * 8);
    // 256 slots for the first four. Warps of a round finish in order: block 0's last warp writes ret back at
    // 300 + 7 * 32 + 7 + 6 = 537, when 18 warps of the others still have to fetch theirs (24 fetches after cycle 531,
    // the last at 555). The fifth block is there from cycle 538 on: 64 slots more.
    EXPECT_EQ(run.cycles, kStart + 320 - 1 + kStages);
}

} // namespace
} // namespace heddle::runtime
