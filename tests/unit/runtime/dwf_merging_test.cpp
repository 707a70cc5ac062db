// What dynamic warp formation merges, end to end.

#include <gtest/gtest.h>

#include "kernel_run.h"

namespace heddle::runtime {
namespace {

const std::vector<std::string> kIdeal = {"dcache.ideal=true"};

std::vector<std::string> dwf(std::vector<std::string> settings) {
    settings.insert(settings.begin(), {"core.formation=dwf", "core.scheduler=dmaj"});
    settings.insert(settings.end(), kIdeal.begin(), kIdeal.end());
    return settings;
}

// Odd and even threads part for good after `kHead` instructions, and have `kSide` each.
constexpr unsigned kHead = 4, kSide = 11;
std::string parity() {
    std::string body = "mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 1; setp.eq.u32 %p1, %r2, 0; @%p1 bra even;\n";
    for (const char* const side : {"", "even: "}) {
        body += side;
        for (unsigned i = 0; i + 1 < kSide; ++i)
            body += "add.u32 %r1, %r1, 1; ";
        body += "exit;\n";
    }
    return body;
}

std::vector<std::uint64_t> active_lanes(const KernelRun& run) {
    return run.result["stats"]["core"]["active_lanes"].get<std::vector<std::uint64_t>>();
}

// DWF07 4.1: all threads of a side have lanes of one parity, so no two rows' can share a warp.
TEST(DwfMerging, WithoutSwizzlingAParityBranchLeavesHalfWarps) {
    const std::vector<std::uint64_t> lanes = active_lanes(run_kernel(parity(), 1024, 1, dwf({"dwf.swizzle=false"})));
    EXPECT_EQ(lanes[32], 32 * kHead);
    EXPECT_EQ(lanes[16], 64 * kSide);
}

// With it, two rows make two full warps. The majority keeps the 32 warps' branches together, so that all have come back
// before the last pair is fetched.
TEST(DwfMerging, WithSwizzlingTheyAreFull) {
    const KernelRun run = run_kernel(parity(), 1024, 1, dwf({}));
    const std::vector<std::uint64_t> lanes = active_lanes(run);
    EXPECT_EQ(lanes[32], 32 * kHead + 32 * kSide);
    EXPECT_EQ(lanes[16], 0U);
    EXPECT_EQ(run.counter("dwf", "merged"), 512U); // each second half, once
}

// DWF07 Figure 7: for (i = tid % 2; i < 128; ++i) if (i % 2) data[tid]++. Under pdom even and odd threads of a warp
// stay an iteration apart for ever and take turns at the `if`. Instructions of head, loop, body of the `if`, and tail:
//   even threads: 4 + 128 x 6 + 64 x 3 + 1 = 965;  odd threads: 4 + 127 x 6 + 64 x 3 + 1 = 959
//   a warp under pdom: 4 + 128 x (6 + 3) + 1 = 1157: one half or the other does the body in each of 128 iterations
// so 962 a warp would be full warps all the time. A branch counts for the threads that take it: of the even ones 64 and
// 127 in the loop, 65 less than 2 x 128; of the odd ones 63 and 126, also 65 less than 2 x 127.
TEST(DwfMerging, Figure7sLoop) {
    const std::string body = "ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; mad.wide.u32 %rd2, %r1, 4, %rd1;\n"
                             "and.b32 %r2, %r1, 1;\n"
                             "loop: and.b32 %r3, %r2, 1; setp.eq.u32 %p1, %r3, 0; @%p1 bra next;\n"
                             "ld.global.u32 %r4, [%rd2]; add.u32 %r4, %r4, 1; st.global.u32 [%rd2], %r4;\n"
                             "next: add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 128; @%p1 bra loop;\nret;";
    const KernelRun pdom = run_kernel(body, 1024, 1, kIdeal);
    EXPECT_EQ(pdom.counter("core", "warp_instructions"), 32U * 1157);
    EXPECT_EQ(pdom.counter("core", "thread_instructions"), 512U * (965 - 65 + 959 - 65));
    for (const char* const scheduler : {"dmaj", "dpc", "dpdpri"}) {
        const KernelRun run = run_kernel(body, 1024, 1, dwf({"core.scheduler=" + std::string(scheduler)}));
        EXPECT_EQ(run.words, pdom.words);
        EXPECT_EQ(run.counter("core", "thread_instructions"), 512U * (965 - 65 + 959 - 65));
        EXPECT_LT(run.counter("core", "warp_instructions"), 32U * (1157 + 962) / 2) << scheduler;
        EXPECT_LT(run.cycles, pdom.cycles) << scheduler;
    }
}

// What is in decode, a warp after the other: its PC, rows and lanes as the trace has them.
std::vector<std::string> executed(const std::string& body, const std::vector<std::string>& settings, Cycle* cycles) {
    std::vector<std::string> warps;
    RunSetup setup{.settings = settings};
    setup.options.trace = [&](std::string_view line) {
        const std::size_t decode = line.find(" D:u");
        if (decode == line.npos)
            return;
        const std::size_t pc = line.find('@', decode);
        warps.emplace_back(line.substr(pc, line.rfind(']', line.find(':', pc)) - pc)); // up to the next stage
    };
    *cycles = run_kernel_on(setup, body, 1024).cycles;
    return warps;
}

// Full rows that never diverge: nothing can merge, and the oldest first is what round-robin is, for all warps do the
// same. Without the extra stage even the cycles are pdom's.
TEST(DwfMerging, WithoutDivergenceItIssuesWhatPdomDoes) {
    const std::string body = "ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; mad.wide.u32 %rd2, %r1, 4, %rd1;\n"
                             "mov.u32 %r2, 0;\n"
                             "loop: ld.global.u32 %r4, [%rd2]; add.u32 %r4, %r4, %r2; st.global.u32 [%rd2], %r4;\n"
                             "bar.sync 0; add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 5; @%p1 bra loop;\nret;";
    Cycle pdom_cycles = 0, dwf_cycles = 0;
    const std::vector<std::string> pdom = executed(body, kIdeal, &pdom_cycles);
    const std::vector<std::string> merged =
        executed(body, dwf({"core.scheduler=dtime", "dwf.extra_stages=0"}), &dwf_cycles);
    EXPECT_EQ(pdom.size(), 32U * (4 + 5 * 7 + 1));
    EXPECT_EQ(merged, pdom);
    EXPECT_EQ(dwf_cycles, pdom_cycles);
}

// Threads of several blocks, with barriers in divergent code: half the threads of each block come to the barrier by one
// way, half by the other, and each block's are released when its last has come.
TEST(DwfMerging, BarriersInDivergentCodeCountThreads) {
    const std::string body = ".shared .align 4 .b8 s[256];\n"
                             "ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; mov.u32 %r2, s; shl.b32 %r3, %r1, 2;\n"
                             "add.u32 %r2, %r2, %r3; and.b32 %r4, %r1, 1; setp.eq.u32 %p1, %r4, 0; @%p1 bra even;\n"
                             "st.shared.u32 [%r2], 7; bar.sync 0; ld.shared.u32 %r5, [%r2+-4]; bra out;\n"
                             "even: st.shared.u32 [%r2], 9; bar.sync 0; ld.shared.u32 %r5, [%r2+4];\n"
                             "out: mov.u32 %r6, %ctaid.x; mad.lo.u32 %r6, %r6, 64, %r1;\n"
                             "mad.wide.u32 %rd2, %r6, 4, %rd1; st.global.u32 [%rd2], %r5; ret;";
    for (const char* const scheduler : {"dmaj", "dmin", "dtime", "dpdpri", "dpc", "rr", "gto"}) {
        const KernelRun run = run_kernel(body, 64, 20, dwf({"core.scheduler=" + std::string(scheduler)}));
        for (unsigned t = 0; t < 20 * 64; ++t)
            ASSERT_EQ(run.words[t], t % 2 == 0 ? 7U : 9U) << scheduler << ", thread " << t;
        EXPECT_EQ(run.counter("core", "barriers"), 20U);
    }
}

// A rendezvous of PTX warps whose threads are spread over warps of the machine: the sum over 32 threads by shfl.
TEST(DwfMerging, ShufflesFindTheirThreads) {
    const std::string body = "ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; mov.u32 %r2, %r1; and.b32 %r3, %r1, 5;\n"
                             "setp.eq.u32 %p1, %r3, 1; @%p1 bra some; add.u32 %r2, %r2, 100;\nsome:\n"
                             "shfl.sync.bfly.b32 %r4, %r2, 1, 31, 0xffffffff; add.u32 %r2, %r2, %r4;\n"
                             "shfl.sync.bfly.b32 %r4, %r2, 16, 31, 0xffffffff; add.u32 %r2, %r2, %r4;\n"
                             "mad.wide.u32 %rd2, %r1, 4, %rd1; st.global.u32 [%rd2], %r2; ret;";
    for (const char* const width : {"8", "16", "32"}) {
        const KernelRun run = run_kernel(body, 512, 2, dwf({"core.width=" + std::string(width)}));
        const auto value = [](unsigned t) { return t + ((t & 5) == 1 ? 0 : 100); };
        for (unsigned t = 0; t < 512; ++t)
            ASSERT_EQ(run.words[t], value(t) + value(t ^ 1) + value(t ^ 16) + value(t ^ 17)) << width << ", " << t;
    }
}

TEST(DwfMerging, PairsWithoutAMeaningAreRefused) {
    for (const char* const scheduler : {"two-level", "srr"}) {
        try {
            run_kernel("ret;", 32, 1, {"core.formation=dwf", "core.scheduler=" + std::string(scheduler)});
            FAIL() << scheduler;
        } catch (const UserError& error) {
            EXPECT_NE(std::string(error.what()).find("core.formation = 'dwf'"), std::string::npos) << error.what();
        }
    }
    EXPECT_THROW(run_kernel("ret;", 32, 1, {"core.scheduler=dpdpri"}), UserError);
}

} // namespace
} // namespace heddle::runtime
