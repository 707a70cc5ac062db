// Allocation and spills.
#include <set>

#include <gtest/gtest.h>

#include "compiled.h"
#include "native/registers/allocate.h"

namespace heddle::native::test {
namespace {

// `n` loads, then `n` stores of their values: all are alive at once.
Compiled copy_of(unsigned n, unsigned registers) {
    std::string body = "ld.param.u64 %d1, [out];\n";
    for (unsigned i = 0; i < n; ++i)
        body += fmt::format("ld.volatile.global.u32 %r{}, [%d1+{}];\n", i, 4 * i);
    for (unsigned i = 0; i < n; ++i)
        body += fmt::format("st.volatile.global.u32 [%d1+{}], %r{};\n", 4 * i, i);
    return Compiled(body + "ret;", ".param .u64 out", "sm_80", {registers});
}

TEST(NativeRegisters, ValuesThatLiveTogetherHaveRegistersOfTheirOwn) {
    const Compiled c = copy_of(12, 0);
    std::set<std::uint32_t> loaded;
    for (const Instruction& i : c.all())
        if (i.op == Op::Ldg)
            loaded.insert(i.dst[0].number);
    EXPECT_EQ(loaded.size(), 12U);
    EXPECT_GE(c.function.registers, 14U);
    EXPECT_EQ(c.function.spilled, 0U);
}

TEST(NativeRegisters, ALimitIsKeptBySpilling) {
    const Compiled c = copy_of(18, 16);
    EXPECT_LE(c.function.registers, 16U);
    EXPECT_GT(c.function.spilled, 0U);
    EXPECT_EQ(c.function.local_bytes % 4, 0U);
    EXPECT_GE(c.count(Op::Stl), c.function.spilled);
    EXPECT_GE(c.count(Op::Ldl), c.function.spilled);
}

TEST(NativeRegisters, PairsBeginAtEvenNumbers) {
    const Compiled c("ld.param.u64 %d1, [out]; mov.u32 %r1, %tid.x; ld.global.u64 %d2, [%d1]; add.u64 %d3, %d2, 5;\n"
                     "st.global.u64 [%d1+8], %d3; st.global.u32 [%d1+16], %r1; ret;",
                     ".param .u64 out");
    for (const Instruction& i : c.all())
        for (const Operand& o : i.src)
            if (o.is_register(File::Vector) && o.count == 2) {
                EXPECT_EQ(o.number % 2, 0U) << to_string(i);
            }
}

// A comparison under a guard writes two predicates and keeps the old values; one of them is spilled. Its new register
// needs the old value: without one it would live from the begin of the kernel, and be spilled again for ever.
TEST(NativeRegisters, ASpilledPredicateOfAGuardedPairIsLoadedFirst) {
    Function f;
    const Operand p = f.fresh(File::Predicate);
    const Operand q = f.fresh(File::Predicate);
    const Operand guard = f.fresh(File::Predicate);
    Instruction i = make(Op::Isetp, {p, q}, {rz(), imm(1), pt()});
    i.guard = guard;
    i.keeps = true;
    f.blocks.push_back({{i}, Instruction::kNoBlock});
    f.order = {0};
    spill(f, p.number);
    const auto& code = f.blocks[0].code;
    ASSERT_EQ(code.size(), 3U);
    EXPECT_EQ(code[0].op, Op::R2p);
    EXPECT_EQ(code[0].dst[0].number, code[1].dst[0].number);
    EXPECT_TRUE(code[1].keeps);
    EXPECT_EQ(code[2].op, Op::P2r);
}

TEST(NativeRegisters, TooFewRegistersAreAnError) {
    EXPECT_THROW(copy_of(12, 2), UserError);
}

} // namespace
} // namespace heddle::native::test
