#include <random>

#include <gtest/gtest.h>

#include "mem/cache/prefetcher.h"

namespace heddle::mem {
namespace {

// What every prefetcher must keep to.
class PrefetcherContract : public testing::TestWithParam<std::string> {
protected:
    static constexpr PrefetcherShape kShape{.line_shift = 7, .degree = 4, .distance = 2};

    static CacheAccess draw(std::mt19937& random) {
        return {.address = random() % 4 == 0 ? Address{random()} << 16 : Address{random() % 64} << 7,
                .pc = random() % 16 == 0 ? kNoPc : static_cast<Pc>(random() % 8),
                .requester = static_cast<std::uint16_t>(random() % 4),
                .first = random() % 2 == 0};
    }
};

TEST_P(PrefetcherContract, TheSameCallsAskForTheSameLines) {
    const auto first = prefetchers().make(GetParam(), kShape), second = prefetchers().make(GetParam(), kShape);
    std::mt19937 random(6);
    for (unsigned n = 0; n < 20000; ++n) {
        const CacheAccess access = draw(random);
        const Prefetcher::Found found{random() % 2 == 0, random() % 4 == 0};
        PrefetchQueue a, b;
        first->access(access, found, a);
        second->access(access, found, b);
        if (random() % 3 == 0) {
            first->fill(access, a);
            second->fill(access, b);
        }
        ASSERT_EQ(a.asked().size(), b.asked().size());
        for (std::size_t i = 0; i < a.asked().size(); ++i)
            ASSERT_EQ(a.asked()[i].address, b.asked()[i].address);
    }
}

TEST_P(PrefetcherContract, AsksOnlyWhereItSaysSoAndForPrefetches) {
    const auto prefetcher = prefetchers().make(GetParam(), kShape);
    std::mt19937 random(7);
    for (unsigned n = 0; n < 20000; ++n) {
        PrefetchQueue queue;
        const CacheAccess access = draw(random);
        prefetcher->access(access, {random() % 2 == 0, false}, queue);
        ASSERT_TRUE(prefetcher->asks() || queue.asked().empty());
        for (const CacheAccess& asked : queue.asked()) {
            ASSERT_EQ(asked.kind, AccessKind::Prefetch);
            ASSERT_EQ(asked.pc, access.pc);
            ASSERT_FALSE(asked.writes);
            ASSERT_LT(asked.address, Address{1} << 48);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All, PrefetcherContract, testing::ValuesIn(prefetchers().names()), [](const auto& info) {
    std::string name = info.param;
    for (char& c : name)
        if (c == '-')
            c = '_';
    return name;
});

} // namespace
} // namespace heddle::mem
