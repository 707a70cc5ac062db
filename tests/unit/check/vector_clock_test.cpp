#include <array>
#include <random>

#include <gtest/gtest.h>

#include "check/vector_clock.h"

namespace heddle::check {
namespace {

TEST(VectorClock, KnowsNothingAtFirst) {
    const VectorClock clock;
    EXPECT_TRUE(clock.empty());
    EXPECT_EQ(clock.of(0), 0U);
    EXPECT_EQ(clock.first_below(3, 5, 1, 9), 3U);
}

TEST(VectorClock, ARunHoldsItsThreadsAndNoOther) {
    const VectorClock clock(32, 64, 5);
    EXPECT_EQ(clock.of(31), 0U);
    EXPECT_EQ(clock.of(32), 5U);
    EXPECT_EQ(clock.of(63), 5U);
    EXPECT_EQ(clock.of(64), 0U);
    EXPECT_FALSE(clock.first_below(32, 64, 5, 99));
    EXPECT_EQ(clock.first_below(32, 64, 6, 32), 33U);
    EXPECT_EQ(clock.first_below(60, 70, 5, 64), 65U);
}

TEST(VectorClock, NeighboursWithEqualClocksAreOneRun) {
    VectorClock clock(0, 32, 2);
    clock.raise(32, 64, 2);
    EXPECT_EQ(clock.runs(), 1U);
    clock.raise(16, 24, 3); // 0-16: 2, 16-24: 3, 24-64: 2
    EXPECT_EQ(clock.runs(), 3U);
    clock.raise(0, 64, 3);
    EXPECT_EQ(clock.runs(), 1U);
}

TEST(VectorClock, JoinAgreesWithAnArrayOfMaxima) {
    constexpr unsigned kThreads = 40;
    std::mt19937 random(1);
    for (int round = 0; round < 200; ++round) {
        std::array<VectorClock, 2> clocks;
        std::array<std::array<Clock, kThreads>, 2> plain{};
        for (std::size_t c = 0; c < 2; ++c)
            for (int n = 0; n < 6; ++n) {
                const unsigned begin = static_cast<unsigned>(random() % kThreads),
                               end = begin + static_cast<unsigned>(random() % (kThreads - begin)) + 1;
                const auto clock = static_cast<Clock>(random() % 4);
                clocks[c].raise(begin, end, clock);
                for (unsigned t = begin; t < end; ++t)
                    plain[c][t] = std::max(plain[c][t], clock);
            }
        bool includes = true;
        for (unsigned t = 0; t < kThreads; ++t)
            includes = includes && plain[0][t] >= plain[1][t];
        EXPECT_EQ(clocks[0].includes(clocks[1]), includes);
        clocks[0].join(clocks[1]);
        for (unsigned t = 0; t < kThreads; ++t)
            EXPECT_EQ(clocks[0].of(t), std::max(plain[0][t], plain[1][t]));
        EXPECT_TRUE(clocks[0].includes(clocks[1]));
    }
}

} // namespace
} // namespace heddle::check
