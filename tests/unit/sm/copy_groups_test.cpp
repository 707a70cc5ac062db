#include <gtest/gtest.h>

#include "sm/sub_core/copy_groups.h"

namespace heddle::sm {
namespace {

constexpr RowId kOneRow = 1, kOtherRow = 2;

class Copies : public testing::Test {
protected:
    CopyGroups groups{8, 4};
};

TEST_F(Copies, AWaitForNoGroupWaitsForTheEarliestOne) {
    groups.begin(3, kOneRow);
    groups.begin(4, kOneRow);
    groups.commit(kOneRow);
    EXPECT_EQ(groups.awaited(kOneRow, 0), 3);
    EXPECT_EQ(groups.end(3), kOneRow);
    EXPECT_EQ(groups.awaited(kOneRow, 0), 4);
    EXPECT_EQ(groups.end(4), kOneRow);
    EXPECT_EQ(groups.awaited(kOneRow, 0), warp::kNoFlight);
}

TEST_F(Copies, AWaitForOneGroupLeavesTheLastOnItsWay) {
    groups.begin(3, kOneRow);
    groups.commit(kOneRow);
    groups.begin(4, kOneRow);
    groups.commit(kOneRow);
    EXPECT_EQ(groups.awaited(kOneRow, 2), warp::kNoFlight);
    EXPECT_EQ(groups.awaited(kOneRow, 1), 3);
    groups.end(3);
    EXPECT_EQ(groups.awaited(kOneRow, 1), warp::kNoFlight);
    EXPECT_EQ(groups.awaited(kOneRow, 0), 4);
}

// PTX ISA, cp.async.wait_group: all groups before the last ones are complete.
TEST_F(Copies, GroupsEndInTheirOrder) {
    groups.begin(3, kOneRow);
    groups.commit(kOneRow);
    groups.begin(4, kOneRow);
    groups.commit(kOneRow);
    groups.end(4);
    EXPECT_EQ(groups.awaited(kOneRow, 1), 3);
}

TEST_F(Copies, GroupsWaitForNoCopyBehindThem) {
    groups.begin(3, kOneRow);
    groups.commit(kOneRow);
    groups.begin(4, kOneRow);
    groups.end(3);
    EXPECT_EQ(groups.awaited(kOneRow, 0), warp::kNoFlight);
    EXPECT_EQ(groups.awaited(kOneRow), 4); // a wait for all copies
    groups.end(4);
    EXPECT_EQ(groups.awaited(kOneRow), warp::kNoFlight);
}

TEST_F(Copies, AreThoseOfARow) {
    groups.begin(3, kOneRow);
    groups.commit(kOneRow);
    groups.commit(kOtherRow);
    EXPECT_EQ(groups.awaited(kOtherRow, 0), warp::kNoFlight);
    EXPECT_EQ(groups.end(5), CopyGroups::kNoRow); // another access
}

// A barrier object that expects one arrival beside one that has come (src/ir/selection/barrier_object.cpp).
TEST_F(Copies, ArrivalsWaitForTheCopiesBeforeThem) {
    constexpr std::uint64_t kPhase = std::uint64_t{1} << 63, kArrival = std::uint64_t{1} << 32;
    std::uint64_t object = std::uint64_t{1} << 20 | 1;
    groups.begin(3, kOneRow);
    groups.begin(4, kOneRow);
    std::vector<exec::CopyArrival> list{{reinterpret_cast<std::byte*>(&object), kArrival}};
    groups.arrive(kOneRow, list);
    EXPECT_TRUE(list.empty());
    groups.begin(5, kOneRow); // behind the arrival
    groups.commit(kOneRow);
    groups.end(4);
    EXPECT_EQ(object & kPhase, 0U);
    groups.end(3);
    EXPECT_EQ(object & kPhase, kPhase);
    EXPECT_EQ(groups.awaited(kOneRow, 0), 5); // the group has copies on both sides of the arrival
    groups.end(5);
    EXPECT_EQ(groups.awaited(kOneRow, 0), warp::kNoFlight);
}

TEST_F(Copies, AKernelBeginsWithoutCopies) {
    groups.begin(3, kOneRow);
    groups.commit(kOneRow);
    groups.begin_kernel();
    EXPECT_EQ(groups.awaited(kOneRow), warp::kNoFlight);
    EXPECT_EQ(groups.end(3), CopyGroups::kNoRow);
}

} // namespace
} // namespace heddle::sm
