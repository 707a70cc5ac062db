// Machines of more SMs, slices and threads than a word has bits.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/source.h"
#include "gpu/gpu_config.h"
#include "many_sms.h"
#include "random_kernel.h"

namespace heddle::runtime {
namespace {

using testing::HasSubstr;

const std::vector<std::string> k130Sms = {"gpu.sms=130", "llc.slices=96", "llc.size=6MiB", "dram.channels=48"};

// Each thread of block b counts word b, so that a block that ran twice, or not at all, shows. The first 130 blocks go
// to the SMs in turn, and so do the others, for an SM holds eight.
TEST(LargeMachines, EachBlockRunsOnceOn130Sms) {
    constexpr unsigned kBlocks = 300;
    const RunSetup setup{.machine = "gtx480", .settings = k130Sms};
    const std::string body = kMine + "mul.wide.u32 %rd3, %r1, 4; add.u64 %rd3, %rd1, %rd3;\n"
                                     "atom.global.add.u32 %r5, [%rd3], 1; mov.u32 %r6, %smid;\n"
                                     "st.global.u32 [%rd3+65536], %r6; st.global.u32 [%rd2+131072], %r4; ret;";
    const Outcome run = in_every_order(setup, body, 32, kBlocks);
    for (unsigned b = 0; b < kBlocks; ++b) {
        EXPECT_EQ(run.words[b], 32U) << "block " << b;
        EXPECT_EQ(run.words[65536 / 4 + b], b % 130) << "block " << b;
    }
    for (unsigned t = 0; t < kBlocks * 32; ++t)
        ASSERT_EQ(run.words[131072 / 4 + t], t);
    EXPECT_EQ(run.result["totals"]["thread_instructions"].get<std::uint64_t>() % (kBlocks * 32), 0U);
}

TEST(LargeMachines, RandomKernelsOnCoherentMachinesOf130Sms) {
    const RandomKernel kernel(21, 140 * 32, 32, 20);
    const RunSetup setup{.machine = "maws-coherent",
                         .settings = {"gpu.sms=130", "llc.slices=96", "llc.size=384KiB", "dram.channels=3"},
                         .buffer = kernel.buffer_bytes(),
                         .launches = 1,
                         .options = Options(),
                         .globals = RandomKernel::globals()};
    const Outcome run = run_anyhow(setup, kernel.ptx(), 32, 140);
    EXPECT_EQ(run.error, "");
    EXPECT_EQ(run.words, kernel.expected());
}

// All SMs share the line of one word until SM 0 writes it: their copies go.
TEST(LargeMachines, AWriterInvalidatesMoreThan64Sharers) {
    constexpr unsigned kSms = 100;
    const RunSetup setup{.machine = "maws-coherent", .settings = {"gpu.sms=100"}};
    const std::string body = kMine + "ld.global.u32 %r5, [%rd1+65536]; atom.global.add.u32 %r6, [%rd1], 1;\n"
                                     "setp.ne.u32 %p1, %r4, 0; @%p1 bra out;\n"
                                     "wait: ld.volatile.global.u32 %r7, [%rd1]; setp.lt.u32 %p2, %r7, 100;\n"
                                     "@%p2 bra wait; st.global.u32 [%rd1+65536], %r4;\n"
                                     "out: ret;";
    const Outcome run = run_anyhow(setup, body, 1, kSms);
    EXPECT_EQ(run.error, "");
    EXPECT_EQ(run.words[0], kSms);
    EXPECT_GE(run.result["stats"]["coherence"]["invalidations"].get<unsigned>(), kSms - 1);
}

// An SM of 4096 threads, of which mimd makes as many units.
TEST(LargeMachines, AnSmOf4096Threads) {
    for (const char* const formation : {"mimd", "pdom", "dwf"}) {
        const RunSetup setup{.machine = "lwm11",
                             .settings = {"core.threads=4096", "core.blocks=16", "core.registers=0",
                                          std::string("core.formation=") + formation}};
        const std::string body = kMine + "and.b32 %r5, %r4, 1; setp.eq.u32 %p1, %r5, 1; mov.u32 %r6, 7;\n"
                                         "@%p1 bra odd; add.u32 %r6, %r6, %r4; odd: bar.sync 0;\n"
                                         "st.global.u32 [%rd2], %r6; ret;";
        const Outcome run = run_anyhow(setup, body, 1024, 4);
        EXPECT_EQ(run.error, "") << formation;
        for (unsigned t = 0; t < 4096; ++t)
            ASSERT_EQ(run.words[t], t % 2 == 1 ? 7 : 7 + t) << formation << ", thread " << t;
    }
}

// The message for a machine file with `setting`.
std::string refusal(const std::string& setting) {
    try {
        (void)config::Machine::defaults({{"interconnect.kind=crossbar", setting}});
    } catch (const UserError& error) {
        return error.what();
    }
    return "";
}

TEST(LargeMachines, BeyondTheLimitsAMachineIsRefused) {
    EXPECT_THAT(refusal("gpu.sms=1025"), testing::AllOf(HasSubstr("gpu.sms"), HasSubstr("1..1024")));
    EXPECT_THAT(refusal("llc.slices=1025"), testing::AllOf(HasSubstr("llc.slices"), HasSubstr("1..1024")));
    EXPECT_THAT(refusal("dram.channels=1025"), testing::AllOf(HasSubstr("dram.channels"), HasSubstr("1..1024")));
    EXPECT_THAT(refusal("core.threads=4128"), testing::AllOf(HasSubstr("core.threads"), HasSubstr("1..4096")));
    EXPECT_EQ(refusal("gpu.sms=1024"), "");
    EXPECT_EQ(refusal("llc.slices=96"), "");
}

} // namespace
} // namespace heddle::runtime
