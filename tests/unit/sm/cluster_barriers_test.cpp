#include <gtest/gtest.h>

#include "sm/frame/cluster_barriers.h"

namespace heddle::sm {
namespace {

// A cluster of two blocks on one SM: block 0 has rows 0 and 1 of 32 threads, block 1 has row 2 of 8 threads.
class ClusterBarrier : public testing::Test {
protected:
    static constexpr LaneMask kAll = 0xffffffff, kEight = 0xff;

    void SetUp() override {
        cluster.live = 32 + 32 + 8;
        barriers.begin_block(0, block0);
        barriers.begin_block(1, block1);
    }
    void arrive_all() {
        barriers.arrive(cluster, 0, kAll);
        barriers.arrive(cluster, 1, kAll);
        barriers.arrive(cluster, 2, kEight);
    }
    // The cluster's barrier is complete: both blocks release their threads.
    void complete() {
        cluster.begin_phase();
        released0 = barriers.complete(0);
        released1 = barriers.complete(1);
    }

    const std::vector<warp::Part> block0{{0, kAll}, {1, kAll}}, block1{{2, kEight}};
    exec::Cluster cluster;
    ClusterBarriers barriers{2, 3};
    std::vector<warp::Waiting> released0, released1;
};

TEST_F(ClusterBarrier, IsCompleteWhenAllThreadsHaveArrived) {
    EXPECT_FALSE(cluster.is_complete());
    barriers.arrive(cluster, 0, kAll);
    barriers.arrive(cluster, 2, kEight);
    EXPECT_EQ(cluster.arrived, 40U);
    EXPECT_FALSE(cluster.is_complete());
    barriers.arrive(cluster, 1, kAll & ~LaneMask{1});
    EXPECT_FALSE(cluster.is_complete()); // one thread is missing
    barriers.arrive(cluster, 1, 1);
    EXPECT_TRUE(cluster.is_complete());
}

TEST_F(ClusterBarrier, AThreadArrivesOnceInAPhase) {
    barriers.arrive(cluster, 0, 0xf);
    barriers.arrive(cluster, 0, 0x3c); // lanes 2 and 3 again
    EXPECT_EQ(cluster.arrived, 6U);
}

// Only threads that have arrived wait, each with the place at which it waits.
TEST_F(ClusterBarrier, CompletionReleasesTheThreadsThatWait) {
    barriers.arrive(cluster, 0, 0xf);
    EXPECT_EQ(barriers.wait(cluster, 0, 10, 0, 0x3c), 0xcU);
    EXPECT_EQ(barriers.wait(cluster, 0, 20, 0, 0x3), 0x3U);
    EXPECT_EQ(barriers.wait(cluster, 0, 10, 1, kAll), 0U); // none of this row has arrived
    EXPECT_EQ(barriers.waiting(0).size(), 2U);
    EXPECT_TRUE(barriers.waiting(1).empty());
    arrive_all();
    ASSERT_TRUE(cluster.is_complete());
    complete();
    ASSERT_EQ(released0.size(), 2U);
    EXPECT_EQ(released0[0].pc, 10U);
    EXPECT_EQ(released0[0].part.row, 0U);
    EXPECT_EQ(released0[0].part.lanes, 0xcU);
    EXPECT_EQ(released0[1].pc, 20U);
    EXPECT_EQ(released0[1].part.lanes, 0x3U);
    EXPECT_TRUE(released1.empty());
    EXPECT_TRUE(barriers.waiting(0).empty());
}

// Threads that come to the wait after their phase is complete go on; then the next phase counts from 0.
TEST_F(ClusterBarrier, PhasesFollowEachOther) {
    arrive_all();
    complete();
    EXPECT_EQ(barriers.wait(cluster, 0, 10, 0, kAll), 0U);
    barriers.arrive(cluster, 0, kAll);
    EXPECT_EQ(cluster.arrived, 32U);
    EXPECT_EQ(barriers.wait(cluster, 0, 10, 0, kAll), kAll);
    EXPECT_FALSE(cluster.is_complete());
    barriers.arrive(cluster, 1, kAll);
    barriers.arrive(cluster, 2, kEight);
    EXPECT_TRUE(cluster.is_complete());
}

// A thread that exits is not expected any more, whether it has arrived or not.
TEST_F(ClusterBarrier, ThreadsThatExitAreNotExpected) {
    barriers.arrive(cluster, 0, kAll);
    barriers.arrive(cluster, 2, 0xf);
    EXPECT_EQ(cluster.arrived, 36U);
    barriers.exit(cluster, 2, 0x3c); // lanes 2 and 3 have arrived, 4 and 5 have not
    cluster.live -= 4;
    EXPECT_EQ(cluster.arrived, 34U);
    barriers.exit(cluster, 1, kAll); // none has arrived
    cluster.live -= 32;
    EXPECT_EQ(cluster.arrived, 34U);
    EXPECT_FALSE(cluster.is_complete()); // lanes 6 and 7 of row 2 are missing
    barriers.arrive(cluster, 2, 0xc0);
    EXPECT_TRUE(cluster.is_complete());
}

// The phase ends on another SM, and threads of this one exit before they are released here.
TEST_F(ClusterBarrier, ThreadsThatExitBetweenPhasesAreNotCountedBack) {
    arrive_all();
    ASSERT_EQ(barriers.wait(cluster, 0, 10, 0, kAll), kAll);
    cluster.begin_phase();
    barriers.exit(cluster, 2, kEight);
    cluster.live -= 8;
    EXPECT_EQ(cluster.arrived, 0U);
    barriers.arrive(cluster, 1, kAll); // its row went on without waiting
    EXPECT_EQ(cluster.arrived, 32U);
    EXPECT_EQ(barriers.complete(0).size(), 1U);
    EXPECT_EQ(barriers.wait(cluster, 0, 20, 1, kAll), kAll); // its arrival counts on
}

TEST_F(ClusterBarrier, ABlockThatStartsHasNoArrivals) {
    barriers.arrive(cluster, 2, kEight);
    EXPECT_EQ(barriers.wait(cluster, 1, 10, 2, kEight), kEight);
    exec::Cluster next;
    next.live = 8;
    barriers.begin_block(1, block1);
    EXPECT_TRUE(barriers.waiting(1).empty());
    EXPECT_EQ(barriers.wait(next, 1, 10, 2, kEight), 0U);
    barriers.arrive(next, 2, kEight);
    EXPECT_EQ(next.arrived, 8U);
    EXPECT_TRUE(next.is_complete());
}

} // namespace
} // namespace heddle::sm
