// The thread that holds each element of a matrix, and the micro-ops of matrix instructions.
#include <map>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lowered.h"

namespace heddle::ir {
namespace {

using ::testing::HasSubstr;
using Role = MatrixRole;

constexpr MatrixShape k16x16{16, 16, 16}, k32x8{32, 8, 16}, k8x32{8, 32, 16}, k8x8x32{8, 8, 32}, k8x8x128{8, 8, 128};

struct Registers {
    Fragment fragment;
    unsigned registers;
};

// PTX ISA, "Matrix Fragments for WMMA" and those of mma.
TEST(Fragments, HaveTheRegistersThatPtxSays) {
    const auto wmma = [](Role role, Element e, MatrixShape shape) { return Fragment{role, e, shape, true, true}; };
    const auto mma = [](Role role, Element e, MatrixShape shape) { return Fragment{role, e, shape, true, false}; };
    for (const MatrixShape shape : {k16x16, k32x8, k8x32}) {
        EXPECT_EQ(wmma(Role::A, Element::F16, shape).registers(), 8U);
        EXPECT_EQ(wmma(Role::B, Element::F16, shape).registers(), 8U);
        EXPECT_EQ(wmma(Role::Accumulator, Element::F16, shape).registers(), 4U);
        EXPECT_EQ(wmma(Role::Accumulator, Element::F32, shape).registers(), 8U);
        EXPECT_EQ(wmma(Role::Accumulator, Element::S32, shape).registers(), 8U);
    }
    const Registers others[] = {{wmma(Role::A, Element::S8, k16x16), 2},
                                {wmma(Role::B, Element::U8, k16x16), 2},
                                {wmma(Role::A, Element::S8, k32x8), 4},
                                {wmma(Role::B, Element::S8, k32x8), 1},
                                {wmma(Role::A, Element::S8, k8x32), 1},
                                {wmma(Role::B, Element::S8, k8x32), 4},
                                {wmma(Role::A, Element::S4, k8x8x32), 1},
                                {wmma(Role::B, Element::B1, k8x8x128), 1},
                                {wmma(Role::Accumulator, Element::S32, k8x8x32), 2},
                                {mma(Role::A, Element::F16, {8, 8, 4}), 2},
                                {mma(Role::Accumulator, Element::F32, {8, 8, 4}), 8},
                                {mma(Role::A, Element::F16, {16, 8, 8}), 2},
                                {mma(Role::B, Element::F16, {16, 8, 8}), 1},
                                {mma(Role::Accumulator, Element::F32, {16, 8, 8}), 4},
                                {mma(Role::Accumulator, Element::F16, {16, 8, 8}), 2},
                                {wmma(Role::A, Element::BF16, k16x16), 4},
                                {wmma(Role::B, Element::BF16, k16x16), 4},
                                {wmma(Role::A, Element::BF16, k32x8), 8},
                                {wmma(Role::B, Element::BF16, k32x8), 2},
                                {wmma(Role::A, Element::BF16, k8x32), 2},
                                {wmma(Role::B, Element::BF16, k8x32), 8},
                                {wmma(Role::A, Element::TF32, {16, 16, 8}), 4},
                                {wmma(Role::B, Element::TF32, {16, 16, 8}), 4},
                                {wmma(Role::Accumulator, Element::F32, {16, 16, 8}), 8},
                                {wmma(Role::A, Element::F64, {8, 8, 4}), 1},
                                {wmma(Role::B, Element::F64, {8, 8, 4}), 1},
                                {wmma(Role::Accumulator, Element::F64, {8, 8, 4}), 2},
                                {mma(Role::A, Element::BF16, {16, 8, 16}), 4},
                                {mma(Role::B, Element::TF32, {16, 8, 8}), 2},
                                {mma(Role::A, Element::F64, {8, 8, 4}), 1},
                                {mma(Role::A, Element::F64, {16, 8, 16}), 8},
                                {mma(Role::Accumulator, Element::F64, {16, 8, 16}), 4},
                                {mma(Role::A, Element::S8, {8, 8, 16}), 1},
                                {mma(Role::A, Element::B1, {16, 8, 256}), 4},
                                {mma(Role::B, Element::S4, {16, 8, 64}), 2}};
    for (const Registers& other : others)
        EXPECT_EQ(other.fragment.registers(), other.registers);
}

void expect_whole(const Fragment& f) {
    std::map<std::vector<unsigned>, unsigned> held;
    for (unsigned lane = 0; lane < kPtxWarp; ++lane)
        for (unsigned i = 0; i < f.registers() * f.per_register(); ++i) {
            const Fragment::Position at = f.position(lane, i);
            EXPECT_TRUE(at.matrix < f.matrices() && at.row < f.rows() && at.column < f.columns());
            ++held[{at.matrix, at.row, at.column}];
        }
    const unsigned all = f.registers() * f.per_register() * kPtxWarp;
    const unsigned elements = f.matrices() * f.rows() * f.columns();
    EXPECT_EQ(held.size(), elements);
    for (const auto& [at, times] : held)
        EXPECT_EQ(times, all / elements);
}

TEST(Fragments, HoldEveryElementEquallyOften) {
    for (const bool by_rows : {true, false}) {
        for (const MatrixShape shape : {k16x16, k32x8, k8x32})
            for (const Element e : {Element::F16, Element::S8})
                for (const Role role : {Role::A, Role::B})
                    expect_whole({role, e, shape, by_rows, true});
        for (const Role role : {Role::A, Role::B})
            expect_whole({role, Element::F16, {8, 8, 4}, by_rows, false});
    }
    for (const MatrixShape shape : {k16x16, k32x8, k8x32})
        for (const Element e : {Element::F16, Element::F32, Element::S32})
            expect_whole({Role::Accumulator, e, shape, true, true});
    expect_whole({Role::A, Element::S4, k8x8x32, true, true});
    expect_whole({Role::B, Element::B1, k8x8x128, false, true});
    for (const Element e : {Element::F16, Element::F32})
        expect_whole({Role::Accumulator, e, {8, 8, 4}, true, false});
    for (const MatrixShape shape : {MatrixShape{8, 8, 16}, MatrixShape{16, 8, 16}, MatrixShape{16, 8, 32}})
        for (const Role role : {Role::A, Role::B})
            expect_whole({role, Element::S8, shape, role == Role::A, false});
    for (const Role role : {Role::A, Role::B})
        for (const bool by_rows : {true, false}) {
            for (const MatrixShape shape : {k16x16, k32x8, k8x32})
                expect_whole({role, Element::BF16, shape, by_rows, true});
            expect_whole({role, Element::TF32, {16, 16, 8}, by_rows, true});
            expect_whole({role, Element::F64, {8, 8, 4}, by_rows, true});
        }
    expect_whole({Role::Accumulator, Element::F64, {8, 8, 4}, true, true});
}

// Each of the micro-ops of the body, without the exit, by its opcode.
std::vector<Opcode> opcodes_of(std::string_view body) {
    const test::Lowered l = test::lower_body(body, ".param .u64 a", ".shared .align 16 .b8 sh[1024];\n");
    EXPECT_EQ(l.errors, "");
    std::vector<Opcode> out;
    for (Pc pc = l.kernel().begin; pc + 1 < l.kernel().end; ++pc)
        out.push_back(l.op(pc).opcode);
    return out;
}

TEST(Matrices, BecomeFewMicroOps) {
    using enum Opcode;
    using ::testing::ElementsAre;
    EXPECT_THAT(opcodes_of("wmma.load.a.sync.aligned.row.m32n8k16.shared.f16 "
                           "{%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7}, [sh], %r8;"),
                ElementsAre(WarpBarrier, WmmaAddress, WmmaAddress, Ld, Ld));
    // The second half of the registers holds the same elements again.
    EXPECT_THAT(opcodes_of("wmma.load.b.sync.aligned.col.m16n16k16.f16 "
                           "{%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7}, [%d0];"),
                ElementsAre(WarpBarrier, WmmaAddress, Ld, Mov, Mov, Mov, Mov));
    EXPECT_THAT(opcodes_of("wmma.store.d.sync.aligned.row.m8n8k32.global.s32 [%d0], {%r0, %r1}, 8;"),
                ElementsAre(WarpBarrier, WmmaAddress, St));
    EXPECT_THAT(opcodes_of("wmma.load.c.sync.aligned.col.m8n8k32.global.s32 {%r0, %r1}, [%d0];"),
                ElementsAre(WarpBarrier, WmmaAddress, WmmaAddress, Ld, Ld));
    EXPECT_THAT(opcodes_of("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3}, {%r0, %r1}, {%r2}, "
                           "{%f0, %f1, %f2, %f3};"),
                ElementsAre(Mma));
    EXPECT_THAT(opcodes_of("mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7}, "
                           "{%r0, %r1}, {%r2, %r3}, {%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7};"),
                ElementsAre(Mma, Mma));
    EXPECT_THAT(opcodes_of("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%r0, %r1}, [%r2+16];"),
                ElementsAre(Ldmatrix, Ld, Ldmatrix));
    EXPECT_THAT(opcodes_of("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%r2+16], {%r0, %r1};"),
                ElementsAre(Stmatrix, Stmatrix, St));
}

TEST(Matrices, ReadAllOfTheirSources) {
    const test::Lowered l = test::lower_body("mma.sync.aligned.m8n8k16.row.col.s32.s8.u8.s32.satfinite "
                                             "{%r1, %r2}, {%r3}, {%r4}, {%r5, %r6};");
    ASSERT_EQ(l.errors, "");
    const MicroOp& op = l.op(l.kernel().begin);
    ASSERT_TRUE(op.is_matrix_product());
    const Matrix& x = l.program.matrices.at(static_cast<std::size_t>(op.imm));
    EXPECT_EQ(x.sources(), 4U);
    EXPECT_EQ(x.b.element, Element::U8);
    EXPECT_TRUE(x.saturate);
    EXPECT_EQ(x.cycles(), 8U);           // 8 x 8 x 16 / 32 lanes / 4
    EXPECT_EQ(l.kernel().registers, 4U); // four sources are alive together, then two results
    EXPECT_THAT(to_string(l.program, l.kernel().begin), HasSubstr("mma.sync.m8n8k16.s32.s8.u8.s32"));
}

// 16 x 8 x 8 (or 4) multiply-adds by 32 lanes, each two of tf32 a cycle, one of f64.
TEST(Matrices, TakeTheTimeOfTheirMultiplyAdds) {
    const auto product = [](Element element, Element sum, MatrixShape shape) {
        Matrix x;
        x.a = {Role::A, element, shape, true, false};
        x.b = {Role::B, element, shape, false, false};
        x.c = x.d = {Role::Accumulator, sum, shape, true, false};
        EXPECT_TRUE(exists(x));
        return x.cycles();
    };
    EXPECT_EQ(product(Element::BF16, Element::F32, {16, 8, 8}), 8U);
    EXPECT_EQ(product(Element::TF32, Element::F32, {16, 8, 8}), 16U);
    EXPECT_EQ(product(Element::F64, Element::F64, {16, 8, 4}), 16U);
    EXPECT_EQ(product(Element::F64, Element::F64, {8, 8, 4}), 8U);
}

struct Wrong {
    std::string_view body;
    std::string_view message;
};

class WrongMatrix : public ::testing::TestWithParam<Wrong> {};

TEST_P(WrongMatrix, IsReported) {
    EXPECT_THAT(test::lower_body(GetParam().body, "", ".const .b8 c[1024];\n").errors, HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    Lowering, WrongMatrix,
    ::testing::Values(
        Wrong{"wmma.load.d.sync.aligned.row.m8n8k32.s32 {%r0, %r1}, [%d0];", "is no matrix instruction"},
        Wrong{"wmma.load.a.sync.aligned.m8n8k32.s4 {%r0}, [%d0];", "is no matrix instruction"},
        Wrong{"wmma.load.a.sync.aligned.col.m8n8k32.s4 {%r0}, [%d0];", "there is no such matrix"},
        Wrong{"wmma.load.a.sync.aligned.row.m8n8k32.s8 {%r0}, [%d0];", "there is no such matrix"},
        Wrong{"wmma.load.a.sync.aligned.row.m8n8k32.s4 {%r0}, [c];", "accesses global, shared and local variables"},
        Wrong{"wmma.load.a.sync.aligned.row.m8n8k32.s4 {%d0}, [%d0];", "'%d0' has type .b64"},
        Wrong{"wmma.load.a.sync.aligned.row.m8n8k32.local.s4 {%r0}, [%d0];", "'.local' is out of place"},
        Wrong{"wmma.load.a.sync.aligned.row.m8n8k32.s4 {%r0}, [%d0], %r1, %r2;", "takes 2 to 3 operands, not 4"},
        Wrong{"mma.sync.aligned.m8n8k16.row.col.s32.s8.s8 {%r1, %r2}, {%r3}, {%r4}, {%r5, %r6};",
              "is no product of matrices"},
        Wrong{"mma.sync.aligned.m8n8k16.row.col.s32.s8.s4.s32 {%r1, %r2}, {%r3}, {%r4}, {%r5, %r6};",
              "there is no product of such matrices"},
        Wrong{"mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32 {%r1, %r2}, {%r3}, {%r4}, {%r5, %r6};",
              "there is no product of such matrices"},
        Wrong{"mma.sync.aligned.m16n8k8.row.col.f16.tf32.tf32.f16 {%r1, %r2}, {%r3, %r4, %r5, %r6}, {%r7, %r8}, {%r1, "
              "%r2};",
              "there is no product of such matrices"},
        Wrong{"mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64.satfinite {%g1, %g2}, {%g3}, {%g4}, {%g5, %g6};",
              "there is no product of such matrices"},
        Wrong{"mma.sync.aligned.m8n8k4.row.col.rn.rz.f64.f64.f64.f64 {%g1, %g2}, {%g3}, {%g4}, {%g5, %g6};",
              "'.rz' is out of place"},
        Wrong{"wmma.load.a.sync.aligned.row.m8n8k4.f64 {%f1}, [%d0];", "'%f1' has type .f32"},
        Wrong{"wmma.load.c.sync.aligned.row.m16n16k16.bf16 {%r1, %r2, %r3, %r4}, [%d0];", "there is no such matrix"},
        Wrong{"mma.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r1, %r2}, {%r3}, {%r4}, {%r5, %r6};", "needs .sync.aligned"},
        Wrong{"ldmatrix.sync.aligned.m8n8.x3.shared.b16 {%r1}, [%r2];", "'.x3' is out of place"},
        Wrong{"ldmatrix.sync.aligned.m8n8.x1.global.b16 {%r1}, [%d2];", "needs an address in .shared memory"},
        Wrong{"ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r1}, [%r2];", "needs 2 elements here, not 1"},
        Wrong{"ldmatrix.sync.aligned.m8n8.x1.shared.b16 %r1, [%r2];", "needs a vector of 1 register here"},
        Wrong{"ldmatrix.sync.aligned.m8n8.x1.shared.b8 {%r1}, [%r2];", "is no load of matrices"},
        Wrong{"ldmatrix.sync.aligned.m16n16.x4.trans.shared.b8 {%r1}, [%r2];", "is no load of matrices"},
        Wrong{"ldmatrix.sync.aligned.m16n16.x1.shared.b8 {%r1, %r2}, [%r2];", "is no load of matrices"},
        Wrong{"stmatrix.sync.aligned.m16n8.x1.shared.b8 [%r2], {%r1};", "is no store of matrices"},
        Wrong{"stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r2], {7};", "needs a register here"},
        Wrong{"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f16 {%f1, %f2, %f3, %f4}, {%r3, %r4}, {%r5}, {%r1, %r2};",
              "there is no product of such matrices"},
        Wrong{"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, {%f3, %f4}, {%r5}, {%f1, %f2, "
              "%f3, %f4};",
              "'%f3' has type .f32"},
        Wrong{"mma.sync.aligned.m16n8k64.row.col.kind::mxf4.f32.e2m1.e2m1.f32 {%f1}, {%r3}, {%r5}, {%f1};",
              "'.kind::mxf4' needs a device of compute capability 10.0 or 12.0"},
        Wrong{"wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {%f1, %f2, %f3, %f4}, %d0, %d1, 2, 1, 1;",
              "the scale of d of 'wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32' is 0 or 1, not 2"},
        Wrong{"wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {%f1, %f2, %f3, %f4}, c, %d1, %p0, 1, 1;",
              "needs a matrix descriptor here"},
        Wrong{"wgmma.wait_group.sync.aligned -1;", "the number of groups of 'wgmma.wait_group.sync.aligned' is not"},
        Wrong{"movmatrix.sync.aligned.m8n8.b16 %r1, %r2;", "there is movmatrix.sync.aligned.m8n8.trans.b16"}));

Matrix sparse(Element element, std::uint16_t k) {
    Matrix x;
    x.a = {Role::A, element, {16, 8, static_cast<std::uint16_t>(k / 2)}, true, false};
    x.b = {Role::B, element, {16, 8, k}, false, false};
    x.sparse = true;
    return x;
}

// PTX ISA, "Sparse matrix storage": which threads of four contribute.
TEST(Metadata, HaveTheSelectorsOfPtx) {
    EXPECT_EQ(metadata_of(sparse(Element::F16, 16)).selectors(), 4U);
    EXPECT_EQ(metadata_of(sparse(Element::BF16, 32)).selectors(), 2U);
    EXPECT_EQ(metadata_of(sparse(Element::TF32, 8)).selectors(), 4U);
    EXPECT_EQ(metadata_of(sparse(Element::TF32, 16)).selectors(), 2U);
    EXPECT_EQ(metadata_of(sparse(Element::S8, 32)).selectors(), 2U);
    EXPECT_EQ(metadata_of(sparse(Element::U8, 64)).selectors(), 1U);
    EXPECT_EQ(metadata_of(sparse(Element::S4, 64)).selectors(), 2U);
    EXPECT_EQ(metadata_of(sparse(Element::U4, 128)).selectors(), 1U);
    EXPECT_EQ(metadata_of(sparse(Element::E4M3, 64)).selectors(), 1U);
}

// A warpgroup's product is a part for each eight columns, behind a meeting of its warps.
TEST(Matrices, OfAWarpgroupHaveAMicroOpForEightColumns) {
    using enum Opcode;
    using ::testing::ElementsAre;
    const std::string_view body = "wgmma.mma_async.sync.aligned.m64n24k16.f16.f16.f16 {%r0, %r1, %r2, %r3, %r4, %r5}, "
                                  "%d0, %d1, %p0, 1, -1, 0, 1;";
    EXPECT_THAT(opcodes_of(body), ElementsAre(Wgmma, Wgmma, Wgmma, Wgmma));
    const test::Lowered l = test::lower_body(body);
    const Pc begin = l.kernel().begin;
    EXPECT_TRUE(l.op(begin).is_of_warpgroup());
    EXPECT_FALSE(l.op(begin).is_matrix_product());
    for (unsigned part = 0; part < 3; ++part) {
        const MicroOp& op = l.op(begin + 1 + part);
        ASSERT_TRUE(op.is_matrix_product());
        const Matrix& x = l.program.matrices.at(static_cast<std::size_t>(op.imm));
        EXPECT_EQ(x.first_column, 8 * part);
        EXPECT_EQ(x.sources(), 2U); // the registers of C
        EXPECT_TRUE(x.a_in_memory.along_k);
        EXPECT_FALSE(x.b_in_memory.along_k);
        EXPECT_TRUE(x.negate_b && !x.negate_a);
        EXPECT_EQ(x.cycles(), 16U); // 16 x 8 x 16 / 32 lanes / 4
    }
}

} // namespace
} // namespace heddle::ir
