// Blocks of all sizes on the scoreboarded core, under every formation that it runs and the schedulers that PRO
// compares: the memory afterwards is worked out here, and the thread instructions are those of the barrel core.
#include <algorithm>

#include <gtest/gtest.h>

#include "../fermi.h"
#include "kernel_run.h"

namespace heddle::runtime {
namespace {

// Thread t of block b counts to its turns in a loop, (t / 32 + b) % 5 * 7 of them, stores the count in shared memory,
// waits for its block (warps come late, each at a time of its own), and adds the count of the thread before it in the
// block, cyclically. Every third thread takes another way before.
const std::string kKernel = R"(
    .shared .align 4 .b32 s[1024];
    ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x;
    shr.u32 %r4, %r1, 5; add.u32 %r4, %r4, %r2; rem.u32 %r4, %r4, 5; mul.lo.u32 %r4, %r4, 7; mov.u32 %r5, 0;
    rem.u32 %r6, %r1, 3; setp.eq.u32 %p1, %r6, 0; @%p1 bra third;
    bra head;
third: add.u32 %r5, %r5, 1000;
head: setp.eq.u32 %p2, %r4, 0; @%p2 bra done;
    add.u32 %r5, %r5, 1; sub.u32 %r4, %r4, 1; bra head;
done: shl.b32 %r7, %r1, 2; mov.u32 %r8, s; add.u32 %r7, %r7, %r8; st.shared.u32 [%r7], %r5;
    bar.sync 0;
    add.u32 %r9, %r1, %r3; sub.u32 %r9, %r9, 1; rem.u32 %r9, %r9, %r3; shl.b32 %r9, %r9, 2; add.u32 %r9, %r9, %r8;
    ld.shared.u32 %r10, [%r9]; add.u32 %r5, %r5, %r10;
    mad.lo.u32 %r11, %r2, %r3, %r1; mul.wide.u32 %rd2, %r11, 4; add.u64 %rd2, %rd1, %rd2;
    st.global.u32 [%rd2], %r5; ret;
)";

std::uint32_t count_of(unsigned thread, unsigned block) {
    return (thread / 32 + block) % 5 * 7 + (thread % 3 == 0 ? 1000 : 0);
}

class ScoreboardShapes : public testing::TestWithParam<std::tuple<const char*, const char*>> {
protected:
    void check(unsigned threads, unsigned blocks) {
        const auto [formation, scheduler] = GetParam();
        const std::string what = std::to_string(blocks) + " blocks of " + std::to_string(threads);
        const RunSetup setup{.machine = "gtx480",
                             .settings = {std::string("core.formation=") + formation,
                                          std::string("core.scheduler=") + scheduler, "gpu.sms=2"}};
        const KernelRun run = run_kernel_on(setup, kKernel, threads, blocks);
        for (unsigned b = 0; b < blocks; ++b)
            for (unsigned t = 0; t < threads; ++t)
                ASSERT_EQ(run.words[b * threads + t], count_of(t, b) + count_of((t + threads - 1) % threads, b))
                    << what << ", thread " << t << " of block " << b;
        const KernelRun barrel = run_kernel(kKernel, threads, blocks);
        EXPECT_EQ(run.counter("core", "thread_instructions"), barrel.counter("core", "thread_instructions")) << what;
        EXPECT_EQ(run.counter("core", "blocks"), blocks) << what;
    }
};

TEST_P(ScoreboardShapes, OneThread) {
    check(1, 1);
    check(1, 40); // 8 an SM
}
TEST_P(ScoreboardShapes, AWarpAndAThread) {
    check(33, 1);
    check(33, 50);
}
TEST_P(ScoreboardShapes, AsManyAsABlockMayHave) {
    check(1024, 1);
    check(1024, 5); // one an SM
}

std::string name_of(const testing::TestParamInfo<ScoreboardShapes::ParamType>& info) {
    std::string name = std::string(std::get<0>(info.param)) + "_" + std::get<1>(info.param);
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(Runtime, ScoreboardShapes,
                         testing::Combine(testing::Values("pdom", "serial", "tbc", "lwm"),
                                          testing::Values("lrr", "gto", "tl", "pro", "two-level")),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Dwf, ScoreboardShapes,
                         testing::Combine(testing::Values("dwf"),
                                          testing::Values("lrr", "gto", "dmaj", "dmin", "dtime", "dpc", "dpdpri")),
                         name_of);

// A store into the line of a write-back cache holds no instruction up behind it: a fence and the end of its thread wait
// until it has the line, which takes memory's 300 cycles.
TEST(ScoreboardStores, FencesAndExitsWaitForLines) {
    const RunSetup setup{.machine = "maws-bulk", .settings = fermi({"dcache.flush=never"}), .launches = 2};
    const KernelRun fence =
        run_kernel_on({.machine = "maws-bulk", .settings = setup.settings},
                      "ld.param.u64 %rd1, [x]; mov.u64 %rd2, %clock64; st.global.u32 [%rd1+1024], 7;"
                      "membar.gl; mov.u64 %rd3, %clock64; sub.u64 %rd3, %rd3, %rd2;"
                      "st.global.u32 [%rd1], %rd3; ret;",
                      1);
    EXPECT_GT(fence.words[0], 300U);
    // Each thread ends behind a store to a line of its own.
    const KernelRun exit =
        run_kernel_on(setup,
                      "ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; mad.wide.u32 %rd2, %r1, 128, %rd1;"
                      "st.global.u32 [%rd2], %r1; ret;",
                      32);
    EXPECT_EQ(exit.counter("core", "blocks"), 2U);
    EXPECT_EQ(exit.words[32], 1U);
}

} // namespace
} // namespace heddle::runtime
