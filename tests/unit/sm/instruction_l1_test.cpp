// The instruction cache of an SM behind those of its sub-cores: 39 cycles to it and 39 back, one of each a cycle.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rig.h"
#include "sm/frame/code_address.h"
#include "sm/frame/fetch_unit.h"

namespace heddle::sm::test::instruction_l1 {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;
using ::testing::SizeIs;

constexpr Address line(unsigned n) {
    return Address{n} * 128;
}

std::vector<std::string> settings(std::vector<std::string> more) {
    std::vector<std::string> out{"core.model=scoreboard", "icache.line=128",     "icache.size=1KiB",
                                 "icache.mshrs=4",        "icache_l1.size=4KiB", "icache_l1.line=128",
                                 "icache_l1.request=39",  "icache_l1.reply=39",  "icache_l1.mshrs=2"};
    for (const char* const work :
         {"int_add", "int_max", "int_mul", "int_mad", "int_div", "fp32_add", "fp32_max", "fp32_mul", "fp32_mad",
          "fp32_div", "fp64_add", "fp64_max", "fp64_mul", "fp64_mad", "fp64_div", "logic", "special", "shuffle"})
        out.push_back(std::string("pipe.all.") + work + "=1/1");
    out.insert(out.end(), more.begin(), more.end());
    return out;
}

struct L1 {
    explicit L1(const std::vector<std::string>& more = {})
        : machine(machine_of(settings(more))), port(machine),
          cache(machine.get<InstructionL1Config>(), port, wheel, 4, 8) {}

    // Runs the wheel up to a cycle. Returns the requests that came back, with their cycles.
    std::vector<std::pair<unsigned, Cycle>> run_to(Cycle until) {
        std::vector<std::pair<unsigned, Cycle>> out;
        while (wheel.next() <= until) {
            const Cycle at = wheel.next();
            wheel.run(at, [&](LatencyWheel::Item item) {
                if (cache.arrived(item - 4U, at))
                    out.emplace_back(item - 4U, at);
            });
        }
        return out;
    }

    config::Machine machine;
    MemoryPort port;
    LatencyWheel wheel{12};
    InstructionL1 cache;
};

TEST(InstructionL1, AMissGoesToMemoryAndAHitDoesNot) {
    L1 l;
    l.cache.request(0, line(5), 7, 100);
    EXPECT_THAT(l.run_to(1000), SizeIs(0));
    const auto requests = asked(l.port);
    ASSERT_THAT(requests, SizeIs(1));
    EXPECT_EQ(requests[0].sent, 139U);
    EXPECT_EQ(requests[0].address, line(5));
    EXPECT_EQ(requests[0].requester, mem::Requester::Instruction);
    l.cache.fill(requests[0].id, 1000);
    EXPECT_THAT(l.run_to(2000), ElementsAre(Pair(0, 1039)));
    l.cache.request(3, line(5), 7, 2000);
    EXPECT_THAT(l.run_to(3000), ElementsAre(Pair(3, 2078)));
    EXPECT_THAT(asked(l.port), SizeIs(0));
}

TEST(InstructionL1, OneRequestAndOneAnswerPassInACycle) {
    L1 l;
    l.cache.request(0, line(5), 0, 100);
    l.cache.request(1, line(5), 0, 100);
    l.cache.request(2, line(5), 0, 100);
    EXPECT_THAT(l.run_to(500), SizeIs(0));
    const auto requests = asked(l.port);
    ASSERT_THAT(requests, SizeIs(1)); // they merge
    l.cache.fill(requests[0].id, 500);
    EXPECT_THAT(l.run_to(1000), ElementsAre(Pair(0, 539), Pair(1, 540), Pair(2, 541)));
    l.cache.request(0, line(5), 0, 1000);
    l.cache.request(1, line(5), 0, 1000);
    EXPECT_THAT(l.run_to(2000), ElementsAre(Pair(0, 1078), Pair(1, 1079)));
}

TEST(InstructionL1, RequestsWithoutAnEntryTryAgain) {
    L1 l; // two entries
    l.cache.request(0, line(1), 0, 0);
    l.cache.request(1, line(2), 0, 0);
    l.cache.request(2, line(3), 0, 0);
    EXPECT_THAT(l.run_to(100), SizeIs(0));
    const auto first = asked(l.port);
    ASSERT_THAT(first, SizeIs(2));
    l.cache.fill(first[0].id, 200);
    const auto then = asked(l.port);
    ASSERT_THAT(then, SizeIs(1));
    EXPECT_EQ(then[0].address, line(3));
    EXPECT_EQ(then[0].sent, 200U);
}

TEST(InstructionL1, RulesOfItsSettings) {
    const auto refused = [](const std::vector<std::string>& more) {
        try {
            (void)machine_of(settings(more));
        } catch (const UserError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    using ::testing::HasSubstr;
    EXPECT_EQ(refused({}), "");
    EXPECT_THAT(refused({"icache.line=64"}), HasSubstr("a request is for a line of both"));
    EXPECT_THAT(refused({"icache.mshrs=0"}), HasSubstr("needs a number of icache.mshrs"));
    EXPECT_THAT(refused({"icache.prefetch=next-line"}), HasSubstr("icache_l1.stream prefetches"));
    EXPECT_THAT(refused({"icache_l1.size=0", "icache_l1.stream=8"}), HasSubstr("icache_l1.size is 0"));
    EXPECT_THAT(refused({"icache_l1.size=0", "icache_l1.launch_bytes=256"}), HasSubstr("launch_bytes needs a cache"));
}

// A fetch unit with a stream buffer of two lines. PCs 0 to 15 are in line 0.
TEST(FetchPath, AStreamBringsTheNextLines) {
    L1 l({"icache.instruction=8"});
    FetchUnit unit(l.machine.get<ICacheConfig>(), false, 4, l.port);
    unit.go_through(std::make_unique<FetchPath>(l.cache, 0, 1, 4, 2, 128));
    UnitSet blocked{4};
    EXPECT_FALSE(unit.fetch(0, 0, 10));
    blocked.insert(0);
    const auto step = [&](Cycle until) {
        std::vector<Cycle> out;
        while (l.wheel.next() <= until) {
            const Cycle at = l.wheel.next();
            l.wheel.run(at, [&](LatencyWheel::Item item) {
                if (l.cache.arrived(item - 4U, at)) {
                    unit.arrived(item - 4U, blocked, at);
                    out.push_back(at);
                }
            });
        }
        return out;
    };
    EXPECT_THAT(step(200), SizeIs(0));
    const auto requests = asked(l.port);
    ASSERT_THAT(requests, SizeIs(2)); // the line and the next one; the third finds no entry
    for (const mem::Request& request : requests)
        l.cache.fill(request.id, 200);
    for (const mem::Request& request : asked(l.port))
        l.cache.fill(request.id, 210);
    EXPECT_THAT(step(300), ElementsAre(239, 240, 249));
    EXPECT_TRUE(blocked.empty());
    EXPECT_TRUE(unit.fetch(0, 0, 300));
    EXPECT_TRUE(unit.fetch(0, 16, 301)); // out of the stream buffer
    EXPECT_TRUE(unit.fetch(0, 17, 302));
    EXPECT_TRUE(unit.fetch(0, 32, 303));
    EXPECT_FALSE(unit.fetch(0, 48, 304)); // requested at 301, not there yet
    EXPECT_EQ(unit.waiting_units(), 1U);
}

TEST(InstructionL1, AFlushDropsWhatIsThere) {
    L1 l;
    l.cache.request(0, line(5), 7, 100);
    l.run_to(139);
    const auto first = asked(l.port);
    ASSERT_THAT(first, SizeIs(1));
    l.cache.fill(first[0].id, 200);
    l.run_to(300);
    l.cache.flush();
    l.cache.request(0, line(5), 7, 400);
    l.run_to(439);
    EXPECT_THAT(asked(l.port), SizeIs(1));
}

// PROGRAM_PREFETCH_SIZE of a launch: whole lines, and no more than the code has.
TEST(InstructionL1, ALaunchFetchesTheBeginOfItsCode) {
    L1 l({"icache_l1.launch_bytes=300"});
    const auto misses = [&](unsigned n, Cycle now) {
        l.cache.request(0, kCodeBase + line(n), 0, now);
        const bool is_hit = l.run_to(now + 78).size() == 1;
        return asked(l.port).size() + (is_hit ? 0 : 1) == 2;
    };
    l.cache.begin(kCodeBase + line(1) + 16, 200);
    EXPECT_FALSE(misses(1, 100));
    EXPECT_FALSE(misses(2, 200));
    EXPECT_TRUE(misses(3, 300)) << "behind the end of the code";
    l.cache.begin(kCodeBase + line(10), 4096);
    EXPECT_FALSE(misses(12, 400));
    EXPECT_TRUE(misses(13, 500)) << "300 bytes are three lines";
    EXPECT_FALSE(misses(1, 600)) << "code of the kernel before stays";
}

// The same code again: its lines are there, unless something has come or gone since.
TEST(InstructionL1, ALaunchOfTheSameCodeFetchesWhatIsGone) {
    L1 l({"icache_l1.launch_bytes=128"});
    const auto hits = [&](Address address, Cycle now) {
        l.cache.request(0, address, 0, now);
        const bool is_hit = l.run_to(now + 78).size() == 1;
        for (const mem::Request& request : asked(l.port))
            l.cache.fill(request.id, now + 80);
        (void)l.run_to(now + 160);
        return is_hit;
    };
    l.cache.begin(kCodeBase, 4096);
    l.cache.flush();
    l.cache.begin(kCodeBase, 4096);
    EXPECT_TRUE(hits(kCodeBase, 0));
    EXPECT_FALSE(hits(kConstantBase, 200));
    EXPECT_TRUE(hits(kConstantBase, 400));
    l.cache.begin(kCodeBase, 4096);
    EXPECT_FALSE(hits(kConstantBase, 600)) << "a launch drops constants";
}

TEST(InstructionL1, ALaunchDropsConstantsAndKeepsCode) {
    L1 l;
    const auto fetch = [&](Address address, Cycle now) {
        l.cache.request(0, address, 0, now);
        (void)l.run_to(now + 39);
        const auto requests = asked(l.port);
        for (const mem::Request& request : requests)
            l.cache.fill(request.id, now + 50);
        (void)l.run_to(now + 90);
        return requests.size();
    };
    EXPECT_EQ(fetch(kCodeBase, 0), 1U);
    EXPECT_EQ(fetch(kConstantBase, 100), 1U);
    EXPECT_EQ(fetch(kConstantBase, 200), 0U);
    l.cache.begin(kCodeBase, 4096);
    EXPECT_EQ(fetch(kCodeBase, 300), 0U);
    EXPECT_EQ(fetch(kConstantBase, 400), 1U);
}

} // namespace
} // namespace heddle::sm::test::instruction_l1
