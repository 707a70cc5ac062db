#include <gtest/gtest.h>

#include "base/source.h"
#include "mem/network/crossbar.h"

namespace heddle::mem {
namespace {

// 4 x 4, speed-up 1, latency 1, unless a test says otherwise. A packet of f flits alone: the first flit is in the
// buffer 1 cycle after send(), is granted at once, is at the output 1 cycle later, and f cycles on the last one has
// left.
class CrossbarTest : public testing::Test {
protected:
    CrossbarShape shape{.inputs = 4, .outputs = 4};

    template <class PortMask>
    static void tick(Crossbar<PortMask>& crossbar, Cycle from, Cycle to) {
        for (Cycle now = from; now <= to; ++now)
            crossbar.tick(now);
    }
    // That the next packet of an output is `packet`, deliverable from `at` on and not before.
    template <class PortMask>
    static void expect_next(const Crossbar<PortMask>& crossbar, unsigned output, std::uint32_t packet, Cycle at) {
        EXPECT_FALSE(crossbar.ready(output, at - 1));
        ASSERT_TRUE(crossbar.ready(output, at));
        EXPECT_EQ(crossbar.front(output), packet);
    }
};

TEST_F(CrossbarTest, OneFlitAloneTakesBothLinksAndTheLatency) {
    Crossbar crossbar(shape);
    crossbar.send(2, 3, 77, 1, 10);
    EXPECT_EQ(crossbar.wake, 11U);
    crossbar.tick(11);
    EXPECT_EQ(crossbar.wake, kNever);
    EXPECT_EQ(crossbar.next_ready(), 13U); // 10 + 1 + 1 + 1
    expect_next(crossbar, 3, 77, 13);
    EXPECT_TRUE(crossbar.ready_outputs(12).empty());
    EXPECT_EQ(crossbar.ready_outputs(13), Ports64::bit(3));
    EXPECT_EQ(crossbar.take(3, 13), 77U);
    EXPECT_TRUE(crossbar.ready_outputs(14).empty());
    EXPECT_EQ(crossbar.next_ready(), kNever);
}

TEST_F(CrossbarTest, WhatIsSentAheadComesInItsTime) {
    Crossbar crossbar(shape);
    EXPECT_EQ(crossbar.comes_at(0, 40), 41U);
    EXPECT_EQ(crossbar.send(0, 0, 1, 1, 40), 41U);
    EXPECT_EQ(crossbar.send(1, 0, 2, 1, 0), 1U);
    EXPECT_EQ(crossbar.used_flits(0), 1U);
    EXPECT_EQ(crossbar.wake, 1U);
    crossbar.tick(1);
    expect_next(crossbar, 0, 2, 3);
    EXPECT_EQ(crossbar.take(0, 3), 2U);
    EXPECT_EQ(crossbar.wake, 41U);
    crossbar.tick(41);
    expect_next(crossbar, 0, 1, 43);
}

TEST_F(CrossbarTest, FourFlitsCutThrough) {
    Crossbar crossbar(shape);
    crossbar.send(0, 0, 1, 4, 0);
    tick(crossbar, 0, 1);
    expect_next(crossbar, 0, 1, 6); // 1 + 1 + 4
}

TEST_F(CrossbarTest, LatencyDelaysOnlyOnce) {
    shape.latency = 10;
    Crossbar crossbar(shape);
    crossbar.send(0, 0, 1, 4, 0);
    crossbar.send(1, 0, 2, 4, 0);
    tick(crossbar, 0, 5);
    expect_next(crossbar, 0, 1, 15); // 1 + 10 + 4
    crossbar.take(0, 15);
    expect_next(crossbar, 0, 2, 19); // 4 flits behind on the link
}

TEST_F(CrossbarTest, InputLinkCarriesOneFlitACycle) {
    Crossbar crossbar(shape);
    crossbar.send(0, 0, 1, 4, 0);
    crossbar.send(0, 1, 2, 1, 0); // its flit follows the first packet's, in at 5; the input is free then
    EXPECT_EQ(crossbar.wake, 1U);
    crossbar.tick(1);
    EXPECT_EQ(crossbar.wake, 5U);
    crossbar.tick(5);
    expect_next(crossbar, 0, 1, 6);
    expect_next(crossbar, 1, 2, 7); // 5 + 1 + 1
}

TEST_F(CrossbarTest, OutputTakesOnePacketAtATime) {
    Crossbar crossbar(shape);
    crossbar.send(0, 0, 1, 4, 0);
    crossbar.send(1, 0, 2, 4, 0);
    crossbar.tick(1);             // input 0 goes first: iSLIP's pointers begin there
    EXPECT_EQ(crossbar.wake, 5U); // when the output is free: nothing to do before
    crossbar.tick(5);
    expect_next(crossbar, 0, 1, 6);
    crossbar.take(0, 6);
    expect_next(crossbar, 0, 2, 10); // granted at 5, there at 6
}

TEST_F(CrossbarTest, TheFirstPacketOfAFifoBlocksTheOthers) {
    // Output 0 has a packet of input 0 until 5. Packet 3 goes to a free output, behind packet 2.
    const auto send = [](Crossbar<>& crossbar) {
        crossbar.send(0, 0, 1, 4, 0);
        crossbar.send(1, 0, 2, 1, 0);
        crossbar.send(1, 1, 3, 1, 0);
        tick(crossbar, 1, 6);
    };
    Crossbar virtual_outputs(shape);
    send(virtual_outputs);
    expect_next(virtual_outputs, 1, 3, 4); // in at 2, granted at once
    shape.fifo = true;
    Crossbar fifo(shape);
    send(fifo);
    expect_next(fifo, 1, 3, 8); // behind packet 2, which is granted at 5
    EXPECT_EQ(fifo.wake, kNever);
}

TEST_F(CrossbarTest, SetupHoldsThePortsBeforeTheFirstFlit) {
    shape.setup = 1;
    Crossbar crossbar(shape);
    crossbar.send(0, 0, 1, 1, 0);
    crossbar.send(1, 0, 2, 1, 0);
    tick(crossbar, 1, 3);
    expect_next(crossbar, 0, 1, 4); // granted at 1, through the switch from 2 on
    crossbar.take(0, 4);
    expect_next(crossbar, 0, 2, 6); // granted at 3
}

TEST_F(CrossbarTest, SetupTakesSlotsOfAFastSwitch) {
    shape.setup = 1;
    shape.speedup = 2;
    Crossbar crossbar(shape);
    crossbar.send(0, 0, 1, 1, 0);
    crossbar.send(1, 0, 2, 1, 0);
    tick(crossbar, 1, 2);
    expect_next(crossbar, 0, 1, 3); // slots 2 and 3 are cycle 1
    crossbar.take(0, 3);
    expect_next(crossbar, 0, 2, 4);
}

TEST_F(CrossbarTest, InputSendsOnePacketAtATime) {
    // Input 1's packets 2 and 3 wait for output 0, taken by packet 1 in cycle 1; in cycle 2 only one of them goes.
    Crossbar crossbar(shape);
    crossbar.send(0, 0, 1, 1, 0);
    crossbar.send(1, 0, 2, 1, 0);
    crossbar.send(1, 1, 3, 1, 0);
    tick(crossbar, 1, 3);
    expect_next(crossbar, 0, 1, 3);
    crossbar.take(0, 3);
    expect_next(crossbar, 0, 2, 4);
    expect_next(crossbar, 1, 3, 5); // granted in cycle 3
}

TEST_F(CrossbarTest, SpeedupTwoGrantsTwiceACycle) {
    // As before, but packets 1 and 2 go in the two slots of cycle 1, so that 3 goes in cycle 2, when it comes.
    shape.speedup = 2;
    Crossbar crossbar(shape);
    crossbar.send(0, 0, 1, 1, 0);
    crossbar.send(1, 0, 2, 1, 0);
    crossbar.send(1, 1, 3, 1, 0);
    tick(crossbar, 1, 2);
    expect_next(crossbar, 0, 1, 3);
    crossbar.take(0, 3);
    expect_next(crossbar, 0, 2, 4); // both are there at 2; the link takes one a cycle
    expect_next(crossbar, 1, 3, 4);
}

TEST_F(CrossbarTest, SpeedupTwoMovesTwoFlitsACycleOnceTheyAreThere) {
    // Packet 1's last flit comes at 4 and goes in slot 8, so packet 2, complete by then, has slots 9 to 12. Slot 13
    // lies in cycle 6: packet 3 is at the output at 7. At speed-up 1: slots 1 to 4, 5 to 8, 9; at the output at 10.
    for (const unsigned speedup : {1U, 2U}) {
        shape.speedup = speedup;
        Crossbar crossbar(shape);
        crossbar.send(0, 0, 1, 4, 0);
        crossbar.send(1, 0, 2, 4, 0);
        crossbar.send(1, 1, 3, 1, 0);
        tick(crossbar, 1, 9);
        expect_next(crossbar, 0, 1, 6); // faster than its input link it cannot be
        crossbar.take(0, 6);
        expect_next(crossbar, 0, 2, 10);
        expect_next(crossbar, 1, 3, speedup == 1 ? 11 : 8);
    }
}

TEST_F(CrossbarTest, FullOutputBufferHoldsPacketsBack) {
    shape.output_flits = 2;
    Crossbar crossbar(shape);
    for (std::uint32_t packet = 0; packet < 3; ++packet)
        crossbar.send(0, 0, packet, 1, 0); // in at 1, 2, 3
    tick(crossbar, 1, 3);
    EXPECT_EQ(crossbar.stats().packets, 2U);
    EXPECT_EQ(crossbar.stats().refused, 1U);
    EXPECT_EQ(crossbar.wake, kNever); // only take() helps
    EXPECT_EQ(crossbar.take(0, 10), 0U);
    EXPECT_EQ(crossbar.wake, 10U);
    crossbar.tick(10);
    EXPECT_EQ(crossbar.take(0, 10), 1U);
    expect_next(crossbar, 0, 2, 12); // granted at 10
    EXPECT_EQ(crossbar.wake, kNever);
}

TEST_F(CrossbarTest, RoomMadeAfterTheTickCountsFromTheNextCycle) {
    shape.output_flits = 1;
    Crossbar crossbar(shape);
    crossbar.send(0, 0, 0, 1, 0);
    crossbar.send(0, 0, 1, 1, 0);
    tick(crossbar, 1, 5);
    crossbar.take(0, 5);
    EXPECT_EQ(crossbar.wake, 6U);
}

TEST_F(CrossbarTest, ShortPacketsDoNotKeepALongOneOut) {
    shape.output_flits = 4;
    Crossbar crossbar(shape);
    crossbar.send(0, 0, 1, 1, 0);
    crossbar.tick(1); // room for 3 more
    crossbar.send(1, 0, 2, 4, 1);
    crossbar.tick(2); // packet 2 finds no room
    crossbar.send(2, 0, 3, 1, 2);
    crossbar.send(1, 1, 4, 1, 2); // behind packet 2 on the link: in at 6, and free to go elsewhere
    tick(crossbar, 3, 9);
    EXPECT_EQ(crossbar.stats().refused, 1U);
    expect_next(crossbar, 1, 4, 8);
    EXPECT_EQ(crossbar.take(0, 10), 1U);
    tick(crossbar, 10, 20);
    expect_next(crossbar, 0, 2, 15); // granted at 10, there at 11
    EXPECT_EQ(crossbar.take(0, 20), 2U);
    EXPECT_FALSE(crossbar.ready(0, 1000));
    tick(crossbar, 21, 21);
    expect_next(crossbar, 0, 3, 23);
}

TEST_F(CrossbarTest, ALongPacketWaitsForAllItsRoom) {
    shape.output_flits = 4;
    Crossbar crossbar(shape);
    crossbar.send(0, 0, 1, 1, 0);
    crossbar.send(0, 0, 2, 1, 0);
    crossbar.send(1, 0, 3, 3, 5);
    tick(crossbar, 1, 9); // 1 and 2 leave room for 2 flits
    EXPECT_EQ(crossbar.stats().refused, 1U);
    crossbar.take(0, 10);
    EXPECT_EQ(crossbar.wake, 10U); // 3 + 1 flits fit

    Crossbar fuller(shape);
    fuller.send(0, 0, 1, 1, 0);
    fuller.send(0, 0, 2, 1, 0);
    fuller.send(1, 0, 3, 4, 5);
    tick(fuller, 1, 9);
    fuller.take(0, 10);
    EXPECT_EQ(fuller.wake, kNever); // 4 + 1 do not
    fuller.take(0, 10);
    EXPECT_EQ(fuller.wake, 10U);
}

TEST_F(CrossbarTest, AnInputServesOneWaitingOutputAtATime) {
    shape.output_flits = 1;
    for (const char* allocator : {"islip", "ideal"}) { // ideal inputs serve all
        shape.allocator = allocator;
        Crossbar crossbar(shape);
        crossbar.send(0, 0, 1, 1, 0);
        crossbar.send(0, 1, 2, 1, 0);
        crossbar.send(1, 0, 3, 1, 5);
        crossbar.send(1, 1, 4, 1, 5);
        tick(crossbar, 1, 9); // outputs 0 and 1 are full and both wait for input 1
        EXPECT_EQ(crossbar.stats().refused, 2U);
        crossbar.take(0, 10);
        crossbar.take(1, 10);
        crossbar.tick(10);
        EXPECT_EQ(crossbar.wake, shape.allocator == "ideal" ? kNever : 11);
        crossbar.tick(11);
        expect_next(crossbar, 0, 3, 12);
        expect_next(crossbar, 1, 4, shape.allocator == "ideal" ? 12 : 13);
    }
}

TEST_F(CrossbarTest, APacketLongerThanTheBuffersPassesAlone) {
    shape.input_flits = 4;
    shape.output_flits = 4;
    Crossbar crossbar(shape);
    EXPECT_TRUE(crossbar.accepts(0, 9));
    crossbar.send(0, 0, 1, 9, 0);
    EXPECT_FALSE(crossbar.accepts(0, 1));
    crossbar.tick(1);
    expect_next(crossbar, 0, 1, 11); // 1 + 1 + 9
    crossbar.send(1, 0, 2, 9, 1);
    tick(crossbar, 2, 20);
    crossbar.take(0, 21);
    tick(crossbar, 21, 21);
    expect_next(crossbar, 0, 2, 31); // 21 + 1 + 9
}

TEST_F(CrossbarTest, RoomAtTheInputReturnsWithTheGrant) {
    shape.input_flits = 4;
    Crossbar crossbar(shape);
    crossbar.send(0, 0, 1, 3, 0);
    EXPECT_TRUE(crossbar.accepts(0, 1));
    EXPECT_FALSE(crossbar.accepts(0, 2));
    EXPECT_TRUE(crossbar.accepts(1, 4)); // a buffer is its own input's
    EXPECT_TRUE(crossbar.take_freed_inputs().empty());
    crossbar.tick(0);
    EXPECT_FALSE(crossbar.accepts(0, 2));
    crossbar.tick(1);
    EXPECT_TRUE(crossbar.accepts(0, 4));
    EXPECT_EQ(crossbar.take_freed_inputs(), Ports64::bit(0));
    EXPECT_TRUE(crossbar.take_freed_inputs().empty());
}

TEST_F(CrossbarTest, TheLastOfAllPortsWorks) {
    const auto check = [&]<class PortMask>() {
        constexpr unsigned kLast = PortMask::kSize - 1;
        shape.inputs = PortMask::kSize;
        shape.outputs = PortMask::kSize;
        for (const std::string& name : crossbar_allocators().names()) {
            shape.allocator = name;
            Crossbar<PortMask> crossbar(shape);
            crossbar.send(kLast, kLast, 1, 1, 0);
            crossbar.send(kLast - 1, kLast, 2, 1, 3);
            tick(crossbar, 0, 4);
            expect_next(crossbar, kLast, 1, 3);
            EXPECT_EQ(crossbar.ready_outputs(3), PortMask::bit(kLast));
            crossbar.take(kLast, 3);
            expect_next(crossbar, kLast, 2, 6);
        }
    };
    check.operator()<Ports64>();
    check.operator()<Ports256>();
    check.operator()<Ports1024>();
}

TEST_F(CrossbarTest, IdealInputsSendToAllOutputsAtOnce) {
    // The traffic of InputSendsOnePacketAtATime: packet 3 does not wait for packet 2 of the same input.
    shape.allocator = "ideal";
    Crossbar crossbar(shape);
    crossbar.send(0, 0, 1, 1, 0);
    crossbar.send(1, 0, 2, 1, 0);
    crossbar.send(1, 1, 3, 1, 0);
    tick(crossbar, 1, 3);
    expect_next(crossbar, 0, 1, 3);
    crossbar.take(0, 3);
    expect_next(crossbar, 0, 2, 4);
    expect_next(crossbar, 1, 3, 4); // granted in cycle 2, when it comes
}

TEST_F(CrossbarTest, IdealOutputsServeInOrderOfArrival) {
    shape.allocator = "ideal";
    Crossbar crossbar(shape);
    crossbar.send(3, 0, 1, 8, 0); // takes the output from 1 to 8
    crossbar.send(2, 0, 2, 1, 1);
    crossbar.send(1, 0, 3, 1, 2);
    crossbar.send(0, 0, 4, 1, 2);
    crossbar.send(2, 0, 5, 1, 3);
    tick(crossbar, 1, 20);
    for (const std::uint32_t packet : {1U, 2U, 4U, 3U, 5U}) // 3 and 4 came together: the lower input first
        EXPECT_EQ(crossbar.take(0, 100), packet);
}

TEST_F(CrossbarTest, StatisticsOfTwoPackets) {
    Crossbar crossbar(shape);
    crossbar.send(0, 0, 1, 1, 0); // granted at 1, delivered at 3: bucket 1, latencies 2 to 3
    crossbar.send(1, 0, 2, 4, 0); // granted at 2, delivered at 7: bucket 2, latencies 4 to 7
    tick(crossbar, 1, 2);
    const CrossbarStats& stats = crossbar.stats();
    EXPECT_EQ(stats.packets, 2U);
    EXPECT_EQ(stats.flits, 5U);
    EXPECT_EQ(stats.queueing, 3U);
    EXPECT_EQ(stats.latency, 10U);
    EXPECT_EQ(stats.latencies[1], 1U);
    EXPECT_EQ(stats.latencies[2], 1U);
}

TEST_F(CrossbarTest, AnUnknownAllocatorIsRefused) {
    shape.allocator = "islap";
    EXPECT_THROW(Crossbar<>{shape}, UserError);
}

} // namespace
} // namespace heddle::mem
