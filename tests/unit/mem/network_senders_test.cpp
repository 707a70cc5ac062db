#include <gtest/gtest.h>

#include "mem/network/allocator.h"
#include "mem/system/network_senders.h"

namespace heddle::mem {
namespace {

TEST(NetworkSenders, TakesEachSenderOnce) {
    NetworkSenders<Ports64> senders;
    senders.insert(3);
    senders.insert(5);
    EXPECT_EQ(senders.take(), Ports64::bit(3) | Ports64::bit(5));
    EXPECT_TRUE(senders.take().empty());
}

TEST(NetworkSenders, ARefusedSenderWaitsForRoomAtItsInput) {
    NetworkSenders<Ports64> senders;
    senders.refuse(3);
    senders.refuse(5);
    EXPECT_TRUE(senders.is_refused(3));
    EXPECT_TRUE(senders.take().empty());
    EXPECT_FALSE(senders.retry(Ports64::bit(4)));
    EXPECT_TRUE(senders.retry(Ports64::bit(3) | Ports64::bit(4)));
    EXPECT_FALSE(senders.is_refused(3));
    EXPECT_TRUE(senders.is_refused(5));
    EXPECT_EQ(senders.take(), Ports64::bit(3));
    EXPECT_FALSE(senders.retry(Ports64::bit(3)));
}

} // namespace
} // namespace heddle::mem
