#include <gtest/gtest.h>

#include "mem/cache.h"

namespace heddle::mem {
namespace {

// Two sets, two ways, lines of 64 bytes: addresses 0, 128, 256, ... share set 0.
class CacheTest : public testing::Test {
protected:
    Cache cache{{.bytes = 256, .ways = 2, .line = 64}};

    void bring(Address address, bool write = false) {
        ASSERT_EQ(cache.access(address, write).result, Cache::Result::Miss);
        cache.fill(cache.reserve(address, write).line);
    }
};

TEST_F(CacheTest, AReservedLineIsPendingUntilItIsFilled) {
    EXPECT_EQ(cache.access(0, false).result, Cache::Result::Miss);
    const Cache::Victim victim = cache.reserve(0, false);
    EXPECT_FALSE(victim.dirty);
    EXPECT_EQ(cache.access(63, false).result, Cache::Result::Pending);
    cache.fill(victim.line);
    const Cache::Found found = cache.access(63, false);
    EXPECT_EQ(found.result, Cache::Result::Hit);
    EXPECT_EQ(found.line, victim.line);
}

TEST_F(CacheTest, TheLeastRecentlyUsedLineGoes) {
    bring(0);
    bring(128);
    EXPECT_EQ(cache.access(0, false).result, Cache::Result::Hit); // 128 is the older now
    EXPECT_EQ(cache.reserve(256, false).address, 128U);
    EXPECT_EQ(cache.access(0, false).result, Cache::Result::Hit);
    EXPECT_EQ(cache.access(128, false).result, Cache::Result::Miss);
}

TEST_F(CacheTest, AWrittenLineIsDirtyWhenItGoes) {
    bring(0, true);
    bring(128);
    EXPECT_TRUE(cache.reserve(256, false).dirty);
}

TEST_F(CacheTest, AWriteToAPendingLineMakesItDirty) {
    const LineId line = cache.reserve(0, false).line;
    EXPECT_EQ(cache.access(0, true).result, Cache::Result::Pending);
    cache.fill(line);
    bring(128);
    EXPECT_TRUE(cache.reserve(256, false).dirty);
}

TEST_F(CacheTest, TheLineHitLastIsKnownUntilItGoes) {
    EXPECT_FALSE(cache.same_line_again(0));
    bring(0);
    EXPECT_FALSE(cache.same_line_again(0)); // a miss is no hit
    EXPECT_EQ(cache.access(0, false).result, Cache::Result::Hit);
    EXPECT_TRUE(cache.same_line_again(63));
    EXPECT_FALSE(cache.same_line_again(64));
    cache.drop(0);
    EXPECT_FALSE(cache.same_line_again(0));
    bring(0);
    EXPECT_EQ(cache.access(0, false).result, Cache::Result::Hit);
    bring(128);
    EXPECT_FALSE(cache.same_line_again(0)); // another line was used since: its age counts
}

TEST_F(CacheTest, ASetOfReservedLinesIsFull) {
    cache.reserve(0, false);
    cache.reserve(128, false);
    EXPECT_EQ(cache.access(256, false).result, Cache::Result::Full);
    EXPECT_EQ(cache.access(64, false).result, Cache::Result::Miss); // the other set
}

TEST_F(CacheTest, DropTellsDirtyLines) {
    bring(0, true);
    bring(64);
    EXPECT_TRUE(cache.drop(0));
    EXPECT_FALSE(cache.drop(64));
    EXPECT_FALSE(cache.drop(64));
    EXPECT_EQ(cache.access(0, false).result, Cache::Result::Miss);
}

} // namespace
} // namespace heddle::mem
