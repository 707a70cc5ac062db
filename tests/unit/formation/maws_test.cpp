// Warp subdivision (MAWS 5.2 to 5.5): how warp-splits part, wait for each other and merge. Counters:
// maws_counters_test.

#include <gmock/gmock.h>

#include "split_driver.h"

namespace heddle::formation {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr UnitId kNone = SplitDriver::kNone;

// A warp of four threads in unit 0; the numbers of further warp-splits begin behind those of the four rows.
class MawsTest : public testing::Test {
protected:
    std::unique_ptr<SplitDriver> d;

    void make(const std::string& split = "aggress", std::vector<std::string> settings = {}, unsigned width = 4) {
        settings.push_back("maws.split=" + split);
        d = std::make_unique<SplitDriver>(width, std::vector<warp::Part>{{0, (LaneMask{1} << width) - 1}}, settings);
    }
};

// MAWS Figure 4: after a branch the active threads are the first warp-split; at a divergent access the hit mask is the
// run-ahead's active mask, and the fall-behind's is the parent's without it. The parent's entry is the fall-behind's
// (5.4.1).
TEST_F(MawsTest, ADivergentAccessPartsTheThreadsByTheHitMask) {
    make();
    d->branch_at(0, 5, 20);
    d->branch(0, 0b0111);
    d->run(0); // 5
    const UnitId ahead = d->access(0, 0b0101);
    ASSERT_EQ(ahead, 4);
    EXPECT_THAT(d->units(), ElementsAre(0, 4));

    EXPECT_EQ(d->lanes(0), 0b0010U);
    EXPECT_EQ(d->pc(0), 6U); // at the access, which is not executed twice
    EXPECT_FALSE(d->eligible(0));
    EXPECT_EQ(d->formation->units.threads[0], 1U);

    EXPECT_EQ(d->lanes(ahead), 0b0101U);
    EXPECT_EQ(d->pc(ahead), 7U);
    EXPECT_TRUE(d->eligible(ahead));
    EXPECT_EQ(d->formation->units.threads[ahead], 2U);
    EXPECT_EQ(d->counter("divergent"), 1U);
    EXPECT_EQ(d->counter("splits"), 1U);
}

// The branch, an instruction and the access have been executed by both: 3. Each counts on by itself.
TEST_F(MawsTest, BothCountOnFromTheirParent) {
    make();
    d->branch_at(0, 5, 20);
    d->branch(0, 0b0111);
    d->run(0);
    const UnitId ahead = d->access(0, 0b0101);
    EXPECT_EQ(d->run(ahead, 4), 7U);
    d->back(d->last);
    EXPECT_EQ(d->pc(0), 7U);
    EXPECT_EQ(d->run(0), 4U);
    EXPECT_EQ(d->counter("returns_behind"), 1U);
    EXPECT_EQ(d->counter("run_ahead"), 4U); // 7 - 3
}

TEST_F(MawsTest, AnAccessThatAllHitOrAllMissDividesNothing) {
    make();
    EXPECT_EQ(d->access(0, 0b1111), kNone);
    EXPECT_EQ(d->pc(0), 1U);
    EXPECT_TRUE(d->eligible(0));
    EXPECT_EQ(d->access(0, 0), kNone);
    EXPECT_FALSE(d->eligible(0));
    EXPECT_THAT(d->units(), ElementsAre(0));
    EXPECT_EQ(d->counter("divergent"), 0U);
}

TEST_F(MawsTest, ConventionalWarpsWaitAsAWhole) {
    make("none");
    EXPECT_EQ(d->access(0, 0b0101), kNone);
    EXPECT_FALSE(d->eligible(0));
    EXPECT_EQ(d->starve(), warp::kNoFlight);
    d->back(d->last);
    EXPECT_EQ(d->lanes(0), 0b1111U);
    EXPECT_EQ(d->pc(0), 1U);
}

// 5.4: the executing warp-split finds another with its PC when it has done an access. The one that is there takes it
// in: it may be waiting for its next instruction.
TEST_F(MawsTest, MergesWithOneThatIsReadyBehindTheSameAccess) {
    make();
    const UnitId ahead = d->access(0, 0b0101);
    const auto first = d->last;
    d->run(ahead);            // 1
    d->access(ahead, 0b0101); // 2: stands at 3
    d->back(first);
    d->run(0);            // 1
    d->access(0, 0b1010); // 2
    EXPECT_THAT(d->units(), ElementsAre(ahead));
    EXPECT_EQ(d->lanes(ahead), 0b1111U);
    EXPECT_EQ(d->formation->units.threads[ahead], 4U);
    EXPECT_EQ(d->pc(ahead), 3U);
    EXPECT_TRUE(d->eligible(ahead));
    EXPECT_FALSE(d->boosted(ahead));
    EXPECT_EQ(d->run(ahead), 4U); // the count of either: three instructions before
    EXPECT_EQ(d->counter("merges_at_access"), 1U);
}

// "When the WPU executes a load or a store": not elsewhere.
TEST_F(MawsTest, OthersAreOnlyFoundAtAccesses) {
    make();
    const UnitId ahead = d->access(0, 0b0101);
    d->run(ahead, 2); // stands at 3
    d->back(d->last);
    d->run(0, 2); // at 3 as well
    EXPECT_EQ(d->pc(0), d->pc(ahead));
    EXPECT_THAT(d->units(), ElementsAre(0, 4));
    d->run(ahead, 3);
    d->access(ahead, 0b0101); // 6: somewhere else
    EXPECT_THAT(d->units(), ElementsAre(0, 4));
}

TEST_F(MawsTest, TwoThatWaitForOneAccessMergeAndWaitForBoth) {
    make();
    const UnitId ahead = d->access(0, 0b0101);
    const auto first = d->last;
    d->run(ahead);
    d->access(ahead, 0); // 2
    const auto of_ahead = d->last;
    d->back(first);
    d->run(0);
    d->access(0, 0); // 2
    const auto of_behind = d->last;
    EXPECT_THAT(d->units(), ElementsAre(ahead));
    EXPECT_EQ(d->lanes(ahead), 0b1111U);
    EXPECT_EQ(d->pc(ahead), 2U);
    EXPECT_EQ(d->counter("merges_waiting"), 1U);
    d->back(of_behind);
    EXPECT_FALSE(d->eligible(ahead));
    d->back(of_ahead);
    EXPECT_TRUE(d->eligible(ahead));
    EXPECT_EQ(d->pc(ahead), 3U);
}

// The fall-behind hits where the run-ahead waits: it passes, and is the run-ahead from then on (5.4).
TEST_F(MawsTest, OneThatHitsPassesOneThatWaitsAtTheSameAccess) {
    make();
    const UnitId ahead = d->access(0, 0b0101);
    const auto first = d->last;
    d->access(ahead, 0); // 1
    const auto second = d->last;
    d->back(first);
    d->access(0, 0b1010); // 1
    EXPECT_THAT(d->units(), ElementsAre(0, ahead));
    d->run(0, 2); // stands at 4
    d->back(second);
    EXPECT_EQ(d->pc(ahead), 2U);
    EXPECT_THAT(d->units(), ElementsAre(0, ahead));
    EXPECT_TRUE(d->boosted(ahead));
    EXPECT_FALSE(d->boosted(0));
    EXPECT_EQ(d->counter("run_ahead"), 1U + 2U); // first 2 instructions against 1, now 4 against 2
}

// The same, but the one that passed still stands behind the access when the other's data come.
TEST_F(MawsTest, OneWhoseDataComeMergesWithOneThatWaitsForItsTurn) {
    make();
    const UnitId ahead = d->access(0, 0b0101);
    const auto first = d->last;
    d->access(ahead, 0);
    const auto second = d->last;
    d->back(first);
    d->access(0, 0b1010);
    d->back(second);
    EXPECT_THAT(d->units(), ElementsAre(0));
    EXPECT_EQ(d->lanes(0), 0b1111U);
    EXPECT_EQ(d->pc(0), 2U);
}

TEST_F(MawsTest, WarpSplitsArePartedAgain) {
    make("aggress", {}, 8);
    const UnitId a = d->access(0, 0x3f);
    const auto first = d->last;
    const UnitId b = d->access(a, 0x0f);
    const auto second = d->last;
    const UnitId c = d->access(b, 0x03);
    const auto third = d->last;
    EXPECT_THAT(d->units(), ElementsAre(0, 4, 5, 6));
    EXPECT_THAT((std::vector{d->lanes(0), d->lanes(a), d->lanes(b), d->lanes(c)}), ElementsAre(0xc0, 0x30, 0x0c, 0x03));
    EXPECT_THAT((std::vector{d->pc(0), d->pc(a), d->pc(b), d->pc(c)}), ElementsAre(0, 1, 2, 3));
    d->run(c); // stands at 4
    // The fall-behinds too: of two threads one misses at 1.
    d->back(first);
    const UnitId e = d->access(0, 0x40);
    EXPECT_THAT(d->units(), ElementsAre(4, 5, 6, e)); // 0 waits where `a` does
    EXPECT_EQ(d->lanes(a), 0xb0U);
    const auto fourth = d->last;
    d->back(second);
    EXPECT_FALSE(d->eligible(a));
    d->back(fourth);
    EXPECT_THAT(d->units(), ElementsAre(b, c, e)); // `e` stood behind that access
    EXPECT_EQ(d->lanes(e), 0xf0U);
    EXPECT_TRUE(d->eligible(e));
    d->back(third);
    EXPECT_TRUE(d->eligible(b));
    EXPECT_EQ(d->pc(b), 3U);
}

TEST_F(MawsTest, TheFurthestBehindGoesFirst) {
    make("aggress", {}, 8);
    const UnitId a = d->access(0, 0x3f);
    const auto first = d->last;
    EXPECT_FALSE(d->boosted(0)); // equal counts
    const UnitId b = d->access(a, 0x0f);
    const auto second = d->last;
    EXPECT_TRUE(d->boosted(0)); // 1 against 2 and 2
    EXPECT_FALSE(d->boosted(a));
    d->run(b);
    d->back(first);
    d->run(0); // 2, as many as `a` has, 3 of b
    EXPECT_TRUE(d->boosted(0) != d->boosted(a));
    d->run(0, 2); // 4
    EXPECT_FALSE(d->boosted(0));
    EXPECT_TRUE(d->boosted(a));
    EXPECT_FALSE(d->boosted(b));
    d->back(second);
    EXPECT_TRUE(d->boosted(a));
}

// 5.4: an unconditional jump lowers a PC; the count shows which warp-split is behind.
TEST_F(MawsTest, PcsDoNotTellWhoIsBehind) {
    make();
    d->run(0, 9);
    const UnitId ahead = d->access(0, 0b0101); // 9
    d->program.ops[10].kind = ir::Kind::Branch;
    d->program.ops[10].target = 2;
    d->branch(ahead, 0b0101); // goes back to 2
    EXPECT_EQ(d->pc(ahead), 2U);
    EXPECT_TRUE(d->boosted(0));
    EXPECT_FALSE(d->boosted(ahead));
}

// 5.3: upon a conditional branch a warp-split waits for the others.
TEST_F(MawsTest, WarpSplitsWaitForEachOtherAtAConditionalBranch) {
    make();
    d->branch_at(2, 8, 20);
    const UnitId ahead = d->access(0, 0b0101);
    EXPECT_TRUE(d->eligible(ahead));
    d->run(ahead); // comes to the branch
    EXPECT_FALSE(d->eligible(ahead));
    EXPECT_EQ(d->pc(ahead), 2U);
    EXPECT_EQ(d->counter("parked"), 1U);
    d->back(d->last);
    EXPECT_TRUE(d->eligible(0));
    d->run(0);
    EXPECT_THAT(d->units(), ElementsAre(0));
    EXPECT_EQ(d->lanes(0), 0b1111U);
    EXPECT_TRUE(d->eligible(0));
    EXPECT_EQ(d->counter("merges_at_branch"), 1U);
    d->branch(0, 0b0011); // the stack is pushed by the warp as a whole
    EXPECT_EQ(d->lanes(0), 0b0011U);
    EXPECT_EQ(d->pc(0), 8U);
}

TEST_F(MawsTest, ThreeComeToABranchOneAfterTheOther) {
    make();
    d->branch_at(3, 8, 20);
    const UnitId a = d->access(0, 0b0111);
    const auto first = d->last;
    const UnitId b = d->access(a, 0b0011);
    const auto second = d->last;
    d->run(b);
    EXPECT_FALSE(d->eligible(b));
    d->back(second);
    d->run(a);
    EXPECT_THAT(d->units(), ElementsAre(0, a)); // b and a wait as one
    EXPECT_EQ(d->lanes(a), 0b0111U);
    EXPECT_FALSE(d->eligible(a));
    d->back(first);
    d->run(0, 2);
    EXPECT_THAT(d->units(), ElementsAre(0));
    EXPECT_TRUE(d->eligible(0));
}

// The divergent access is right before the branch: no warp-split passes it.
TEST_F(MawsTest, ARunAheadMayHaveToWaitAtOnce) {
    make();
    d->branch_at(1, 8, 20);
    const UnitId ahead = d->access(0, 0b0101);
    EXPECT_FALSE(d->eligible(ahead));
    d->back(d->last);
    EXPECT_THAT(d->units(), ElementsAre(0));
    EXPECT_TRUE(d->eligible(0));
}

TEST_F(MawsTest, AnUnconditionalBranchIsPassed) {
    make();
    d->program.ops[1].kind = ir::Kind::Branch;
    d->program.ops[1].target = 9;
    const UnitId ahead = d->access(0, 0b0101);
    EXPECT_TRUE(d->eligible(ahead));
    d->branch(ahead, 0b0101);
    EXPECT_EQ(d->pc(ahead), 9U);
    EXPECT_EQ(d->lanes(ahead), 0b0101U);
}

// The side of a branch that runs second does so when all warp-splits of the first have come to the reconvergence point.
TEST_F(MawsTest, WarpSplitsMeetAtTheReconvergencePoint) {
    make();
    d->branch_at(0, 5, 7);
    d->branch(0, 0b0111);
    const UnitId ahead = d->access(0, 0b0011); // 5
    d->run(ahead);                             // 6
    EXPECT_THAT(d->units(), ElementsAre(0));
    EXPECT_EQ(d->counter("met"), 1U);
    EXPECT_EQ(d->lanes(0), 0b0100U);
    d->back(d->last);
    d->run(0); // 6: the last one; the others run now
    EXPECT_EQ(d->lanes(0), 0b1000U);
    EXPECT_EQ(d->pc(0), 1U);
    EXPECT_TRUE(d->eligible(0));
    EXPECT_EQ(d->run(0), 4U); // after the branch, the access and the instruction at 6
}

TEST_F(MawsTest, ThreadsThatExitLeaveTheRest) {
    make();
    const UnitId ahead = d->access(0, 0b0111);
    d->exit(ahead, 0b0001);
    EXPECT_EQ(d->lanes(ahead), 0b0110U);
    EXPECT_TRUE(d->eligible(ahead));
    d->exit(ahead, 0b0110);
    EXPECT_THAT(d->units(), ElementsAre(0));
    d->back(d->last);
    EXPECT_EQ(d->lanes(0), 0b1000U);
    d->exit(0, 0b1000);
    EXPECT_THAT(d->units(), IsEmpty());
}

// A warp-split at a branch no longer waits when the rest of the warp exits.
TEST_F(MawsTest, TheLastOneLeftPassesTheBranch) {
    make();
    d->branch_at(2, 8, 20);
    const UnitId ahead = d->access(0, 0b0101);
    d->run(ahead);
    EXPECT_FALSE(d->eligible(ahead));
    d->back(d->last);
    d->exit(0, 0b1010);
    EXPECT_TRUE(d->eligible(ahead));
    EXPECT_EQ(d->pc(ahead), 2U);
}

TEST_F(MawsTest, WarpSplitsThatOneBarrierReleasesMerge) {
    make();
    const UnitId ahead = d->access(0, 0b0101);
    d->barrier(ahead);
    EXPECT_FALSE(d->eligible(ahead));
    d->back(d->last);
    EXPECT_TRUE(d->eligible(0));
    d->barrier(0);
    EXPECT_THAT(d->units(), ElementsAre(0, ahead));
    EXPECT_FALSE(d->eligible(0));
    const warp::Part all[] = {{0, 0b1111}};
    d->formation->resume(0, all);
    ASSERT_EQ(d->units().size(), 1U);
    const UnitId merged = d->units().front();
    EXPECT_EQ(d->lanes(merged), 0b1111U);
    EXPECT_EQ(d->pc(merged), 2U);
    EXPECT_TRUE(d->eligible(merged));
    EXPECT_EQ(d->counter("merges_at_barrier"), 1U);
}

// Threads of a warp-split that the rendezvous does not concern do not wait, and do not merge.
TEST_F(MawsTest, OnlyReleasedThreadsGoOn) {
    make();
    const UnitId ahead = d->access(0, 0b0101);
    const auto first = d->last;
    d->barrier(ahead);
    const warp::Part some[] = {{0, 0b0101}};
    d->formation->resume(0, some);
    EXPECT_TRUE(d->eligible(ahead));
    EXPECT_THAT(d->units(), ElementsAre(0, ahead));
    EXPECT_FALSE(d->eligible(0));
    d->back(first);
    EXPECT_TRUE(d->eligible(0));
}

// A barrier right before a branch: all of them are let go at the branch, and pass it as one.
TEST_F(MawsTest, ABarrierBeforeABranch) {
    make();
    d->branch_at(2, 8, 20);
    const UnitId ahead = d->access(0, 0b0101);
    d->barrier(ahead);
    d->back(d->last);
    d->barrier(0);
    EXPECT_FALSE(d->eligible(0));
    const warp::Part all[] = {{0, 0b1111}};
    d->formation->resume(0, all);
    ASSERT_EQ(d->units().size(), 1U);
    EXPECT_TRUE(d->eligible(d->units().front()));
    EXPECT_EQ(d->lanes(d->units().front()), 0b1111U);
}

} // namespace
} // namespace heddle::formation
