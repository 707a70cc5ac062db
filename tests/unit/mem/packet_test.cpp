#include <gtest/gtest.h>

#include "mem/network/packet.h"

namespace heddle::mem {
namespace {

TEST(PacketList, KeepsTheOrderOfAppend) {
    Packet a{.at = 5};
    Packet b{.at = 7};
    PacketList<&Packet::next> list;
    EXPECT_TRUE(list.empty());
    EXPECT_EQ(list.front_at(), kNever);
    list.append(a);
    list.append(b);
    EXPECT_EQ(&list.front(), &a);
    EXPECT_EQ(list.front_at(), 5U);
    list.pop();
    EXPECT_EQ(list.front_at(), 7U);
    list.pop();
    EXPECT_TRUE(list.empty());
}

TEST(PacketList, TakesPacketsAgainOnceItWasEmpty) {
    Packet a{.at = 5};
    Packet b{.at = 7};
    PacketList<&Packet::next> list;
    list.append(a);
    list.pop();
    list.append(b);
    EXPECT_EQ(&list.front(), &b);
    list.pop();
    EXPECT_TRUE(list.empty());
}

TEST(PacketList, APacketMayBeInAListByEachPointer) {
    Packet a{.at = 5};
    Packet b{.at = 7};
    PacketList<&Packet::next> queue;
    PacketList<&Packet::behind> link;
    queue.append(a);
    link.append(a);
    link.append(b);
    queue.pop();
    EXPECT_TRUE(queue.empty());
    link.pop();
    EXPECT_EQ(&link.front(), &b);
}

TEST(PacketPool, UsesPacketsAgain) {
    PacketPool pool;
    Packet& a = pool.make({.number = 1});
    Packet& b = pool.make({.number = 2});
    EXPECT_EQ(a.number, 1U);
    EXPECT_EQ(b.number, 2U);
    pool.give_back(a);
    EXPECT_EQ(a.number, 1U); // until the next make()
    Packet& c = pool.make({.number = 3});
    EXPECT_EQ(&c, &a);
    EXPECT_EQ(c.number, 3U);
    EXPECT_EQ(c.next, nullptr);
    EXPECT_EQ(pool.size(), 2U);
}

TEST(PacketPool, KeepsPacketsWhereTheyAre) {
    PacketPool pool;
    const Packet& first = pool.make({.number = 7});
    for (std::uint32_t i = 0; i < 1000; ++i)
        pool.make({.number = i});
    EXPECT_EQ(first.number, 7U);
}

} // namespace
} // namespace heddle::mem
