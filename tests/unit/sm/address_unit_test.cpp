// What accesses have to do, memory by memory: 32 lanes, 1024 threads, lines of 128 bytes, 32 banks of shared memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../fermi.h"
#include "rig.h"

namespace heddle::sm::test {
namespace {

using testing::ElementsAre;

constexpr Address kBase = 0x1000'0000'0000;
constexpr Address kLine = kBase / 128; // its number

struct Addresses {
    explicit Addresses(const std::vector<std::string>& settings = {}, bool sends = false, unsigned sm = 0)
        : unit(machine_of(settings), sm, 4, sends, stats) {}

    const PendingAccess& of(const exec::Access& access, ir::Kind kind = ir::Kind::Load) {
        set_group(flight, kind, access.count, access.row[0]);
        flight.id = 0;
        pending.start(flight, access);
        unit.prepare(pending, flight, access);
        return pending;
    }
    const PendingAccess& of_thread(const exec::Access& access, unsigned block, ir::Kind kind = ir::Kind::Load) {
        set_group(flight, kind, 1);
        flight.id = 0;
        pending.start(flight, access);
        unit.prepare_thread(pending, flight, access, block);
        return pending;
    }
    std::vector<Address> lines() const {
        return {pending.line.begin(), pending.line.begin() + pending.lines};
    }

    DataStats stats;
    AddressUnit unit;
    warp::Flight flight;
    PendingAccess pending;
};

TEST(AddressUnit, LinesInOrderOfFirstAppearance) {
    Addresses a;
    const PendingAccess& p = a.of(access_of(In::Global, {kBase + 128, kBase, kBase + 132, kBase + 256}));
    EXPECT_THAT(a.lines(), ElementsAre(kLine + 1, kLine, kLine + 2));
    EXPECT_EQ(p.data_lines, 3);
    EXPECT_EQ(p.bank_cycles, 0);
}

// Of the data cache: n lines take 1 + (n - 1) / 4 cycles, and what is left of a cycle serves the next access.
TEST(AddressUnit, TagsThatAreLookedUpInACycle) {
    Addresses a({"dcache.banks=32", "l1.look_ups=4"});
    const auto strided = [&](unsigned bytes) {
        exec::Access access = access_of(In::Global, {kBase});
        access.count = 32;
        for (unsigned i = 0; i < 32; ++i) {
            access.address[i] = kBase + i * bytes;
            access.row[i] = 0;
            access.lane[i] = static_cast<std::uint8_t>(i);
        }
        access.global = 0xffffffff;
        return a.of(access).bank_cycles;
    };
    EXPECT_EQ(strided(4), 1);
    unsigned cycles = 0;
    for (unsigned i = 0; i < 4; ++i)
        cycles += strided(132); // 32 lines, no conflict of banks: 8.75 cycles
    EXPECT_EQ(cycles, 35U);
    EXPECT_EQ(strided(128), 32); // all in one bank
}

TEST(AddressUnit, BytesThatTheDataCacheMovesInACycle) {
    Addresses a({"dcache.banks=32", "l1.bytes=8"});
    EXPECT_EQ(a.of(access_of(In::Global, {kBase, kBase + 4, kBase + 8, kBase + 12, kBase + 16})).bank_cycles, 3);
    EXPECT_EQ(a.of(access_of(In::Global, {kBase, kBase, kBase, kBase})).bank_cycles, 2);
}

TEST(AddressUnit, SectorsOfLines) {
    Addresses a(fermi({"l1.sector=32", "dcache.allocate=fill", "dcache.mshrs=16", "llc.size=1MiB"}));
    const PendingAccess& p = a.of(access_of(In::Global, {kBase + 130, kBase, kBase + 96, kBase + 255}));
    EXPECT_THAT(a.lines(), ElementsAre(kLine + 1, kLine));
    EXPECT_EQ(p.sectors[0], 0b1001);
    EXPECT_EQ(p.sectors[1], 0b1001);
}

TEST(AddressUnit, SectorsOfAddressesThatRise) {
    Addresses a(fermi({"l1.sector=32", "dcache.allocate=fill", "dcache.mshrs=16", "llc.size=1MiB"}));
    const auto sectors = [&](std::initializer_list<Address> addresses, unsigned bytes = 4) {
        exec::Access access = access_of(In::Global, addresses, bytes);
        access.ascends = true;
        return a.of(access).sectors[0];
    };
    EXPECT_EQ(sectors({kBase + 28, kBase + 32, kBase + 36}), 0b0011);
    EXPECT_EQ(sectors({kBase + 64, kBase + 64, kBase + 64}), 0b0100);
    EXPECT_EQ(sectors({kBase, kBase + 64, kBase + 96}), 0b1101); // a gap
    EXPECT_EQ(sectors({kBase + 16, kBase + 32, kBase + 48, kBase + 64}, 16), 0b0111);
}

// What stores carry, by line; at most a line. Not worked out where none is sent on.
TEST(AddressUnit, BytesThatAStoreCarries) {
    Addresses a({}, true);
    const PendingAccess& p = a.of(store_of(In::Global, {kBase, kBase + 8, kBase + 128}, 8));
    EXPECT_EQ(p.bytes[0], 16);
    EXPECT_EQ(p.bytes[1], 8);
    a.of(store_of(In::Global, {kBase, kBase, kBase, kBase, kBase, kBase, kBase, kBase, kBase}, 16));
    EXPECT_EQ(p.bytes[0], 128);
}

TEST(AddressUnit, OperationsOnTheBusiestWordOfAnAtomic) {
    Addresses a;
    const PendingAccess& p = a.of(atomic_of(In::Global, {kBase, kBase + 4, kBase + 4, kBase + 128}));
    EXPECT_EQ(p.operations, 2);
    EXPECT_EQ(p.bytes[0], 12);
    EXPECT_EQ(p.bytes[1], 4);
}

TEST(AddressUnit, SharedMemory) {
    Addresses a({"shared.latency=26"});
    const PendingAccess& p = a.of(access_of(In::Shared, {0, 128, 4}));
    EXPECT_EQ(p.lines, 0);
    EXPECT_EQ(p.bank_cycles, 2);
    EXPECT_EQ(p.latency, 26);
    a.of(store_of(In::Shared, {0, 4}));
    EXPECT_EQ(p.bank_cycles, 1);
    EXPECT_EQ(p.latency, 1); // nothing waits for it
    EXPECT_EQ(a.stats.shared_accesses, 2U);
    EXPECT_EQ(a.stats.shared_cycles, 3U);
}

// A bank a lane, a word a cycle: 16 bytes of a thread are four.
TEST(AddressUnit, PrivateMemory) {
    Addresses a;
    EXPECT_EQ(a.of(access_of(In::Local, {0, 8, 16}, 4)).bank_cycles, 1);
    EXPECT_EQ(a.of(access_of(In::Local, {112, 112}, 16)).bank_cycles, 4);
    EXPECT_EQ(a.pending.lines, 0);
    EXPECT_EQ(a.stats.private_cycles, 5U);
    EXPECT_EQ(a.stats.spilled_accesses, 0U);
}

// 128 bytes of a thread are on chip. Word w of what is beyond lies side by side for all threads of the SM, so that 32
// lanes of a row touch one line; those of the next row the next, and the next word is 1024 words = 32 lines further.
TEST(AddressUnit, SpilledLocalMemory) {
    Addresses a;
    exec::Access access = access_of(In::Local, {});
    for (unsigned lane = 0; lane < 32; ++lane) {
        access.address[lane] = 128;
        access.lane[lane] = static_cast<std::uint8_t>(lane);
        access.row[lane] = 0;
    }
    access.count = 32;
    access.local = first_lanes(32);
    a.of(access);
    ASSERT_EQ(a.pending.lines, 1);
    const Address first = a.pending.line[0];
    EXPECT_TRUE(AddressUnit::is_spilled(first << 7));
    EXPECT_FALSE(AddressUnit::is_spilled(kBase));
    EXPECT_EQ(a.stats.spilled_accesses, 32U);
    EXPECT_EQ(a.stats.threads, 32U);
    EXPECT_EQ(a.of(access_of(In::Local, {128}, 4, 1)).line[0], first + 1);
    EXPECT_EQ(a.of(access_of(In::Local, {132})).line[0], first + 32);
    EXPECT_EQ(a.of(access_of(In::Local, {124}, 8)).lines, 1); // its second word is beyond

    // The four words of 16 bytes are on four lines, each that of the word alone.
    access.bytes = 16;
    a.of(access);
    EXPECT_THAT(a.lines(), ElementsAre(first, first + 32, first + 64, first + 96));
    EXPECT_EQ(a.pending.data_lines, 4);
    EXPECT_EQ(a.stats.bytes, 32U * 4 + 4 + 4 + 4 + 32 * 16);

    Addresses other({}, false, 1); // another SM has memory of its own
    EXPECT_NE(other.of(access_of(In::Local, {128})).line[0], first);
}

// Threads of one instruction may be in private memory and beyond it.
TEST(AddressUnit, PartlySpilled) {
    Addresses a;
    const PendingAccess& p = a.of(access_of(In::Local, {0, 128}));
    EXPECT_EQ(p.bank_cycles, 1);
    EXPECT_EQ(p.data_lines, 1);
}

TEST(AddressUnit, ConstantsBehindTheLinesOfTheDataCache) {
    Addresses a({"ccache.size=1KiB", "ccache.line=64", "ccache.latency=5"});
    exec::Access access = access_of(In::Global, {kBase, kBase + 64, kBase + 128});
    access.global = 0b001;
    access.constant = 0b110;
    const PendingAccess& p = a.of(access);
    EXPECT_EQ(p.data_lines, 1);
    EXPECT_THAT(a.lines(), ElementsAre(kLine, kBase / 64 + 1, kBase / 64 + 2));
    EXPECT_EQ(p.latency, 5);
    Addresses without; // lines of 128 bytes
    without.of(access);
    EXPECT_THAT(without.lines(), ElementsAre(kLine, kLine + 1));
    EXPECT_EQ(without.pending.data_lines, 2);
}

// An access has room for a line a thread: 32 threads with 16 bytes each on a line of their own, and 32 constants.
TEST(AddressUnit, SpilledWordsLeaveRoomForConstants) {
    Addresses a({"ccache.size=8KiB", "ccache.line=64", "core.width=64"});
    exec::Access access = access_of(In::Local, {}, 16);
    access.count = 64;
    for (unsigned i = 0; i < 64; ++i) {
        access.address[i] = i < 32 ? 128 + 16 * i : kBase + 64 * i;
        access.lane[i] = static_cast<std::uint8_t>(i);
        access.row[i] = 0;
    }
    access.local = first_lanes(32);
    access.constant = ~access.local;
    a.of(access);
    EXPECT_EQ(a.pending.data_lines, 32);
    EXPECT_EQ(a.pending.lines, 64);
}

// A word of 16 threads is half a line: the next one may lie on the same.
TEST(AddressUnit, SpilledWordsOfFewThreads) {
    Addresses a({"core.threads=16", "core.width=16"});
    a.of(access_of(In::Local, {128}, 16));
    EXPECT_EQ(a.pending.lines, 1);
}

TEST(AddressUnit, TexelsOnTheLinesOfTheirCache) {
    Addresses a({"tcache.size=1KiB", "tcache.line=64", "tcache.latency=9"});
    exec::Access access = access_of(In::Global, {kBase});
    access.global = 0;
    access.texels = {kBase, kBase + 64, kBase + 4, kBase + 128};
    const PendingAccess& p = a.of(access, ir::Kind::Texture);
    EXPECT_TRUE(p.texels);
    EXPECT_EQ(p.lines, 3);
    EXPECT_EQ(p.data_lines, 0);
    EXPECT_EQ(p.latency, 9);
    EXPECT_THAT(a.unit.texture_lines(0), ElementsAre(kBase / 64, kBase / 64 + 1, kBase / 64 + 2));
    EXPECT_EQ(a.stats.loads, 1U);
}

// Banks 0, 1, 0, 0 of four: three cycles for bank 0, in which four lines are looked up two at a time.
TEST(AddressUnit, WordsOfABankedDataCache) {
    Addresses a({"dcache.banks=4"});
    const PendingAccess& p = a.of(access_of(In::Global, {kBase, kBase + 132, kBase + 256, kBase + 384}));
    EXPECT_EQ(p.bank_cycles, 3);
    EXPECT_EQ(p.per_cycle, 2);
    EXPECT_EQ(a.stats.bank_conflicts, 2U);
}

// Threads of a bundle. Windows of different blocks are different words, and each begins at the first bank: one has room
// for 256 bytes, two rounds of 32 words, and one more round.
TEST(AddressUnit, AThreadOfABundle) {
    Addresses a({"shared.size=256", "shared.latency=26"});
    EXPECT_EQ(a.of_thread(access_of(In::Shared, {8}), 0).thread.address, 8U);
    EXPECT_EQ(a.of_thread(access_of(In::Shared, {8}), 2).thread.address, 2U * 3U * 128U + 8U);
    EXPECT_EQ(a.pending.latency, 26);
    EXPECT_EQ(a.pending.thread.memory, ThreadAccess::Memory::Shared);
    EXPECT_EQ(a.of_thread(access_of(In::Global, {kBase + 4}), 0).thread.memory, ThreadAccess::Memory::Data);
    EXPECT_THAT(a.lines(), ElementsAre(kLine));
    EXPECT_EQ(a.of_thread(access_of(In::Local, {0}), 0).thread.memory, ThreadAccess::Memory::Private);
    EXPECT_EQ(a.of_thread(access_of(In::Local, {128}), 0).thread.memory, ThreadAccess::Memory::Data);
    EXPECT_EQ(a.stats.spilled_accesses, 1U);
    EXPECT_EQ(a.stats.threads, 2U); // global, and beyond on-chip memory
}

} // namespace
} // namespace heddle::sm::test
