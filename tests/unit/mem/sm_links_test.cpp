#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "mem/network/allocator.h"
#include "mem/system/sm_links.h"

namespace heddle::mem {
namespace {

// Four SMs before a network that has `room` flits for each.
class SmLinksTest : public testing::Test {
protected:
    using Sent = std::vector<std::pair<unsigned, TransactionId>>; // SM, packet

    Sent send(Cycle now) {
        Sent out;
        links.send(
            now, [&](unsigned sm, unsigned flits) { return flits <= room[sm]; },
            [&](unsigned sm, const SmLinks<Ports64>::Packet& packet) {
                room[sm] -= packet.flits;
                out.emplace_back(sm, packet.id);
            });
        return out;
    }

    SmLinks<Ports64> links{4};
    std::vector<unsigned> room = std::vector<unsigned>(4, 100);
};

TEST_F(SmLinksTest, APacketEntersTheNetworkWhenItHasPassedTheLink) {
    EXPECT_EQ(links.next(), kNever);
    links.push(2, {.at = 18, .id = 7, .flits = 3}, 10);
    EXPECT_FALSE(links.empty(2));
    EXPECT_EQ(links.flits(2), 3);
    EXPECT_EQ(links.next(), 18U);
    EXPECT_EQ(send(17), Sent());
    EXPECT_EQ(send(18), (Sent{{2, 7}}));
    EXPECT_TRUE(links.empty(2));
    EXPECT_EQ(links.flits(2), 0);
    EXPECT_EQ(links.next(), kNever);
}

TEST_F(SmLinksTest, PacketsKeepTheirOrderAndTheirTimes) {
    links.push(3, {.at = 18, .id = 1, .flits = 1}, 10);
    links.push(3, {.at = 18, .id = 2, .flits = 1}, 10);
    links.push(3, {.at = 20, .id = 3, .flits = 1}, 10);
    links.push(0, {.at = 18, .id = 4, .flits = 1}, 10);
    EXPECT_EQ(send(18), (Sent{{0, 4}, {3, 1}, {3, 2}}));
    EXPECT_EQ(links.next(), 20U);
    EXPECT_EQ(send(19), Sent());
    EXPECT_EQ(send(20), (Sent{{3, 3}}));
}

TEST_F(SmLinksTest, ARefusedPacketHoldsBackTheOnesBehindIt) {
    room[1] = 2;
    links.push(1, {.at = 18, .id = 1, .flits = 3}, 10);
    links.push(1, {.at = 19, .id = 2, .flits = 1}, 10); // there would be room for it
    EXPECT_EQ(send(18), Sent());
    EXPECT_EQ(links.next(), kNever); // only room helps
    EXPECT_EQ(send(19), Sent());
    EXPECT_EQ(links.flits(1), 4);
    room[1] = 4;
    EXPECT_FALSE(links.retry(Ports64::bit(2)));
    EXPECT_EQ(send(20), Sent());
    EXPECT_TRUE(links.retry(Ports64::bit(1)));
    EXPECT_EQ(send(21), (Sent{{1, 1}, {1, 2}}));
    EXPECT_FALSE(links.retry(Ports64::bit(1)));
}

TEST_F(SmLinksTest, APacketFarAheadEntersInItsTime) {
    links.push(0, {.at = 200, .id = 1, .flits = 1}, 10);
    while (links.next() < 200)
        EXPECT_EQ(send(links.next()), Sent());
    EXPECT_EQ(links.next(), 200U);
    EXPECT_EQ(send(200), (Sent{{0, 1}}));
}

} // namespace
} // namespace heddle::mem
