#include <gtest/gtest.h>

#include "mem/cache/replacement.h"

namespace heddle::mem {
namespace {

TEST(Replacement, TheOldestCandidate) {
    const std::uint64_t stamps[] = {40, 10, 30, 20};
    const auto lru = replacements().make("lru", 1);
    EXPECT_EQ(lru->victim(stamps, 0b1111), 1U);
    EXPECT_EQ(lru->victim(stamps, 0b1101), 3U);
    EXPECT_EQ(lru->victim(stamps, 0b0101), 2U);
    EXPECT_EQ(lru->victim(stamps, 0b0001), 0U);
}

TEST(Replacement, OnlyTheLeastRecentlyUsedPolicyRenewsStamps) {
    EXPECT_TRUE(replacements().make("lru", 1)->renews_on_use());
    EXPECT_FALSE(replacements().make("fifo", 1)->renews_on_use());
    EXPECT_FALSE(replacements().make("random", 1)->renews_on_use());
}

TEST(Replacement, RandomDrawsFromSplitMix64) {
    // The published sequence of SplitMix64 with seed 1234567, and its numbers modulo 4.
    //   6457827717110365317: 1, 3203168211198807973: 1, 9817491932198370423: 3, 4593380528125082431: 3,
    //   16408922859458223821: 1
    const std::uint64_t stamps[8] = {};
    const auto four = replacements().make("random", 1234567);
    for (const unsigned way : {1U, 1U, 3U, 3U, 1U})
        EXPECT_EQ(four->victim(stamps, 0b1111), way);
    // The same draws among ways 1, 2, 4 and 7.
    const auto some = replacements().make("random", 1234567);
    for (const unsigned way : {2U, 2U, 7U, 7U, 2U})
        EXPECT_EQ(some->victim(stamps, 0b10010110), way);
}

} // namespace
} // namespace heddle::mem
