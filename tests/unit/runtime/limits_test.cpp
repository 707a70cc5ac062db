// Limits of cycles and instructions: kept to, and without effect where they are not reached.

#include <gtest/gtest.h>

#include "many_sms.h"
#include "random_kernel.h"

namespace heddle::runtime {
namespace {

const std::string kEndless = kMine + "again: ld.global.u32 %r5, [%rd2]; add.u32 %r6, %r6, 1; bra again;";

TEST(Limits, ALimitOfCyclesIsKeptToTheCycle) {
    for (const Shape& shape : kShapes)
        for (const std::uint64_t limit : {1U, 7U, 1000U, 1003U, 70001U}) {
            RunSetup setup{.machine = shape.machine};
            setup.options.max_cycles = limit;
            const KernelRun run = run_kernel_on(setup, kEndless, 32, shape.sms);
            EXPECT_EQ(run.cycles, limit) << shape.machine;
            EXPECT_EQ(run.result["status"], "max_cycles") << shape.machine;
        }
}

TEST(Limits, ALimitOfInstructionsIsPassedByLessThanAWindow) {
    for (const Shape& shape : kShapes)
        for (const std::uint64_t limit : {1U, 1000U, 54321U}) {
            RunSetup setup{.machine = shape.machine};
            setup.options.max_instructions = limit;
            const KernelRun run = run_kernel_on(setup, kEndless, 32, shape.sms);
            const auto done = run.result["totals"]["warp_instructions"].get<std::uint64_t>();
            EXPECT_GE(done, limit) << shape.machine;
            EXPECT_LT(done, limit + shape.sms * 8) << shape.machine; // windows of 8 or 4 cycles
            EXPECT_EQ(run.result["status"], "max_instructions") << shape.machine;
        }
}

// The first report of progress comes at cycle 0. A machine with many SMs simulates few cycles a second.
TEST(Limits, AnInterruptIsSeenAtTheEndOfAWindow) {
    for (const Shape& shape : kShapes) {
        RunSetup setup{.machine = shape.machine};
        setup.options.max_cycles = 10'000;
        setup.options.progress = [](const Progress&) { Device::interrupt(); };
        const KernelRun run = run_kernel_on(setup, kEndless, 32, shape.sms);
        Device::clear_interrupt();
        EXPECT_EQ(run.result["status"], "interrupted") << shape.machine;
        EXPECT_LE(run.cycles, 8U) << shape.machine;
    }
}

// A run with `limit` one beyond what `total` comes to without it; both results.
std::pair<Outcome, Outcome> barely_limited(const char* machine, std::uint64_t Options::*limit, const char* total) {
    const RandomKernel kernel(5, 40 * 32, 32, 30);
    RunSetup setup{.machine = machine,
                   .buffer = kernel.buffer_bytes(),
                   .launches = 1,
                   .options = Options(),
                   .globals = RandomKernel::globals()};
    const Outcome unlimited = run_anyhow(setup, kernel.ptx(), 32, 40);
    setup.options.*limit = unlimited.result["totals"][total].get<std::uint64_t>() + 1;
    return {run_anyhow(setup, kernel.ptx(), 32, 40), unlimited};
}

TEST(Limits, ALimitOfCyclesThatIsNotReachedChangesNothing) {
    for (const Shape& shape : kShapes) {
        const auto [limited, unlimited] = barely_limited(shape.machine, &Options::max_cycles, "cycles");
        EXPECT_EQ(limited.result, unlimited.result) << shape.machine;
    }
}

// gpu/gpu.cpp, run() and run_windows(): the next look at the limit ends a window early, and stores, atomics and the
// starts of blocks are seen at windows' ends.
TEST(Limits, ALimitOfInstructionsThatIsNotReachedChangesNothing) {
    for (const Shape& shape : kShapes) {
        const auto [limited, unlimited] =
            barely_limited(shape.machine, &Options::max_instructions, "warp_instructions");
        EXPECT_EQ(limited.result["totals"], unlimited.result["totals"]) << shape.machine;
    }
}

// The second launch begins in a cycle to which such a limit can not be added.
TEST(Limits, TheLargestLimitsAreNeverReached) {
    for (const Shape& shape : kShapes)
        for (std::uint64_t Options::*limit : {&Options::max_cycles, &Options::max_instructions}) {
            RunSetup setup{.machine = shape.machine, .launches = 2};
            setup.options.*limit = ~std::uint64_t{0};
            const KernelRun run = run_kernel_on(setup, kMine + "st.global.u32 [%rd2], %r1; ret;", 32, shape.sms);
            EXPECT_EQ(run.result["status"], "complete") << shape.machine;
        }
}

TEST(Limits, ALimitThatALaunchHasUsedUpStopsTheNext) {
    // The first launch takes all cycles or instructions to the last one: nothing is left for the second.
    const std::string body = kMine + "st.global.u32 [%rd2], %r4; ret;";
    for (const char* const machine : {"lwm11", "maws-bulk"}) {
        const KernelRun one = run_kernel_on({.machine = machine}, body, 32, 4);
        RunSetup setup{.machine = machine, .launches = 2};
        for (const Cycle limit : {one.cycles, one.cycles - 1}) { // on maws-bulk the last cycles write dirty lines
            setup.options.max_cycles = limit;
            const KernelRun run = run_kernel_on(setup, body, 32, 4);
            EXPECT_EQ(run.result["status"], "max_cycles") << machine;
            EXPECT_LE(run.result["totals"]["cycles"].get<Cycle>(), one.cycles) << machine;
        }
        setup.options.max_cycles = 0;
        setup.options.max_instructions = one.result["totals"]["warp_instructions"].get<std::uint64_t>();
        const KernelRun run = run_kernel_on(setup, body, 32, 4);
        EXPECT_EQ(run.result["status"], "max_instructions") << machine;
        EXPECT_EQ(run.result["totals"]["warp_instructions"], setup.options.max_instructions) << machine;
    }
}

} // namespace
} // namespace heddle::runtime
