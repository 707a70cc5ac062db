#include <gtest/gtest.h>

#include "mem/network/allocator.h"
#include "mem/network/waiting_outputs.h"

namespace heddle::mem {
namespace {

TEST(WaitingOutputs, AnOutputWaitsUntilItHasRoomAndItsInput) {
    WaitingOutputs<Ports64> waiting;
    waiting.insert(3, 1);
    EXPECT_EQ(waiting.all(), Ports64::bit(3));
    EXPECT_TRUE(waiting.roomy().empty());
    EXPECT_EQ(waiting.input_of(3), 1U);
    waiting.set_roomy(3);
    EXPECT_EQ(waiting.all(), Ports64::bit(3));
    EXPECT_EQ(waiting.roomy(), Ports64::bit(3));
    waiting.erase(3);
    EXPECT_TRUE(waiting.all().empty());
    EXPECT_TRUE(waiting.roomy().empty());
}

TEST(WaitingOutputs, FindsAnOutputWithRoomForOneOfSomeInputs) {
    WaitingOutputs<Ports64> waiting;
    waiting.insert(3, 1);
    waiting.insert(5, 2);
    EXPECT_FALSE(waiting.any_roomy(Ports64::first(64))); // none has room
    waiting.set_roomy(5);
    EXPECT_TRUE(waiting.any_roomy(Ports64::first(64)));
    EXPECT_TRUE(waiting.any_roomy(Ports64::bit(2)));
    EXPECT_FALSE(waiting.any_roomy(Ports64::bit(1))); // output 3 has no room
}

} // namespace
} // namespace heddle::mem
