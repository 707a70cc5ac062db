// Atomic operations of a warp on one word. The sequences are those of ptxas 13.0.
#include <gtest/gtest.h>

#include "compiled.h"

namespace heddle::native::test {
namespace {

// %r2 = tid, and the operation on the first word of a parameter.
Compiled atomic(const std::string& operation, std::string_view machine, const Settings& settings = {}) {
    return Compiled("ld.param.u64 %d1, [out]; ld.param.u32 %r1, [n]; mov.u32 %r2, %tid.x;\n" + operation + " ret;",
                    ".param .u64 out, .param .u32 n", machine, settings);
}
const std::string kAtomicStore = "mul.wide.u32 %d2, %r2, 4; add.u64 %d3, %d1, %d2; st.global.u32 [%d3+8], %r9;";

TEST(NativeAtomics, AnAdditionOfOneValueIsItsProductWithTheNumberOfThreads) {
    const Compiled c = atomic("red.global.add.u32 [%d1], 1;", "sm_80");
    EXPECT_EQ(c.count(Op::Voteu), 1U);
    EXPECT_EQ(c.count(Op::Uflo), 1U);
    EXPECT_EQ(c.count(Op::Popc) + c.count(Op::Upopc), 1U);
    EXPECT_EQ(c.count(Op::Red), 1U);
    EXPECT_TRUE(c.first(Op::Red).is_guarded());
    EXPECT_EQ(c.count(Op::Redux) + c.count(Op::Imad) + c.count(Op::Shfl), 0U);
    const Compiled of_parameter = atomic("red.global.add.u32 [%d1], %r1;", "sm_80");
    EXPECT_EQ(of_parameter.count(Op::Redux), 0U);
    EXPECT_EQ(of_parameter.count(Op::Red), 1U);
}

TEST(NativeAtomics, FromAmpereOnOtherValuesAreReducedByOneInstruction) {
    for (const char* operation : {"add.u32", "min.s32", "max.u32", "and.b32", "or.b32", "xor.b32"}) {
        const Compiled c = atomic("red.global." + std::string(operation) + " [%d1], %r2;", "sm_80");
        EXPECT_EQ(c.count(Op::Redux), 1U) << operation;
        EXPECT_EQ(c.count(Op::Red), 1U) << operation;
        EXPECT_EQ(c.count(Op::Shfl), 0U) << operation;
    }
}

TEST(NativeAtomics, BeforeAmpereByFiveExchangesInFullWarps) {
    const Compiled c = atomic("red.global.max.s32 [%d1], %r2;", "sm_75");
    EXPECT_EQ(c.count(Op::Redux), 0U);
    EXPECT_EQ(c.count(Op::Shfl), 5U);
    EXPECT_EQ(c.count(Op::Imnmx), 5U);
    EXPECT_EQ(c.count(Op::Red), 2U) << "one for full warps, one for others";
}

TEST(NativeAtomics, ResultsAreThoseBeforeEachThreadInTheOrderOfLanes) {
    const Compiled one = atomic("atom.global.add.u32 %r9, [%d1], 1;" + kAtomicStore, "sm_80");
    EXPECT_EQ(one.count(Op::Atom), 1U);
    EXPECT_EQ(one.count(Op::Shfl), 1U);
    const Compiled several = atomic("atom.global.add.u32 %r9, [%d1], %r2;" + kAtomicStore, "sm_80");
    EXPECT_EQ(several.count(Op::Shfl), 6U) << "five of the sum, one of the old value";
    EXPECT_EQ(several.count(Op::Atom), 2U);
    EXPECT_EQ(several.count(Op::Bra), 1U) << "threads of a part of a warp go past the exchanges";
    EXPECT_EQ(several.count(Op::Bssy), 0U);
}

TEST(NativeAtomics, AResultThatNothingReadsIsNone) {
    const Compiled c = atomic("atom.global.or.b32 %r9, [%d1], %r2;", "sm_80");
    EXPECT_EQ(c.count(Op::Redux), 1U);
}

TEST(NativeAtomics, OthersStay) {
    for (const char* operation :
         {"red.global.add.f32 [%d1], 0f3F800000;", "red.global.add.f64 [%d1], 0d3FF0000000000000;",
          "red.global.inc.u32 [%d1], 7;", "red.global.add.u64 [%d1], 1;",
          "mad.wide.u32 %d1, %r2, 4, %d1; red.global.add.u32 [%d1], 1;"}) {
        const Compiled c = atomic(operation, "sm_80");
        EXPECT_EQ(c.count(Op::Red), 1U) << operation;
        EXPECT_FALSE(c.first(Op::Red).is_guarded()) << operation;
        EXPECT_EQ(c.count(Op::Voteu) + c.count(Op::Vote) + c.count(Op::Redux), 0U) << operation;
    }
    const Compiled exchange = atomic("atom.global.or.b32 %r9, [%d1], %r2;" + kAtomicStore, "sm_80");
    EXPECT_EQ(exchange.count(Op::Redux), 0U) << "the result of each thread is its own";
}

TEST(NativeAtomics, NotWhereTheThreadsOfAnInstructionMayPart) {
    const Compiled c = atomic("red.global.add.u32 [%d1], 1;", "sm_80", {.rows_stay_whole = false});
    EXPECT_FALSE(c.first(Op::Red).is_guarded());
}

} // namespace
} // namespace heddle::native::test
