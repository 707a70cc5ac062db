// Lazy Split (MAWS 5.4.2): warp-splits are divided by their recorded hit masks when nothing else can run.

#include <gmock/gmock.h>

#include "split_driver.h"

namespace heddle::formation {
namespace {

using testing::ElementsAre;

constexpr UnitId kNone = SplitDriver::kNone;

// Those that have waited longest first, one at a time (assumed).
class MawsLazyTest : public testing::Test {
protected:
    SplitDriver d{4, {{0, 0xf}, {1, 0xf}, {2, 0xf}}, {"maws.split=lazy"}};
};

TEST_F(MawsLazyTest, DividesTheLongestSuspendedOneAtATime) {
    EXPECT_EQ(d.access(1, 0b0011, 10), kNone);
    const auto oldest = d.last;
    EXPECT_EQ(d.access(0, 0b0110, 11), kNone);
    const auto second = d.last;
    EXPECT_THAT(d.units(), ElementsAre(0, 1, 2));
    EXPECT_EQ(d.counter("divergent"), 2U);
    EXPECT_EQ(d.starve(), oldest);
    EXPECT_THAT(d.units(), ElementsAre(0, 1, 2, 4));
    EXPECT_EQ(d.lanes(1), 0b1100U);
    EXPECT_EQ(d.lanes(4), 0b0011U);
    EXPECT_EQ(d.pc(4), 1U);
    EXPECT_TRUE(d.eligible(4));
    EXPECT_EQ(d.starve(), second);
    EXPECT_EQ(d.lanes(0), 0b1001U);
    EXPECT_EQ(d.lanes(5), 0b0110U);
    EXPECT_EQ(d.starve(), warp::kNoFlight); // each once
    EXPECT_EQ(d.counter("splits"), 2U);
}

TEST_F(MawsLazyTest, OnlyWhereSomeHitAndOthersMissed) {
    d.access(0, 0);
    EXPECT_EQ(d.starve(), warp::kNoFlight);
    d.access(1, 0b0001);
    EXPECT_NE(d.starve(), warp::kNoFlight);
}

TEST_F(MawsLazyTest, NotWhoseDataHaveCome) {
    d.access(0, 0b0001, 5);
    const auto first = d.last;
    d.access(1, 0b0001, 6);
    const auto second = d.last;
    d.back(first, 40);
    EXPECT_EQ(d.lanes(0), 0b1111U);
    EXPECT_EQ(d.starve(), second);
    EXPECT_EQ(d.starve(), warp::kNoFlight);
}

// The merging process begins when the fall-behind's request completes: it is furthest behind and goes first.
TEST_F(MawsLazyTest, TheFallBehindGoesFirstOnceItCan) {
    d.access(0, 0b0011);
    const auto flight = d.starve();
    ASSERT_NE(flight, warp::kNoFlight);
    d.run(4, 3);
    EXPECT_FALSE(d.eligible(0));
    d.back(flight);
    EXPECT_TRUE(d.eligible(0));
    EXPECT_TRUE(d.boosted(0));
    EXPECT_FALSE(d.boosted(4));
}

// Two that wait at one access are one warp-split with two flights, each with a hit mask of its own.
TEST_F(MawsLazyTest, AMergedOneIsDividedFlightByFlight) {
    d.access(0, 0b0011);
    const auto first = d.starve();
    d.access(4, 0b0001); // 1
    const auto of_ahead = d.last;
    d.back(first);
    d.access(0, 0b0100); // 1
    const auto of_behind = d.last;
    EXPECT_EQ(d.lanes(4), 0b1111U);
    EXPECT_EQ(d.starve(), of_ahead);
    EXPECT_EQ(d.lanes(4), 0b1110U);
    EXPECT_EQ(d.starve(), of_behind);
    EXPECT_EQ(d.lanes(4), 0b1010U);
    EXPECT_EQ(d.alive(), 4U); // of rows 1 and 2; those that wait; 0001 and 0100 behind the access, which have merged
    d.back(of_behind);
    EXPECT_FALSE(d.eligible(4));
    d.back(of_ahead);
    EXPECT_EQ(d.alive(), 3U);
    EXPECT_EQ(d.counter("merges_at_access"), 2U);
}

} // namespace
} // namespace heddle::formation
