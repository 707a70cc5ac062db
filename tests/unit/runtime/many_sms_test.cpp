// Machines of several SMs: nothing depends on the order in which they are simulated or on how many host threads do it,
// blocks go to them in turn, what one does the others see.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "many_sms.h"
#include "mem/network/config.h"
#include "random_kernel.h"

namespace heddle::runtime {
namespace {

using testing::HasSubstr;

TEST(ManySms, RandomKernelsInEveryOrder) {
    for (const Shape& shape : kShapes)
        for (std::uint64_t seed = 1; seed <= 3; ++seed) {
            const RandomKernel kernel(seed, 40 * 32, 32, 30);
            const RunSetup setup{.machine = shape.machine,
                                 .buffer = kernel.buffer_bytes(),
                                 .launches = 1,
                                 .options = Options(),
                                 .globals = RandomKernel::globals()};
            EXPECT_EQ(in_every_order(setup, kernel.ptx(), 32, 40).words, kernel.expected());
        }
}

// Caches and a last level that hold next to nothing: lines are recalled and taken from each other all the time.
TEST(ManySms, SmallCoherentCachesInEveryOrder) {
    for (std::uint64_t seed = 11; seed <= 13; ++seed) {
        const RandomKernel kernel(seed, 40 * 32, 32, 30);
        const RunSetup setup{.machine = "maws-coherent",
                             .settings = {"dcache.size=512", "llc.size=8KiB", "llc.ways=4", "gpu.sms=6"},
                             .buffer = kernel.buffer_bytes(),
                             .launches = 1,
                             .options = Options(),
                             .globals = RandomKernel::globals()};
        const Outcome run = in_every_order(setup, kernel.ptx(), 32, 40);
        EXPECT_EQ(run.words, kernel.expected());
        for (const char* const counter : {"recalls", "downgrades", "write_back_races", "atomic_recalls", "waits"})
            EXPECT_GT(run.result["stats"]["coherence"][counter], 0) << counter;
    }
}

// Each SM counts every cycle of a launch, whether it has a block or not.
TEST(ManySms, ALaunchOfOneBlockBetweenLargeOnes) {
    for (const Shape& shape : {kShapes[0], kShapes[1], kShapes[3], Shape{"rtx2060", 30, 64, 4}}) {
        LoadedKernel kernel({.machine = shape.machine}, kMine + "st.global.u32 [%rd2], %r4; ret;");
        const std::vector<std::uint32_t> blocks{shape.sms, 1, 1, 2 * shape.sms};
        for (const std::uint32_t n : blocks)
            kernel.launch(shape.threads, n);
        const nlohmann::json launches = nlohmann::json::parse(kernel.device.result_json()).at("kernels");
        ASSERT_EQ(launches.size(), blocks.size());
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            const nlohmann::json& launch = launches[i];
            const std::uint64_t cycles = launch.at("cycles");
            EXPECT_EQ(launch.at("stats").at("core").at("cycles"), shape.sms * cycles) << shape.machine;
            EXPECT_EQ(launch.at("stats").at("core").at("blocks"), blocks[i]) << shape.machine;
            std::uint64_t slots = 0;
            for (const std::uint64_t n : launch.at("active_lanes"))
                slots += n;
            EXPECT_EQ(slots, shape.sms * shape.slots * cycles) << shape.machine;
            const std::uint64_t idle = blocks[i] == 1 ? shape.sms - 1 : 0; // SMs without a block
            EXPECT_GE(launch.at("stalls").at("empty"), idle * shape.slots * cycles) << shape.machine;
        }
        EXPECT_EQ(launches[1].at("warp_instructions"), launches[2].at("warp_instructions"));
    }
}

TEST(ManySms, TicketsOfOneCounterInEveryOrder) {
    // Each thread takes two numbers from one counter and keeps them: all different, and whose they are is fixed.
    for (const Shape& shape : kShapes) {
        const unsigned threads = shape.sms * shape.threads * 2;
        const Outcome run = in_every_order({.machine = shape.machine},
                                           kMine + "atom.global.add.u32 %r5, [%rd1+65536], 1;\n"
                                                   "atom.global.add.u32 %r6, [%rd1+65536], 1;\n"
                                                   "mad.lo.u32 %r5, %r5, 65536, %r6; st.global.u32 [%rd2], %r5; ret;",
                                           shape.threads, shape.sms * 2);
        EXPECT_EQ(run.words[65536 / 4], 2 * threads);
        std::vector<bool> taken(std::size_t{2} * threads);
        for (unsigned t = 0; t < threads; ++t) {
            const std::uint32_t first = run.words[t] >> 16, second = run.words[t] & 0xffff;
            ASSERT_LT(first, second);
            ASSERT_LT(second, 2 * threads);
            EXPECT_FALSE(taken[first] || taken[second]);
            taken[first] = taken[second] = true;
        }
    }
}

// All threads store to the same 16 words, in rounds, and keep what they read there.
const std::string kRaces = kMine + "mov.u32 %r7, 0; mov.u32 %r8, 0;\n"
                                   "again: add.u32 %r9, %r4, %r7; and.b32 %r9, %r9, 15; mul.wide.u32 %rd3, %r9, 4;\n"
                                   "add.u64 %rd3, %rd1, %rd3; ld.global.u32 %r10, [%rd3+262144];\n"
                                   "mad.lo.u32 %r8, %r8, 31, %r10; st.global.u32 [%rd3+262144], %r4;\n"
                                   "add.u32 %r7, %r7, 1; setp.lt.u32 %p1, %r7, 20; @%p1 bra again;\n"
                                   "st.global.u32 [%rd2], %r8; ret;";

TEST(ManySms, RacesInEveryOrder) {
    for (const Shape& shape : kShapes)
        in_every_order({.machine = shape.machine}, kRaces, shape.threads, shape.sms * 3);
}

// Whatever wakes up when, also in vain: stores are seen, and blocks end, at multiples of a window's length. One thread
// waits for one load after the other, and all else stands still.
TEST(ManySms, WindowsEndAtMultiplesOfTheirLength) {
    std::string loads = kMine + "mov.u64 %rd4, %rd1;\n";
    for (unsigned i = 0; i < 9; ++i)
        loads +=
            "ld.global.u32 %r5, [%rd4]; cvt.u64.u32 %rd3, %r5; add.u64 %rd4, %rd4, %rd3; add.u64 %rd4, %rd4, 2176;\n";
    for (const Shape& shape : kShapes) {
        const auto link = config::Machine::load(shape.machine, {}).get<mem::InterconnectConfig>().link;
        ASSERT_GT(link, 1U);
        const Outcome run = run_anyhow({.machine = shape.machine, .launches = 3}, loads + "ret;", 1, 1);
        for (const auto& kernel : run.result["kernels"])
            EXPECT_EQ(kernel["cycles"].get<Cycle>() % link, 0U) << shape.machine;
    }
}

TEST(ManySms, RacesForCoherentLinesInEveryOrder) {
    const Outcome run = in_every_order({.machine = "maws-coherent", .settings = {"gpu.sms=8"}}, kRaces, 32, 24);
    for (const char* const counter : {"upgrades", "lost_upgrades", "late_upgrades", "downgrades", "forwarded", "waits"})
        EXPECT_GT(run.result["stats"]["coherence"][counter], 0) << counter;
}

TEST(ManySms, SharedMemoryAndBarriersInEveryOrder) {
    // Each block turns its words round in shared memory.
    for (const Shape& shape : kShapes) {
        const unsigned blocks = shape.sms * 2 + 1;
        const Outcome run = in_every_order(
            {.machine = shape.machine},
            ".shared .align 4 .b8 s[256];\n" + kMine +
                "mov.u32 %r5, s; mad.lo.u32 %r6, %r3, 4, %r5; st.shared.u32 [%r6], %r4; bar.sync 0;\n"
                "sub.u32 %r7, %r2, 1; sub.u32 %r7, %r7, %r3; mad.lo.u32 %r8, %r7, 4, %r5; ld.shared.u32 %r9, [%r8];\n"
                "st.global.u32 [%rd2], %r9; ret;",
            shape.threads, blocks);
        for (unsigned b = 0; b < blocks; ++b)
            for (unsigned t = 0; t < shape.threads; ++t)
                EXPECT_EQ(run.words[b * shape.threads + t], b * shape.threads + shape.threads - 1 - t);
    }
}

TEST(ManySms, TheFirstFaultIsReportedByCycleAndThenBySm) {
    // One block to an SM, each of which notes the cycle; then it stores that, or all of them fault.
    const auto body = [](bool fault) {
        return kMine + "mul.wide.u32 %rd2, %r1, 8; add.u64 %rd2, %rd1, %rd2; setp.eq.u32 %p1, " +
               std::to_string(fault ? 0 : 1) + ", 0;\nmov.u64 %rd4, 16; selp.b64 %rd2, %rd4, %rd2, %p1;\n" +
               "mov.u64 %rd3, %clock64; st.global.u64 [%rd2], %rd3; ret;";
    };
    for (const Shape& shape : kShapes) {
        const Outcome good = run_anyhow({.machine = shape.machine}, body(false), 1, shape.sms);
        unsigned first = 0;
        std::vector<std::uint64_t> clocks(shape.sms);
        std::memcpy(clocks.data(), good.words.data(), 8 * clocks.size());
        for (unsigned sm = 1; sm < shape.sms; ++sm)
            if (clocks[sm] < clocks[first])
                first = sm;
        const Outcome run = in_every_order({.machine = shape.machine}, body(true), 1, shape.sms);
        EXPECT_THAT(run.error, HasSubstr("block (" + std::to_string(first) + ",0,0)")) << shape.machine;
        EXPECT_EQ(run.result["status"], "failed");
    }
}

TEST(ManySms, AFaultyAtomicInEveryOrder) {
    for (const Shape& shape : kShapes) {
        const Outcome run =
            in_every_order({.machine = shape.machine},
                           kMine + "atom.global.add.u32 %r5, [%rd1], 1; setp.eq.u32 %p1, %r1, 2; mov.u64 %rd3, 16;\n"
                                   "@%p1 atom.global.add.u32 %r5, [%rd3], 1; st.global.u32 [%rd2], %r5; ret;",
                           1, shape.sms);
        EXPECT_THAT(run.error, HasSubstr("block (2,0,0)")) << shape.machine;
    }
}

TEST(ManySms, ADeadlockOnOneSmIsReported) {
    // Block 2 waits at a barrier for twice as many threads as it has; the others compute on for long.
    for (const Shape& shape : kShapes) {
        const Outcome run =
            in_every_order({.machine = shape.machine},
                           kMine + "setp.eq.u32 %p1, %r1, 2; @%p1 bra stuck; mov.u32 %r5, 0;\n"
                                   "again: add.u32 %r5, %r5, 1; setp.lt.u32 %p2, %r5, 300; @%p2 bra again; ret;\n"
                                   "stuck: bar.sync 1, 64; ret;",
                           32, shape.sms);
        EXPECT_THAT(run.error, HasSubstr("deadlock in kernel 'k'")) << shape.machine;
        EXPECT_THAT(run.error, HasSubstr("block (2,0,0)")) << shape.machine;
        EXPECT_EQ(run.result["status"], "failed");
    }
}

TEST(ManySms, BlocksGoToTheSmsInTurn) {
    for (const Shape& shape : kShapes) {
        // Two rounds of blocks are resident at once on each of these machines.
        const std::string body = kMine +
                                 "mov.u32 %r5, %smid; mov.u32 %r6, %nsmid; mad.lo.u32 %r5, %r6, 256, %r5;\n"
                                 "mul.wide.u32 %rd3, %r1, 4; add.u64 %rd3, %rd1, %rd3; st.global.u32 [%rd3], %r5; ret;";
        const KernelRun run = run_kernel_on({.machine = shape.machine}, body, 8, shape.sms * 2);
        for (unsigned b = 0; b < 2 * shape.sms; ++b)
            EXPECT_EQ(run.words[b], shape.sms * 256 + b % shape.sms) << shape.machine << ", block " << b;
    }
}

TEST(ManySms, WhatAnSmStoresTheOthersSee) {
    // Block 0 writes 42 and then a flag that block 1, on another SM, waits for; it answers likewise.
    const std::string body =
        kMine + "mov.u32 %r5, 42; mov.u32 %r6, 1; setp.ne.u32 %p1, %r1, 0; @%p1 bra other;\n"
                "st.global.u32 [%rd1+1024], %r5; membar.gl; st.volatile.global.u32 [%rd1+2048], %r6;\n"
                "wait0: ld.volatile.global.u32 %r7, [%rd1+3072]; setp.ne.u32 %p2, %r7, 43; @%p2 bra wait0; ret;\n"
                "other: ld.volatile.global.u32 %r7, [%rd1+2048]; setp.eq.u32 %p2, %r7, 0; @%p2 bra other;\n"
                "ld.global.u32 %r8, [%rd1+1024]; add.u32 %r8, %r8, 1;\n"
                "st.volatile.global.u32 [%rd1+3072], %r8; ret;";
    for (const Shape& shape : kShapes) {
        RunSetup setup{.machine = shape.machine};
        setup.options.max_cycles = 1'000'000;
        const Outcome run = in_every_order(setup, body, 1, 2);
        EXPECT_EQ(run.result["status"], "complete") << shape.machine;
        EXPECT_EQ(run.words[3072 / 4], 43) << shape.machine;
    }
}

TEST(ManySms, SlotCausesAddUpToTheCyclesOfAllSms) {
    for (const Shape& shape : kShapes) {
        const KernelRun run = run_kernel_on(
            {.machine = shape.machine},
            kMine + "ld.global.u32 %r5, [%rd2]; bar.sync 0; st.global.u32 [%rd2], %r4; ret;", 32, shape.sms * 3 - 1);
        std::uint64_t slots = 0, lanes = 0;
        for (const auto& [cause, n] : run.result["stalls"].items())
            slots += n.get<std::uint64_t>();
        for (const auto& n : run.result["active_lanes"])
            lanes += n.get<std::uint64_t>();
        EXPECT_EQ(slots, run.cycles * shape.sms * shape.slots) << shape.machine;
        EXPECT_EQ(lanes, run.cycles * shape.sms * shape.slots) << shape.machine;
        EXPECT_EQ(run.counter("core", "cycles"), run.cycles * shape.sms) << shape.machine;
    }
}

TEST(ManySms, PropertiesTellWhatTheMachineHolds) {
    const unsigned threads[] = {256, 1536, 32, 64};
    for (std::size_t i = 0; i < std::size(kShapes); ++i) {
        const Properties properties = Device(config::Machine::load(kShapes[i].machine, {})).properties();
        EXPECT_EQ(properties.sms, kShapes[i].sms) << kShapes[i].machine;
        EXPECT_EQ(properties.max_threads_per_sm, threads[i]) << kShapes[i].machine;
        EXPECT_EQ(properties.max_threads_per_block, std::min(threads[i], 1024U)) << kShapes[i].machine;
    }
    const Properties gtx480 = Device(config::Machine::load("gtx480", {})).properties(); // PRO Table I
    EXPECT_EQ(gtx480.registers_per_block, 32768);
    EXPECT_EQ(gtx480.l2_bytes, 768 << 10);
    EXPECT_EQ(gtx480.memory_bus_bits, 6 * 64);
    EXPECT_EQ(gtx480.memory_clock_khz, 924000);
}

TEST(ManySms, LaunchesInARowInEveryOrder) {
    for (const Shape& shape : kShapes) {
        const Outcome run =
            in_every_order({.machine = shape.machine, .launches = 3},
                           kMine + "ld.global.u32 %r5, [%rd2]; add.u32 %r5, %r5, %r4; st.global.u32 [%rd2], %r5; ret;",
                           shape.threads, shape.sms * 2);
        for (unsigned t = 0; t < shape.sms * 2 * shape.threads; ++t)
            EXPECT_EQ(run.words[t], 3 * t) << shape.machine;
        EXPECT_EQ(run.result["kernels"].size(), 3);
    }
}

// sm/frame/thread_contexts.cpp, the constructor: the functional core, too, got an executor with windows where the
// machine has a network, but its log was never applied (gpu/gpu.cpp, advance()).
TEST(ManySms, FunctionalRuns) {
    for (const Shape& shape : kShapes) {
        const RandomKernel kernel(6, 40 * 32, 32, 30);
        RunSetup setup{.machine = shape.machine,
                       .buffer = kernel.buffer_bytes(),
                       .launches = 1,
                       .options = Options(),
                       .globals = RandomKernel::globals()};
        setup.options.functional = true;
        EXPECT_EQ(run_anyhow(setup, kernel.ptx(), 32, 40).words, kernel.expected()) << shape.machine;
    }
}

TEST(ManySms, TimedAndFunctionalLaunchesShareTheMemory) {
    for (const Shape& shape : kShapes) {
        RunSetup setup{.machine = shape.machine, .launches = 3};
        setup.options.timed_kernels = {1, 1};
        const Outcome run = in_every_order(
            setup, kMine + "ld.global.u32 %r5, [%rd2]; add.u32 %r5, %r5, %r4; st.global.u32 [%rd2], %r5; ret;",
            shape.threads, shape.sms * 2);
        for (unsigned t = 0; t < shape.sms * 2 * shape.threads; ++t)
            EXPECT_EQ(run.words[t], 3 * t) << shape.machine;
        EXPECT_EQ(run.result["kernels"][0]["cycles"], 0);
        EXPECT_GT(run.result["kernels"][1]["cycles"], 0);
        EXPECT_EQ(run.result["kernels"][2]["cycles"], 0);
    }
}

// A trace's lines come in the order of cycles and SMs, for any number of host threads.
TEST(ManySms, ATraceIsTheSameOnSeveralHostThreads) {
    for (const Shape& shape : kShapes) {
        const auto trace = [&](unsigned host_threads) {
            std::string lines;
            RunSetup setup{.machine = shape.machine};
            setup.options.host_threads = host_threads;
            setup.options.trace = [&](std::string_view line) { lines.append(line) += '\n'; };
            LoadedKernel(setup, kMine + "ld.global.u32 %r5, [%rd2]; st.global.u32 [%rd2], %r4; ret;")
                .launch(32, shape.sms);
            return lines;
        };
        const std::string alone = trace(1);
        EXPECT_THAT(alone, HasSubstr("sm1 "));
        EXPECT_EQ(trace(4), alone) << shape.machine;
    }
}

TEST(ManySms, AFaultLeavesWhatWasCounted) {
    // The second of two launches faults: cycles and slots add up still.
    for (const Shape& shape : kShapes) {
        const Outcome run =
            in_every_order({.machine = shape.machine, .launches = 2},
                           kMine + "ld.global.u32 %r5, [%rd2]; setp.ne.u32 %p1, %r5, 0; mov.u64 %rd3, 16;\n"
                                   "@%p1 st.global.u32 [%rd3], %r5; st.global.u32 [%rd2], 1; ret;",
                           8, shape.sms);
        EXPECT_THAT(run.error, HasSubstr("out-of-bounds store"));
        EXPECT_EQ(run.result["kernels"].size(), 2);
        const auto cycles = run.result["totals"]["cycles"].get<std::uint64_t>();
        EXPECT_GT(cycles, run.result["kernels"][0]["cycles"].get<std::uint64_t>());
        std::uint64_t slots = 0;
        for (const auto& [cause, n] : run.result["stalls"].items())
            slots += n.get<std::uint64_t>();
        EXPECT_EQ(slots, run.result["stats"]["core"]["cycles"].get<std::uint64_t>() * shape.slots);
    }
}

// One SM with room for one block, and a memory that takes 50,000 cycles. The first block's stores are not waited for:
// the second starts in the window after its end, not when the memory has something to do next.
TEST(ManySms, ABlockStartsWhileStoresAreOnTheirWay) {
    std::string body =
        "ld.param.u64 %rd1, [x]; mov.u32 %r1, %ctaid.x; mul.wide.u32 %rd2, %r1, 16; add.u64 %rd1, %rd1, %rd2;\n"
        "mov.u64 %rd3, %clock64; st.global.u64 [%rd1], %rd3;\n";
    body += "mov.u64 %rd3, %clock64; st.global.u64 [%rd1+8], %rd3;\n";
    for (int i = 0; i < 100; ++i) // time for the stores to come to the memory
        body += "add.u32 %r1, %r1, 1;\n";
    body += "ret;";
    const RunSetup setup{.machine = "dwf07",
                         .settings = {"gpu.sms=1", "core.blocks=1", "dcache.write=evict", "dram.model=simple",
                                      "dram.row_hit=50000", "dram.row_conflict=50000"},
                         .launches = 2}; // the second finds its instructions
    const KernelRun run = run_kernel_on(setup, body, 16, 2);
    const auto clock = [&](unsigned i) { return run.words[2 * i] + (std::uint64_t{run.words[2 * i + 1]} << 32); };
    ASSERT_GT(clock(1), clock(0));
    // The first block's second reading, store, additions and exit, 6 stages each; up to a window of 8 cycles; the four
    // instructions of the second block before its reading.
    EXPECT_GE(clock(2) - clock(1), (103 + 4) * 6U);
    EXPECT_LE(clock(2) - clock(1), (103 + 4) * 6 + 8U);
}

} // namespace
} // namespace heddle::runtime
