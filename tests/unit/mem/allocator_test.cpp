#include <bit>
#include <random>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "config/parameter.h"
#include "mem/network/allocator.h"
#include "mem/network/config.h"

namespace heddle::mem {
namespace {

// Who asks for what, in the arrays that an allocator reads.
struct Asking {
    explicit Asking(const AllocatorShape& s) : shape(s), since(std::size_t{s.inputs} * s.outputs) {}

    void ask(unsigned input, unsigned output, Cycle at = 0) {
        of_output[output] |= port_bit(input);
        of_input[input] |= port_bit(output);
        since[output * shape.inputs + input] = at;
        inputs |= port_bit(input);
        outputs |= port_bit(output);
    }
    void ask_at_random(std::mt19937_64& random, unsigned times) {
        for (unsigned n = 0; n < times; ++n) {
            const auto input = static_cast<unsigned>(random() % shape.inputs);
            ask(input, static_cast<unsigned>(random() % shape.outputs));
        }
    }
    void ask_all() {
        for (unsigned i = 0; i < shape.inputs; ++i)
            for (unsigned o = 0; o < shape.outputs; ++o)
                ask(i, o);
    }
    Match match(Allocator& allocator) const {
        Match out{};
        allocator.allocate({inputs, outputs, of_output.data(), of_input.data(), since.data()}, out);
        return out;
    }

    AllocatorShape shape;
    std::array<PortMask, kMaxPorts> of_output{}, of_input{};
    std::vector<Cycle> since;
    PortMask inputs = 0, outputs = 0;
};

using Pairs = std::set<std::pair<unsigned, unsigned>>; // input, output

Pairs pairs(const Match& match) {
    Pairs out;
    for (PortMask m = match.outputs; m != 0; m &= m - 1) {
        const auto output = static_cast<unsigned>(std::countr_zero(m));
        out.insert({match.input[output], output});
    }
    return out;
}

// What every allocator must keep to.
class AllocatorContract : public testing::TestWithParam<std::string> {};

TEST_P(AllocatorContract, MatchesFreePortsThatAskForEachOther) {
    std::mt19937_64 random(5);
    for (int round = 0; round < 500; ++round) {
        AllocatorShape shape;
        shape.inputs = 1 + static_cast<unsigned>(random() % 64);
        shape.outputs = 1 + static_cast<unsigned>(random() % 64);
        shape.iterations = 1 + static_cast<unsigned>(random() % 4);
        const auto allocator = crossbar_allocators().make(GetParam(), shape);
        Asking asking(shape);
        asking.ask_at_random(random, 200);
        if (allocator->inputs_contend())
            asking.inputs &= random(); // the others are busy
        asking.outputs &= random();
        if (asking.inputs == 0 || asking.outputs == 0)
            continue;

        PortMask matched = 0;
        for (const auto& [input, output] : pairs(asking.match(*allocator))) {
            EXPECT_NE(asking.inputs & port_bit(input), 0U);
            EXPECT_NE(asking.outputs & port_bit(output), 0U);
            EXPECT_NE(asking.of_output[output] & port_bit(input), 0U);
            EXPECT_TRUE(!allocator->inputs_contend() || (matched & port_bit(input)) == 0);
            matched |= port_bit(input);
        }
    }
}

TEST_P(AllocatorContract, APairAloneIsMatchedInOneIteration) {
    const AllocatorShape shape{64, 64, 1, 0};
    const auto allocator = crossbar_allocators().make(GetParam(), shape);
    for (unsigned i = 0; i < 64; ++i) {
        Asking asking(shape);
        asking.ask(i, 63 - i);
        EXPECT_EQ(pairs(asking.match(*allocator)), (Pairs{{i, 63 - i}}));
    }
}

TEST_P(AllocatorContract, AsManyIterationsAsPortsLeaveNoPairOut) {
    std::mt19937_64 random(6);
    for (int round = 0; round < 200; ++round) {
        const AllocatorShape shape{16, 16, 16, random()};
        const auto allocator = crossbar_allocators().make(GetParam(), shape);
        Asking asking(shape);
        asking.ask_at_random(random, 60);
        const Match match = asking.match(*allocator);
        PortMask inputs = asking.inputs;
        for (const auto& [input, output] : pairs(match))
            inputs &= ~port_bit(input);
        for (unsigned o = 0; o < 16; ++o)
            EXPECT_TRUE((match.outputs & port_bit(o)) != 0 || (asking.of_output[o] & inputs) == 0);
    }
}

INSTANTIATE_TEST_SUITE_P(All, AllocatorContract, testing::ValuesIn(crossbar_allocators().names()),
                         [](const auto& info) { return info.param; });

// McKeown 1999: two inputs that always ask for both outputs. All pointers begin at 0.
TEST(Islip, PointersMoveOnlyWhenAccepted) {
    const AllocatorShape shape{2, 2, 1, 0};
    const auto allocator = crossbar_allocators().make("islip", shape);
    Asking asking(shape);
    asking.ask_all();
    // Both outputs grant input 0; it accepts output 0. Output 0 then prefers input 1, input 0 output 1.
    EXPECT_EQ(pairs(asking.match(*allocator)), (Pairs{{0, 0}}));
    // Output 0 grants input 1, output 1 still input 0. Afterwards output 0 prefers 0 and output 1 prefers 1.
    EXPECT_EQ(pairs(asking.match(*allocator)), (Pairs{{1, 0}, {0, 1}}));
    EXPECT_EQ(pairs(asking.match(*allocator)), (Pairs{{0, 0}, {1, 1}}));
    EXPECT_EQ(pairs(asking.match(*allocator)), (Pairs{{1, 0}, {0, 1}}));
}

TEST(Islip, LaterIterationsMoveNoPointer) {
    const AllocatorShape shape{3, 3, 2, 0};
    const auto allocator = crossbar_allocators().make("islip", shape);
    Asking asking(shape);
    asking.ask_all();
    // All outputs grant input 0, which accepts output 0; then outputs 1 and 2 grant input 1, which accepts output 1.
    EXPECT_EQ(pairs(asking.match(*allocator)), (Pairs{{0, 0}, {1, 1}}));
    // Only output 0 (now input 1) and input 0 (now output 1) prefer others than before: output 0 grants input 1,
    // outputs 1 and 2 input 0, which accepts output 1; then output 2 grants input 2. Had the second iteration moved the
    // pointers of output 1 and input 1 to 2, output 1 would have granted input 2.
    EXPECT_EQ(pairs(asking.match(*allocator)), (Pairs{{1, 0}, {0, 1}, {2, 2}}));
}

TEST(Pim, LotsAreFairAndFollowTheSeed) {
    const AllocatorShape shape{4, 1, 1, 9};
    const auto allocator = crossbar_allocators().make("pim", shape);
    const auto same = crossbar_allocators().make("pim", shape);
    Asking asking(shape);
    asking.ask_all();
    std::array<int, 4> wins{};
    for (int n = 0; n < 4000; ++n) {
        const unsigned winner = asking.match(*allocator).input[0];
        EXPECT_EQ(asking.match(*same).input[0], winner);
        ++wins[winner];
    }
    for (const int n : wins)
        EXPECT_NEAR(n, 1000, 110); // 4 standard deviations: sqrt(4000 / 4 * 3 / 4) = 27.4
}

TEST(Ideal, TakesTheOldestAndAmongEqualsTheLowestInput) {
    const AllocatorShape shape{4, 2, 1, 0};
    const auto allocator = crossbar_allocators().make("ideal", shape);
    Asking asking(shape);
    asking.ask(0, 0, 7);
    asking.ask(2, 0, 5);
    asking.ask(3, 0, 5);
    asking.ask(2, 1, 9);
    EXPECT_EQ(pairs(asking.match(*allocator)), (Pairs{{2, 0}, {2, 1}}));
}

TEST(PacketSize, CountsFlits) {
    const PacketSize size{InterconnectConfig()}; // 32-byte flits, 8 bytes of header
    EXPECT_EQ(size.flits(0), 1U);
    EXPECT_EQ(size.flits(24), 1U);
    EXPECT_EQ(size.flits(25), 2U);
    EXPECT_EQ(size.flits(128), 5U); // 136 bytes
    InterconnectConfig bare;
    bare.header_bytes = 0;
    EXPECT_EQ(PacketSize(bare).flits(0), 1U);
    EXPECT_EQ(PacketSize(bare).flits(128), 4U);
}

TEST(InterconnectConfig, TakesAnyRegisteredAllocator) {
    for (const std::string& name : crossbar_allocators().names()) {
        const std::string override = "interconnect.allocator=" + name;
        EXPECT_EQ(config::Machine::defaults({{override}}).get<InterconnectConfig>().allocator, name);
    }
    EXPECT_THROW(config::Machine::defaults({{std::string("interconnect.allocator=islap")}}), UserError);
}

} // namespace
} // namespace heddle::mem
