#include "channel_bench.h"

namespace heddle::mem {
namespace {

// LWM11 Table 1: 100 cycles for a row hit, 300 for a conflict, 32 bytes a cycle.
DramConfig lwm11(std::uint64_t queue) {
    DramConfig config;
    config.queue = queue;
    return config;
}

TEST(SimpleChannel, TimesAreThoseOfTheSimpleModel) {
    ChannelBench bench(lwm11(0));
    bench.push(10, 0, DramUse::Read, 128);      // closed row: 10 + 300
    bench.push(1000, 128, DramUse::Read, 128);  // hit: 1000 + 100
    bench.push(1000, 256, DramUse::Write, 128); // the bus is taken for 128 / 32 = 4 cycles more
    EXPECT_EQ(bench.done(0), 310U);
    EXPECT_EQ(bench.done(1), 1100U);
    EXPECT_EQ(bench.done(2), 1104U);
    EXPECT_EQ(bench.stats().row_hits, 2U);
    EXPECT_EQ(bench.stats().row_closed, 1U);
    EXPECT_EQ(bench.stats().activates, 1U);
    EXPECT_EQ(bench.stats().precharges, 0U);
}

TEST(SimpleChannel, SleepsUntilACompletionIsDue) {
    ChannelBench bench(lwm11(0));
    EXPECT_EQ(bench.channel().wake, kNever);
    bench.push(10, 0);
    EXPECT_EQ(bench.channel().wake, 310U);
    bench.run_to(309);
    EXPECT_FALSE(bench.is_done(0));
    bench.run_to(310);
    EXPECT_TRUE(bench.is_done(0));
    EXPECT_EQ(bench.channel().wake, kNever);
}

TEST(SimpleChannel, RoomComesWithACompletion) {
    ChannelBench bench(lwm11(2));
    bench.push(0, 0);
    bench.push(0, 64);
    EXPECT_FALSE(bench.channel().accepts());
    bench.run_to(299);
    EXPECT_FALSE(bench.channel().accepts());
    bench.run_to(300);
    EXPECT_TRUE(bench.channel().accepts());
    EXPECT_EQ(bench.stats().found_queued, 1U); // 0 before the first, 1 before the second
}

TEST(SimpleChannel, LatenciesAreCountedByPowersOfTwo) {
    ChannelBench bench(lwm11(0));
    bench.push(0, 0);
    bench.push(1000, 64);
    bench.run_to(2000);
    EXPECT_EQ(bench.stats().read_latencies[8], 1U); // 300: 256 to 511
    EXPECT_EQ(bench.stats().read_latencies[6], 1U); // 100: 64 to 127
    EXPECT_EQ(bench.stats().read_latency, 400U);
}

TEST(SimpleChannel, SilentWritesComeBackNowhere) {
    ChannelBench bench{DramConfig{}};
    bench.push_silent(0, 0);
    const std::uint32_t read = bench.push(0, 128);
    bench.run_to(1000);
    EXPECT_EQ(bench.all_done().size(), 1U);
    EXPECT_EQ(bench.done(read), 302U); // behind the write, whose 64 bytes hold bank and bus for 2 cycles
}

} // namespace
} // namespace heddle::mem
