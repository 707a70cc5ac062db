#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "mem/network/allocator.h"
#include "mem/network/input_buffers.h"

namespace heddle::mem {
namespace {

// Two inputs, three outputs, room for 8 flits.
class InputBuffersTest : public testing::Test {
protected:
    using Arrivals = std::vector<std::pair<unsigned, std::uint32_t>>; // input, packet

    Packet& send(unsigned input, unsigned output, std::uint32_t number, unsigned flits, Cycle now) {
        Packet& packet = pool.make(
            {.sent = now, .at = buffers.comes_at(input, now), .number = number, .flits = flits, .output = output});
        buffers.put(input, packet);
        return packet;
    }
    Arrivals collect(Cycle now) {
        Arrivals out;
        buffers.collect(now, [&](unsigned input, const Packet& packet) { out.emplace_back(input, packet.number); });
        return out;
    }

    PacketPool pool;
    InputBuffers<Ports64> buffers{2, 3, 8};
};

TEST_F(InputBuffersTest, TheFirstFlitArrivesACycleAfterItIsSent) {
    send(1, 2, 7, 4, 10);
    EXPECT_EQ(buffers.next_arrival(), 11U);
    EXPECT_EQ(collect(10), Arrivals());
    EXPECT_EQ(collect(11), (Arrivals{{1, 7}}));
    EXPECT_EQ(collect(12), Arrivals());
    EXPECT_EQ(buffers.next_arrival(), kNever);
}

TEST_F(InputBuffersTest, TheLinkCarriesOneFlitACycle) {
    send(0, 0, 1, 4, 10); // flits at 11, 12, 13, 14
    EXPECT_EQ(buffers.comes_at(0, 10), 15U);
    EXPECT_EQ(buffers.comes_at(1, 10), 11U); // another link
    send(0, 1, 2, 1, 10);
    EXPECT_EQ(collect(11), (Arrivals{{0, 1}}));
    EXPECT_EQ(buffers.next_arrival(), 15U);
    EXPECT_EQ(collect(14), Arrivals());
    EXPECT_EQ(collect(15), (Arrivals{{0, 2}}));
    EXPECT_EQ(buffers.comes_at(0, 20), 21U); // the link has been free since
}

TEST_F(InputBuffersTest, ArrivalsComeInOrderOfInputsAndThenOfTheLink) {
    send(1, 0, 1, 1, 0);
    send(0, 0, 2, 1, 0);
    send(0, 1, 3, 1, 0);
    EXPECT_EQ(collect(5), (Arrivals{{0, 2}, {0, 3}, {1, 1}}));
}

TEST_F(InputBuffersTest, APacketMayBeSentAhead) {
    send(0, 0, 1, 1, 62); // its first flit comes at 63, less than kAhead cycles after cycle 0
    EXPECT_EQ(buffers.next_arrival(), 63U);
    EXPECT_EQ(collect(62), Arrivals());
    EXPECT_EQ(collect(63), (Arrivals{{0, 1}}));
}

TEST_F(InputBuffersTest, APacketTakesRoomFromPutToPop) {
    EXPECT_TRUE(buffers.accepts(0, 8));
    send(0, 0, 1, 5, 0);
    EXPECT_EQ(buffers.used_flits(0), 5U);
    EXPECT_TRUE(buffers.accepts(0, 3));
    EXPECT_FALSE(buffers.accepts(0, 4));
    EXPECT_TRUE(buffers.accepts(1, 8));
    EXPECT_TRUE(buffers.take_freed().empty());
    collect(1);
    EXPECT_EQ(buffers.used_flits(0), 5U);
    buffers.pop(0, 0);
    EXPECT_EQ(buffers.used_flits(0), 0U);
    EXPECT_EQ(buffers.take_freed(), Ports64::bit(0));
    EXPECT_TRUE(buffers.take_freed().empty());
}

TEST_F(InputBuffersTest, APacketLongerThanTheBufferFitsAnEmptyOne) {
    EXPECT_TRUE(buffers.accepts(0, 20));
    send(0, 0, 1, 20, 0);
    EXPECT_FALSE(buffers.accepts(0, 1));
    buffers.pop(0, 0);
    EXPECT_TRUE(buffers.accepts(0, 20));
}

TEST_F(InputBuffersTest, EachOutputHasAQueue) {
    send(0, 2, 1, 1, 0); // first flits at 1, 2, 3
    send(0, 1, 2, 1, 0);
    send(0, 2, 3, 1, 0);
    EXPECT_EQ(buffers.front(0, 2).number, 1U);
    EXPECT_EQ(buffers.front(0, 1).number, 2U);
    EXPECT_EQ(buffers.pop(0, 1), kNever); // nothing behind it
    EXPECT_EQ(buffers.pop(0, 2), 3U);     // packet 3 comes at 3
    EXPECT_EQ(buffers.front(0, 2).number, 3U);
}

} // namespace
} // namespace heddle::mem
