// Accesses of the scoreboarded core before the load/store unit: when each comes to it, what its slots wait for, and the
// unit's write port.
#include <gtest/gtest.h>

#include "rig.h"
#include "sm/sub_core/memory_stage.h"

namespace heddle::sm::test {
namespace {

using probe::Slot;
using warp::kNoFlight;

constexpr Address kA = 0x1000'0000'0000, kB = kA + 128;

struct Stage : UnitRig {
    explicit Stage(const std::vector<std::string>& settings = {}) : UnitRig(settings, true) {}

    void push(FlightId f, const exec::Access& access, Cycle at) {
        prepare(f, access);
        stage.push(f, at);
    }

    MemoryStage stage{machine, unit, 16};
};

TEST(MemoryStage, AnAccessComesWhenItsOperandsAreRead) {
    Stage sm;
    EXPECT_EQ(sm.stage.next(), kNever);
    sm.push(0, access_of(In::Shared, {0}), 10);
    EXPECT_EQ(sm.stage.next(), 10U);
    EXPECT_EQ(sm.stage.step(10), 0);
    EXPECT_EQ(sm.stage.next(), kNever);
    EXPECT_EQ(sm.stage.size(), 0U);
}

// The first takes two cycles for its two lines; the second has its operands meanwhile, and comes in the third.
TEST(MemoryStage, OneAccessAfterTheOther) {
    Stage sm;
    sm.push(0, access_of(In::Global, {kA, kB}), 10);
    sm.push(1, access_of(In::Shared, {0}), 11);
    EXPECT_EQ(sm.stage.step(10), kNoFlight);
    EXPECT_EQ(sm.stage.cause(), Slot::DataPort);
    EXPECT_EQ(sm.stage.next(), 11U);
    EXPECT_EQ(sm.stage.step(11), 0);
    EXPECT_EQ(sm.stage.next(), 12U);
    EXPECT_EQ(sm.stage.step(12), 1);
    sm.push(2, access_of(In::Shared, {0}), 20); // the unit is free, its operands are not read
    EXPECT_EQ(sm.stage.next(), 20U);
}

// Two collector units and three latches (scoreboard.collectors_ldst = 2).
TEST(MemoryStage, FiveAccessesHaveRoom) {
    Stage sm;
    for (FlightId f = 0; f < 5; ++f) {
        EXPECT_FALSE(sm.stage.is_full());
        sm.push(f, access_of(In::Shared, {0}), 10);
    }
    EXPECT_TRUE(sm.stage.is_full());
    sm.stage.step(10);
    EXPECT_FALSE(sm.stage.is_full());
}

// A held line holds up what is behind it, until an answer makes another try worthwhile.
TEST(MemoryStage, AHeldAccessSleepsUntilItIsTriedAgain) {
    Stage sm({"dcache.mshrs=1"});
    sm.push(0, access_of(In::Global, {kA}), 10);
    sm.push(1, access_of(In::Global, {kB}), 10);
    sm.push(2, access_of(In::Shared, {0}), 10);
    EXPECT_EQ(sm.stage.step(10), 0);
    EXPECT_EQ(sm.stage.step(11), kNoFlight);
    EXPECT_EQ(sm.stage.cause(), Slot::MshrFull);
    EXPECT_EQ(sm.stage.next(), kNever);
    sm.answer(asked(sm.port).at(0), 50);
    ASSERT_TRUE(sm.goes_on);
    sm.stage.try_again(50);
    EXPECT_EQ(sm.stage.next(), 50U);
    EXPECT_EQ(sm.stage.step(50), 1);
    EXPECT_EQ(sm.stage.step(51), 2);
}

TEST(MemoryStage, WhatSlotsWaitFor) {
    Stage banks;
    EXPECT_EQ(banks.stage.cause(), Slot::PipeLdSt);
    banks.push(0, access_of(In::Shared, {0, 128}), 10);
    banks.stage.step(10);
    EXPECT_EQ(banks.stage.cause(), Slot::BankConflict);
    banks.stage.step(11);
    EXPECT_EQ(banks.stage.cause(), Slot::PipeLdSt);

    Stage merges({"dcache.merges=1"});
    merges.push(0, access_of(In::Global, {kA}), 10);
    merges.push(1, access_of(In::Global, {kA}), 10);
    merges.stage.step(10);
    merges.stage.step(11);
    EXPECT_EQ(merges.stage.cause(), Slot::MshrMergeFull);

    Stage sets({"dcache.size=128", "dcache.ways=1"});
    sets.push(0, access_of(In::Global, {kA}), 10);
    sets.push(1, access_of(In::Global, {kB}), 10);
    sets.stage.step(10);
    sets.stage.step(11);
    EXPECT_EQ(sets.stage.cause(), Slot::SetReserved);

    Stage port({"interconnect.input_flits=1"});
    port.push(0, access_of(In::Global, {kA}), 10);
    port.push(1, access_of(In::Global, {kB}), 10);
    port.stage.step(10);
    port.stage.step(11);
    EXPECT_EQ(port.stage.cause(), Slot::PortFull);
}

// One instruction a cycle writes its registers, first come first served; gaps are filled.
TEST(MemoryStage, TheWritePort) {
    Stage sm;
    EXPECT_EQ(sm.stage.book_write(20), 20U);
    EXPECT_EQ(sm.stage.book_write(20), 21U);
    EXPECT_EQ(sm.stage.book_write(23), 23U);
    EXPECT_EQ(sm.stage.book_write(20), 22U);
    EXPECT_EQ(sm.stage.book_write(19), 19U);
    EXPECT_EQ(Stage({"dcache.latency=35"}).stage.miss_latency(), 35U);
}

} // namespace
} // namespace heddle::sm::test
