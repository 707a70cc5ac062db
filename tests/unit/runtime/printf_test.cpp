// What threads print, from any SM and in whatever order SMs are simulated.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernel_run.h"

namespace heddle::runtime {
namespace {

using testing::HasSubstr;

const std::string kGlobals = ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"
                             ".global .align 1 .b8 text[13] = {37, 117, 58, 32, 37, 102, 44, 32, 37, 115, 10, 0, 0};\n"
                             ".global .align 1 .b8 word[3] = {104, 105, 0};\n"; // "%u: %f, %s\n", "hi"
// Prints tid + 100 ctaid, half of that, and "hi", and stores what vprintf gives.
const std::string kPrint =
    ".local .align 8 .b8 a[24]; .reg .b64 %q<8>; .reg .f64 %g<4>;\n"
    "ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mad.lo.u32 %r3, %r2, 100, %r1;\n"
    "mad.wide.u32 %rd2, %r3, 4, %rd1; mov.u64 %q1, a; cvta.local.u64 %q2, %q1; cvt.rn.f64.u32 %g1, %r3;\n"
    "mul.f64 %g1, %g1, 0d3FE0000000000000; mov.u64 %q3, word; cvta.global.u64 %q3, %q3;\n"
    "st.local.u32 [a], %r3; st.local.f64 [a+8], %g1; st.local.u64 [a+16], %q3; mov.u64 %q4, text;\n"
    "cvta.global.u64 %q4, %q4;\n"
    "{ .param .b64 f; .param .b64 p; .param .b32 r; st.param.b64 [f], %q4; st.param.b64 [p], %q2;\n"
    "call (r), vprintf, (f, p); ld.param.b32 %r4, [r]; }\n"
    "st.global.u32 [%rd2], %r4; ret;";

std::string printed_on(RunSetup setup, std::uint32_t threads, std::uint32_t blocks, KernelRun* run = nullptr) {
    std::string out;
    setup.globals = kGlobals;
    setup.options.output = [&](std::string_view text) { out += text; };
    const KernelRun result = run_kernel_on(setup, kPrint, threads, blocks);
    if (run != nullptr)
        *run = result;
    return out;
}

TEST(Printf, ThreadsPrintTheirArguments) {
    for (const char* const formation : {"pdom", "mimd", "dwf", "tbc"}) {
        KernelRun run;
        const RunSetup setup{.settings = {std::string("core.formation=") + formation}};
        EXPECT_EQ(printed_on(setup, 3, 1, &run), "0: 0.000000, hi\n1: 0.500000, hi\n2: 1.000000, hi\n");
        EXPECT_EQ(run.words[0], 3U);
        EXPECT_EQ(run.words[2], 3U);
    }
}

TEST(Printf, ItsResultMayBeDropped) {
    std::string out;
    RunSetup setup;
    setup.globals = ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"
                    ".global .align 1 .b8 text[3] = {104, 105, 0};\n";
    setup.options.output = [&](std::string_view text) { out += text; };
    static_cast<void>(run_kernel_on(setup,
                                    ".reg .b64 %q<2>; mov.u64 %q1, text; cvta.global.u64 %q1, %q1;\n"
                                    "{ .param .b64 f; .param .b64 p; st.param.b64 [f], %q1; st.param.b64 [p], 0;\n"
                                    "call (_), vprintf, (f, p); }\nret;",
                                    1));
    EXPECT_EQ(out, "hi");
}

TEST(Printf, OfALaunchWithoutTiming) {
    RunSetup setup;
    setup.options.functional = true;
    EXPECT_EQ(printed_on(setup, 2, 1), "0: 0.000000, hi\n1: 0.500000, hi\n");
}

TEST(Printf, DoesNotDependOnTheOrderInWhichSmsAreSimulated) {
    const std::string first = printed_on({.machine = "gtx480"}, 64, 40);
    EXPECT_EQ(std::count(first.begin(), first.end(), '\n'), 64 * 40);
    for (const char* const order : {"descending", "shuffled"})
        EXPECT_EQ(printed_on({.machine = "gtx480", .settings = {std::string("gpu.sm_order=") + order}}, 64, 40), first);
}

TEST(Printf, ATextThatIsNoneIsReported) {
    const std::string body =
        ".reg .b64 %q<4>; mov.u64 %q1, 16;\n"
        "{ .param .b64 f; .param .b64 p; .param .b32 r; st.param.b64 [f], %q1; st.param.b64 [p], %q1;\n"
        "call (r), vprintf, (f, p); }\nret;";
    RunSetup setup;
    setup.globals = kGlobals;
    try {
        static_cast<void>(run_kernel_on(setup, body, 1));
        FAIL() << "it completes";
    } catch (const Fault& fault) {
        EXPECT_EQ(fault.kind(), Fault::Kind::Address);
        EXPECT_THAT(fault.what(), HasSubstr("a text at 0x10"));
    }
}

TEST(Printf, AFunctionOfThatNameWithOtherArgumentsIsNotServed) {
    RunSetup setup;
    setup.globals = ".extern .func vprintf(.param .b64 f);\n";
    EXPECT_THROW(
        static_cast<void>(run_kernel_on(setup, "{ .param .b64 f; st.param.b64 [f], 0; call vprintf, (f); } ret;", 1)),
        std::runtime_error);
}

} // namespace
} // namespace heddle::runtime
