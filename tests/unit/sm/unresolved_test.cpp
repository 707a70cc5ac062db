// Units whose next PC is not known yet, and flights of units that have ended.
#include <gtest/gtest.h>

#include "sm/sub_core/unresolved.h"

namespace heddle::sm::test {
namespace {

TEST(Unresolved, ATransferLastsUntilItsTargetIsInTheBuffer) {
    Unresolved of(4, false);
    of.begin_transfer(2);
    EXPECT_TRUE(of.transfers().contains(2));
    EXPECT_FALSE(of.transfers().contains(1));
    of.end_transfer(2);
    EXPECT_TRUE(of.transfers().empty());
}

TEST(Unresolved, AUnitDrainsUntilItsLastFlightIsAnswered) {
    Unresolved of(4, false);
    of.begin_transfer(1); // an exit, whose stores are on their way
    EXPECT_TRUE(of.begin_drain(1));
    EXPECT_FALSE(of.transfers().contains(1));
    EXPECT_FALSE(of.begin_drain(1)); // a second flight
    EXPECT_FALSE(of.end_drain(1));
    EXPECT_TRUE(of.drains().contains(1));
    EXPECT_TRUE(of.end_drain(1));
    EXPECT_FALSE(of.drains().contains(1));
    EXPECT_FALSE(of.end_drain(1)); // an answer to a flight of an earlier unit with this number
}

TEST(Unresolved, ADeadUnitLeavesNothingToTheNextWithItsNumber) {
    Unresolved of(4, false);
    of.begin_transfer(3);
    EXPECT_TRUE(of.begin_drain(3));
    of.forget(3);
    EXPECT_TRUE(of.drains().empty());
    EXPECT_TRUE(of.begin_drain(3)); // the first of the new unit
}

TEST(Unresolved, FlightsAreCountedWhereUnitsEndAtIssue) {
    Unresolved of(4, true);
    of.begin_transfer(0);
    of.begin_transfer(0); // another unit with this number
    EXPECT_FALSE(of.begin_drain(1));
    EXPECT_TRUE(of.transfers().empty());
    EXPECT_TRUE(of.drains().empty());
    EXPECT_EQ(of.flights().transfers, 2U);
    EXPECT_EQ(of.flights().drains, 1U);
    of.end_transfer_of_flight();
    of.end_drain_of_flight();
    EXPECT_EQ(of.flights().transfers, 1U);
    EXPECT_EQ(of.flights().drains, 0U);
}

} // namespace
} // namespace heddle::sm::test
