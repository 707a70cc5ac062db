#include <random>

#include <gmock/gmock.h>

#include "mem/cache/coherent.h"
#include "prefetch_rig.h"

namespace heddle::mem {
namespace {

using Result = Cache::Result;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(Prefetching, NoneCostsNothingAndCountsNothing) {
    PrefetchRig rig(small("none"));
    EXPECT_FALSE(rig.cache.prefetches());
    EXPECT_EQ(rig.cache.prefetch_stats(), nullptr);
    EXPECT_THAT(rig.load(0), ElementsAre(0));
}

TEST(Prefetching, ALineThatHasComeIsUseful) {
    PrefetchRig rig(small("next-line"));
    EXPECT_THAT(rig.load(0), ElementsAre(0, 64));
    EXPECT_EQ(rig.come(0), 1U);
    EXPECT_EQ(rig.come(64), 0U) << "nobody waits for a prefetch";
    EXPECT_THAT(rig.load(0), IsEmpty()) << "another use of a line that missed asks for nothing";
    EXPECT_EQ(rig.stats().useful, 0U);
    EXPECT_THAT(rig.load(64 + 8), ElementsAre(128)) << "the first use of a prefetched line asks for the next";
    EXPECT_EQ(rig.last, Result::Hit);
    EXPECT_THAT(rig.load(64), IsEmpty());
    EXPECT_EQ(rig.stats().issued, 2U);
    EXPECT_EQ(rig.stats().useful, 1U) << "once a line";
    EXPECT_EQ(rig.cache.stats().misses, 1U) << "a prefetch is no miss";
    EXPECT_EQ(rig.cache.stats().fills, 2U);
}

TEST(Prefetching, AnAccessThatComesBeforeTheLineMergesAndCountsAsLate) {
    PrefetchRig rig(small("next-line"));
    rig.load(0);
    EXPECT_THAT(rig.load(64), ElementsAre(128)) << "it asks on";
    EXPECT_EQ(rig.last, Result::Merged);
    rig.load(70);
    EXPECT_EQ(rig.come(64), 2U) << "both waited";
    rig.load(64);
    EXPECT_EQ(rig.last, Result::Hit);
    EXPECT_EQ(rig.stats().late, 1U);
    EXPECT_EQ(rig.stats().useful, 0U);
    EXPECT_EQ(rig.cache.stats().merges, 2U);
}

TEST(Prefetching, ALineThatLeavesUnusedIsUseless) {
    for (const bool dropped : {false, true}) {
        PrefetchRig rig(small("next-line"));
        rig.load(0); // and 64, in set 1
        rig.come(0);
        rig.come(64);
        rig.may_send = false;
        if (dropped) {
            rig.cache.drop(64);
        } else {
            for (const Address line : {64U + 128, 64U + 256}) {
                rig.load(line);
                rig.come(line);
            }
        }
        EXPECT_EQ(rig.stats().useless, 1U);
        rig.load(64);
        EXPECT_EQ(rig.last, Result::Miss);
        EXPECT_EQ(rig.stats().useful, 0U);
    }
}

TEST(Prefetching, WhatIsThereOrOnItsWayIsDropped) {
    PrefetchRig rig(small("next-line"));
    rig.load(64); // and 128
    rig.load(0);  // 64 is on its way
    rig.come(64);
    EXPECT_EQ(rig.stats().dropped_there, 1U);
    EXPECT_EQ(rig.stats().issued, 1U);
}

TEST(Prefetching, TheLastMshrEntryIsForMisses) {
    CacheConfig config = small("next-line");
    config.mshrs = 2;
    PrefetchRig rig(config);
    EXPECT_THAT(rig.load(0), ElementsAre(0)) << "the prefetch would take the second of two";
    EXPECT_EQ(rig.stats().dropped_mshr, 1U);
    config.mshrs = 3;
    PrefetchRig more(config);
    EXPECT_THAT(more.load(0), ElementsAre(0, 64));
    EXPECT_THAT(more.load(128), ElementsAre(128)) << "a miss takes the third";
    EXPECT_EQ(more.last, Result::Miss);
}

TEST(Prefetching, WithoutAWayOrRoomItIsDropped) {
    CacheConfig config = small("next-line");
    config.prefetch_distance = 2; // of the same set
    PrefetchRig rig(config);
    EXPECT_THAT(rig.load(0), ElementsAre(0, 128));
    EXPECT_THAT(rig.load(64), ElementsAre(64, 192));
    rig.come(128);
    EXPECT_THAT(rig.load(128), ElementsAre(256)) << "one way is on its way, the other free";
    EXPECT_THAT(rig.load(192), IsEmpty()); // 192 is on its way; 320 finds set 1 full
    EXPECT_EQ(rig.stats().dropped_way, 1U);
    rig.may_send = false;
    rig.come(64);
    rig.come(192);
    rig.load(448);
    EXPECT_EQ(rig.stats().dropped_port, 1U);
}

TEST(Prefetching, EveryPrefetchIsAccountedForOnce) {
    for (const char* allocate : {"miss", "fill"}) {
        for (const char* prefetch : {"next-line", "stride"}) {
            CacheConfig config = small(prefetch);
            config.size = 4096;
            config.ways = 4;
            config.allocate = allocate;
            config.mshrs = 12;
            config.prefetch_degree = 3;
            PrefetchRig rig(config);
            std::mt19937 random(5);
            Address at = 0;
            for (unsigned n = 0; n < 20000; ++n) {
                at = random() % 8 == 0 ? random() % 16384 : at + 64;
                rig.load(at, {.pc = 3, .requester = 1});
                if (!rig.open.empty() && random() % 2 == 0)
                    rig.come(std::next(rig.open.begin(), static_cast<int>(random() % rig.open.size()))->first);
            }
            while (!rig.open.empty())
                rig.come(rig.open.begin()->first);
            const PrefetchStats before = rig.stats();
            EXPECT_GT(before.useful, 100U);
            EXPECT_GT(before.late, 100U);
            EXPECT_GT(before.useless, 100U);
            rig.cache.flush([](Address) {}); // what is there and unused leaves
            EXPECT_EQ(rig.stats().useful + rig.stats().late + rig.stats().useless, rig.stats().issued)
                << allocate << " " << prefetch;
        }
    }
}

TEST(Stride, AsksWhenAStrideHasComeAgainTwice) {
    PrefetchRig rig([] {
        CacheConfig config = small("stride");
        config.size = 8192;
        config.prefetch_degree = 2;
        return config;
    }());
    const CacheAccess by{.pc = 5, .requester = 2};
    EXPECT_THAT(rig.load(0, by), ElementsAre(0));
    EXPECT_THAT(rig.load(192, by), ElementsAre(192)); // 3 lines on
    EXPECT_THAT(rig.load(384, by), ElementsAre(384)); // again
    EXPECT_THAT(rig.load(576, by), ElementsAre(576, 768, 960));
    EXPECT_THAT(rig.load(768, by), ElementsAre(1152)) << "late; 960 is on its way";
    EXPECT_THAT(rig.load(64, {.pc = 5, .requester = 3}), ElementsAre(64)) << "another warp";
    EXPECT_THAT(rig.load(128, {.pc = 6, .requester = 2}), ElementsAre(128)) << "another instruction";
    EXPECT_THAT(rig.load(4096, {.pc = 5, .requester = 2, .first = false}), ElementsAre(4096))
        << "not the first line of its instruction: it does not train";
    EXPECT_THAT(rig.load(960, by), ElementsAre(1344));
}

TEST(Stride, DownwardsItEndsAtAddress0) {
    PrefetchRig rig([] {
        CacheConfig config = small("stride");
        config.size = 8192;
        return config;
    }());
    for (const Address line : {256U, 192U, 128U})
        rig.load(line, {.pc = 1, .requester = 0});
    EXPECT_THAT(rig.load(64, {.pc = 1, .requester = 0}), ElementsAre(64, 0));
    EXPECT_THAT(rig.load(0, {.pc = 1, .requester = 0}), IsEmpty()) << "no line lies below 0";
}

TEST(CoherentPrefetch, IsACopyToReadWhoeverJoins) {
    CacheConfig config = small("next-line");
    CoherentCache cache(config);
    MissId prefetched = kNoMiss;
    cache.access(CacheAccess::to(0, false), 1);
    cache.tell_prefetcher(CacheAccess::to(0, false), false);
    cache.send_prefetches([] { return true; },
                          [&](const CacheAccess&, const Cache::Answer& a) { prefetched = a.miss; });
    ASSERT_NE(prefetched, kNoMiss);
    EXPECT_EQ(cache.access(CacheAccess::to(64, true), 2).answer.result, Result::Merged);
    EXPECT_EQ(cache.prefetch_stats()->late, 1U);
    unsigned done = 0;
    EXPECT_TRUE(cache.granted(
        prefetched, Message::DataS, [](std::uint32_t) { return true; }, [&](std::uint32_t) { ++done; }))
        << "the store asks on";
    EXPECT_EQ(done, 0U);
    EXPECT_FALSE(cache.granted(
        prefetched, Message::MayWrite, [](std::uint32_t) { return true; }, [&](std::uint32_t) { ++done; }));
    EXPECT_EQ(done, 1U);
    EXPECT_EQ(cache.state(64), Mesi::Modified);
}

TEST(CoherentPrefetch, AnUpgradeIsAUseAndAProbeMayMakeItUseless) {
    for (const bool probed : {false, true}) {
        CoherentCache cache(small("next-line"));
        MissId prefetched = kNoMiss;
        cache.access(CacheAccess::to(0, false), 1);
        cache.tell_prefetcher(CacheAccess::to(0, false), false);
        cache.send_prefetches([] { return true; },
                              [&](const CacheAccess&, const Cache::Answer& a) { prefetched = a.miss; });
        EXPECT_FALSE(cache.granted(
            prefetched, Message::DataS, [](std::uint32_t) { return false; }, [](std::uint32_t) { FAIL(); }));
        if (probed) {
            EXPECT_EQ(cache.probe(64, Message::Invalidate), Message::Gone);
        }
        EXPECT_EQ(cache.access(CacheAccess::to(64, true), 2).message, probed ? Message::GetM : Message::Upgrade);
        EXPECT_EQ(cache.prefetch_stats()->useful, probed ? 0U : 1U);
        EXPECT_EQ(cache.prefetch_stats()->useless, probed ? 1U : 0U);
    }
}

} // namespace
} // namespace heddle::mem
