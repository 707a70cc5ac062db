// Instruction fetch: lines of eight instructions.
#include <gtest/gtest.h>

#include "rig.h"
#include "sm/frame/fetch_unit.h"
#include "stats/snapshot.h"

namespace heddle::sm::test {
namespace {

struct Fetch {
    explicit Fetch(const std::vector<std::string>& settings = {}, bool ideal = false, unsigned sm = 0)
        : machine(machine_of(settings)), port(machine), unit(machine.get<ICacheConfig>(), ideal, 4, port, sm) {}

    // What a core does: a unit that has no instruction is blocked.
    bool fetch(UnitId u, Pc pc, Cycle now = 0) {
        const bool there = unit.fetch(u, pc, now);
        if (!there)
            blocked.insert(u);
        return there;
    }
    void fill(const mem::Request& request) {
        unit.fill(request.id, blocked);
    }

    std::uint64_t counter(const std::string& name) {
        stats::Tree tree;
        unit.add_statistics(tree);
        return tree.snapshot().counter("icache." + name);
    }

    config::Machine machine;
    MemoryPort port;
    FetchUnit unit;
    UnitSet blocked{4};
};

TEST(FetchUnit, MissesOfOneLineMerge) {
    Fetch f;
    EXPECT_FALSE(f.fetch(0, 0, 10));
    EXPECT_FALSE(f.fetch(1, 7, 11));
    EXPECT_EQ(f.unit.waiting_units(), 2U);
    const auto requests = asked(f.port);
    ASSERT_EQ(requests.size(), 1U);
    EXPECT_EQ(requests[0].requester, mem::Requester::Instruction);
    EXPECT_EQ(requests[0].bytes, 64);
    EXPECT_EQ(requests[0].sent, 10U);
    EXPECT_EQ(requests[0].pc, 0U);
    EXPECT_EQ(requests[0].kind, mem::AccessKind::Fetch);
    f.fill(requests[0]);
    EXPECT_TRUE(f.blocked.empty());
    EXPECT_EQ(f.unit.waiting_units(), 0U);
    EXPECT_TRUE(f.fetch(0, 0));
    EXPECT_TRUE(f.fetch(1, 7));
    EXPECT_TRUE(f.fetch(2, 3));
    EXPECT_FALSE(f.fetch(2, 8)); // the next line
    EXPECT_EQ(f.counter("hits"), 3U);
    EXPECT_EQ(f.counter("misses"), 2U);
}

// A cache of one line: unit 1 claims its place before unit 0 has fetched. Unit 0 has its instruction all the same,
// once.
TEST(FetchUnit, AUnitHasTheInstructionThatCameForIt) {
    Fetch f({"icache.size=64", "icache.ways=1"});
    f.fetch(0, 0);
    f.fill(asked(f.port).at(0));
    EXPECT_FALSE(f.fetch(1, 8));
    EXPECT_TRUE(f.fetch(0, 0));
    EXPECT_FALSE(f.fetch(0, 0));
}

// One entry: unit 1 cannot send for its line, and tries again after any fill.
TEST(FetchUnit, ALineThatCannotBeSentFor) {
    Fetch f({"icache.mshrs=1"});
    f.fetch(0, 0, 10);
    EXPECT_FALSE(f.fetch(1, 8, 11));
    EXPECT_EQ(f.unit.waiting_units(), 2U);
    const auto requests = asked(f.port);
    ASSERT_EQ(requests.size(), 1U);
    f.fill(requests[0]);
    EXPECT_FALSE(f.blocked.contains(1));
    EXPECT_EQ(f.unit.waiting_units(), 0U);
    EXPECT_FALSE(f.fetch(1, 8, 50));
    EXPECT_EQ(asked(f.port).size(), 1U);
}

// Unit 0 waits for the first line and goes to the second: the first neither wakes it nor serves its next fetch.
TEST(FetchUnit, AUnitThatGoesElsewhere) {
    Fetch f;
    f.fetch(0, 0);
    f.unit.go_elsewhere(0, 8, f.blocked);
    EXPECT_FALSE(f.blocked.contains(0));
    EXPECT_EQ(f.unit.waiting_units(), 0U);
    EXPECT_FALSE(f.fetch(0, 8));
    EXPECT_EQ(f.unit.waiting_units(), 1U);
    const auto requests = asked(f.port);
    ASSERT_EQ(requests.size(), 2U);
    f.fill(requests[0]);
    EXPECT_TRUE(f.blocked.contains(0));
    f.fill(requests[1]);
    EXPECT_FALSE(f.blocked.contains(0));
    EXPECT_EQ(f.unit.waiting_units(), 0U);
    EXPECT_TRUE(f.fetch(0, 8));
}

// Its first wait and its second are entries of one miss: it is served once.
TEST(FetchUnit, AUnitThatComesBackToTheLine) {
    Fetch f({"icache.size=64", "icache.ways=1"});
    f.fetch(0, 0);
    f.unit.go_elsewhere(0, 8, f.blocked);
    EXPECT_FALSE(f.fetch(0, 0));
    f.fill(asked(f.port).at(0));
    EXPECT_FALSE(f.blocked.contains(0));
    EXPECT_EQ(f.unit.waiting_units(), 0U);
    EXPECT_TRUE(f.fetch(0, 0));
    EXPECT_FALSE(f.fetch(1, 8)); // which takes the place of the first line
    EXPECT_FALSE(f.fetch(0, 0));
}

// The line came for a unit that has ended. The next unit with its number begins in another line, which is missing.
TEST(FetchUnit, ALineServesOnlyItsInstructions) {
    Fetch f;
    f.fetch(0, 0);
    f.fill(asked(f.port).at(0));
    EXPECT_FALSE(f.fetch(0, 8));
}

// A line that could not be requested.
TEST(FetchUnit, AUnitThatGoesElsewhereBeforeItsRequest) {
    Fetch f({"icache.mshrs=1"});
    f.fetch(0, 0);
    f.fetch(1, 8);
    f.unit.go_elsewhere(1, 0, f.blocked);
    EXPECT_FALSE(f.blocked.contains(1));
    EXPECT_EQ(f.unit.waiting_units(), 1U);
    f.fill(asked(f.port).at(0));
    EXPECT_EQ(f.unit.waiting_units(), 0U);
    EXPECT_TRUE(f.fetch(1, 0));
}

// The hits of 64 fetches of eight lines in turn, with room for four lines in one set.
std::vector<bool> hits_of(unsigned sm) {
    Fetch f({"icache.size=256", "icache.ways=4", "icache.replacement=random"}, false, sm);
    std::vector<bool> out;
    for (unsigned n = 0; n < 64; ++n) {
        out.push_back(f.fetch(0, n % 8 * 8));
        if (!out.back()) {
            f.fill(asked(f.port).at(0));
            f.fetch(0, n % 8 * 8);
        }
    }
    return out;
}

// As in data caches (mem/cache/replacement.h).
TEST(FetchUnit, TheCacheOfEachSmDrawsLotsOfItsOwn) {
    EXPECT_EQ(hits_of(3), hits_of(3));
    EXPECT_NE(hits_of(0), hits_of(1));
}

TEST(FetchUnit, NoRoomOnTheWayToMemory) {
    Fetch f({"interconnect.input_flits=1"});
    f.fetch(0, 0);
    EXPECT_FALSE(f.fetch(1, 8));
    EXPECT_EQ(f.counter("port_full"), 1U);
    EXPECT_EQ(asked(f.port).size(), 1U);
    f.port.set_room(1, 20);
    f.unit.retry(f.blocked);
    EXPECT_FALSE(f.blocked.contains(1));
    EXPECT_TRUE(f.blocked.contains(0)); // its line is on its way
    EXPECT_FALSE(f.fetch(1, 8, 20));
    EXPECT_EQ(asked(f.port).size(), 1U);
}

TEST(FetchUnit, AnIdealOneHasEveryInstruction) {
    Fetch f({}, true);
    EXPECT_TRUE(f.fetch(0, 1000));
    EXPECT_TRUE(asked(f.port).empty());
}

} // namespace
} // namespace heddle::sm::test
