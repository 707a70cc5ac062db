// The SM's way to memory: straight to DRAM, 100 cycles away, or over a network whose buffer has so many flits of room.
// A packet has 8 bytes and its data, in flits of 32.
#include <gtest/gtest.h>

#include "core_rig.h"

namespace heddle::sm::test {
namespace {

using mem::Requester;

mem::CacheAccess load(Address address) {
    return {.address = address, .pc = 5};
}
mem::CacheAccess store(Address address) {
    return {.address = address, .pc = 6, .kind = mem::AccessKind::Store, .writes = true};
}

TEST(MemoryPort, DramKnowsAtOnceWhenItAnswers) {
    MemoryPort port(near_machine({}));
    EXPECT_EQ(port.next(), kNever);
    port.read(load(0), 128, Requester::Data, 7, 10);
    port.read(load(128), 128, Requester::Constant, 8, 10); // behind it on the bus
    ASSERT_EQ(port.next(), 10U + kMemory);
    const mem::Reply first = port.take();
    EXPECT_EQ(first.id, 7U);
    EXPECT_EQ(first.requester, Requester::Data);
    EXPECT_EQ(first.level, mem::Level::Dram);
    EXPECT_EQ(port.next(), 11U + kMemory);
    EXPECT_EQ(port.take().requester, Requester::Constant);
    EXPECT_EQ(port.next(), kNever);
    port.write_back(0, 128, Requester::None, 0, 300); // without an answer
    EXPECT_EQ(port.next(), kNever);
    EXPECT_TRUE(port.has_room());
}

TEST(MemoryPort, WhatGoesToTheNetwork) {
    MemoryPort port(machine_of({}));
    port.read(load(128), 64, Requester::Texture, 3, 10);
    port.write(store(256), 12, 32, Requester::Store, 4, 11);
    port.atomic({.address = 384, .pc = 7}, 128, 16, 3, 5, 12);
    port.write_back(512, 128, Requester::None, 0, 13);
    EXPECT_EQ(port.outstanding(), 3U);
    const auto requests = asked(port);
    ASSERT_EQ(requests.size(), 4U);
    EXPECT_EQ(requests[0].carried, 0); // a read carries no data there
    EXPECT_EQ(requests[0].bytes, 64);
    EXPECT_EQ(requests[1].bytes, 12);
    EXPECT_EQ(requests[1].carried, 32);
    EXPECT_EQ(requests[2].use(), mem::DramUse::Atomic);
    EXPECT_EQ(requests[2].bytes, 128);
    EXPECT_EQ(requests[2].carried, 16);
    EXPECT_EQ(requests[2].operations, 3);
    const std::array<Pc, 4> pcs{5, 6, 7, kNoPc}; // a write-back is of no instruction
    for (std::size_t i = 0; i < pcs.size(); ++i)
        EXPECT_EQ(requests[i].pc, pcs[i]) << i;
    port.deliver(reply_to(requests[1], 40));
    EXPECT_EQ(port.outstanding(), 2U);
    EXPECT_EQ(port.next(), 40U);
    EXPECT_EQ(port.take().id, 4U);
}

// Four flits of room. A write of a line has five: it overdraws the buffer, which then has no room. Urgent requests wait
// in the port, and leave when there is room again; the Credit for a refused request comes behind them.
TEST(MemoryPort, ABufferThatIsFull) {
    MemoryPort port(machine_of({"interconnect.input_flits=4"}));
    EXPECT_TRUE(port.has_room());
    port.write_back(0, 128, Requester::None, 0, 10);
    EXPECT_FALSE(port.has_room());
    port.write_back(128, 128, Requester::None, 0, 11); // the line is gone from its cache
    EXPECT_EQ(asked(port).size(), 1U);
    EXPECT_EQ(port.outstanding(), 2U); // the write-back, and a Credit
    port.set_room(0, 20);
    EXPECT_TRUE(asked(port).empty());
    port.set_room(3, 30);
    const auto requests = asked(port);
    ASSERT_EQ(requests.size(), 1U);
    EXPECT_EQ(requests[0].sent, 30U);
    EXPECT_EQ(port.next(), kNever); // overdrawn again
    port.set_room(1, 50);
    ASSERT_EQ(port.next(), 50U);
    EXPECT_EQ(port.take().requester, Requester::Credit);
    EXPECT_EQ(port.outstanding(), 0U);
    EXPECT_TRUE(port.has_room());
}

// Without a refusal there is no Credit.
TEST(MemoryPort, RoomThatNobodyWaitsFor) {
    MemoryPort port(machine_of({"interconnect.input_flits=1"}));
    port.read(load(0), 128, Requester::Data, 0, 10);
    port.set_room(1, 20);
    EXPECT_EQ(port.next(), kNever);
}

// Messages of a coherent cache without an answer have data only if they are dirty.
TEST(MemoryPort, MessagesOfACoherentCache) {
    MemoryPort port(machine_of({}));
    port.ask(store(128), 128, mem::Message::GetM, 3, 10);
    port.tell(256, 128, mem::Message::PutE, 11);
    port.tell(384, 128, mem::Message::PutM, 12);
    EXPECT_EQ(port.outstanding(), 1U);
    const auto requests = asked(port);
    ASSERT_EQ(requests.size(), 3U);
    EXPECT_EQ(requests[0].message, mem::Message::GetM);
    EXPECT_EQ(requests[0].use(), mem::DramUse::Read); // of the line
    EXPECT_EQ(requests[1].carried, 0);
    EXPECT_EQ(requests[2].carried, 128);
    port.deliver({.at = 20, .requester = Requester::Probe}); // not an answer to a request
    EXPECT_EQ(port.outstanding(), 1U);
}

} // namespace
} // namespace heddle::sm::test
