#include "memory_system_rig.h"

namespace heddle::mem {
namespace {

// A packet of f flits takes 1 + 1 + f cycles through a network: a read's request or a write's answer 3 (its header),
// 128 bytes 7 (136 bytes are 5 flits), 64 bytes 5 (72 bytes, 3 flits). With a link of 8 cycles and look-ups of 10:
//   a read that the LLC has:  8 + 3 + 10 + 7 + 8 = 36
//   a write of 64 bytes:      8 + 5 + 10 + 3 + 8 = 34
std::vector<std::string> with_llc(std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"llc.size=64KiB", "llc.latency=10"});
    return more;
}

std::vector<std::string> without_llc(std::vector<std::string> more = {}) {
    more.insert(more.begin(), "llc.latency=10");
    return more;
}

TEST(MemorySystem, AReadThatMissesThenHits) {
    HierarchyRig rig(with_llc());
    rig.read(0, 100, 0, 1);
    rig.run_to(1000);
    EXPECT_EQ(rig.reply_at(1), 100 + 36 + 300U); // a closed row
    rig.read(0, 1000, 0, 2);
    rig.run_to(2000);
    EXPECT_EQ(rig.reply_at(2), 1000 + 36U);
    rig.read(0, 2000, 128, 3);
    rig.run_to(3000);
    EXPECT_EQ(rig.reply_at(3), 2000 + 36 + 100U); // an open row
    EXPECT_EQ(rig.memory_system.next(), kNever);
}

// 128 bytes are 5 flits in one packet; in four packets of 32 bytes and a header each they are 8.
TEST(MemorySystem, AnAnswerInParts) {
    HierarchyRig rig(with_llc({"interconnect.answer_bytes=32"}), 2);
    rig.read(0, 100, 0, 1);
    rig.run_to(1000);
    EXPECT_EQ(rig.reply_at(1), 100 + 36 + 300 + 3U);
    EXPECT_EQ(rig.counter("reply_network.packets"), 4U);
    EXPECT_EQ(rig.counter("reply_network.flits"), 8U);
    rig.read(0, 1000, 0, 2, 48); // 32 bytes in 2 flits, and 16 in one
    rig.read(1, 1000, 0, 3, 32); // one packet of 2 flits, behind them
    rig.run_to(2000);
    EXPECT_EQ(rig.counter("reply_network.packets"), 4 + 3U);
    EXPECT_EQ(rig.counter("reply_network.flits"), 8 + 5U);
    EXPECT_EQ(rig.memory_system.open_requests(), 0U);
}

// Blocks of 256 bytes go to two slices in turn, and those of a slice to its two channels.
TEST(MemorySystem, ASliceWithTwoChannels) {
    HierarchyRig rig(with_llc({"llc.slices=2", "dram.channels=4"}));
    for (std::uint32_t block = 0; block < 6; ++block)
        rig.read(0, 100 + 10 * block, 256 * block, block);
    rig.run_to(1000);
    const auto bytes = rig.tree.snapshot().histogram("memory_path.channel_bytes");
    EXPECT_EQ(bytes[0], 2 * 128U); // blocks 0 and 4
    EXPECT_EQ(bytes[1], 128U);     // block 2
    EXPECT_EQ(bytes[2], 2 * 128U); // blocks 1 and 5
    EXPECT_EQ(bytes[3], 128U);     // block 3
    EXPECT_EQ(rig.memory_system.open_requests(), 0U);
}

TEST(MemorySystem, WhereTheCyclesOfALoadWent) {
    HierarchyRig rig(with_llc());
    rig.read(0, 100, 0, 1);
    rig.run_to(1000);
    rig.read(0, 1000, 0, 2);
    rig.run_to(2000);
    EXPECT_EQ(rig.counter("memory_path.loads"), 2U);
    EXPECT_EQ(rig.counter("memory_path.from_memory"), 1U);
    EXPECT_EQ(rig.counter("memory_path.total"), 336 + 36U);
    EXPECT_EQ(rig.counter("memory_path.request_network"), 2 * 11U);
    EXPECT_EQ(rig.counter("memory_path.slice"), 2 * 10U);
    EXPECT_EQ(rig.counter("memory_path.memory"), 300U);
    EXPECT_EQ(rig.counter("memory_path.reply_network"), 2 * 15U);
    const stats::Snapshot all = rig.tree.snapshot();
    EXPECT_EQ(all.histogram("memory_path.memory_latency")[9], 1U); // 256 to 511
    EXPECT_EQ(all.histogram("memory_path.llc_latency")[6], 1U);    // 32 to 63
    EXPECT_EQ(all.histogram("memory_path.channel_bytes")[0], 128U);
    EXPECT_EQ(all.histogram("memory_path.channel_busy")[0], 4U);
}

TEST(MemorySystem, RepliesKnowTheLevelThatServedThem) {
    HierarchyRig rig(with_llc(), 2);
    rig.read(0, 100, 0, 1);
    rig.read(1, 104, 0, 2);      // merges with the miss, whose line comes 300 cycles later
    rig.atomic(1, 104, 0, 3, 1); // so does an atomic
    rig.read(0, 1000, 0, 4);
    rig.atomic(1, 1000, 0, 5, 1);
    rig.write(0, 1000, 0, 6);    // into a line that is there
    rig.write(0, 1000, 4096, 7); // answered when it is written, whatever becomes of its line
    rig.run_to(2000);
    for (const std::uint32_t id : {1U, 2U, 3U})
        EXPECT_EQ(rig.level_of(id), Level::Dram) << id;
    for (const std::uint32_t id : {4U, 5U, 6U, 7U})
        EXPECT_EQ(rig.level_of(id), Level::Llc) << id;
    HierarchyRig direct(without_llc());
    direct.read(0, 100, 0, 1);
    direct.write(0, 1000, 0, 2);
    direct.atomic(0, 2000, 0, 3, 1);
    direct.run_to(3000);
    for (const std::uint32_t id : {1U, 2U, 3U})
        EXPECT_EQ(direct.level_of(id), Level::Dram) << id;
}

TEST(MemorySystem, WithoutAnLlcEveryReadGoesToMemory) {
    HierarchyRig rig(without_llc());
    rig.read(0, 100, 0, 1);
    rig.run_to(1000);
    rig.read(0, 1000, 0, 2);
    rig.run_to(2000);
    EXPECT_EQ(rig.reply_at(1), 100 + 36 + 300U);
    EXPECT_EQ(rig.reply_at(2), 1000 + 36 + 100U);
}

TEST(MemorySystem, AWritesAcknowledgement) {
    HierarchyRig llc(with_llc());
    llc.write(0, 100, 0, 1);
    llc.run_to(1000);
    EXPECT_EQ(llc.reply_at(1), 100 + 34U); // does not wait for the line that it fetches
    HierarchyRig direct(without_llc());
    direct.write(0, 100, 0, 1);
    direct.run_to(1000);
    EXPECT_EQ(direct.reply_at(1), 100 + 34 + 300U);
}

TEST(MemorySystem, AnAtomicCarriesItsOperandsBothWays) {
    HierarchyRig llc(with_llc());
    llc.read(0, 100, 0, 1);
    llc.run_to(1000);
    llc.atomic(0, 1000, 0, 2, 7);
    llc.run_to(2000);
    EXPECT_EQ(llc.reply_at(2), 1000 + 8 + 5 + 10 + 7 + 5 + 8U); // 7 operations in the slice
    HierarchyRig direct(without_llc());
    direct.atomic(0, 100, 0, 1, 7);
    direct.run_to(1000);
    EXPECT_EQ(direct.reply_at(1), 100 + 8 + 5 + 10 + 306 + 5 + 8U); // the first of 7 operations ends with the data
}

TEST(MemorySystem, AWriteThatNobodyWaitsForIsForgotten) {
    for (const auto& settings : {with_llc(), without_llc()}) {
        HierarchyRig rig(settings);
        rig.write(0, 100, 0, 1, 64, Requester::None);
        rig.run_to(200);
        rig.run_to(1000);
        EXPECT_TRUE(rig.got.empty());
        EXPECT_EQ(rig.memory_system.next(), kNever);
        EXPECT_EQ(rig.memory_system.open_requests(), 0U);
        EXPECT_EQ(rig.counter("reply_network.packets"), 0U);
        EXPECT_EQ(rig.counter("memory_path.loads"), 0U);
    }
}

TEST(MemorySystem, TwoSmsShareASlice) {
    HierarchyRig rig(with_llc(), 2);
    rig.read(1, 100, 0, 1);
    rig.run_to(1000);
    rig.read(0, 1000, 0, 10);
    rig.read(1, 1000, 0, 11);
    rig.run_to(2000);
    // Requests are granted in turn, at the slice at 1011 and 1012 and looked up 10 cycles later. The second answer
    // follows the first's 5 flits over the slice's link: from 1026 instead of 1022.
    const std::vector<Cycle> at = {std::min(rig.reply_at(10), rig.reply_at(11)),
                                   std::max(rig.reply_at(10), rig.reply_at(11))};
    EXPECT_EQ(at, (std::vector<Cycle>{1036, 1041}));
    EXPECT_EQ(rig.got.size(), 3U);
    for (const HierarchyRig::Got& g : rig.got)
        EXPECT_EQ(g.sm, g.reply.id % 2 == 0 ? 0U : 1U);
}

TEST(MemorySystem, BuffersOfOnePacketKeepTheLinksBusy) {
    // Room comes with a grant, before the link has finished with the packet: nothing waits for it.
    HierarchyRig replies(with_llc({"interconnect.input_flits=5"}), 2);
    replies.read(1, 100, 0, 1);
    replies.run_to(1000);
    replies.read(0, 1000, 0, 10);
    replies.read(1, 1000, 0, 11);
    replies.run_to(2000);
    EXPECT_EQ(std::min(replies.reply_at(10), replies.reply_at(11)), 1036U);
    EXPECT_EQ(std::max(replies.reply_at(10), replies.reply_at(11)), 1041U);
    // Two packets of 3 flits: the second is on the link from 111 on, granted at 112, there at 116.
    HierarchyRig requests(with_llc({"interconnect.input_flits=3"}));
    requests.write(0, 100, 0, 1);
    requests.write(0, 100, 0, 2);
    requests.run_to(1000);
    EXPECT_EQ(requests.reply_at(1), 100 + 34U);
    EXPECT_EQ(requests.reply_at(2), 116 + 10 + 3 + 8U);
}

TEST(MemorySystem, SlicesWorkSideBySide) {
    HierarchyRig rig(with_llc({"llc.slices=2", "dram.channels=2"}), 2);
    rig.read(0, 100, 0, 1);
    rig.read(1, 100, 256, 2);
    rig.run_to(1000);
    EXPECT_EQ(rig.reply_at(1), 436U);
    EXPECT_EQ(rig.reply_at(2), 436U);
}

TEST(MemorySystem, ASlowNetwork) {
    // 500 MHz: in at cycle 108 is network cycle 54; 3 cycles later, at 57, is cycle 114. Looked up at 124, which is 62;
    // the answer's 7 cycles end at 69, cycle 138.
    HierarchyRig rig(with_llc({"interconnect.clock_mhz=500"}));
    rig.read(0, 20, 0, 1);
    rig.run_to(1000);
    rig.read(0, 1100, 0, 2);
    rig.run_to(2000);
    EXPECT_EQ(rig.reply_at(2), 1100 + 38 + 8U);
}

TEST(MemorySystem, AFastNetwork) {
    // 4000 MHz: from 108 on 3 network cycles are .75 of a cycle; 7 are 1.75.
    HierarchyRig rig(with_llc({"interconnect.clock_mhz=4000"}));
    rig.read(0, 20, 0, 1);
    rig.run_to(1000);
    rig.read(0, 1100, 0, 2);
    rig.run_to(2000);
    EXPECT_EQ(rig.reply_at(2), 1100 + 8 + 1 + 10 + 2 + 8U);
}

TEST(MemorySystem, ASlowSlice) {
    // 250 MHz: 10 ticks are 40 cycles.
    HierarchyRig rig(with_llc({"llc.clock_mhz=250"}));
    rig.read(0, 20, 0, 1);
    rig.run_to(1000);
    rig.read(0, 1001, 0, 2); // at the slice at 1012, a tick of its clock
    rig.run_to(2000);
    EXPECT_EQ(rig.reply_at(2), 1001 + 36 + 30U);
}

TEST(MemorySystem, TimedMemoryByTheCoresClockAndAtHalfOfIt) {
    // Asked at clock T: ACT T+1, RD T+13 and T+16, the last data end 14 later, done 100 after that: 130 clocks.
    HierarchyRig rig(with_llc({"dram.model=timed", "dram.banks=16"}));
    rig.read(0, 100, 0, 1);
    rig.run_to(1000);
    EXPECT_EQ(rig.reply_at(1), 100 + 36 + 130U);
    HierarchyRig half(with_llc({"dram.model=timed", "dram.banks=16", "dram.clock_mhz=500"}));
    half.read(0, 101, 0, 1); // looked up at 122, clock 61
    half.run_to(1000);
    EXPECT_EQ(half.reply_at(1), 101 + 36 + 260U);
}

TEST(MemorySystem, LongWaitsEnd) {
    HierarchyRig memory(with_llc({"dram.row_conflict=20000"}));
    memory.read(0, 100, 0, 1);
    memory.run_to(30000);
    EXPECT_EQ(memory.reply_at(1), 100 + 36 + 20000U);
    HierarchyRig slice(with_llc({"llc.latency=9000"}));
    slice.read(0, 100, 0, 1);
    slice.run_to(30000);
    EXPECT_EQ(slice.reply_at(1), 100 + 26 + 9000 + 300U);
    HierarchyRig link(with_llc({"interconnect.link=10000"}));
    link.read(0, 100, 0, 1);
    link.run_to(30000);
    EXPECT_EQ(link.reply_at(1), 100 + 20 + 2 * 10000 + 300U);
    HierarchyRig operations(with_llc({"dram.row_conflict=9000", "dram.clock_mhz=1000", "interconnect.latency=1000"}));
    operations.atomic(0, 100, 0, 1, 255);
    operations.run_to(30000);
    EXPECT_EQ(operations.reply_at(1), 100 + 8 + (1 + 1000 + 3) + 10 + 9000 + 255 + (1 + 1000 + 3) + 8U);
}

TEST(MemorySystem, RoomFallsWithAcceptedRequestsAndReturnsWithTheirGrants) {
    HierarchyRig rig(with_llc({"interconnect.input_flits=4"}), 2);
    EXPECT_EQ(rig.memory_system.room(0), 4);
    rig.run_to(96);
    rig.write(0, 96, 0, 1); // 3 flits
    rig.run_to(104);
    EXPECT_EQ(rig.memory_system.room(0), 1);
    EXPECT_EQ(rig.memory_system.room(1), 4);
    rig.run_to(105); // in the buffer, granted in cycle 105
    EXPECT_EQ(rig.memory_system.room(0), 1);
    rig.run_to(106);
    EXPECT_EQ(rig.memory_system.room(0), 4);
}

TEST(MemorySystem, APacketWaitsOnItsLinkForRoomInTheBuffer) {
    // Slice 0 fetches the line of the first write for 2000 cycles, has no entry for the second and holds that and the
    // third. The fourth waits at its output, the fifth in the input's buffer, 3 of whose 4 flits it takes; the sixth,
    // for the free slice 1, does not get into that.
    HierarchyRig rig({"llc.size=64KiB", "llc.latency=1", "llc.slices=2", "llc.queue=1", "llc.mshrs=1",
                      "dram.row_conflict=2000", "interconnect.input_flits=4", "interconnect.output_flits=3"});
    for (std::uint32_t i = 0; i < 6; ++i)
        rig.write(0, 100 + 50 * i, i < 5 ? Address{i} * 4096 : 256, i + 1);
    rig.run_to(400);
    EXPECT_EQ(rig.memory_system.room(0), 4 - 3 - 3);
    rig.run_to(20000);
    EXPECT_EQ(rig.reply_at(1), 100 + 8 + 5 + 1 + 3 + 8U);
    EXPECT_GT(rig.reply_at(6), 114U + 2000); // left after the line had come
    EXPECT_NE(rig.reply_at(6), kNever);
    EXPECT_EQ(rig.memory_system.room(0), 4);
}

TEST(MemorySystem, TheBytesOfAChannelHoldWhatIsWrittenAfterTheAnswer) {
    // Timed memory writes an atomic's line back when its old values may have left.
    HierarchyRig rig(without_llc({"dram.model=timed", "dram.banks=16", "dram.latency=0"}));
    rig.atomic(0, 100, 0, 1, 1);
    rig.run_to(2000);
    EXPECT_NE(rig.reply_at(1), kNever);
    EXPECT_EQ(rig.tree.snapshot().histogram("memory_path.channel_bytes")[0], 2 * 128U);
}

// Each SM reads from its own slice as fast as it can, all slices over one memory channel. Replies by SM.
std::vector<unsigned> replies_of_streams(std::vector<std::string> settings, unsigned slices, Cycle cycles) {
    settings.insert(settings.end(), {"dram.queue=8", "llc.slices=" + std::to_string(slices)});
    HierarchyRig rig(settings, slices);
    std::vector<unsigned> sent(slices);
    std::vector<unsigned> got(slices);
    std::size_t seen = 0;
    while (rig.now < cycles) {
        for (unsigned sm = 0; sm < slices; ++sm)
            for (std::int64_t room = rig.memory_system.room(sm); room > 0 && sent[sm] - got[sm] < 32; --room)
                rig.read(sm, rig.now, (Address{sent[sm]} * slices + sm) * 256, sent[sm]++);
        rig.run_to(rig.now + rig.memory_system.link());
        for (; seen < rig.got.size(); ++seen)
            ++got[rig.got[seen].sm];
    }
    return got;
}

TEST(MemorySystem, SlicesOfABusyChannelTakeTurns) {
    for (const auto& settings :
         {without_llc(), with_llc(), without_llc({"dram.model=timed"}), with_llc({"dram.model=timed"})})
        for (const unsigned slices : {2U, 4U}) {
            const std::vector<unsigned> got = replies_of_streams(settings, slices, 50000);
            const auto [least, most] = std::minmax_element(got.begin(), got.end());
            EXPECT_GT(*least, 100U);
            EXPECT_LE(*most - *least, *most / 10);
        }
}

TEST(MemorySystem, ASliceThatWaitsTriesOnceForEachEntry) {
    // Three misses for one entry: the second waits for the first's line, the third for the second's. What the channel
    // does meanwhile gives them nothing.
    HierarchyRig rig(with_llc({"llc.mshrs=1", "dram.model=timed", "dram.banks=16"}));
    for (std::uint32_t i = 0; i < 3; ++i)
        rig.read(0, 100, i * 4096, i);
    rig.run_to(2000);
    EXPECT_EQ(rig.got.size(), 3U);
    EXPECT_EQ(rig.counter("llc.mshr_full"), 2U);
    EXPECT_EQ(rig.counter("slices.stalls"), 2U);
}

TEST(MemorySystem, TheNextCycleIsThatOfTheNextWork) {
    HierarchyRig rig(with_llc());
    EXPECT_EQ(rig.memory_system.next(), kNever);
    rig.read(0, 100, 0, 1);
    rig.run_to(104);
    EXPECT_EQ(rig.memory_system.next(), 109U); // into the network in 108, a cycle on its link
    rig.run_to(122);                           // looked up in cycle 121
    EXPECT_GT(rig.memory_system.next(), 121U);
    EXPECT_LE(rig.memory_system.next(), 421U); // the line comes
    rig.run_to(1000);
    EXPECT_EQ(rig.memory_system.next(), kNever);
}

} // namespace
} // namespace heddle::mem
