#include <gtest/gtest.h>

#include "ir/linking/layout.h"
#include "lowered.h"

namespace heddle::ir {
namespace {

using test::lower_body;
using test::Lowered;

TEST(Parameters, LieAtMultiplesOfTheirAlignment) {
    const Lowered l = lower_body("ret;", ".param .u8 a, .param .u64 b, .param .u16 c, .param .f32 d, "
                                         ".param .align 8 .b8 e[12], .param .u8 f, .param .align 16 .b8 g[3]");
    ASSERT_EQ(l.errors, "");
    std::vector<std::uint32_t> offsets, bytes;
    for (const Parameter& p : l.kernel().parameters) {
        offsets.push_back(p.offset);
        bytes.push_back(p.bytes);
    }
    EXPECT_EQ(offsets, (std::vector<std::uint32_t>{0, 8, 16, 20, 24, 36, 48}));
    EXPECT_EQ(bytes, (std::vector<std::uint32_t>{1, 8, 2, 4, 12, 1, 3}));
    EXPECT_EQ(l.kernel().parameter_bytes, 51U);
    EXPECT_EQ(l.kernel().parameters[6].name, "g");
    EXPECT_EQ(l.kernel().parameters[3].type, ptx::Type::F32);
}

TEST(Parameters, AreLoadedByOffset) {
    const Lowered l = lower_body("ld.param.u32 %r1, [b+4]; mov.b64 %d1, b; ld.param.u32 %r2, [%d1+2]; "
                                 "st.global.u32 [%d1], %r1; st.global.u32 [%d1], %r2;",
                                 ".param .u32 a, .param .align 8 .b8 b[16]");
    ASSERT_EQ(l.errors, "");
    const Pc b = l.kernel().begin;
    EXPECT_EQ(l.op(b).kind, Kind::Load);
    EXPECT_EQ(l.op(b).space, Space::Param);
    EXPECT_EQ(l.op(b).src[0], kNowhere);
    EXPECT_EQ(l.op(b).imm, 12);
    EXPECT_EQ(l.constant(l.op(b + 1).src[0], 8), 8U); // the parameter's address is its offset
    EXPECT_EQ(l.op(b + 2).space, Space::Param);
    EXPECT_EQ(l.op(b + 2).imm, 2);
}

constexpr std::string_view kShared = ".shared .align 4 .b8 unused[1000];\n.shared .b8 a;\n.shared .align 8 .b8 b[12];\n"
                                     ".extern .shared .align 16 .b8 dynamic[];\n";

TEST(SharedMemory, HoldsWhatTheKernelUsesThenTheDynamicPart) {
    const Lowered l = lower_body(".shared .align 4 .b8 c[5];\n"
                                 "mov.u64 %d1, a; mov.u64 %d2, b; mov.u32 %r1, c; mov.u64 %d3, dynamic;",
                                 "", kShared);
    ASSERT_EQ(l.errors, "");
    const Pc p = l.kernel().begin;
    EXPECT_EQ(l.constant(l.op(p).src[0], 8), 0U);
    EXPECT_EQ(l.constant(l.op(p + 1).src[0], 8), 8U);
    EXPECT_EQ(l.constant(l.op(p + 2).src[0], 4), 20U);
    EXPECT_EQ(l.kernel().static_shared, 25U);
    EXPECT_EQ(l.constant(l.op(p + 3).src[0], 8), 32U); // at the next multiple of 16
}

TEST(SharedMemory, OfCalleesCounts) {
    const Lowered l = test::lower_text(fmt::format("{}{}.func f() {{ .reg .b64 %d<3>; mov.u64 %d1, b; }}\n"
                                                   ".entry k() {{ call f; }}\n.entry other() {{ ret; }}",
                                                   test::kHeader, kShared));
    ASSERT_EQ(l.errors, "");
    EXPECT_EQ(l.kernel().static_shared, 12U);
    EXPECT_EQ(l.kernel("other").static_shared, 0U);
}

TEST(SharedMemory, StrictlyAlignedDynamicPartBeginsWhereTheStaticPartEnds) {
    const Lowered l =
        lower_body("mov.u64 %d1, a; mov.u64 %d2, big;", "", ".shared .b8 a;\n.extern .shared .align 128 .b8 big[];\n");
    ASSERT_EQ(l.errors, "");
    EXPECT_EQ(l.kernel().static_shared, 128U);
    EXPECT_EQ(l.constant(l.op(l.kernel().begin + 1).src[0], 8), 128U);
}

TEST(SharedMemory, AccessBySymbolHasAConstantBaseAndADisplacement) {
    const Lowered l = lower_body("mov.u64 %d1, a; ld.shared.u32 %r1, [b+8]; ld.u32 %r2, [b+4];", "", kShared);
    ASSERT_EQ(l.errors, "");
    const MicroOp& op = l.op(l.kernel().begin + 1);
    EXPECT_EQ(op.imm, 8);
    EXPECT_EQ(l.constant(op.src[0], 8), 8U);
    EXPECT_EQ(op.src_bytes, 8);
    EXPECT_EQ(l.op(l.kernel().begin + 2).space, Space::Shared); // a plain load goes where the variable is
}

TEST(LocalMemory, ParametersOfCallsLieBehindTheVariables) {
    const Lowered l = test::lower_text(fmt::format(R"({}
.func (.param .b32 r) f(.param .b64 x) {{ .local .align 8 .b8 depot[24]; .reg .b64 %d<3>; .reg .b32 %r<3>;
    mov.u64 %d1, depot;
    ld.param.u64 %d2, [x];
    st.param.b32 [r], %r1;
    ret;
}}
.entry k() {{ .local .align 4 .b8 mine[20]; .reg .b64 %d<3>; .reg .b32 %r<3>;
    mov.u64 %d1, mine;
    {{ .param .b64 p; .param .b32 q; st.param.b64 [p], %d1; call (q), f, (p); ld.param.b32 %r1, [q]; }}
    {{ .param .b64 p; .param .b32 q; st.param.b64 [p], %d1; call (q), f, (p); ld.param.b32 %r2, [q]; }}
}})",
                                                   test::kHeader));
    ASSERT_EQ(l.errors, "");
    const Kernel& k = l.kernel();
    // .local: k 0..20, f from the next multiple of 16: 32..56, rounded up to 64. .param: k has p at 0 and q at 8
    // (both pairs share the bytes), f, behind 16 bytes, r at 0 and x at 8.
    EXPECT_EQ(k.declared_local_bytes, 64U);
    EXPECT_EQ(k.local_bytes, 64U + 16 + 16);
    EXPECT_EQ(l.constant(l.op(k.begin).src[0], 8), 0U);
    const MicroOp& store = l.op(k.begin + 1);
    EXPECT_EQ(store.space, Space::Local);
    EXPECT_EQ(l.constant(store.src[0], 8), 64U);
    ASSERT_EQ(l.program.calls.size(), 2U);
    for (const Call& call : l.program.calls) {
        ASSERT_EQ(call.arguments.size(), 1U);
        EXPECT_EQ(call.arguments[0].from, 64U);
        EXPECT_EQ(call.arguments[0].to, 64U + 16 + 8);
        EXPECT_EQ(call.arguments[0].bytes, 8U);
        ASSERT_EQ(call.results.size(), 1U);
        EXPECT_EQ(call.results[0].from, 64U + 16);
        EXPECT_EQ(call.results[0].to, 64U + 8);
        EXPECT_EQ(call.results[0].bytes, 4U);
    }
    const Pc f = l.op(k.begin + 2).target;
    EXPECT_EQ(l.constant(l.op(f).src[0], 8), 32U);
}

TEST(Pool, EqualConstantsShareAnEntryOfOneValueALane) {
    const Lowered l = lower_body("mov.u32 %r1, 7; add.u32 %r2, %r1, 7; mov.u64 %d1, 7; mov.u16 %h1, -1;");
    ASSERT_EQ(l.errors, "");
    const Pc b = l.kernel().begin;
    EXPECT_EQ(l.op(b).src[0], l.op(b + 1).src[1]);
    EXPECT_NE(l.op(b).src[0], l.op(b + 2).src[0]);
    EXPECT_EQ(l.program.pool.size(), 128U + 256 + 128);
    for (unsigned lane = 0; lane < 32; ++lane) {
        EXPECT_EQ(l.constant(l.op(b).src[0], 4, lane), 7U);
        EXPECT_EQ(l.constant(l.op(b + 2).src[0], 8, lane), 7U);
    }
    EXPECT_EQ(l.constant(l.op(b + 3).src[0], 4), 0xffffU);
}

} // namespace
} // namespace heddle::ir
