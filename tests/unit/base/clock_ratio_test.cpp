#include <gtest/gtest.h>

#include "base/clock_ratio.h"

namespace heddle {
namespace {

std::vector<Cycle> first_ticks(const ClockRatio& clock, Cycle count) {
    std::vector<Cycle> out;
    for (Cycle tick = 0; tick < count; ++tick)
        out.push_back(clock.core_cycle(tick));
    return out;
}

// Both directions of the conversion, from what core_cycle() says.
void expect_consistent(const ClockRatio& clock) {
    for (Cycle cycle = 0; cycle < 2000; ++cycle) {
        const Cycle first = clock.tick_from(cycle);
        EXPECT_GE(clock.core_cycle(first), cycle);
        if (first != 0) {
            EXPECT_LT(clock.core_cycle(first - 1), cycle);
        }
        const Cycle last = clock.tick_before(cycle);
        EXPECT_LE(clock.core_cycle(last), cycle);
        EXPECT_GT(clock.core_cycle(last + 1), cycle);
    }
}

TEST(ClockRatio, TheCoresOwnClockChangesNothing) {
    for (const ClockRatio& clock : {ClockRatio(), ClockRatio(700, 700)}) {
        EXPECT_EQ(clock.core_cycle(12345), 12345U);
        EXPECT_EQ(clock.tick_from(12345), 12345U);
        EXPECT_EQ(clock.tick_before(12345), 12345U);
        EXPECT_EQ(clock.core_cycle(kNever), kNever);
    }
}

TEST(ClockRatio, ASlowerClock) {
    const ClockRatio clock(700, 924); // 25 : 33, a tick every 1.32 cycles: 0, 1.32, 2.64, 3.96, 5.28, 6.6
    EXPECT_EQ(first_ticks(clock, 6), (std::vector<Cycle>{0, 2, 3, 4, 6, 7}));
    EXPECT_EQ(clock.core_cycle(25), 33U);
    EXPECT_EQ(clock.tick_from(0), 0U);
    EXPECT_EQ(clock.tick_from(1), 1U); // nothing in cycle 1: tick 1 is in cycle 2
    EXPECT_EQ(clock.tick_from(2), 1U);
    EXPECT_EQ(clock.tick_from(5), 4U);
    EXPECT_EQ(clock.tick_before(1), 0U);
    EXPECT_EQ(clock.tick_before(2), 1U);
    EXPECT_EQ(clock.tick_before(5), 3U);
    EXPECT_EQ(clock.core_cycle(kNever), kNever);
    expect_consistent(clock);
}

TEST(ClockRatio, AFasterClock) {
    const ClockRatio clock(924, 700); // a tick every 0.7576 cycles: 0, .76, 1.52, 2.27, 3.03, 3.79, 4.55
    EXPECT_EQ(first_ticks(clock, 7), (std::vector<Cycle>{0, 1, 2, 3, 4, 4, 5}));
    EXPECT_EQ(clock.tick_from(4), 4U);   // two ticks are in cycle 4: the first of them
    EXPECT_EQ(clock.tick_before(4), 5U); // and the last
    EXPECT_EQ(clock.tick_before(3), 3U);
    EXPECT_EQ(clock.tick_from(5), 6U);
    expect_consistent(clock);
}

TEST(ClockRatio, SeveralTicksACycle) {
    const ClockRatio clock(1000, 300); // a tick every 0.3 cycles
    EXPECT_EQ(first_ticks(clock, 12), (std::vector<Cycle>{0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 3, 4}));
    EXPECT_EQ(clock.tick_from(1), 1U);
    EXPECT_EQ(clock.tick_before(1), 3U);
    EXPECT_EQ(clock.tick_from(3), 7U);
    EXPECT_EQ(clock.tick_before(3), 10U);
    expect_consistent(clock);
}

TEST(ClockRatio, SeveralCyclesATick) {
    const ClockRatio clock(300, 1000); // a tick every 3.33 cycles
    EXPECT_EQ(first_ticks(clock, 4), (std::vector<Cycle>{0, 4, 7, 10}));
    EXPECT_EQ(clock.tick_before(3), 0U);
    EXPECT_EQ(clock.tick_before(4), 1U);
    EXPECT_EQ(clock.tick_from(5), 2U);
    expect_consistent(clock);
}

TEST(ClockRatio, LateCycles) {
    constexpr Cycle kLate = Cycle{1} << 42;
    const ClockRatio coprime(999.983, 1000.003); // products near 2^62
    const ClockRatio twice(2000, 1000);
    for (Cycle cycle = kLate; cycle < kLate + 2000; ++cycle) {
        EXPECT_EQ(coprime.tick_before(cycle), cycle * 999983 / 1000003);
        EXPECT_EQ(coprime.core_cycle(cycle), (cycle * 1000003 + 999982) / 999983);
        EXPECT_EQ(twice.tick_before(cycle), 2 * cycle);
        EXPECT_EQ(twice.core_cycle(cycle), (cycle + 1) / 2);
    }
}

TEST(ClockRatio, FrequenciesCountToTheKilohertz) {
    // 0.001 : 1 MHz is 1 : 1000.
    EXPECT_EQ(ClockRatio(0.001, 1).core_cycle(7), 7000U);
    EXPECT_EQ(ClockRatio(924.001, 924).core_cycle(924001), 924000U);
}

} // namespace
} // namespace heddle
