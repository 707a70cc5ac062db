// Random traffic through a crossbar: what arrives, how much of it, and whether sleeping changes anything.

#include <algorithm>
#include <map>
#include <random>

#include <gtest/gtest.h>

#include "base/ring_queue.h"
#include "mem/network/crossbar.h"

namespace heddle::mem {
namespace {

unsigned draw(std::mt19937& random, unsigned n) {
    return static_cast<unsigned>(random() % n);
}

struct Delivery {
    Cycle at;
    unsigned output;
    std::uint32_t packet;
    bool operator==(const Delivery&) const = default;
};

struct Offer {
    Cycle at;
    unsigned output, flits;
    std::uint32_t packet;
};

// An owner of a crossbar whose receivers pause now and then, so that both buffers fill up.
template <class PortMask = Ports64>
class Owner {
public:
    Owner(const CrossbarShape& shape, unsigned packets) : crossbar(shape), outputs_(shape.outputs) {
        std::mt19937 random(7);
        offers_.resize(shape.inputs);
        Cycle now = 0;
        for (std::uint32_t packet = 0; packet < packets; ++packet) {
            now += draw(random, 64) == 0 ? 200 : draw(random, 2); // bursts and silence
            const unsigned input = draw(random, shape.inputs);
            const unsigned output = draw(random, 4) == 0 ? 0 : draw(random, shape.outputs); // output 0 is liked
            offers_[input].push({now, output, draw(random, 3) == 0 ? 5U : 1U, packet});
            source.push_back({input, output});
        }
    }

    void run_every_cycle() {
        for (Cycle now = 0; log.size() < source.size() && now < kLimit; ++now) {
            serve(now, PortMask::first(PortMask::kSize));
            tick(now);
        }
    }
    void run_asleep() {
        PortMask free = PortMask::first(PortMask::kSize); // inputs that have not been refused since they last got room
        for (Cycle now = 0; log.size() < source.size() && now < kLimit;) {
            free &= ~serve(now, free);
            if (crossbar.wake <= now)
                tick(now);
            free |= crossbar.take_freed_inputs();
            now = next(now, free);
        }
    }

    Crossbar<PortMask> crossbar;
    std::vector<std::pair<unsigned, unsigned>> source; // [packet]: input, output
    std::vector<Delivery> log;
    unsigned ticks = 0;

private:
    static constexpr Cycle kLimit = 1000000;

    void tick(Cycle now) {
        crossbar.tick(now);
        ++ticks;
        EXPECT_GT(crossbar.wake, now);
    }
    // Takes and sends; the inputs that were full.
    PortMask serve(Cycle now, PortMask inputs) {
        const PortMask ready = crossbar.ready_outputs(now);
        for (unsigned output = 0; output < outputs_; ++output) {
            EXPECT_EQ(ready.contains(output), crossbar.ready(output, now));
            if (ready.contains(output) && (now / 16 + output) % 3 != 0)
                log.push_back({now, output, crossbar.take(output, now)});
        }
        PortMask full;
        for (unsigned input = 0; input < offers_.size(); ++input)
            while ((inputs & ~full).contains(input) && !offers_[input].empty() && offers_[input].front().at <= now) {
                const Offer offer = offers_[input].front();
                if (crossbar.accepts(input, offer.flits)) {
                    crossbar.send(input, offer.output, offer.packet, offer.flits, now);
                    offers_[input].pop();
                } else {
                    full.insert(input);
                }
            }
        return full;
    }
    Cycle next(Cycle now, PortMask free) {
        Cycle at = std::min(crossbar.wake, crossbar.next_ready());
        if (crossbar.ready_outputs(now).any())
            at = now + 1; // receivers that pause
        for (unsigned input = 0; input < offers_.size(); ++input)
            if (free.contains(input) && !offers_[input].empty())
                at = std::min(at, std::max(now + 1, offers_[input].front().at));
        EXPECT_GT(at, now);
        return std::max(at, now + 1);
    }

    unsigned outputs_;
    std::vector<RingQueue<Offer>> offers_;
};

struct Kind {
    const char* allocator;
    unsigned inputs, outputs, input_flits, output_flits, speedup, latency, iterations;
    bool fifo = false;
    unsigned setup = 0;
};

class CrossbarTraffic : public testing::TestWithParam<Kind> {
protected:
    static CrossbarShape shape() {
        const Kind& k = GetParam();
        return {k.inputs,     k.outputs, k.input_flits, k.output_flits, k.speedup, k.latency, k.allocator,
                k.iterations, 3,         k.fifo,        k.setup};
    }
    static constexpr unsigned kPackets = 5000;

    template <class PortMask>
    static void check_arrivals() {
        Owner<PortMask> owner(shape(), kPackets);
        owner.run_every_cycle();
        ASSERT_EQ(owner.log.size(), kPackets);
        std::vector<bool> seen(kPackets);
        std::map<std::pair<unsigned, unsigned>, std::uint32_t> last; // of a flow, plus 1
        for (const Delivery& d : owner.log) {
            EXPECT_FALSE(seen[d.packet]);
            seen[d.packet] = true;
            const auto flow = owner.source[d.packet];
            EXPECT_EQ(flow.second, d.output);
            EXPECT_LE(last[flow], d.packet);
            last[flow] = d.packet + 1;
        }
        EXPECT_EQ(owner.crossbar.wake, kNever);
        EXPECT_EQ(owner.crossbar.next_ready(), kNever);
    }
    template <class PortMask>
    static void check_sleep() {
        Owner<PortMask> awake(shape(), kPackets);
        Owner<PortMask> asleep(shape(), kPackets);
        awake.run_every_cycle();
        asleep.run_asleep();
        EXPECT_EQ(awake.log, asleep.log);
        EXPECT_EQ(awake.crossbar.stats().queueing, asleep.crossbar.stats().queueing);
        EXPECT_EQ(awake.crossbar.stats().latencies, asleep.crossbar.stats().latencies);
        EXPECT_LT(asleep.ticks, awake.ticks / 2); // half of the time is silence
    }
    static unsigned ports() {
        return std::max(GetParam().inputs, GetParam().outputs);
    }
};

TEST_P(CrossbarTraffic, EveryPacketArrivesOnceAndFlowsKeepTheirOrder) {
    with_ports(ports(), []<class PortMask>() { check_arrivals<PortMask>(); });
}

TEST_P(CrossbarTraffic, SleepingChangesNothing) {
    with_ports(ports(), []<class PortMask>() { check_sleep<PortMask>(); });
}

// The size of the masks is of no effect.
class NarrowCrossbarTraffic : public CrossbarTraffic {};

TEST_P(NarrowCrossbarTraffic, WiderMasksChangeNothing) {
    Owner<Ports64> narrow(shape(), kPackets);
    Owner<Ports256> wide(shape(), kPackets);
    Owner<Ports1024> wider(shape(), kPackets);
    narrow.run_asleep();
    wide.run_asleep();
    wider.run_asleep();
    EXPECT_EQ(wide.log, narrow.log);
    EXPECT_EQ(wider.log, narrow.log);
}

INSTANTIATE_TEST_SUITE_P(Shapes, NarrowCrossbarTraffic,
                         testing::Values(Kind{"islip", 15, 12, 8, 8, 2, 3, 2}, Kind{"pim", 64, 3, 16, 16, 4, 1, 4},
                                         Kind{"ideal", 15, 12, 8, 7, 1, 1, 1}),
                         [](const auto& info) { return std::string(info.param.allocator); });

INSTANTIATE_TEST_SUITE_P(Shapes, CrossbarTraffic,
                         testing::Values(Kind{"islip", 15, 12, 64, 64, 1, 1, 1}, Kind{"islip", 15, 12, 8, 8, 2, 3, 2},
                                         Kind{"islip", 3, 64, 4, 1, 3, 1, 1}, Kind{"pim", 8, 8, 8, 6, 1, 2, 1},
                                         Kind{"pim", 64, 3, 16, 16, 4, 1, 4}, Kind{"ideal", 15, 12, 8, 7, 1, 1, 1},
                                         Kind{"ideal", 4, 4, 32, 32, 2, 4, 1}, Kind{"islip", 1, 1, 1, 1, 1, 1, 1},
                                         Kind{"islip", 144, 96, 16, 16, 2, 3, 2}, Kind{"pim", 96, 144, 8, 8, 1, 1, 4},
                                         Kind{"ideal", 65, 66, 8, 7, 1, 1, 1}, Kind{"islip", 20, 1000, 8, 6, 1, 2, 1},
                                         Kind{"islip", 12, 15, 16, 8, 2, 1, 1, true, 1},
                                         Kind{"pim", 8, 8, 8, 6, 1, 2, 1, true},
                                         Kind{"ideal", 4, 4, 32, 32, 2, 4, 1, false, 3}),
                         [](const auto& info) {
                             return std::string(info.param.allocator) + std::to_string(info.index);
                         });

// Share of the output links in use when every queue of an n x n crossbar has packets of one flit.
double throughput(const char* allocator, unsigned iterations, unsigned n, bool fifo = false) {
    constexpr unsigned kDepth = 4096;
    constexpr Cycle kCycles = 10000;
    Crossbar<> crossbar({n, n, kDepth, 64, 1, 1, allocator, iterations, 1, fifo});
    std::mt19937 random(1);
    const auto fill = [&](Cycle now) {
        for (unsigned input = 0; input < n; ++input)
            while (crossbar.accepts(input, 1))
                crossbar.send(input, draw(random, n), 0, 1, now);
    };
    fill(0);
    for (Cycle now = kDepth; now < kDepth + kCycles; ++now) { // all packets have come over the links
        crossbar.ready_outputs(now).for_each([&](unsigned output) { crossbar.take(output, now); });
        crossbar.tick(now);
        fill(now);
    }
    return static_cast<double>(crossbar.stats().flits) / static_cast<double>(kCycles * n);
}

// One iteration matches an output unless no input accepts it: 1 - (1 - 1/n)^n, 1 - 1/e = 0.63 for large n
// (McKeown 1999).
TEST(CrossbarThroughput, OneIterationOfRandomMatchingGives63Percent) {
    for (const unsigned n : {16U, 32U}) {
        EXPECT_GT(throughput("pim", 1, n), 0.60);
        EXPECT_LT(throughput("pim", 1, n), 0.66);
    }
}

TEST(CrossbarThroughput, FourIterationsOfRandomMatchingAreNearlyMaximal) {
    EXPECT_GT(throughput("pim", 4, 16), 0.95); // Anderson et al. 1993
}

TEST(CrossbarThroughput, IslipPointersPartWays) {
    EXPECT_GT(throughput("islip", 1, 16), 0.97); // 100 % for uniform traffic: McKeown 1999
    EXPECT_GT(throughput("islip", 1, 32), 0.97);
}

// Karol, Hluchyj, Morgan 1987, Table I: 0.75, 0.6553, 0.6184 for 2, 4, 8 inputs; 2 - sqrt(2) = 0.586 for many.
TEST(CrossbarThroughput, FifosBlockAtTheirHead) {
    EXPECT_NEAR(throughput("pim", 1, 2, true), 0.75, 0.01);
    EXPECT_NEAR(throughput("pim", 1, 4, true), 0.6553, 0.01);
    EXPECT_NEAR(throughput("pim", 1, 8, true), 0.6184, 0.01);
    EXPECT_NEAR(throughput("pim", 1, 64, true), 0.586, 0.01);
}

TEST(CrossbarThroughput, IdealUsesEveryLink) {
    EXPECT_GT(throughput("ideal", 1, 16), 0.99);
}

} // namespace
} // namespace heddle::mem
