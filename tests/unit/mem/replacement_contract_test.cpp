// What every replacement policy must keep to, run over all that are registered.
#include <random>

#include "mem/cache/cache.h"
#include "policy_cache.h"

namespace heddle::mem {
namespace {

class ReplacementContract : public testing::TestWithParam<std::string> {
protected:
    static constexpr ReplacementShape kShape{16, 8, 3};

    static CacheAccess draw(std::mt19937& random) {
        const auto kind = static_cast<AccessKind>(random() % 6);
        return {.address = Address{random() % 512} << 7,
                .pc = kind == AccessKind::WriteBack ? kNoPc : static_cast<Pc>(random() % 40),
                .requester = static_cast<std::uint16_t>(random() % 48),
                .kind = kind,
                .writes = kind == AccessKind::Store || kind == AccessKind::WriteBack};
    }
};

// PolicyCache expects each victim to be a candidate.
TEST_P(ReplacementContract, NamesACandidate) {
    PolicyCache cache(GetParam(), kShape);
    std::mt19937 random(1);
    for (unsigned n = 0; n < 20000; ++n) {
        do {
            cache.candidates = random() & 0xff;
        } while (cache.candidates == 0);
        cache.access(draw(random));
    }
}

TEST_P(ReplacementContract, NamesTheOnlyCandidate) {
    const auto policy = replacements().make(GetParam(), kShape);
    for (unsigned set = 0; set < 16; ++set)
        for (unsigned way = 0; way < 8; ++way)
            EXPECT_EQ(policy->victim(set, WayMask{1} << way, {}), way);
}

TEST_P(ReplacementContract, TheSameCallsGiveTheSameVictims) {
    PolicyCache first(GetParam(), kShape), second(GetParam(), kShape);
    std::mt19937 random(2);
    for (unsigned n = 0; n < 20000; ++n) {
        const CacheAccess access = draw(random);
        ASSERT_EQ(first.access(access), second.access(access));
        ASSERT_EQ(first.put_out, second.put_out);
    }
}

TEST_P(ReplacementContract, ServesOneWayAndOneSet) {
    PolicyCache cache(GetParam(), {1, 1});
    for (Address line = 0; line < 100; ++line) {
        EXPECT_FALSE(cache.access(line));
        EXPECT_TRUE(cache.access(line));
    }
}

// In a cache, whatever the policy says: what is on its way or locked stays, and what was brought in last is there.
TEST_P(ReplacementContract, ACacheKeepsWhatIsOnItsWay) {
    CacheConfig config;
    config.size = 2048;
    config.ways = 4;
    config.line = 64;
    config.replacement = GetParam();
    Cache cache(config);
    std::mt19937 random(3);
    std::vector<MissId> open;
    for (unsigned n = 0; n < 20000; ++n) {
        CacheAccess access = draw(random);
        access.address >>= 1;
        const Cache::Answer answer = cache.look_up(access, n);
        if (answer.result == Cache::Result::Miss) {
            for (const MissId miss : open)
                ASSERT_NE(cache.line_of(miss), answer.victim.address) << "a line on its way was put out";
            open.push_back(answer.miss);
        }
        if (!open.empty() && random() % 3 == 0) {
            const std::size_t which = random() % open.size();
            const Address came = cache.line_of(open[which]);
            cache.fill(open[which], [](std::uint32_t) {});
            ASSERT_TRUE(cache.is_there(came));
            open.erase(open.begin() + static_cast<std::ptrdiff_t>(which));
        }
    }
    EXPECT_GT(cache.stats().hits, 0U);
    EXPECT_GT(cache.stats().misses, 0U);
}

INSTANTIATE_TEST_SUITE_P(All, ReplacementContract, testing::ValuesIn([] {
                             std::vector<std::string> own; // the others leave the choice to the cache
                             for (const std::string& name : replacements().names())
                                 if (replacements().make(name, {16, 8})->order() == Replacement::Order::Own)
                                     own.push_back(name);
                             return own;
                         }()));

// lru and fifo, by the same expectations.
class AgeContract : public ReplacementContract {};
TEST_P(AgeContract, SayThatTheyGoByAge) {
    const auto policy = replacements().make(GetParam(), kShape);
    EXPECT_NE(policy->order(), Replacement::Order::Own);
    EXPECT_FALSE(policy->learns());
    EXPECT_EQ(policy->objection(), "");
}
INSTANTIATE_TEST_SUITE_P(, AgeContract, testing::Values("fifo", "lru"));

} // namespace
} // namespace heddle::mem
