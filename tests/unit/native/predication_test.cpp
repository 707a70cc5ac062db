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

TEST(NativePredication, SevenOperationsAreGuardedAndEightAreNot) {
    std::string seven = kPredicationBegin + "mov.u32 %r2, 1; @%p1 bra L;\n";
    for (int i = 0; i < 7; ++i)
        seven += "xor.b32 %r2, %r2, %r1;\n";
    EXPECT_EQ(Predicated(seven + kPredicationEnd).branches(), 0U);
    EXPECT_EQ(Predicated(seven + "xor.b32 %r2, %r2, %r1;\n" + kPredicationEnd).branches(), 1U);
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
