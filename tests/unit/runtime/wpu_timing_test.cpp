// The WPU cycle by cycle (MAWS 3.2, 6), worked out by hand; wpu_run.h has the machine and what the numbers are made of.

#include <gmock/gmock.h>

#include "wpu_run.h"

namespace heddle::runtime {
namespace {

using testing::ElementsAre;

// Seven dependent instructions and ret.
const char* const kChain = R"(
    mov.u32 %r1, 1;
    add.u32 %r1, %r1, %r1; add.u32 %r1, %r1, %r1; add.u32 %r1, %r1, %r1;
    add.u32 %r1, %r1, %r1; add.u32 %r1, %r1, %r1; add.u32 %r1, %r1, %r1;
    ret;)";

// Instructions 0 to 2. The two threads of a warp are on one line and use different banks: words 0 and 5, 10 and 15. Two
// warps are on different lines.
const std::string kAddress = "ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; mad.wide.u32 %rd2, %r1, 20, %rd1;\n";

// MAWS 6: "Instructions-per-cycle (IPC) is assumed to be one except for memory references".
TEST(WpuTiming, AnInstructionACycle) {
    EXPECT_EQ(run_wpu(kChain, 2, 2).cycles, kStart + 8);
}

// Without accesses a warp has its turn until it ends.
TEST(WpuTiming, ATurnLastsUntilAnAccess) {
    const WpuRun run = run_wpu(kChain, 8, 2);
    EXPECT_EQ(run.cycles, kStart + 4 * 8);
    for (unsigned warp = 0; warp < 4; ++warp)
        for (Pc pc = 0; pc < 8; ++pc)
            EXPECT_THAT(run.cycles_of(pc, warp), ElementsAre(kStart + 8 * warp + pc));
}

// Warp 0 executes its load at 103, and warp 1 its first instruction at 104.
TEST(WpuTiming, TheSwitchAtAnAccessTakesNoCycle) {
    const WpuRun run = run_wpu(kAddress + "ld.global.u32 %r2, [%rd2]; add.u32 %r2, %r2, 1; ret;", 4, 2);
    EXPECT_THAT(run.cycles_of(3, 0), ElementsAre(103));
    EXPECT_THAT(run.cycles_of(0, 1), ElementsAre(104));
    EXPECT_THAT(run.cycles_of(3, 1), ElementsAre(107));
    EXPECT_THAT(run.cycles_of(4, 0), ElementsAre(103 + kMiss));
    EXPECT_THAT(run.cycles_of(4, 1), ElementsAre(107 + kMiss));
    EXPECT_EQ(run.cycles, 107 + kMiss + 2);
    EXPECT_EQ(run.stalled("memory"), 96U + 1U); // 108 to 203 and 206
}

TEST(WpuTiming, DataOfAHitAreThereThreeCyclesLater) {
    const WpuRun run =
        run_wpu(kAddress + "ld.global.u32 %r2, [%rd2]; ld.global.u32 %r3, [%rd2]; add.u32 %r2, %r2, %r3; ret;", 2, 2);
    EXPECT_THAT(run.cycles_of(4), ElementsAre(204));
    EXPECT_THAT(run.cycles_of(5), ElementsAre(204 + kHit));
    EXPECT_EQ(run.cycles, 204 + kHit + 2);
    EXPECT_EQ(run.stalled("pipeline"), 1 + (kHit - 1)); // 203, 205 and 206
}

// The data of a store are not waited for; a line that it misses is fetched first (write-allocate).
TEST(WpuTiming, AStoreTakesItsCycleOrAMiss) {
    const WpuRun hit =
        run_wpu(kAddress + "ld.global.u32 %r2, [%rd2]; st.global.u32 [%rd2], %r1; add.u32 %r2, %r2, 1; ret;", 2, 2);
    EXPECT_THAT(hit.cycles_of(4), ElementsAre(204));
    EXPECT_THAT(hit.cycles_of(5), ElementsAre(205));
    const WpuRun miss = run_wpu(kAddress + "st.global.u32 [%rd2], %r1; add.u32 %r2, %r2, 1; ret;", 2, 2);
    EXPECT_THAT(miss.cycles_of(4), ElementsAre(103 + kMiss));
}

// No thread accesses anything: no access, and the turn goes on.
TEST(WpuTiming, AnAccessOfNoThreadEndsNoTurn) {
    const WpuRun run =
        run_wpu(kAddress + "setp.gt.u32 %p1, %r1, 9; @%p1 ld.global.u32 %r2, [%rd2]; add.u32 %r2, %r2, 1; ret;", 4, 2);
    EXPECT_THAT(run.cycles_of(5, 0), ElementsAre(105));
    EXPECT_THAT(run.cycles_of(0, 1), ElementsAre(107));
    EXPECT_EQ(run.cycles, kStart + 2 * 7);
}

// Four lanes, words 0, 4, 8 and 12 of a 64-byte line: bank 0 of four serves one a cycle. Warp 1 uses the next line.
//   cold    warp 0's load at 103, warp 1's at 107: each line is looked up at once, so they go on at 204 and 208
//   barrier complete at 208 in the turn of warp 1, which goes on
//   warp 1  209, 210, load at 211: served from 211 to 214, data at 214 + 3
//   warp 0  212, 213: not held up. Its load at 214 is served from 215 to 218
TEST(WpuTiming, WordsOfOneBankAreServedOneACycleAndTheNextAccessWaits) {
    const std::string body = "ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; mad.wide.u32 %rd2, %r1, 16, %rd1;\n"
                             "ld.global.u32 %r2, [%rd2]; bar.sync 0; add.u32 %r3, %r1, 1; add.u32 %r3, %r3, 1;\n"
                             "ld.global.u32 %r4, [%rd2]; add.u32 %r4, %r4, %r3; ret;";
    const WpuRun run = run_wpu(body, 8, 4, {"dcache.line=64"});
    EXPECT_THAT(run.cycles_of(4, 0), ElementsAre(204));
    EXPECT_THAT(run.cycles_of(4, 1), ElementsAre(208));
    EXPECT_THAT(run.cycles_of(7, 1), ElementsAre(211));
    EXPECT_THAT(run.cycles_of(5, 0), ElementsAre(212));
    EXPECT_THAT(run.cycles_of(7, 0), ElementsAre(214));
    EXPECT_THAT(run.cycles_of(8, 1), ElementsAre(214 + kHit));
    EXPECT_THAT(run.cycles_of(8, 0), ElementsAre(218 + kHit));
    EXPECT_EQ(run.cycles, 218 + kHit + 2);
    EXPECT_EQ(run.counter("data", "bank_conflicts"), 4U * 3U);
}

// Lines of four instructions. Both warps are stopped at the first and at the fifth: warp 0 at 104, warp 1, whose turn
// it is then, at 109. The line comes at 204.
TEST(WpuTiming, AMissingInstructionEndsATurn) {
    const WpuRun one = run_wpu(kChain, 2, 2, {"icache.line=32"});
    EXPECT_EQ(one.cycles, 2 * 100 + 8);
    EXPECT_EQ(one.stalled("fetch_miss"), 2U);
    EXPECT_EQ(one.stalled("fetch"), 2U * 99U);

    const WpuRun two = run_wpu(kChain, 4, 2, {"icache.line=32"});
    EXPECT_THAT(two.cycles_of(3, 0), ElementsAre(103));
    EXPECT_THAT(two.cycles_of(0, 1), ElementsAre(105));
    EXPECT_THAT(two.cycles_of(3, 1), ElementsAre(108));
    EXPECT_THAT(two.cycles_of(4, 0), ElementsAre(204));
    EXPECT_THAT(two.cycles_of(4, 1), ElementsAre(208));
    EXPECT_EQ(two.cycles, 212U);
    EXPECT_EQ(two.stalled("fetch_miss"), 4U); // 0, 1, 104 and 109
}

// MAWS 3.2: "switches to another warp in a round-robin fashion". Three warps load from one line, which comes for all at
// 203. From then on three hits in a row: each warp's turn comes with its data, every third cycle.
TEST(WpuTiming, WarpsTakeTurns) {
    const std::string load = "ld.global.u32 %r2, [%rd2];\n";
    const std::string body = "ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; mad.wide.u32 %rd2, %r1, 4, %rd1;\n" + load +
                             load + load + load + "ret;";
    const WpuRun run = run_wpu(body, 6, 2);
    for (unsigned warp = 0; warp < 3; ++warp)
        for (Pc pc = 4; pc < 8; ++pc)
            EXPECT_THAT(run.cycles_of(pc, warp), ElementsAre(204 + 3 * (pc - 4) + warp)) << pc << " of warp " << warp;
    EXPECT_EQ(run.cycles, 216U);
    // Two warps: their data are there in the third cycle, when no other warp is left.
    const WpuRun two = run_wpu(body, 4, 2);
    EXPECT_THAT(two.cycles_of(5, 0), ElementsAre(207));
    EXPECT_THAT(two.cycles_of(5, 1), ElementsAre(208));
    EXPECT_EQ(two.stalled("pipeline"), 4U); // 203, 206, 209 and 212
}

TEST(WpuTiming, SharedMemoryTakesACycleAndEndsATurn) {
    const std::string body = ".shared .align 4 .b8 s[64];\n mov.u32 %r1, s; ld.shared.u32 %r2, [%r1];\n"
                             "add.u32 %r2, %r2, 1; ret;";
    EXPECT_EQ(run_wpu(body, 2, 2).cycles, kStart + 4);
    const WpuRun two = run_wpu(body, 4, 2);
    EXPECT_THAT(two.cycles_of(1, 0), ElementsAre(101));
    EXPECT_THAT(two.cycles_of(0, 1), ElementsAre(102));
    EXPECT_THAT(two.cycles_of(1, 1), ElementsAre(103));
    EXPECT_THAT(two.cycles_of(2, 0), ElementsAre(104)); // ready since 102
}

// Every cycle has one cause, whatever is divided.
TEST(WpuTiming, SlotsAddUpToTheCycles) {
    const std::string body =
        "ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; mul.lo.u32 %r2, %r1, 52;\n"
        "mov.u32 %r5, 0; L: and.b32 %r3, %r2, 8188; cvt.u64.u32 %rd3, %r3; add.u64 %rd2, %rd1, %rd3;\n"
        "ld.global.u32 %r4, [%rd2]; st.global.u32 [%rd2+16384], %r4; add.u32 %r2, %r2, 1364;\n"
        "bar.sync 0; add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 12; @%p1 bra L; ret;";
    for (const char* split : {"none", "aggress", "lazy", "latspec"}) {
        const WpuRun run =
            run_wpu(body, 32, 8,
                    {"core.formation=maws", std::string("maws.split=") + split, "icache.line=32", "dcache.size=1KiB"});
        std::uint64_t slots = 0;
        for (const auto& [cause, n] : run.result["stalls"].items())
            slots += n.get<std::uint64_t>();
        EXPECT_EQ(slots, run.result["totals"]["cycles"]) << split;
        EXPECT_EQ(run.issued.size(), run.stalled("issued")) << split;
        std::uint64_t threads = 0;
        for (const Issued& i : run.issued)
            threads += count_lanes(i.lanes);
        EXPECT_EQ(threads, 32U * (4 + 12 * 10 + 1)) << split; // each instruction once a thread
    }
}

} // namespace
} // namespace heddle::runtime
