// Caches whose lines have sectors of 32 bytes. What is expected follows from the rules in mem/cache/sectors.cpp.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mem/cache/cache.h"
#include "slice_rig.h"

namespace heddle::mem {
namespace {

using testing::ElementsAre;
using Result = Cache::Result;

// Two sets of two ways, lines of 128 bytes: lines 0, 256, 512, ... share set 0.
CacheConfig sectored() {
    return {.size = 512, .ways = 2, .line = 128, .allocate = "fill", .mshrs = 4, .merges = 2, .sector = 32};
}

CacheAccess to(Address line, SectorMask sectors, bool write = false) {
    return CacheAccess::to(with_sectors(line, sectors), write);
}

std::vector<std::uint32_t> fill(Cache& cache, MissId miss) {
    std::vector<std::uint32_t> waiters;
    cache.fill(miss, [&](std::uint32_t waiter) { waiters.push_back(waiter); });
    return waiters;
}

void bring(Cache& cache, Address line, SectorMask sectors) {
    const Cache::Answer answer = cache.look_up(to(line, sectors), 0);
    ASSERT_EQ(answer.result, Result::Miss);
    fill(cache, answer.miss);
}

TEST(Sectors, OnlyThoseThatAreMissingAreFetched) {
    Cache cache(sectored());
    const Cache::Answer first = cache.look_up(to(0, 0b0001), 7);
    EXPECT_EQ(first.result, Result::Miss);
    EXPECT_EQ(first.sectors, 0b0001);
    EXPECT_EQ(cache.bytes_of(first.sectors), 32U);
    EXPECT_THAT(fill(cache, first.miss), ElementsAre(7));
    EXPECT_EQ(cache.look_up(to(0, 0b0001), 7).result, Result::Hit);
    const Cache::Answer second = cache.look_up(to(0, 0b0111), 8);
    EXPECT_EQ(second.result, Result::Miss);
    EXPECT_EQ(second.sectors, 0b0110);
    fill(cache, second.miss);
    EXPECT_TRUE(cache.hits(to(0, 0b0111)));
    EXPECT_FALSE(cache.hits(to(0, 0b1000)));
    EXPECT_FALSE(cache.hits_again(0)) << "another access may need a sector that is missing";
}

TEST(Sectors, AnAccessJoinsARequestThatHasAllItNeeds) {
    Cache cache(sectored());
    const Cache::Answer first = cache.look_up(to(0, 0b0011), 1);
    const Cache::Answer joins = cache.look_up(to(0, 0b0010), 2);
    EXPECT_EQ(joins.result, Result::Merged);
    EXPECT_EQ(joins.miss, first.miss);
    const Cache::Answer more = cache.look_up(to(0, 0b0110), 3);
    EXPECT_EQ(more.result, Result::Miss);
    EXPECT_EQ(more.sectors, 0b0110);
    EXPECT_THAT(fill(cache, more.miss), ElementsAre(3));
    EXPECT_THAT(fill(cache, first.miss), ElementsAre(1, 2));
    EXPECT_TRUE(cache.hits(to(0, 0b0111)));
}

// A way is a whole line, however little of it is there.
TEST(Sectors, ALineLeavesWithAllItsSectors) {
    Cache cache(sectored());
    bring(cache, 0, 0b1111);
    bring(cache, 256, 0b0001);
    bring(cache, 512, 0b0001);
    EXPECT_FALSE(cache.hits(to(0, 0b0001)));
    EXPECT_TRUE(cache.hits(to(256, 0b0001)));
}

TEST(Sectors, AStoreFetchesNothing) {
    Cache cache(sectored());
    EXPECT_EQ(cache.write_sectors(to(0, 0b0001, true), true).result, Result::Hit);
    EXPECT_TRUE(cache.hits(to(0, 0b0001)));
    cache.write_sectors(to(0, 0b0010, true), false); // a part of the sector: the rest comes when it is read
    const Cache::Answer read = cache.look_up(to(0, 0b0011), 1);
    EXPECT_EQ(read.result, Result::Miss);
    EXPECT_EQ(read.sectors, 0b0010);
    EXPECT_EQ(cache.lines_on_their_way(), 1U);
}

TEST(Sectors, WhatIsDirtyIsWrittenBack) {
    Cache cache(sectored());
    cache.write_sectors(to(0, 0b1000, true), true);
    cache.write_sectors(to(0, 0b0001, true), false);
    cache.write_sectors(to(256, 0b0001, false), true); // a store that went on to memory
    const Cache::Answer answer = cache.write_sectors(to(512, 0b0001, true), true);
    EXPECT_TRUE(answer.victim.dirty);
    EXPECT_EQ(answer.victim.sectors, 0b1001);
    EXPECT_FALSE(cache.write_sectors(to(768, 0b0001, true), true).victim.dirty);
}

TEST(Sectors, ASmallerCacheHasFewerWays) {
    Cache cache(sectored());
    cache.resize(1);
    bring(cache, 0, 0b0001);
    bring(cache, 256, 0b0001);
    EXPECT_FALSE(cache.hits(to(0, 0b0001)));
    cache.resize(2);
    bring(cache, 0, 0b0001);
    bring(cache, 256, 0b0001);
    EXPECT_TRUE(cache.hits(to(0, 0b0001)));
}

// A slice with lines of 128 bytes: requests for parts of lines move parts of lines.
LlcConfig last_level() {
    LlcConfig config;
    config.size = 1024;
    config.ways = 2;
    config.line = 128;
    config.allocate = "fill";
    config.mshrs = 4;
    config.latency = 1;
    config.sector = 32;
    return config;
}

TEST(SectoredSlice, FetchesTheSectorsOfARequest) {
    SliceRig rig(last_level());
    rig.read(0, with_sectors(256, 0b0110), 64);
    rig.slice.tick(10);
    ASSERT_EQ(rig.channel.pushed.size(), 1U);
    EXPECT_EQ(rig.channel.pushed[0].request.address, 256U + 32);
    EXPECT_EQ(rig.channel.pushed[0].request.bytes, 64U);
}

// A request of a cache without sectors has the address of its bytes.
TEST(SectoredSlice, FindsTheSectorsOfBytes) {
    SliceRig rig(last_level());
    rig.read(0, 256 + 64, 64);
    rig.slice.tick(10);
    ASSERT_EQ(rig.channel.pushed.size(), 1U);
    EXPECT_EQ(rig.channel.pushed[0].request.address, 256U + 64);
    EXPECT_EQ(rig.channel.pushed[0].request.bytes, 64U);
}

TEST(SectoredSlice, AWriteFetchesNothing) {
    SliceRig rig(last_level());
    rig.write(0, with_sectors(256, 0b0001), 4);
    rig.slice.tick(10);
    EXPECT_TRUE(rig.channel.pushed.empty());
    rig.read(20, with_sectors(256, 0b0001), 32); // four bytes of the sector are there
    rig.slice.tick(30);
    EXPECT_EQ(rig.channel.pushed.size(), 1U);
}

// While the channel takes nothing, a write that may put out a dirty line waits.
TEST(SectoredSlice, AWriteWaitsForTheChannel) {
    SliceRig rig(last_level());
    rig.channel.room = 0;
    rig.write(0, with_sectors(256, 0b0001), 32);
    rig.slice.tick(10);
    EXPECT_TRUE(rig.slice.is_blocked());
}

} // namespace
} // namespace heddle::mem
