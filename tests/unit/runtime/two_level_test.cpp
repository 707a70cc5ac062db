// LWM11 Figure 7: warps that go round-robin reach their loads together, and then all wait; fetch groups reach them one
// after another, and compute while others wait. The drawing's numbers are lost; this is the smallest case of its prose.

#include <gtest/gtest.h>

#include "kernel_run.h"

namespace heddle::runtime::test {
namespace {

// 32 warps of lwm11, each with 40 additions, a load of a line of its own, and 40 additions more.
KernelRun run_with(const std::vector<std::string>& settings) {
    std::string body = "ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; mad.wide.u32 %rd2, %r1, 4, %rd1;\n";
    for (int i = 0; i < 40; ++i)
        body += "add.u32 %r1, %r1, 1;\n";
    body += "ld.global.u32 %r2, [%rd2];\n";
    for (int i = 0; i < 40; ++i)
        body += "add.u32 %r2, %r2, %r1;\n";
    body += "st.global.u32 [%rd2], %r2; ret;";
    return run_kernel(body, 1024, 1, settings);
}

std::uint64_t memory_stalls(const KernelRun& run) {
    return run.result["stalls"]["memory"].get<std::uint64_t>();
}

TEST(TwoLevel, HidesTheStall) {
    const KernelRun rr = run_with({"core.scheduler=rr"});
    const KernelRun two_level = run_with({"core.scheduler=two-level", "two-level.group=8"});
    // Round-robin issues all loads within 32 cycles; the first line comes 300 cycles after its request. Nothing else is
    // to be done but the last warps' loads themselves.
    EXPECT_GE(memory_stalls(rr), 300U - 2 * 32);
    // The first group is at its loads after 8 x 44 issues. By then 24 warps have 40 additions each to do: three times
    // the latency. The last group's own loads find the others' additions, again 24 x 40, so there is always work.
    EXPECT_EQ(memory_stalls(two_level), 0U);
    // Each of the four groups gives its place away when all of it has come to its loads, for another can go on.
    EXPECT_GE(two_level.counter("two-level", "switches"), 4U);
    EXPECT_EQ(two_level.counter("two-level", "timeouts"), 0U);
    EXPECT_FALSE(rr.result["stats"].contains("two-level"));
    EXPECT_EQ(two_level.words, rr.words);
    EXPECT_LE(two_level.cycles + 300 - 2 * 32, rr.cycles);
}

} // namespace
} // namespace heddle::runtime::test
