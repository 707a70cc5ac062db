// The order of a block.
#include <string>

#include <gtest/gtest.h>

#include "compiled.h"

namespace heddle::native::test {
namespace {

constexpr std::string_view kScheduleOut = ".param .u64 out, .param .u64 in";
const std::string kScheduleBegin = "ld.param.u64 %d1, [out]; ld.param.u64 %d2, [in]; mov.u32 %r1, %tid.x;\n";

TEST(NativeSchedule, LoadsGoEarly) {
    const Compiled c(kScheduleBegin + "mul.lo.u32 %r2, %r1, %r1; mul.lo.u32 %r2, %r2, %r1; mul.lo.u32 %r2, %r2, %r1;\n"
                                      "ld.global.u32 %r3, [%d2]; add.u32 %r4, %r2, %r3; st.global.u32 [%d1], %r4; ret;",
                     kScheduleOut);
    EXPECT_LT(c.place(Op::Ldg), c.place(Op::Imad));
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
    EXPECT_LT(place(Op::Shf), place(Op::Imad));
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

TEST(NativeSchedule, AccessesStayOnTheirSideOfABarrier) {
    const Compiled c(kScheduleBegin +
                         "st.shared.u32 [0], %r1; bar.sync 0; ld.shared.u32 %r3, [4]; st.global.u32 [%d1], %r3; ret;",
                     kScheduleOut);
    EXPECT_LT(c.place(Op::Sts), c.place(Op::Bar));
    EXPECT_LT(c.place(Op::Bar), c.place(Op::Lds));
}

} // namespace
} // namespace heddle::native::test
