#include <gmock/gmock.h>

#include "memory_system_rig.h"

namespace heddle::mem {
namespace {

using testing::HasSubstr;

// Two slices in two partitions; SM 0 is near the first, SM 1 near the second. Blocks of 256 bytes go to them in turn.
std::vector<std::string> two_partitions(std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"llc.size=64KiB", "llc.latency=10", "llc.slices=2", "l2.partitions=2",
                               "l2.partition_sms=1", "l2.far_latency=50"});
    return more;
}

// A read that the last level has takes 36 cycles (memory_system_test.cpp).
TEST(Partitions, AnAnswerFromTheOtherPartitionComesLater) {
    HierarchyRig rig(two_partitions(), 2);
    rig.read(0, 100, 0, 1);
    rig.read(0, 100, 256, 2);
    rig.run_to(1000);
    rig.read(0, 1000, 0, 3);
    rig.read(1, 1000, 256, 4);
    rig.run_to(2000);
    rig.read(0, 2000, 256, 5);
    rig.read(1, 2000, 0, 6);
    rig.run_to(3000);
    EXPECT_EQ(rig.reply_at(3), 1036U);
    EXPECT_EQ(rig.reply_at(4), 1036U);
    EXPECT_EQ(rig.reply_at(5), 2036U + 50);
    EXPECT_EQ(rig.reply_at(6), 2036U + 50);
    EXPECT_EQ(rig.memory_system.next(), kNever);
}

TEST(Partitions, ANearAnswerOvertakesOneThatIsFar) {
    HierarchyRig rig(two_partitions(), 2);
    rig.read(0, 100, 0, 1);
    rig.read(0, 100, 256, 2);
    rig.run_to(1000);
    rig.read(0, 1000, 256, 3);
    rig.read(0, 1010, 0, 4);
    rig.run_to(2000);
    EXPECT_EQ(rig.reply_at(3), 1036U + 50);
    EXPECT_EQ(rig.reply_at(4), 1046U);
    ASSERT_EQ(rig.got.size(), 4U);
    EXPECT_EQ(rig.got[2].reply.id, 4U) << "an SM gets its answers in order of time";
}

TEST(Partitions, AReadLeavesACopyThatAWriteTakesAway) {
    HierarchyRig rig(two_partitions({"l2.copies=4KiB"}), 2);
    rig.read(0, 100, 256, 1);
    rig.run_to(1000);
    rig.read(0, 1000, 256, 2);
    rig.run_to(2000);
    EXPECT_EQ(rig.reply_at(2), 1036U);
    rig.write(1, 2000, 256, 3);
    rig.run_to(3000);
    EXPECT_EQ(rig.reply_at(3), 2034U); // SM 1 is near
    rig.write(0, 3000, 256, 4);
    rig.run_to(4000);
    EXPECT_EQ(rig.reply_at(4), 3034U + 50); // a write goes to the line itself
    rig.read(0, 4000, 256, 5);
    rig.run_to(5000);
    EXPECT_EQ(rig.reply_at(5), 4036U + 50);
    rig.read(0, 5000, 256, 6);
    rig.run_to(6000);
    EXPECT_EQ(rig.reply_at(6), 5036U);
}

// The order of both is that of the cycles in which they come, not that in which windows are taken: a write that leaves
// its SM before a read is answered, and comes to the slice afterwards, takes the copy of the read away.
TEST(Partitions, AWriteCountsWhenItComesToItsSlice) {
    HierarchyRig rig(two_partitions({"l2.copies=4KiB"}), 2);
    rig.read(1, 100, 256, 1);
    rig.run_to(1000);
    rig.read(0, 1000, 256, 2);  // passes the network until 1028
    rig.write(1, 1024, 256, 3); // comes to the slice at 1024 + 8 + 5
    rig.run_to(2000);
    EXPECT_EQ(rig.reply_at(2), 1036U + 50);
    rig.read(0, 2000, 256, 4);
    rig.run_to(3000);
    EXPECT_EQ(rig.reply_at(4), 2036U + 50);
}

// 4 KiB are two sets of 16 copies. Lines of slice 1 are odd, so all of them are in one set: the 17th takes the place of
// the first.
TEST(Partitions, TheCopyThatWasNotReadForLongestMakesRoom) {
    HierarchyRig rig(two_partitions({"l2.copies=4KiB"}), 2);
    Cycle now = 1000;
    const auto latency = [&](std::uint64_t nth, std::uint32_t id) {
        rig.read(0, now, 256 + nth / 2 * 512 + nth % 2 * 128, id);
        rig.run_to(now + 1000);
        const Cycle out = rig.reply_at(id) - now;
        now += 1000;
        return out;
    };
    for (std::uint32_t nth = 0; nth < 17; ++nth)
        (void)latency(nth, nth);
    EXPECT_EQ(latency(16, 100), 36U);
    EXPECT_EQ(latency(1, 101), 36U);
    EXPECT_EQ(latency(0, 102), 36U + 50);
}

TEST(Partitions, WhatTheyNeed) {
    const auto refusal = [](const std::vector<std::string>& more) -> std::string {
        std::vector<std::string> all = two_partitions(more);
        all.emplace_back("interconnect.kind=crossbar");
        try {
            (void)config::Machine::defaults(all);
            return "";
        } catch (const UserError& error) {
            return error.what();
        }
    };
    EXPECT_EQ(refusal({}), "");
    EXPECT_THAT(refusal({"l2.partitions=3"}), HasSubstr("l2.partitions = 3 does not divide llc.slices = 2"));
    EXPECT_THAT(refusal({"l2.copies=3000"}), HasSubstr("l2.copies = 3000 is no multiple of 16 lines"));
    EXPECT_THAT(refusal({"llc.size=0"}), HasSubstr("l2.partitions = 2 needs a last level"));
}

} // namespace
} // namespace heddle::mem
