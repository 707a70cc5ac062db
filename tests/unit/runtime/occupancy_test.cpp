// Resident warps over time, and how busy pipes are.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "../fermi.h"
#include "kernel_run.h"

namespace heddle::runtime {
namespace {

// Of lwm11_timing_test.cpp: a line of instructions comes at 300; 8 instructions of 7 cycles each follow.
const std::string kChain = R"(
    mov.u32 %r1, 1;
    add.u32 %r1, %r1, %r1; add.u32 %r1, %r1, %r1; add.u32 %r1, %r1, %r1;
    add.u32 %r1, %r1, %r1; add.u32 %r1, %r1, %r1; add.u32 %r1, %r1, %r1;
    ret;)";

TEST(ResidentWarps, AreCountedUpToTheirExit) {
    const KernelRun one = run_kernel(kChain, 32); // cycles 0 to 355
    EXPECT_EQ(one.counter("core", "warp_cycles"), 356U);
    EXPECT_EQ(one.counter("core", "occupied_cycles"), 356U);
    const KernelRun two = run_kernel(kChain, 64); // the second warp is a cycle behind
    EXPECT_EQ(two.counter("core", "warp_cycles"), 356U + 357U);
    EXPECT_EQ(two.counter("core", "occupied_cycles"), 357U);
}

// The second block is resident from the end of the first on: it finds its instructions.
TEST(ResidentWarps, OfBlocksOneAfterTheOther) {
    const KernelRun run = run_kernel(kChain, 32, 2, {"core.blocks=1"});
    EXPECT_EQ(run.counter("core", "warp_cycles"), 412U);
    EXPECT_EQ(run.counter("core", "occupied_cycles"), 412U);
}

// A launch that is stopped, and its SMs without a block.
TEST(ResidentWarps, OfALaunchThatIsStopped) {
    RunSetup setup{.machine = "gtx480"};
    setup.options.max_cycles = 1000;
    const KernelRun run = run_kernel_on(setup, "again: bra again;", 96, 2);
    EXPECT_EQ(run.cycles, 1000U);
    EXPECT_EQ(run.counter("core", "warp_cycles"), 1000U * 3 * 2);
    EXPECT_EQ(run.counter("core", "occupied_cycles"), 1000U * 2);
}

TEST(ResidentWarps, NoneWithoutTiming) {
    RunSetup setup;
    setup.options.functional = true;
    EXPECT_EQ(run_kernel_on(setup, kChain, 64).counter("core", "warp_cycles"), 0U);
}

// Intervals of gtx480 (machines/gtx480.toml): mov and ret 1, of the logic class; add 1, mul 2, of sp; rcp 8, of sfu.
// The pipes' names in order: sfu, sp. The load of the parameter goes to the load/store unit, which is no pipe.
TEST(PipeUse, AnInstructionTakesAUnitForItsInterval) {
    const KernelRun run = run_kernel_on({.machine = "gtx480"},
                                        "mov.u32 %r1, 1; add.u32 %r2, %r1, %r1; mul.lo.u32 %r3, %r1, %r2;\n"
                                        "mov.f32 %f1, 0f3F800000; rcp.approx.f32 %f2, %f1; ret;",
                                        64); // 2 warps
    const auto busy = run.result["stats"]["pipes"]["busy"].get<std::vector<std::uint64_t>>();
    EXPECT_EQ(busy[0], 2U * 8);
    EXPECT_EQ(busy[1], 2U * (1 + 1 + 2 + 1 + 1));
}

// PTX has 16 addresses at a time, 32 registers. Native code has one address, and offsets in the loads: a block of 1024
// threads, which have 32 registers each on gtx480, fits.
TEST(Registers, OfCodeDecideWhereThoseOfPtxLeaveABlockNoRoom) {
    std::string body = "ld.param.u64 %rd63, [x]; mov.u32 %r0, 0;\n";
    for (int i = 0; i < 16; ++i)
        body += fmt::format("add.s64 %rd{}, %rd63, {};\n", i, 4 * i);
    for (int i = 0; i < 16; ++i)
        body += fmt::format("ld.global.u32 %r{}, [%rd{}]; add.u32 %r0, %r0, %r{};\n", i + 1, i, i + 1);
    body += "add.u32 %r0, %r0, 5; st.global.u32 [%rd63+256], %r0; ret;";
    EXPECT_EQ(run_kernel_on({.machine = "gtx480"}, body, 1024).words[64], 5U);
}

} // namespace
} // namespace heddle::runtime
