// The load/store unit by itself: how long accesses are in it, what they wait for, what goes on when memory answers.
// Where a test says nothing else lines have 128 bytes and the data cache takes one a cycle.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rig.h"

namespace heddle::sm::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Step = LoadStoreUnit::Step;

constexpr Address kA = 0x1000'0000'0000, kB = kA + 128, kC = kA + 256, kD = kA + 384; // on lines of their own

TEST(LoadStoreUnit, AHitHasItsDataALatencyLater) {
    UnitRig sm({"dcache.latency=35"});
    sm.bring(kA);
    sm.prepare(0, access_of(In::Global, {kA, kA + 4}));
    EXPECT_EQ(sm.step(0, 10), Step::Done);
    EXPECT_EQ(sm.flights[0].lines_left, 0);
    EXPECT_EQ(sm.unit.latency(0), 35U);
    EXPECT_THAT(asked(sm.port), IsEmpty());
    sm.prepare(1, store_of(In::Global, {kA})); // nothing waits for the data of a store
    EXPECT_EQ(sm.step(1, 11), Step::Done);
    EXPECT_EQ(sm.unit.latency(1), 1U);
}

// The answer is known of before it is there: it comes in cycle 50, not in 49.
TEST(LoadStoreUnit, AMissIsPutAsideUntilItsLineComes) {
    UnitRig sm;
    sm.prepare(0, access_of(In::Global, {kA + 4}));
    EXPECT_EQ(sm.step(0, 10), Step::Done);
    EXPECT_EQ(sm.flights[0].lines_left, 1);
    const auto requests = asked(sm.port);
    ASSERT_EQ(requests.size(), 1U);
    EXPECT_EQ(requests[0].address, kA);
    EXPECT_EQ(requests[0].bytes, 128);
    EXPECT_EQ(requests[0].sent, 10U);
    EXPECT_EQ(requests[0].requester, mem::Requester::Data);

    sm.port.deliver(reply_to(requests[0], 50, mem::Level::Dram));
    EXPECT_GT(sm.port.next(), 49U);
    ASSERT_LE(sm.port.next(), 50U);
    EXPECT_THAT(sm.answer(sm.port.take()), ElementsAre(0));
    EXPECT_EQ(sm.flights[0].lines_left, 0);
    EXPECT_EQ(sm.unit.level(0), mem::Level::Dram);
    EXPECT_EQ(sm.unit.stats().put_aside, 1U);
}

TEST(LoadStoreUnit, MissesOfOneLineMerge) {
    UnitRig sm;
    for (FlightId f = 0; f < 2; ++f) {
        sm.prepare(f, access_of(In::Global, {kA + 8U * f}));
        EXPECT_EQ(sm.step(f, 10U + f), Step::Done);
    }
    const auto requests = asked(sm.port);
    ASSERT_EQ(requests.size(), 1U);
    EXPECT_THAT(sm.answer(requests[0], 50), ElementsAre(0, 1));
    EXPECT_EQ(sm.counter("dcache", "merges"), 1U);
}

// A line a cycle; the access comes back with the last of them.
TEST(LoadStoreUnit, KLinesTakeKCycles) {
    UnitRig sm;
    sm.bring(kC);
    sm.prepare(0, access_of(In::Global, {kA, kB, kC, kD, kA + 4}));
    EXPECT_EQ(sm.step(0, 10), Step::Line);
    EXPECT_EQ(sm.step(0, 11), Step::Line);
    EXPECT_EQ(sm.step(0, 12), Step::Line);
    EXPECT_EQ(sm.step(0, 13), Step::Done);
    EXPECT_EQ(sm.flights[0].lines_left, 3);
    const auto requests = asked(sm.port);
    ASSERT_EQ(requests.size(), 3U);
    EXPECT_EQ(requests[0].sent, 10U);
    EXPECT_EQ(requests[1].sent, 11U);
    EXPECT_EQ(requests[2].sent, 13U); // C hits
    EXPECT_THAT(sm.answer(requests[2], 50), IsEmpty());
    EXPECT_THAT(sm.answer(requests[0], 51), IsEmpty());
    EXPECT_THAT(sm.answer(requests[1], 52), ElementsAre(0));
    EXPECT_EQ(sm.unit.stats().transactions[4], 1U);
}

// The first line comes while the last is still to be looked up: the access must not end before it has left the unit.
TEST(LoadStoreUnit, AnAnswerDuringTheAccessDoesNotEndIt) {
    UnitRig sm;
    sm.prepare(0, access_of(In::Global, {kA, kB}));
    EXPECT_EQ(sm.step(0, 10), Step::Line);
    EXPECT_THAT(sm.answer(asked(sm.port).at(0), 11), IsEmpty());
    EXPECT_EQ(sm.step(0, 11), Step::Done);
    EXPECT_THAT(sm.answer(asked(sm.port).at(0), 60), ElementsAre(0));
}

TEST(LoadStoreUnit, TheFarthestLineSaysWhereTheDataCameFrom) {
    UnitRig sm;
    sm.prepare(0, access_of(In::Global, {kA, kB}));
    sm.serve(0, 10);
    const auto requests = asked(sm.port);
    sm.answer(requests[0], 50, mem::Level::Dram);
    sm.answer(requests[1], 51, mem::Level::Llc);
    EXPECT_EQ(sm.unit.level(0), mem::Level::Dram);
}

// 32 banks of 4-byte words: words 0, 32 and 64 lie in bank 0, word 1 in bank 1. Threads that read one word share it;
// atomic operations on it follow each other.
TEST(LoadStoreUnit, SharedMemoryTakesACycleForEachWordOfItsBusiestBank) {
    UnitRig sm({"shared.latency=26"});
    sm.prepare(0, access_of(In::Shared, {0, 128, 256, 4}));
    EXPECT_EQ(sm.step(0, 10), Step::Bank);
    EXPECT_EQ(sm.step(0, 11), Step::Bank);
    EXPECT_EQ(sm.step(0, 12), Step::Done);
    EXPECT_EQ(sm.unit.latency(0), 26U);
    sm.prepare(1, access_of(In::Shared, {0, 0, 0, 4}));
    EXPECT_EQ(sm.serve(1, 20), 20U);
    sm.prepare(2, atomic_of(In::Shared, {0, 0, 0, 4}));
    EXPECT_EQ(sm.serve(2, 30), 32U);
    EXPECT_EQ(sm.unit.stats().shared_cycles, 3U + 1U + 3U);
    EXPECT_THAT(asked(sm.port), IsEmpty());
}

// Words 0 and 4 of a line lie in bank 0 of four; lines of 64 bytes. Two cycles for the words bring four look-ups to an
// end, two at a time.
TEST(LoadStoreUnit, ABankedDataCacheLooksUpWhileBanksServeWords) {
    UnitRig sm({"dcache.banks=4", "dcache.line=64"});
    sm.prepare(0, access_of(In::Global, {kA, kA + 64 + 4, kA + 128 + 8, kA + 192 + 12, kA + 16}));
    EXPECT_EQ(sm.step(0, 10), Step::Bank);
    EXPECT_EQ(sm.step(0, 11), Step::Done);
    const auto requests = asked(sm.port);
    ASSERT_EQ(requests.size(), 4U);
    EXPECT_EQ(requests[1].sent, 10U);
    EXPECT_EQ(requests[2].sent, 11U);
    EXPECT_EQ(sm.unit.stats().bank_conflicts, 1U);
}

// On-chip memory goes first, then the lines.
TEST(LoadStoreUnit, ThreadsInSeveralMemoriesAreServedOneMemoryAfterTheOther) {
    UnitRig sm;
    exec::Access access = access_of(In::Shared, {0, 128, kA, kB}); // a two-way bank conflict, and two lines
    access.shared = 0b0011;
    access.global = 0b1100;
    sm.prepare(0, access);
    EXPECT_EQ(sm.step(0, 10), Step::Bank);
    EXPECT_EQ(sm.step(0, 11), Step::Line);
    EXPECT_EQ(sm.step(0, 12), Step::Line);
    EXPECT_EQ(sm.step(0, 13), Step::Done);
    EXPECT_EQ(sm.flights[0].lines_left, 2);
}

TEST(LoadStoreUnit, AnIdealCacheAsksForAtomicsOnly) {
    UnitRig sm({"dcache.ideal=true"});
    sm.prepare(0, access_of(In::Global, {kA, kB}));
    EXPECT_EQ(sm.serve(0, 10), 11U); // each line takes its port slot
    sm.prepare(1, store_of(In::Global, {kC}));
    EXPECT_EQ(sm.serve(1, 20), 20U);
    EXPECT_THAT(asked(sm.port), IsEmpty());
    sm.prepare(2, atomic_of(In::Global, {kC}));
    sm.serve(2, 30);
    EXPECT_EQ(asked(sm.port).size(), 1U);
}

// Refusals

// The access stays in a unit that holds; the answer that frees the entry makes another try worthwhile.
TEST(LoadStoreUnitFull, AUnitThatHoldsKeepsTheAccess) {
    UnitRig sm({"dcache.mshrs=1"}, true);
    sm.prepare(0, access_of(In::Global, {kA}));
    sm.serve(0, 10);
    const auto first = asked(sm.port);
    sm.prepare(1, access_of(In::Global, {kB, kC}));
    EXPECT_EQ(sm.step(1, 11), Step::Held);
    EXPECT_EQ(sm.unit.refusal(), Refusal::MshrFull);
    EXPECT_EQ(sm.step(1, 12), Step::Held); // nothing has changed
    EXPECT_THAT(asked(sm.port), IsEmpty());

    EXPECT_THAT(sm.answer(first.at(0), 50), ElementsAre(0));
    EXPECT_TRUE(sm.goes_on);
    EXPECT_EQ(sm.step(1, 50), Step::Line);
    EXPECT_EQ(asked(sm.port).at(0).address, kB);
    EXPECT_EQ(sm.step(1, 51), Step::Held); // now C
    EXPECT_EQ(sm.counter("dcache", "mshr_full"), 3U);
}

// The access leaves, and its line waits in order: the oldest goes on when an answer frees the entry.
TEST(LoadStoreUnitFull, AUnitThatDoesNotHoldLetsLinesWait) {
    UnitRig sm({"dcache.mshrs=1"});
    sm.prepare(0, access_of(In::Global, {kA}));
    sm.prepare(1, access_of(In::Global, {kB}));
    sm.prepare(2, access_of(In::Global, {kC}));
    for (FlightId f = 0; f < 3; ++f)
        EXPECT_EQ(sm.step(f, 10U + f), Step::Done);
    EXPECT_EQ(sm.flights[1].lines_left, 1);
    auto requests = asked(sm.port);
    ASSERT_EQ(requests.size(), 1U);

    EXPECT_THAT(sm.answer(requests[0], 50), ElementsAre(0));
    requests = asked(sm.port);
    ASSERT_EQ(requests.size(), 1U);
    EXPECT_EQ(requests[0].address, kB);
    EXPECT_EQ(requests[0].sent, 50U);
    EXPECT_EQ(sm.flights[1].lines_left, 1); // counted once, whether it waits for an entry or for its line

    EXPECT_THAT(sm.answer(requests[0], 70), ElementsAre(1));
    requests = asked(sm.port);
    ASSERT_EQ(requests.size(), 1U);
    EXPECT_EQ(requests[0].address, kC);
    EXPECT_THAT(sm.answer(requests[0], 90), ElementsAre(2));
}

// Its line has come for another: nothing is left to wait for.
TEST(LoadStoreUnitFull, ALineThatWaitedMayHitWhenItIsTriedAgain) {
    UnitRig sm({"dcache.merges=1"});
    sm.prepare(0, access_of(In::Global, {kA}));
    sm.prepare(1, access_of(In::Global, {kA + 4}));
    sm.serve(0, 10);
    sm.serve(1, 11);
    EXPECT_THAT(sm.answer(asked(sm.port).at(0), 50), ElementsAre(0, 1));
    EXPECT_THAT(asked(sm.port), IsEmpty());
}

// An entry that takes no more accesses: no other line's answer helps.
TEST(LoadStoreUnitFull, AFullEntryWaitsForItsOwnLine) {
    UnitRig sm({"dcache.merges=1"}, true);
    sm.prepare(0, access_of(In::Global, {kA}));
    sm.prepare(1, access_of(In::Global, {kB}));
    sm.prepare(2, access_of(In::Global, {kA}));
    sm.serve(0, 10);
    sm.serve(1, 11);
    const auto requests = asked(sm.port);
    EXPECT_EQ(sm.step(2, 12), Step::Held);
    EXPECT_EQ(sm.unit.refusal(), Refusal::MshrMergeFull);
    sm.answer(requests[1], 50);
    EXPECT_FALSE(sm.goes_on);
    sm.answer(requests[0], 60);
    EXPECT_TRUE(sm.goes_on);
    EXPECT_EQ(sm.step(2, 60), Step::Done);
    EXPECT_EQ(sm.flights[2].lines_left, 0);
}

// Two sets of one way: A and C share set 0, B and D set 1.
TEST(LoadStoreUnitFull, AReservedSetWaitsForALineOfItsSet) {
    UnitRig sm({"dcache.size=256", "dcache.ways=1"}, true);
    sm.prepare(0, access_of(In::Global, {kA}));
    sm.prepare(1, access_of(In::Global, {kB}));
    sm.prepare(2, access_of(In::Global, {kC}));
    sm.serve(0, 10);
    sm.serve(1, 11);
    const auto requests = asked(sm.port);
    EXPECT_EQ(sm.step(2, 12), Step::Held);
    EXPECT_EQ(sm.unit.refusal(), Refusal::SetReserved);
    sm.answer(requests[1], 50);
    EXPECT_FALSE(sm.goes_on);
    sm.answer(requests[0], 60);
    EXPECT_TRUE(sm.goes_on);
    EXPECT_EQ(sm.step(2, 60), Step::Done);
    EXPECT_EQ(asked(sm.port).at(0).address, kC);
}

// The network's buffer has room for a packet: a read request is one flit.
TEST(LoadStoreUnitFull, NoRoomOnTheWayToMemory) {
    UnitRig sm({"interconnect.input_flits=1"}, true);
    sm.prepare(0, access_of(In::Global, {kA}));
    sm.prepare(1, access_of(In::Global, {kB}));
    sm.serve(0, 10);
    EXPECT_EQ(sm.step(1, 11), Step::Held);
    EXPECT_EQ(sm.unit.refusal(), Refusal::PortFull);
    EXPECT_EQ(sm.port.next(), kNever);
    sm.port.set_room(1, 20);
    ASSERT_EQ(sm.port.next(), 20U);
    EXPECT_THAT(sm.answer(sm.port.take()), IsEmpty());
    EXPECT_TRUE(sm.goes_on);
    EXPECT_EQ(sm.step(1, 20), Step::Done);
    EXPECT_EQ(asked(sm.port).size(), 2U);
}

TEST(LoadStoreUnit, TheLongestLatencyOfItsMemories) {
    EXPECT_EQ(LoadStoreUnit::longest_latency(machine_of({"dcache.latency=3", "shared.latency=9", "ccache.latency=2"})),
              9U);
}

} // namespace
} // namespace heddle::sm::test
