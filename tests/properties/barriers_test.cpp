// Barriers under every formation. A barrier that all threads of a block come to completes, even if some have left
// before. Barriers at different places on the two sides of a warp are reported under pdom, whose warps wait as a whole.

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../unit/runtime/kernel_run.h"
#include "run.h"

namespace heddle::properties {
namespace {

using runtime::run_kernel_on;
using testing::HasSubstr;

class Barriers : public testing::TestWithParam<Variant> {};

// Threads leave, at two places; the others call a function that calls another, each with a barrier, from a loop.
//   shared memory: thread t puts its number plus the round, and reads thread 127 - t's; those from 100 on have left.
TEST_P(Barriers, InNestedCallsWithThreadsThatHaveLeft) {
    const std::string functions =
        ".func deep() { bar.sync 0; ret; }\n"
        ".func (.param .b32 r) meet(.param .b32 v) { .reg .b32 %a; ld.param.b32 %a, [v]; call deep; bar.sync 1;\n"
        "add.u32 %a, %a, 1; st.param.b32 [r], %a; ret; }\n";
    const std::string body =
        ".shared .align 4 .b8 s[512];\nld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; mov.u32 %r2, s;\n"
        "mad.lo.u32 %r3, %r1, 4, %r2; mad.wide.u32 %rd2, %r1, 4, %rd1; setp.ge.u32 %p1, %r1, 100; @%p1 exit;\n"
        "sub.u32 %r4, 127, %r1; max.u32 %r4, %r4, 28; mad.lo.u32 %r4, %r4, 4, %r2; mov.u32 %r5, 0;\n"
        "again: add.u32 %r6, %r1, %r5; st.shared.u32 [%r3], %r6;\n"
        "{ .param .b32 p, q; st.param.b32 [p], %r5; call (q), meet, (p); ld.param.b32 %r5, [q]; }\n"
        "ld.shared.u32 %r7, [%r4]; bar.sync 0; setp.lt.u32 %p2, %r5, 5; @%p2 bra again;\n"
        "st.global.u32 [%rd2], %r7; setp.lt.u32 %p3, %r1, 7; @%p3 exit; bar.sync 0;\n"
        "add.u32 %r7, %r7, 1000; st.global.u32 [%rd2], %r7; ret;";
    const auto run = run_kernel_on({.settings = with({}, GetParam(), true), .globals = functions}, body, 128);
    ASSERT_EQ(run.result["status"], "complete");
    // The last round is 4. Threads below 28 read word 127 - t above 99, which was never written: 0.
    for (unsigned t = 0; t < 128; ++t) {
        const unsigned read = t < 28 ? 0 : 127 - t < 28 ? 28 + 4 : 127 - t + 4;
        EXPECT_EQ(run.words[t], t >= 100 ? 0 : t < 7 ? read : read + 1000) << "thread " << t;
    }
}

// The kernel's returns are branches to one place, where those meet who part before it: without a return, at the
// barrier.
//   thread t of 128: 100 and up leave at once; the others put t into word t, meet at a barrier, and read word 127 - t
//   t mod 4 times in a loop that thread 50 leaves the kernel from; then they add 1000 to their word, meet at a barrier
//   right before the return, and those below 64 read word 63 - t.
TEST_P(Barriers, ThatSomeThreadsReturnBefore) {
    const std::string body =
        ".shared .align 4 .b8 s[512];\nld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; mov.u32 %r2, s;\n"
        "mad.lo.u32 %r3, %r1, 4, %r2; mad.wide.u32 %rd2, %r1, 4, %rd1; setp.ge.u32 %p1, %r1, 100; @%p1 bra end;\n"
        "st.shared.u32 [%r3], %r1; bar.sync 0; sub.u32 %r4, 127, %r1; max.u32 %r4, %r4, 28;\n"
        "mad.lo.u32 %r4, %r4, 4, %r2; and.b32 %r5, %r1, 3; mov.u32 %r6, 0; setp.eq.u32 %p2, %r5, 0; @%p2 bra behind;\n"
        "again: ld.shared.u32 %r7, [%r4]; add.u32 %r6, %r6, %r7; setp.eq.u32 %p3, %r1, 50; @%p3 bra end;\n"
        "sub.u32 %r5, %r5, 1; setp.ne.u32 %p2, %r5, 0; @%p2 bra again;\n"
        "behind: st.global.u32 [%rd2], %r6; bar.sync 0; add.u32 %r1, %r1, 1000; st.shared.u32 [%r3], %r1; bar.sync 0;\n"
        "setp.ge.u32 %p1, %r1, 1064; @%p1 bra end; sub.u32 %r4, 1063, %r1; mad.lo.u32 %r4, %r4, 4, %r2;\n"
        "ld.shared.u32 %r7, [%r4]; add.u32 %r6, %r6, %r7; st.global.u32 [%rd2], %r6; bar.sync 0;\n"
        "end: ret;";
    const auto run = run_kernel_on({.settings = with({}, GetParam(), true)}, body, 128);
    ASSERT_EQ(run.result["status"], "complete");
    for (unsigned t = 0; t < 128; ++t) {
        const unsigned sum = t % 4 * std::max(127 - t, 28U); // words from 28 to 99 hold their number, others are 0
        const unsigned read = 127 - t < 100 ? sum : 0;
        const unsigned last = t == 13 ? 50 : 1000 + 63 - t; // thread 50 has left its word as it was
        EXPECT_EQ(run.words[t], t >= 100 || t == 50 ? 0 : t < 64 ? read + last : read) << "thread " << t;
    }
}

// Votes and shuffles of whole warps go on without the threads that stand at the return.
TEST_P(Barriers, OfAWarpThatSomeThreadsReturnBefore) {
    const std::string body =
        "ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; mad.wide.u32 %rd2, %r1, 4, %rd1; setp.ge.u32 %p1, %r1, 40;\n"
        "@%p1 bra end; and.b32 %r2, %r1, 1; setp.eq.u32 %p2, %r2, 0; vote.sync.ballot.b32 %r3, %p2, 0xffffffff;\n"
        "st.global.u32 [%rd2], %r3; bar.warp.sync 0xffffffff;\n"
        "end: ret;";
    const auto run = run_kernel_on({.settings = with({}, GetParam(), true)}, body, 64);
    for (unsigned t = 0; t < 64; ++t)
        EXPECT_EQ(run.words[t], t < 32 ? 0x55555555U : t < 40 ? 0x55U : 0) << "thread " << t;
}

// Both sides of the second warp come to barrier 0, each at its own place.
TEST_P(Barriers, InDivergentCode) {
    const std::string body = "ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; mad.wide.u32 %rd2, %r1, 4, %rd1;\n" // line 8
                             "setp.ge.u32 %p1, %r1, 48; mov.u32 %r2, 1;\n"
                             "@%p1 bra other;\n"
                             "bar.sync 0;\n" // line 11
                             "add.u32 %r2, %r2, 1;\n"
                             "bra join;\n"
                             "other: bar.sync 0;\n" // line 14
                             "add.u32 %r2, %r2, 2;\n"
                             "join: st.global.u32 [%rd2], %r2; ret;";
    const runtime::RunSetup setup{.settings = with({}, GetParam(), true)};
    const std::vector<std::string>& settings = GetParam().settings;
    const bool large = std::find(settings.begin(), settings.end(), "lwm.size=32") == settings.end();
    if (GetParam().formation == "lwm" && !large) { // a stack of one PTX warp, as pdom's
        EXPECT_THROW(static_cast<void>(run_kernel_on(setup, body, 64)), runtime::Fault);
        return;
    }
    if (GetParam().formation != "pdom" && GetParam().formation != "maws") {
        const auto run = run_kernel_on(setup, body, 64);
        for (unsigned t = 0; t < 64; ++t)
            EXPECT_EQ(run.words[t], t < 48 ? 2U : 3U);
        return;
    }
    const bool taken_first = GetParam().formation == "maws" || GetParam().settings.empty();
    try {
        static_cast<void>(run_kernel_on(setup, body, 64));
        FAIL() << "it completes";
    } catch (const runtime::Fault& fault) {
        const std::string message = fault.what();
        EXPECT_THAT(message, HasSubstr("deadlock in kernel 'k'"));
        EXPECT_THAT(message, HasSubstr("  32 threads from block (0,0,0) thread (0,0,0) on wait at test.ptx:11:1 for "
                                       "barrier 0, at which 48 of 64 threads have arrived\n"));
        EXPECT_THAT(message,
                    HasSubstr(taken_first ? "  16 threads from block (0,0,0) thread (48,0,0) on wait at test.ptx:14"
                                          : "  16 threads from block (0,0,0) thread (32,0,0) on wait at test.ptx:11"));
        EXPECT_THAT(message, HasSubstr(taken_first ? "thread (48,0,0) on) stands at test.ptx:15"
                                                   : "thread (32,0,0) on) stands at test.ptx:12"));
    }
}

INSTANTIATE_TEST_SUITE_P(Properties, Barriers, testing::ValuesIn(variants()),
                         [](const auto& info) { return test_name(info.param); });

} // namespace
} // namespace heddle::properties
