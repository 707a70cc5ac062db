// A coherent data cache without its neighbours: the messages of an access, and the effects of grants and probes, in
// each state.

#include <gtest/gtest.h>

#include "mem/cache/coherent.h"

namespace heddle::mem {
namespace {

using Result = Cache::Result;

class CoherentCacheTest : public testing::Test {
protected:
    static constexpr std::uint32_t kLoad = 0, kStore = 1; // waiters: odd ones are stores

    // One set of two ways of 32 bytes, two MSHR entries.
    static CacheConfig config() {
        CacheConfig config;
        config.size = 64;
        config.ways = 2;
        config.line = 32;
        config.mshrs = 2;
        return config;
    }
    bool grant(MissId miss, Message message) {
        return cache.granted(
            miss, message, [](std::uint32_t who) { return who % 2 == 1; },
            [&](std::uint32_t who) { done.push_back(who); });
    }
    // Brings a line to a state, with nothing on its way.
    void bring(Address address, Mesi state) {
        const bool modified = state == Mesi::Modified;
        const auto [answer, message] = cache.access(CacheAccess::to(address, modified), modified ? kStore : kLoad);
        ASSERT_EQ(answer.result, Result::Miss);
        ASSERT_FALSE(grant(answer.miss, modified                   ? Message::DataM
                                        : state == Mesi::Exclusive ? Message::DataE
                                                                   : Message::DataS));
        ASSERT_EQ(cache.state(address), state);
        done.clear();
    }

    CoherentCache cache{config()};
    std::vector<std::uint32_t> done;
};

TEST_F(CoherentCacheTest, AMissAsksForWhatItNeeds) {
    EXPECT_EQ(cache.access(CacheAccess::to(0, false), kLoad).message, Message::GetS);
    EXPECT_EQ(cache.access(CacheAccess::to(32, true), kStore).message, Message::GetM);
    EXPECT_EQ(cache.state(0), Mesi::Invalid);
    EXPECT_EQ(cache.access(CacheAccess::to(64, false), kLoad).answer.result, Result::SetReserved)
        << "both are on their way";
}

TEST_F(CoherentCacheTest, HitsOfEachState) {
    const Mesi states[] = {Mesi::Shared, Mesi::Exclusive, Mesi::Modified};
    for (const Mesi state : states) {
        cache = CoherentCache(config());
        bring(0, state);
        EXPECT_TRUE(cache.does(cache.find(0), CacheAccess::to(0, false)));
        EXPECT_EQ(cache.access(CacheAccess::to(0, false), kLoad).answer.result, Result::Hit);
        EXPECT_EQ(cache.state(0), state) << "a load changes nothing";
        EXPECT_EQ(cache.does(cache.find(0), CacheAccess::to(0, true)), state != Mesi::Shared);
        EXPECT_EQ(cache.state(0), state == Mesi::Shared ? state : Mesi::Modified) << "a store to E is silent";
    }
}

TEST_F(CoherentCacheTest, AStoreToASharedLineAsksForLeave) {
    bring(0, Mesi::Shared);
    const auto [answer, message] = cache.access(CacheAccess::to(0, true), kStore);
    EXPECT_EQ(answer.result, Result::Miss);
    EXPECT_EQ(message, Message::Upgrade);
    // Loads go on hitting; a further store waits for the same leave.
    EXPECT_EQ(cache.access(CacheAccess::to(0, false), 2).answer.result, Result::Hit);
    EXPECT_EQ(cache.access(CacheAccess::to(0, true), 3).answer.result, Result::Merged);
    EXPECT_EQ(cache.lines_on_their_way(), 1U);
    EXPECT_FALSE(grant(answer.miss, Message::MayWrite));
    EXPECT_EQ(done, (std::vector<std::uint32_t>{1, 3}));
    EXPECT_EQ(cache.state(0), Mesi::Modified);
    EXPECT_EQ(cache.stats().fills, 1U) << "leave brings no line";
}

TEST_F(CoherentCacheTest, ALineWithAnUpgradeOnItsWayIsNotEvicted) {
    bring(0, Mesi::Shared);
    bring(32, Mesi::Exclusive);
    EXPECT_EQ(cache.access(CacheAccess::to(0, true), kStore).message, Message::Upgrade);
    // The older line has to stay: the younger one makes room, and then no way is left.
    const auto [answer, message] = cache.access(CacheAccess::to(64, false), kLoad);
    EXPECT_EQ(answer.result, Result::Miss);
    EXPECT_EQ(answer.victim.address, 32U);
    EXPECT_EQ(CoherentCache::put(answer.victim), Message::PutE);
    EXPECT_EQ(cache.state(0), Mesi::Shared);
    EXPECT_FALSE(grant(answer.miss, Message::DataE));
    EXPECT_EQ(cache.access(CacheAccess::to(32, true), kStore).answer.victim.address, 64U);
    EXPECT_EQ(cache.access(CacheAccess::to(96, false), kLoad).answer.result, Result::SetReserved);
}

TEST_F(CoherentCacheTest, EvictionsTellOfLinesInEAndM) {
    const std::pair<Mesi, Message> puts[] = {
        {Mesi::Shared, Message::None}, {Mesi::Exclusive, Message::PutE}, {Mesi::Modified, Message::PutM}};
    for (const auto& [state, put] : puts) {
        cache = CoherentCache(config());
        bring(0, state);
        bring(32, Mesi::Shared);
        const auto access = cache.access(CacheAccess::to(64, false), kLoad);
        EXPECT_EQ(CoherentCache::put(access.answer.victim), put);
        EXPECT_EQ(access.answer.victim.address, 0U);
    }
}

TEST_F(CoherentCacheTest, AProbeOfEachState) {
    struct {
        Mesi state;
        Message probe, answer;
        Mesi then;
    } const cases[] = {
        {Mesi::Shared, Message::Invalidate, Message::Gone, Mesi::Invalid},
        {Mesi::Exclusive, Message::Invalidate, Message::Gone, Mesi::Invalid},
        {Mesi::Modified, Message::Invalidate, Message::GoneDirty, Mesi::Invalid},
        {Mesi::Exclusive, Message::Downgrade, Message::Kept, Mesi::Shared},
        {Mesi::Modified, Message::Downgrade, Message::KeptDirty, Mesi::Shared},
    };
    for (const auto& c : cases) {
        cache = CoherentCache(config());
        bring(0, c.state);
        EXPECT_TRUE(cache.does(cache.find(0), CacheAccess::to(0, false)));
        EXPECT_TRUE(cache.hits_again(0));
        EXPECT_EQ(cache.probe(0, c.probe), c.answer);
        EXPECT_EQ(cache.state(0), c.then);
        EXPECT_EQ(cache.hits_again(0), c.then != Mesi::Invalid);
    }
    for (const Message probe : {Message::Invalidate, Message::Downgrade})
        EXPECT_EQ(cache.probe(1024, probe), Message::Gone);
    EXPECT_EQ(cache.coherence().stale_probes, 2U);
}

TEST_F(CoherentCacheTest, AProbeIsNotMeantForALineOnItsWay) {
    const MissId miss = cache.access(CacheAccess::to(0, false), kLoad).answer.miss;
    EXPECT_EQ(cache.probe(0, Message::Invalidate), Message::Gone);
    EXPECT_EQ(cache.probe(0, Message::Downgrade), Message::Gone);
    EXPECT_EQ(cache.coherence().early_probes, 2U);
    EXPECT_FALSE(grant(miss, Message::DataE));
    EXPECT_EQ(cache.state(0), Mesi::Exclusive);
}

TEST_F(CoherentCacheTest, AnUpgradeWhoseCopyGoesWaitsForTheData) {
    bring(0, Mesi::Shared);
    const MissId miss = cache.access(CacheAccess::to(0, true), kStore).answer.miss;
    EXPECT_EQ(cache.probe(0, Message::Invalidate), Message::Gone);
    EXPECT_EQ(cache.state(0), Mesi::Invalid);
    EXPECT_EQ(cache.access(CacheAccess::to(0, false), 2).answer.result, Result::Merged) << "there is nothing to hit";
    EXPECT_FALSE(grant(miss, Message::DataM));
    EXPECT_EQ(done, (std::vector<std::uint32_t>{1, 2}));
    EXPECT_EQ(cache.state(0), Mesi::Modified);
}

TEST_F(CoherentCacheTest, AStoreThatJoinedALoadAsksOnWhereOthersShare) {
    const MissId miss = cache.access(CacheAccess::to(0, false), 0).answer.miss;
    EXPECT_EQ(cache.access(CacheAccess::to(0, true), 1).answer.result, Result::Merged);
    EXPECT_EQ(cache.access(CacheAccess::to(0, false), 2).answer.result, Result::Merged);
    EXPECT_EQ(cache.access(CacheAccess::to(0, true), 3).answer.result, Result::Merged);
    EXPECT_TRUE(grant(miss, Message::DataS));
    EXPECT_EQ(done, (std::vector<std::uint32_t>{0, 2})) << "the loads are done";
    EXPECT_EQ(cache.state(0), Mesi::Shared);
    EXPECT_EQ(cache.lines_on_their_way(), 1U);
    EXPECT_EQ(cache.access(CacheAccess::to(0, true), 5).answer.result, Result::Merged);
    EXPECT_FALSE(grant(miss, Message::MayWrite));
    EXPECT_EQ(done, (std::vector<std::uint32_t>{0, 2, 1, 3, 5}));
    EXPECT_EQ(cache.state(0), Mesi::Modified);
    EXPECT_EQ(cache.lines_on_their_way(), 0U);
}

TEST_F(CoherentCacheTest, AStoreThatJoinedALoadIsDoneWhereNobodyShares) {
    const MissId miss = cache.access(CacheAccess::to(0, false), 0).answer.miss;
    EXPECT_EQ(cache.access(CacheAccess::to(0, true), 1).answer.result, Result::Merged);
    EXPECT_FALSE(grant(miss, Message::DataE));
    EXPECT_EQ(done, (std::vector<std::uint32_t>{0, 1}));
    EXPECT_EQ(cache.state(0), Mesi::Modified);
}

} // namespace
} // namespace heddle::mem
