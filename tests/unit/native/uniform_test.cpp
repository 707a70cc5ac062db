// Values that are the same in all lanes, and instructions of the uniform path.
#include <gtest/gtest.h>

#include "compiled.h"
#include "native/control/bits.h"

namespace heddle::native::test {
namespace {

using testing::HasSubstr;

constexpr std::string_view kParameters = ".param .u64 out, .param .u32 n";
const std::string kBegin = "ld.param.u64 %d1, [out]; ld.param.u32 %r1, [n]; mov.u32 %r2, %tid.x;\n"
                           "mul.wide.u32 %d2, %r2, 4; add.u64 %d3, %d1, %d2;\n";
// %r4 = 4 * n + 3, and %r5 = tid ^ %r4.
const std::string kSame = "shl.b32 %r3, %r1, 2; add.u32 %r4, %r3, 3; xor.b32 %r5, %r2, %r4;\n";
// From here on the threads of a warp are on two ways, which do not become guards.
const std::string kParts = "setp.lt.u32 %p1, %r2, 5; @%p1 bra E; red.global.inc.u32 [%d1+64], 1;\n";

std::size_t of_uniform_path(const Compiled& c) {
    const auto code = c.all();
    return static_cast<std::size_t>(
        std::count_if(code.begin(), code.end(), [](const Instruction& i) { return info(i.op).pipe == Pipe::Uniform; }));
}

TEST(NativeUniform, ASumOfParametersIsComputedOnceForAWarp) {
    const Compiled c(kBegin + kSame + "st.global.u32 [%d3], %r5; ret;", kParameters);
    EXPECT_EQ(c.count(Op::Uldc), 1U);
    EXPECT_GE(of_uniform_path(c), 2U);
    const Instruction use = c.first(Op::Lop3);
    EXPECT_TRUE(use.src[0].is_register(File::Vector));
    EXPECT_TRUE(use.src[1].is_register(File::Uniform)) << to_string(use);
    EXPECT_GE(c.function.uniform_registers, 1U);
}

TEST(NativeUniform, VoltaHasNone) {
    const Compiled c(kBegin + kSame + "st.global.u32 [%d3], %r5; ret;", kParameters, "sm_70");
    EXPECT_EQ(of_uniform_path(c), 0U);
    EXPECT_EQ(c.function.uniform_registers, 0U);
}

TEST(NativeUniform, WhatDependsOnTheLaneStaysInItsRegisters) {
    const Compiled c(kBegin + "add.u32 %r4, %r2, 3; xor.b32 %r5, %r4, %r1; st.global.u32 [%d3], %r5; ret;",
                     kParameters);
    EXPECT_EQ(of_uniform_path(c), 0U);
}

TEST(NativeUniform, NothingBetweenABranchThatPartsLanesAndWhereTheyMeet) {
    const Compiled c(kBegin + kParts + kSame + "st.global.u32 [%d3], %r5; E: st.global.u32 [%d3+4], %r2; ret;",
                     kParameters);
    EXPECT_EQ(of_uniform_path(c), 0U);
}

TEST(NativeUniform, ThreadsThatEndLeaveTheOthersTogether) {
    const Compiled c(kBegin +
                         "setp.ge.u32 %p1, %r2, %r1; @%p1 bra E; bar.sync 0; bar.sync 0; bar.sync 0; bar.sync 0;\n"
                         "bar.sync 0; bar.sync 0; bar.sync 0; bar.sync 0;\n" +
                         kSame + "st.global.u32 [%d3], %r5; ret; E: exit;",
                     kParameters);
    EXPECT_GE(of_uniform_path(c), 2U);
}

// clang has one return for all threads.
TEST(NativeUniform, AlsoWhereAllEndAtOnePlace) {
    const Compiled c(kBegin + "setp.ge.u32 %p1, %r2, %r1; @%p1 bra E; red.global.inc.u32 [%d1+64], 1;\n" + kSame +
                         "st.global.u32 [%d3], %r5; E: ret;",
                     kParameters);
    EXPECT_GE(of_uniform_path(c), 2U);
    const Compiled both(kBegin + "setp.ge.u32 %p1, %r2, %r1; @%p1 bra E; red.global.inc.u32 [%d1+64], 1;\n" + kSame +
                            "st.global.u32 [%d3], %r5; E: st.global.u32 [%d3+4], %r2; ret;",
                        kParameters);
    EXPECT_EQ(of_uniform_path(both), 0U) << "threads meet there and go on";
}

TEST(NativeUniform, ALoopThatAllThreadsGoRoundTogetherHasAUniformCounterAndNoBarrier) {
    const Compiled c(kBegin + "mov.u32 %r3, 0; mov.u32 %r6, 0;\n"
                              "L: .pragma \"nounroll\"; add.u32 %r7, %r2, %r3; st.global.u32 [%d3], %r7; "
                              "red.global.inc.u32 [%d1+64], %r2;\n"
                              "add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, %r1; @%p1 bra L; ret;",
                     kParameters);
    EXPECT_EQ(c.count(Op::Uiadd3), 1U);
    EXPECT_EQ(c.count(Op::Uisetp), 1U);
    EXPECT_EQ(c.first(Op::Bra).guard.file, File::UniformPredicate);
    EXPECT_EQ(c.count(Op::Bssy), 0U);
}

// Constants at an address that all lanes have come by the uniform path, two words an instruction.
TEST(NativeUniform, AConstantAtAUniformAddressIsLoadedToAUniformRegister) {
    const std::string loop = kBegin +
                             "mov.u32 %r3, 0; mov.u64 %d4, table; mov.b32 %f1, %r2;\n"
                             "L: .pragma \"nounroll\"; ld.const.v2.f32 {%f2, %f3}, [%d4]; add.f32 %f1, %f1, %f2;\n"
                             "mul.f32 %f1, %f1, %f3; red.global.inc.u32 [%d1+64], %r2;\n"
                             "add.u64 %d4, %d4, 8; add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, %r1; @%p1 bra L;\n"
                             "st.global.f32 [%d3], %f1; ret;";
    constexpr std::string_view kTable = ".const .align 8 .b32 table[64];\n";
    const Compiled c(loop, kParameters, "sm_80", {}, kTable);
    ASSERT_EQ(c.count(Op::UldcAt), 1U);
    EXPECT_EQ(c.count(Op::Ldc), 0U);
    EXPECT_EQ(c.first(Op::UldcAt).dst[0].count, 2);
    EXPECT_TRUE(c.first(Op::Fadd).src[1].is_register(File::Uniform));
    const Compiled volta(loop, kParameters, "sm_70", {}, kTable);
    EXPECT_EQ(volta.count(Op::UldcAt), 0U);
    EXPECT_EQ(volta.count(Op::Ldc), 1U);
}

// DFMA reads no uniform register.
TEST(NativeUniform, AConstantOfDoublePrecisionStaysInVectorRegisters) {
    const Compiled c(kBegin + "mul.wide.u32 %d4, %r1, 8; mov.u64 %d5, table; add.u64 %d4, %d4, %d5;\n"
                              "ld.const.f64 %g1, [%d4]; ld.global.f64 %g2, [%d3]; add.f64 %g1, %g1, %g2;\n"
                              "st.global.f64 [%d3], %g1; ret;",
                     kParameters, "sm_80", {}, ".const .align 8 .b64 table[64];\n");
    EXPECT_EQ(c.count(Op::UldcAt), 0U);
    EXPECT_EQ(c.count(Op::Ldc), 1U);
}

// A uniform predicate has no place as a guard of other instructions than branches.
TEST(NativeUniform, AGuardIsAPredicateOfLanes) {
    const Compiled c(kBegin + "setp.lt.u32 %p1, %r1, 7; @%p1 st.global.u32 [%d3], %r2; ret;", kParameters);
    EXPECT_EQ(c.count(Op::Uisetp), 0U);
    EXPECT_EQ(c.first(Op::Stg).guard.file, File::Predicate);
}

Operand uniform(unsigned number) {
    Operand o = reg(number);
    o.file = File::Uniform;
    return o;
}

// On sm_80: 13 cycles to a reader of the lanes, 4 to one of the uniform path (spec 2.6).
TEST(NativeUniformControl, TheUniformPathIsCloseToItself) {
    Function f =
        block({make(Op::Umov, {uniform(0)}, {imm(1)}), make(Op::Uiadd3, {uniform(1)}, {uniform(0), imm(1), rz()}),
               make(Op::Iadd3, {reg(0)}, {reg(1), uniform(1), rz()})});
    set_counters(f, target());
    set_stalls(f, target());
    EXPECT_EQ(f.blocks[0].code[0].control.stall, 4);
    EXPECT_EQ(f.blocks[0].code[1].control.stall, 13);
    EXPECT_EQ(check_control(f, target()), "");
    f.blocks[0].code[0].control.stall = 3;
    EXPECT_THAT(check_control(f, target()), HasSubstr("too early"));
    f.blocks[0].code[0].control.stall = 4;
    f.blocks[0].code[1].control.stall = 12;
    EXPECT_THAT(check_control(f, target()), HasSubstr("1 cycles too early"));
}

} // namespace
} // namespace heddle::native::test
