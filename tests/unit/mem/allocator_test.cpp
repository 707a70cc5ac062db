#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "config/parameter.h"
#include "mem/network/allocator.h"
#include "mem/network/config.h"

namespace heddle::mem {
namespace {

// The requests of inputs for outputs, in the arrays that an allocator reads.
template <class PortMask = Ports64>
struct Asking {
    explicit Asking(const AllocatorShape& s) : shape(s), since(std::size_t{s.inputs} * s.outputs) {}

    void ask(unsigned input, unsigned output, Cycle at = 0) {
        of_output[output].insert(input);
        of_input[input].insert(output);
        since[output * shape.inputs + input] = at;
        inputs.insert(input);
        outputs.insert(output);
    }
    void ask_at_random(std::mt19937_64& random, unsigned times) {
        for (unsigned n = 0; n < times; ++n) {
            const auto input = static_cast<unsigned>(random() % shape.inputs);
            ask(input, static_cast<unsigned>(random() % shape.outputs), random() % 16);
        }
    }
    void ask_all() {
        for (unsigned i = 0; i < shape.inputs; ++i)
            for (unsigned o = 0; o < shape.outputs; ++o)
                ask(i, o);
    }
    // About half of the ports are busy: of the inputs only where they contend.
    void make_busy(std::mt19937_64& random, bool inputs_contend) {
        for (unsigned i = 0; i < PortMask::kSize; ++i) {
            if (inputs_contend && random() % 2 == 0)
                inputs.erase(i);
            if (random() % 2 == 0)
                outputs.erase(i);
        }
    }
    Match<PortMask> match(Allocator<PortMask>& allocator) const {
        Match<PortMask> out{};
        allocator.allocate({inputs, outputs, of_output.data(), of_input.data(), since.data()}, out);
        return out;
    }

    AllocatorShape shape;
    std::array<PortMask, PortMask::kSize> of_output{}, of_input{};
    std::vector<Cycle> since;
    PortMask inputs, outputs;
};

using Pairs = std::set<std::pair<unsigned, unsigned>>; // input, output

template <class PortMask>
Pairs pairs(const Match<PortMask>& match) {
    Pairs out;
    match.outputs.for_each([&](unsigned output) { out.insert({match.input[output], output}); });
    return out;
}

// What every allocator must keep to, with masks of each size.
class AllocatorContract : public testing::TestWithParam<std::string> {
protected:
    template <class F>
    static void with_each_size(F&& f) {
        f.template operator()<Ports64>();
        f.template operator()<Ports256>();
        f.template operator()<Ports1024>();
    }
};

TEST_P(AllocatorContract, MatchesFreePortsThatAskForEachOther) {
    with_each_size([]<class PortMask>() {
        std::mt19937_64 random(5);
        for (int round = 0; round < 200; ++round) {
            AllocatorShape shape;
            shape.inputs = 1 + static_cast<unsigned>(random() % PortMask::kSize);
            shape.outputs = 1 + static_cast<unsigned>(random() % PortMask::kSize);
            shape.iterations = 1 + static_cast<unsigned>(random() % 4);
            const auto allocator = crossbar_allocators<PortMask>().make(GetParam(), shape);
            Asking<PortMask> asking(shape);
            asking.ask_at_random(random, 3 * PortMask::kSize);
            asking.make_busy(random, allocator->inputs_contend());
            if (asking.inputs.empty() || asking.outputs.empty())
                continue;

            PortMask matched;
            for (const auto& [input, output] : pairs(asking.match(*allocator))) {
                EXPECT_TRUE(asking.inputs.contains(input));
                EXPECT_TRUE(asking.outputs.contains(output));
                EXPECT_TRUE(asking.of_output[output].contains(input));
                EXPECT_TRUE(!allocator->inputs_contend() || !matched.contains(input));
                matched.insert(input);
            }
        }
    });
}

TEST_P(AllocatorContract, APairAloneIsMatchedInOneIteration) {
    with_each_size([]<class PortMask>() {
        constexpr unsigned kPorts = PortMask::kSize;
        const AllocatorShape shape{kPorts, kPorts, 1, 0};
        const auto allocator = crossbar_allocators<PortMask>().make(GetParam(), shape);
        for (unsigned i = 0; i < kPorts; i += kPorts / 64 + 1) {
            Asking<PortMask> asking(shape);
            asking.ask(i, kPorts - 1 - i);
            EXPECT_EQ(pairs(asking.match(*allocator)), (Pairs{{i, kPorts - 1 - i}}));
        }
    });
}

TEST_P(AllocatorContract, AsManyIterationsAsPortsLeaveNoPairOut) {
    with_each_size([]<class PortMask>() {
        constexpr unsigned kPorts = PortMask::kSize / 4;
        std::mt19937_64 random(6);
        for (int round = 0; round < 50; ++round) {
            const AllocatorShape shape{kPorts, kPorts, kPorts, random()};
            const auto allocator = crossbar_allocators<PortMask>().make(GetParam(), shape);
            Asking<PortMask> asking(shape);
            asking.ask_at_random(random, 4 * kPorts);
            const Match<PortMask> match = asking.match(*allocator);
            PortMask inputs = asking.inputs;
            for (const auto& [input, output] : pairs(match))
                inputs.erase(input);
            for (unsigned o = 0; o < kPorts; ++o)
                EXPECT_TRUE(match.outputs.contains(o) || (asking.of_output[o] & inputs).empty());
        }
    });
}

INSTANTIATE_TEST_SUITE_P(All, AllocatorContract, testing::ValuesIn(crossbar_allocators().names()),
                         [](const auto& info) { return info.param; });

// McKeown 1999: two inputs that always request both outputs. All pointers begin at 0.
TEST(Islip, PointersMoveOnlyWhenAccepted) {
    const AllocatorShape shape{2, 2, 1, 0};
    const auto allocator = crossbar_allocators().make("islip", shape);
    Asking<> asking(shape);
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
    Asking<> asking(shape);
    asking.ask_all();
    // All outputs grant input 0, which accepts output 0; then outputs 1 and 2 grant input 1, which accepts output 1.
    EXPECT_EQ(pairs(asking.match(*allocator)), (Pairs{{0, 0}, {1, 1}}));
    // Only output 0 (now input 1) and input 0 (now output 1) prefer others than before: output 0 grants input 1,
    // outputs 1 and 2 input 0, which accepts output 1; then output 2 grants input 2. Had the second iteration moved the
    // pointers of output 1 and input 1 to 2, output 1 would have granted input 2.
    EXPECT_EQ(pairs(asking.match(*allocator)), (Pairs{{1, 0}, {0, 1}, {2, 2}}));
}

// iSLIP as the paper puts it, port by port.
class ReferenceIslip {
public:
    explicit ReferenceIslip(const AllocatorShape& s) : shape_(s), grant_(s.outputs), accept_(s.inputs) {}

    template <class PortMask>
    Pairs match(const Asking<PortMask>& asking) {
        Pairs out;
        std::set<unsigned> inputs, outputs; // matched
        for (unsigned round = 0; round < shape_.iterations; ++round) {
            std::map<unsigned, std::set<unsigned>> granted; // by input
            for (unsigned o = 0; o < shape_.outputs; ++o) {
                if (!asking.outputs.contains(o) || outputs.contains(o))
                    continue;
                for (unsigned n = 0; n < shape_.inputs; ++n)
                    if (const unsigned i = (grant_[o] + n) % shape_.inputs;
                        asking.of_output[o].contains(i) && asking.inputs.contains(i) && !inputs.contains(i)) {
                        granted[i].insert(o);
                        break;
                    }
            }
            for (const auto& [i, grants] : granted) {
                unsigned o = accept_[i];
                while (!grants.contains(o))
                    o = (o + 1) % shape_.outputs;
                out.insert({i, o});
                inputs.insert(i);
                outputs.insert(o);
                if (round == 0) {
                    grant_[o] = (i + 1) % shape_.inputs;
                    accept_[i] = (o + 1) % shape_.outputs;
                }
            }
        }
        return out;
    }

private:
    AllocatorShape shape_;
    std::vector<unsigned> grant_, accept_;
};

TEST(Islip, MatchesAsThePaperDoesOnNetworksOfAnySize) {
    for (const AllocatorShape shape :
         {AllocatorShape{15, 12, 2, 0}, {65, 64, 1, 0}, {144, 96, 2, 0}, {300, 1000, 1, 0}})
        with_ports(std::max(shape.inputs, shape.outputs), [&]<class PortMask>() {
            const auto allocator = crossbar_allocators<PortMask>().make("islip", shape);
            ReferenceIslip reference(shape);
            std::mt19937_64 random(7);
            for (int round = 0; round < 20; ++round) {
                Asking<PortMask> asking(shape);
                asking.ask_at_random(random, 3 * shape.inputs);
                asking.make_busy(random, true);
                if (asking.inputs.any() && asking.outputs.any()) {
                    ASSERT_EQ(pairs(asking.match(*allocator)), reference.match(asking)) << "round " << round;
                }
            }
        });
}

TEST(Ideal, ServesTheOldestOnNetworksOfAnySize) {
    for (const AllocatorShape shape : {AllocatorShape{15, 12, 1, 0}, {144, 96, 1, 0}, {700, 1000, 1, 0}})
        with_ports(std::max(shape.inputs, shape.outputs), [&]<class PortMask>() {
            const auto allocator = crossbar_allocators<PortMask>().make("ideal", shape);
            std::mt19937_64 random(8);
            Asking<PortMask> asking(shape);
            asking.ask_at_random(random, 5 * shape.inputs);
            Pairs expected;
            asking.outputs.for_each([&](unsigned o) {
                std::vector<std::pair<Cycle, unsigned>> order;
                asking.of_output[o].for_each(
                    [&](unsigned i) { order.emplace_back(asking.since[std::size_t{o} * shape.inputs + i], i); });
                expected.insert({std::min_element(order.begin(), order.end())->second, o});
            });
            EXPECT_EQ(pairs(asking.match(*allocator)), expected);
        });
}

// A wide network's lots: each of 130 inputs has the same chance.
TEST(Pim, LotsAreFairOnAWideNetwork) {
    const AllocatorShape shape{130, 1, 1, 9};
    const auto allocator = crossbar_allocators<Ports256>().make("pim", shape);
    Asking<Ports256> asking(shape);
    asking.ask_all();
    std::vector<int> wins(130);
    for (int n = 0; n < 130000; ++n)
        ++wins[asking.match(*allocator).input[0]];
    for (const int n : wins)
        EXPECT_NEAR(n, 1000, 160); // 5 standard deviations of 31.5
}

TEST(Pim, LotsAreFairAndFollowTheSeed) {
    const AllocatorShape shape{4, 1, 1, 9};
    const auto allocator = crossbar_allocators().make("pim", shape);
    const auto same = crossbar_allocators().make("pim", shape);
    Asking<> asking(shape);
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
    Asking<> asking(shape);
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
