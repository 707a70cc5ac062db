#include <gtest/gtest.h>

#include "check/thread_clocks.h"

namespace heddle::check {
namespace {

// Two blocks of 64 threads.
class ThreadClocksTest : public testing::Test {
protected:
    ThreadClocksTest() {
        clocks.begin(128, 64);
        clocks.start_block(0);
        clocks.start_block(1);
    }
    // What `thread` does now is known to `other` later on, when this is true.
    bool knows(ThreadId other, const Accessor& then) {
        return clocks.accessor(other).knows(then.id, then.clock);
    }
    void meet(const std::vector<ThreadId>& threads) {
        Meeting meeting;
        for (const ThreadId t : threads)
            clocks.arrive(meeting, t, true);
        clocks.meet(meeting, threads);
    }

    ThreadClocks clocks;
};

TEST_F(ThreadClocksTest, AThreadKnowsItselfOnly) {
    const Accessor then = clocks.accessor(3);
    EXPECT_TRUE(knows(3, then));
    EXPECT_FALSE(knows(4, then));
}

TEST_F(ThreadClocksTest, ThoseWhoMeetKnowWhatWasBeforeAndNotWhatComesAfter) {
    const Accessor before = clocks.accessor(3);
    meet({3, 4});
    const Accessor after = clocks.accessor(3);
    EXPECT_TRUE(knows(4, before));
    EXPECT_FALSE(knows(4, after));
    EXPECT_FALSE(knows(5, before));
    meet({4, 5}); // 5 learns what 4 knew
    EXPECT_TRUE(knows(5, before));
}

TEST_F(ThreadClocksTest, OneWhoOnlyArrivesTellsAndDoesNotLearn) {
    const Accessor producer = clocks.accessor(0), consumer = clocks.accessor(1);
    Meeting meeting;
    clocks.arrive(meeting, 0, false);
    const Accessor later = clocks.accessor(0);
    clocks.arrive(meeting, 1, true);
    clocks.meet(meeting, std::vector<ThreadId>{1});
    EXPECT_TRUE(knows(1, producer));
    EXPECT_FALSE(knows(1, later));
    EXPECT_FALSE(knows(0, consumer));
}

constexpr std::uint64_t kFlag = 0x1000;
constexpr ThreadClocks::Release kPlainStore{Scope::Device, false, true}, kPlainAdd{Scope::Device, false, false};

TEST_F(ThreadClocksTest, AFlagBehindAFencePublishesWhatWasBeforeTheFence) {
    const Accessor before = clocks.accessor(0);
    clocks.fence(0, Scope::Device);
    const Accessor behind = clocks.accessor(0);
    clocks.release(0, kFlag, kPlainStore);
    clocks.acquire(64, kFlag);
    EXPECT_TRUE(knows(64, before));
    EXPECT_FALSE(knows(64, behind));
}

TEST_F(ThreadClocksTest, AFlagWithoutAFencePublishesNothing) {
    const Accessor before = clocks.accessor(0);
    clocks.release(0, kFlag, kPlainStore);
    clocks.acquire(64, kFlag);
    EXPECT_FALSE(knows(64, before));
}

TEST_F(ThreadClocksTest, AFenceOfTheBlockReachesTheBlockOnly) {
    const Accessor before = clocks.accessor(0);
    clocks.fence(0, Scope::Block);
    clocks.release(0, kFlag, kPlainStore);
    clocks.acquire(64, kFlag);
    clocks.acquire(1, kFlag);
    EXPECT_FALSE(knows(64, before));
    EXPECT_TRUE(knows(1, before));
}

TEST_F(ThreadClocksTest, AReleaseOfTheBlockReachesTheBlockOnly) {
    const Accessor before = clocks.accessor(0);
    clocks.release(0, kFlag, {Scope::Block, true, true});
    const Accessor behind = clocks.accessor(0);
    clocks.acquire(64, kFlag);
    clocks.acquire(1, kFlag);
    EXPECT_FALSE(knows(64, before));
    EXPECT_TRUE(knows(1, before));
    EXPECT_FALSE(knows(1, behind));
}

TEST_F(ThreadClocksTest, AtomicOperationsAddToWhatIsPublishedAndStoresReplaceIt) {
    const Accessor first = clocks.accessor(0), second = clocks.accessor(1);
    clocks.fence(0, Scope::Device);
    clocks.fence(1, Scope::Device);
    clocks.release(0, kFlag, kPlainAdd);
    clocks.release(1, kFlag, kPlainAdd);
    clocks.acquire(64, kFlag);
    EXPECT_TRUE(knows(64, first));
    EXPECT_TRUE(knows(64, second));
    clocks.release(1, kFlag, kPlainStore);
    clocks.acquire(65, kFlag);
    EXPECT_FALSE(knows(65, first));
    EXPECT_TRUE(knows(65, second));
}

TEST_F(ThreadClocksTest, WhatAllHaveFencedBeforeABarrierOneOfThemMayPublish) {
    const Accessor before = clocks.accessor(0);
    clocks.fence(0, Scope::Device);
    meet({0, 1});
    clocks.release(1, kFlag, kPlainStore);
    clocks.acquire(64, kFlag);
    EXPECT_TRUE(knows(64, before));
}

TEST_F(ThreadClocksTest, ACopyIsKnownWhenItsGroupIsOver) {
    const Accessor first = clocks.copies_of(0);
    clocks.close_group(0);
    const Accessor second = clocks.copies_of(0);
    clocks.close_group(0);
    EXPECT_FALSE(knows(0, first));
    clocks.wait_for_copies(0, 1, false);
    EXPECT_TRUE(knows(0, first));
    EXPECT_FALSE(knows(0, second));
    meet({0, 1});
    EXPECT_TRUE(knows(1, first));
    EXPECT_FALSE(knows(1, second));
    const Accessor open = clocks.copies_of(0);
    clocks.wait_for_copies(0, 0, true);
    EXPECT_TRUE(knows(0, second));
    EXPECT_TRUE(knows(0, open));
}

} // namespace
} // namespace heddle::check
