#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mem/cache/mshr.h"

namespace heddle::mem {
namespace {

using testing::ElementsAre;

std::vector<std::uint32_t> release(MshrFile& mshrs, MissId miss) {
    std::vector<std::uint32_t> waiters;
    mshrs.release(miss, [&](std::uint32_t waiter) { waiters.push_back(waiter); });
    return waiters;
}

TEST(Mshr, EntriesRunOut) {
    MshrFile mshrs(2, 0);
    EXPECT_FALSE(mshrs.full());
    const MissId a = mshrs.allocate(10, 1);
    EXPECT_EQ(mshrs.in_use(), 1U);
    EXPECT_FALSE(mshrs.full());
    const MissId b = mshrs.allocate(20, 2);
    EXPECT_NE(a, b);
    EXPECT_TRUE(mshrs.full());
    EXPECT_EQ(mshrs.line_of(a), 10U);
    EXPECT_EQ(mshrs.line_of(b), 20U);
    release(mshrs, a);
    EXPECT_EQ(mshrs.in_use(), 1U);
    EXPECT_FALSE(mshrs.full());
}

TEST(Mshr, NoLimitsTakeAllThatCome) {
    MshrFile mshrs(0, 0);
    for (std::uint32_t i = 0; i < 1000; ++i)
        EXPECT_EQ(mshrs.line_of(mshrs.allocate(i, i)), i);
    EXPECT_FALSE(mshrs.full());
    const MissId miss = mshrs.find(500);
    for (std::uint32_t i = 0; i < 1000; ++i)
        EXPECT_TRUE(mshrs.merge(miss, i));
    EXPECT_EQ(release(mshrs, miss).size(), 1001U);
}

TEST(Mshr, TheFirstAccessCountsAmongTheMerges) {
    MshrFile mshrs(1, 2);
    MissId miss = mshrs.allocate(10, 1);
    EXPECT_TRUE(mshrs.merge(miss, 2));
    EXPECT_FALSE(mshrs.merge(miss, 3));
    EXPECT_THAT(release(mshrs, miss), ElementsAre(1, 2)); // 3 was not taken
    miss = mshrs.allocate(11, 4);
    EXPECT_TRUE(mshrs.merge(miss, 5)); // counted anew
    EXPECT_FALSE(mshrs.merge(miss, 6));
}

TEST(Mshr, WaitersGoInTheOrderOfTheirArrival) {
    MshrFile mshrs(0, 0);
    const MissId a = mshrs.allocate(10, 1);
    const MissId b = mshrs.allocate(20, 2);
    mshrs.merge(b, 3);
    mshrs.merge(a, 4);
    mshrs.merge(b, 5);
    mshrs.merge(a, 1); // the same one twice
    EXPECT_THAT(release(mshrs, a), ElementsAre(1, 4, 1));
    EXPECT_THAT(release(mshrs, b), ElementsAre(2, 3, 5));
}

TEST(Mshr, FindsALineWhileItIsOnItsWay) {
    MshrFile mshrs(4, 0);
    EXPECT_EQ(mshrs.find(10), kNoMiss);
    const MissId a = mshrs.allocate(10, 1);
    const MissId b = mshrs.allocate(20, 1);
    EXPECT_EQ(mshrs.find(10), a);
    EXPECT_EQ(mshrs.find(20), b);
    release(mshrs, a);
    EXPECT_EQ(mshrs.find(10), kNoMiss);
    EXPECT_EQ(mshrs.find(20), b);
}

TEST(Mshr, AReusedEntryRemembersNothing) {
    MshrFile mshrs(1, 0);
    MissId miss = mshrs.allocate(10, 1);
    EXPECT_EQ(mshrs.way_of(miss), kNoLine);
    EXPECT_FALSE(mshrs.access(miss).writes);
    mshrs.way_of(miss) = 5;
    mshrs.access(miss).writes = true;
    mshrs.merge(miss, 2);
    release(mshrs, miss);
    miss = mshrs.allocate(11, 3);
    EXPECT_EQ(mshrs.way_of(miss), kNoLine);
    EXPECT_FALSE(mshrs.access(miss).writes);
    EXPECT_THAT(release(mshrs, miss), ElementsAre(3));
}

TEST(Mshr, SomeWaitersLeaveAndTheOthersKeepTheirOrderAndTheEntry) {
    MshrFile mshrs(1, 5);
    const MissId miss = mshrs.allocate(10, 1);
    for (const std::uint32_t waiter : {2U, 4U, 5U, 6U})
        EXPECT_TRUE(mshrs.merge(miss, waiter));
    std::vector<std::uint32_t> left;
    mshrs.release_some(
        miss, [](std::uint32_t who) { return who % 2 == 0; }, [&](std::uint32_t who) { left.push_back(who); });
    EXPECT_THAT(left, ElementsAre(2, 4, 6));
    EXPECT_TRUE(mshrs.full());
    for (const std::uint32_t waiter : {7U, 8U, 9U}) // as many places as have become free
        EXPECT_TRUE(mshrs.merge(miss, waiter));
    EXPECT_FALSE(mshrs.merge(miss, 10));
    EXPECT_THAT(release(mshrs, miss), ElementsAre(1, 5, 7, 8, 9));
}

TEST(Mshr, WhoIsToldMayAllocateAndMerge) {
    MshrFile mshrs(1, 0); // the entry is free again when the first waiter is called
    const MissId miss = mshrs.allocate(10, 1);
    for (std::uint32_t waiter = 2; waiter <= 5; ++waiter)
        mshrs.merge(miss, waiter);
    std::vector<std::uint32_t> told;
    MissId next = kNoMiss;
    mshrs.release(miss, [&](std::uint32_t waiter) {
        told.push_back(waiter);
        if (next == kNoMiss)
            next = mshrs.allocate(20, 101);
        for (std::uint32_t i = 0; i < 50; ++i) // more than fits where waiters are kept
            mshrs.merge(next, 100 + waiter);
    });
    EXPECT_THAT(told, ElementsAre(1, 2, 3, 4, 5));
    const std::vector<std::uint32_t> later = release(mshrs, next);
    ASSERT_EQ(later.size(), 1U + 5 * 50);
    for (std::size_t i = 0; i < later.size(); ++i)
        EXPECT_EQ(later[i], i == 0 ? 101U : 101U + (i - 1) / 50);
}

} // namespace
} // namespace heddle::mem
