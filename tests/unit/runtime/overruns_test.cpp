// Accesses outside every allocation that a GPU lets pass: what a device says of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernel_run.h"

namespace heddle::runtime {
namespace {

using testing::HasSubstr;

// Each thread of each block loads a word `behind` words behind its own, and stores it at its own place.
std::string text(unsigned behind) {
    return module_of(
        "ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd2, %rd1, %rd2;\n"
        "ld.global.u32 %r2, [%rd2+" +
        std::to_string(4 * behind) + "];\nst.global.u32 [%rd2], %r2; ret;");
}

struct Bench {
    Device device;
    Address buffer;
    KernelId kernel;

    Bench(unsigned behind, bool strict, const char* machine = "lwm11", std::uint64_t host_threads = 1)
        : device(config::Machine::load(machine, {}), options(strict, host_threads)),
          buffer(device.allocate(128, "buffer")),
          kernel(device.kernel(device.load_module("t.ptx", text(behind)), "k")) {}

    void launch(std::uint32_t blocks) {
        void* arguments[] = {&buffer};
        device.launch(kernel, {{blocks, 1, 1}, {32, 1, 1}, 0}, arguments);
    }
    static Options options(bool strict, std::uint64_t host_threads) {
        Options out;
        out.strict = strict;
        out.host_threads = host_threads;
        return out;
    }
};

TEST(Overruns, AreToldOncePerLineWithTheirNumber) {
    Bench bench(30, false); // threads 2 to 31 load behind the end
    bench.launch(4);
    const std::vector<std::string> first = bench.device.take_warnings();
    ASSERT_EQ(first.size(), 1U);
    EXPECT_THAT(first[0], HasSubstr("out-of-bounds load of 4 bytes at 0x100000001080"));
    EXPECT_THAT(first[0], HasSubstr("block (0,0,0) thread (2,0,0)"));
    EXPECT_THAT(first[0], HasSubstr("120 such accesses of t.ptx:"));
    EXPECT_EQ(bench.device.overrun_totals(), "");
    bench.launch(2);
    EXPECT_TRUE(bench.device.take_warnings().empty());
    EXPECT_THAT(bench.device.overrun_totals(), HasSubstr(": 180 accesses outside every allocation in 2 launches"));
}

TEST(Overruns, AreFaultsWhenTheOptionsSaySo) {
    Bench bench(30, true);
    EXPECT_THROW(bench.launch(1), Fault);
    EXPECT_TRUE(bench.device.take_warnings().empty());
}

TEST(Overruns, AreFaultsBeyondThePage) {
    Bench bench(1 << 20, false); // 4 MiB
    EXPECT_THROW(bench.launch(1), Fault);
}

TEST(Overruns, NothingIsSaidWhereThereAreNone) {
    Bench bench(0, false);
    bench.launch(4);
    EXPECT_TRUE(bench.device.take_warnings().empty());
    EXPECT_EQ(bench.device.overrun_totals(), "");
}

TEST(Overruns, ReportsDoNotDependOnHostThreads) {
    std::vector<std::vector<std::string>> reports;
    for (const std::uint64_t threads : {1U, 2U, 3U}) {
        Bench bench(30, false, "gtx480", threads);
        bench.launch(64);
        reports.push_back(bench.device.take_warnings());
    }
    EXPECT_THAT(reports[0].at(0), HasSubstr("1920 such accesses"));
    EXPECT_EQ(reports[0], reports[1]);
    EXPECT_EQ(reports[0], reports[2]);
}

} // namespace
} // namespace heddle::runtime
