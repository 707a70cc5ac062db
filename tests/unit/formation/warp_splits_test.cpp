#include <gmock/gmock.h>

#include "formation/maws_units.h"
#include "formation/warp_splits.h"
#include "split_driver.h"

namespace heddle::formation {
namespace {

// Two rows of four lanes: eight warp-splits at most (MAWS 5.4.1: as many as threads).
class WarpSplitsTest : public testing::Test {
protected:
    warp::UnitTable units{8};
    WarpSplits splits{units, 2, 4, {}};
    UnitId root = splits.begin_warp({0, 0xf}, 7, 3, 300);

    UnitId split(LaneMask lanes) {
        WarpSplit s = splits[root];
        splits[root].part.lanes &= ~lanes;
        s.part.lanes = lanes;
        return splits.create(s, 3);
    }
};

TEST_F(WarpSplitsTest, AWarpBeginsWithOneOfAllItsThreads) {
    EXPECT_EQ(root, 0U); // its row's number
    EXPECT_EQ(splits.begin_warp({1, 0x7}, 7, 3, 300), 1U);
    EXPECT_EQ(splits[root].part.lanes, 0xfU);
    EXPECT_EQ(splits[root].at, (Point{7, 0}));
    EXPECT_EQ(splits[root].count, 0U);
    EXPECT_EQ(splits[root].latency, 300U);
    EXPECT_EQ(units.block[root], 3U);
    EXPECT_EQ(splits.count(), 2U);
}

// So that a line which the warp before it in its row has brought is of no warp-split ahead of the new one.
TEST_F(WarpSplitsTest, TheNextWarpOfARowCountsOn) {
    splits.warp(0).furthest = 40;
    splits.end(root);
    EXPECT_EQ(splits[splits.begin_warp({0, 0xf}, 7, 3, 300)].count, 40U);
}

TEST_F(WarpSplitsTest, AMergedOneHasTheSmallerCountAndTheLargerCounters) {
    const UnitId other = split(0x3);
    splits[root].count = 12;
    splits[root].mfc = 4;
    splits[root].latency = 90;
    splits[other].count = 15;
    splits[other].mfc = 6;
    splits[other].latency = 70;
    miss_free_cycles_left(units, other) = 5;
    splits.merge(root, other);
    EXPECT_EQ(splits[other].part.lanes, 0xfU);
    EXPECT_EQ(splits[other].count, 12U);
    EXPECT_EQ(splits[other].mfc, 6U);
    EXPECT_EQ(splits[other].latency, 90U);
    EXPECT_EQ(miss_free_cycles_left(units, other), 5U);
    EXPECT_FALSE(units.alive.contains(root));
    EXPECT_EQ(splits.count(), 1U);
}

TEST_F(WarpSplitsTest, ANumberIsReservedWhileAFlightNamesIt) {
    const UnitId a = split(0x1);
    EXPECT_EQ(a, 2U); // behind the rows' numbers
    splits.flight_left(a);
    splits.flight_left(root);
    splits.merge(a, root);
    EXPECT_EQ(splits.holder(a), root);
    EXPECT_EQ(splits[root].waits, 2U);
    EXPECT_EQ(split(0x2), 3U); // not 2
    EXPECT_EQ(splits.flight_returned(a), root);
    EXPECT_EQ(splits[root].waits, 1U);
    EXPECT_EQ(splits.holder(a), a);
    EXPECT_EQ(split(0x4), 2U);
}

TEST_F(WarpSplitsTest, AChainOfMergesEndsAtTheLastHolder) {
    const UnitId a = split(0x1);
    const UnitId b = split(0x2);
    for (const UnitId u : {a, b, root})
        splits.flight_left(u);
    splits.merge(a, b);
    splits.merge(b, root);
    EXPECT_EQ(splits.holder(a), root);
    EXPECT_EQ(splits[root].waits, 3U);
    EXPECT_EQ(splits.flight_returned(b), root);
    EXPECT_EQ(splits.flight_returned(a), root);
    EXPECT_EQ(splits.flight_returned(root), root);
    EXPECT_EQ(splits[root].waits, 0U);
    EXPECT_EQ(split(0x4), a); // all numbers are free again
    EXPECT_EQ(split(0x8), b);
}

// As many warp-splits as threads, one of each thread.
TEST_F(WarpSplitsTest, EveryThreadMayBeAlone) {
    splits.begin_warp({1, 0xf}, 7, 3, 300);
    for (const LaneMask lane : {LaneMask{1}, LaneMask{2}, LaneMask{4}}) {
        split(lane);
        WarpSplit s = splits[1];
        splits[1].part.lanes &= ~lane;
        s.part.lanes = lane;
        splits.create(s, 3);
    }
    EXPECT_EQ(splits.count(), 8U);
    EXPECT_EQ(units.alive.count(), 8U);
}

// A number is given away only when no flight names it.
TEST(WarpSplits, ANumberIsNotReusedWhileAFlightNamesIt) {
    SplitDriver d(4, {{0, 0xf}, {1, 0xf}}, {"maws.split=aggress"});
    ASSERT_EQ(d.access(0, 0b0101), 4U);
    d.run(4);
    d.back(d.last);
    d.run(0);
    d.access(0, 0); // 2
    d.access(4, 0); // 2: merges into 0
    const auto named = d.last;
    EXPECT_THAT(d.units(), testing::ElementsAre(0, 1));
    EXPECT_EQ(d.access(1, 0b0001), 5U); // not 4
    const auto of_1 = d.last;
    d.back(named);
    d.back(of_1);
    EXPECT_EQ(d.access(1, 0b0010), 4U);
}

} // namespace
} // namespace heddle::formation
