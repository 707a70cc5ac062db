// The SSA form: copies, constants, common subexpressions, addresses, dead code.
#include <gtest/gtest.h>

#include "compiled.h"

namespace heddle::native::test {
namespace {

const std::string kSsaBegin = "ld.param.u64 %d1, [out]; ld.global.u32 %r1, [%d1];\n";

TEST(NativeSsa, EqualExpressionsAreComputedOnce) {
    const Form f(kSsaBegin + "mul.lo.u32 %r2, %r1, %r1; mul.lo.u32 %r3, %r1, %r1; add.u32 %r4, %r2, %r3;\n"
                             "st.global.u32 [%d1+4], %r4; ret;",
                 ".param .u64 out");
    EXPECT_EQ(f.count(ir::Opcode::Mul), 1U);
}

TEST(NativeSsa, ConstantsAreFoldedModuloTheWidth) {
    const Form f(kSsaBegin + "mov.u32 %r2, 0xffffffff; add.u32 %r3, %r2, 3; st.global.u32 [%d1+4], %r3; ret;",
                 ".param .u64 out");
    EXPECT_EQ(f.count(ir::Opcode::Add), 0U);
    const auto ops = f.ops();
    const auto store = std::find_if(ops.begin(), ops.end(), [](const auto& op) { return op.kind == ir::Kind::Store; });
    ASSERT_TRUE(is_constant(store->src[1]));
    EXPECT_EQ(f.bits(store->src[1]), 0x0000'0002'0000'0002U) << "2 in both words";
}

// Found by fuzz:native, seeds 702485 and 704617.
TEST(NativeSsa, AMinimumThatIsNeverNegativeIsNoPlainMinimum) {
    const Form f(kSsaBegin + "min.relu.s32 %r2, 5, -9; st.global.u32 [%d1+4], %r2; ret;", ".param .u64 out");
    EXPECT_EQ(f.count(ir::Opcode::Min), 1U);
}

TEST(NativeSsa, SumsOfFloatingPointKeepTheOrderOfTheirOperands) {
    const Form f(kSsaBegin + "ld.global.f64 %g1, [%d1+8]; add.f64 %g2, 0d7FF8000000000000, %g1;\n"
                             "add.f64 %g3, %g1, 0d7FF8000000000000; st.global.f64 [%d1+16], %g2;\n"
                             "st.global.f64 [%d1+24], %g3; ret;",
                 ".param .u64 out");
    EXPECT_EQ(f.count(ir::Opcode::Add), 2U);
}

// The first product makes a NaN canonical (f32) or quiet (f64), or flushes a subnormal number: it stays.
TEST(NativeSsa, AProductByOneOfAResultIsTheResult) {
    const auto products = [](const std::string& first, const std::string& second) {
        return Form(kSsaBegin + "ld.global.f32 %f1, [%d1+8]; ld.global.f64 %g1, [%d1+16];\n" + first + second +
                        "st.global.f32 [%d1+24], %f3; st.global.f64 [%d1+32], %g3; ret;",
                    ".param .u64 out")
            .count(ir::Opcode::Mul);
    };
    const std::string f64 = "mul.f64 %g2, %g1, 0d3FF0000000000000; mul.f64 %g3, %g2, 0d3FF0000000000000;\n";
    const std::string by_one = "mul.f32 %f2, %f1, 0f3F800000;\n";
    EXPECT_EQ(products(by_one, "mul.f32 %f3, %f2, 0f3F800000;\n" + f64), 2U);
    EXPECT_EQ(products(by_one, "mul.ftz.f32 %f3, %f2, 0f3F800000;\n" + f64), 3U) << "flushes what the first has kept";
    EXPECT_EQ(products("mul.ftz.f32 %f2, %f1, 0f3F800000;\n", "mul.f32 %f3, %f2, 0f3F800000;\n" + f64), 2U);
    EXPECT_EQ(products(by_one, "mul.sat.f32 %f3, %f2, 0f3F800000;\n" + f64), 3U);
    EXPECT_EQ(products(by_one, "mul.f32 %f3, %f2, 0fBF800000;\n" + f64), 3U);
    EXPECT_EQ(products("mov.f32 %f2, %f1;\n", "mul.f32 %f3, %f2, 0f3F800000;\n" + f64), 2U) << "of what was loaded";
    EXPECT_EQ(products("add.f32 %f2, %f1, %f1;\n", "mul.f32 %f3, %f2, 0f3F800000;\n" + f64), 1U);
}

TEST(NativeSsa, PowersOfTwoBecomeShifts) {
    const Form f(kSsaBegin + "mul.lo.u32 %r2, %r1, 32; st.global.u32 [%d1+4], %r2; ret;", ".param .u64 out");
    EXPECT_EQ(f.count(ir::Opcode::Mul), 0U);
    const auto ops = f.ops();
    const auto shift =
        std::find_if(ops.begin(), ops.end(), [](const auto& op) { return op.opcode == ir::Opcode::Shl; });
    ASSERT_NE(shift, ops.end());
    EXPECT_EQ(f.bits(shift->src[1]) & 0xffff'ffffU, 5U);
}

TEST(NativeSsa, SumsOfAddressesBecomeDisplacements) {
    const Form f(kSsaBegin + "add.u64 %d2, %d1, 16; add.u64 %d3, %d2, 8; st.global.u32 [%d3+4], %r1; ret;",
                 ".param .u64 out");
    EXPECT_EQ(f.count(ir::Opcode::Add), 0U);
    const auto ops = f.ops();
    const auto store = std::find_if(ops.begin(), ops.end(), [](const auto& op) { return op.kind == ir::Kind::Store; });
    EXPECT_EQ(store->imm, 28);
}

// The displacement of an access has 24 bits.
TEST(NativeSsa, LargeDisplacementsStay) {
    const Form f(kSsaBegin + "add.u64 %d2, %d1, 0x800000; st.global.u32 [%d2], %r1; ret;", ".param .u64 out");
    EXPECT_EQ(f.count(ir::Opcode::Add), 1U);
}

TEST(NativeSsa, UnreadResultsVanishAndStoresStay) {
    const Form f(kSsaBegin + "mul.lo.u32 %r2, %r1, %r1; st.global.u32 [%d1+4], 1; ret;", ".param .u64 out");
    EXPECT_EQ(f.count(ir::Opcode::Mul), 0U);
    EXPECT_EQ(f.count(ir::Opcode::St), 1U);
}

// Registers of code that no path reaches keep their numbers of before: they are not those of values.
TEST(NativeSsa, UnreachableCodeDefinesNothing) {
    const Form f("mov.u32 %r1, %tid.x; ld.param.u64 %d1, [out]; bra L; mov.u32 %r2, 6; mov.u32 %r1, %r2;\n"
                 "L: st.global.u32 [%d1], %r1; ret;",
                 ".param .u64 out");
    EXPECT_EQ(f.count(ir::Opcode::MovSpecial), 1U);
}

TEST(NativeSsa, ALoopHasAPhiForWhatItChanges) {
    const Form f(kSsaBegin + "mov.u32 %r2, 0; L: add.u32 %r2, %r2, %r1; setp.lt.u32 %p1, %r2, 100; @%p1 bra L;\n"
                             "st.global.u32 [%d1+4], %r2; ret;",
                 ".param .u64 out");
    std::size_t phis = 0;
    for (const auto& list : f.form.phis)
        phis += list.size();
    EXPECT_EQ(phis, 1U) << "the sum; the summand is the same in every round";
}

TEST(NativeSsa, GuardsReadThroughPredicatesThatChangeNothing) {
    const Form f(kSsaBegin + "setp.eq.u32 %p1, %r1, 1; mov.pred %p2, 0; xor.pred %p3, %p1, %p2; not.pred %p4, %p3;\n"
                             "@%p4 st.global.u32 [%d1+4], 1; ret;",
                 ".param .u64 out");
    EXPECT_EQ(f.count(ir::Opcode::Xor), 0U);
    EXPECT_EQ(f.count(ir::Opcode::Not), 0U);
    const auto ops = f.ops();
    const auto store = std::find_if(ops.begin(), ops.end(), [](const auto& op) { return op.kind == ir::Kind::Store; });
    ASSERT_NE(store, ops.end());
    EXPECT_TRUE(store->guard_negated);
}

} // namespace
} // namespace heddle::native::test
