// Stores, fences and atomic operations in the load/store unit, the end of a kernel, and the caches beside the data
// cache. What is sent for is answered by the test.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rig.h"

namespace heddle::sm::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Step = LoadStoreUnit::Step;

constexpr Address kA = 0x1000'0000'0000, kB = kA + 128, kC = kA + 256; // on lines of their own

// The line of a store is fetched as a load's; dirty from then on.
TEST(LoadStoreUnitStores, WriteBackFetchesTheLine) {
    UnitRig sm({"dcache.flush=kernel"});
    sm.prepare(0, store_of(In::Global, {kA}));
    EXPECT_EQ(sm.step(0, 10), Step::Done);
    EXPECT_EQ(sm.flights[0].lines_left, 1);
    const auto requests = asked(sm.port);
    ASSERT_EQ(requests.size(), 1U);
    EXPECT_EQ(requests[0].use(), mem::DramUse::Read);
    EXPECT_THAT(sm.answer(requests[0], 50), ElementsAre(0));
    sm.unit.flush(60);
    const auto written = asked(sm.port);
    ASSERT_EQ(written.size(), 1U);
    EXPECT_EQ(written[0].use(), mem::DramUse::Write);
    EXPECT_EQ(written[0].address, kA);
    EXPECT_EQ(written[0].sent, 60U);
}

// Three threads of 4 bytes on A, one on B: no instruction waits for what is sent.
TEST(LoadStoreUnitStores, WriteEvictSendsTheDataOn) {
    UnitRig sm({"dcache.write=evict"});
    sm.bring(kA);
    sm.prepare(0, store_of(In::Global, {kA, kA + 4, kA + 8, kB}));
    EXPECT_EQ(sm.serve(0, 10), 11U);
    EXPECT_EQ(sm.flights[0].lines_left, 0);
    const auto requests = asked(sm.port);
    ASSERT_EQ(requests.size(), 2U);
    EXPECT_EQ(requests[0].use(), mem::DramUse::Write);
    EXPECT_EQ(requests[0].carried, 12);
    EXPECT_EQ(requests[1].carried, 4);
    EXPECT_EQ(requests[0].requester, mem::Requester::Store);
    EXPECT_EQ(sm.unit.stats().stores_sent, 2U);
    sm.prepare(1, access_of(In::Global, {kA})); // the line is gone
    sm.serve(1, 20);
    EXPECT_EQ(sm.flights[1].lines_left, 1);
}

TEST(LoadStoreUnitStores, WriteThroughKeepsTheLine) {
    UnitRig sm({"dcache.write=through"});
    sm.prepare(0, store_of(In::Global, {kA}));
    sm.serve(0, 10);
    EXPECT_EQ(sm.flights[0].lines_left, 1); // write-allocate: it waits for the line, not for the store
    const auto requests = asked(sm.port);
    ASSERT_EQ(requests.size(), 2U);
    EXPECT_EQ(requests[0].use(), mem::DramUse::Read);
    EXPECT_EQ(requests[1].use(), mem::DramUse::Write);
    EXPECT_THAT(sm.answer(requests[1], 30), IsEmpty());
    EXPECT_THAT(sm.answer(requests[0], 50), ElementsAre(0));

    UnitRig none({"dcache.write=through", "dcache.write_allocate=false"});
    none.prepare(0, store_of(In::Global, {kA}));
    none.serve(0, 10);
    EXPECT_EQ(none.flights[0].lines_left, 0);
    EXPECT_EQ(asked(none.port).size(), 1U);
}

// Row 0 has two stores of two lines and of one on their way, row 1 none.
TEST(LoadStoreUnitStores, AFenceWaitsForTheStoresOfItsThreads) {
    UnitRig sm({"dcache.write=evict"});
    sm.prepare(0, store_of(In::Global, {kA, kB}));
    sm.prepare(1, store_of(In::Global, {kC}));
    sm.serve(0, 10);
    sm.serve(1, 12);
    const auto requests = asked(sm.port);
    ASSERT_EQ(requests.size(), 3U);
    sm.prepare_fence(2, 1);
    EXPECT_EQ(sm.step(2, 13), Step::Done);
    EXPECT_EQ(sm.flights[2].lines_left, 0);
    sm.prepare_fence(3, 0);
    EXPECT_EQ(sm.step(3, 14), Step::Done); // a cycle in the unit
    EXPECT_EQ(sm.flights[3].lines_left, 1);
    EXPECT_THAT(sm.answer(requests[0], 50), IsEmpty());
    EXPECT_THAT(sm.answer(requests[2], 51), IsEmpty());
    EXPECT_THAT(sm.answer(requests[1], 52), ElementsAre(3));
    EXPECT_EQ(sm.flights[3].lines_left, 0);
}

// What an exit does that gives its row back, without coming to the unit.
TEST(LoadStoreUnitStores, WaitForStoresOutsideTheUnit) {
    UnitRig sm({"dcache.write=evict"});
    set_group(sm.flights[1], ir::Kind::Exit, 32);
    EXPECT_FALSE(sm.unit.wait_for_stores(sm.flights[1]));
    sm.prepare(0, store_of(In::Global, {kA}));
    sm.serve(0, 10);
    EXPECT_TRUE(sm.unit.wait_for_stores(sm.flights[1]));
    EXPECT_THAT(sm.answer(asked(sm.port).at(0), 50), ElementsAre(1));
}

// Where the threads of a store into a line do not wait at it, their fences do: in a unit that holds.
TEST(LoadStoreUnitStores, AFenceWaitsForALineThatIsWritten) {
    UnitRig sm({}, true);
    sm.prepare(0, store_of(In::Global, {kA}));
    sm.serve(0, 10);
    sm.prepare_fence(1);
    sm.serve(1, 11);
    EXPECT_EQ(sm.flights[1].lines_left, 1);
    EXPECT_THAT(sm.answer(asked(sm.port).at(0), 50), ElementsAre(0, 1));
}

// A store into a present line is done when it leaves the unit: released() has the flight that waited for it.
TEST(LoadStoreUnitStores, AStoreThatHitsReleasesAWaitingFlight) {
    UnitRig sm({}, true);
    sm.bring(kA);
    sm.prepare(0, store_of(In::Global, {kA}));
    set_group(sm.flights[1], ir::Kind::Exit, 32);
    EXPECT_TRUE(sm.unit.wait_for_stores(sm.flights[1]));
    EXPECT_EQ(sm.step(0, 10), Step::Done);
    EXPECT_THAT(sm.unit.released(), ElementsAre(1));
}

// Fences of the block's scope, and those that no thread executes, have nothing to do with memory.
TEST(LoadStoreUnitStores, WhichFencesComeToTheUnit) {
    warp::Flight flight;
    set_group(flight, ir::Kind::Fence, 32);
    EXPECT_TRUE(LoadStoreUnit::is_fence(flight));
    set_group(flight, ir::Kind::Fence, 0);
    EXPECT_FALSE(LoadStoreUnit::is_fence(flight));
    ir::MicroOp of_block = op_of(ir::Kind::Fence);
    of_block.flags = ir::kBlockScope;
    set_group(flight, ir::Kind::Fence, 32);
    flight.op = &of_block;
    EXPECT_FALSE(LoadStoreUnit::is_fence(flight));
}

// Done behind the SM: a dirty line goes first. Three operations on one word, one on another.
TEST(LoadStoreUnitStores, AnAtomicWaitsForMemory) {
    UnitRig sm;
    sm.bring(kA);
    sm.prepare(1, store_of(In::Global, {kA}));
    sm.serve(1, 5); // A is dirty
    sm.prepare(0, atomic_of(In::Global, {kA, kA, kA, kA + 4}));
    EXPECT_EQ(sm.step(0, 10), Step::Done);
    EXPECT_EQ(sm.flights[0].lines_left, 1);
    const auto requests = asked(sm.port);
    ASSERT_EQ(requests.size(), 2U);
    EXPECT_EQ(requests[0].use(), mem::DramUse::Write);
    EXPECT_EQ(requests[0].requester, mem::Requester::None);
    EXPECT_EQ(requests[1].use(), mem::DramUse::Atomic);
    EXPECT_EQ(requests[1].operations, 3);
    EXPECT_EQ(requests[1].carried, 16);
    EXPECT_THAT(sm.answer(requests[1], 50), ElementsAre(0));
    sm.prepare(2, access_of(In::Global, {kA})); // the line has left
    sm.serve(2, 60);
    EXPECT_EQ(sm.flights[2].lines_left, 1);
}

// The fill of A takes the write port in cycle 50: a store waits, a load does not.
TEST(LoadStoreUnitStores, AFillTakesTheWritePort) {
    UnitRig sm;
    sm.bring(kB);
    sm.prepare(0, access_of(In::Global, {kA}));
    sm.serve(0, 10);
    sm.prepare(1, store_of(In::Global, {kB}));
    sm.prepare(2, access_of(In::Global, {kB}));
    sm.answer(asked(sm.port).at(0), 50);
    EXPECT_EQ(sm.step(1, 50), Step::Line);
    EXPECT_EQ(sm.step(2, 50), Step::Done);
    EXPECT_EQ(sm.step(1, 51), Step::Done);
    EXPECT_EQ(sm.unit.stats().port_conflicts, 1U);
}

TEST(LoadStoreUnitFlush, AtTheEndOfAKernelWhereTheMachineWantsIt) {
    UnitRig sm({"dcache.flush=kernel"});
    sm.bring(kA);
    sm.bring(kB);
    sm.prepare(0, store_of(In::Global, {kB}));
    sm.serve(0, 10);
    sm.unit.flush(20);
    const auto written = asked(sm.port);
    ASSERT_EQ(written.size(), 1U); // the clean line is dropped
    EXPECT_EQ(written[0].address, kB);
    EXPECT_EQ(sm.counter("dcache", "write_backs"), 1U);
    EXPECT_THAT(sm.answer(written[0], 40), IsEmpty()); // no flight waits for it
    sm.prepare(1, access_of(In::Global, {kA}));
    sm.serve(1, 50);
    EXPECT_EQ(sm.flights[1].lines_left, 1);

    UnitRig keeps;
    keeps.bring(kA);
    keeps.unit.flush(20);
    keeps.prepare(0, access_of(In::Global, {kA}));
    keeps.serve(0, 30);
    EXPECT_EQ(keeps.flights[0].lines_left, 0);
}

// The caches beside the data cache

TEST(LoadStoreUnitCaches, ConstantsHaveACacheOfTheirOwnOrTheDataCache) {
    UnitRig sm({"ccache.size=1KiB", "ccache.line=64", "ccache.latency=4"});
    sm.prepare(0, access_of(In::Constant, {kA, kA + 64})); // two lines of 64 bytes
    EXPECT_EQ(sm.serve(0, 10), 11U);
    const auto requests = asked(sm.port);
    ASSERT_EQ(requests.size(), 2U);
    EXPECT_EQ(requests[0].requester, mem::Requester::Constant);
    EXPECT_EQ(requests[0].bytes, 64);
    EXPECT_THAT(sm.answer(requests[1], 50), IsEmpty());
    EXPECT_THAT(sm.answer(requests[0], 51), ElementsAre(0));
    sm.prepare(1, access_of(In::Constant, {kA}));
    sm.serve(1, 60);
    EXPECT_EQ(sm.flights[1].lines_left, 0);
    EXPECT_EQ(sm.unit.latency(1), 4U);

    UnitRig without;
    without.prepare(0, access_of(In::Constant, {kA, kA + 64})); // one line of 128
    without.serve(0, 10);
    EXPECT_EQ(asked(without.port).at(0).requester, mem::Requester::Data);
}

exec::Access texels_of(std::vector<Address> texels) {
    exec::Access out = access_of(In::Global, {texels[0]});
    out.global = 0;
    out.texels = std::move(texels);
    return out;
}

// Each line of the texels takes a cycle; the cache is emptied at the end of each kernel.
TEST(LoadStoreUnitCaches, TexelsHaveACacheOfTheirOwnOrTheDataCache) {
    UnitRig sm({"tcache.size=1KiB", "tcache.latency=7"});
    sm.prepare(0, ir::Kind::Texture, texels_of({kA, kB, kA + 4, kC}));
    EXPECT_EQ(sm.serve(0, 10), 12U);
    const auto requests = asked(sm.port);
    ASSERT_EQ(requests.size(), 3U);
    EXPECT_EQ(requests[0].requester, mem::Requester::Texture);
    sm.answer(requests[0], 50);
    sm.answer(requests[1], 51);
    EXPECT_THAT(sm.answer(requests[2], 52), ElementsAre(0));
    sm.prepare(1, ir::Kind::Texture, texels_of({kA}));
    sm.serve(1, 60);
    EXPECT_EQ(sm.flights[1].lines_left, 0);
    EXPECT_EQ(sm.unit.latency(1), 7U);
    sm.unit.flush(70);
    sm.prepare(2, ir::Kind::Texture, texels_of({kA}));
    sm.serve(2, 80);
    EXPECT_EQ(sm.flights[2].lines_left, 1);

    UnitRig without;
    without.prepare(0, ir::Kind::Texture, texels_of({kA}));
    without.serve(0, 10);
    EXPECT_EQ(asked(without.port).at(0).requester, mem::Requester::Data);
}

// An answer for one cache does not let a line go on that waits for another.
TEST(LoadStoreUnitCaches, AnAnswerForAnotherCacheFreesNoEntry) {
    UnitRig sm({"ccache.size=1KiB", "dcache.mshrs=1"}, true);
    sm.prepare(0, access_of(In::Constant, {kA}));
    sm.prepare(1, access_of(In::Global, {kB}));
    sm.prepare(2, access_of(In::Global, {kC}));
    sm.serve(0, 10);
    sm.serve(1, 11);
    const auto requests = asked(sm.port);
    EXPECT_EQ(sm.step(2, 12), Step::Held);
    sm.answer(requests[0], 50);
    EXPECT_FALSE(sm.goes_on);
    sm.answer(requests[1], 51);
    EXPECT_TRUE(sm.goes_on);
}

// A flight's access is used again: a fence keeps nothing of the store before it.
TEST(PendingAccess, AFenceSetsAllFields) {
    warp::Flight store, fence;
    set_group(store, ir::Kind::Store, 4);
    store.group.unit = 1;
    store.group.pc = 10;
    set_group(fence, ir::Kind::Fence, 4);
    fence.group.unit = 2;
    fence.group.pc = 20;
    PendingAccess pending;
    pending.start(store, store_of(In::Global, {kA}));
    pending.per_cycle = 4;
    pending.bank_cycles = 3;
    pending.lines = pending.data_lines = 1;
    pending.into_line = pending.texels = true;
    pending.sent = 7;
    pending.level = mem::Level::Dram;
    pending.rider = 5;
    pending.start_fence(fence);
    EXPECT_TRUE(pending.fence);
    EXPECT_FALSE(pending.store || pending.atomic || pending.into_line || pending.texels || pending.uncached);
    EXPECT_EQ(pending.unit, 2);
    EXPECT_EQ(pending.pc, 20U);
    EXPECT_EQ(pending.lines + pending.data_lines + pending.bank_cycles, 0);
    EXPECT_EQ(pending.per_cycle, 1);
    EXPECT_EQ(pending.sent, kNoStore);
    EXPECT_EQ(pending.level, mem::Level::Llc);
    EXPECT_EQ(pending.rider, warp::kNoFlight);
}

} // namespace
} // namespace heddle::sm::test
