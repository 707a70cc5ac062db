// Constant memory in native code: operands at known places, loads by the uniform path, and the code itself, which the
// host copies as it does constants.
#include <cstring>

#include <gtest/gtest.h>

#include "kernel_run.h"

namespace heddle::runtime {
namespace {

const std::string kTable = ".const .align 16 .b32 table[64] = {5, 6, 7, 8};";

RunSetup a100_with(std::vector<std::string> settings = {}) {
    settings.emplace_back("gpu.sms=2");
    return {.machine = "a100", .settings = std::move(settings), .globals = kTable};
}

// An operand c[3][...] has the value of constant memory when the kernel begins.
TEST(NativeConstants, AKernelSeesWhatIsWrittenBetweenLaunches) {
    const std::vector<std::string> settings = {"gpu.sms=2"};
    Device device(config::Machine::load("a100", settings));
    const ModuleId module = device.load_module(
        "test.ptx", module_of("ld.param.u64 %rd1, [x]; ld.const.v2.u32 {%r1, %r2}, [table+8]; add.u32 %r3, %r1, %r2;\n"
                              "st.global.u32 [%rd1], %r3; ret;",
                              kTable));
    const KernelId kernel = device.kernel(module, "k");
    const Address buffer = device.allocate(4, "x");
    const auto result = [&] {
        std::vector<std::byte> parameters(8);
        std::memcpy(parameters.data(), &buffer, 8);
        static_cast<void>(device.launch(kernel, {.grid = {1, 1, 1}, .block = {32, 1, 1}}, parameters));
        std::uint32_t word = 0;
        device.read(&word, buffer, 4);
        return word;
    };
    EXPECT_EQ(result(), 7U + 8U);
    const std::uint32_t changed = 100;
    device.write(device.variable(module, "table").address + 12, &changed, 4);
    EXPECT_EQ(result(), 7U + 100U);
}

// Threads add up 16 words that they load at an address that all of them have: 64 bytes, one line of the constant cache.
const std::string kSum = "ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4;\n"
                         "add.u64 %rd3, %rd1, %rd2; mov.u64 %rd4, table; mov.u32 %r2, 0;\n"
                         "mov.u32 %r3, %r1;\n"
                         "L: .pragma \"nounroll\"; ld.const.u32 %r4, [%rd4]; add.u32 %r3, %r3, %r4;\n"
                         "add.u64 %rd4, %rd4, STEP; add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 16; @%p1 bra L;\n"
                         "st.global.u32 [%rd3], %r3; ret;";

std::string sum(const std::string& step) {
    std::string out = kSum;
    return out.replace(out.find("STEP"), 4, step);
}

TEST(NativeConstants, AUniformAddressIsLookedUpInTheConstantCacheOfTheSubCore) {
    const KernelRun near = run_kernel_on(a100_with(), sum("4"), 32);
    EXPECT_EQ(near.words[0], 5U + 6 + 7 + 8);
    EXPECT_EQ(near.words[31], 31U + 5 + 6 + 7 + 8);
    EXPECT_EQ(near.counter("data", "loads"), 0U) << "none is of the load/store unit";
    const KernelRun far = run_kernel_on(a100_with(), sum("16"), 32); // four lines
    EXPECT_EQ(far.counter("ccache_l0", "misses"), near.counter("ccache_l0", "misses") + 3);
    EXPECT_GT(far.cycles, near.cycles + 3 * 39);
}

TEST(NativeConstants, ByAScoreboardItIsTheSame) {
    const KernelRun run = run_kernel_on(a100_with({"core.dependences=scoreboard"}), sum("4"), 32);
    EXPECT_EQ(run.words[31], 31U + 5 + 6 + 7 + 8);
    EXPECT_EQ(run.counter("data", "loads"), 0U);
}

// The kernel reads no data. Its code has more than 1 KiB, which are 8 lines; the launch fetches none ahead.
TEST(NativeConstants, TheHostHasCopiedTheCode) {
    std::string body = "mov.u32 %r1, %tid.x;\n";
    for (int i = 0; i < 64; ++i)
        body += "mad.lo.u32 %r1, %r1, %r1, 7;\n";
    body += "ld.param.u64 %rd1, [x]; st.global.u32 [%rd1], %r1; ret;";
    const KernelRun cold = run_kernel_on(a100_with({"l2.host_copies=false", "icache_l1.launch_bytes=0"}), body, 32);
    const KernelRun warm = run_kernel_on(a100_with({"l2.host_copies=true", "icache_l1.launch_bytes=0"}), body, 32);
    EXPECT_GE(cold.counter("dram", "reads"), warm.counter("dram", "reads") + 8);
    EXPECT_LT(warm.cycles, cold.cycles);
    EXPECT_EQ(cold.words[0], warm.words[0]);
}

} // namespace
} // namespace heddle::runtime
