// The counters of MAWS 5.4.3 and 5.6, step by step: MFC and the latency of the last miss of a warp-split, sum-rMFC of
// the WPU. They show in what latspec decides: a divergent access is divided when sum-rMFC + MFC < MemLat. The access
// itself occupies the pipeline for a cycle (assumed: it is counted before the test).

#include <gtest/gtest.h>

#include "split_driver.h"

namespace heddle::formation {
namespace {

constexpr UnitId kNone = SplitDriver::kNone;

std::unique_ptr<SplitDriver> latspec(unsigned latency) {
    return std::make_unique<SplitDriver>(
        4, std::vector<warp::Part>{{0, 0xf}, {1, 0xf}},
        std::vector<std::string>{"maws.split=latspec", "maws.memory_latency=" + std::to_string(latency)});
}

// Before the first miss: sum-rMFC is 0, MemLat the setting. MFC is 5 with the fifth instruction.
TEST(MawsCounters, MfcCountsTheCyclesInThePipeline) {
    auto d = latspec(6);
    d->run(0, 4);
    EXPECT_NE(d->access(0, 0b0011), kNone); // 5 < 6
    d = latspec(5);
    d->run(0, 4);
    EXPECT_EQ(d->access(0, 0b0011), kNone); // 5 < 5
}

// An instruction of another warp is no cycle of this one.
TEST(MawsCounters, MfcIsOfTheWarpSplit) {
    const auto d = latspec(2);
    d->run(1, 10);
    EXPECT_NE(d->access(0, 0b0011), kNone); // 1 < 2
    EXPECT_EQ(d->access(1, 0b0011), kNone); // 11
}

// Unit 1 misses with MFC = 4 (three instructions and the access). It is back: sum-rMFC = 4, its MFC counts from 0.
// Its MemLat is what it has waited. Its next instruction, a divergent access: sum-rMFC = 3, MFC = 1.
TEST(MawsCounters, TheMissLeavesItsLatencyAndItsMfc) {
    for (const Cycle latency : {Cycle{4}, Cycle{5}}) {
        const auto d = latspec(1000);
        d->run(1, 3);
        d->access(1, 0, 100);
        d->back(d->last, 100 + latency);
        EXPECT_EQ(d->access(1, 0b0011) != kNone, latency == 5) << "3 + 1 < " << latency;
    }
}

// The sum is of the WPU: unit 1 leaves 9 or 10 there. Unit 0 has never missed, MemLat = 10; with its first instruction
// the sum is 8 or 9, its MFC 1.
TEST(MawsCounters, TheSumIsOfAllWarpSplits) {
    for (const unsigned mfc : {9U, 10U}) {
        const auto d = latspec(10);
        d->run(1, mfc - 1);
        d->access(1, 0);
        d->back(d->last, 7);
        EXPECT_EQ(d->access(0, 0b0011) != kNone, mfc == 9) << mfc - 1 << " + 1 < 10";
    }
}

// Any instruction that executes takes one off the sum, also one of others. Unit 1 leaves 6; unit 0 executes n before
// its access: sum-rMFC is 6 - (n + 1), MFC n + 1, together 6 up to n = 5, and n + 1 from then on.
TEST(MawsCounters, TheSumGoesDownToZeroAndNotBelow) {
    for (const unsigned n : {0U, 5U, 6U, 20U}) {
        const auto d = latspec(7);
        d->run(1, 5);
        d->access(1, 0);
        d->back(d->last, 1000);
        d->run(0, n);
        EXPECT_EQ(d->access(0, 0b0011) != kNone, n <= 5) << n; // 6 < 7, but 7 < 7 and 21 < 7 not
    }
    const auto d = latspec(2); // 30 instructions at a sum of 0: it is still 0
    d->run(1, 30);
    EXPECT_NE(d->access(0, 0b0011), kNone);
}

// The fall-behind keeps the entry, and MFC with it (5.4.1): 3 when its data come, which go into the sum. The run-ahead
// starts with none, or with those of its parent (inherit_mfc; both assumed), and with the parent's MemLat. The division
// finds 3 < 4, and the run-ahead's first access 1 or 4.
TEST(MawsCounters, ARunAheadStartsWithoutMissFreeCycles) {
    for (const bool inherits : {false, true}) {
        SplitDriver d(4, {{0, 0xf}},
                      {"maws.split=latspec", "maws.memory_latency=4",
                       inherits ? "maws.inherit_mfc=true" : "maws.inherit_mfc=false"});
        d.run(0, 2);
        const UnitId ahead = d.access(0, 0b0111);
        ASSERT_NE(ahead, kNone);
        const auto behind = d.last;
        EXPECT_EQ(d.access(ahead, 0b0011) != kNone, !inherits);
        d.back(behind, 50);
        EXPECT_EQ(d.hint(0), 3U);
    }
}

// The parent's MemLat: 3 < 4 for the third instruction of the run-ahead, 4 < 4 not for its fourth.
TEST(MawsCounters, ARunAheadStartsWithItsParentsLatency) {
    for (const unsigned instructions : {2U, 3U}) {
        const auto d = latspec(1000);
        d->access(0, 0, 0);
        d->back(d->last, 4); // MemLat = 4, the sum 1, which the next instruction takes off
        const UnitId ahead = d->access(0, 0b0111);
        ASSERT_NE(ahead, kNone);
        d->run(ahead, instructions);
        EXPECT_EQ(d->access(ahead, 0b0011) != kNone, instructions == 2);
    }
}

// The fall-behind's counter stands while it waits. It has 3 when it is back, whatever the run-ahead has executed: the
// sum, 0 until then, is 3.
TEST(MawsCounters, TheMissStopsTheFallBehindsCounter) {
    for (const Cycle latency : {Cycle{3}, Cycle{4}}) {
        const auto d = latspec(5);
        d->run(0, 2);
        const UnitId ahead = d->access(0, 0b0011, 50);
        ASSERT_NE(ahead, kNone);
        const auto behind = d->last;
        d->run(ahead, 40);
        d->back(behind, 50 + latency);
        EXPECT_EQ(d->hint(0), 3U);
        EXPECT_EQ(d->access(0, 0b0100) != kNone, latency == 4) << "2 + 1 < " << latency;
    }
}

// A warp-split of several flights is back with the last of them, and leaves its MFC once, the larger (assumed). The
// run-ahead has 4 then: three instructions and the access. The fall-behind has left 1 and 2 in the sum, of two
// accesses, which its next instructions use up, and has 2 since. So 4 are left: the next access finds 3 + 1. MemLat is
// of the flight that came last.
TEST(MawsCounters, AMergedWarpSplitCountsOnce) {
    for (const Cycle latency : {Cycle{4}, Cycle{5}}) {
        const auto d = latspec(100);
        const UnitId ahead = d->access(0, 0b0101, 0);
        const auto first = d->last;
        d->run(ahead, 3);
        d->access(ahead, 0, 10);
        const auto of_ahead = d->last;
        d->back(first, 20);
        EXPECT_EQ(d->hint(0), 1U);
        d->run(0);
        d->access(0, 0, 21);
        d->back(d->last, 25);
        EXPECT_EQ(d->hint(0), 2U);
        d->run(0);
        d->access(0, 0, 30); // merges
        const auto of_behind = d->last;
        d->back(of_ahead, 32);
        EXPECT_EQ(d->hint(ahead), 0U);
        d->back(of_behind, 30 + latency);
        EXPECT_EQ(d->hint(ahead), 4U);
        EXPECT_EQ(d->access(ahead, 0b0001, 70) != kNone, latency == 5) << "3 + 1 < " << latency;
    }
}

// 5.6: what is left of the last MFC, a cycle less with each instruction of the warp-split, for the scheduler swf.
TEST(MawsCounters, TheHintCountsDownWhatIsLeft) {
    const auto d = latspec(100);
    EXPECT_EQ(d->hint(0), 0U); // nothing is known yet
    d->run(0, 4);
    EXPECT_EQ(d->hint(0), 0U);
    d->access(0, 0);
    d->back(d->last, 9);
    EXPECT_EQ(d->hint(0), 5U);
    d->run(1);
    EXPECT_EQ(d->hint(0), 5U);
    d->run(0, 3);
    EXPECT_EQ(d->hint(0), 2U);
    d->run(0, 3);
    EXPECT_EQ(d->hint(0), 0U);
    d->access(0, 0);
    d->back(d->last, 20);
    EXPECT_EQ(d->hint(0), 7U); // 3 + 3 and the access
    const UnitId ahead = d->access(0, 0b0011);
    ASSERT_NE(ahead, kNone); // 6 + 1 < 20
    EXPECT_EQ(d->hint(0), 6U);
    EXPECT_EQ(d->hint(ahead), 6U); // as much as its parent
}

// An access that all threads hit is no miss: the counter goes on.
TEST(MawsCounters, AHitClearsNothing) {
    auto d = latspec(4);
    d->run(0);
    d->access(0, 0xf);
    EXPECT_NE(d->access(0, 0b0011), kNone); // 3 < 4
    d = latspec(3);
    d->run(0);
    d->access(0, 0xf);
    EXPECT_EQ(d->access(0, 0b0011), kNone); // 3 < 3
}

} // namespace
} // namespace heddle::formation
