// An instruction cache that is too small for the warps' code: a warp that has waited for a line executes from it, even
// if the line has been replaced meanwhile.

#include <gtest/gtest.h>

#include "kernel_run.h"

namespace heddle::runtime {
namespace {

// Each warp of 32 goes its own way: eight additions and a store, at instructions that lie in lines of their own.
std::string ways(unsigned warps) {
    std::string body = "ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; mad.wide.u32 %rd2, %r1, 4, %rd1;\n"
                       "shr.u32 %r3, %r1, 5; mov.u32 %r2, 0;\n";
    for (unsigned w = 0; w + 1 < warps; ++w)
        body += "setp.eq.u32 %p1, %r3, " + std::to_string(w) + "; @%p1 bra way" + std::to_string(w) + ";\n";
    for (unsigned w = warps; w-- > 0;) {
        body += "way" + std::to_string(w) + ":\n";
        for (unsigned i = 0; i < 8; ++i)
            body += "add.u32 %r2, %r2, " + std::to_string(w + 1) + ";\n";
        body += "st.global.u32 [%rd2], %r2; ret;\n";
    }
    return body;
}

class InstructionFetch : public testing::TestWithParam<const char*> {};

TEST_P(InstructionFetch, EveryLineThatComesIsExecutedFrom) {
    constexpr unsigned kWarps = 6;
    RunSetup setup{
        .settings = {"icache.size=64", "icache.line=64", "icache.ways=1", std::string("core.scheduler=") + GetParam()}};
    // A fetch waits for a line once at most: 5 + 2 * 5 + 10 instructions of 6 warps, their 300 cycles one after
    // another.
    constexpr Cycle kLongest = 6 * 25 * (300 + 7);
    setup.options.max_cycles = kLongest;
    const KernelRun run = run_kernel_on(setup, ways(kWarps), kWarps * 32);
    ASSERT_EQ(run.result["status"], "complete");
    for (unsigned t = 0; t < kWarps * 32; ++t)
        ASSERT_EQ(run.words[t], 8 * (t / 32 + 1));
}

INSTANTIATE_TEST_SUITE_P(Schedulers, InstructionFetch, testing::Values("rr", "gto", "srr"));

} // namespace
} // namespace heddle::runtime
