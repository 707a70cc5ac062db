// The caches of the load/store unit alone: the requests of the data cache by write policy, the reasons of a refusal,
// read-only caches.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../fermi.h"
#include "rig.h"

namespace heddle::sm::test {
namespace {

using mem::DramUse;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr Address kA = 0x1000'0000'0000;
constexpr Address kSpilled = 0x0800'0000'0000;

// Of the first line of unit 2's instruction at PC 5.
PendingAccess start(ir::Kind kind, const exec::Access& access) {
    warp::Flight flight;
    set_group(flight, kind, access.count);
    flight.group.unit = 2;
    flight.group.pc = 5;
    PendingAccess out;
    out.start(flight, access);
    return out;
}

struct Caches {
    explicit Caches(const std::vector<std::string>& settings = {})
        : machine(machine_of(settings)), memory(machine), port(memory), data(machine, 0, port) {}

    LookUp load(Address address, FlightId flight, Cycle now = 0) {
        return data.load(start(ir::Kind::Load, access_of(In::Global, {address})), 0, address >> 7, flight, now);
    }
    LookUp store(Address address, FlightId flight, StoreId sent = 0) {
        PendingAccess access = start(ir::Kind::Store, store_of(In::Global, {address}));
        access.line[0] = address >> 7;
        access.bytes[0] = 4;
        access.sent = sent;
        return data.access(access, 0, flight, stores_sent, 0);
    }
    // All requests that there are come back: the flights that waited.
    std::vector<FlightId> answer_all(Cycle now) {
        std::vector<FlightId> out;
        for (const mem::Request& request : asked(memory))
            if (request.requester == mem::Requester::Data)
                data.fill(
                    reply_to(request), now, [](std::uint32_t) { return false; },
                    [&](std::uint32_t flight) { out.push_back(static_cast<FlightId>(flight)); });
        return out;
    }
    // The requests since the last call.
    std::vector<DramUse> uses() {
        std::vector<DramUse> out;
        for (const mem::Request& request : asked(memory))
            out.push_back(request.use());
        return out;
    }

    config::Machine machine;
    MemoryPort memory;
    CachePort port;
    DataCache data;
    std::uint64_t stores_sent = 0;
};

TEST(DataCache, ALoadMissesThenWaitsThenHits) {
    Caches c;
    EXPECT_EQ(c.load(kA, 1), LookUp::Waits);
    EXPECT_EQ(c.load(kA, 2), LookUp::Waits);
    EXPECT_THAT(c.answer_all(10), ElementsAre(1, 2));
    EXPECT_EQ(c.load(kA, 3), LookUp::Hit);
    EXPECT_THAT(asked(c.memory), IsEmpty());
}

TEST(DataCache, AFillHoldsTheWritePortForItsCycle) {
    Caches c;
    c.load(kA, 1);
    c.answer_all(10);
    EXPECT_FALSE(c.data.is_filled(9));
    EXPECT_TRUE(c.data.is_filled(10));
    EXPECT_FALSE(c.data.is_filled(11));
}

TEST(DataCache, FillsMayHaveAPortOfTheirOwn) {
    Caches c({"dcache.fill_port=false"});
    c.load(kA, 1);
    c.answer_all(10);
    EXPECT_FALSE(c.data.is_filled(10));
}

// A word of sector 1 and one of sector 3.
TEST(DataCache, StoresAndAtomicsCarryWholeSectors) {
    for (const bool has_sectors : {false, true}) {
        std::vector<std::string> settings{"dcache.write=through", "dcache.allocate=fill", "dcache.mshrs=16",
                                          "llc.size=1MiB"};
        if (has_sectors)
            settings.emplace_back("l1.sector=32");
        Caches c(fermi(settings));
        for (const ir::Kind kind : {ir::Kind::Store, ir::Kind::Atomic}) {
            exec::Access words = store_of(In::Global, {kA + 32, kA + 96});
            words.store = kind == ir::Kind::Store;
            words.atomic = !words.store;
            PendingAccess access = start(kind, words);
            access.line[0] = kA >> 7;
            access.bytes[0] = 8;
            access.sectors[0] = 0b1010;
            c.data.access(access, 0, 1, c.stores_sent, 0);
            unsigned carried = 0;
            for (const mem::Request& request : asked(c.memory))
                carried += request.carried; // none, where the store also fetches its line
            EXPECT_EQ(carried, has_sectors ? 64U : 8U);
        }
    }
}

// The access of the store is complete; a load behind it waits for the line.
TEST(DataCache, AStoreThatGoesOn) {
    Caches c({"dcache.store_waits=false"});
    EXPECT_EQ(c.store(kA, 1, kNoStore), LookUp::Hit);
    EXPECT_EQ(c.load(kA, 2), LookUp::Waits);
    EXPECT_THAT(c.answer_all(10), ElementsAre(warp::kNoFlight, 2));
    EXPECT_EQ(c.load(kA, 3), LookUp::Hit);
}

// A dirty line that makes room is written back: one set of one way.
TEST(DataCache, WriteBackWritesADirtyLineWhenItLeaves) {
    Caches c({"dcache.size=128", "dcache.ways=1"});
    EXPECT_EQ(c.store(kA, 1, kNoStore), LookUp::Waits); // write-allocate
    c.answer_all(10);
    EXPECT_EQ(c.store(kA, 2, kNoStore), LookUp::Hit);
    EXPECT_EQ(c.stores_sent, 0U);
    c.load(kA + 128, 3);
    EXPECT_THAT(c.uses(), ElementsAre(DramUse::Write, DramUse::Read));
}

TEST(DataCache, WriteBackWithoutAllocationSendsWhatMisses) {
    Caches c({"dcache.write_allocate=false"});
    EXPECT_TRUE(c.data.may_send_stores());
    EXPECT_EQ(c.store(kA, 1), LookUp::Hit);
    EXPECT_THAT(c.uses(), ElementsAre(DramUse::Write));
    c.load(kA, 2);
    c.answer_all(10);
    EXPECT_EQ(c.store(kA, 3), LookUp::Hit); // into the line
    EXPECT_THAT(c.uses(), IsEmpty());
    EXPECT_EQ(c.stores_sent, 1U);
}

TEST(DataCache, WriteThroughSendsOnAndFetches) {
    Caches c({"dcache.write=through"});
    EXPECT_EQ(c.store(kA, 1), LookUp::Waits);
    EXPECT_THAT(c.answer_all(10), ElementsAre(1));
    EXPECT_EQ(c.store(kA, 2), LookUp::Hit);
    EXPECT_THAT(c.uses(), ElementsAre(DramUse::Write));
    EXPECT_EQ(c.stores_sent, 2U);
}

TEST(DataCache, WriteEvictDropsTheLine) {
    Caches c({"dcache.write=evict"});
    c.load(kA, 1);
    c.answer_all(10);
    EXPECT_EQ(c.store(kA, 2), LookUp::Hit);
    EXPECT_THAT(c.uses(), ElementsAre(DramUse::Write));
    EXPECT_EQ(c.load(kA, 3), LookUp::Waits);
}

// .local variables have a policy of their own.
TEST(DataCache, SpilledLocalMemoryFollowsWriteLocal) {
    Caches c({"dcache.write=evict", "dcache.write_local=back"});
    EXPECT_TRUE(c.data.sends_stores(kA));
    EXPECT_FALSE(c.data.sends_stores(kSpilled));
    EXPECT_EQ(c.store(kSpilled, 1, kNoStore), LookUp::Waits);
    EXPECT_THAT(c.uses(), ElementsAre(DramUse::Read));
    EXPECT_FALSE(Caches().data.may_send_stores());
    EXPECT_TRUE(Caches({"dcache.write_local=evict"}).data.may_send_stores());
}

TEST(DataCache, FlushWritesDirtyLinesInOrder) {
    Caches c({"dcache.flush=kernel"});
    for (const Address address : {kA + 128, kA, kA + 256})
        c.store(address, 1, kNoStore);
    c.answer_all(10);
    c.load(kA + 384, 1);
    c.answer_all(11);
    c.data.flush(20);
    std::vector<Address> written;
    for (const mem::Request& request : asked(c.memory))
        written.push_back(request.address);
    EXPECT_THAT(written, ElementsAre(kA, kA + 128, kA + 256));
    EXPECT_EQ(c.load(kA, 2), LookUp::Waits);
}

TEST(DataCache, AnIdealOneHitsAlways) {
    Caches c({"dcache.ideal=true"});
    EXPECT_EQ(c.load(kA, 1), LookUp::Hit);
    EXPECT_EQ(c.store(kA, 1), LookUp::Hit);
    EXPECT_THAT(asked(c.memory), IsEmpty());
}

// Why a line was refused, which one, and for whose cache.
TEST(CachePort, Refusals) {
    Caches full({"dcache.mshrs=1"});
    full.load(kA, 1);
    EXPECT_EQ(full.load(kA + 128, 2), LookUp::Refused);
    EXPECT_EQ(full.port.refused().why, Refusal::MshrFull);
    EXPECT_EQ(full.port.refused().address, kA + 128);
    EXPECT_EQ(full.port.refused().cache, &full.data.cache());

    Caches merges({"dcache.merges=2"});
    EXPECT_EQ(merges.load(kA, 1), LookUp::Waits);
    EXPECT_EQ(merges.load(kA, 2), LookUp::Waits);
    EXPECT_EQ(merges.load(kA, 3), LookUp::Refused);
    EXPECT_EQ(merges.port.refused().why, Refusal::MshrMergeFull);

    Caches ways({"dcache.size=128", "dcache.ways=1"});
    ways.load(kA, 1);
    EXPECT_EQ(ways.load(kA + 128, 2), LookUp::Refused);
    EXPECT_EQ(ways.port.refused().why, Refusal::SetReserved);
    EXPECT_EQ(asked(ways.memory).size(), 1U);
}

// A full port refuses what has to be sent for, and nothing else: hits go on.
TEST(CachePort, AFullPortRefusesMissesOnly) {
    Caches c({"interconnect.input_flits=2"}); // two read requests
    c.load(kA, 1);
    c.answer_all(10);
    c.load(kA + 128, 2);
    EXPECT_EQ(c.load(kA + 256, 3), LookUp::Refused);
    EXPECT_EQ(c.port.refused().why, Refusal::PortFull);
    EXPECT_EQ(c.load(kA, 4), LookUp::Hit);
    c.memory.set_room(1, 20);
    EXPECT_EQ(c.load(kA + 256, 3), LookUp::Waits);
}

TEST(ReadOnlyCache, NamesItselfToMemoryAndForgetsWhenFlushed) {
    Caches c;
    const PendingAccess load = start(ir::Kind::Texture, access_of(In::Constant, {7 * 64}));
    mem::CacheConfig config{.size = 256, .ways = 2, .line = 64, .latency = 4};
    ReadOnlyCache cache(config, 0, mem::Requester::Texture, c.port);
    EXPECT_EQ(cache.latency(), 4);
    EXPECT_EQ(cache.line_shift(), 6U);
    EXPECT_EQ(cache.load(load, 0, 7, 1, 10), LookUp::Waits);
    const auto requests = asked(c.memory);
    ASSERT_EQ(requests.size(), 1U);
    EXPECT_EQ(requests[0].address, 7U * 64U);
    EXPECT_EQ(requests[0].bytes, 64);
    EXPECT_EQ(requests[0].requester, mem::Requester::Texture);
    EXPECT_EQ(requests[0].pc, 5U);
    std::vector<std::uint32_t> came;
    cache.fill(
        requests[0].id, [&](std::uint32_t flight) { came.push_back(flight); }, 15);
    EXPECT_THAT(came, ElementsAre(1U));
    EXPECT_EQ(cache.load(load, 0, 7, 2, 20), LookUp::Hit);
    cache.flush();
    EXPECT_EQ(cache.load(load, 0, 7, 3, 30), LookUp::Waits);
}

} // namespace
} // namespace heddle::sm::test
