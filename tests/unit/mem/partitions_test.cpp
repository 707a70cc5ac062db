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
    HierarchyRig rig(two_partitions({"l2.copies=true"}), 2);
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
    HierarchyRig rig(two_partitions({"l2.copies=true"}), 2);
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

// Each slice has one set of 16 lines. SM 0 reads eight lines of its own slice and eight of the other one, of which its
// slice keeps copies. The next copy takes the place of the line that was not used for longest, here one of the slice's
// own.
TEST(Partitions, CopiesCompeteWithTheSlicesOwnLines) {
    HierarchyRig rig(two_partitions({"l2.copies=true", "llc.size=4KiB", "llc.ways=16"}), 2);
    Cycle now = 1000;
    std::uint32_t id = 0;
    const auto latency = [&](bool far, std::uint64_t nth) {
        rig.read(0, now, (far ? 256 : 0) + nth / 2 * 512 + nth % 2 * 128, ++id);
        rig.run_to(now + 1000);
        now += 1000;
        return rig.reply_at(id) - (now - 1000);
    };
    for (int pass = 0; pass < 2; ++pass)
        for (const bool far : {false, true})
            for (std::uint64_t nth = 0; nth < 8; ++nth) {
                const Cycle took = latency(far, nth);
                if (pass == 1)
                    EXPECT_EQ(took, 36U) << far << nth;
            }
    (void)latency(true, 8);
    EXPECT_EQ(latency(true, 8), 36U);
    EXPECT_EQ(latency(true, 0), 36U);
    EXPECT_EQ(latency(false, 1), 36U);
    (void)latency(false, 0);
    EXPECT_EQ(rig.level_of(id), Level::Dram);
}

// The dirty line that makes room for a copy is written to memory.
TEST(Partitions, ADirtyLineMakesRoomForACopy) {
    HierarchyRig rig(two_partitions({"l2.copies=true", "llc.size=1KiB", "llc.ways=4"}), 2);
    for (std::uint32_t nth = 0; nth < 4; ++nth)
        rig.write(0, 100 + 10 * nth, nth / 2 * 512 + nth % 2 * 128, 10 + nth, 128);
    rig.run_to(1000);
    rig.read(0, 1000, 256, 3);
    rig.run_to(2000);
    EXPECT_EQ(rig.counter("llc.write_backs"), 1U);
    EXPECT_EQ(rig.counter("dram.writes"), 1U);
    EXPECT_EQ(rig.memory_system.open_requests(), 0U);
    rig.read(0, 2000, 256, 4);
    rig.run_to(3000);
    EXPECT_EQ(rig.reply_at(4), 2036U);
}

// SMs 0 and 1 are a GPC, SMs 2 and 3 another one.
TEST(Partitions, SmsOfAGpcAreInOnePartition) {
    HierarchyRig rig(two_partitions({"gpc.sms=2 2"}), 4);
    rig.read(0, 100, 0, 0);
    rig.run_to(1000);
    for (unsigned sm = 0; sm < 4; ++sm)
        rig.read(sm, 1000 + 100 * sm, 0, 1 + sm);
    rig.run_to(2000);
    EXPECT_EQ(rig.reply_at(1), 1036U);
    EXPECT_EQ(rig.reply_at(2), 1136U);
    EXPECT_EQ(rig.reply_at(3), 1236U + 50);
    EXPECT_EQ(rig.reply_at(4), 1336U + 50);
}

// An atomic operation takes a tick, and `atomic_latency` cycles until its result is there.
TEST(Partitions, AnAtomicOperationHasALatency) {
    const auto latency = [](const char* setting) {
        HierarchyRig rig({"llc.size=64KiB", "llc.latency=10", setting});
        rig.read(0, 100, 0, 1);
        rig.run_to(1000);
        rig.atomic(0, 1000, 0, 2, 1);
        rig.run_to(2000);
        return rig.reply_at(2) - 1000;
    };
    EXPECT_EQ(latency("l2.atomic_latency=40"), latency("l2.atomic_latency=0") + 40);
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
    EXPECT_THAT(refusal({"llc.size=0"}), HasSubstr("l2.partitions = 2 needs a last level"));
}

} // namespace
} // namespace heddle::mem
