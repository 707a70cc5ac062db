#include "slice_rig.h"

namespace heddle::mem {
namespace {

// Slice 1 of two on one channel, blocks of 256 bytes, lines of 64 bytes; the channel has half the core's clock.
class ChannelPortTest : public testing::Test {
protected:
    static LlcConfig two_slices() {
        LlcConfig config;
        config.slices = 2;
        config.interleave = 256;
        return config;
    }

    FakeChannel channel;
    ChannelPort port{1, 64, Interleave(two_slices(), 1), ClockRatio(500, 1000), {&channel}};
};

TEST_F(ChannelPortTest, RequestsNameTheirSliceAndHaveTheChannelsAddressAndClock) {
    port.push(5, 256 + 32, 16, DramUse::Atomic, 3, 101);
    ASSERT_EQ(channel.pushed.size(), 1U);
    const auto& [request, at] = channel.pushed[0];
    EXPECT_EQ(request.id, (1U << ChannelPort::kIdBits) | 5U);
    EXPECT_EQ(request.address, 3 * 256 + 32U); // blocks 0, 2 of the channel are slice 0's, 1, 3 slice 1's
    EXPECT_EQ(request.bytes, 16U);
    EXPECT_EQ(request.use, DramUse::Atomic);
    EXPECT_EQ(request.operations, 3U);
    EXPECT_FALSE(request.silent);
    EXPECT_EQ(at, 50U); // its tick 50 is in cycle 100, the next one in 102
}

TEST_F(ChannelPortTest, AFetchIsOfAWholeLine) {
    port.fetch(5, 64 + 63, 100);
    ASSERT_EQ(channel.pushed.size(), 1U);
    EXPECT_EQ(channel.pushed[0].request.address, 256 + 64U);
    EXPECT_EQ(channel.pushed[0].request.bytes, 64U);
    EXPECT_EQ(channel.pushed[0].request.use, DramUse::Read);
}

TEST_F(ChannelPortTest, EvictedLinesGoFirst) {
    channel.room = 0;
    port.evict({.dirty = false, .address = 0});
    EXPECT_FALSE(port.has_evicted()); // a clean line leaves nothing to write
    port.evict({.dirty = true, .address = 64});
    port.evict({.dirty = true, .address = 128});
    EXPECT_TRUE(port.has_evicted());
    port.write_back(100);
    EXPECT_TRUE(channel.pushed.empty());
    channel.room = 1;
    EXPECT_TRUE(port.accepts());
    EXPECT_FALSE(port.can_fetch());
    port.write_back(100);
    ASSERT_EQ(channel.pushed.size(), 1U);
    EXPECT_EQ(channel.pushed[0].request.address, 256 + 64U);
    EXPECT_EQ(channel.pushed[0].request.bytes, 64U);
    EXPECT_EQ(channel.pushed[0].request.use, DramUse::Write);
    EXPECT_TRUE(channel.pushed[0].request.silent);
    EXPECT_TRUE(port.has_evicted());
    channel.room = 2;
    port.write_back(102);
    EXPECT_FALSE(port.has_evicted());
    EXPECT_TRUE(port.can_fetch());
}

// Slice 1 of two with two channels each.
TEST(ChannelPortOfTwoChannels, BlocksTakeTurnsAndBothMustHaveRoom) {
    LlcConfig config;
    config.slices = 2;
    config.interleave = 256;
    FakeChannel first, second;
    ChannelPort port{1, 64, Interleave(config, 4), ClockRatio(), {&first, &second}};
    port.push(5, 256 + 32, 16, DramUse::Read, 1, 100); // block 1 of the slice: the first of its second channel
    port.push(6, 512, 16, DramUse::Read, 1, 100);      // block 2: the second of its first channel
    ASSERT_EQ(second.pushed.size(), 1U);
    EXPECT_EQ(second.pushed[0].request.address, 32U);
    EXPECT_EQ(second.pushed[0].request.id, (1U << ChannelPort::kIdBits) | 5U);
    ASSERT_EQ(first.pushed.size(), 1U);
    EXPECT_EQ(first.pushed[0].request.address, 256U);
    second.room = 0;
    EXPECT_FALSE(port.accepts());
    EXPECT_FALSE(port.can_fetch());
    second.room = 1;
    first.room = 0;
    EXPECT_FALSE(port.accepts());
    first.room = 1;
    EXPECT_TRUE(port.accepts());
}

} // namespace
} // namespace heddle::mem
