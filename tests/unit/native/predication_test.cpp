// Short branches as guards.
#include <gtest/gtest.h>

#include "compiled.h"

namespace heddle::native::test {
namespace {

struct Predicated {
    ir::test::Lowered lowered;
    ir::Draft draft;
    std::vector<bool> forgets;

    explicit Predicated(std::string_view body) : lowered(ir::test::lower_body(body, ".param .u64 out")) {
        draft = recover(lowered.program, lowered.kernel()).draft;
        forgets = predicate_branches(draft);
    }
    [[nodiscard]] std::size_t branches() const {
        return static_cast<std::size_t>(std::count_if(
            draft.ops.begin(), draft.ops.end(), [](const ir::MicroOp& op) { return op.kind == ir::Kind::Branch; }));
    }
    [[nodiscard]] const ir::MicroOp& op(ir::Opcode opcode) const {
        return *std::find_if(draft.ops.begin(), draft.ops.end(),
                             [&](const ir::MicroOp& o) { return o.opcode == opcode; });
    }
};

const std::string kPredicationBegin = "ld.param.u64 %d1, [out]; ld.global.u32 %r1, [%d1]; setp.eq.u32 %p1, %r1, 3;\n";
const std::string kPredicationEnd = "L: st.global.u32 [%d1+4], %r2; ret;\n";

TEST(NativePredication, AShortSideIsGuarded) {
    const Predicated code(kPredicationBegin + "mov.u32 %r2, 1; @%p1 bra L; xor.b32 %r2, %r1, 5;\n" + kPredicationEnd);
    EXPECT_EQ(code.branches(), 0U);
    EXPECT_NE(code.op(ir::Opcode::Xor).guard, ir::kNowhere);
    EXPECT_TRUE(code.op(ir::Opcode::Xor).guard_negated) << "the body executes where the branch is not taken";
}

// `n` operations of a chain.
std::string chain(unsigned n, std::string_view operation = "xor.b32 %r2, %r2, %r1;\n") {
    std::string out;
    for (unsigned i = 0; i < n; ++i)
        out += operation;
    return out;
}

// The limits are those of ptxas 13.0 (docs/native-code.md), found with code of these shapes.
TEST(NativePredication, EightOperationsAreGuardedAndNineAreNot) {
    const std::string begin = kPredicationBegin + "mov.u32 %r2, 1; @%p1 bra L;\n";
    EXPECT_EQ(Predicated(begin + chain(8) + kPredicationEnd).branches(), 0U);
    EXPECT_EQ(Predicated(begin + chain(9) + kPredicationEnd).branches(), 1U);
}

// Its jump over the other one is an operation of the first side.
TEST(NativePredication, TheFirstOfTwoSidesHasSevenOperations) {
    const auto sides = [](unsigned first, unsigned second) {
        return Predicated(kPredicationBegin + "mov.u32 %r2, 1; @%p1 bra E;\n" + chain(first) + "bra L; E:\n" +
                          chain(second, "or.b32 %r2, %r2, %r1;\n") + kPredicationEnd)
            .branches();
    };
    EXPECT_EQ(sides(7, 8), 0U);
    EXPECT_EQ(sides(8, 1), 2U);
    EXPECT_EQ(sides(1, 9), 2U);
}

// A load in front whose value is read behind the branch, and enough behind it.
const std::string kOverlapBegin = "ld.param.u64 %d1, [out]; ld.global.u32 %r1, [%d1]; ld.global.u32 %r3, [%d1+8];\n"
                                  "setp.eq.u32 %p1, %r1, 3; mov.u32 %r2, 1; @%p1 bra L;\n";
std::string join(unsigned operations) {
    return "L: xor.b32 %r2, %r2, %r3;\n" + chain(operations - 3, "or.b32 %r2, %r2, %r3;\n") +
           "st.global.u32 [%d1+4], %r2; ret;";
}

TEST(NativePredication, TwentyOperationsAreGuardedWhereALoadIsOnItsWay) {
    EXPECT_EQ(Predicated(kOverlapBegin + chain(20) + join(7)).branches(), 0U);
    EXPECT_EQ(Predicated(kOverlapBegin + chain(21) + join(7)).branches(), 1U);
    EXPECT_EQ(Predicated(kOverlapBegin + chain(9) + join(6)).branches(), 1U) << "too little behind the branch";
}

TEST(NativePredication, TwentyOperationsAreGuardedBetweenLoads) {
    const std::string load = "L: ld.global.u32 %r4, [%d1+12]; xor.b32 %r2, %r2, %r4; st.global.u32 [%d1+4], %r2; ret;";
    const std::string begin = kPredicationBegin + "mov.u32 %r2, 1; @%p1 bra L;\n";
    EXPECT_EQ(Predicated(begin + chain(20) + load).branches(), 0U);
    EXPECT_EQ(Predicated(begin + chain(21) + load).branches(), 1U);
}

TEST(NativePredication, ASideWithALoadIsGuardedInStraightCode) {
    const std::string begin = kPredicationBegin + "mov.u32 %r2, 1; @%p1 bra L; ld.global.u32 %r2, [%d1+8];\n";
    EXPECT_EQ(Predicated(begin + chain(19) + kPredicationEnd).branches(), 0U);
    EXPECT_EQ(Predicated(begin + chain(20) + kPredicationEnd).branches(), 1U);
}

// The branch back is left in all of them.
TEST(NativePredication, AtTheEndOfARoundOnlyBesideOtherLoads) {
    const auto loop = [](std::string_view latch) {
        return Predicated(
                   "ld.param.u64 %d1, [out]; mov.u32 %r2, 1; mov.u32 %r5, 0;\n"
                   "B: ld.global.u32 %r1, [%d1]; setp.eq.u32 %p1, %r1, %r5; @%p1 bra L;\n"
                   "ld.global.u32 %r3, [%d1+8]; xor.b32 %r2, %r2, %r3;\n"
                   "L: " +
                   std::string(latch) +
                   "add.u32 %r5, %r5, 1; setp.lt.u32 %p2, %r5, %r2; @%p2 bra B; st.global.u32 [%d1+4], %r2; ret;")
            .branches();
    };
    EXPECT_EQ(loop(""), 2U);
    EXPECT_EQ(loop("ld.global.u32 %r4, [%d1+12]; xor.b32 %r2, %r2, %r4;"), 1U);
    // The round goes on behind another branch, which stays.
    EXPECT_EQ(loop("setp.eq.u32 %p3, %r2, 9; @%p3 bra C; red.global.add.u32 [%d1+16], 1; C:"), 2U);
}

// ptxas has @P EXIT there, and no guards of the other side however short it is.
TEST(NativePredication, ABranchToTheEndIsAGuardedExit) {
    const Predicated to("ld.param.u64 %d1, [out]; ld.global.u32 %r1, [%d1]; setp.eq.u32 %p1, %r1, 3; @%p1 bra L;\n"
                        "st.global.u32 [%d1+4], %r1; L: ret;");
    EXPECT_EQ(to.branches(), 0U);
    EXPECT_EQ(to.op(ir::Opcode::St).guard, ir::kNowhere);
    const ir::MicroOp& exit = *std::find_if(to.draft.ops.begin(), to.draft.ops.end(), [](const ir::MicroOp& op) {
        return op.kind == ir::Kind::Return || op.kind == ir::Kind::Exit;
    });
    EXPECT_NE(exit.guard, ir::kNowhere);
    EXPECT_FALSE(exit.guard_negated);
    const Predicated over("ld.param.u64 %d1, [out]; ld.global.u32 %r1, [%d1]; setp.eq.u32 %p1, %r1, 3; @%p1 bra L;\n"
                          "exit; L: st.global.u32 [%d1+4], %r1; ret;");
    EXPECT_EQ(over.branches(), 0U);
    EXPECT_NE(over.op(ir::Opcode::Exit).guard, ir::kNowhere);
    EXPECT_TRUE(over.op(ir::Opcode::Exit).guard_negated);
}

TEST(NativePredication, BothSidesAreGuarded) {
    const Predicated code(kPredicationBegin + "@%p1 bra E; xor.b32 %r2, %r1, 5; bra L; E: or.b32 %r2, %r1, 9;\n" +
                          kPredicationEnd);
    EXPECT_EQ(code.branches(), 0U);
    EXPECT_TRUE(code.op(ir::Opcode::Xor).guard_negated || code.op(ir::Opcode::Xor).guard == ir::kNowhere);
    EXPECT_NE(code.op(ir::Opcode::Or).guard, ir::kNowhere);
    EXPECT_FALSE(code.op(ir::Opcode::Or).guard_negated);
}

TEST(NativePredication, ABodyThatWritesItsGuardIsLeft) {
    EXPECT_EQ(Predicated(kPredicationBegin +
                         "mov.u32 %r2, 1; @%p1 bra L; setp.lt.u32 %p1, %r1, 9; selp.u32 %r2, 1, 2, %p1;\n" +
                         kPredicationEnd)
                  .branches(),
              1U);
}

TEST(NativePredication, ADivisionIsWorthABranch) {
    EXPECT_EQ(Predicated(kPredicationBegin + "mov.u32 %r2, 1; @%p1 bra L; div.u32 %r2, %r1, 7;\n" + kPredicationEnd)
                  .branches(),
              1U);
}

TEST(NativePredication, BarriersAndAtomicsStayInBranches) {
    EXPECT_EQ(Predicated(kPredicationBegin + "mov.u32 %r2, 1; @%p1 bra L; bar.sync 0;\n" + kPredicationEnd).branches(),
              1U);
    EXPECT_EQ(
        Predicated(kPredicationBegin + "mov.u32 %r2, 1; @%p1 bra L; red.global.add.u32 [%d1], 1;\n" + kPredicationEnd)
            .branches(),
        1U);
}

} // namespace
} // namespace heddle::native::test
