// Instruction fetch: lines of eight instructions.
#include <gtest/gtest.h>

#include "rig.h"
#include "sm/frame/fetch_unit.h"

namespace heddle::sm::test {
namespace {

struct Fetch {
    explicit Fetch(const std::vector<std::string>& settings = {}, bool ideal = false)
        : machine(machine_of(settings)), port(machine), unit(machine.get<ICacheConfig>(), ideal, 4, port) {}

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
