// Latency of each level of the machines with an interconnect, worked out by hand from their files and the rules in the
// headers of mem/ and sm/. Times of one instruction of a single warp in a barrel of `stages` stages:
//
//   %clock64   read in decode, the cycle after the fetch; the next instruction is fetched `stages` after this one
//   m          the cycle in the memory stage, the last but one: fetch + stages - 2
//   hit        data at m + dcache.latency, fetched again a cycle later
//   miss       leaves the SM at m, enters the network m + link; its answer is with the SM at R = leaving the network +
//              link, writes back at R + 1 and is fetched again at R + 2
//   network    a packet of f flits alone: 1 + latency + f ticks from the last tick that is not after its coming
//   slice      looked up llc.latency after it came
//   DRAM       asked at the last tick that is not after the look-up; its first command a tick later
//   tick n     falls into core cycle ceil(n * core clock / own clock)

#include <gtest/gtest.h>

#include "clocked_loads.h"

namespace heddle::runtime {
namespace {

struct Clock { // own : core
    Cycle own = 1, core = 1;
    [[nodiscard]] Cycle tick_at(Cycle cycle) const {
        return cycle * own / core;
    }
    [[nodiscard]] Cycle cycle_of(Cycle tick) const {
        return (tick * core + own - 1) / own;
    }
};

struct Path {
    RunSetup setup;
    Cycle stages, hit, link, request_flits, reply_flits, slice;
    Clock network, dram;

    [[nodiscard]] Cycle memory_stage(Cycle clock_before) const { // of the instruction after the reading
        return clock_before - 1 + stages + stages - 2;
    }
    [[nodiscard]] Cycle through_network(Cycle at, Cycle flits) const {
        return network.cycle_of(network.tick_at(at) + 1 + 1 + flits);
    }
    [[nodiscard]] Cycle look_up(Cycle m) const {
        return through_network(m + link, request_flits) + slice;
    }
    [[nodiscard]] Cycle clock_after_answer(Cycle answered) const {
        return through_network(answered, reply_flits) + link + 3; // write-back, fetch, decode
    }
    [[nodiscard]] Cycle after_hit(Cycle before) const {
        return memory_stage(before) + hit + 2;
    }
    [[nodiscard]] Cycle after_llc(Cycle before) const {
        return clock_after_answer(look_up(memory_stage(before)));
    }
    // By way of another SM's copy: the home's probe, the answer to it, then the grant. Packets of a flit each.
    [[nodiscard]] Cycle after_probe(Cycle before) const {
        const Cycle probed = through_network(look_up(memory_stage(before)), 1) + link;
        return clock_after_answer(through_network(probed + link, 1));
    }
    [[nodiscard]] Cycle after_dram(Cycle before, Cycle ticks) const {
        return clock_after_answer(dram.cycle_of(dram.tick_at(look_up(memory_stage(before))) + ticks));
    }
};

// 40-byte flits: a request of 8 bytes is one, a line of 128 + 8 four. 700 MHz but for DRAM's 924: 33 ticks in 25
// cycles. Sets of the L1 by the lowest bits: lines 4 KiB apart share one.
const Path kGtx480{
    {.machine = "gtx480", .settings = {"core.model=barrel", "dcache.index=linear"}}, 7, 35, 8, 1, 4, 120, {}, {33, 25}};
// A line is two column commands to one bank, tCCDL = 3 apart; then CL 12, 2 ticks of data, 100 of fixed latency.
constexpr Cycle kGtx480Hit = 1 + 3 + 12 + 2 + 100;
constexpr Cycle kGtx480Closed = kGtx480Hit + 12;        // RCD
constexpr Cycle kGtx480Conflict = kGtx480Hit + 12 + 12; // RP, RCD

// 32-byte flits: a line of 64 + 8 bytes is three. One clock.
const Path kDwf07{{.machine = "dwf07"}, 6, 10, 8, 1, 3, 1, {}, {}};
// A line is four column commands of 16 bytes, tCCD = 2 apart; then tCL 9 and 2 cycles of data.
constexpr Cycle kDwf07Hit = 1 + 3 * 2 + 9 + 2;
constexpr Cycle kDwf07Closed = kDwf07Hit + 12;        // tRCD
constexpr Cycle kDwf07Conflict = kDwf07Hit + 13 + 12; // tRP, tRCD

// 48-byte flits: a line of 32 + 8 bytes is one. The network has 3 ticks in 10 cycles; memory takes 300 cycles.
const Path kBulk{{.machine = "maws-bulk", .settings = {"core.model=barrel"}}, 7, 3, 4, 1, 1, 1, {3, 10}, {}};
const Path kCoherent{{.machine = "maws-coherent", .settings = {"core.model=barrel"}}, 7, 3, 4, 1, 1, 30, {3, 10}, {}};
constexpr Cycle kMawsMemory = 300;

// The buffer begins 4 KiB into global memory, far from the code.
//
// gtx480: blocks of 256 bytes in turn over 12 slices, two to a channel. So 128 bytes on is the same row, and 128 turns
// (128 * 3072 bytes) on the next row of the same bank: 128 * 512 bytes of the channel, 64 KiB.
TEST(HierarchyLatency, Gtx480Dram) {
    const auto t = clocks_around(kGtx480.setup, {load_from(0), load_from(128), load_from(393216)});
    EXPECT_EQ(t[1], kGtx480.after_dram(t[0], kGtx480Closed));
    EXPECT_EQ(t[2], kGtx480.after_dram(t[1], kGtx480Hit));
    EXPECT_EQ(t[3], kGtx480.after_dram(t[2], kGtx480Conflict));
}

TEST(HierarchyLatency, Gtx480Caches) {
    // Four further lines of the L1's set (4 KiB apart) put the first one out; the L2 keeps it.
    const auto t = clocks_around(kGtx480.setup, {load_from(0), load_from(4), load_from(4096), load_from(2 * 4096),
                                                 load_from(3 * 4096), load_from(4 * 4096), load_from(64)});
    EXPECT_EQ(t[2], kGtx480.after_hit(t[1]));
    EXPECT_EQ(t[2] - t[1], 7 + 5 + 35 + 1);
    EXPECT_EQ(t[7], kGtx480.after_llc(t[6]));
    EXPECT_EQ(t[7] - t[6], 7 + 5 + (8 + 3 + 120 + 6 + 8) + 2);
}

TEST(HierarchyLatency, Gtx480FourWaysHoldFourLines) {
    const auto t = clocks_around(
        kGtx480.setup, {load_from(0), load_from(4096), load_from(2 * 4096), load_from(3 * 4096), load_from(0)});
    EXPECT_EQ(t[5], kGtx480.after_hit(t[4]));
}

// dwf07: blocks of 256 bytes in turn over 8 channels, so 16 KiB on is the next row of 2 KiB, in the next bank, and
// 128 KiB on the next row of the same bank. The first row of the buffer shares its bank with the code: not used.
TEST(HierarchyLatency, Dwf07Dram) {
    const auto t = clocks_around(kDwf07.setup, {load_from(16384), load_from(16384 + 64), load_from(16384 + 131072)});
    EXPECT_EQ(t[1], kDwf07.after_dram(t[0], kDwf07Closed));
    EXPECT_EQ(t[2], kDwf07.after_dram(t[1], kDwf07Hit));
    EXPECT_EQ(t[3], kDwf07.after_dram(t[2], kDwf07Conflict));
    // One clock for all, so the whole is a constant: link and network 8 + 3, slice 1, answer 5 + 8.
    EXPECT_EQ(t[2] - t[1], 6 + 4 + (8 + 3 + 1 + kDwf07Hit + 5 + 8) + 2);
}

TEST(HierarchyLatency, Dwf07Cache) {
    const auto t = clocks_around(kDwf07.setup, {load_from(16384), load_from(16384 + 60)});
    EXPECT_EQ(t[2], kDwf07.after_hit(t[1]));
    EXPECT_EQ(t[2] - t[1], 6 + 4 + 10 + 1);
}

TEST(HierarchyLatency, MawsBulk) {
    std::vector<std::string> loads;
    for (unsigned i = 0; i < 12; ++i)
        loads.push_back(load_from(4096 + 32 * i));
    loads.push_back(load_from(4096));
    const auto t = clocks_around(kBulk.setup, loads);
    for (std::size_t i = 0; i < 12; ++i) // twelve lines, each at another phase of the two clocks
        EXPECT_EQ(t[i + 1], kBulk.after_dram(t[i], kMawsMemory)) << "line " << i;
    EXPECT_EQ(t[13], kBulk.after_hit(t[12]));
}

TEST(HierarchyLatency, MawsCoherent) {
    std::vector<std::string> loads;
    for (unsigned i = 0; i < 12; ++i)
        loads.push_back(load_from(4096 + 32 * i)); // four D-cache lines are one of the last level
    const auto t = clocks_around(kCoherent.setup, loads);
    for (std::size_t i = 0; i < 12; ++i)
        EXPECT_EQ(t[i + 1], i % 4 == 0 ? kCoherent.after_dram(t[i], kMawsMemory) : kCoherent.after_llc(t[i]))
            << "line " << i;
}

// The SM beside has written one line and read another one, which this one reads too and then writes.
TEST(HierarchyLatency, MawsCoherentLinesOfAnotherSm) {
    const std::string store = "st.global.u32 [%rd1+";
    const auto t = clocks_around(kCoherent.setup,
                                 {load_from(4096), load_from(4096 + 256), store + "4352], %r1", store + "4356], %r1"},
                                 1, store + "4096], %r1; " + load_from(4096 + 256));
    EXPECT_EQ(t[1], kCoherent.after_probe(t[0])); // M there, with its data: 32 + 8 bytes are a flit too
    EXPECT_EQ(t[2], kCoherent.after_probe(t[1])); // E there: shared from now on
    EXPECT_EQ(t[3], kCoherent.after_probe(t[2])); // the upgrade takes the other copy, and brings no data
    EXPECT_EQ(t[4] - t[3], 2 * 7U);               // M here: the store waits for nothing, as in an instruction a turn
}

TEST(HierarchyLatency, EachClockCounts) {
    // Slices at half the core's clock: 120 ticks are 240 cycles.
    Path slow = kGtx480;
    slow.setup.settings = {"core.model=barrel", "llc.clock_mhz=350"};
    slow.slice = 240;
    auto t = clocks_around(slow.setup, {load_from(0)});
    EXPECT_EQ(t[1], slow.after_dram(t[0], kGtx480Closed));
    // A network at a third of it, and DRAM at twice it.
    Path mixed = kGtx480;
    mixed.setup.settings = {"core.model=barrel", "core.clock_mhz=900", "llc.clock_mhz=900",
                            "interconnect.clock_mhz=300", "dram.clock_mhz=1800"};
    mixed.network = {1, 3};
    mixed.dram = {2, 1};
    t = clocks_around(mixed.setup, {load_from(0), load_from(128)});
    EXPECT_EQ(t[1], mixed.after_dram(t[0], kGtx480Closed));
    EXPECT_EQ(t[2], mixed.after_dram(t[1], kGtx480Hit));
}

// What a statistic says of one load's way has to agree with the clock: loads 4 KiB into the buffer, alone.
TEST(HierarchyLatency, PathStatisticsAddUp) {
    const KernelRun run = run_kernel_on(kGtx480.setup, "ld.param.u64 %rd1, [x]; ld.global.u32 %r1, [%rd1]; ret;", 1);
    EXPECT_EQ(run.counter("memory_path", "loads"), 1);
    EXPECT_EQ(run.counter("memory_path", "from_memory"), 1);
    EXPECT_EQ(run.counter("memory_path", "request_network"), 8 + 3);
    EXPECT_EQ(run.counter("memory_path", "slice"), 120);
    EXPECT_EQ(run.counter("memory_path", "reply_network"), 6 + 8);
    EXPECT_EQ(run.counter("memory_path", "total"),
              run.counter("memory_path", "request_network") + run.counter("memory_path", "slice") +
                  run.counter("memory_path", "memory") + run.counter("memory_path", "reply_network"));
}

} // namespace
} // namespace heddle::runtime
