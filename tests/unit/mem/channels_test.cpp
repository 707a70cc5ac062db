#include <vector>

#include <gtest/gtest.h>

#include "mem/network/allocator.h"
#include "mem/system/channels.h"

namespace heddle::mem {
namespace {

// A channel that accepts when the test says so.
class RoomChannel final : public DramChannel {
public:
    [[nodiscard]] bool accepts() const override {
        return room;
    }
    void push(const DramRequest& /*request*/, Cycle /*now*/) override {}
    void catch_up(Cycle now) override {
        caught_up.push_back(now);
        wake = kNever;
    }
    [[nodiscard]] DramStats& stats() override {
        return stats_;
    }

    bool room = true;
    std::vector<Cycle> caught_up;

private:
    DramStats stats_;
};

// Two channels: slices 0 to 2, and slice 3.
class ChannelsTest : public testing::Test {
protected:
    ChannelsTest() {
        for (RoomChannel** channel : {&first, &second}) {
            auto owned = std::make_unique<RoomChannel>();
            *channel = owned.get();
            channels.add(std::move(owned));
        }
        for (const unsigned slice : {0U, 1U, 2U})
            channels.add_slice(0, slice);
        channels.add_slice(1, 3);
    }
    std::vector<unsigned> order(Ports64 slices) {
        std::vector<unsigned> out;
        channels.in_turn(0, slices, [&](unsigned slice) { out.push_back(slice); });
        return out;
    }

    RoomChannel* first = nullptr;
    RoomChannel* second = nullptr;
    Channels<Ports64> channels;
};

TEST_F(ChannelsTest, EachChannelHasItsSlices) {
    EXPECT_EQ(channels.size(), 2U);
    EXPECT_EQ(channels.slices(0), Ports64::first(3));
    EXPECT_EQ(channels.slices(1), Ports64::bit(3));
    EXPECT_EQ(&channels[1], second);
}

TEST_F(ChannelsTest, AChannelCatchesUpFromItsWakeOn) {
    first->wake = 10;
    EXPECT_FALSE(channels.catch_up(0, 9));
    EXPECT_TRUE(first->caught_up.empty());
    EXPECT_FALSE(channels.catch_up(0, 10));
    EXPECT_EQ(first->caught_up, std::vector<Cycle>{10});
    EXPECT_TRUE(second->caught_up.empty());
}

TEST_F(ChannelsTest, SlicesThatWaitLearnOfRoomOnce) {
    EXPECT_FALSE(channels.await_room(0)); // there is room
    first->room = false;
    EXPECT_TRUE(channels.await_room(0));
    EXPECT_FALSE(channels.await_room(0)); // another slice waits already
    EXPECT_FALSE(channels.catch_up(0, 5));
    first->room = true;
    EXPECT_TRUE(channels.catch_up(0, 6));
    EXPECT_FALSE(channels.catch_up(0, 7));
}

TEST_F(ChannelsTest, TheNextCycleIsOfACompletionOrOfRoomThatSlicesWaitFor) {
    EXPECT_EQ(channels.next(0), kNever);
    first->wake = 10;
    first->lookahead = 5;
    EXPECT_EQ(channels.next(0), 15U); // what it does at 10 is done at 15
    first->done.push({.at = 13, .id = 1, .use = DramUse::Read});
    EXPECT_EQ(channels.next(0), 13U);
    first->room = false;
    channels.await_room(0);
    EXPECT_EQ(channels.next(0), 10U);
}

TEST_F(ChannelsTest, TheSlicesBehindTheLastOneServedGoFirst) {
    EXPECT_EQ(order(Ports64::first(3)), (std::vector<unsigned>{0, 1, 2}));
    channels.served(0, 0);
    EXPECT_EQ(order(Ports64::first(3)), (std::vector<unsigned>{1, 2, 0}));
    EXPECT_EQ(order(Ports64::bit(0)), std::vector<unsigned>{0});
    channels.served(0, 1);
    EXPECT_EQ(order(Ports64::first(3)), (std::vector<unsigned>{2, 0, 1}));
    channels.served(0, 2);
    EXPECT_EQ(order(Ports64::first(3)), (std::vector<unsigned>{0, 1, 2}));
}

TEST_F(ChannelsTest, WhatIsServedMeanwhileCountsFromTheNextTime) {
    std::vector<unsigned> out;
    channels.in_turn(0, Ports64::first(3), [&](unsigned slice) {
        out.push_back(slice);
        channels.served(0, slice);
    });
    EXPECT_EQ(out, (std::vector<unsigned>{0, 1, 2}));
}

} // namespace
} // namespace heddle::mem
