#include "mem/system/read_merger.h"
#include "memory_system_rig.h"

namespace heddle::mem {
namespace {

std::vector<std::string> with(std::vector<std::string> more) {
    std::vector<std::string> out = {"llc.size=64KiB", "llc.latency=10", "gpc.sms=2 2"};
    out.insert(out.end(), more.begin(), more.end());
    return out;
}

// Four SMs, two in each GPC, read one line.
TEST(ReadMerger, ReadsOfAGpcGoToTheLastLevelOnce) {
    HierarchyRig rig(with({"gpc.merges_reads=true"}), 4);
    for (unsigned sm = 0; sm < 4; ++sm)
        rig.read(sm, 100, 0, sm);
    rig.run_to(2000);
    EXPECT_EQ(rig.counter("slices.requests"), 2U);
    EXPECT_NE(rig.reply_at(0), kNever);
    EXPECT_EQ(rig.reply_at(0), rig.reply_at(1));
    EXPECT_EQ(rig.reply_at(2), rig.reply_at(3));
    EXPECT_EQ(rig.memory_system.open_requests(), 0U);
}

TEST(ReadMerger, OtherLinesWritesAndLaterReadsAreNotMerged) {
    HierarchyRig rig(with({"gpc.merges_reads=true"}), 4);
    rig.read(0, 100, 0, 1);
    rig.read(1, 100, 128, 2);
    rig.write(0, 101, 256, 3);
    rig.write(1, 101, 256, 4);
    rig.run_to(2000);
    rig.read(1, 2000, 0, 5); // the first read has its answer
    rig.run_to(4000);
    EXPECT_EQ(rig.counter("slices.requests"), 5U);
}

TEST(ReadMerger, WithoutTheSettingEachReadGoesThere) {
    HierarchyRig rig(with({}), 4);
    for (unsigned sm = 0; sm < 4; ++sm)
        rig.read(sm, 100, 0, sm);
    rig.run_to(2000);
    EXPECT_EQ(rig.counter("slices.requests"), 4U);
}

// The line comes from DRAM late enough for a read that was sent 20 cycles later to join; one of a window in which the
// answer came has it when it is at the network itself, 8 cycles each way.
TEST(ReadMerger, AReadThatJoinsLateHasItsAnswerNoEarlierThanItCan) {
    HierarchyRig rig(with({"gpc.merges_reads=true"}), 4);
    rig.read(0, 100, 0, 1);
    rig.read(1, 120, 0, 2);
    rig.run_to(2000);
    EXPECT_EQ(rig.reply_at(1), rig.reply_at(2));
    EXPECT_GE(rig.reply_at(2), 120U + 2 * 8);
    EXPECT_EQ(rig.counter("slices.requests"), 1U);
}

// More lines than there are lists of them; SM 2 is in another GPC.
TEST(ReadMerger, EachOfManyReadsHasItsOwnFollowers) {
    constexpr TransactionId kReads = 2000;
    ReadMerger merger({0, 0, 1});
    const auto read = [](TransactionId line) { return Request{.address = Address{line} * 128, .bytes = 32}; };
    for (TransactionId id = 0; id < kReads; ++id) {
        EXPECT_FALSE(merger.join(read(id), 0, 10));
        merger.lead(read(id), 0, id);
        EXPECT_FALSE(merger.join(read(id), 2, 10));
    }
    for (TransactionId id = 0; id < kReads; ++id)
        EXPECT_TRUE(merger.join(read(id), 1, 20 + id));
    for (const TransactionId step : {2U, 1U}) // those between the others first
        for (TransactionId id = step - 1; id < kReads; id += 2) {
            std::vector<Cycle> at;
            merger.end(id, 0, [&](const ReadMerger::Follower& follower) { at.push_back(follower.at); });
            EXPECT_EQ(at, std::vector<Cycle>{20 + id});
            EXPECT_FALSE(merger.join(read(id), 1, 9999));
        }
}

TEST(HostCopies, LieInTheLastLevel) {
    HierarchyRig cold({"llc.size=64KiB", "llc.latency=10"});
    cold.read(0, 100, 0, 1);
    cold.run_to(2000);
    EXPECT_EQ(cold.level_of(1), Level::Dram);

    HierarchyRig warm({"llc.size=64KiB", "llc.latency=10", "l2.host_copies=true"});
    warm.memory_system.host_writes(0, 256);
    warm.read(0, 100, 128, 1);
    warm.read(0, 200, 256, 2); // behind the copy
    warm.run_to(2000);
    EXPECT_EQ(warm.level_of(1), Level::Llc);
    EXPECT_EQ(warm.level_of(2), Level::Dram);
}

// Twice as much as the level holds: the end of it lies there.
TEST(HostCopies, OfMoreThanTheLastLevelHolds) {
    HierarchyRig rig({"llc.size=64KiB", "llc.latency=10", "l2.host_copies=true"});
    rig.memory_system.host_writes(0, 128 << 10);
    rig.read(0, 100, (128 << 10) - 128, 1);
    rig.read(0, 200, 0, 2);
    rig.run_to(2000);
    EXPECT_EQ(rig.level_of(1), Level::Llc);
    EXPECT_EQ(rig.level_of(2), Level::Dram);
}

} // namespace
} // namespace heddle::mem
