// Many requests: bandwidth, row hits, and what must hold for every scheduler and page policy.

#include <random>
#include <tuple>

#include "channel_bench.h"
#include "mem/dram/scheduler.h"

namespace heddle::mem {
namespace {

DramConfig gtx480() {
    DramConfig config;
    config.model = "timed";
    config.banks = 16;
    return config;
}

// Pushes whenever there is room, then waits until all is done. The clock after the last completion.
Cycle stream(ChannelBench& bench, unsigned count, Address stride) {
    Cycle now = 0;
    for (unsigned i = 0; i < count; ++i) {
        while (!bench.channel().accepts()) {
            now = bench.channel().wake;
            bench.run_to(now);
        }
        bench.push(now, i * stride);
    }
    return bench.done(count - 1);
}

class EveryScheduler : public testing::TestWithParam<std::string> {};

TEST_P(EveryScheduler, StreamsAtThePeakRateOverTwoGroups) {
    DramConfig config = gtx480();
    config.scheduler = GetParam();
    config.latency = 0;
    config.mapping = "RBBBCCCCCCBCCCCCC"; // every 64 bytes another group, so that tCCD counts and not tCCDL
    ChannelBench bench(config);
    const Cycle end = stream(bench, 1000, 64);
    EXPECT_EQ(bench.stats().bus_busy, 2000U);
    EXPECT_GE(end, 2000U + 1 + 12 + 12); // ACT, RD and data of the first
    EXPECT_LE(end, 2000U * 102 / 100);
}

TEST_P(EveryScheduler, StreamsAtTheRateOfOneGroup) {
    DramConfig config = gtx480();
    config.scheduler = GetParam();
    config.latency = 0;
    ChannelBench bench(config);
    // One row: 64 column commands, tCCDL = 3 apart, the first at 13.
    EXPECT_EQ(stream(bench, 64, 64), 13 + 63 * 3 + 14U);
}

TEST_P(EveryScheduler, RowHitsOfSimplePatterns) {
    DramConfig config = gtx480();
    config.scheduler = GetParam();
    ChannelBench streaming(config);
    stream(streaming, 64 * 32, 64); // 32 rows of 64 lines: all hit but the first of a row
    EXPECT_EQ(streaming.stats().row_hits, 63U * 32);
    EXPECT_EQ(streaming.stats().activates, 32U);
    EXPECT_EQ(streaming.stats().row_closed, 16U); // the first row of each bank
    ChannelBench by_rows(config);
    stream(by_rows, 500, 4096); // no row twice
    EXPECT_EQ(by_rows.stats().row_hits, 0U);
    EXPECT_EQ(by_rows.stats().row_conflicts, 500U - 16);
}

INSTANTIATE_TEST_SUITE_P(, EveryScheduler, testing::ValuesIn(dram_schedulers().names()),
                         [](const auto& info) { return info.param; });

// Scheduler, page policy, starvation bound.
class RandomTraffic : public testing::TestWithParam<std::tuple<std::string, std::string, std::uint64_t>> {
protected:
    static constexpr unsigned kCount = 3000;

    DramConfig config = gtx480();
    void SetUp() override {
        std::tie(config.scheduler, config.page, config.starvation) = GetParam();
    }
    // A mixture of bursts and gaps over few rows, so that hits, conflicts and idle times all occur. `every_clock`: the
    // channel is ticked in all clocks, and not only when it has work.
    void drive(ChannelBench& bench, bool every_clock) const {
        std::mt19937 random(7);
        Cycle now = 0;
        for (unsigned i = 0; i < kCount;) {
            if (every_clock || bench.next() <= now)
                bench.tick(now);
            const bool quiet = now / 500 % 4 == 3;
            while (bench.channel().accepts() && i < kCount && !quiet && random() % 2 == 0) {
                const Address address = (random() % 4 * 16 + random() % 16) * 4096 + random() % 32 * 128;
                const auto use = static_cast<DramUse>(random() % 16 == 0 ? 2 : random() % 3 == 0 ? 1 : 0);
                bench.push(now, address, use, random() % 4 == 0 ? 32 : 128, 1 + random() % 32);
                ++i;
            }
            ++now;
        }
        for (; bench.next() != kNever; ++now)
            if (every_clock || bench.next() <= now)
                bench.tick(now);
    }
};

TEST_P(RandomTraffic, EveryRequestCompletesOnceAndSleepingChangesNothing) {
    ChannelBench sleeping(config);
    drive(sleeping, false);
    ASSERT_EQ(sleeping.all_done().size(), kCount); // the bench refuses a second completion
    ChannelBench ticking(config);
    drive(ticking, true);
    EXPECT_EQ(sleeping.all_done(), ticking.all_done());

    const DramStats& stats = sleeping.stats();
    EXPECT_EQ(stats.reads + stats.writes + stats.atomics, kCount);
    EXPECT_EQ(stats.row_hits + stats.row_conflicts + stats.row_closed, kCount);
    std::uint64_t reads = 0;
    for (const std::uint64_t bucket : stats.read_latencies)
        reads += bucket;
    EXPECT_EQ(reads, stats.reads);
}

TEST_P(RandomTraffic, RandomRowsHitHardlyEver) {
    ChannelBench bench(config);
    std::mt19937_64 random(11);
    Cycle now = 0;
    for (unsigned i = 0; i < kCount; ++i) {
        while (!bench.channel().accepts())
            bench.run_to(now = bench.channel().wake);
        bench.push(now, random() % (Address{1} << 36) / 64 * 64);
    }
    bench.run_to(kNever - 1);
    EXPECT_EQ(bench.all_done().size(), kCount);
    EXPECT_LE(bench.stats().row_hits, kCount / 100); // 2^20 rows in each bank
}

INSTANTIATE_TEST_SUITE_P(, RandomTraffic,
                         testing::Combine(testing::ValuesIn(dram_schedulers().names()),
                                          testing::Values("open", "closed"), testing::Values(0, 60, 1000)),
                         [](const auto& info) {
                             return std::get<0>(info.param) + "_" + std::get<1>(info.param) + "_" +
                                    std::to_string(std::get<2>(info.param));
                         });

} // namespace
} // namespace heddle::mem
