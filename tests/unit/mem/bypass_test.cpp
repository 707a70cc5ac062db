#include <gmock/gmock.h>

#include "mem/cache/bypass.h"
#include "prefetch_rig.h"

namespace heddle::mem {
namespace {

using Result = Cache::Result;
using testing::ElementsAre;

TEST(Bypassing, ALineThatBypassesTakesNoWay) {
    CacheConfig config = small("none");
    config.mshrs = 4;
    PrefetchRig rig(config);
    rig.cache.let_bypass();
    rig.load(0);
    rig.load(128); // both ways of set 0 are on their way
    rig.load(256);
    EXPECT_EQ(rig.last, Result::SetReserved);
    EXPECT_THAT(rig.load(256, {.bypass = true}), ElementsAre(256));
    rig.load(260, {.bypass = true});
    EXPECT_EQ(rig.last, Result::Merged);
    EXPECT_EQ(rig.come(256), 2U);
    EXPECT_FALSE(rig.cache.is_there(256));
    EXPECT_EQ(rig.cache.bypass_stats().bypasses, 1U);
    EXPECT_EQ(rig.cache.bypass_stats().merges, 1U);
    EXPECT_EQ(rig.cache.stats().fills, 0U);
    rig.come(0);
    rig.load(0, {.bypass = true});
    EXPECT_EQ(rig.last, Result::Hit) << "what is there is used";
    rig.load(128, {.bypass = true});
    EXPECT_EQ(rig.last, Result::Merged) << "what is on its way to a way too";
    rig.come(128);
    EXPECT_TRUE(rig.cache.is_there(128));
}

TEST(Bypassing, AnAccessThatDoesNotBypassGivesTheLineAWay) {
    for (const char* allocate : {"miss", "fill"}) {
        CacheConfig config = small("none");
        config.mshrs = 4;
        config.allocate = allocate;
        PrefetchRig rig(config);
        rig.cache.let_bypass();
        rig.load(0, {.bypass = true});
        rig.load(8, {.kind = AccessKind::Store, .writes = true});
        EXPECT_EQ(rig.last, Result::Merged);
        EXPECT_EQ(rig.come(0), 2U);
        EXPECT_TRUE(rig.cache.is_there(0)) << allocate;
        EXPECT_EQ(rig.cache.bypass_stats().kept, 1U);
        unsigned dirty = 0;
        rig.cache.flush([&](Address) { ++dirty; });
        EXPECT_EQ(dirty, 1U) << "the store is in the line";
    }
}

TEST(Bypassing, TheMshrFileHoldsItAsAMiss) {
    CacheConfig config = small("none");
    config.mshrs = 1;
    PrefetchRig rig(config);
    rig.cache.let_bypass();
    rig.load(0, {.bypass = true});
    rig.load(64, {.bypass = true});
    EXPECT_EQ(rig.last, Result::MshrFull);
}

TEST(Bypass, PoliciesTakeTheirLoads) {
    const CacheAccess plain{}, uncached{.uncached = true}, local{.local = true};
    const auto takes = [](const char* name, const CacheAccess& load) {
        return bypasses().make(name, {.rate = 0.25})->bypasses(load);
    };
    EXPECT_TRUE(takes("operators", uncached));
    EXPECT_FALSE(takes("operators", plain));
    EXPECT_TRUE(takes("global", plain));
    EXPECT_FALSE(takes("global", local));
    EXPECT_TRUE(takes("local", local));
    EXPECT_FALSE(takes("local", plain));
    EXPECT_FALSE(bypasses().make("none", {})->decides());
    const auto random = bypasses().make("random", {.rate = 0.25});
    unsigned taken = 0;
    for (unsigned n = 0; n < 10000; ++n)
        taken += random->bypasses(plain) ? 1 : 0;
    EXPECT_NEAR(taken, 2500, 200);
}

} // namespace
} // namespace heddle::mem
