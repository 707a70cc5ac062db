#include <gtest/gtest.h>

#include "sm/sub_core/bank_ports.h"

namespace heddle::sm {
namespace {

TEST(BankPorts, EachPortServesOneRegisterACycle) {
    BankPorts ports(2, 2);
    EXPECT_EQ(ports.free_in(1, 10, 3), 6U);
    EXPECT_EQ(ports.book(1, 10), 10U);
    EXPECT_EQ(ports.book(1, 10), 10U);
    EXPECT_EQ(ports.book(1, 10), 11U);
    EXPECT_EQ(ports.free_in(1, 10, 3), 3U);
    EXPECT_EQ(ports.free_in(0, 10, 3), 6U) << "the other bank has ports of its own";
}

TEST(BankPorts, AGapBeforeALaterBookingIsTaken) {
    BankPorts ports(1, 1);
    EXPECT_EQ(ports.book(0, 20), 20U);
    EXPECT_EQ(ports.book(0, 18), 18U);
    EXPECT_EQ(ports.book(0, 18), 19U);
    EXPECT_EQ(ports.book(0, 18), 21U);
}

TEST(BankPorts, None) {
    EXPECT_FALSE(BankPorts(2, 0).there_are());
    EXPECT_TRUE(BankPorts(2, 1).there_are());
}

} // namespace
} // namespace heddle::sm
