#include <gtest/gtest.h>

#include "mem/network/allocator.h"
#include "mem/network/busy_ports.h"

namespace heddle::mem {
namespace {

TEST(BusyPorts, PortsAreBusyUntilTheEnd) {
    BusyPorts<Ports64> busy(true);
    busy.advance(10);
    busy.hold(1, 2, 10, 14);
    EXPECT_EQ(busy.inputs(), Ports64::bit(1));
    EXPECT_EQ(busy.outputs(), Ports64::bit(2));
    busy.advance(13);
    EXPECT_EQ(busy.inputs(), Ports64::bit(1));
    EXPECT_EQ(busy.outputs(), Ports64::bit(2));
    busy.advance(14);
    EXPECT_TRUE(busy.inputs().empty());
    EXPECT_TRUE(busy.outputs().empty());
}

TEST(BusyPorts, InputsWithoutContentionAreNeverBusy) {
    BusyPorts<Ports64> busy(false);
    EXPECT_FALSE(busy.inputs_contend());
    busy.hold(1, 2, 0, 4);
    EXPECT_TRUE(busy.inputs().empty());
    EXPECT_EQ(busy.outputs(), Ports64::bit(2));
    EXPECT_EQ(busy.next_release(Ports64::bit(1), Ports64::bit(2)), 4U);
}

TEST(BusyPorts, TheNextReleaseIsThatOfTheFirstOfSomePorts) {
    BusyPorts<Ports64> busy(true);
    busy.hold(0, 1, 0, 9);
    busy.hold(2, 3, 0, 5);
    EXPECT_EQ(busy.next_release(Ports64::bit(0) | Ports64::bit(2), {}), 5U);
    EXPECT_EQ(busy.next_release({}, Ports64::bit(1)), 9U);
    EXPECT_EQ(busy.next_release(Ports64::bit(1), Ports64::bit(0)), kNever); // these are free
    busy.advance(5);
    EXPECT_EQ(busy.next_release(Ports64::bit(0) | Ports64::bit(2), {}), 9U);
}

TEST(BusyPorts, LongPacketsHoldBeyondTheSpanOfTheWheel) {
    BusyPorts<Ports64> busy(true);
    busy.hold(0, 1, 0, 200);
    busy.hold(2, 3, 0, 63);
    for (const unsigned slot : {62U, 63U, 64U, 126U, 127U, 199U}) {
        busy.advance(slot);
        EXPECT_TRUE(busy.inputs().contains(0)) << slot;
        EXPECT_TRUE(busy.outputs().contains(1)) << slot;
        EXPECT_EQ(busy.inputs().contains(2), slot < 63);
        EXPECT_EQ(busy.outputs().contains(3), slot < 63);
    }
    busy.advance(200);
    EXPECT_TRUE(busy.inputs().empty());
    EXPECT_TRUE(busy.outputs().empty());
}

} // namespace
} // namespace heddle::mem
