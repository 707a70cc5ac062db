#include <gtest/gtest.h>

#include "mem/system/look_up_queue.h"

namespace heddle::mem {
namespace {

TEST(LookUpQueue, ARequestCanBeLookedUpAfterTheLatency) {
    LookUpQueue queue({}, 10, 2);
    EXPECT_TRUE(queue.empty());
    queue.push(7, 100);
    EXPECT_EQ(queue.front().id, 7U);
    EXPECT_EQ(queue.front().at, 110U);
    EXPECT_EQ(queue.front_at(), 110U);
    queue.pop();
    EXPECT_TRUE(queue.empty());
}

TEST(LookUpQueue, LookUpsTakeATickEach) {
    LookUpQueue queue({}, 10, 2);
    queue.push(1, 100);
    queue.push(2, 100);
    queue.pop();
    queue.take_ticks(1, 110);
    EXPECT_EQ(queue.free_at(), 111U);
    EXPECT_EQ(queue.front().at, 110U);
    EXPECT_EQ(queue.front_at(), 111U);
    queue.take_ticks(4, 110); // behind the tick that is taken
    EXPECT_EQ(queue.front_at(), 115U);
    queue.pop();
    queue.push(3, 120);
    EXPECT_EQ(queue.front_at(), 130U); // no tick is taken then
}

TEST(LookUpQueue, ASlowerClockHasLongerTicks) {
    // 500 MHz beside 1000: 10 ticks are 20 cycles; ticks are in even cycles.
    LookUpQueue queue(ClockRatio(500, 1000), 10, 2);
    queue.push(1, 101);
    EXPECT_EQ(queue.front_at(), 121U);
    queue.take_ticks(1, 121); // the tick of cycle 122
    EXPECT_EQ(queue.free_at(), 124U);
    EXPECT_EQ(queue.front_at(), 124U);
}

TEST(LookUpQueue, HasPlacesBesideTheTicksOfTheLatency) {
    LookUpQueue queue({}, 3, 2);
    for (TransactionId id = 0; id < 4; ++id)
        queue.push(id, 0);
    EXPECT_TRUE(queue.has_room());
    queue.push(4, 0);
    EXPECT_FALSE(queue.has_room());
    queue.pop();
    EXPECT_TRUE(queue.has_room());
    EXPECT_EQ(queue.size(), 4U);
}

} // namespace
} // namespace heddle::mem
