// The grammar of f16, bf16, pairs of them and tf32: what NVIDIA's assembler takes and what it refuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lowered.h"

namespace heddle::ir {
namespace {

using ::testing::HasSubstr;

class RightHalf : public ::testing::TestWithParam<std::string_view> {};

TEST_P(RightHalf, IsTaken) {
    const test::Lowered l = test::lower_body(GetParam());
    ASSERT_EQ(l.errors, "");
    EXPECT_TRUE(l.kernel().not_executable.empty());
    EXPECT_NE(l.op(l.kernel().entry).kind, Kind::Nop);
    EXPECT_EQ(l.op(l.kernel().entry).domain, Domain::F32);
}

INSTANTIATE_TEST_SUITE_P(
    Lowering, RightHalf,
    ::testing::Values("add.f16 %h1, %h2, %h3;", "add.rn.ftz.sat.f16x2 %r1, %r2, %r3;", "sub.ftz.f16 %h1, %h2, %h3;",
                      "mul.rn.bf16 %h1, %h2, %h3;", "fma.rn.ftz.sat.f16 %h1, %h2, %h3, %h4;",
                      "fma.rn.bf16x2 %r1, %r2, %r3, %r4;", "neg.ftz.f16 %h1, %h2;", "abs.bf16x2 %r1, %r2;",
                      "min.ftz.NaN.xorsign.abs.f16 %h1, %h2, %h3;", "max.NaN.xorsign.abs.bf16x2 %r1, %r2, %r3;",
                      "setp.ltu.ftz.f16 %p1, %h1, %h2;", "setp.gt.and.ftz.f16x2 %p1|%p2, %r1, %r2, !%p3;",
                      "setp.gt.f16x2 %p1, %r1, %r2;", "setp.gt.bf16 %p1, %h1, %h2;", "set.gt.f16.f16 %h1, %h2, %h3;",
                      "set.gt.ftz.f16.f32 %h1, %f2, %f3;", "set.gt.u16.f16 %h1, %h2, %h3;",
                      "set.gt.s32.f16x2 %r1, %r2, %r3;", "set.gt.and.ftz.f16x2.f16x2 %r1, %r2, %r3, !%p1;",
                      "set.gt.bf16.f16 %h1, %h2, %h3;", "cvt.rp.ftz.f16.f32 %h1, %f1;", "cvt.rni.sat.f16.f16 %h1, %h2;",
                      "cvt.f16.f16 %h1, %h2;", "cvt.sat.f32.f16 %f1, %h1;", "cvt.rzi.u8.f16 %r1, %h1;",
                      "cvt.rm.f16.s64 %h1, %d1;", "cvt.rn.f16.f32 %r1, %f1;", "cvt.f32.f16 %f1, %r1;",
                      "cvt.rz.bf16x2.f32 %r1, %f1, %f2;", "cvt.rp.bf16.f16 %h1, %h2;", "ex2.approx.f16x2 %r1, %r2;",
                      "ex2.approx.ftz.bf16 %h1, %h2;", "tanh.approx.bf16x2 %r1, %r2;", "cvt.rna.tf32.f32 %r1, %f1;",
                      "cvt.rz.tf32.f32 %r1, %f1;", "atom.global.add.noftz.f16 %h1, [%d1], %h2;",
                      "red.shared.add.noftz.bf16x2 [%d1], %r2;"));

struct Wrong {
    std::string_view body;
    std::string_view message;
};

class WrongHalf : public ::testing::TestWithParam<Wrong> {};

TEST_P(WrongHalf, IsReported) {
    EXPECT_THAT(test::lower_body(GetParam().body).errors, HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    Lowering, WrongHalf,
    ::testing::Values(
        Wrong{"add.rz.f16 %h1, %h2, %h3;", "'add.rz.f16': .f16 is rounded by .rn alone"},
        Wrong{"fma.f16 %h1, %h2, %h3, %h4;", "needs one of .rn"},
        Wrong{"fma.rn.ftz.bf16 %h1, %h2, %h3, %h4;", "can not have .ftz with this type"},
        Wrong{"add.f16 %h1, %h2, 1.0;", "'add.f16' takes no constants: move the bits into a register first"},
        Wrong{"add.f16 %h1, %h2, 0x3c00;", "takes no constants"},
        Wrong{"add.f16x2 %f1, %r2, %r3;", "'%f1' has type .f32; 'add.f16x2' needs a register that fits .f16x2"},
        Wrong{"add.f16 %r1, %h2, %h3;", "'%r1' has type .b32"},
        Wrong{"max.ftz.bf16 %h1, %h2, %h3;", "can not have .ftz"},
        Wrong{"setp.gt.f16 %p1|%p2, %h1, %h2;",
              "'setp.gt.f16' has one destination; a second is for a pair's upper half"},
        Wrong{"setp.lo.f16 %p1, %h1, %h2;", "compare unsigned types"},
        Wrong{"cvt.f16.f32 %h1, %f1;", "needs one of .rn, .rz, .rm or .rp"},
        Wrong{"cvt.rn.f32.f16 %f1, %h1;", "a conversion to a wider type does not round"},
        Wrong{"cvt.rni.f16.f32 %h1, %f1;", "needs one of .rn, .rz, .rm or .rp"},
        Wrong{"cvt.rni.bf16.f16 %h1, %h2;", "needs one of .rn, .rz, .rm or .rp"},
        Wrong{"cvt.rni.ftz.f16.f16 %h1, %h2;", ".ftz goes with .f32"},
        Wrong{"cvt.rp.f16x2.f32 %r1, %f1, %f2;", "rounds by .rn, .rz or .rs"},
        Wrong{"cvt.tf32.f32 %r1, %f1;", "rounds by .rna, .rn or .rz"},
        Wrong{"cvt.rna.rz.tf32.f32 %r1, %f1;", "takes only one rounding"},
        Wrong{"cvt.rp.tf32.f32 %r1, %f1;", "rounds by .rna, .rn or .rz"},
        Wrong{"cvt.rna.tf32.f64 %r1, %g1;", "does not go with the types"},
        Wrong{"cvt.rna.f16.f32 %h1, %f1;", "can not have .rna with this type"},
        Wrong{"add.rna.f32 %f1, %f2, %f3;", "'add' takes no modifier '.rna'"},
        Wrong{"ex2.approx.ftz.f16 %h1, %h2;", "can not have .ftz"},
        Wrong{"ex2.approx.bf16 %h1, %h2;", "needs one of .ftz"},
        Wrong{"atom.global.add.f16 %h1, [%d1], %h2;", "needs one of .noftz"},
        Wrong{"atom.global.max.noftz.f16 %h1, [%d1], %h2;", "this operation has no such type"}));

} // namespace
} // namespace heddle::ir
