#include <gtest/gtest.h>

#include "base/random.h"

namespace heddle {
namespace {

// The first numbers of seed 1234567, as Vigna's reference program in C (splitmix64.c) prints them.
TEST(SplitMix64, FollowsTheReference) {
    SplitMix64 draw(1234567);
    EXPECT_EQ(draw(), 6457827717110365317U);
    EXPECT_EQ(draw(), 3203168211198807973U);
    EXPECT_EQ(draw(), 9817491932198370423U);
}

TEST(SplitMix64, BelowIsTheHighHalfScaled) {
    SplitMix64 draw(1234567);
    EXPECT_EQ(draw.below(10), 3U); // 6457827717110365317 / 2^64 = 0.350
    EXPECT_EQ(draw.below(10), 1U); // 0.173
    EXPECT_EQ(draw.below(10), 5U); // 0.532
}

// From state 0 the first step leaves the increment.
TEST(MmixGenerator, StepsByFactorAndIncrement) {
    MmixGenerator draw;
    EXPECT_EQ(draw(), 1442695040888963407U);
    EXPECT_EQ(draw(), 1442695040888963407U * 6364136223846793005U + 1442695040888963407U);
}

} // namespace
} // namespace heddle
