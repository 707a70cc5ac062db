#include <gtest/gtest.h>

#include "mem/system/memory_clocks.h"

namespace heddle::mem {
namespace {

TEST(MemoryClocks, TicksAreTheLastOnesUpToTheCycle) {
    // At half the core's clock tick n is in cycle 2 n; at two thirds, in the first cycle from 1.5 n on.
    MemoryClocks clocks(ClockRatio(500, 1000), ClockRatio(1000, 1500));
    EXPECT_EQ(clocks.network_tick(), 0U);
    EXPECT_EQ(clocks.channel_tick(), 0U);
    clocks.advance(5);
    EXPECT_EQ(clocks.network_tick(), 2U); // cycle 4
    EXPECT_EQ(clocks.channel_tick(), 3U); // cycle 5
    clocks.advance(6);
    EXPECT_EQ(clocks.network_tick(), 3U);
    EXPECT_EQ(clocks.channel_tick(), 4U); // cycle 6
    EXPECT_EQ(clocks.networks().core_cycle(3), 6U);
    EXPECT_EQ(clocks.channels().core_cycle(3), 5U);
}

} // namespace
} // namespace heddle::mem
