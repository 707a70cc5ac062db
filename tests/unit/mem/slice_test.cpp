#include "slice_rig.h"

namespace heddle::mem {
namespace {

// One slice with four sets of two lines of 64 bytes, look-ups after 10 cycles.
LlcConfig small() {
    LlcConfig config;
    config.size = 512;
    config.ways = 2;
    config.line = 64;
    config.latency = 10;
    return config;
}

LlcConfig without_cache() {
    LlcConfig config = small();
    config.size = 0;
    return config;
}

TEST(Slice, AHitIsAnsweredAfterTheLatency) {
    SliceRig rig(small());
    const Cycle now = rig.warm(0, 0);
    const TransactionId id = rig.read(now, 0);
    EXPECT_EQ(rig.slice.wake(), now + 10);
    EXPECT_FALSE(rig.slice.tick(now + 9));
    rig.expect_no_answer();
    EXPECT_TRUE(rig.slice.tick(now + 10)); // a place in the queue is free
    rig.expect_answer(id, now + 10);
    EXPECT_EQ(rig.slice.wake(), kNever);
    EXPECT_TRUE(rig.channel.pushed.empty());
    EXPECT_EQ(rig.slice.cache_stats()->hits, 1U);
}

TEST(Slice, AMissFetchesItsLine) {
    SliceRig rig(small());
    const TransactionId id = rig.read(100, 4 * 64 + 32, 32);
    rig.run_to(110);
    ASSERT_EQ(rig.channel.pushed.size(), 1U);
    EXPECT_EQ(rig.channel.pushed[0].at, 110U);
    EXPECT_EQ(rig.channel.pushed[0].request.address, 4 * 64U);
    EXPECT_EQ(rig.channel.pushed[0].request.bytes, 64U);
    EXPECT_EQ(rig.channel.pushed[0].request.use, DramUse::Read);
    rig.expect_no_answer();
    rig.done(0, 400);
    EXPECT_EQ(rig.transactions[id].arrived, 100U);
    EXPECT_EQ(rig.transactions[id].missed, 110U);
    EXPECT_EQ(rig.transactions[id].answered, 400U);
    EXPECT_TRUE(rig.transactions[id].from_memory);
    rig.expect_answer(id, 400);
    EXPECT_EQ(rig.transactions.open_count(), 0U);
}

TEST(Slice, LookUpsAreOneATick) {
    SliceRig rig(small());
    const Cycle now = rig.warm(0, 0);
    const TransactionId a = rig.read(now, 0);
    const TransactionId b = rig.read(now, 0);
    const TransactionId c = rig.read(now + 5, 0);
    rig.run_to(now + 100);
    rig.expect_answer(a, now + 10);
    rig.expect_answer(b, now + 11);
    rig.expect_answer(c, now + 15);
    EXPECT_EQ(rig.slice.stats().requests, 4U); // one of them brought the line
    EXPECT_EQ(rig.slice.stats().queueing, 1U);
}

// A write takes a tick, and one for each of its sectors of 32 bytes.
TEST(Slice, AWriteTakesTicksForItsSectors) {
    LlcConfig config = small();
    config.sector = 32;
    config.write_ticks = 1;
    SliceRig rig(config);
    const Cycle now = rig.warm(0, 0);
    const TransactionId line = rig.write(now, 0, 64);
    const TransactionId sector = rig.write(now, 32, 32);
    const TransactionId word = rig.write(now, 32, 4);
    const TransactionId read = rig.read(now, 0, 32);
    rig.run_to(now + 100);
    rig.expect_answer(line, now + 10);
    rig.expect_answer(sector, now + 13);
    rig.expect_answer(word, now + 15);
    rig.expect_answer(read, now + 17);
}

TEST(Slice, ASlowerClockLooksUpOnItsTicks) {
    // 500 MHz beside 1000: 10 ticks are 20 cycles, and look-ups are 2 cycles apart.
    SliceRig rig(small(), 0, {.slice = ClockRatio(500, 1000), .channel = {}});
    const Cycle now = rig.warm(0, 0);
    const TransactionId a = rig.read(now, 0);
    const TransactionId b = rig.read(now, 0);
    const TransactionId c = rig.read(now, 0);
    rig.run_to(now + 100);
    rig.expect_answer(a, now + 20);
    rig.expect_answer(b, now + 22);
    rig.expect_answer(c, now + 24);
}

TEST(Slice, AFasterClockLooksUpSeveralTimesACycle) {
    // 2000 MHz beside 1000: 10 ticks are 5 cycles, and two ticks are in each.
    SliceRig rig(small(), 0, {.slice = ClockRatio(2000, 1000), .channel = {}});
    const Cycle now = rig.warm(0, 0);
    std::vector<TransactionId> ids;
    for (unsigned i = 0; i < 5; ++i)
        ids.push_back(rig.read(now, 0));
    const TransactionId atomic = rig.atomic(now, 0, 4);
    rig.run_to(now + 100);
    for (unsigned i = 0; i < 5; ++i)
        rig.expect_answer(ids[i], now + 5 + i / 2);
    rig.expect_answer(atomic, now + 9); // looked up in the second tick of cycle 7, done 4 ticks later
}

TEST(Slice, TheChannelIsAskedByItsOwnClock) {
    // 250 MHz beside 1000: cycle 110 is in the channel's tick 27 (27.5).
    SliceRig rig(small(), 0, {.slice = {}, .channel = ClockRatio(250, 1000)});
    rig.read(100, 0);
    rig.run_to(110);
    EXPECT_EQ(rig.channel.pushed.at(0).at, 27U);
}

TEST(Slice, MergedMissesAreAnsweredTogetherInOrder) {
    SliceRig rig(small());
    const TransactionId a = rig.read(0, 0, 32);
    const TransactionId b = rig.read(0, 32, 32);
    const TransactionId c = rig.read(0, 0, 64);
    rig.run_to(50);
    EXPECT_EQ(rig.channel.pushed.size(), 1U);
    rig.done(0, 300);
    for (const TransactionId id : {a, b, c})
        rig.expect_answer(id, 300);
    EXPECT_EQ(rig.slice.cache_stats()->merges, 2U);
}

TEST(Slice, AMissWaitsForAnEntry) {
    LlcConfig config = small();
    config.mshrs = 1;
    SliceRig rig(config);
    const TransactionId a = rig.read(0, 0);
    const TransactionId b = rig.read(0, 64);
    rig.run_to(11);
    EXPECT_EQ(rig.slice.wake(), kNever); // asleep until the channel is done
    EXPECT_EQ(rig.channel.pushed.size(), 1U);
    rig.done(0, 300);
    EXPECT_EQ(rig.slice.wake(), 301U);
    rig.run_to(301);
    ASSERT_EQ(rig.channel.pushed.size(), 2U);
    EXPECT_EQ(rig.channel.pushed[1].at, 301U);
    rig.done(1, 600);
    rig.expect_answer(a, 300);
    rig.expect_answer(b, 600);
    EXPECT_EQ(rig.slice.cache_stats()->mshr_full, 1U);
    EXPECT_EQ(rig.slice.stats().stalls, 1U);
    EXPECT_EQ(rig.slice.stats().queueing, 291U); // ready at 10
}

TEST(Slice, WhoWaitsAtTheHeadHoldsBackThoseBehind) {
    LlcConfig config = small();
    config.mshrs = 1;
    SliceRig rig(config);
    const Cycle now = rig.warm(0, 0);
    rig.read(now, 64);
    rig.read(now, 128);
    const TransactionId hit = rig.read(now, 0);
    rig.run_to(now + 100);
    rig.expect_no_answer();
    rig.done(0, now + 200);
    rig.run_to(now + 300);
    rig.slice.take_answer(now + 200);
    rig.expect_answer(hit, now + 202); // the miss is looked up again at 201
}

TEST(Slice, AMissWaitsForRoomInTheChannel) {
    SliceRig rig(small());
    rig.channel.room = 0;
    const TransactionId id = rig.read(0, 0);
    rig.run_to(100);
    EXPECT_EQ(rig.slice.wake(), kNever);
    EXPECT_EQ(rig.slice.cache_stats()->port_full, 1U);
    EXPECT_EQ(rig.slice.cache_stats()->misses, 0U);
    rig.channel.room = 1;
    rig.slice.retry(500);
    EXPECT_EQ(rig.slice.wake(), 501U);
    rig.run_to(501);
    ASSERT_EQ(rig.channel.pushed.size(), 1U);
    rig.done(0, 700);
    rig.expect_answer(id, 700);
}

TEST(Slice, AHitNeedsNoRoomInTheChannel) {
    SliceRig rig(small());
    const Cycle now = rig.warm(0, 0);
    rig.channel.room = 0;
    const TransactionId read = rig.read(now, 0);
    const TransactionId write = rig.write(now, 0, 32);
    const TransactionId atomic = rig.atomic(now, 0, 1);
    rig.run_to(now + 100);
    rig.expect_answer(read, now + 10);
    rig.expect_answer(write, now + 11);
    rig.expect_answer(atomic, now + 13);
}

TEST(Slice, RetryOfASliceThatDoesNotWaitChangesNothing) {
    SliceRig rig(small());
    rig.slice.retry(5);
    EXPECT_EQ(rig.slice.wake(), kNever);
    rig.read(0, 0);
    rig.slice.retry(5);
    EXPECT_EQ(rig.slice.wake(), 10U);
}

TEST(Slice, AWriteOfAPartFetchesTheLineAndIsAnsweredAtOnce) {
    SliceRig rig(small());
    const TransactionId id = rig.write(0, 32, 32);
    rig.run_to(10);
    rig.expect_answer(id, 10);
    ASSERT_EQ(rig.channel.pushed.size(), 1U);
    EXPECT_EQ(rig.channel.pushed[0].request.use, DramUse::Read);
    EXPECT_EQ(rig.channel.pushed[0].request.bytes, 64U);
    const TransactionId read = rig.read(20, 0); // waits for the line
    rig.run_to(30);
    rig.expect_no_answer();
    rig.done(0, 300);
    rig.expect_answer(read, 300);
    rig.expect_no_answer();
}

TEST(Slice, AWriteOfAWholeLineDoesNot) {
    SliceRig rig(small());
    const TransactionId id = rig.write(0, 0);
    rig.run_to(10);
    rig.expect_answer(id, 10);
    EXPECT_TRUE(rig.channel.pushed.empty());
    const TransactionId read = rig.read(20, 32, 32);
    rig.run_to(30);
    rig.expect_answer(read, 30);
}

TEST(Slice, ADirtyLineIsWrittenBackWhenItGoes) {
    SliceRig rig(small());
    Cycle now = rig.warm(0, 0);
    const TransactionId write = rig.write(now, 0, 32);
    rig.run_to(now + 10);
    rig.expect_answer(write, now + 10);
    now = rig.warm(now + 100, 256); // the set's other line
    rig.read(now, 512);             // puts 0 out
    rig.run_to(now + 10);
    ASSERT_EQ(rig.channel.pushed.size(), 2U);
    EXPECT_EQ(rig.channel.pushed[0].request.use, DramUse::Read); // the fetch goes first
    EXPECT_EQ(rig.channel.pushed[0].request.address, 512U);
    EXPECT_EQ(rig.channel.pushed[1].request.use, DramUse::Write);
    EXPECT_EQ(rig.channel.pushed[1].request.address, 0U);
    EXPECT_EQ(rig.channel.pushed[1].request.bytes, 64U);
    EXPECT_TRUE(rig.channel.pushed[1].request.silent); // it needs no answer
    EXPECT_EQ(rig.slice.cache_stats()->write_backs, 1U);
}

// Fills set 0 with dirty lines 0 and 256 of which a miss on 512 puts 0 out, and has room for the fetch alone.
Cycle evict_without_room(SliceRig& rig) {
    for (const Address address : {Address{0}, Address{256}})
        rig.write(0, address, 64, Requester::None);
    rig.run_to(100);
    rig.channel.room = 1;
    rig.read(200, 512);
    return 210;
}

TEST(Slice, AWriteBackWaitsForRoomAndNothingIsFetchedBeforeIt) {
    SliceRig rig(small());
    const Cycle now = evict_without_room(rig);
    const TransactionId miss = rig.read(200, 64);
    rig.run_to(now + 50);
    EXPECT_EQ(rig.channel.pushed.size(), 1U);
    EXPECT_EQ(rig.slice.wake(), kNever);
    rig.channel.room = 1;
    rig.slice.retry(300);
    rig.run_to(301);
    ASSERT_EQ(rig.channel.pushed.size(), 2U);
    EXPECT_EQ(rig.channel.pushed[1].request.use, DramUse::Write);
    rig.channel.room = 1;
    rig.slice.retry(310);
    rig.run_to(311);
    ASSERT_EQ(rig.channel.pushed.size(), 3U);
    rig.done(2, 400);
    rig.expect_answer(miss, 400);
}

TEST(Slice, HitsPassAWriteBackThatWaits) {
    SliceRig rig(small());
    const Cycle now = evict_without_room(rig);
    const TransactionId hit = rig.read(200, 256);
    rig.run_to(now + 50);
    rig.expect_answer(hit, now + 1);
}

TEST(Slice, AWriteBackThatWaitsIsWokenWithNothingElseToDo) {
    for (const char* allocate : {"miss", "fill"}) {
        LlcConfig config = small();
        config.allocate = allocate;
        config.mshrs = 4;
        SliceRig rig(config);
        evict_without_room(rig);
        rig.run_to(250);
        rig.done(0, 400); // where lines take their way when they come, the victim goes now
        rig.run_to(450);
        EXPECT_EQ(rig.channel.pushed.size(), 1U) << allocate;
        rig.channel.room = 1;
        rig.slice.retry(500);
        EXPECT_EQ(rig.slice.wake(), 501U) << allocate;
        rig.run_to(501);
        ASSERT_EQ(rig.channel.pushed.size(), 2U) << allocate;
        EXPECT_EQ(rig.channel.pushed[1].request.use, DramUse::Write);
        EXPECT_EQ(rig.channel.pushed[1].request.address, 0U);
    }
}

TEST(Slice, AnAtomicKeepsTheSliceBusyForItsOperations) {
    SliceRig rig(small());
    const Cycle now = rig.warm(0, 0);
    const TransactionId atomic = rig.atomic(now, 0, 5);
    const TransactionId read = rig.read(now, 0);
    rig.run_to(now + 100);
    rig.expect_answer(atomic, now + 15);
    rig.expect_answer(read, now + 16); // its own tick and 5 for the operations
    EXPECT_EQ(rig.slice.stats().atomic_operations, 5U);
}

TEST(Slice, AtomicsThatWaitForALineGoOneAfterAnother) {
    SliceRig rig(small());
    const TransactionId a = rig.atomic(0, 0, 3);
    const TransactionId read = rig.read(0, 0);
    const TransactionId b = rig.atomic(0, 32, 2);
    rig.run_to(50);
    EXPECT_EQ(rig.channel.pushed.size(), 1U);
    rig.done(0, 300);
    rig.expect_answer(read, 300);
    rig.expect_answer(a, 303);
    rig.expect_answer(b, 305);
    EXPECT_EQ(rig.slice.stats().atomic_operations, 5U);
}

TEST(Slice, AnAtomicMakesItsLineDirty) {
    SliceRig rig(small());
    const Cycle now = rig.warm(0, 0);
    rig.atomic(now, 0, 1);
    rig.run_to(now + 100);
    const Cycle later = rig.warm(now + 100, 256);
    rig.read(later, 512);
    rig.run_to(later + 100);
    EXPECT_EQ(rig.channel.pushed.size(), 2U);
}

TEST(Slice, AnswersAreBoundedByTheQueue) {
    LlcConfig config = small();
    config.queue = 2;
    SliceRig rig(config);
    const Cycle now = rig.warm(0, 0);
    const TransactionId a = rig.read(now, 0);
    const TransactionId b = rig.read(now, 0);
    rig.run_to(now + 11);
    const TransactionId c = rig.read(now + 11, 0);
    rig.run_to(now + 100); // ready at 21, two answers have not left
    EXPECT_EQ(rig.slice.wake(), kNever);
    EXPECT_EQ(rig.slice.stats().stalls, 1U);
    rig.slice.take_answer(now + 150);
    rig.transactions.close(a);
    EXPECT_EQ(rig.slice.wake(), now + 151);
    rig.run_to(now + 200);
    rig.expect_answer(b, now + 11);
    rig.expect_answer(c, now + 151);
}

TEST(Slice, AWriteForNobodyIsNotAnswered) {
    for (const LlcConfig& config : {small(), without_cache()}) {
        SliceRig rig(config);
        rig.write(0, 0, 64, Requester::None);
        rig.run_to(10);
        if (config.size == 0) {
            EXPECT_EQ(rig.transactions.open_count(), 1U); // until memory has it
            rig.done(0, 100);
        }
        rig.expect_no_answer();
        EXPECT_EQ(rig.transactions.open_count(), 0U);
    }
}

TEST(Slice, WithoutACacheRequestsPassAsTheyAre) {
    SliceRig rig(without_cache(), 0);
    const TransactionId read = rig.read(0, 32, 32);
    const TransactionId write = rig.write(0, 64, 16);
    const TransactionId atomic = rig.atomic(0, 128, 7);
    rig.run_to(20);
    ASSERT_EQ(rig.channel.pushed.size(), 3U);
    const DramUse uses[] = {DramUse::Read, DramUse::Write, DramUse::Atomic};
    const Address addresses[] = {32, 64, 128};
    const unsigned bytes[] = {32, 16, 64};
    for (unsigned i = 0; i < 3; ++i) {
        EXPECT_EQ(rig.channel.pushed[i].at, 10U + i);
        EXPECT_EQ(rig.channel.pushed[i].request.use, uses[i]);
        EXPECT_EQ(rig.channel.pushed[i].request.address, addresses[i]);
        EXPECT_EQ(rig.channel.pushed[i].request.bytes, bytes[i]);
        EXPECT_EQ(rig.channel.pushed[i].request.operations, i == 2 ? 7U : 1U);
    }
    rig.done(2, 100);
    rig.done(0, 200);
    rig.done(1, 300);
    rig.expect_answer(atomic, 100);
    rig.expect_answer(read, 200);
    rig.expect_answer(write, 300);
    EXPECT_EQ(rig.slice.cache_stats(), nullptr);
}

TEST(Slice, WithoutACacheRequestsWaitForRoomInTheChannel) {
    SliceRig rig(without_cache());
    rig.channel.room = 1;
    rig.write(0, 0);
    rig.write(0, 64);
    rig.run_to(100);
    EXPECT_EQ(rig.channel.pushed.size(), 1U);
    EXPECT_EQ(rig.slice.wake(), kNever);
    rig.channel.room = 1;
    rig.done(0, 300);
    rig.run_to(301);
    ASSERT_EQ(rig.channel.pushed.size(), 2U);
    EXPECT_EQ(rig.channel.pushed[1].at, 301U);
}

TEST(Slice, AFullQueueHasNoRoom) {
    LlcConfig config = small();
    config.queue = 3;
    SliceRig rig(config);
    for (unsigned i = 0; i < 13; ++i) { // 3 in the queue, 10 in the ticks that lead to it
        EXPECT_TRUE(rig.slice.has_room());
        rig.read(0, 0);
    }
    EXPECT_FALSE(rig.slice.has_room());
    rig.run_to(9);
    EXPECT_FALSE(rig.slice.has_room());
    rig.run_to(10);
    EXPECT_TRUE(rig.slice.has_room());
}

} // namespace
} // namespace heddle::mem
