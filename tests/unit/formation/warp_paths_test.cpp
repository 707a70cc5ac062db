// Paths of a warp and convergence barriers.
#include <gtest/gtest.h>

#include "formation/warp_paths.h"

namespace heddle::formation {
namespace {

constexpr LaneMask kAll = 0xff;

struct Started : WarpPaths {
    Started() {
        start(10, kAll);
    }
};

TEST(WarpPaths, ThreadsThatFallThroughGoFirst) {
    Started w;
    w.branch(0x0f, 50);
    EXPECT_EQ(w.running(), 0xf0U);
    EXPECT_EQ(w.pc(), 11U);
    w.exit(0xf0);
    EXPECT_EQ(w.running(), 0x0fU);
    EXPECT_EQ(w.pc(), 50U);
}

TEST(WarpPaths, TheOrderOfPathsIsASetting) {
    WarpPaths w({.taken_first = true, .oldest_first = true});
    w.start(10, kAll);
    w.branch(0x0f, 50);
    EXPECT_EQ(w.pc(), 50U);
    w.branch(0x03, 60);
    EXPECT_EQ(w.running(), 0x03U);
    w.exit(0x03);
    EXPECT_EQ(w.running(), 0xf0U); // became ready first
    EXPECT_EQ(w.pc(), 11U);
    w.exit(0xf0);
    EXPECT_EQ(w.running(), 0x0cU);
    EXPECT_EQ(w.pc(), 51U);
}

TEST(WarpPaths, APathThatGoesRoundALoopGivesWayAfterItsRounds) {
    WarpPaths w({.rounds = 3});
    w.start(10, kAll);
    w.branch(0x0f, 50); // 0xf0 goes on at 11
    for (int round = 0; round < 2; ++round) {
        w.branch(0xf0, 11);
        EXPECT_EQ(w.running(), 0xf0U);
    }
    w.branch(0xf0, 11);
    EXPECT_EQ(w.running(), 0x0fU);
    EXPECT_EQ(w.pc(), 50U);
    w.exit(0x0f);
    EXPECT_EQ(w.pc(), 11U);
}

TEST(WarpPaths, WithoutRoundsNoPathGivesWay) {
    WarpPaths w({.rounds = 0});
    w.start(10, kAll);
    w.branch(0x0f, 50);
    for (int round = 0; round < 1000; ++round)
        w.branch(0xf0, 11);
    EXPECT_EQ(w.running(), 0xf0U);
}

TEST(WarpPaths, ABarrierBringsTheSidesTogether) {
    Started w;
    w.set(3);
    EXPECT_EQ(w.pc(), 11U);
    w.branch(0x0f, 50);
    w.branch(0xf0, 60);
    w.wait(3); // at 60
    EXPECT_EQ(w.running(), 0x0fU);
    w.branch(0x0f, 60);
    w.wait(3);
    EXPECT_EQ(w.running(), kAll);
    EXPECT_EQ(w.pc(), 61U);
}

TEST(WarpPaths, AnExitReleasesThoseThatWait) {
    Started w;
    w.set(0);
    w.branch(0x0f, 50);
    w.branch(0xf0, 60);
    w.wait(0);
    EXPECT_EQ(w.running(), 0x0fU);
    w.exit(0x0f);
    EXPECT_EQ(w.running(), 0xf0U);
    EXPECT_EQ(w.pc(), 61U);
    EXPECT_EQ(w.live(), 0xf0U);
}

TEST(WarpPaths, SidesMayUseOneBarrierAtOneTime) {
    Started w;
    w.branch(0x0f, 50);
    w.set(1); // 0xf0
    w.suspend(0xf0);
    EXPECT_EQ(w.running(), 0x0fU);
    w.set(1);
    w.wait(1);
    EXPECT_EQ(w.running(), 0x0fU) << "all that set it together are there";
    EXPECT_EQ(w.pc(), 52U);
}

TEST(WarpPaths, ThreadsOutsideOfABarrierDoNotWait) {
    Started w;
    w.wait(2);
    EXPECT_EQ(w.running(), kAll);
    EXPECT_EQ(w.pc(), 11U);
}

TEST(WarpPaths, SuspendedThreadsGoOnTogetherWhereTheyStand) {
    Started w;
    w.suspend(0x03);
    EXPECT_EQ(w.running(), 0xfcU);
    EXPECT_EQ(w.pc(), 11U);
    w.exit(0xfc);
    EXPECT_EQ(w.running(), 0U);
    w.resume(0x03);
    EXPECT_EQ(w.running(), 0x03U);
    EXPECT_EQ(w.pc(), 11U);
}

// Threads 0 to 3 spin for what the others would do.
TEST(WarpPaths, ASpinningPathGivesWay) {
    Started w;
    w.branch(0xf0, 50);
    unsigned rounds = 0;
    for (; w.running() == 0x0fU && rounds < 1000; ++rounds)
        w.branch(0x0f, 11);
    EXPECT_EQ(rounds, PathOrder{}.rounds);
    EXPECT_EQ(w.running(), 0xf0U);
    EXPECT_EQ(w.pc(), 50U);
}

// As above, and in each round the threads meet at a barrier of their own.
TEST(WarpPaths, ASpinningPathWithABarrierInItsLoopGivesWay) {
    Started w;
    w.branch(0xf0, 50);
    unsigned rounds = 0;
    for (; w.running() == 0x0fU && rounds < 1000; ++rounds) {
        w.set(0);
        w.wait(0);
        ASSERT_EQ(w.running(), 0x0fU);
        w.branch(0x0f, 11);
    }
    EXPECT_EQ(rounds, PathOrder{}.rounds);
    EXPECT_EQ(w.running(), 0xf0U);
}

// Two paths spin and wait in each round, a third one could run.
TEST(WarpPaths, PathsThatWaitInEachRoundGiveWay) {
    Started w;
    w.branch(0xf0, 50); // 0x0f goes on at 11
    w.branch(0x0c, 70); // 0x03 at 12, and 0x0c is the last that became ready
    unsigned rounds = 0;
    for (; w.running() != 0xf0U && rounds < 1000; ++rounds) {
        const LaneMask spins = w.running();
        w.branch(spins, w.pc());
        if (w.running() == spins) {
            w.suspend(spins);
            w.resume(spins);
        }
    }
    EXPECT_LE(rounds, 2 * PathOrder{}.rounds + 2);
}

// Threads 0 to 3 spin, and part and meet in each round.
TEST(WarpPaths, PathsThatPartAndMeetInEachRoundGiveWay) {
    Started w;
    w.branch(0xf0, 50);
    unsigned rounds = 0;
    for (; rounds < 1000 && w.pc() != 50; ++rounds) { // from 11 to 16
        w.set(0);
        w.branch(0x03, 14);
        w.branch(0x0c, 15);
        w.wait(0);
        w.branch(0x03, 15);
        w.wait(0);
        ASSERT_EQ(w.running(), 0x0fU);
        ASSERT_EQ(w.pc(), 16U);
        w.branch(0x0f, 11);
    }
    EXPECT_EQ(rounds, PathOrder{}.rounds);
    EXPECT_EQ(w.running(), 0xf0U);
}

// As above, with a branch that has a target for each thread.
TEST(WarpPaths, PathsThatGoBackToSeveralPlacesGiveWay) {
    Started w;
    w.branch(0xf0, 50);
    unsigned rounds = 0;
    for (; rounds < 1000 && w.running() == 0x0fU; ++rounds) {
        w.set(0);
        w.go_on(std::array<WarpPaths::Path, 2>{{{5, 0x03}, {6, 0x0c}}});
        while (w.pc() == 5 || w.pc() == 6) {
            w.branch(w.running(), 30);
            w.wait(0);
        }
    }
    EXPECT_EQ(rounds, PathOrder{}.rounds);
    EXPECT_EQ(w.running(), 0xf0U) << "0x0c left the warp, and 0x03 has waited for it";
}

// Threads 0 to 3 wait at the barrier, the others spin for what these do behind it.
TEST(WarpPaths, ABarrierDoesNotWaitForThreadsThatYield) {
    Started w;
    w.set(0);
    w.branch(0xf0, 50); // 0x0f goes on at 12
    w.wait(0);
    EXPECT_EQ(w.running(), 0xf0U);
    w.branch(0x30, 60); // 0xc0 goes on at 51
    w.yield();
    EXPECT_EQ(w.pc(), 52U);
    unsigned rounds = 0;
    for (; rounds < 1000 && w.running() != 0x0fU; ++rounds) {
        const Pc begin = w.pc();
        w.yield();
        w.branch(w.running(), begin);
    }
    EXPECT_LE(rounds, 3 * PathOrder{}.rounds) << "0x30 has a turn, yields too, and then 0x0f goes on";
    EXPECT_EQ(w.pc(), 13U);
    w.exit(0x0f);
    w.wait(0); // takes part in it no more
    EXPECT_NE(w.running(), 0U);
}

TEST(WarpPaths, ABarrierWaitsForThreadsThatDoNotYield) {
    Started w;
    w.set(0);
    w.branch(0xf0, 50);
    w.wait(0);
    for (unsigned rounds = 0; rounds < 1000; ++rounds)
        w.branch(0xf0, 50);
    EXPECT_EQ(w.running(), 0xf0U);
}

// Threads 4 to 7 wait for the others in the branch, and these for them behind the place where the sides meet.
TEST(WarpPaths, ABarrierDoesNotWaitForThreadsThatWaitForTheOthers) {
    Started w;
    w.set(0);
    w.branch(0xf0, 50); // 0x0f goes on at 12
    w.wait(0);
    w.meet(0xf0); // at 50
    EXPECT_EQ(w.running(), 0x0fU);
    EXPECT_EQ(w.pc(), 13U);
    w.meet(0x0f);
    EXPECT_EQ(w.running(), 0U);
    w.resume(kAll);
    EXPECT_EQ(w.running() == 0x0f ? w.pc() : w.pc() - 37, 14U);
}

// For other warps the threads of a barrier of the block wait, too.
TEST(WarpPaths, ABarrierWaitsForThreadsAtABarrierOfTheBlock) {
    Started w;
    w.set(0);
    w.branch(0xf0, 50);
    w.wait(0);
    w.suspend(0xf0);
    EXPECT_EQ(w.running(), 0U);
    w.resume(0xf0);
    EXPECT_EQ(w.running(), 0xf0U);
}

TEST(WarpPaths, ThreadsReturnToSeveralPlaces) {
    Started w;
    const std::array<WarpPaths::Path, 2> to{{{20, 0x0f}, {30, 0xf0}}};
    w.go_on(to);
    EXPECT_EQ(w.running(), 0xf0U);
    EXPECT_EQ(w.pc(), 30U);
    w.exit(0xf0);
    EXPECT_EQ(w.running(), 0x0fU);
    EXPECT_EQ(w.pc(), 20U);
}

} // namespace
} // namespace heddle::formation
