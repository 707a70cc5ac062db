// Which loops are unrolled, and what that leaves. Results are in tests/ptx/cases/loops.case.
#include <gtest/gtest.h>

#include "compiled.h"

namespace heddle::native::test {
namespace {

const std::string kUnrollBegin =
    "ld.param.u64 %d1, [out]; ld.param.u32 %r9, [n]; ld.global.f32 %f1, [%d1]; mov.u32 %r1, 0;\n";
const std::string kEnd = "st.global.f32 [%d1+4], %f1; ret;";
constexpr const char* kUnrollParameters = ".param .u64 out, .param .u32 n";

// A round of `size` products and `more`.
std::string loop(unsigned size, const std::string& bound, const std::string& more = "",
                 const std::string& pragma = "") {
    std::string body = kUnrollBegin + "L:\n" + pragma;
    for (unsigned i = 0; i < size; ++i)
        body += "fma.rn.f32 %f1, %f1, %f1, %f1;\n";
    return body + more + "add.s32 %r1, %r1, 1; setp.lt.s32 %p1, %r1, " + bound + "; @%p1 bra L;\nOUT:\n" + kEnd;
}

// How many rounds the code has, and whether a loop is left.
struct Rounds {
    std::size_t rounds = 0;
    bool loops = false;
    bool operator==(const Rounds&) const = default;
};
std::ostream& operator<<(std::ostream& to, const Rounds& r) {
    return to << r.rounds << (r.loops ? " in a loop" : "");
}

Rounds of(const Compiled& compiled, unsigned size, Op op = Op::Ffma) {
    Rounds out{compiled.count(op) / size, false};
    const auto& order = compiled.function.order;
    for (std::size_t n = 0; n < order.size(); ++n)
        for (const Instruction& i : compiled.function.blocks[order[n]].code)
            out.loops = out.loops ||
                        (i.op == Op::Bra && std::find(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(n) + 1,
                                                      i.target) <= order.begin() + static_cast<std::ptrdiff_t>(n));
    return out;
}
Rounds rounds(unsigned size, const std::string& bound, const std::string& more = "", const std::string& pragma = "") {
    return of(Compiled(loop(size, bound, more, pragma), kUnrollParameters), size);
}

TEST(Unroll, ShortConstantLoopsCompletely) {
    EXPECT_EQ(rounds(1, "256"), (Rounds{256, false}));
    EXPECT_EQ(rounds(15, "33"), (Rounds{33, false}));
    EXPECT_EQ(rounds(63, "6"), (Rounds{6, false}));
    EXPECT_EQ(rounds(90, "4"), (Rounds{4, false}));
}

// 350 / 20 = 17 rounds at most: 5040 is a multiple of 16; 10007 = 17 * 588 + 11 = 16 * 625 + 7 = 15 * 667 + 2.
TEST(Unroll, LongConstantLoopsInPart) {
    EXPECT_EQ(rounds(20, "5040"), (Rounds{16, true}));
    EXPECT_EQ(rounds(20, "10007"), (Rounds{15 + 2, true}));
    EXPECT_EQ(rounds(70, "5040"), (Rounds{5, true}));
    EXPECT_EQ(rounds(80, "5040"), (Rounds{1, true}));
}

TEST(Unroll, UnknownBoundsByFour) {
    EXPECT_EQ(rounds(1, "%r9"), (Rounds{4 + 3, true}));
    EXPECT_EQ(rounds(18, "%r9"), (Rounds{4 + 3, true}));
    EXPECT_EQ(rounds(19, "%r9"), (Rounds{1, true}));
}

TEST(Unroll, ThePragmaKeepsALoop) {
    EXPECT_EQ(rounds(2, "8", "", ".pragma \"nounroll\";\n"), (Rounds{1, true}));
    EXPECT_EQ(rounds(2, "%r9", "", ".pragma \"nounroll\";\n"), (Rounds{1, true}));
    EXPECT_EQ(rounds(2, "8", "", "// .pragma \"nounroll\";\n"), (Rounds{8, false})) << "a comment";
    EXPECT_EQ(rounds(2, "8", ".pragma \"nounroll\";\n"), (Rounds{8, false})) << "not at its begin";
}

// nvcc -G has this target, of which ptxas 13.0 leaves every loop.
TEST(Unroll, CodeForADebuggerKeepsLoops) {
    std::string text = ir::test::kernel_text(loop(2, "8"), kUnrollParameters);
    const std::string_view kTarget = ".target sm_80";
    text.insert(text.find(kTarget) + kTarget.size(), ", debug");
    EXPECT_EQ(of(Compiled(ir::test::lower_text(text)), 2), (Rounds{1, true}));
}

TEST(Unroll, OperationsOfWarpsKeepALoopAndBarriersOfBlocksDoNot) {
    EXPECT_EQ(rounds(2, "8", "shfl.sync.down.b32 %f1, %f1, 1, 31, -1;\n"), (Rounds{1, true}));
    EXPECT_EQ(rounds(2, "8", "membar.gl;\n"), (Rounds{1, true}));
    EXPECT_EQ(rounds(2, "8", "div.rn.f64 %d4, %d4, %d4;\n"), (Rounds{1, true}));
    const Compiled barrier(loop(2, "8", "bar.sync 0;\n"), kUnrollParameters);
    EXPECT_EQ(of(barrier, 2), (Rounds{8, false}));
    EXPECT_EQ(barrier.count(Op::Bar), 8U);
}

// Another exit stays in each round; with an unknown bound such a loop stays.
// What is constant in each round counts nothing: 5 operations, of which 3 stay.
TEST(Unroll, OperationsOnTheCounterCountNothing) {
    const std::string of_counter = "mul.wide.s32 %d2, %r1, 4; rem.s32 %r3, %r1, 7; cvt.rn.f32.s32 %f2, %r3;\n"
                                   "add.f32 %f1, %f1, %f2;\n";
    EXPECT_EQ(rounds(2, "256", of_counter), (Rounds{256, false}));
}

TEST(Unroll, OtherExits) {
    const std::string leaves = "setp.gt.f32 %p2, %f1, 0f40000000; @%p2 bra OUT;\n";
    EXPECT_EQ(rounds(2, "8", leaves), (Rounds{8, false}));
    EXPECT_EQ(rounds(2, "1000", leaves), (Rounds{1, true}));
    EXPECT_EQ(rounds(2, "%r9", leaves), (Rounds{1, true}));
}

TEST(Unroll, ANestCountsAsOneLoop) {
    const auto nest = [](const std::string& outer, const std::string& inner) {
        return of(Compiled(kUnrollBegin +
                               "A: mov.u32 %r2, 0;\nB: fma.rn.f32 %f1, %f1, %f1, %f1; mul.f32 %f1, %f1, %f1;\n"
                               "add.s32 %r2, %r2, 1; setp.lt.s32 %p1, %r2, " +
                               inner + "; @%p1 bra B;\nadd.s32 %r1, %r1, 1; setp.lt.s32 %p2, %r1, " + outer +
                               "; @%p2 bra A;\n" + kEnd,
                           kUnrollParameters),
                  1);
    };
    EXPECT_EQ(nest("4", "3"), (Rounds{12, false}));
    EXPECT_EQ(nest("%r9", "3"), (Rounds{3 * (4 + 3), true}));
    EXPECT_EQ(nest("100000", "%r9"), (Rounds{4 + 3, true}));
}

// The counter is constant in each round: addresses are displacements, and neighbouring loads are joined.
TEST(Unroll, AddressesOfRoundsAreConstants) {
    const Compiled c(kUnrollBegin +
                         ".shared .align 16 .b8 s[64];\n"
                         "L: shl.b32 %r2, %r1, 2; mov.u32 %r3, s; add.u32 %r3, %r3, %r2;\n"
                         "ld.shared.f32 %f2, [%r3]; add.f32 %f1, %f1, %f2;\n"
                         "add.s32 %r1, %r1, 1; setp.lt.s32 %p1, %r1, 8; @%p1 bra L;\n" +
                         kEnd,
                     kUnrollParameters);
    EXPECT_EQ(c.count(Op::Lds), 2U);
    EXPECT_EQ(c.first(Op::Lds).mods.vector, 4);
    EXPECT_EQ(c.count(Op::Fadd), 8U);
}

// A branch on the counter is decided, and the test of a conversion of it.
TEST(Unroll, BranchesOnTheCounterGo) {
    const Compiled c(loop(1, "4", "setp.ne.s32 %p2, %r1, 2; @%p2 bra N; mul.f32 %f1, %f1, %f1;\nN:\n"),
                     kUnrollParameters);
    EXPECT_EQ(c.count(Op::Ffma), 4U);
    EXPECT_EQ(c.count(Op::Fmul), 1U);
    EXPECT_EQ(c.count(Op::Bra), 0U);
    EXPECT_EQ(c.count(Op::Fmul) + c.count(Op::Ffma), 5U);
    EXPECT_FALSE(c.first(Op::Fmul).is_guarded());
    const Compiled f(kUnrollBegin +
                         "L: fma.rn.f32 %f1, %f1, %f1, %f1; add.s32 %r1, %r1, 1; cvt.rn.f32.s32 %f2, %r1;\n"
                         "lg2.approx.f32 %f3, 0f41800000; setp.lt.f32 %p1, %f2, %f3; @%p1 bra L;\n" +
                         kEnd,
                     kUnrollParameters);
    EXPECT_EQ(of(f, 1), (Rounds{4, false})) << "log2 16";
}

// Code that no path reaches goes to the middle of the loop.
TEST(Unroll, UnreachableCodeGoes) {
    const Compiled c(kUnrollBegin +
                         "bra L; M: bra N;\nL: fma.rn.f32 %f1, %f1, %f1, %f1; setp.gt.f32 %p2, %f1, 0f40000000;\n"
                         "@%p2 bra OUT;\nN: add.s32 %r1, %r1, 1; setp.lt.s32 %p1, %r1, 4; @%p1 bra L;\nOUT:\n" +
                         kEnd,
                     kUnrollParameters);
    EXPECT_EQ(of(c, 1), (Rounds{4, false}));
}

// A copy is at the line of its original.
TEST(Unroll, CopiesKeepTheirOrigin) {
    const Compiled c(loop(1, "4"), kUnrollParameters);
    std::vector<Pc> pcs;
    for (const Instruction& i : c.all())
        if (i.op == Op::Ffma)
            pcs.push_back(i.origins.front());
    ASSERT_EQ(pcs.size(), 4U);
    EXPECT_EQ(std::count(pcs.begin(), pcs.end(), pcs[0]), 4);
}

} // namespace
} // namespace heddle::native::test
