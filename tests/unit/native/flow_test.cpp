// Copies that vanish, and convergence barriers.
#include <gtest/gtest.h>

#include "compiled.h"

namespace heddle::native::test {
namespace {

const std::string kFlowBegin = "ld.param.u64 %d1, [out]; ld.global.u32 %r1, [%d1]; setp.eq.u32 %p1, %r1, 3;\n";
constexpr std::string_view kFlowOut = ".param .u64 out";
// Too long to be guarded.
const std::string kFlowLong = "red.global.add.u32 [%d1+8], 1;\n";

TEST(NativeCoalescing, ALoopHasNoCopies) {
    const Compiled c(kFlowBegin + "mov.u32 %r2, 0; mov.u32 %r3, 0;\n"
                                  "L: .pragma \"nounroll\"; add.u32 %r2, %r2, %r1; add.u32 %r3, %r3, 1; setp.lt.u32 "
                                  "%p2, %r3, %r1; @%p2 bra L;\n"
                                  "st.global.u32 [%d1+4], %r2; ret;",
                     kFlowOut);
    for (const std::uint32_t b : c.function.order) {
        const auto& code = c.function.blocks[b].code;
        if (!code.empty() && code.back().op == Op::Bra)
            for (const Instruction& i : code) {
                EXPECT_FALSE(is_copy(i)) << to_string(i);
            }
    }
}

// The sums of a product go round, and on behind the loop, in the registers that the product adds to.
TEST(NativeCoalescing, GroupsOfALoopHaveNoCopies) {
    const Compiled c(
        kFlowBegin + "ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%d1]; mov.u32 %r3, 0; @%p1 bra E;\n"
                     "L: .pragma \"nounroll\"; mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, "
                     "{%r1, %r1}, {%r1}, {%f1, %f2, %f3, %f4};\n"
                     "add.u32 %r3, %r3, 1; setp.lt.u32 %p2, %r3, %r1; @%p2 bra L;\n"
                     "E: st.global.f32 [%d1+4], %f1; st.global.f32 [%d1+8], %f2; st.global.f32 [%d1+12], %f3;\n"
                     "st.global.f32 [%d1+16], %f4; ret;",
        kFlowOut);
    const Instruction product = c.first(Op::Mma);
    EXPECT_EQ(product.dst[0], product.src[2]) << to_string(product);
}

// Four rounds, then single ones: what a value becomes at the end of the four goes round and goes on, and is one
// register.
TEST(NativeCoalescing, AValueThatGoesRoundAndOnIsNotCopied) {
    const Compiled c(kFlowBegin + "mov.u32 %r2, %r1; mov.u32 %r3, 0; mov.u32 %r4, 0;\n"
                                  "L: add.u32 %r4, %r4, %r2; xor.b32 %r2, %r2, %r4; add.u32 %r3, %r3, 1;\n"
                                  "setp.lt.u32 %p2, %r3, %r1; @%p2 bra L; st.global.u32 [%d1+4], %r2; ret;",
                     kFlowOut);
    const auto& order = c.function.order;
    const auto four = std::find_if(order.begin(), order.end(), [&](std::uint32_t b) {
        const auto& code = c.function.blocks[b].code;
        return !code.empty() && code.back().op == Op::Bra && code.back().target == b;
    });
    ASSERT_NE(four, order.end());
    for (const Instruction& i : c.function.blocks[*four].code)
        EXPECT_FALSE(is_copy(i)) << to_string(i);
}

// A sum under a guard keeps the old value for the other threads, which is the register that it reads.
TEST(NativeCoalescing, AValueThatAGuardedInstructionChangesIsNotCopied) {
    const Compiled c(kFlowBegin + "ld.global.u32 %r2, [%d1]; setp.lt.u32 %p2, %r1, 9;\n"
                                  "@%p2 add.u32 %r2, %r2, %r1; st.global.u32 [%d1+4], %r2; ret;",
                     kFlowOut);
    for (const Instruction& i : c.all())
        EXPECT_FALSE(is_copy(i) && i.src[0].kind == Operand::Kind::Register) << to_string(i);
}

// Both values are alive together, so the copy stays or both have registers of their own.
TEST(NativeCoalescing, ValuesThatLiveTogetherStayApart) {
    const Compiled c(kFlowBegin + "mov.u32 %r2, 0; mov.u32 %r4, 7;\n"
                                  "L: mov.u32 %r5, %r4; add.u32 %r4, %r4, %r1; add.u32 %r2, %r2, 1;\n"
                                  "setp.lt.u32 %p2, %r2, %r1; @%p2 bra L;\n"
                                  "st.global.u32 [%d1+4], %r5; st.global.u32 [%d1+8], %r4; ret;",
                     kFlowOut);
    std::vector<std::uint32_t> stored;
    for (const Instruction& i : c.all())
        if (i.op == Op::Stg)
            stored.push_back(i.src[1].number);
    ASSERT_EQ(stored.size(), 2U);
    EXPECT_NE(stored[0], stored[1]);
}

TEST(NativeReconvergence, ABarrierIsSetBeforeTheBranchAndWaitedForWhereThePathsMeet) {
    const Compiled c(kFlowBegin + "@%p1 bra E; " + kFlowLong +
                         "bra M; E: red.global.add.u32 [%d1+12], 1;\n"
                         "M: st.global.u32 [%d1+4], 1; ret;",
                     kFlowOut);
    ASSERT_EQ(c.count(Op::Bssy), 1U);
    ASSERT_EQ(c.count(Op::Bsync), 1U);
    const std::uint32_t meeting = c.first(Op::Bssy).target;
    EXPECT_EQ(c.function.blocks[meeting].code.front().op, Op::Bsync);
    EXPECT_LT(c.place(Op::Bssy), c.place(Op::Bra));
    EXPECT_LT(c.place(Op::Bsync), c.place(Op::Stg));
}

// Threads that leave the loop may hold what the others wait for. A loop that counts has its barrier.
TEST(NativeReconvergence, NoBarrierStandsAroundALoopThatSpins) {
    const auto loop = [](const std::string& step) {
        return Compiled(kFlowBegin + "mov.u32 %r2, 0;\nL: .pragma \"nounroll\"; " + step + "@%p2 bra L;\n" + kFlowLong +
                            "st.global.u32 [%d1+4], %r2; ret;",
                        kFlowOut);
    };
    EXPECT_EQ(loop("add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, %r1;\n").count(Op::Bsync), 1U);
    EXPECT_EQ(loop("atom.global.cas.b32 %r2, [%d1+16], 0, 1; setp.ne.u32 %p2, %r2, 0;\n").count(Op::Bsync), 0U);
    EXPECT_EQ(loop("ld.volatile.global.u32 %r2, [%d1+16]; setp.eq.u32 %p2, %r2, 0;\n").count(Op::Bsync), 0U);
    // The atomic operation does not say whether the loop goes on.
    EXPECT_EQ(loop("atom.global.add.u32 %r3, [%d1+16], 1; add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, %r1;\n")
                  .count(Op::Bsync),
              1U);
}

// Likewise threads that pass by such a loop: the first round stands in front of it.
TEST(NativeReconvergence, NoBarrierStandsAroundAWayPastALoopThatSpins) {
    const auto peeled = [](const std::string& step) {
        return Compiled(kFlowBegin + "mov.u32 %r2, 0; " + step + "@!%p2 bra M;\nL: .pragma \"nounroll\"; " + step +
                            "@%p2 bra L;\nM: " + kFlowLong + "st.global.u32 [%d1+4], %r2; ret;",
                        kFlowOut);
    };
    EXPECT_EQ(peeled("atom.global.cas.b32 %r2, [%d1+16], 0, 1; setp.ne.u32 %p2, %r2, 0;\n").count(Op::Bsync), 0U);
    EXPECT_EQ(peeled("add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, %r1;\n").count(Op::Bsync), 1U);
}

// ptxas's code for sm_75 and sm_90 has no barrier there either.
TEST(NativeReconvergence, ThreadsThatOnlyEndDoNotMeet) {
    const Compiled sides(kFlowBegin + "@%p1 bra A; " + kFlowLong + "bar.sync 0; " + kFlowLong +
                             "bra E; A: " + kFlowLong + "E: ret;",
                         kFlowOut);
    EXPECT_EQ(sides.count(Op::Bssy), 0U);
    const Compiled loop(kFlowBegin + "mov.u32 %r3, 0; L: .pragma \"nounroll\"; " + kFlowLong +
                            "bar.sync 0; add.u32 %r3, %r3, 1; setp.lt.u32 %p2, %r3, %r1; @%p2 bra L; ret;",
                        kFlowOut);
    EXPECT_EQ(loop.count(Op::Bssy), 0U);
}

// Blocks without instructions that only lead to each other.
TEST(NativeReconvergence, ThreadsMeetAtAnEndlessLoop) {
    const Compiled c(kFlowBegin + "@%p1 bra A; " + kFlowLong + "bra L; A: " + kFlowLong + "L: bra M; M: bra L;",
                     kFlowOut);
    EXPECT_EQ(c.count(Op::Bsync), 1U);
}

TEST(NativeReconvergence, NestedRegionsHaveBarriersOfTheirOwn) {
    const Compiled c(kFlowBegin + "setp.lt.u32 %p2, %r1, 9; @%p1 bra M; " + kFlowLong + "@%p2 bra N; " + kFlowLong +
                         kFlowLong + "N: red.global.add.u32 [%d1+16], 1; M: st.global.u32 [%d1+4], 1; ret;",
                     kFlowOut);
    ASSERT_EQ(c.count(Op::Bssy), 2U);
    std::vector<std::uint8_t> numbers;
    for (const Instruction& i : c.all())
        if (i.op == Op::Bssy)
            numbers.push_back(i.barrier);
    EXPECT_NE(numbers[0], numbers[1]);
    EXPECT_EQ(c.function.barriers, 2U);
}

TEST(NativeReconvergence, TheBarrierOfALoopIsSetInFrontOfIt) {
    const Compiled c(kFlowBegin + "mov.u32 %r3, 0; L: .pragma \"nounroll\"; " + kFlowLong +
                         "add.u32 %r3, %r3, 1; setp.lt.u32 %p2, %r3, %r1; @%p2 bra L; st.global.u32 [%d1+4], 1; ret;",
                     kFlowOut);
    ASSERT_EQ(c.count(Op::Bssy), 1U);
    EXPECT_LT(c.place(Op::Bssy), c.place(Op::Red)) << "not once for each round";
}

// Threads that exit on the way leave the barrier; the others meet as if they had not been.
TEST(NativeReconvergence, AnExitInARegionDoesNotEndIt) {
    const Compiled c(kFlowBegin + "setp.lt.u32 %p2, %r1, 9; @%p1 bra M; " + kFlowLong + "@%p2 bra E; " + kFlowLong +
                         "M: st.global.u32 [%d1+4], 1; " + kFlowLong + "E: ret;",
                     kFlowOut);
    EXPECT_EQ(c.count(Op::Exit), 2U);
    ASSERT_EQ(c.count(Op::Bssy), 1U);
    ASSERT_EQ(c.count(Op::Bsync), 1U);
    EXPECT_LT(c.place(Op::Bsync), c.place(Op::Stg)) << "at M, not at the end";
}

// No path leads to another end than the guarded EXIT of the round.
TEST(NativeReconvergence, PathsOfALoopThatOnlyAnExitEndsMeetInTheRound) {
    const Compiled c(kFlowBegin + "mov.u32 %r3, 0; L: .pragma \"nounroll\"; @%p1 bra M; " + kFlowLong +
                         "M: st.global.u32 [%d1+4], 1; add.u32 %r3, %r3, 1; setp.gt.u32 %p2, %r3, %r1; @%p2 bra E;\n"
                         "bra L; E: ret;",
                     kFlowOut);
    ASSERT_EQ(c.count(Op::Exit), 1U);
    EXPECT_TRUE(c.first(Op::Exit).is_guarded());
    ASSERT_EQ(c.count(Op::Bsync), 1U);
    EXPECT_LT(c.place(Op::Bsync), c.place(Op::Stg));
    EXPECT_GT(c.place(Op::Bsync), c.place(Op::Red));
}

TEST(NativeReconvergence, UniformBranchesNeedNone) {
    const Compiled c(kFlowBegin + "@%p1 bra.uni M; " + kFlowLong + "M: st.global.u32 [%d1+4], 1; ret;", kFlowOut);
    EXPECT_EQ(c.count(Op::Bssy), 0U);
}

// ptxas's code for an empty kernel, for sm_75 to sm_86 and for sm_90.
TEST(NativeStackPointer, AnEmptyKernelReadsIt) {
    const auto text = [](std::string_view machine) {
        std::vector<std::string> out;
        for (const Instruction& i : Compiled("ret;", "", machine).all())
            out.push_back(to_string(i));
        return out;
    };
    EXPECT_EQ(text("sm_75"), (std::vector<std::string>{"MOV R1, c[0x0][0x28]", "EXIT"}));
    EXPECT_EQ(text("sm_90"), (std::vector<std::string>{"LDC R1, c[0x0][0x28]", "EXIT"}));
    EXPECT_EQ(Compiled("ret;").function.registers, 2 + kUnnamedRegisters);
}

TEST(NativeStackPointer, ALoopAtTheBeginDoesNotReadItAgain) {
    const Compiled c("L: .pragma \"nounroll\"; bar.sync 0; bra.uni L;");
    const std::vector<Instruction> all = c.all();
    EXPECT_EQ(to_string(all.front()), "MOV R1, c[0x0][0x28]");
    EXPECT_NE(all.back().target, c.function.order.front());
}

} // namespace
} // namespace heddle::native::test
