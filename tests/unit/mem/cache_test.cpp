#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mem/cache/cache.h"

namespace heddle::mem {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Result = Cache::Result;

// Two sets, two ways, lines of 64 bytes: addresses 0, 128, 256, ... share set 0. Two MSHR entries of two accesses.
CacheConfig small() {
    return {.size = 256, .ways = 2, .line = 64, .mshrs = 2, .merges = 2};
}

CacheConfig with_entries(std::uint64_t mshrs, std::uint64_t merges, std::string allocate = "miss") {
    CacheConfig config = small();
    config.mshrs = mshrs;
    config.merges = merges;
    config.allocate = std::move(allocate);
    return config;
}

std::vector<std::uint32_t> fill(Cache& cache, MissId miss, Victim* victim = nullptr) {
    std::vector<std::uint32_t> waiters;
    const Victim out = cache.fill(miss, [&](std::uint32_t waiter) { waiters.push_back(waiter); });
    if (victim != nullptr)
        *victim = out;
    return waiters;
}

Cache::Answer bring(Cache& cache, Address address, bool write = false) {
    const Cache::Answer answer = cache.look_up(CacheAccess::to(address, write), 0);
    EXPECT_EQ(answer.result, Result::Miss);
    fill(cache, answer.miss);
    return answer;
}

TEST(Cache, AMissIsFetchedOnceAndTellsAllWhoWait) {
    Cache cache(small());
    const Cache::Answer first = cache.look_up(CacheAccess::to(65, false), 7);
    EXPECT_EQ(first.result, Result::Miss);
    EXPECT_EQ(cache.line_of(first.miss), 64U);
    const Cache::Answer second = cache.look_up(CacheAccess::to(127, false), 8);
    EXPECT_EQ(second.result, Result::Merged);
    EXPECT_EQ(second.miss, first.miss);
    EXPECT_EQ(cache.lines_on_their_way(), 1U);
    EXPECT_THAT(fill(cache, first.miss), ElementsAre(7, 8));
    EXPECT_EQ(cache.lines_on_their_way(), 0U);
    EXPECT_EQ(cache.look_up(CacheAccess::to(64, false), 9).result, Result::Hit);
    EXPECT_EQ(cache.stats().misses, 1U);
    EXPECT_EQ(cache.stats().merges, 1U);
    EXPECT_EQ(cache.stats().hits, 1U);
    EXPECT_EQ(cache.stats().fills, 1U);
}

TEST(Cache, EveryRefusalHasItsCounter) {
    Cache ways(with_entries(0, 0));
    ways.look_up(CacheAccess::to(0, false), 1);
    ways.look_up(CacheAccess::to(128, false), 2);
    EXPECT_EQ(ways.look_up(CacheAccess::to(256, false), 3).result, Result::SetReserved);
    EXPECT_EQ(ways.stats().set_reserved, 1U);
    EXPECT_EQ(ways.stats().misses, 2U);

    Cache entries(with_entries(1, 0));
    entries.look_up(CacheAccess::to(0, false), 1);
    EXPECT_EQ(entries.look_up(CacheAccess::to(64, false), 2).result, Result::MshrFull);
    EXPECT_EQ(entries.look_up(CacheAccess::to(0, false), 3).result, Result::Merged); // needs none
    EXPECT_EQ(entries.stats().mshr_full, 1U);
    EXPECT_EQ(entries.stats().misses, 1U);

    Cache merges(with_entries(0, 2));
    merges.look_up(CacheAccess::to(0, false), 1);
    EXPECT_EQ(merges.look_up(CacheAccess::to(0, false), 2).result, Result::Merged);
    EXPECT_EQ(merges.look_up(CacheAccess::to(0, false), 3).result, Result::MshrMergeFull);
    EXPECT_EQ(merges.stats().mshr_merge_full, 1U);
    EXPECT_EQ(merges.stats().merges, 1U);
}

TEST(Cache, ARefusalIsWorthATryAfterTheNextFill) {
    Cache ways(with_entries(0, 0));
    const MissId a = ways.look_up(CacheAccess::to(0, false), 1).miss;
    ways.look_up(CacheAccess::to(128, false), 2);
    EXPECT_EQ(ways.look_up(CacheAccess::to(256, false), 3).result, Result::SetReserved);
    fill(ways, a);
    EXPECT_EQ(ways.look_up(CacheAccess::to(256, false), 3).result, Result::Miss);

    Cache entries(with_entries(1, 2));
    const MissId b = entries.look_up(CacheAccess::to(0, false), 1).miss;
    entries.look_up(CacheAccess::to(0, false), 2);
    EXPECT_EQ(entries.look_up(CacheAccess::to(0, false), 3).result, Result::MshrMergeFull);
    EXPECT_EQ(entries.look_up(CacheAccess::to(64, false), 3).result, Result::MshrFull);
    EXPECT_THAT(fill(entries, b), ElementsAre(1, 2));
    EXPECT_EQ(entries.look_up(CacheAccess::to(0, false), 3).result, Result::Hit);
    EXPECT_EQ(entries.look_up(CacheAccess::to(64, false), 3).result, Result::Miss);
}

TEST(Cache, AllocatingOnAMissPutsTheVictimOutAtOnce) {
    Cache cache(small());
    bring(cache, 0, true);
    bring(cache, 128);
    const Cache::Answer answer = cache.look_up(CacheAccess::to(256, false), 0);
    EXPECT_EQ(answer.result, Result::Miss);
    EXPECT_TRUE(answer.victim.dirty);
    EXPECT_EQ(answer.victim.address, 0U);
    EXPECT_EQ(cache.stats().write_backs, 1U);
    Victim at_fill;
    fill(cache, answer.miss, &at_fill);
    EXPECT_FALSE(at_fill.dirty);
    EXPECT_EQ(cache.stats().write_backs, 1U);
}

TEST(Cache, AllocatingOnAFillPutsTheVictimOutThen) {
    Cache cache(with_entries(2, 2, "fill"));
    bring(cache, 0, true);
    bring(cache, 128);
    const Cache::Answer answer = cache.look_up(CacheAccess::to(256, false), 0);
    EXPECT_EQ(answer.result, Result::Miss);
    EXPECT_FALSE(answer.victim.dirty);
    EXPECT_EQ(cache.look_up(CacheAccess::to(0, false), 0).result,
              Result::Hit); // still there, and now the younger of both
    EXPECT_EQ(cache.look_up(CacheAccess::to(128, true), 0).result, Result::Hit);
    EXPECT_EQ(cache.stats().write_backs, 0U);
    Victim victim;
    fill(cache, answer.miss, &victim);
    EXPECT_TRUE(victim.dirty);
    EXPECT_EQ(victim.address, 0U);
    EXPECT_EQ(cache.stats().write_backs, 1U);
    EXPECT_EQ(cache.look_up(CacheAccess::to(256, false), 0).result, Result::Hit);
}

TEST(Cache, AllocatingOnAFillKnowsNoFullSet) {
    Cache cache(with_entries(4, 2, "fill"));
    std::vector<MissId> misses;
    for (const Address address : {Address{0}, Address{128}, Address{256}})
        misses.push_back(cache.look_up(CacheAccess::to(address, false), 0).miss);
    EXPECT_EQ(cache.lines_on_their_way(), 3U);
    EXPECT_EQ(cache.stats().mshrs_found_in_use, 0 + 1 + 2U);
    EXPECT_EQ(cache.look_up(CacheAccess::to(130, false), 1).miss, misses[1]); // found by its line
    EXPECT_EQ(cache.stats().merges, 1U);
    EXPECT_EQ(cache.look_up(CacheAccess::to(130, false), 2).result, Result::MshrMergeFull);
    for (const MissId miss : misses)
        fill(cache, miss);
    EXPECT_EQ(cache.look_up(CacheAccess::to(0, false), 0).result, Result::Miss); // put out by the third
    EXPECT_EQ(cache.look_up(CacheAccess::to(128, false), 0).result, Result::Hit);
    EXPECT_EQ(cache.look_up(CacheAccess::to(256, false), 0).result, Result::Hit);
}

TEST(Cache, AWriteThatWaitsMakesTheLineDirty) {
    for (const char* allocate : {"miss", "fill"}) {
        Cache cache(with_entries(2, 2, allocate));
        const MissId miss = cache.look_up(CacheAccess::to(0, false), 1).miss;
        EXPECT_EQ(cache.look_up(CacheAccess::to(0, true), 2).result, Result::Merged);
        fill(cache, miss);
        EXPECT_TRUE(cache.drop(0)) << allocate;
        bring(cache, 64, true);
        EXPECT_TRUE(cache.drop(64)) << allocate;
        bring(cache, 64);
        EXPECT_FALSE(cache.drop(64)) << allocate;
    }
}

TEST(Cache, HitsAllocatesNothing) {
    Cache cache(small());
    EXPECT_FALSE(cache.hits(CacheAccess::to(0, true)));
    EXPECT_EQ(cache.lines_on_their_way(), 0U);
    EXPECT_EQ(cache.stats().misses, 0U);
    bring(cache, 0);
    EXPECT_TRUE(cache.hits(CacheAccess::to(0, true)));
    EXPECT_EQ(cache.stats().hits, 1U);
    EXPECT_TRUE(cache.drop(0)); // written
}

TEST(Cache, TheLineHitLastHitsAgain) {
    Cache cache(small());
    bring(cache, 0);
    EXPECT_FALSE(cache.hits_again(0));
    EXPECT_EQ(cache.stats().hits, 0U);
    cache.look_up(CacheAccess::to(0, false), 0);
    EXPECT_TRUE(cache.hits_again(60));
    EXPECT_FALSE(cache.hits_again(64));
    EXPECT_EQ(cache.stats().hits, 2U);
}

TEST(Cache, AWholeLineIsWrittenWithoutFetchingIt) {
    for (const char* allocate : {"miss", "fill"}) {
        Cache cache(with_entries(2, 2, allocate));
        EXPECT_EQ(cache.write_line(CacheAccess::to(0, true)).result, Result::Hit);
        EXPECT_EQ(cache.lines_on_their_way(), 0U);
        EXPECT_EQ(cache.look_up(CacheAccess::to(0, false), 0).result, Result::Hit);
        EXPECT_EQ(cache.write_line(CacheAccess::to(0, true)).result, Result::Hit);
        EXPECT_EQ(cache.stats().hits, 2U);
        EXPECT_EQ(cache.stats().fills, 0U);
        EXPECT_EQ(cache.write_line(CacheAccess::to(128, true)).result, Result::Hit);
        const Cache::Answer third = cache.write_line(CacheAccess::to(256, true));
        EXPECT_TRUE(third.victim.dirty);
        EXPECT_EQ(third.victim.address, 0U);
        EXPECT_EQ(cache.stats().write_backs, 1U);
        EXPECT_TRUE(cache.drop(256)) << allocate;
    }
}

TEST(Cache, AWholeLineWrittenIntoAFullSet) {
    Cache cache(with_entries(0, 0));
    cache.look_up(CacheAccess::to(0, false), 0);
    cache.look_up(CacheAccess::to(128, false), 0);
    EXPECT_EQ(cache.write_line(CacheAccess::to(256, true)).result, Result::SetReserved);
    EXPECT_EQ(cache.stats().set_reserved, 1U);
}

TEST(Cache, AWholeLineWrittenWhileItIsOnItsWayJoinsIt) {
    for (const char* allocate : {"miss", "fill"}) {
        Cache cache(with_entries(2, 2, allocate));
        const MissId miss = cache.look_up(CacheAccess::to(0, false), 1).miss;
        const Cache::Answer written = cache.write_line(CacheAccess::to(0, true));
        EXPECT_EQ(written.result, Result::Merged) << allocate;
        EXPECT_EQ(written.miss, miss) << allocate;
        EXPECT_THAT(fill(cache, miss), ElementsAre(1)); // stores do not wait
        // The line is there once, and dirty: the other way of its set is empty.
        EXPECT_TRUE(cache.drop(0)) << allocate;
        EXPECT_EQ(cache.look_up(CacheAccess::to(0, false), 1).result, Result::Miss) << allocate;
    }
}

TEST(Cache, WhoIsToldOfALineMayLookUpAgain) {
    Cache cache(with_entries(1, 2));
    const MissId miss = cache.look_up(CacheAccess::to(0, false), 1).miss;
    std::vector<Result> results;
    cache.fill(miss, [&](std::uint32_t) {
        results.push_back(cache.look_up(CacheAccess::to(0, false), 2).result);
        results.push_back(
            cache.look_up(CacheAccess::to(64, false), 3).result); // takes the entry that has just become free
    });
    EXPECT_THAT(results, ElementsAre(Result::Hit, Result::Miss));
}

TEST(Cache, FlushWritesBackDirtyLines) {
    Cache cache(small());
    bring(cache, 0, true);
    bring(cache, 64);
    std::vector<Address> written;
    cache.flush([&](Address address) { written.push_back(address); });
    EXPECT_THAT(written, ElementsAre(0));
    EXPECT_EQ(cache.look_up(CacheAccess::to(64, false), 0).result, Result::Miss);
}

TEST(CacheConfig, ShapesThatDoNotFitAreNamed) {
    EXPECT_THAT(small().shape_problems("llc"), ElementsAre());
    CacheConfig sets = small();
    sets.size = 384; // three sets
    EXPECT_THAT(
        sets.shape_problems("llc"),
        ElementsAre("llc.size = 384 is not a power of two of sets: llc.ways = 2 lines of llc.line = 64 bytes a set "
                    "make 128 bytes"));
    sets.size = 192; // one and a half
    EXPECT_EQ(sets.shape_problems("llc").size(), 1U);
    sets.size = 64; // less than a set
    EXPECT_EQ(sets.shape_problems("llc").size(), 1U);
    EXPECT_THAT(with_entries(0, 0, "fill").shape_problems("ccache"),
                ElementsAre("ccache.allocate = 'fill' needs a number of ccache.mshrs: they are searched"));
}

} // namespace
} // namespace heddle::mem
