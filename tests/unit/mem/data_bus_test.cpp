#include <gtest/gtest.h>

#include "mem/dram/data_bus.h"

namespace heddle::mem {
namespace {

TEST(DataBus, TransfersFillTheGapsBetweenBookings) {
    DataBus bus(DataBus::Order::Ready);
    EXPECT_EQ(bus.book(100, 4, 0), 100U); // 100 to 104
    EXPECT_EQ(bus.book(110, 4, 0), 110U); // 110 to 114
    EXPECT_EQ(bus.book(50, 4, 0), 50U);
    EXPECT_EQ(bus.book(98, 6, 0), 104U); // fills the gap from 104 to 110
    EXPECT_EQ(bus.book(98, 2, 0), 98U);  // fits before 100
    EXPECT_EQ(bus.book(98, 1, 0), 114U); // taken from 98 to 114
}

TEST(DataBus, ATransferThatFitsNoGapGoesBehind) {
    DataBus bus(DataBus::Order::Ready);
    EXPECT_EQ(bus.book(10, 4, 0), 10U);
    EXPECT_EQ(bus.book(17, 4, 0), 17U);
    EXPECT_EQ(bus.book(12, 4, 0), 21U); // 14 to 17 has 3 cycles
    EXPECT_EQ(bus.book(12, 3, 0), 14U);
}

TEST(DataBus, InOrderOfArrivalGapsStayFree) {
    DataBus bus(DataBus::Order::Arrival);
    EXPECT_EQ(bus.book(100, 4, 0), 100U);
    EXPECT_EQ(bus.book(50, 4, 0), 104U);
    EXPECT_EQ(bus.book(300, 4, 0), 300U);
    EXPECT_EQ(bus.book(200, 4, 150), 304U);
}

TEST(DataBus, BookingsOfThePastAreNoObstacle) {
    DataBus bus(DataBus::Order::Ready);
    EXPECT_EQ(bus.book(10, 4, 0), 10U);
    EXPECT_EQ(bus.book(20, 4, 0), 20U);
    EXPECT_EQ(bus.book(22, 4, 22), 24U); // the second is on the bus until 24
    EXPECT_EQ(bus.book(40, 4, 40), 40U);
}

} // namespace
} // namespace heddle::mem
