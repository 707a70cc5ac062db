#include <gtest/gtest.h>

#include "mem/network/allocator.h"
#include "mem/network/output_buffers.h"

namespace heddle::mem {
namespace {

// Room for 8 flits, 3 cycles through the switch.
class OutputBuffersTest : public testing::Test {
protected:
    Cycle put(unsigned output, std::uint32_t number, unsigned flits, Cycle now) {
        return buffers.put(output, pool.make({.number = number, .flits = flits, .output = output}), now);
    }
    // That the output delivers a packet from cycle `at` on and not before; takes it.
    void expect_take(unsigned output, std::uint32_t number, Cycle at) {
        EXPECT_FALSE(buffers.ready(output, at - 1));
        ASSERT_TRUE(buffers.ready(output, at));
        EXPECT_EQ(buffers.front(output).number, number);
        EXPECT_EQ(buffers.take(output, at).number, number);
    }

    PacketPool pool;
    OutputBuffers<Ports64> buffers{8, 3};
};

TEST_F(OutputBuffersTest, APacketTakesTheLatencyAndItsFlits) {
    EXPECT_FALSE(buffers.ready(2, 1000));
    EXPECT_EQ(put(2, 7, 4, 10), 17U); // 10 + 3 + 4
    EXPECT_EQ(buffers.next_ready(), 17U);
    EXPECT_TRUE(buffers.ready_outputs(16).empty());
    EXPECT_EQ(buffers.ready_outputs(17), Ports64::bit(2));
    EXPECT_EQ(buffers.next_ready(), kNever); // of outputs that are not ready
    EXPECT_EQ(buffers.ready_outputs(18), Ports64::bit(2));
    expect_take(2, 7, 17);
    EXPECT_TRUE(buffers.ready_outputs(18).empty());
}

TEST_F(OutputBuffersTest, TheLinkCarriesOneFlitACycle) {
    EXPECT_EQ(put(0, 1, 4, 10), 17U);
    EXPECT_EQ(put(0, 2, 2, 11), 19U); // two flits behind packet 1
    EXPECT_EQ(put(1, 3, 2, 11), 16U); // another link
    EXPECT_EQ(put(0, 4, 1, 30), 34U); // the link has been free since
    expect_take(1, 3, 16);
    expect_take(0, 1, 17);
    EXPECT_EQ(buffers.ready_outputs(17), Ports64());
    EXPECT_EQ(buffers.next_ready(), 19U);
    EXPECT_EQ(buffers.ready_outputs(19), Ports64::bit(0));
    expect_take(0, 2, 19);
    expect_take(0, 4, 34);
}

TEST_F(OutputBuffersTest, AnOutputStaysReadyWhileThePacketBehindIsDue) {
    put(0, 1, 1, 10); // 14
    put(0, 2, 1, 10); // 15
    EXPECT_EQ(buffers.ready_outputs(15), Ports64::bit(0));
    buffers.take(0, 15);
    EXPECT_EQ(buffers.ready_outputs(15), Ports64::bit(0));
    buffers.take(0, 15);
    EXPECT_EQ(buffers.ready_outputs(15), Ports64());
}

TEST_F(OutputBuffersTest, APacketTakesRoomFromPutToTake) {
    EXPECT_TRUE(buffers.has_room(0, 8));
    const Cycle done = put(0, 1, 5, 0);
    EXPECT_TRUE(buffers.has_room(0, 3));
    EXPECT_FALSE(buffers.has_room(0, 4));
    EXPECT_TRUE(buffers.has_room(1, 8));
    buffers.take(0, done);
    EXPECT_TRUE(buffers.has_room(0, 8));
}

TEST_F(OutputBuffersTest, APacketLongerThanTheBufferFitsAnEmptyOne) {
    EXPECT_TRUE(buffers.has_room(0, 20));
    put(0, 1, 20, 0);
    EXPECT_FALSE(buffers.has_room(0, 1));
}

TEST_F(OutputBuffersTest, DeliveriesBeyondTheSpanOfTheWheel) {
    put(0, 1, 200, 0); // 203
    EXPECT_TRUE(buffers.ready_outputs(100).empty());
    EXPECT_TRUE(buffers.ready_outputs(202).empty());
    EXPECT_EQ(buffers.ready_outputs(203), Ports64::bit(0));
}

} // namespace
} // namespace heddle::mem
