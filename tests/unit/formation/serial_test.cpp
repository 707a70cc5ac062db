#include <gtest/gtest.h>

#include "contract/formation_driver.h"

namespace heddle::formation {
namespace {

class SerialTest : public testing::Test {
protected:
    Driver d{"serial"};

    void SetUp() override {
        const warp::Part row{1, 0xf};
        d.formation->launch(0, {&row, 1}, 0);
        first = d.formation->units.alive.first();
    }
    [[nodiscard]] UnitId other() const {
        return d.formation->units.alive.next_after(first);
    }
    UnitId first = kNoUnit;
};

TEST_F(SerialTest, ADivergentBranchMakesTwoUnitsThatNeverMerge) {
    d.branch(first, 3, 0b0110, 5);
    ASSERT_EQ(d.alive(), 2U);
    EXPECT_EQ(d.pc(first), 3U);
    EXPECT_EQ(d.lanes(first), 0b0110U);
    EXPECT_EQ(d.pc(other()), 1U);
    EXPECT_EQ(d.lanes(other()), 0b1001U);
    EXPECT_TRUE(d.eligible(first));
    EXPECT_TRUE(d.eligible(other()));
    d.next(first);
    d.next(first);
    d.branch(other(), 5, 0b1001, kNoPc);
    EXPECT_EQ(d.pc(first), d.pc(other())); // both at 5, still apart
    EXPECT_EQ(d.alive(), 2U);
}

TEST_F(SerialTest, AnEmptyUnitIsFreeAgain) {
    d.branch(first, 3, 0b0110, 5);
    const UnitId second = other();
    d.exit(second, 0b1001);
    EXPECT_EQ(d.alive(), 1U);
    d.branch(first, 7, 0b0010, 9);
    EXPECT_EQ(d.alive(), 2U);
}

TEST_F(SerialTest, OnlyThreadsThatReachTheBarrierWait) {
    d.barrier(first, 0b0011);
    ASSERT_EQ(d.alive(), 2U);
    EXPECT_FALSE(d.eligible(first));
    EXPECT_EQ(d.lanes(first), 0b0011U);
    EXPECT_TRUE(d.eligible(other()));
    const warp::Part some{1, 0b0001};
    d.formation->resume(0, {&some, 1});
    EXPECT_FALSE(d.eligible(first));
    const warp::Part rest{1, 0b0010};
    d.formation->resume(0, {&rest, 1});
    EXPECT_TRUE(d.eligible(first));
}

} // namespace
} // namespace heddle::formation
