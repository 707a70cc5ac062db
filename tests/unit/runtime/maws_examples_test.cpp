// The worked examples of MAWS, cycle by cycle, on the WPU of wpu_run.h. The paper's drawings have no numbers that
// survive; what its prose determines is built here as the smallest kernel that does it, and what it leaves open
// (latencies, instructions between accesses) is chosen and said.

#include <gmock/gmock.h>

#include "wpu_run.h"

namespace heddle::runtime {
namespace {

using testing::ElementsAre;

std::vector<std::string> maws(const std::string& split, std::vector<std::string> more = {}) {
    more.push_back("core.formation=maws");
    more.push_back("maws.split=" + split);
    return more;
}

// The strategies, where they come to the same.
class MawsExamples : public testing::TestWithParam<const char*> {
protected:
    static WpuRun run(const std::string& body, std::uint32_t threads) {
        return run_wpu(body, threads, 2, maws(GetParam()));
    }
};

INSTANTIATE_TEST_SUITE_P(Splits, MawsExamples, testing::Values("aggress", "lazy", "latspec"));

// MAWS Figure 3: a warp of width two, all others suspended (here: there are none), with two accesses that would both
// miss in part or as a whole. Thread 0 hits at the first, thread 1 misses. Chosen: five instructions between them.
//
//    0  ld.param; mov; three addresses          100 to 104
//    5  load of line 0 by both threads          105: so that it is there from 206 on
//    6  A: thread 0 in line 0, thread 1 in line 1
//    7  five instructions
//   12  B
//   13  an instruction that needs B; ret
std::string figure_3(const std::string& address_of_b) {
    return "ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; mad.wide.u32 %rd2, %r1, 4, %rd1;\n"
           "mad.wide.u32 %rd3, %r1, 36, %rd1;\n" +
           address_of_b +
           "ld.global.u32 %r2, [%rd2]; ld.global.u32 %r3, [%rd3];\n"
           "add.u32 %r4, %r3, 1; add.u32 %r4, %r4, 1; add.u32 %r4, %r4, 1; add.u32 %r4, %r4, 1; add.u32 %r4, %r4, 1;\n"
           "ld.global.u32 %r5, [%rd4+64]; add.u32 %r5, %r5, %r4; ret;";
}
// (i) "the fall-behind threads would hit the cache upon the latter instruction anyway, and it is the run-ahead threads
// that now miss": B is line 2 for thread 0, line 0 for thread 1.
const std::string kFigure3i = figure_3("mad.wide.s32 %rd4, %r1, -60, %rd1;\n");
// (ii) "they request the same cache block as some of the run-ahead threads": line 2 for both.
const std::string kFigure3ii = figure_3("mad.wide.u32 %rd4, %r1, 4, %rd1;\n");

// Conventional: A at 206; the warp goes on at 307, B at 312; it goes on at 413.
TEST(MawsConventional, BothAccessesStallTheWarp) {
    for (const std::string& body : {kFigure3i, kFigure3ii}) {
        const WpuRun run = run_wpu(body, 2, 2);
        EXPECT_THAT(run.cycles_of(6), ElementsAre(206));
        EXPECT_THAT(run.cycles_of(12), ElementsAre(206 + kMiss + 5));
        EXPECT_THAT(run.cycles_of(13), ElementsAre(206 + kMiss + 5 + kMiss));
        EXPECT_EQ(run.cycles, 415U);
        EXPECT_EQ(run.stalled("memory"), 3U * 99U); // with that for line 0
    }
}

// Waiting for memory: 106 to 204 for line 0, 207 and 208, 215 to 306 and 313. Conventional warps: 297.
constexpr std::uint64_t kStalls = 99 + 2 + 92 + 1;

// Thread 0 has the data of A at 209 and executes B at 214, so that its request is on its way beside thread 1's. Thread
// 1 goes on at 307, executes B at 312 and hits: its data are there at 315, in the cycle in which thread 0's are: one
// warp again. Both requests are done in the time of one, the five instructions and a hit.
TEST_P(MawsExamples, Figure3iTheRunAheadSendsItsRequestEarlier) {
    const WpuRun run = this->run(kFigure3i, 2);
    EXPECT_THAT(run.cycles_of(12), ElementsAre(206 + kHit + 5, 206 + kMiss + 5));
    EXPECT_THAT(run.issued, testing::Contains(Issued{315, 13, 0, 0b11}));
    EXPECT_EQ(run.cycles, 317U);
    EXPECT_EQ(run.stalled("memory"), kStalls);
    EXPECT_EQ(run.counter("maws", "splits"), 1U);
    EXPECT_EQ(run.counter("maws", "merges_at_access"), 1U);
}

// Thread 0's request for line 2 leaves at 214 and is answered at 314. Thread 1 needs the line at 312 and waits with it,
// merged into one warp-split: until 315, 3 cycles and not kMiss. The run-ahead has prefetched for the fall-behind.
TEST_P(MawsExamples, Figure3iiTheRunAheadPrefetches) {
    const WpuRun run = this->run(kFigure3ii, 2);
    EXPECT_THAT(run.cycles_of(12), ElementsAre(214, 312));
    EXPECT_THAT(run.issued, testing::Contains(Issued{315, 13, 0, 0b11}));
    EXPECT_EQ(run.cycles, 317U);
    EXPECT_EQ(run.stalled("memory"), kStalls);
    EXPECT_EQ(run.counter("maws", "merges_waiting"), 1U);
    EXPECT_EQ(run.counter("divergence", "helped_late"), 1U);
}

// Lines that the warps before it in its row have loaded help no warp-split: block 0 loads line 0 with its 15th
// instruction, block 1, which has its place afterwards, hits it with its 5th.
TEST(MawsExamples, OnlyWarpSplitsAheadHelp) {
    std::string body = "ld.param.u64 %rd1, [x]; mov.u32 %r3, %ctaid.x; setp.eq.u32 %p1, %r3, 1; @%p1 bra L;\n";
    for (unsigned i = 0; i < 10; ++i)
        body += "add.u32 %r3, %r3, 1;\n";
    body += "L: ld.global.u32 %r4, [%rd1]; ret;";
    const WpuRun run = run_wpu(body, 2, 2, maws("aggress", {"core.threads=2", "core.blocks=1"}), 2);
    EXPECT_EQ(run.counter("dcache", "hits"), 1U);
    EXPECT_EQ(run.counter("divergence", "helped"), 0U);
    // Nor where warps are not divided: a warp hits what it has loaded before.
    EXPECT_EQ(run_wpu("ld.param.u64 %rd1, [x]; ld.global.u32 %r4, [%rd1]; ld.global.u32 %r4, [%rd1]; ret;", 2, 2)
                  .counter("divergence", "helped"),
              0U);
}

// MAWS Figure 5: two warps, both suspended. The run-ahead warp-split of the first has `instructions` to execute without
// a further request, and the pipeline is its own; its fall-behind executes the same again.
//    0  ld.param; mov; two addresses   warp 0: 100 to 103, warp 1: 105 to 108
//    4  load of line 0                 104 and 109; both go on at 205
//    5  A                              205: thread 0 hits, thread 1 misses line 1, which comes at 305
//                                      206: threads 2 and 3 miss lines 2 and 3, the second of which comes at 307
//    6  the instructions, ret
std::string figure_5(unsigned instructions) {
    std::string body = "ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; mad.wide.u32 %rd2, %r1, 4, %rd1;\n"
                       "mad.wide.u32 %rd3, %r1, 36, %rd1; ld.global.u32 %r2, [%rd2]; ld.global.u32 %r3, [%rd3];\n";
    for (unsigned i = 0; i < instructions; ++i)
        body += "add.u32 %r3, %r3, 1;\n";
    return body + "ret;";
}

// With ret 101. Conventional: warp 0 from 306 on, then warp 1. Subdivided: thread 0 from 208 to 308, thread 1, which
// was ready at 306, from 309 on, then warp 1: 101 instructions more, 98 of them in what would have been a stall.
TEST(MawsExamples, Figure5LazySplitMayLose) {
    const WpuRun whole = run_wpu(figure_5(100), 4, 2, maws("none"));
    const WpuRun lazy = run_wpu(figure_5(100), 4, 2, maws("lazy"));
    EXPECT_EQ(whole.cycles, 306U + 2 * 101);
    EXPECT_EQ(lazy.cycles, 208U + 3 * 101);
    EXPECT_THAT(lazy.cycles_of(6, 0), ElementsAre(208, 309));
    EXPECT_THAT(lazy.cycles_of(6, 1), ElementsAre(309 + 101));
    EXPECT_EQ(lazy.counter("maws", "splits"), 1U);
    EXPECT_EQ(lazy.cycles, whole.cycles + 3);
    // The more they are, the more is lost: 151 against the 98.
    EXPECT_EQ(run_wpu(figure_5(150), 4, 2, maws("lazy")).cycles,
              run_wpu(figure_5(150), 4, 2, maws("none")).cycles + 151 - 98);
}

// Shorter ones fit into the stall: nothing is lost, and without a request nothing is gained.
TEST(MawsExamples, Figure5ShortRunAheadsCostNothing) {
    const WpuRun lazy = run_wpu(figure_5(40), 4, 2, maws("lazy"));
    EXPECT_THAT(lazy.cycles_of(6, 0), ElementsAre(208, 306));
    EXPECT_EQ(lazy.cycles, 306U + 2 * 41);
    EXPECT_EQ(run_wpu(figure_5(40), 4, 2, maws("none")).cycles, 306U + 2 * 41);
}

// MAWS Figure 6: two warps are ready, and one of them will miss soon. Both have gone to their first miss before: the
// deep one (warp 0) with 39 instructions, the shallow one with 8, so that this is expected again. The line comes for
// both at 238. Chosen: it is the deep one's turn, and the shallow one needs two lines one after the other.
//    0  seven instructions up to the branch; 30 for warp 0, a jump       100 to 137, warp 1: 139 to 145
//   38  X, line 0                                                       138 and 146
//   39  branch. Warp 0: 40 to 69, load 70, ret 71. Warp 1: 72, load 73, 74, load 75, 76, ret 77
std::string figure_6() {
    std::string thirty;
    for (unsigned i = 0; i < 30; ++i)
        thirty += "add.u32 %r4, %r4, 1;\n";
    return "ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; shr.u32 %r3, %r1, 1; setp.eq.u32 %p1, %r3, 0;\n"
           "mad.wide.u32 %rd2, %r1, 4, %rd1; mad.wide.u32 %rd3, %r3, 256, %rd2; @!%p1 bra X;\n" +
           thirty + "bra.uni X; X: ld.global.u32 %r4, [%rd2]; @!%p1 bra SHALLOW;\n" + thirty +
           "ld.global.u32 %r5, [%rd3+64]; ret;\n"
           "SHALLOW: add.u32 %r4, %r4, 1; ld.global.u32 %r5, [%rd3+64]; add.u32 %r5, %r5, 1;\n"
           "ld.global.u32 %r6, [%rd3+128]; add.u32 %r6, %r6, 1; ret;";
}

TEST(MawsExamples, Figure6TheShallowestFirstOverlapsMore) {
    // Round-robin: 239 to 270 are the deep one's, whose request leaves at 270. The shallow one's first leaves at 273,
    // the second at 273 + kMiss + 1.
    const WpuRun rr = run_wpu(figure_6(), 4, 2, maws("none"));
    EXPECT_THAT(rr.cycles_of(38, 0), ElementsAre(138));
    EXPECT_THAT(rr.cycles_of(38, 1), ElementsAre(146));
    EXPECT_THAT(rr.cycles_of(70, 0), ElementsAre(270));
    EXPECT_THAT(rr.cycles_of(73, 1), ElementsAre(273));
    EXPECT_THAT(rr.cycles_of(75, 1), ElementsAre(273 + kMiss + 1));
    EXPECT_EQ(rr.cycles, 273 + kMiss + 1 + kMiss + 2);
    // Shallowest first: its request leaves at 241, and the deep one's instructions, 242 to 273, hide it.
    const WpuRun swf = run_wpu(figure_6(), 4, 2, maws("none", {"core.scheduler=swf"}));
    EXPECT_THAT(swf.cycles_of(73, 1), ElementsAre(241));
    EXPECT_THAT(swf.cycles_of(70, 0), ElementsAre(273));
    EXPECT_THAT(swf.cycles_of(75, 1), ElementsAre(241 + kMiss + 1));
    EXPECT_EQ(swf.cycles, 241 + kMiss + 1 + kMiss + 2);
    // 32 cycles less, as many as the deep one executes. Waiting for memory: 147 to 237; then 274 to 370, 372, 376 to
    // 474 against 274 to 341, 344 to 373, 375 to 442.
    EXPECT_EQ(rr.cycles - swf.cycles, 32U);
    EXPECT_EQ(rr.stalled("memory"), 91U + 97U + 1U + 99U);
    EXPECT_EQ(swf.stalled("memory"), 91U + 68U + 30U + 68U);
}

// 5.4.2: "records the hit mask which is later used": of two words of one bank (0 and 8) the second is served at 207;
// the hit's data are there 3 cycles after that, in lazy as in aggress.
TEST(MawsExamples, LazySplitsAsSoonAsTheLastWordIsServed) {
    const std::string body = "ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; mad.wide.u32 %rd2, %r1, 4, %rd1;\n"
                             "mad.wide.u32 %rd3, %r1, 32, %rd1; mov.u32 %r4, 0; ld.global.u32 %r2, [%rd2];\n"
                             "ld.global.u32 %r3, [%rd3]; add.u32 %r3, %r3, 1; ret;";
    for (const char* split : {"aggress", "lazy"}) {
        const WpuRun run = run_wpu(body, 2, 2, maws(split));
        EXPECT_THAT(run.cycles_of(6), ElementsAre(206)) << split;
        EXPECT_THAT(run.cycles_of(7), ElementsAre(207 + kHit, 207 + kMiss)) << split;
    }
}

// A lone warp is suspended as soon as it waits: lazy divides it at once, in whichever cycle of the span that SMs are
// simulated in without looking at the network. So it takes as long as aggress.
TEST(MawsExamples, LazySplitsALoneWarpAtOnce) {
    for (unsigned n = 0; n < 24; ++n) {
        std::string body = "ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; mad.wide.u32 %rd3, %r1, 36, %rd1;\n"
                           "ld.global.u32 %r2, [%rd1]; mov.u32 %r4, 0;\n";
        for (unsigned i = 0; i < n; ++i)
            body += "add.u32 %r4, %r4, 1;\n";
        body += "ld.global.u32 %r3, [%rd3]; add.u32 %r3, %r3, 1; ld.global.u32 %r3, [%rd3+64]; ret;";
        const auto cycles = [&](const char* split) {
            return run_wpu(body, 2, 2, maws(split, {"interconnect.kind=crossbar", "icache.line=128"})).cycles;
        };
        EXPECT_EQ(cycles("lazy"), cycles("aggress")) << n << " instructions before";
    }
}

// The same on the barrel core, whose data cache takes 20 cycles here: the pipeline is empty long before the hits are
// there. The last load is of one line, which the threads that run ahead send for: were they earlier, all would be.
TEST(MawsExamples, LazySplitsHaveTheirDataNoEarlierOnTheBarrelCore) {
    const std::string body =
        "ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; min.u32 %r2, %r1, 1;\n"
        "mad.wide.u32 %rd3, %r2, 128, %rd1; ld.global.u32 %r2, [%rd1]; ld.global.u32 %r3, [%rd3];\n"
        "add.u32 %r3, %r3, 1; ld.global.u32 %r3, [%rd1+512]; ret;";
    const auto run = [&](const char* split) { return run_kernel(body, 32, 1, maws(split, {"dcache.latency=20"})); };
    EXPECT_EQ(run("lazy").counter("maws", "splits"), 1U);
    EXPECT_EQ(run("lazy").cycles, run("aggress").cycles);
}

// Lazy, three warps, all suspended at 237. Warp 0 has waited longest, but its run-ahead comes to a conditional branch,
// where it has to wait: so warp 1 is divided too, in the same cycle.
//    0  up to 8: the load of line 0                     100 to 108, 109 to 117, 118 to 126; all go on at 209
//    9  two branches                                    209, 211 and 212, 214 and 215
//   33  warp 0: A, a branch                             210
//   37  warp 1: A, 38, ret                              213
//   11  warp 2: twenty instructions, a load             216 to 236
TEST(MawsExamples, LazyDividesTheNextWhereTheRunAheadMustWait) {
    std::string body = "ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; shr.u32 %r3, %r1, 1;\n"
                       "mad.wide.u32 %rd2, %r1, 4, %rd1; and.b32 %r4, %r1, 1; mad.wide.u32 %rd3, %r4, 36, %rd1;\n"
                       "setp.eq.u32 %p1, %r3, 0; setp.eq.u32 %p2, %r3, 1; ld.global.u32 %r2, [%rd2];\n"
                       "@%p1 bra W0; @%p2 bra W1;\n";
    for (unsigned i = 0; i < 20; ++i)
        body += "add.u32 %r5, %r4, 1;\n";
    body += "ld.global.u32 %r6, [%rd1+512]; ret;\n"
            "W0: ld.global.u32 %r6, [%rd3]; @%p2 bra DONE; add.u32 %r6, %r6, 1; DONE: ret;\n"
            "W1: ld.global.u32 %r6, [%rd3]; add.u32 %r6, %r6, 1; ret;";
    const WpuRun run = run_wpu(body, 6, 2, maws("lazy"));
    EXPECT_THAT(run.cycles_of(33, 0), ElementsAre(210));
    EXPECT_THAT(run.cycles_of(37, 1), ElementsAre(213));
    EXPECT_THAT(run.cycles_of(31, 2), ElementsAre(236));
    EXPECT_THAT(run.issued, testing::Contains(Issued{237, 38, 1, 0b01}));
    EXPECT_EQ(run.counter("maws", "splits"), 2U);
    EXPECT_EQ(run.counter("maws", "parked"), 1U);
}

// Lines of four instructions: the run-ahead of A (instruction 7) waits for instruction 8 from 310 on, for which it is
// there at 410. The fall-behind comes to it at 408, and both are one. The run-ahead of B (11) is another: it waits for
// instruction 12, from 416 to 516.
TEST(MawsExamples, ARunAheadWaitsForItsOwnInstruction) {
    const std::string body = "ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; mad.wide.u32 %rd2, %r1, 4, %rd1;\n"
                             "ld.global.u32 %r2, [%rd2]; mad.wide.u32 %rd3, %r1, 36, %rd1; mov.u32 %r4, 0;\n"
                             "mad.wide.u32 %rd4, %r1, 68, %rd1; ld.global.u32 %r3, [%rd3]; add.u32 %r4, %r4, 1;\n"
                             "add.u32 %r4, %r4, 1; add.u32 %r4, %r4, 1; ld.global.u32 %r3, [%rd4];\n"
                             "add.u32 %r4, %r4, 1; ret;";
    const WpuRun run = run_wpu(body, 2, 2, maws("aggress", {"icache.line=32"}));
    EXPECT_THAT(run.cycles_of(7), ElementsAre(307));
    EXPECT_THAT(run.issued, testing::Contains(Issued{410, 8, 0, 0b11}));
    EXPECT_THAT(run.cycles_of(11), ElementsAre(413));
    EXPECT_THAT(run.issued, testing::Contains(Issued{516, 12, 0, 0b11}));
    EXPECT_THAT(run.cycles_of(12), ElementsAre(516));
}

} // namespace
} // namespace heddle::runtime
