// Warp subdivision on a core whose units wait at the first instruction that needs data, not at the access (scoreboard):
// where a unit has gone on, what is divided, and when parts merge.

#include <gmock/gmock.h>

#include "split_driver.h"

namespace heddle::formation {
namespace {

using testing::ElementsAre;

constexpr UnitId kNone = SplitDriver::kNone;

// A warp of four threads in unit 0; further warp-splits begin at 4.
class MawsOverlap : public testing::Test {
protected:
    SplitDriver d{4, {{0, 0b1111}}, {"maws.split=aggress"}};

    void expect(UnitId unit, LaneMask lanes, Pc pc) {
        EXPECT_EQ(d.lanes(unit), lanes);
        EXPECT_EQ(d.pc(unit), pc);
        EXPECT_TRUE(d.eligible(unit));
    }
};

// 0 load, 1 and 2 do not need its data. Both parts go on at 3: no one executes anything twice.
TEST_F(MawsOverlap, AUnitIsPartedWhereItStandsWhenTheAccessIsLookedUp) {
    const warp::Flight load = d.load_and_go_on(0);
    d.run(0, 2);
    ASSERT_EQ(d.look_up(load, 0b0101), 4);
    expect(0, 0b1010, 3);
    expect(4, 0b0101, 3);
    EXPECT_EQ(d.counter("splits"), 1U);
}

// Not an access that is looked up while the unit is not between two instructions: its branch is on its way.
TEST_F(MawsOverlap, AUnitWhoseBranchIsOnItsWayIsNotParted) {
    d.branch_at(1, 5, 20);
    const warp::Flight load = d.load_and_go_on(0);
    d.formation->units.eligible.erase(0); // the branch issues
    EXPECT_EQ(d.look_up(load, 0b0101), kNone);
    EXPECT_THAT(d.units(), ElementsAre(0));
}

// Before a branch the parts would only wait for each other (MAWS 5.3).
TEST_F(MawsOverlap, AUnitBeforeABranchIsNotParted) {
    d.branch_at(1, 5, 20);
    const warp::Flight load = d.load_and_go_on(0);
    EXPECT_EQ(d.look_up(load, 0b0101), kNone);
    expect(0, 0b1111, 1);
}

// The branch has parted the threads that loaded: those in the unit now are divided, 0 from 1 and 2; 3 went elsewhere.
TEST_F(MawsOverlap, OnlyThreadsThatAreStillInTheUnitAreParted) {
    d.branch_at(1, 5, 20);
    const warp::Flight load = d.load_and_go_on(0);
    d.branch(0, 0b0111);
    ASSERT_EQ(d.pc(0), 5U);
    ASSERT_EQ(d.look_up(load, 0b1001), 4);
    expect(0, 0b0110, 5);
    expect(4, 0b0001, 5);
}

// All threads that are left hit (or all missed): nothing to divide.
TEST_F(MawsOverlap, ThreadsOfOneKindAreNotParted) {
    d.branch_at(1, 5, 20);
    const warp::Flight load = d.load_and_go_on(0);
    d.branch(0, 0b0111);
    EXPECT_EQ(d.look_up(load, 0b0111), kNone);
}

// Both stand at 3 when the data come: one warp again. While they are missing they do not merge: those that hit would
// wait too.
TEST_F(MawsOverlap, PartsAtOnePlaceMergeWhenTheLastDataOfBothAreThere) {
    const warp::Flight load = d.load_and_go_on(0);
    d.run(0, 2);
    d.look_up(load, 0b0101);
    EXPECT_THAT(d.units(), ElementsAre(0, 4));
    d.back(d.last, 100);
    ASSERT_EQ(d.units().size(), 1U);
    expect(d.units().front(), 0b1111, 3);
    EXPECT_EQ(d.counter("merges_at_access"), 1U);
}

TEST_F(MawsOverlap, PartsAtDifferentPlacesGoOnApart) {
    const warp::Flight load = d.load_and_go_on(0);
    d.look_up(load, 0b0101);
    d.run(4, 3);
    d.back(d.last, 100);
    expect(0, 0b1010, 1);
    expect(4, 0b0101, 4);
    EXPECT_EQ(d.counter("returns_behind"), 1U);
    EXPECT_EQ(d.counter("run_ahead"), 3U);
}

// The unit has ended when its data come: its number was reserved meanwhile, and is free again.
TEST_F(MawsOverlap, AFlightMayOutliveItsUnit) {
    d.branch_at(1, 5, 2); // threads meet again at 2
    const warp::Flight load = d.load_and_go_on(0);
    d.branch(0, 0b0011);
    d.look_up(load, 0b0001);
    const std::vector<UnitId> parts = d.units();
    ASSERT_EQ(parts.size(), 2U);
    const warp::FlightId missed = d.last;
    d.next(4); // 5: straight on
    d.back(missed, 100);
    for (const UnitId u : d.units())
        EXPECT_TRUE(d.formation->units.alive.contains(u));
    EXPECT_EQ(d.lanes(0) | d.lanes(4), 0b0011U);
}

TEST(MawsOverlapLazy, AStarvedCoreHasItsOldestAccessDividedIfItsUnitStandsBetweenInstructions) {
    SplitDriver d{4, {{0, 0b1111}, {1, 0b1111}}, {"maws.split=lazy"}};
    const warp::Flight first = d.load_and_go_on(0);
    const warp::Flight second = d.load_and_go_on(1);
    EXPECT_EQ(d.look_up(first, 0b0101, 10), kNone);
    EXPECT_EQ(d.look_up(second, 0b0011, 11), kNone);
    d.formation->units.eligible.erase(0); // it has a branch on its way
    EXPECT_EQ(d.starve(), second.id);
    EXPECT_EQ(d.lanes(1), 0b1100U);
    EXPECT_EQ(d.starve(), warp::kNoFlight);
}

} // namespace
} // namespace heddle::formation
