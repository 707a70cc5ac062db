// Division and roots as sequences of instructions. The numbers of instructions are those of the code that ptxas 13.0
// makes for sm_75 of the same PTX (docs/native-code.md).
#include <gtest/gtest.h>

#include "compiled.h"

namespace heddle::native::test {
namespace {

const std::string kDivisionBegin =
    "ld.param.u64 %d1, [out]; ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%d1]; ld.global.v2.u64 {%d2, %d3}, [%d1+16];\n";

Compiled of_words(const std::string& op) {
    return Compiled(kDivisionBegin + op + "; st.global.u32 [%d1+64], %r9; ret;", ".param .u64 out", "sm_75");
}
Compiled of_pairs(const std::string& op) {
    return Compiled(kDivisionBegin + op + "; st.global.u64 [%d1+64], %d9; ret;", ".param .u64 out", "sm_75");
}

Instruction last_of_sequence(const Compiled& c) {
    for (const Instruction& i : c.all())
        if (i.mods.carried != 0)
            return i;
    throw std::runtime_error("no sequence");
}

TEST(NativeDivision, AQuotientOfSinglePrecision) {
    const Compiled c = of_words("div.rn.f32 %r9, %r1, %r2");
    EXPECT_EQ(c.count(Op::Mufu), 1U);
    EXPECT_EQ(c.count(Op::Fchk), 1U);
    EXPECT_EQ(c.count(Op::Ffma), 5U);
    EXPECT_EQ(c.count(Op::Routine), 1U);
    EXPECT_EQ(c.count(Op::Bra), 1U);
    EXPECT_LT(c.place(Op::Fchk), c.place(Op::Bra));
    EXPECT_LT(c.place(Op::Bra), c.place(Op::Routine));
    const Instruction last = last_of_sequence(c);
    EXPECT_EQ(last.op, Op::Ffma);
    EXPECT_EQ(last.mods.source, ir::Opcode::Div);
    EXPECT_EQ(last.mods.carried, 2U); // and three of its own
    EXPECT_EQ(last.src[4].kind, Operand::Kind::Register);
    EXPECT_EQ(last.src[5].kind, Operand::Kind::None);
}

// FCHK does not hold for usual operands, and who goes the usual way does not come by the call.
TEST(NativeDivision, TheCallIsBehindABranchThatUsualOperandsTake) {
    const Compiled c = of_words("div.rn.f32 %r9, %r1, %r2");
    const Instruction branch = c.first(Op::Bra);
    EXPECT_TRUE(branch.guard.inverted);
    EXPECT_EQ(branch.guard.number, c.first(Op::Fchk).dst[0].number);
    const auto& target = c.function.blocks[branch.target].code;
    EXPECT_EQ(std::count_if(target.begin(), target.end(), [](const Instruction& i) { return i.op == Op::Routine; }), 0);
}

TEST(NativeDivision, ReciprocalsAndRootsOfSinglePrecision) {
    const Compiled reciprocal = of_words("rcp.rn.f32 %r9, %r1");
    EXPECT_EQ(reciprocal.count(Op::Iadd3), 1U);
    EXPECT_EQ(reciprocal.count(Op::Lop3), 1U);
    EXPECT_EQ(reciprocal.count(Op::Isetp), 1U);
    EXPECT_EQ(reciprocal.count(Op::Mufu), 1U);
    EXPECT_EQ(reciprocal.count(Op::Fadd), 1U);
    EXPECT_EQ(reciprocal.count(Op::Ffma), 2U);
    EXPECT_EQ(reciprocal.count(Op::Bra), 2U); // over the call, and over the usual path
    const Compiled root = of_words("sqrt.rn.f32 %r9, %r1");
    EXPECT_EQ(root.count(Op::Iadd3), 1U);
    EXPECT_EQ(root.count(Op::Isetp), 1U);
    EXPECT_EQ(root.count(Op::Mufu), 1U);
    EXPECT_EQ(root.count(Op::Fmul), 2U);
    EXPECT_EQ(root.count(Op::Ffma), 2U);
    EXPECT_EQ(root.count(Op::Bra), 2U);
}

TEST(NativeDivision, DoublePrecision) {
    const Compiled quotient = of_pairs("div.rn.f64 %d9, %d2, %d3");
    EXPECT_EQ(quotient.count(Op::Dfma), 7U);
    EXPECT_EQ(quotient.count(Op::Dmul), 1U);
    EXPECT_EQ(quotient.count(Op::Mufu), 1U);
    EXPECT_EQ(quotient.count(Op::Ffma), 1U);
    EXPECT_EQ(quotient.count(Op::Fsetp), 2U);
    const Compiled reciprocal = of_pairs("rcp.rn.f64 %d9, %d2");
    EXPECT_EQ(reciprocal.count(Op::Dfma), 5U);
    EXPECT_EQ(reciprocal.count(Op::Mufu), 1U);
    EXPECT_EQ(reciprocal.count(Op::Iadd3), 1U);
    EXPECT_EQ(reciprocal.count(Op::Fsetp), 1U);
    const Compiled root = of_pairs("sqrt.rn.f64 %d9, %d2");
    EXPECT_EQ(root.count(Op::Dmul), 3U);
    EXPECT_EQ(root.count(Op::Dfma), 5U);
    EXPECT_EQ(root.count(Op::Iadd3), 2U);
    EXPECT_EQ(root.count(Op::Isetp), 1U);
}

TEST(NativeDivision, IntegersOfOneWord) {
    const Compiled c = of_words("div.u32 %r9, %r1, %r2");
    EXPECT_EQ(c.count(Op::I2f), 1U);
    EXPECT_EQ(c.count(Op::F2i), 1U);
    EXPECT_EQ(c.count(Op::Mufu), 1U);
    EXPECT_EQ(c.count(Op::ImadHi), 2U);
    EXPECT_EQ(c.count(Op::Imad), 2U);
    EXPECT_EQ(c.count(Op::Isetp), 3U);
    EXPECT_EQ(c.count(Op::Routine), 0U);
    EXPECT_EQ(of_words("div.s32 %r9, %r1, %r2").count(Op::Iabs), 3U);
    EXPECT_EQ(of_words("rem.u32 %r9, %r1, %r2").count(Op::Isetp), 3U);
}

// ptxas's code: I2F of a constant, one IABS for both remainders, no test for a divisor of 0.
TEST(NativeDivision, ConstantDivisorsAndOneDividend) {
    const Compiled c = of_words("rem.s32 %r7, %r1, 8; rem.s32 %r8, %r1, 12; add.s32 %r9, %r7, %r8");
    EXPECT_EQ(c.count(Op::Iabs), 1U);
    EXPECT_EQ(c.count(Op::I2f), 2U);
    EXPECT_TRUE(c.first(Op::I2f).src[0].is(Operand::Kind::Immediate));
    EXPECT_EQ(c.count(Op::Isetp), 2U + 2U + 1U);
    EXPECT_EQ(c.count(Op::Lop3), 0U);
}

// ptxas's code: one reciprocal for all divisions by a divisor, and three instructions more for the remainder beside the
// quotient.
TEST(NativeDivision, DivisionsByOneDivisorHaveOneReciprocal) {
    const Compiled two = of_words("div.u32 %r7, %r1, %r2; rem.u32 %r8, %r3, %r2; add.u32 %r9, %r7, %r8");
    EXPECT_EQ(two.count(Op::I2f), 1U);
    EXPECT_EQ(two.count(Op::Mufu), 1U);
    EXPECT_EQ(two.count(Op::ImadHi), 3U);
    const Compiled both = of_words("div.u32 %r7, %r1, %r2; rem.u32 %r8, %r1, %r2; add.u32 %r9, %r7, %r8");
    EXPECT_EQ(both.count(Op::I2f), 1U);
    EXPECT_EQ(both.count(Op::ImadHi), 2U);
    const Compiled one = of_words("div.u32 %r7, %r1, %r2; add.u32 %r9, %r7, %r3");
    EXPECT_LE(both.all().size(), one.all().size() + 3);
    const Compiled others = of_words("div.u32 %r7, %r1, %r2; div.s32 %r8, %r1, %r2; add.u32 %r9, %r7, %r8");
    EXPECT_EQ(others.count(Op::I2f), 2U) << "one is signed";
}

TEST(NativeDivision, IntegersOfTwoWords) {
    const Compiled c = of_pairs("div.u64 %d9, %d2, %d3");
    EXPECT_EQ(c.count(Op::I2f), 1U);
    EXPECT_EQ(c.count(Op::F2i), 1U);
    EXPECT_EQ(c.count(Op::ImadWide), 6U);
    EXPECT_EQ(c.count(Op::ImadHi), 9U);
    EXPECT_EQ(c.count(Op::Isetp) + c.count(Op::IsetpX), 6U);
    EXPECT_EQ(c.count(Op::Sel), 8U);
}

TEST(NativeDivision, FunctionsScaleNumbersBelowTheNormalOnes) {
    const Compiled scaled = of_words("sqrt.approx.f32 %r9, %r1");
    EXPECT_EQ(scaled.count(Op::Fsetp), 1U);
    EXPECT_EQ(scaled.count(Op::Fmul), 2U);
    const Compiled plain = of_words("sqrt.approx.ftz.f32 %r9, %r1");
    EXPECT_EQ(plain.count(Op::Fsetp), 0U);
    EXPECT_EQ(plain.count(Op::Fmul), 0U);
    EXPECT_EQ(plain.count(Op::Mufu), 1U);
    EXPECT_EQ(of_words("div.full.f32 %r9, %r1, %r2").count(Op::Fmul), 5U);
    EXPECT_EQ(of_words("sin.approx.f32 %r9, %r1").count(Op::Fmul), 1U);
}

// R0 and R2 to R10 are the routine's, and R1 and two registers are not named: 13, as ptxas reports.
TEST(NativeDivision, ACallNeedsTheRegistersOfItsRoutine) {
    EXPECT_EQ(of_words("div.rn.f32 %r9, %r1, %r2").function.registers, 13U);
}

} // namespace
} // namespace heddle::native::test
