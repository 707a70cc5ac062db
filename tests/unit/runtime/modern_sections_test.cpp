// Sections that machines after 2017 have: when kernels begin, which SM gets which block, barriers, and the L1 and L2
// with sectors beside those without.
#include <gtest/gtest.h>

#include "kernel_run.h"

namespace heddle::runtime {
namespace {

RunSetup gtx480_with(std::vector<std::string> settings) {
    return {.machine = "gtx480", .settings = std::move(settings)};
}

const std::string kSmOfBlock = "ld.param.u64 %rd1, [x]; mov.u32 %r1, %ctaid.x; mul.wide.u32 %rd2, %r1, 4;\n"
                               "add.u64 %rd1, %rd1, %rd2; mov.u32 %r2, %smid; st.global.u32 [%rd1], %r2; ret;";

TEST(LaunchSection, BlocksGoToOneSmOfEachGroupFirst) {
    const KernelRun run = run_kernel_on(gtx480_with({"gpu.sms=6", "launch.group=2"}), kSmOfBlock, 32, 6);
    const std::vector<std::uint32_t> expected{0, 2, 4, 1, 3, 5};
    EXPECT_EQ(std::vector(run.words.begin(), run.words.begin() + 6), expected);
}

// SMs 0, 1, 4 and 5 are one GPC, 2 and 3 the other.
TEST(LaunchSection, BlocksGoToTheSmsOfAGpcFirst) {
    const KernelRun run = run_kernel_on(
        gtx480_with({"gpu.sms=6", "gpc.sms=4 2", "launch.group=2", "launch.by_gpc=true"}), kSmOfBlock, 32, 6);
    const std::vector<std::uint32_t> expected{0, 1, 4, 5, 2, 3};
    EXPECT_EQ(std::vector(run.words.begin(), run.words.begin() + 6), expected);
}

TEST(LaunchSection, AKernelBeginsLater) {
    const Cycle at_once = run_kernel_on(gtx480_with({}), kSmOfBlock, 32, 1).cycles;
    EXPECT_EQ(run_kernel_on(gtx480_with({"launch.latency=800"}), kSmOfBlock, 32, 1).cycles, at_once + 800);
}

// Eight barriers, each of which is ten cycles longer.
TEST(SubCoreSection, ABarrierTakesItsTime) {
    std::string body;
    for (int i = 0; i < 8; ++i)
        body += "bar.sync 0;\n";
    const auto cycles = [&](const char* setting) {
        return run_kernel_on(gtx480_with({setting, "sub_core.read_stages=3"}), body + "ret;", 64).cycles;
    };
    EXPECT_EQ(cycles("sub_core.barrier=30"), cycles("sub_core.barrier=20") + 80);
}

TEST(SubCoreSection, AFenceOfTheGpuTakesItsTime) {
    const auto cycles = [](const std::string& fence, const char* setting) {
        std::string body;
        for (int i = 0; i < 8; ++i)
            body += fence;
        return run_kernel_on(gtx480_with({setting, "sub_core.read_stages=3"}), body + "ret;", 32).cycles;
    };
    EXPECT_EQ(cycles("membar.gl;\n", "sub_core.fence=250"), cycles("membar.gl;\n", "sub_core.fence=50") + 8 * 200);
    EXPECT_EQ(cycles("membar.cta;\n", "sub_core.fence=250"), cycles("membar.cta;\n", "sub_core.fence=0"));
}

// A store on its way is awaited beside the time of the fence, not in front of it.
TEST(SubCoreSection, AFenceThatWaitsForStoresTakesTheLongerTime) {
    const auto cycles = [](const char* setting) {
        return run_kernel_on(gtx480_with({setting, "sub_core.read_stages=3"}),
                             "ld.param.u64 %rd1, [x]; st.global.u32 [%rd1], 1; membar.gl; ret;", 32)
            .cycles;
    };
    EXPECT_EQ(cycles("sub_core.fence=20"), cycles("sub_core.fence=0"));
    EXPECT_GT(cycles("sub_core.fence=2000"), cycles("sub_core.fence=0"));
    EXPECT_LT(cycles("sub_core.fence=2000"), cycles("sub_core.fence=0") + 2000);
}

const std::vector<std::string> kSectors{"dcache.allocate=fill",
                                        "dcache.write=through",
                                        "dcache.prefetch=none",
                                        "llc.allocate=fill",
                                        "l1.sector=32",
                                        "l2.sector=32",
                                        "gpu.sms=2",
                                        "dcache.write_allocate=true"};

// Each thread reads a word of a sector of its own: 32 bytes of each line come, not 128.
TEST(SectorSections, AScatteredReadMovesItsSectors) {
    const std::string body = "ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 128;\n"
                             "add.u64 %rd1, %rd1, %rd2; ld.global.u32 %r2, [%rd1+64]; st.global.u32 [%rd1], %r2; ret;";
    auto whole = kSectors;
    whole[4] = "l1.sector=0";
    whole[5] = "l2.sector=0";
    const KernelRun lines = run_kernel_on(gtx480_with(whole), body, 256);
    const KernelRun sectors = run_kernel_on(gtx480_with(kSectors), body, 256);
    EXPECT_EQ(lines.counter("dram", "reads"), sectors.counter("dram", "reads"));
    EXPECT_EQ(lines.counter("dram", "bytes") - sectors.counter("dram", "bytes"), 256U * 96);
    EXPECT_EQ(lines.words, sectors.words);
}

} // namespace
} // namespace heddle::runtime
