// The scoreboarded core on small kernels, cycle by cycle (docs/scoreboard.md), with one scheduler and warps of four
// threads:
//   kStart    a kernel's first instruction misses in cycle 0, its line is there in cycle 100 and fetched then; it is
//             decoded and can issue two cycles later
//   mov       of no register, 1 + 0 + 5: what needs it issues 6 cycles later; of one register 7
//   add       4 + k + 5: 10 of one register and a constant, 11 of two
//   ld.param  comes to the load/store unit 4 cycles after its issue (k = 0), written a cycle later: 5
//   ld.global of one register comes to the unit 5 cycles after its issue
//   exit      issues when all registers are written, ends its threads a cycle later, and that cycle counts
// A buffer holds two instructions and is fetched in the cycle in which the second issues.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core_rig.h"

namespace heddle::sm::test {
namespace {

using probe::Slot;
using testing::ElementsAre;

constexpr Cycle kStart = kMemory + 2;

struct Sm : CheckedRun {
    explicit Sm(const std::string& body, std::uint32_t threads = 4, const std::vector<std::string>& settings = {})
        : CheckedRun(with(kScoreboard, settings), body, threads) {}
};

// 102, 108 and 118; the exit at 128. In cycle 109 the second pair of instructions is not decoded yet.
TEST(ScoreboardedCore, ADependentChain) {
    const Sm r("mov.u32 %r1, 7; add.u32 %r1, %r1, 1; add.u32 %r1, %r1, 2; exit;");
    EXPECT_EQ(r.at(0), kStart);
    EXPECT_EQ(r.at(1), kStart + 6);
    EXPECT_EQ(r.at(2), kStart + 6 + 10);
    EXPECT_EQ(r.at(3), kStart + 6 + 10 + 10);
    EXPECT_EQ(r.cycles, r.at(3) + 2);
    EXPECT_EQ(r.slots(Slot::Fetch), kStart + 1);
    EXPECT_EQ(r.slots(Slot::ScoreboardAlu), 5U + 8U + 9U);
    EXPECT_EQ(r.slots(Slot::Empty), 1U); // in the cycle in which the threads are gone
}

// Two in two cycles, then one in which the next two are decoded.
TEST(ScoreboardedCore, IndependentInstructions) {
    const std::string body = "mov.u32 %r1, 1; mov.u32 %r2, 2; mov.u32 %r3, 3; mov.u32 %r4, 4;\n"
                             "add.u32 %r1, %r1, %r2; add.u32 %r3, %r3, %r4; add.u32 %r1, %r1, %r3;\n"
                             "ld.param.u64 %d1, [x]; st.global.u32 [%d1], %r1; exit;";
    const Sm pairs(body);
    EXPECT_EQ(pairs.at(0), kStart);
    EXPECT_EQ(pairs.at(1), kStart + 1);
    EXPECT_EQ(pairs.at(2), kStart + 3);
    EXPECT_EQ(pairs.at(3), kStart + 4);
    EXPECT_EQ(pairs.word(0), 10U);
    const Sm eight(body, 4, {"scoreboard.buffer=8"});
    for (Pc pc = 0; pc < 4; ++pc)
        EXPECT_EQ(eight.at(pc), kStart + pc);
}

// The load comes to the unit at 107 + 5 = 112, its line at 212, its data (a hit's latency) at 213.
TEST(ScoreboardedCore, ALoadThatMisses) {
    const Sm r("ld.param.u64 %d1, [x]; ld.global.u32 %r1, [%d1]; add.u32 %r1, %r1, 1; exit;");
    EXPECT_EQ(r.at(1), kStart + 5);
    EXPECT_EQ(r.at(2), kStart + 5 + 5 + kMemory + 1);
    EXPECT_EQ(r.slots(Slot::ScoreboardOnChip), 4U);
    EXPECT_EQ(r.slots(Slot::ScoreboardDram), 104U); // 109 to 212; 108 goes for the next instructions
    EXPECT_EQ(r.cycles, 213U + 10U + 2U);
}

// The first load's data are there 20 cycles behind its line, 232; mov and add of 64 bits take 7 and 11, so that the
// second issues at 250. It hits, and its data are there 5 + 20 cycles later.
TEST(ScoreboardedCore, ALoadThatHits) {
    const Sm r("ld.param.u64 %d1, [x]; ld.global.u32 %r1, [%d1]; cvt.u64.u32 %d2, %r1; add.u64 %d1, %d1, %d2;\n"
               "ld.global.u32 %r2, [%d1]; add.u32 %r2, %r2, 1; exit;",
               4, {"dcache.latency=20"});
    EXPECT_EQ(r.at(2), 232U);
    EXPECT_EQ(r.at(4), 232U + 7U + 11U);
    EXPECT_EQ(r.at(5), 250U + 5U + 20U);
    EXPECT_EQ(r.slots(Slot::ScoreboardL1), 24U);
}

// Four lines and one MSHR entry: the unit holds the access, and looks the next line up when the one before has come.
// ld.param at 102, mov at 103, mad.wide when that is written (109), the load 5 + 2 + 5 later.
TEST(ScoreboardedCore, ALoadThatIsHeldUp) {
    const Sm r("ld.param.u64 %d1, [x]; mov.u32 %r1, %tid.x; mad.wide.u32 %d2, %r1, 128, %d1;\n"
               "ld.global.u32 %r2, [%d2]; add.u32 %r2, %r2, 1; exit;",
               4, {"dcache.mshrs=1"});
    EXPECT_EQ(r.at(3), 109U + 12U);
    EXPECT_EQ(r.at(4), 121U + 5U + 4U * kMemory + 1U);
}

// The next PC of a branch counts a cycle later; then its instructions are fetched and decoded.
//   add   108, written 118; setp 118, written 125; bra 125: taken, its target at 128
//   add   128; setp 138; bra 145: not taken, and the exit is in the buffer: 146
TEST(ScoreboardedCore, ABranch) {
    const Sm r("mov.u32 %r1, 0;\nL: add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 2; @%p1 bra L; exit;");
    EXPECT_THAT(r.cycles_of(1), ElementsAre(108, 128));
    EXPECT_THAT(r.cycles_of(3), ElementsAre(125, 145));
    EXPECT_EQ(r.at(4), 146U);
    EXPECT_EQ(r.cycles, 148U);
    EXPECT_EQ(r.slots(Slot::Branch), 2U); // 126 and 127
}

// Warps 0 and 1 are fetched at 100 and 101. The last to come to the barrier lets both go on in the next cycle.
TEST(ScoreboardedCore, ABarrier) {
    const Sm r("bar.sync 0; mov.u32 %r1, 1; exit;", 8);
    EXPECT_EQ(r.at(0, 0), kStart);
    EXPECT_EQ(r.at(0, 1), kStart + 1);
    EXPECT_EQ(r.at(1, 0), kStart + 2);
    EXPECT_EQ(r.at(1, 1), kStart + 3);
    EXPECT_EQ(r.core->stats().barriers, 1U);
}

// The store is on its way from 113 on (its second operand is read at 110) and done at 213. The exit that issues at 109
// waits for it, and its threads are gone then.
TEST(ScoreboardedCore, AnExitWaitsForTheStoresOfItsRow) {
    const Sm r("ld.param.u64 %d1, [x]; st.global.u32 [%d1], %r1; exit;", 4, {"dcache.write=evict"});
    EXPECT_EQ(r.at(1), kStart + 5);
    EXPECT_EQ(r.at(2), kStart + 7);
    EXPECT_EQ(r.cycles, 107U + 6U + kMemory + 1U);
    EXPECT_EQ(r.slots(Slot::Drain), 213U - 110U); // its next PC counts at 110
}

// At the unit at 107 + 5, answered 100 cycles later and one for each further operation on the word, written in the
// next, when the unit goes on: it is fetched then.
TEST(ScoreboardedCore, AnAtomicHoldsItsUnit) {
    const Sm r("ld.param.u64 %d1, [x]; atom.global.add.u32 %r1, [%d1], 3; add.u32 %r1, %r1, 1; exit;");
    EXPECT_EQ(r.at(2), 112U + kMemory + 3U + 1U + 2U);
    EXPECT_EQ(r.slots(Slot::Drain), 216U - 108U);
    EXPECT_EQ(r.word(0), 4U * 3U);
}

// A fence at the unit behind a store waits for it: its threads go on when that is done. The store issues at 107 and
// leaves at 113, the fence, which issues at 109, at 114.
TEST(ScoreboardedCore, AFenceHoldsItsUnitUntilStoresAreDone) {
    const Sm r("ld.param.u64 %d1, [x]; st.global.u32 [%d1], %r1; membar.gl; mov.u32 %r1, 1; exit;", 4,
               {"dcache.write=evict"});
    EXPECT_EQ(r.at(2), 109U);
    EXPECT_EQ(r.at(3), 113U + kMemory); // it was fetched with the fence
}

// Two warps a scheduler: no instruction of one waits for those of the other.
TEST(ScoreboardedCore, WarpsFillEachOthersSlots) {
    const Sm r("mov.u32 %r1, 7; add.u32 %r1, %r1, 1; exit;", 8);
    EXPECT_EQ(r.at(1, 0), kStart + 6);
    EXPECT_EQ(r.at(1, 1), kStart + 1 + 6);
    EXPECT_EQ(r.at(2, 0), kStart + 16);
    EXPECT_EQ(r.at(2, 1), kStart + 17);
    EXPECT_EQ(r.cycles, kStart + 17 + 2);
}

// Four sub-cores. After the barrier each has its warp's next instruction at hand.
const char* const kMeet = "bar.sync 0; mov.u32 %r1, 1; exit;";

TEST(ScoreboardedCoreSubCores, OneSharedPipeOrPipesOfTheirOwn) {
    const Sm shared(kMeet, 16, {"scoreboard.schedulers=4", "pipe.sp.width=1"});
    const Cycle met = shared.at(0, 3);
    for (unsigned warp = 0; warp < 4; ++warp)
        EXPECT_EQ(shared.at(1, warp), met + 1 + warp);
    const Sm own(kMeet, 16, {"scoreboard.schedulers=4", "pipe.sp.width=1", "pipe.sp.shared=false"});
    for (unsigned warp = 0; warp < 4; ++warp)
        EXPECT_EQ(own.at(1, warp), own.at(0, 3) + 1);
}

// With buffers of one instruction a shared front end fetches for eight warps one a cycle, two of their own for four
// warps each.
TEST(ScoreboardedCoreSubCores, AFrontEndForAllOrOneEach) {
    std::string body;
    for (unsigned i = 1; i < 9; ++i)
        body += "mov.u32 %r" + std::to_string(i) + ", 7;\n";
    for (unsigned i = 2; i < 9; ++i)
        body += "add.u32 %r1, %r1, %r" + std::to_string(i) + ";\n";
    body += "exit;";
    const std::vector<std::string> settings{"scoreboard.schedulers=2", "scoreboard.buffer=1"};
    const Sm shared(body, 32, settings);
    EXPECT_EQ(shared.at(6) - shared.at(5), 8U);
    const Sm own(body, 32, with(settings, {"scoreboard.front_end=own"}));
    EXPECT_EQ(own.at(6) - own.at(5), 4U);
}

// Lane 0 and 1 take the branch, the others do not: both sides, then all together (mov, setp, bra, add, bra, add, exit).
TEST(ScoreboardedCore, ADivergentBranch) {
    const Sm r("mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 2; @%p1 bra A;\n"
               "add.u32 %r1, %r1, 16; bra B;\nA: add.u32 %r1, %r1, 32;\nB: exit;");
    EXPECT_EQ(r.cycles_of(3).size(), 1U);
    EXPECT_EQ(r.cycles_of(5).size(), 1U);
    EXPECT_EQ(r.cycles_of(6).size(), 1U);
    EXPECT_EQ(r.core->stats().divergent_branches, 1U);
    EXPECT_EQ(r.core->stats().warp_instructions, 7U);
    EXPECT_EQ(r.core->stats().thread_instructions, 4U + 4U + 2U + 2U + 2U + 2U + 4U);
}

} // namespace
} // namespace heddle::sm::test
