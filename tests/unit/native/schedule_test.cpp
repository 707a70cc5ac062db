// The order of a block.
#include <string>

#include <gtest/gtest.h>

#include "compiled.h"
#include "native/schedule/pipes.h"

namespace heddle::native::test {
namespace {

constexpr std::string_view kScheduleOut = ".param .u64 out, .param .u64 in";
const std::string kScheduleBegin = "ld.param.u64 %d1, [out]; ld.param.u64 %d2, [in]; mov.u32 %r1, %tid.x;\n";

std::vector<std::string> on_both_pipes(std::vector<Instruction> code) {
    Function function = block(std::move(code));
    use_both_pipes(function);
    std::vector<std::string> out;
    for (const Instruction& i : function.blocks[0].code)
        out.push_back(to_string(i));
    out.pop_back(); // EXIT
    return out;
}

// Sums and shifts of clang's PTX in ptxas's code.
TEST(NativePipes, SumsOfTwoTakeTurns) {
    EXPECT_EQ(on_both_pipes({make(Op::Iadd3, {reg(0)}, {reg(1), reg(2), rz()}),
                             make(Op::Iadd3, {reg(3)}, {reg(4), reg(5), rz()}),
                             make(Op::Iadd3, {reg(6)}, {reg(4), reg(7), rz()}),
                             make(Op::Iadd3, {reg(8)}, {reg(6), reg(7), rz()})}),
              (std::vector<std::string>{"IMAD.IADD R0, R1, 0x1, R2", "IADD3 R3, R4, R5, RZ",
                                        "IMAD.IADD R6, R4, 0x1, R7", "IMAD.IADD R8, R6, 0x1, R7"}))
        << "the last one waits for the one before, whose pipe is free then";
}

TEST(NativePipes, OtherSumsStay) {
    const std::vector<Instruction> code = {make(Op::Iadd3, {reg(0)}, {reg(1), imm(2), rz()}),
                                           make(Op::Iadd3, {reg(0)}, {reg(1), reg(2), reg(3)}),
                                           make(Op::Iadd3, {reg(0), pred(0)}, {reg(1), reg(2), rz()})};
    std::vector<std::string> before;
    for (const Instruction& i : code)
        before.push_back(to_string(i));
    EXPECT_EQ(on_both_pipes(code), before);
}

TEST(NativePipes, CopiesAndShiftsAreMultiplyAdds) {
    Instruction left = make(Op::Shf, {reg(2)}, {reg(0), imm(3), rz()});
    left.mods.sub = ir::Sub::ShfLeft;
    left.mods.type = ir::Type::U32;
    Instruction right = left;
    right.mods.sub = ir::Sub::None;
    EXPECT_EQ(on_both_pipes({make(Op::Mov, {reg(0)}, {reg(1)}), make(Op::Mov, {reg(3)}, {imm(7)}), left, right}),
              (std::vector<std::string>{"IMAD.MOV R0, RZ, RZ, R1", "MOV R3, 0x7", "IMAD.SHL.U32 R2, R0, 0x8, RZ",
                                        "SHF.R.U32 R2, R0, 0x3, RZ"}));
}

TEST(NativeSchedule, LoadsGoEarly) {
    const Compiled c(kScheduleBegin + "mul.lo.u32 %r2, %r1, %r1; mul.lo.u32 %r2, %r2, %r1; mul.lo.u32 %r2, %r2, %r1;\n"
                                      "ld.global.u32 %r3, [%d2]; add.u32 %r4, %r2, %r3; st.global.u32 [%d1], %r4; ret;",
                     kScheduleOut);
    EXPECT_LT(c.place(Op::Ldg), c.place(Op::Imad));
}

// A chain of multiply-adds, whose last operand is another number each time, has cycles without other work between two.
TEST(NativeSchedule, NumbersAreNotCopiedFarAhead) {
    std::string chain;
    for (int i = 1; i <= 40; ++i)
        chain +=
            "shr.u32 %r2, %r1, 15; xor.b32 %r1, %r1, %r2; mad.lo.u32 %r1, %r1, 40503, " + std::to_string(i) + ";\n";
    const Compiled c(kScheduleBegin + chain + "st.global.u32 [%d1], %r1; ret;", kScheduleOut);
    unsigned ahead = 0, most = 0;
    for (const Instruction& i : c.all()) {
        if (is_copy(i) && i.src[0].is(Operand::Kind::Immediate))
            most = std::max(most, ++ahead);
        ahead -= i.op == Op::Imad && ahead != 0 ? 1 : 0;
    }
    EXPECT_GE(most, 1U);
    EXPECT_LE(most, target().between(Op::Mov, Op::Imad, File::Vector, Use::Source));
}

TEST(NativeSchedule, ALoadDoesNotPassAStoreThatMayWriteItsBytes) {
    const Compiled c(kScheduleBegin +
                         "st.global.u32 [%d1], %r1; ld.global.u32 %r3, [%d2]; st.global.u32 [%d1+4], %r3; ret;",
                     kScheduleOut);
    EXPECT_LT(c.place(Op::Stg), c.place(Op::Ldg));
}

TEST(NativeSchedule, ALoadOfOtherBytesPassesAStore) {
    const Compiled c(kScheduleBegin +
                         "mul.lo.u32 %r2, %r1, %r1; mul.lo.u32 %r2, %r2, %r1; st.global.u32 [%d1], %r2;\n"
                         "ld.global.u32 %r3, [%d1+4]; add.u32 %r3, %r3, 1; st.global.u32 [%d1+8], %r3; ret;",
                     kScheduleOut);
    EXPECT_LT(c.place(Op::Ldg), c.place(Op::Stg));
}

TEST(NativeSchedule, VolatileAccessesKeepTheirOrder) {
    const Compiled c(kScheduleBegin +
                         "mul.lo.u32 %r2, %r1, %r1; mul.lo.u32 %r2, %r2, %r1; st.volatile.global.u32 [%d1], %r2;\n"
                         "ld.volatile.global.u32 %r3, [%d1+4]; st.global.u32 [%d1+8], %r3; ret;",
                     kScheduleOut);
    EXPECT_LT(c.place(Op::Stg), c.place(Op::Ldg));
}

// A round uses what the round before has loaded: what does not need it comes first, though it is the shorter way.
TEST(NativeSchedule, AResultOfAnotherBlockIsExpectedLate) {
    const Compiled c(
        kScheduleBegin +
            "mov.u32 %r2, 0; mov.u32 %r5, 0; ld.global.u32 %r3, [%d2];\n"
            "L: .pragma \"nounroll\"; mul.lo.u32 %r4, %r3, %r3; xor.b32 %r4, %r4, %r1; add.u32 %r4, %r4, 3;\n"
            "st.global.u32 [%d1], %r4; shl.b32 %r5, %r5, 1; or.b32 %r5, %r5, %r1;\n"
            "add.u64 %d2, %d2, 4; ld.global.u32 %r3, [%d2]; add.u32 %r2, %r2, 1;\n"
            "setp.lt.u32 %p1, %r2, 9; @%p1 bra L; st.global.u32 [%d1+4], %r5; ret;",
        kScheduleOut);
    const auto code = c.function.blocks[c.function.order[1]].code;
    const auto place = [&](Op op) {
        return std::find_if(code.begin(), code.end(), [&](const Instruction& i) { return i.op == op; }) - code.begin();
    };
    ASSERT_LT(place(Op::Imad), static_cast<std::ptrdiff_t>(code.size()));
    EXPECT_LT(place(Op::ImadShl), place(Op::Imad));
}

// Loads of 16 bytes need groups of four registers, for which the allocation takes more than are alive. The threads of
// an SM have 64 registers each on Turing (1024 threads), 32 on Ampere (2048).
TEST(NativeSchedule, EarlyLoadsOfGroupsCostNoWarps) {
    std::string body = kScheduleBegin + "mov.u32 %r6, 0;\n";
    for (unsigned i = 0; i < 40; ++i)
        body += "ld.global.v4.u32 {%r2, %r3, %r4, %r5}, [%d2+" + std::to_string(16 * i) +
                "]; xor.b32 %r6, %r6, %r2; add.u32 %r6, %r6, %r3; xor.b32 %r6, %r6, %r4; add.u32 %r6, %r6, %r5;\n";
    body += "st.global.u32 [%d1], %r6; ret;";
    EXPECT_LE(Compiled(body, kScheduleOut, "sm_75").function.registers, 64U);
    EXPECT_LE(Compiled(body, kScheduleOut, "sm_80").function.registers, 32U);
}

// As in a product: sixteen sums, four factors from global memory and sixteen for each of them from shared memory. The
// code keeps to 40 registers, more would cost warps (32 are free); a factor takes one register, a load of shared memory
// four. The factors are on their way together before the second of them is needed.
TEST(NativeSchedule, LoadsOfOneRegisterGoEarlyWhereMoreCostWarps) {
    std::string body = kScheduleBegin;
    for (unsigned n = 0; n < 16; ++n)
        body += "mov.f32 %f" + std::to_string(n) + ", 0f00000000;\n";
    body += "L: .pragma \"nounroll\"; bar.sync 0; add.u64 %d2, %d2, 4;\n";
    for (unsigned j = 0; j < 4; ++j) {
        body += "ld.global.f32 %f16, [%d2+" + std::to_string(4096 * j) + "];\n";
        for (unsigned n = 0; n < 16; ++n)
            body += "ld.shared.f32 %f17, [" + std::to_string(64 * j + 4 * n) + "]; fma.rn.f32 %f" + std::to_string(n) +
                    ", %f16, %f17, %f" + std::to_string(n) + ";\n";
    }
    body += "bar.sync 0; add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 900; @%p1 bra L;\n";
    for (unsigned n = 0; n < 16; ++n)
        body += "st.global.f32 [%d1+" + std::to_string(4 * n) + "], %f" + std::to_string(n) + ";\n";
    const Compiled c(body + "ret;", kScheduleOut);
    const auto code = c.function.blocks[c.function.order[1]].code;
    std::size_t shared_loads = 0, loads = 0;
    for (const Instruction& i : code) {
        shared_loads += loads < 4 && i.op == Op::Lds ? 1 : 0;
        loads += i.op == Op::Ldg ? 1 : 0;
    }
    EXPECT_EQ(loads, 4U);
    EXPECT_LE(shared_loads, 4U) << "before the last factor";
    EXPECT_LE(c.function.registers, 40U);
}

TEST(NativeSchedule, AccessesStayOnTheirSideOfABarrier) {
    const Compiled c(kScheduleBegin +
                         "st.shared.u32 [0], %r1; bar.sync 0; ld.shared.u32 %r3, [4]; st.global.u32 [%d1], %r3; ret;",
                     kScheduleOut);
    EXPECT_LT(c.place(Op::Sts), c.place(Op::Bar));
    EXPECT_LT(c.place(Op::Bar), c.place(Op::Lds));
}

} // namespace
} // namespace heddle::native::test
