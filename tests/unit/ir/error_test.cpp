#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lowered.h"

namespace heddle::ir {
namespace {

using ::testing::HasSubstr;

struct Wrong {
    std::string_view body;  // stands in line 8: two lines of module text before the kernel
    std::string_view where; // "line:column"
    std::string_view message;
};

class WrongBody : public ::testing::TestWithParam<Wrong> {};

TEST_P(WrongBody, IsReportedAtItsPlace) {
    const test::Lowered l =
        test::lower_body(GetParam().body, ".param .u64 a", ".global .u32 glob;\n.shared .u32 sh;\n");
    EXPECT_THAT(l.errors, HasSubstr(fmt::format("t.ptx:{}: error: ", GetParam().where)));
    EXPECT_THAT(l.errors, HasSubstr(GetParam().message));
    EXPECT_TRUE(l.program.ops.empty());
    EXPECT_TRUE(l.program.kernels.empty());
}

INSTANTIATE_TEST_SUITE_P(
    Lowering, WrongBody,
    ::testing::Values(
        Wrong{"ad.u32 %r1, %r2, %r3;", "8:1", "unknown instruction 'ad'; did you mean 'add'?"},
        Wrong{"add.u23 %r1, %r2, %r3;", "8:5", "unknown modifier '.u23'; did you mean '.u"},
        Wrong{"add.u32 %r1, %r2;", "8:1", "'add.u32' takes 3 operands, not 2"},
        Wrong{"add.u32 %r1, %r2, %d3;", "8:19", "'%d3' has type .b64; 'add.u32' needs a register that fits .u32"},
        Wrong{"add.u32 %r1, %r2, %f3;", "8:19", "'%f3' has type .f32"},
        Wrong{"add.f32 %f1, %f2, 1;", "8:19", "needs a floating-point number"},
        Wrong{"add.u32 %r1, %r2, 1.5;", "8:19", "needs an integer"},
        Wrong{"add.u32 %r1, %r2, %r20;", "8:19", "'%r20' is not declared; %r<20> declares %r0 to %r19"},
        Wrong{"add.u32 1, %r2, %r3;", "8:9", "destination of 'add.u32' must be a register"},
        Wrong{"add.sat.u32 %r1, %r2, %r3;", "8:1", "can not have .sat with this type"},
        Wrong{"add.rn.u32 %r1, %r2, %r3;", "8:1", "can not have .rn"},
        Wrong{"add.u32.rn %r1, %r2, %r3;", "8:1", "can not have .rn"},
        Wrong{"mul.u32.lo %r1, %r2, %r3;", "8:9", "misplaced"},
        Wrong{"add.rn.rz.f32 %f1, %f2, %f3;", "8:8", "contradicts or repeats"},
        Wrong{"add.wide.u32 %r1, %r2, %r3;", "8:5", "takes no modifier '.wide'"},
        Wrong{"add %r1, %r2, %r3;", "8:1", "needs a type"},
        Wrong{"add.u32.u32 %r1, %r2, %r3;", "8:1", "takes one type"},
        Wrong{"and.u32 %r1, %r2, %r3;", "8:1", "does not go with the type; 'and' takes .b16 .b32 .b64 .pred"},
        Wrong{"mul.u32 %r1, %r2, %r3;", "8:1", "needs one of .lo, .hi or .wide"},
        Wrong{"mul.wide.u64 %d1, %d2, %d3;", "8:1", ".wide takes 16 and 32-bit types"},
        Wrong{"fma.f32 %f1, %f2, %f3, %f4;", "8:1", "needs one of .rn, .rz, .rm or .rp"},
        Wrong{"div.approx.rn.f32 %f1, %f2, %f3;", "8:1", "takes only one of"},
        Wrong{"sin.f32 %f1, %f2;", "8:1", "needs one of .approx"},
        Wrong{"setp.u32 %p1, %r1, %r2;", "8:1", "needs one of .eq"},
        Wrong{"setp.lo.s32 %p1, %r1, %r2;", "8:1", "compare unsigned types"},
        Wrong{"setp.ltu.u32 %p1, %r1, %r2;", "8:1", "compare floating-point types"},
        Wrong{"setp.lt.b32 %p1, %r1, %r2;", "8:1", "compare by eq and ne"},
        Wrong{"setp.eq.u32 %r1, %r1, %r2;", "8:13", "needs a predicate"},
        Wrong{"setp.eq.and.u32 %p1, %r1, %r2;", "8:1", "takes 4 operands, not 3"},
        Wrong{"cvt.u32.f32 %r1, %f2;", "8:1", "needs one of .rni"},
        Wrong{"cvt.f32.u32 %f1, %r2;", "8:1", "needs one of .rn,"},
        Wrong{"cvt.rn.u32.u16 %r1, %h2;", "8:1", "does not round"},
        Wrong{"cvt.u32 %r1, %r2;", "8:1", "needs two types"},
        Wrong{"lop3.b32 %r1, %r2, %r3, %r4, 256;", "8:30", "from 0 to 255"},
        Wrong{"lop3.b32 %r1, %r2, %r3, %r4, %r5;", "8:30", "must be an integer constant"},
        Wrong{"ld.global.u32 %r1, %d1;", "8:20", "needs an address in brackets"},
        Wrong{"ld.global.u32 %r1, [%f1];", "8:20", "can not hold an address"},
        Wrong{"ld.global.u32 %r1, [sh];", "8:20", "'sh' is in .shared"},
        Wrong{"ld.global.u64 %r1, [%d1];", "8:15", "needs a register that fits .u64"},
        Wrong{"ld.global.v2.u32 %r1, [%d1];", "8:18", "needs 2 elements here, not 1"},
        Wrong{"ld.globl.u32 %r1, [%d1];", "8:4", "unknown modifier '.globl'; did you mean '.global'?"},
        Wrong{"st.const.u32 [%d1], %r1;", "8:1", "constant memory can not be written"},
        Wrong{"st.param.u64 [a], %d1;", "8:1", "a kernel's parameters can not be written"},
        Wrong{"mov.u64 %d1, globe;", "8:14", "'globe' is not declared; did you mean 'glob'?"},
        Wrong{"mov.u32 %r1, %tid.w;", "8:14", "special register"},
        Wrong{"mov.u64 %d1, %tid.x;", "8:14", "is read by mov.u32"},
        Wrong{"mov.b32 %r1, {%h1, %h2, %h3};", "8:1", "can not pack 3"},
        Wrong{"atom.global.and.f32 %f1, [%d1], %f2;", "8:1", "this operation has no such type"},
        Wrong{"atom.local.add.u32 %r1, [%d1], 1;", "8:1", "global and shared memory"},
        Wrong{"red.global.exch.b32 [%d1], 1;", "8:1", "write atom"},
        Wrong{"bra there;", "8:5", "there is no label 'there' here"},
        Wrong{"@%r1 add.u32 %r1, %r1, 1;", "8:6", "needs a predicate"},
        Wrong{"@%q1 add.u32 %r1, %r1, 1;", "8:6", "'%q1' is not declared"},
        Wrong{"call glob;", "8:6", "'glob' is no function"},
        Wrong{"call k;", "8:6", "is a kernel and can not be called"},
        Wrong{"bar.red.popc.pred %p1, 0, %p2;", "8:1", "is no barrier"},
        Wrong{"match.uni.sync.b32 %r1, %r2, -1;", "8:1", "match.any.sync and match.all.sync"},
        Wrong{"match.any.b32 %r1, %r2, -1;", "8:1", "match.any.sync and match.all.sync"},
        Wrong{"match.any.sync.b32 %r1|%p1, %r2, -1;", "8:1", "has no predicate"},
        Wrong{"redux.sync.add.b32 %r1, %r2, -1;", "8:1", "is no reduction"},
        Wrong{"redux.sync.and.u32 %r1, %r2, -1;", "8:1", "is no reduction"},
        Wrong{"redux.sync.inc.u32 %r1, %r2, -1;", "8:1", "is no reduction"},
        Wrong{"redux.add.u32 %r1, %r2, -1;", "8:1", "sync"}, Wrong{"elect.sync %r1, -1;", "8:1", "d|p, mask"},
        Wrong{"vote.sync.ballot.pred %p1, %p2, -1;", "8:1", "ballot has type .b32"},
        Wrong{"selp.u32 %r1, %r2, %r3, %r4;", "8:25", "needs a predicate"},
        Wrong{"mov.u32 %r1, -%r2;", "8:14", "'-' can not stand before '%r2'"}));

TEST(LoweringErrors, SeveralOfOneRunInTextOrder) {
    const test::Lowered l = test::lower_body("ad.u32 %r1, %r2, %r3;\nbra nowhere;\nadd.u32 %r1, %r99, 2;\n");
    const std::size_t first = l.errors.find("t.ptx:6:1: error: unknown instruction");
    const std::size_t second = l.errors.find("t.ptx:7:5: error: there is no label");
    const std::size_t third = l.errors.find("t.ptx:8:14: error: '%r99' is not declared");
    EXPECT_LT(first, second);
    EXPECT_LT(second, third);
    EXPECT_NE(third, std::string::npos);
    EXPECT_THAT(l.errors, HasSubstr("    bra nowhere;\n        ^\n")); // the line, and a caret under column 5
}

TEST(LoweringErrors, NearLabelsAreSuggested) {
    const test::Lowered l = test::lower_body("$L_loop: bra $L_lop;");
    EXPECT_THAT(l.errors, HasSubstr("there is no label '$L_lop' here; did you mean '$L_loop'?"));
}

TEST(LoweringErrors, VariablesWithoutAnAddress) {
    const test::Lowered l = test::lower_body("mov.u64 %d1, nowhere;", "", ".extern .global .u32 nowhere;\n");
    EXPECT_THAT(l.errors, HasSubstr("variable 'nowhere' has no address: it is defined nowhere"));
}

TEST(LoweringErrors, VariablesThatNoMemoryHolds) {
    const test::Lowered l = test::lower_body(".local .b8 x[4294967296]; mov.u64 %d1, x;");
    EXPECT_THAT(l.errors, HasSubstr("variable 'x' is too large for .local memory"));
}

TEST(LoweringErrors, ArgumentsMustFit) {
    constexpr std::string_view text = "{}.func f(.param .b64 x) {{ ret; }}\n"
                                      ".entry k() {{ .param .b32 q; .reg .b32 %r<2>;\ncall f, (q);\ncall f;\n"
                                      "call f, (%r1); }}";
    const test::Lowered l = test::lower_text(fmt::format(text, test::kHeader));
    EXPECT_THAT(l.errors, HasSubstr("t.ptx:6:10: error: 'q' has 4 bytes, 'x' of the function has 8"));
    EXPECT_THAT(l.errors, HasSubstr("t.ptx:7:1: error: the call gives 0 arguments, the function has 1"));
    EXPECT_THAT(l.errors, HasSubstr("t.ptx:8:10: error: '%r1' has type .b32"));
}

TEST(NotExecutable, IsNotedOnceAText) {
    const test::Lowered l = test::lower_body(
        "clusterlaunchcontrol.x %r1; clusterlaunchcontrol.x %r1;\n"
        "tex.2dms.v4.u32.s32 {%r1, %r1, %r1, %r1}, [%rd1, {%r1, %r1, %r1, %r1}]; tcgen05.alloc.b32 [%r1], 2;\n"
        "st.bulk.weak.shared::cta [%rd1], 64, 0;");
    ASSERT_EQ(l.errors, "");
    std::vector<std::string> names;
    for (const Pc pc : l.kernel().not_executable) {
        EXPECT_EQ(l.op(pc).kind, Kind::Nop);
        names.push_back(l.program.instruction(pc));
    }
    EXPECT_THAT(names, ::testing::ElementsAre("clusterlaunchcontrol.x", "tex.2dms.v4.u32.s32", "tcgen05.alloc.b32",
                                              "st.bulk.weak.shared::cta"));
    EXPECT_EQ(l.program.describe(l.kernel().not_executable[0]), "t.ptx:6:1");
}

TEST(NotExecutable, CallsWithoutABodyAreNamed) {
    const test::Lowered l =
        test::lower_text(fmt::format("{}.extern .func (.param .b64 r) malloc(.param .b64 a);\n"
                                     ".entry k() {{ .param .b64 a; .param .b64 r; call (r), malloc, (a); }}",
                                     test::kHeader));
    ASSERT_EQ(l.errors, "");
    ASSERT_EQ(l.kernel().undefined_calls.size(), 1U);
    EXPECT_EQ(l.kernel().undefined_calls[0].second, "malloc");
}

// What the device's runtime serves is one micro-op; its arguments and result are where a call would have them.
TEST(NotExecutable, ButThoseThatTheRuntimeServes) {
    const test::Lowered l = test::lower_text(
        fmt::format("{}.extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n"
                    ".entry k() {{ .param .b64 a; .param .b64 b; .param .b32 r; call (r), vprintf, (a, b); ret; }}",
                    test::kHeader));
    ASSERT_EQ(l.errors, "");
    EXPECT_TRUE(l.kernel().undefined_calls.empty());
    ASSERT_EQ(l.program.system_calls.size(), 1U);
    const SystemCall& call = l.program.system_calls[0];
    EXPECT_EQ(call.function, SystemCall::Function::Print);
    EXPECT_EQ(call.arguments, (std::vector<std::uint32_t>{0, 8}));
    EXPECT_EQ(call.result, 16U);
    EXPECT_EQ(l.op(l.kernel().entry).kind, Kind::System);
}

} // namespace
} // namespace heddle::ir
