#include <gtest/gtest.h>

#include "contract/formation_driver.h"

namespace heddle::formation {
namespace {

class ItsTest : public testing::Test {
protected:
    Driver d{"its"};

    void launch(RowId row = 0) {
        const warp::Part part{row, 0xf};
        d.formation->launch(0, {&part, 1}, 0);
    }
};

// No convergence barrier in front of the branch: a spin loop, for example.
TEST_F(ItsTest, PathsThatComeToABarrierOneAfterTheOtherLeaveItTogether) {
    launch();
    launch(1);
    d.branch(0, 5, 0b0011, kNoPc);
    EXPECT_EQ(d.lanes(0), 0b1100U);
    for (int i = 0; i < 4; ++i)
        d.next(0);
    d.barrier(0); // at 5
    EXPECT_EQ(d.lanes(0), 0b0011U);
    d.barrier(0);
    EXPECT_FALSE(d.eligible(0));
    for (int i = 0; i < 5; ++i)
        d.next(1);
    d.barrier(1);
    const warp::Part waiting[] = {{0, 0b1100}, {1, 0b1111}, {0, 0b0011}};
    d.formation->resume(0, waiting);
    for (UnitId u = 0; u < 2; ++u) {
        EXPECT_TRUE(d.eligible(u));
        EXPECT_EQ(d.pc(u), 6U);
        EXPECT_EQ(d.lanes(u), 0b1111U);
    }
}

TEST_F(ItsTest, ThreadsThatWaitedAtDifferentPlacesGoOnThere) {
    launch();
    d.branch(0, 5, 0b0011, kNoPc);
    d.barrier(0); // at 1
    d.barrier(0); // at 5
    const warp::Part waiting[] = {{0, 0b1100}, {0, 0b0011}};
    d.formation->resume(0, waiting);
    EXPECT_EQ(d.pc(0), 6U) << "the path that became ready last";
    EXPECT_EQ(d.lanes(0), 0b0011U);
    d.exit(0, 0b0011);
    EXPECT_EQ(d.pc(0), 2U);
    EXPECT_EQ(d.lanes(0), 0b1100U);
}

} // namespace
} // namespace heddle::formation
