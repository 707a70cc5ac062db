#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "oracle/merge.h"
#include "sequences.h"

namespace heddle::oracle {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::uint32_t kWide = 1000;

TEST(Merge, EqualThreadsAreOne) {
    const std::vector<Sequence> threads{{0, 1}, {0, 1}, {}, {0, 1}};
    const std::vector<std::uint32_t> weights{2, 3};
    const Merged merged = merge(threads, {}, weights, kWide);
    EXPECT_THAT(merged.order, ElementsAre(Issue{0, 0b1011}, Issue{1, 0b1011}));
    EXPECT_EQ(merged.instructions, 5U);
    EXPECT_EQ(merged.in_pairs, 5U);
    EXPECT_EQ(merged.at_least, 5U);
}

TEST(Merge, NoThreads) {
    EXPECT_THAT(merge({}, {}, {}, kWide).order, IsEmpty());
    const std::vector<Sequence> threads{{}, {}};
    EXPECT_EQ(merge(threads, {}, {}, kWide).instructions, 0U);
}

// The if of threads 1 and 2 between what all execute.
TEST(Merge, ThreadsMeetAgain) {
    const std::vector<Sequence> threads{{0, 2}, {0, 1, 2}, {0, 1, 2}, {0, 2}};
    const std::vector<std::uint32_t> weights{1, 5, 1};
    const Merged merged = merge(threads, {}, weights, kWide);
    EXPECT_THAT(merged.order, ElementsAre(Issue{0, 0b1111}, Issue{1, 0b0110}, Issue{2, 0b1111}));
    EXPECT_EQ(merged.at_least, 7U);
}

// Even threads are an iteration behind: block 1 is the body of the if (DWF07 Figure 7).
TEST(Merge, ThreadsGetAheadByAnIteration) {
    const Sequence even{0, 2, 0, 1, 2, 0, 2, 0, 1, 2}, odd{0, 1, 2, 0, 2, 0, 1, 2};
    const std::vector<Sequence> threads{even, odd, even, odd};
    const std::vector<std::uint32_t> weights{1, 10, 1};
    const Merged merged = merge(threads, {}, weights, kWide);
    EXPECT_EQ(merged.instructions, 4 * 2U + 2 * 10U) << "the even threads' own path holds the odd ones'";
    EXPECT_EQ(merged.at_least, merged.instructions);
}

// An order is given that alignment by itself misses: it is not made worse.
TEST(Merge, AKnownOrderIsAtLeastKept) {
    std::mt19937 random(4);
    for (int i = 0; i < 300; ++i) {
        const std::vector<std::uint32_t> weights{1, 2, 3, 4};
        std::vector<Sequence> threads(6);
        Order known;
        for (int n = 0; n < 20; ++n) {
            const Issue issue{below(4, random), 1 + below(63, random)};
            known.push_back(issue);
            for (unsigned lane = 0; lane < 6; ++lane)
                if ((issue.threads >> lane & 1) != 0)
                    threads[lane].push_back(issue.block);
        }
        std::uint64_t needed = 0;
        for (const Issue& issue : known)
            needed += weights[issue.block];
        EXPECT_LE(merge(threads, known, weights, kWide).instructions, needed);
    }
}

// Also with a band of one block, and with more sequences than all pairings are tried of.
TEST(Merge, EveryThreadKeepsItsOwnOrder) {
    std::mt19937 random(5);
    for (int i = 0; i < 200; ++i) {
        const std::vector<std::uint32_t> weights{1, 2, 3, 4};
        std::vector<Sequence> threads;
        for (std::size_t lanes = 1 + below(40, random); threads.size() < lanes;)
            threads.push_back(random_sequence(random, 15, 4));
        const Merged merged = merge(threads, {}, weights, i % 2 == 0 ? kWide : 1);
        std::vector<Sequence> seen(threads.size());
        std::uint64_t issued = 0;
        for (const Issue& issue : merged.order) {
            EXPECT_NE(issue.threads, 0U);
            issued += weights[issue.block];
            for (std::size_t lane = 0; lane < threads.size(); ++lane)
                if ((issue.threads >> lane & 1) != 0)
                    seen[lane].push_back(issue.block);
        }
        EXPECT_EQ(seen, threads);
        EXPECT_EQ(issued, merged.instructions);
        EXPECT_LE(merged.at_least, merged.instructions);
        EXPECT_LE(merged.instructions, merged.in_pairs);
    }
}

TEST(Merge, BetweenItsBoundsLiesTheBest) {
    std::mt19937 random(6);
    unsigned found = 0, cases = 300;
    for (unsigned i = 0; i < cases; ++i) {
        const std::vector<std::uint32_t> weights{1, 2, 5};
        std::vector<Sequence> threads;
        for (std::size_t lanes = 2 + below(3, random); threads.size() < lanes;)
            threads.push_back(random_sequence(random, 7, 3));
        const std::uint64_t best = FewestInstructions(threads, weights).find();
        const Merged merged = merge(threads, {}, weights, kWide);
        EXPECT_LE(merged.at_least, best);
        EXPECT_GE(merged.instructions, best);
        EXPECT_TRUE(threads.size() > 2 || merged.instructions == best);
        found += merged.instructions == best ? 1 : 0;
    }
    EXPECT_GT(found, cases / 2) << "the search has become much worse";
}

} // namespace
} // namespace heddle::oracle
