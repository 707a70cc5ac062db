// The views of RESULT.json against the counters they are made of, on a machine of several SMs.

#include <gtest/gtest.h>

#include "kernel_run.h"

namespace heddle::runtime::test {
namespace {

// dwf07, where a load that comes back takes the write-back stage (DWF07 5): 24 blocks of 64 threads on 8 SMs. Odd
// threads add more than even ones, so that 8 of 16 lanes are active there.
KernelRun run_dwf07() {
    std::string body = "ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r5, %ntid.x;\n"
                       "mad.lo.u32 %r3, %r2, %r5, %r1; mad.wide.u32 %rd2, %r3, 128, %rd1;\n"
                       "ld.global.u32 %r4, [%rd2]; and.b32 %r6, %r1, 1; setp.eq.u32 %p1, %r6, 0; @%p1 bra even;\n";
    for (int i = 0; i < 60; ++i)
        body += "add.u32 %r4, %r4, 1;\n";
    body += "even: st.global.u32 [%rd2], %r4; ret;";
    return run_kernel_on({.machine = "dwf07"}, body, 64, 24);
}

TEST(Views, EachCycleOfEachSmIsInOneRange) {
    const KernelRun run = run_dwf07();
    const auto& sizes = run.result["views"]["warp_sizes"];
    std::uint64_t sum = 0;
    for (const auto& slots : sizes)
        sum += slots.get<std::uint64_t>();
    EXPECT_EQ(sum, run.result["totals"]["cycles"].get<std::uint64_t>() * 8);
    EXPECT_EQ(sum, run.counter("core", "cycles"));
    EXPECT_EQ(sizes["stall"], run.result["stalls"]["write_back"]);
    EXPECT_GT(sizes["stall"], 0);
    EXPECT_EQ(sizes["stall"].get<std::uint64_t>() + sizes["W0"].get<std::uint64_t>(),
              run.result["active_lanes"][0].get<std::uint64_t>());
    // 24 blocks of 4 warps add 60 times with 8 lanes; 12 instructions are for all 16.
    EXPECT_EQ(sizes["W7-8"], 24 * 4 * 60);
    EXPECT_EQ(sizes["W15-16"], 24 * 4 * 12);
}

} // namespace
} // namespace heddle::runtime::test
