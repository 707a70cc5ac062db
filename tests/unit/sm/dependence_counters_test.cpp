// Dependences by control bits (Jia et al., arXiv 1804.06826, section 2).
#include <gtest/gtest.h>

#include "sm/sub_core/dependence_counters.h"

namespace heddle::sm {
namespace {

using ir::ControlBits;

const Writer kAlu(Writer::kPassing, 0), kLoad(7, 4), kOther(8, 4);

ControlBits waits_for(std::uint8_t counters) {
    ControlBits bits;
    bits.wait = counters;
    return bits;
}
ControlBits stalls(std::uint8_t cycles, bool yields = false) {
    ControlBits bits;
    bits.stall = cycles;
    bits.yield = yields;
    return bits;
}

TEST(DependenceCounters, AStallKeepsItsWarpForThatManyCycles) {
    DependenceCounters counters(2);
    counters.issued(0, stalls(4), kAlu, 5, 100);
    EXPECT_EQ(counters.blocker(0, {}, 103).until, 104U);
    EXPECT_EQ(counters.producer(0, {}, 103), 5U);
    EXPECT_EQ(counters.blocker(0, {}, 104).writer, kNoWriter);
    EXPECT_EQ(counters.blocker(1, {}, 101).writer, kNoWriter);
}

TEST(DependenceCounters, AWarpThatYieldsLeavesTheNextCycleToAnother) {
    DependenceCounters counters(1);
    counters.issued(0, stalls(1, true), kAlu, 5, 100);
    EXPECT_EQ(counters.blocker(0, {}, 101).until, 102U);
    EXPECT_EQ(counters.blocker(0, {}, 102).writer, kNoWriter);
}

TEST(DependenceCounters, OnlyTheCountersOfTheMaskMatter) {
    DependenceCounters counters(1);
    counters.up(0, 2, kLoad, 9, Scoreboard::kUntilCleared);
    EXPECT_EQ(counters.blocker(0, waits_for(0b001011), 500).writer, kNoWriter);
    EXPECT_EQ(counters.blocker(0, waits_for(0b000100), 500).writer, kLoad);
    EXPECT_EQ(counters.blocker(0, waits_for(0b000100), 500).until, Scoreboard::kUntilCleared);
    EXPECT_EQ(counters.producer(0, waits_for(0b000100), 500), 9U);
    counters.down(0, 2);
    EXPECT_EQ(counters.blocker(0, waits_for(0b000100), 500).writer, kNoWriter);
}

TEST(DependenceCounters, ACounterOfTwoLoadsIsUpUntilBothAreThere) {
    DependenceCounters counters(1);
    counters.up(0, 0, kLoad, 9, Scoreboard::kUntilCleared);
    counters.up(0, 0, kOther, 10, Scoreboard::kUntilCleared);
    counters.down(0, 0);
    EXPECT_EQ(counters.blocker(0, waits_for(1), 500).until, Scoreboard::kUntilCleared);
    counters.down(0, 0);
    EXPECT_EQ(counters.blocker(0, waits_for(1), 500).writer, kNoWriter);
}

TEST(DependenceCounters, WhatEndsLastCounts) {
    DependenceCounters counters(1);
    counters.up(0, 0, kLoad, 9, 120);
    counters.up(0, 0, kAlu, 10, 110);
    counters.up(0, 5, kOther, 11, 130);
    EXPECT_EQ(counters.blocker(0, waits_for(0b000001), 100).until, 120U);
    EXPECT_EQ(counters.blocker(0, waits_for(0b100001), 100).until, 130U);
    EXPECT_EQ(counters.blocker(0, waits_for(0b100001), 100).writer, kOther);
}

TEST(DependenceCounters, NoCounterIsNone) {
    DependenceCounters counters(1);
    counters.up(0, ControlBits::kNoCounter, kLoad, 9, Scoreboard::kUntilCleared);
    counters.down(0, ControlBits::kNoCounter);
    EXPECT_EQ(counters.blocker(0, waits_for(0b111111), 1).writer, kNoWriter);
}

} // namespace
} // namespace heddle::sm
