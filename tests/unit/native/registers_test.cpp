// Allocation and spills.
#include <array>
#include <set>

#include <gtest/gtest.h>

#include "compiled.h"
#include "native/registers/allocate.h"
#include "native/registers/more_warps.h"

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

// A sub-core has 512 registers for each lane: three warps of 136 or 152, four of 128, ten of 48, twelve of 40.
TEST(NativeRegisters, MoreWarpsAreWorthSomeRegisters) {
    const auto more = [](unsigned registers, std::uint32_t threads) {
        ir::Kernel kernel;
        kernel.max_threads = threads;
        return more_warps(registers, kernel, *find_target("sm_80"));
    };
    EXPECT_EQ(more(146, 256).registers, 128U); // a second block of eight warps
    EXPECT_EQ(more(146, 256).gain, 1.0);
    EXPECT_EQ(more(146, 320).registers, 0U); // of ten: there are sixteen
    EXPECT_EQ(more(146, 0).registers, 128U);
    EXPECT_NEAR(more(146, 0).gain, 1.0 / 3, 1e-9);
    EXPECT_EQ(more(128, 256).registers, 0U); // a third block has room for 80: out of reach
    EXPECT_EQ(more(47, 0).registers, 0U);    // 40 of them for a fifth more warps
    EXPECT_EQ(more(32, 0).registers, 0U);    // an SM has no more than 64
    EXPECT_EQ(more(255, 1024).registers, 0U);
}

TEST(NativeRegisters, ALimitIsKeptBySpilling) {
    const Compiled c = copy_of(18, 16);
    EXPECT_LE(c.function.registers, 16U);
    EXPECT_GT(c.function.spilled, 0U);
    EXPECT_EQ(c.function.local_bytes % 4, 0U);
    EXPECT_GE(c.count(Op::Stl), c.function.spilled);
    EXPECT_GE(c.count(Op::Ldl), c.function.spilled);
}

// Fifteen values, each of one other and a constant, are read twice: they are computed again, and none goes to local
// memory.
TEST(NativeRegisters, ValuesAreComputedAgain) {
    std::string body = "ld.param.u64 %d1, [out]; ld.volatile.global.u32 %r1, [%d1];\n";
    const auto store_all = [&](unsigned from) {
        for (unsigned i = 0; i < 15; ++i)
            body += fmt::format("st.volatile.global.u32 [%d1+{}], %r{};\n", 4 * (from + i), 4 + i);
    };
    for (unsigned i = 0; i < 15; ++i)
        body += fmt::format("xor.b32 %r{}, %r1, {};\n", 4 + i, 1000 + i);
    store_all(0);
    body +=
        "ld.volatile.global.u32 %r2, [%d1]; ld.volatile.global.u32 %r3, [%d1];\n"
        "st.volatile.global.u32 [%d1], %r2; st.volatile.global.u32 [%d1], %r3; st.volatile.global.u32 [%d1], %r1;\n";
    store_all(20);
    const Compiled c(body + "ret;", ".param .u64 out", "sm_80", {16});
    EXPECT_EQ(c.function.spilled, 0U);
    EXPECT_LE(c.function.registers, 16U);
    EXPECT_GT(c.count(Op::Lop3), 15U);
    EXPECT_LE(c.count(Op::Lop3), 30U);
}

// Five accesses by 64-bit addresses on each side of eight values that are alive at once: the indices are kept
// meanwhile, not the addresses, which take two registers each. An index is the sum of a vector register and a uniform
// one.
TEST(NativeRegisters, AddressesAreComputedAgainFromTheirIndices) {
    std::string body = "ld.param.u64 %d1, [out]; ld.param.u32 %r0, [step]; mov.u32 %r1, %tid.x; shl.b32 %r0, %r0, 3;\n";
    for (unsigned i = 0; i < 5; ++i)
        body += fmt::format("add.s32 %r{0}, %r{1}, %r0; mul.wide.s32 %d2, %r{0}, 4; add.s64 %d{2}, %d1, %d2;\n"
                            "st.volatile.global.u32 [%d{2}], {2};\n",
                            i + 2, i + 1, i + 4);
    for (unsigned i = 0; i < 8; ++i)
        body += fmt::format("ld.volatile.global.u32 %r{}, [%d1+{}];\n", 10 + i, 4 * i);
    for (unsigned i = 0; i < 8; ++i)
        body += fmt::format("st.volatile.global.u32 [%d1+{}], %r{};\n", 4 * i, 17 - i);
    for (unsigned i = 0; i < 5; ++i)
        body += fmt::format("st.volatile.global.u32 [%d{}+64], {};\n", 4 + i, i);
    const Compiled c(body + "ret;", ".param .u64 out, .param .u32 step", "sm_80", {19});
    EXPECT_EQ(c.function.spilled, 0U);
    EXPECT_GT(c.count(Op::ImadWide), 5U);
}

// Eighteen values that are alive at once, of which the launch leaves room for fewer (16 registers).
std::string eighteen_values() {
    std::string body;
    for (unsigned i = 0; i < 18; ++i)
        body += fmt::format("ld.volatile.global.u32 %r{}, [%d1+{}];\n", i, 4 * i);
    for (unsigned i = 0; i < 18; ++i)
        body += fmt::format("st.volatile.global.u32 [%d1+{}], %r{};\n", 4 * i, i);
    return body;
}

Compiled with_granted(const std::string& before) {
    return Compiled("ld.param.u64 %d1, [out];\n" + before + eighteen_values() + "ret;", ".param .u64 out", "sm_90",
                    {16});
}

TEST(NativeRegisters, WarpsUseTheRegistersThatTheyAreGiven) {
    const Compiled c = with_granted("setmaxnreg.inc.sync.aligned.u32 32;\n");
    EXPECT_EQ(c.function.spilled, 0U);
    EXPECT_GE(c.function.registers, 20U);
    EXPECT_LE(c.function.registers, 32U);
    EXPECT_EQ(c.first(Op::SetRegisters).src[0].value, 32U);
}

TEST(NativeRegisters, RegistersAreNotUsedOnAPathThatIsNotGivenThem) {
    const Compiled c = with_granted("ld.volatile.global.u32 %r1, [%d1];\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 bra past;\n"
                                    "setmaxnreg.inc.sync.aligned.u32 32;\nld.volatile.global.u32 %r2, [%d1];\npast:\n");
    EXPECT_GT(c.function.spilled, 0U);
    EXPECT_LE(c.function.registers, 16U);
}

// A decrease leaves the registers of the launch: the code of both paths shares the limit of the other.
TEST(NativeRegisters, OnePathIsGivenMoreThanTheOther) {
    const Compiled c =
        with_granted("ld.volatile.global.u32 %r1, [%d1];\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 bra few;\n"
                     "setmaxnreg.inc.sync.aligned.u32 32;\nbra many;\n"
                     "few:\nsetmaxnreg.dec.sync.aligned.u32 24;\nst.volatile.global.u32 [%d1], %r1;\nret;\nmany:\n");
    EXPECT_EQ(c.function.spilled, 0U);
    EXPECT_GE(c.function.registers, 20U);
}

// What is alive on both sides of a setmaxnreg keeps to the registers at launch (16, of which two have no name).
TEST(NativeRegisters, ValuesFromBeforeKeepToTheRegistersAtLaunch) {
    std::string before;
    for (unsigned i = 0; i < 8; ++i)
        before += fmt::format("ld.volatile.global.f32 %f{}, [%d1+{}];\n", i, 4 * i);
    std::string behind = eighteen_values();
    for (unsigned i = 0; i < 8; ++i)
        behind += fmt::format("st.volatile.global.f32 [%d1+{}], %f{};\n", 4 * i, i);
    const Compiled c("ld.param.u64 %d1, [out];\n" + before + "setmaxnreg.inc.sync.aligned.u32 40;\n" + behind + "ret;",
                     ".param .u64 out", "sm_90", {16});
    EXPECT_EQ(c.function.spilled, 0U);
    EXPECT_GE(c.function.registers, 28U);
    for (const Instruction& i : c.all()) {
        if (i.op == Op::SetRegisters)
            break;
        for (const Operand& o : i.dst)
            EXPECT_TRUE(!o.is_register(File::Vector) || o.number + o.count <= 14);
    }
}

// The first product of a warpgroup does not read the sums, of which the others have four each.
TEST(NativeRegisters, AProductToWhichNothingIsAddedReadsNoSums) {
    const Compiled c("mov.u64 %d1, 0;\nmov.u32 %r3, 0;\nsetp.ne.b32 %p1, 0, 0;\n"
                     "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, {%r3, %r3, %r3, %r3}, "
                     "%d1, %p1, 1, 1, 0;\n"
                     "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, {%r3, %r3, %r3, %r3}, "
                     "%d1, 1, 1, 1, 0;\nret;",
                     "", "sm_90");
    std::vector<unsigned> quads;
    for (const Instruction& i : c.all())
        if (i.op == Op::Gmma)
            quads.push_back(static_cast<unsigned>(std::count_if(i.src.begin(), i.src.end(), [](const Operand& o) {
                return o.is_register(File::Vector) && o.count == 4;
            })));
    EXPECT_EQ(quads, (std::vector<unsigned>{1, 2})); // the factor, and the sums
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

// The code of a comparison under a guard that writes p and q and keeps the old values, when p is spilled.
std::vector<Instruction> comparison_with_spilled_result(Function& f, const Operand& p, const Operand& q,
                                                        const Operand& guard) {
    Instruction i = make(Op::Isetp, {p, q}, {rz(), imm(1), pt()});
    i.guard = guard;
    i.keeps = true;
    f.blocks.push_back({{i}, Instruction::kNoBlock});
    f.order = {0};
    spill(f, std::array{std::uint32_t{p.number}});
    return f.blocks[0].code;
}

// A comparison under a guard writes two predicates and keeps the old values; one of them is spilled. Its new register
// needs the old value: without one it would live from the begin of the kernel, and be spilled again for ever.
TEST(NativeRegisters, ASpilledPredicateOfAGuardedPairIsLoadedFirst) {
    Function f;
    const Operand p = f.fresh(File::Predicate);
    const Operand q = f.fresh(File::Predicate);
    const Operand guard = f.fresh(File::Predicate);
    const auto code = comparison_with_spilled_result(f, p, q, guard);
    ASSERT_EQ(code.size(), 3U);
    EXPECT_EQ(code[0].op, Op::R2p);
    EXPECT_EQ(code[0].dst[0].number, code[1].dst[0].number);
    EXPECT_TRUE(code[1].keeps);
    EXPECT_EQ(code[2].op, Op::P2r);
}

// The other result of the comparison is its guard: behind it the guard has another value.
TEST(NativeRegisters, ASpilledPredicateBesideTheGuardIsStoredForAllThreads) {
    Function f;
    const Operand p = f.fresh(File::Predicate);
    const Operand guard = f.fresh(File::Predicate);
    const auto code = comparison_with_spilled_result(f, p, guard, guard);
    ASSERT_EQ(code.size(), 3U);
    EXPECT_EQ(code[0].op, Op::R2p); // the old value, for threads without the guard
    EXPECT_EQ(code[0].dst[0].number, code[1].dst[0].number);
    EXPECT_EQ(code[2].op, Op::P2r);
    EXPECT_FALSE(code[2].is_guarded());
}

// A factor of a product of matrices has eight registers, an access to local memory four.
TEST(NativeRegisters, ASpilledGroupOfEightIsMovedInTwoAccesses) {
    Function f;
    const Operand group = f.fresh(File::Vector, 8);
    const Operand sums = f.fresh(File::Vector, 4);
    f.blocks.push_back({{make(Op::Ldg, {part_of(group, 4, 4)}, {rz()}), make(Op::Mma, {sums}, {group, sums, sums})},
                        Instruction::kNoBlock});
    f.order = {0};
    spill(f, std::array{std::uint32_t{group.number}});
    const auto& code = f.blocks[0].code;
    ASSERT_EQ(code.size(), 5U);
    EXPECT_EQ(code[1].op, Op::Stl);
    EXPECT_EQ(code[1].mods.vector, 4);
    EXPECT_EQ(code[2].op, Op::Ldl);
    EXPECT_EQ(code[3].op, Op::Ldl);
    EXPECT_EQ(code[2].mods.vector, 4);
    EXPECT_EQ(code[3].mods.vector, 4);
    EXPECT_EQ(code[1].mods.imm, code[3].mods.imm); // the upper half
    EXPECT_EQ(code[3].mods.imm - code[2].mods.imm, 16);
    EXPECT_EQ(code[3].dst[0].number, code[4].src[0].number);
    EXPECT_EQ(code[3].dst[0].part, 4);
    EXPECT_EQ(code[3].dst[0].count, 4);
}

// A load, a sum beside it, and a sum that awaits the load: the numbers of the address, the first and the second sum.
std::array<std::uint32_t, 3> load_and_sums(unsigned spare) {
    Function f;
    const Operand address = f.fresh(File::Vector, 2);
    const Operand z = f.fresh(File::Vector);
    const Operand loaded = f.fresh(File::Vector);
    const Operand beside = f.fresh(File::Vector);
    const Operand awaiting = f.fresh(File::Vector);
    f.blocks.push_back({{make(Op::Mov, {part_of(address, 0)}, {imm(1)}), make(Op::Mov, {part_of(address, 1)}, {imm(1)}),
                         make(Op::Mov, {z}, {imm(1)}), make(Op::Ldg, {loaded}, {address}),
                         make(Op::Iadd3, {beside}, {z, z, rz()}), make(Op::Iadd3, {awaiting}, {loaded, beside, rz()}),
                         make(Op::Stg, {}, {rz(), awaiting}), make(Op::Exit, {}, {})},
                        Instruction::kNoBlock});
    f.order = {0};
    allocate(f, {40, 7, 63, spare});
    const auto& code = f.blocks[0].code;
    return {code[3].src[0].number, code[4].dst[0].number, code[5].dst[0].number};
}

TEST(NativeRegisters, AnAddressIsLeftAloneUntilItIsRead) {
    const auto [address, beside, awaiting] = load_and_sums(30);
    EXPECT_TRUE(beside < address || beside > address + 1) << "the load may not have read it";
    EXPECT_LE(awaiting, address + 4) << "registers are not wasted";
    const auto [dense_address, dense_beside, dense_awaiting] = load_and_sums(0);
    EXPECT_TRUE(dense_beside >= dense_address && dense_beside <= dense_address + 1) << "no register is to spare";
}

TEST(NativeRegisters, TooFewRegistersAreAnError) {
    EXPECT_THROW(copy_of(12, 2), UserError);
}

} // namespace
} // namespace heddle::native::test
