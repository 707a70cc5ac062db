// Selection: which instructions stand for which operations.
#include <utility>

#include <gtest/gtest.h>

#include "compiled.h"

namespace heddle::native::test {
namespace {

const std::string kSelectionOut = ".param .u64 out, .param .u32 n";
const std::string kSelectionBegin =
    "ld.param.u64 %d1, [out]; ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%d1]; ld.global.v2.u64 {%d2, %d3}, [%d1+16];\n";

Compiled word(const std::string& body) {
    return Compiled(kSelectionBegin + body + "st.global.u32 [%d1+64], %r9; ret;", kSelectionOut);
}
Compiled pair(const std::string& body) {
    return Compiled(kSelectionBegin + body + "st.global.u64 [%d1+64], %d9; ret;", kSelectionOut);
}

// cp.async: the load and the store that its lowering makes are one instruction, with a displacement on both sides.
Compiled copies(const Settings& settings = {}) {
    return Compiled("ld.param.u64 %d1, [out]; mov.u32 %r1, %tid.x; shl.b32 %r1, %r1, 4;\n"
                    "cp.async.cg.shared.global [%r1+32], [%d1+64], 16; cp.async.ca.shared.global [%r1+16], [%d1], 4;\n"
                    "cp.async.commit_group; cp.async.wait_group 1; cp.async.wait_all; ret;",
                    kSelectionOut, "sm_80", settings);
}

TEST(NativeSelection, AnAsynchronousCopyIsOneInstruction) {
    const Compiled c = copies();
    EXPECT_EQ(c.count(Op::Ldgsts), 2U);
    EXPECT_EQ(c.count(Op::Ldg) + c.count(Op::Sts), 0U);
    const Instruction first = c.first(Op::Ldgsts);
    EXPECT_EQ(first.mods.imm, 64);
    EXPECT_EQ(first.src[2].value, 32U);
    EXPECT_EQ(first.mods.vector, 4);
    EXPECT_NE(first.mods.flags & ir::kUncached, 0U);
    EXPECT_EQ(c.count(Op::Ldgdepbar), 1U);
    EXPECT_EQ(c.count(Op::Depbar), 2U);
    EXPECT_EQ(c.first(Op::Depbar).src[0].value, 1U);
    EXPECT_LT(c.place(Op::Ldgsts), c.place(Op::Ldgdepbar));
    EXPECT_LT(c.place(Op::Ldgdepbar), c.place(Op::Depbar));
}

TEST(NativeSelection, GroupsOfBulkStoresAreInstructions) {
    const Compiled c("cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 1; cp.async.bulk.wait_group 0; ret;",
                     "", "sm_90");
    EXPECT_EQ(c.count(Op::Utmacmdflush), 1U);
    EXPECT_EQ(c.count(Op::DepbarBulk), 2U);
    EXPECT_EQ(c.first(Op::DepbarBulk).src[0].value, 1U);
    EXPECT_LT(c.place(Op::Utmacmdflush), c.place(Op::DepbarBulk));
}

TEST(NativeSelection, WithoutAsynchronousCopiesItIsALoadAndAStore) {
    const Compiled c = copies({.rows_stay_whole = false});
    EXPECT_EQ(c.count(Op::Ldgsts) + c.count(Op::Ldgdepbar) + c.count(Op::Depbar), 0U);
    EXPECT_EQ(c.count(Op::Ldg), 2U);
    EXPECT_EQ(c.count(Op::Sts), 2U);
}

// mbarrier.test_wait and try_wait: the load, the shift or the exclusive or, and the comparison are one instruction.
TEST(NativeSelection, ATestOfAPhaseIsOneInstruction) {
    const Compiled c("ld.param.u64 %d1, [out]; ld.global.v2.u32 {%r1, %r2}, [%d1]; ld.global.u64 %d2, [%d1+8];\n"
                     "mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r1+8], %r2;\n"
                     "@%p1 mbarrier.test_wait.shared::cta.b64 %p2, [%r1+16], %d2;\n"
                     "selp.u32 %r9, 1, 2, %p2; st.global.u32 [%d1+64], %r9; ret;",
                     kSelectionOut, "sm_90");
    EXPECT_EQ(c.count(Op::Syncs), 2U);
    EXPECT_EQ(c.count(Op::Lds) + c.count(Op::Ld) + c.count(Op::Shf) + c.count(Op::ImadShl) + c.count(Op::Isetp), 0U);
    const Instruction first = c.first(Op::Syncs);
    EXPECT_EQ(first.mods.imm, 8);
    EXPECT_TRUE(first.dst[0].is_register(File::Predicate));
    EXPECT_EQ(first.src[1].count, 1); // the parity
    EXPECT_NE(first.mods.flags & ir::kSuspends, 0U);
}

// From Ampere on one instruction packs two numbers as halves. Turing has none.
TEST(NativeSelection, HalvesArePackedByOneInstruction) {
    const std::string body = "mov.b32 %f1, %r1; mov.b32 %f2, %r2; cvt.rn.f16x2.f32 %r9, %f1, %f2;\n";
    const Compiled ampere = word(body);
    EXPECT_EQ(ampere.count(Op::F2fp), 1U);
    EXPECT_EQ(ampere.count(Op::Routine), 0U);
    const Compiled turing(kSelectionBegin + body + "st.global.u32 [%d1+64], %r9; ret;", kSelectionOut, "sm_75");
    EXPECT_EQ(turing.count(Op::F2fp), 0U);
}

TEST(NativeSelection, AHalfBecomesSinglePrecisionInOneInstruction) {
    const Compiled c = word("cvt.u16.u32 %h1, %r1; cvt.f32.f16 %f1, %h1; mov.b32 %r9, %f1;\n");
    EXPECT_EQ(c.count(Op::Hadd2), 1U);
    EXPECT_EQ(c.count(Op::F2f), 0U);
}

// GA10x has a conversion on the integer pipe, for 32 bits and two roundings.
TEST(NativeSelection, IntegersBecomeSinglePrecisionOnTheIntegerPipe) {
    const std::string body = "cvt.rn.f32.s32 %f1, %r1; cvt.rp.f32.u32 %f2, %r2; cvt.u16.u32 %h1, %r3;\n"
                             "cvt.rn.f32.s16 %f3, %h1; add.f32 %f1, %f1, %f2; add.f32 %f1, %f1, %f3;\n"
                             "mov.b32 %r9, %f1; st.global.u32 [%d1+64], %r9; ret;";
    const Compiled hopper(kSelectionBegin + body, kSelectionOut, "sm_90");
    EXPECT_EQ(hopper.count(Op::I2fp), 1U);
    EXPECT_EQ(hopper.count(Op::I2f), 2U);
    const Compiled ampere(kSelectionBegin + body, kSelectionOut, "sm_80");
    EXPECT_EQ(ampere.count(Op::I2fp), 0U);
}

constexpr std::string_view kTable = ".const .align 16 .b32 table[64];\n";

TEST(NativeSelection, AConstantVariableAtAKnownPlaceIsAnOperand) {
    const Compiled c(kSelectionBegin +
                         "ld.const.u32 %r5, [table+12]; ld.const.v4.u32 {%r6, %r7, %r8, %r10}, [table+32];\n"
                         "add.u32 %r9, %r1, %r5; xor.b32 %r9, %r9, %r10; st.global.u32 [%d1+64], %r9; ret;",
                     kSelectionOut, "sm_80", {}, kTable);
    EXPECT_EQ(c.count(Op::Ldc), 0U);
    std::vector<std::uint64_t> places;
    for (const Instruction& i : c.all())
        for (const Operand& o : i.src)
            if (o.is(Operand::Kind::Constant) && o.bank == kVariableBank)
                places.push_back(o.value);
    const Address table = ir::test::kVariable + 0x100 * ('t' - 'a');
    EXPECT_EQ(places, (std::vector<std::uint64_t>{table + 12, table + 32 + 12}));
}

// Outside the variable it stays a load, which reports the address when it executes.
TEST(NativeSelection, AConstantBehindItsVariableIsLoaded) {
    const Compiled c(kSelectionBegin + "ld.const.u32 %r9, [table+256]; st.global.u32 [%d1+64], %r9; ret;",
                     kSelectionOut, "sm_80", {}, kTable);
    EXPECT_EQ(c.count(Op::Ldc), 1U);
}

TEST(NativeSelection, AConstantLoadHas64BitsAtMost) {
    const Compiled c(kSelectionBegin + "mov.u64 %d4, table; mul.wide.u32 %d5, %r1, 16; add.u64 %d4, %d4, %d5;\n"
                                       "ld.const.v4.u32 {%r6, %r7, %r8, %r10}, [%d4+32];\n"
                                       "st.global.v4.u32 [%d1+64], {%r6, %r7, %r8, %r10}; ret;",
                     kSelectionOut, "sm_80", {}, kTable);
    ASSERT_EQ(c.count(Op::Ldc), 2U);
    for (const Instruction& i : c.all())
        if (i.op == Op::Ldc)
            EXPECT_EQ(i.mods.vector, 2);
}

// ptxas's LOP3 writes a predicate, too: the test of some bits is one instruction.
TEST(NativeSelection, ATestOfBitsIsOneInstruction) {
    const Compiled c = word("and.b32 %r5, %r1, 16; setp.eq.s32 %p1, %r5, 0; selp.u32 %r9, %r2, %r3, %p1;\n");
    ASSERT_EQ(c.count(Op::Lop3P), 1U);
    EXPECT_EQ(c.count(Op::Isetp) + c.count(Op::Lop3), 0U);
    EXPECT_EQ(c.first(Op::Lop3P).mods.sub, ir::Sub::Eq);
    EXPECT_EQ(c.first(Op::Lop3P).mods.imm, 0xc0);
    // The word is read elsewhere, or compared with another number.
    EXPECT_EQ(word("and.b32 %r5, %r1, 16; setp.eq.s32 %p1, %r5, 0; selp.u32 %r9, %r5, %r3, %p1;\n").count(Op::Lop3P),
              0U);
    EXPECT_EQ(word("and.b32 %r5, %r1, 16; setp.eq.s32 %p1, %r5, 1; selp.u32 %r9, %r2, %r3, %p1;\n").count(Op::Lop3P),
              0U);
    EXPECT_EQ(word("and.b32 %r5, %r1, 16; setp.lt.s32 %p1, %r5, 0; selp.u32 %r9, %r2, %r3, %p1;\n").count(Op::Lop3P),
              0U);
}

// As ptxas does: MEMBAR in front of what releases to more than the block.
TEST(NativeSelection, AReleaseToTheGpuHasAFenceInFront) {
    const auto fences = [](const std::string& body) {
        return Compiled(kSelectionBegin + body + "ret;", kSelectionOut).count(Op::Membar);
    };
    EXPECT_EQ(fences("st.release.gpu.global.u32 [%d1], %r1;"), 1U);
    EXPECT_EQ(fences("red.release.gpu.global.add.u32 [%d1], %r1;"), 1U);
    EXPECT_EQ(fences("atom.acq_rel.sys.global.add.u32 %r9, [%d1], %r1;"), 1U);
    EXPECT_EQ(fences("st.release.cta.global.u32 [%d1], %r1;"), 0U);
    EXPECT_EQ(fences("st.relaxed.gpu.global.u32 [%d1], %r1;"), 0U);
    EXPECT_EQ(fences("red.global.add.u32 [%d1], %r1;"), 0U);
    EXPECT_EQ(fences("ld.acquire.gpu.global.u32 %r9, [%d1];"), 0U);
    const Compiled c(kSelectionBegin + "st.release.gpu.global.u32 [%d1], %r1; ret;", kSelectionOut);
    EXPECT_LT(c.place(Op::Membar), c.place(Op::Stg));
    EXPECT_TRUE((c.first(Op::Membar).mods.flags & ir::kReachesL2) != 0);
}

// As ptxas does: CCTL.IVALL at what acquires from more than the block.
TEST(NativeSelection, AnAcquireFromTheGpuDropsTheLinesOfTheL1) {
    const auto drops = [](const std::string& body, std::string_view machine = "sm_80") {
        return Compiled(kSelectionBegin + body + "ret;", kSelectionOut, machine).count(Op::Cctl);
    };
    EXPECT_EQ(drops("ld.acquire.gpu.global.u32 %r9, [%d1];"), 1U);
    EXPECT_EQ(drops("ld.acquire.sys.global.u64 %d9, [%d1];"), 1U);
    EXPECT_EQ(drops("atom.acquire.gpu.global.cas.b32 %r9, [%d1], %r1, %r2;"), 1U);
    EXPECT_EQ(drops("atom.acq_rel.gpu.global.add.u32 %r9, [%d1], %r1;"), 1U);
    EXPECT_EQ(drops("fence.acq_rel.gpu;"), 1U);
    EXPECT_EQ(drops("fence.sc.sys;"), 1U);
    EXPECT_EQ(drops("membar.gl;"), 1U);
    EXPECT_EQ(drops("barrier.cluster.arrive; barrier.cluster.wait;", "sm_90"), 1U);
    EXPECT_EQ(drops("ld.acquire.cta.global.u32 %r9, [%d1];"), 0U);
    EXPECT_EQ(drops("ld.relaxed.gpu.global.u32 %r9, [%d1];"), 0U);
    EXPECT_EQ(drops("st.release.gpu.global.u32 [%d1], %r1;"), 0U);
    EXPECT_EQ(drops("atom.global.add.u32 %r9, [%d1], %r1;"), 0U);
    EXPECT_EQ(drops("membar.cta;"), 0U);
    EXPECT_EQ(drops("fence.proxy.async;", "sm_90"), 0U);
    EXPECT_EQ(drops("mbarrier.arrive.shared::cta.b64 _, [%r1];", "sm_90"), 0U);
}

TEST(NativeSelection, AnAcquireWaitsForAllLoads) {
    const Compiled c("ld.param.u64 %d1, [out]; ld.global.u32 %r1, [%d1]; ld.global.u32 %r2, [%d1+4]; membar.gl;\n"
                     "ld.global.u32 %r3, [%d1]; add.u32 %r1, %r1, %r2; add.u32 %r1, %r1, %r3;\n"
                     "st.global.u32 [%d1+64], %r1; ret;",
                     kSelectionOut);
    unsigned loaded = 0; // counters of the loads so far
    for (const Instruction& i : c.all()) {
        if (i.op == Op::Ldg)
            loaded |= 1U << i.control.write;
        if (i.op == Op::Cctl)
            EXPECT_EQ(i.control.wait, std::exchange(loaded, 0));
    }
    EXPECT_NE(loaded, 0U) << "the third load comes behind";
    EXPECT_EQ(to_string(c.first(Op::Cctl)), "CCTL.IVALL");
}

// Windows begin at multiples of 2^32, so the lower word stays as it is.
TEST(NativeSelection, AWindowIsAddedToTheUpperWord) {
    const Compiled c = pair("cvta.shared.u64 %d9, %d2;\n");
    EXPECT_EQ(c.count(Op::Iadd3), 1U);
    EXPECT_EQ(c.count(Op::Routine), 0U);
    const Compiled lower = word("cvta.to.shared.u64 %d9, %d2; cvt.u32.u64 %r9, %d9;\n");
    EXPECT_EQ(lower.count(Op::Iadd3) + lower.count(Op::ImadIadd) + lower.count(Op::Routine), 0U);
}

TEST(NativeSelection, FieldsAtKnownPlaces) {
    const Compiled inserted = word("bfi.b32 %r9, %r1, %r2, 8, 5;\n");
    EXPECT_EQ(inserted.count(Op::ImadShl), 1U);
    EXPECT_EQ(inserted.count(Op::Lop3), 1U);
    EXPECT_EQ(inserted.count(Op::Routine), 0U);
    const Compiled wide = pair("bfe.u64 %d9, %d2, 4, 14;\n");
    EXPECT_EQ(wide.count(Op::Shf), 1U);
    EXPECT_EQ(wide.count(Op::Sgxt), 1U);
    EXPECT_EQ(wide.count(Op::Routine), 0U);
}

// The bytes of a box, which arrive at the barrier object, are computed from the map: no pass takes that for a copy of a
// register.
TEST(NativeSelection, ATensorCopyHasTheBytesOfItsBox) {
    const Compiled c(
        "ld.param.u64 %d1, [out]; ld.global.u64 %d2, [%d1]; mov.u32 %r1, 128;\n"
        "cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%d2, {%r1}], [8]; ret;",
        ".param .u64 out", "sm_90");
    EXPECT_EQ(c.count(Op::Utmaldg), 1U);
    const Instruction bytes = c.first(Op::Sgxt);
    EXPECT_EQ(bytes.mods.source, ir::Opcode::CpBulk);
    EXPECT_GT(bytes.mods.carried, 0);
    EXPECT_EQ(c.count(Op::Routine), 0U);
}

// Columns of the table: a 0xf0, b 0xcc, c 0xaa.
TEST(NativeSelection, LogicOfThreeWordsIsOneInstruction) {
    const Compiled c = word("and.b32 %r8, %r1, %r2; or.b32 %r9, %r8, %r3;\n");
    EXPECT_EQ(c.count(Op::Lop3), 1U);
    EXPECT_EQ(c.first(Op::Lop3).mods.imm, (0xf0 & 0xcc) | 0xaa);
}

TEST(NativeSelection, LogicOfFourWordsIsTwo) {
    EXPECT_EQ(word("and.b32 %r8, %r1, %r2; xor.b32 %r7, %r3, %r4; or.b32 %r9, %r8, %r7;\n").count(Op::Lop3), 2U);
}

TEST(NativeSelection, LogicThatIsReadElsewhereToo) {
    const Compiled c = word("and.b32 %r8, %r1, %r2; st.global.u32 [%d1+68], %r8; or.b32 %r9, %r8, %r3;\n");
    EXPECT_EQ(c.count(Op::Lop3), 2U);
}

TEST(NativeSelection, AComplementIsPartOfTheTable) {
    const Compiled c = word("not.b32 %r8, %r1; and.b32 %r9, %r8, %r2;\n");
    EXPECT_EQ(c.count(Op::Lop3), 1U);
    EXPECT_EQ(c.first(Op::Lop3).mods.imm, ~0xf0 & 0xcc);
}

TEST(NativeSelection, SumsAndProducts) {
    EXPECT_EQ(word("add.u32 %r8, %r1, %r2; add.u32 %r9, %r8, %r3;\n").count(Op::Iadd3), 1U);
    EXPECT_EQ(word("mul.lo.u32 %r8, %r1, %r2; add.u32 %r9, %r8, %r3;\n").count(Op::Imad), 1U);
    const Compiled shifted = word("shl.b32 %r8, %r1, 5; add.u32 %r9, %r8, %r3;\n");
    EXPECT_EQ(shifted.count(Op::Lea), 1U);
    EXPECT_EQ(shifted.first(Op::Lea).mods.imm, 5);
}

TEST(NativeSelection, SumsOf64BitsCarry) {
    const Compiled c = pair("add.u64 %d9, %d2, %d3;\n");
    ASSERT_EQ(c.count(Op::Iadd3X), 1U);
    const Instruction low = c.first(Op::Iadd3);
    const Instruction high = c.first(Op::Iadd3X);
    EXPECT_EQ(low.dst[1].file, File::Predicate);
    EXPECT_EQ(high.src[3].number, low.dst[1].number);
}

TEST(NativeSelection, AnExtendedIndexIsAWideProduct) {
    const Compiled c = pair("cvt.s64.s32 %d4, %r1; shl.b64 %d5, %d4, 2; add.u64 %d9, %d2, %d5;\n");
    ASSERT_EQ(c.count(Op::ImadWide), 1U);
    EXPECT_EQ(c.first(Op::ImadWide).mods.type, ir::Type::S32);
    EXPECT_EQ(c.count(Op::Iadd3X), 0U);
}

TEST(NativeSelection, ComparisonsOf64BitsAreTwo) {
    const Compiled c = word("setp.lt.s64 %p1, %d2, %d3; selp.u32 %r9, 1, 2, %p1;\n");
    EXPECT_EQ(c.first(Op::Isetp).mods.type, ir::Type::U32) << "the lower words have no sign";
    EXPECT_EQ(c.first(Op::IsetpX).mods.type, ir::Type::S32);
}

TEST(NativeSelection, ParametersAreOperands) {
    const Compiled c = word("ld.param.u32 %r8, [n]; add.u32 %r9, %r1, %r8;\n");
    EXPECT_EQ(c.count(Op::Ldc), 0U);
    const Instruction sum = c.first(Op::Iadd3);
    ASSERT_TRUE(sum.src[1].is(Operand::Kind::Constant)) << to_string(sum);
    EXPECT_EQ(sum.src[1].value, target().parameters + 8U);
}

// Two matrices of shared memory by generic addresses, 512 bytes apart.
TEST(NativeSelection, PiecesOfMatricesHaveTheirOffsetOnce) {
    const std::string load = "wmma.load.a.sync.aligned.row.m16n16k16.f16 ";
    const Compiled c(kSelectionBegin + "cvt.u64.u32 %d4, %r1; cvta.shared.u64 %d5, %d4; add.s64 %d6, %d5, 512;\n" +
                         load + "{%r5, %r6, %r7, %r8, %r9, %r9, %r9, %r9}, [%d5], 80;\n" + load +
                         "{%r10, %r11, %r12, %r13, %r14, %r14, %r14, %r14}, [%d6], 80;\n" +
                         "st.global.v2.u32 [%d1+64], {%r5, %r10}; ret;",
                     kSelectionOut);
    EXPECT_EQ(c.count(Op::Routine), 1U);
    EXPECT_EQ(c.count(Op::Ld), 0U);
    ASSERT_EQ(c.count(Op::Lds), 2U);
    std::vector<Instruction> loads;
    for (const Instruction& i : c.all())
        if (i.op == Op::Lds)
            loads.push_back(i);
    EXPECT_EQ(std::abs(loads[0].mods.imm - loads[1].mods.imm), 512);
    EXPECT_EQ(loads[0].src[0].number, loads[1].src[0].number);
}

TEST(NativeSelection, APieceInGlobalMemoryHasAnAddressOf64Bits) {
    const Compiled c(kSelectionBegin + "add.s64 %d6, %d1, 256;\n" +
                         "wmma.load.a.sync.aligned.row.m16n16k16.f16 {%r5, %r6, %r7, %r8, %r9, %r9, %r9, %r9}, "
                         "[%d6], 80;\n st.global.u32 [%d1+64], %r5; ret;",
                     kSelectionOut);
    EXPECT_EQ(c.first(Op::Ld).mods.imm, 256);
    EXPECT_EQ(c.first(Op::Ld).src[0].count, 2);
}

TEST(NativeSelection, AnAbsoluteSharedAddressWrapsIn32Bits) {
    const Compiled c("mov.u32 %r1, 0xffffffc0; st.shared.u32 [%r1+68], 7; ret;");
    EXPECT_EQ(c.first(Op::Sts).mods.imm, 4);
}

TEST(NativeSelection, VectorsOfBytesAreWords) {
    const Compiled c("ld.local.v4.u8 {%r1, %r2, %r3, %r4}, [16]; add.u32 %r5, %r2, %r4; st.local.u32 [32], %r5; ret;");
    const Instruction load = c.first(Op::Ldl);
    EXPECT_EQ(load.mods.type, ir::Type::B32);
    EXPECT_EQ(load.mods.vector, 1);
    EXPECT_EQ(c.count(Op::Prmt), 2U) << "elements that nothing reads are not taken out";
    EXPECT_EQ(element_selector(1, 1, false), 0x4441U);
    EXPECT_EQ(element_selector(3, 1, true), 0xbbb3U);
    EXPECT_EQ(element_selector(2, 2, false), 0x4432U);
}

// Three products with the same factors: four registers of A and two of B are grouped once, and loaded into their
// places.
TEST(NativeSelection, ProductsWithTheSameFactorsShareThem) {
    const auto product = [](const char* sums) {
        return std::string("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {") + sums +
               "}, {%r1, %r2, %r3, %r4}, {%r5, %r6}, {" + sums + "};\n";
    };
    const Compiled c("ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [0]; ld.global.v2.u32 {%r5, %r6}, [16];\n"
                     "ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [32]; ld.global.v4.f32 {%f5, %f6, %f7, %f8}, [48];\n" +
                     product("%f1, %f2, %f3, %f4") + product("%f5, %f6, %f7, %f8") + product("%f1, %f2, %f3, %f4") +
                     "st.global.v4.f32 [64], {%f1, %f2, %f3, %f4}; st.global.v4.f32 [80], {%f5, %f6, %f7, %f8}; ret;");
    EXPECT_EQ(c.count(Op::Mma), 3U);
    const std::vector<Instruction> all = c.all();
    EXPECT_EQ(std::count_if(all.begin(), all.end(), is_copy), 0);
}

TEST(NativeSelection, CallsLieInThePlaceOfTheCall) {
    const std::string text = std::string(ir::test::kHeader) +
                             ".func (.param .b32 y) f(.param .b32 x) { .reg .b32 %r<3>; .reg .pred %p; \n"
                             "ld.param.b32 %r1, [x]; setp.eq.u32 %p, %r1, 0; @%p ret; add.u32 %r2, %r1, 1;\n"
                             "st.param.b32 [y], %r2; ret; }\n"
                             ".visible .entry k() { .reg .b32 %r<3>; .param .b32 a; .param .b32 b;\n"
                             "st.param.b32 [a], 4; call (b), f, (a); ld.param.b32 %r1, [b];\n"
                             "st.shared.b32 [0], %r1; ret; }\n";
    const ir::test::Lowered lowered = ir::test::lower_text(text);
    const Recovered input = recover(lowered.program, lowered.kernel());
    std::size_t calls = 0;
    for (const ir::MicroOp& op : input.draft.ops) {
        calls += op.kind == ir::Kind::Call ? 1 : 0;
        if (op.kind == ir::Kind::Branch) {
            EXPECT_LT(op.target, input.draft.ops.size());
        }
    }
    EXPECT_EQ(calls, 0U);
    EXPECT_EQ(input.pcs.size(), input.draft.ops.size());
}

} // namespace
} // namespace heddle::native::test
