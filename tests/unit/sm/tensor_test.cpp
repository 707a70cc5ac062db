// Tensor units: cycles of products by arithmetic from the rates, and wgmma as Luo et al. measured it (arXiv 2501.12084,
// Tables 8 and 9: f16 on H800s).
#include <array>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sm/sub_core/pipe_config.h"
#include "sm/sub_core/warpgroup_products.h"

namespace heddle::sm::test::tensor {
namespace {

using ir::Element;
using ir::MatrixRole;

ir::Matrix product(ir::MatrixShape shape, Element factor, Element sum, bool sparse = false) {
    ir::Matrix x;
    x.sparse = sparse;
    x.a = {MatrixRole::A, factor, shape, true, false};
    x.b = {MatrixRole::B, factor, shape, false, false};
    x.c = x.d = {MatrixRole::Accumulator, sum, shape, true, false};
    if (sparse)
        x.a.shape.k = static_cast<std::uint16_t>(shape.k / 2);
    return x;
}

TensorConfig a100() {
    TensorConfig c;
    c.f16 = c.f16_f32 = 1024;
    c.tf32 = 512;
    c.int8 = 2048;
    c.latency = 18;
    c.further = 8;
    return c;
}

void expect_timing(const TensorConfig& unit, const ir::Matrix& matrix, unsigned latency, unsigned interval) {
    const auto timing = unit.timing(matrix, 4);
    ASSERT_TRUE(timing.has_value());
    EXPECT_EQ(timing->latency, latency);
    EXPECT_EQ(timing->interval, interval);
}

// A quarter of the SM's multiply-adds: 256 of f16, 128 of tf32, 512 of 8 bits in a cycle.
TEST(TensorUnit, AProductTakesItsMultiplyAddsAtTheRateOfASubCore) {
    expect_timing(a100(), product({16, 8, 8}, Element::F16, Element::F32), 18, 1024 / 256);
    expect_timing(a100(), product({16, 8, 16}, Element::F16, Element::F32), 18 + 8, 2048 / 256);
    expect_timing(a100(), product({16, 8, 16}, Element::BF16, Element::F32), 18 + 8, 2048 / 256);
    expect_timing(a100(), product({16, 8, 8}, Element::TF32, Element::F32), 18 + 8, 1024 / 128);
    expect_timing(a100(), product({16, 8, 32}, Element::S8, Element::S32), 18 + 8, 4096 / 512);
    expect_timing(a100(), product({8, 8, 16}, Element::S8, Element::S32), 18, 1024 / 512);
}

TEST(TensorUnit, ASparseProductTakesTheTimeOfHalfOfK) {
    expect_timing(a100(), product({16, 8, 32}, Element::F16, Element::F32, true), 18 + 8, 2048 / 256);
}

TEST(TensorUnit, SumsOfF32MayHaveARateOfTheirOwnAndAreNotThereBeforeTheUnitIsFree) {
    TensorConfig geforce = a100();
    geforce.f16 = 512;
    geforce.f16_f32 = 256;
    expect_timing(geforce, product({16, 8, 16}, Element::F16, Element::F16), 26, 16);
    expect_timing(geforce, product({16, 8, 16}, Element::F16, Element::F32), 32, 32);
}

TEST(TensorUnit, CyclesAreWholeOnes) {
    TensorConfig hopper = a100();
    hopper.f16_f32 = 1288; // 8192 / 1288 = 6.4
    expect_timing(hopper, product({16, 8, 16}, Element::F16, Element::F32), 26, 6);
    hopper.f16_f32 = 65536; // less than half of a cycle
    expect_timing(hopper, product({16, 8, 16}, Element::F16, Element::F32), 26, 1);
}

// A warp's registers hold 1024 bits: A of m16n8k16 is in four of them, B in two. An H200 has 1273 to 1308 multiply-adds
// a cycle and SM of the 2048 that wgmma has there, which is 6.3 to 6.4 cycles, 8.6 of the sparse product, whose B has
// four registers, and 4.2 and 4.4 of the small ones.
TEST(TensorUnit, FactorsComeFromRegistersAndSmallProductsTakeALeastTime) {
    TensorConfig hopper = a100();
    hopper.f16 = hopper.f16_f32 = 2048;
    hopper.tf32 = 1024;
    hopper.int8 = 4096;
    hopper.f64 = 63;
    hopper.factors = 1;
    hopper.least = 4;
    expect_timing(hopper, product({16, 8, 16}, Element::F16, Element::F32), 26, 4 + 2);
    expect_timing(hopper, product({16, 8, 8}, Element::TF32, Element::F32), 26, 4 + 2);
    expect_timing(hopper, product({16, 8, 32}, Element::S8, Element::S32), 26, 4 + 2);
    expect_timing(hopper, product({16, 8, 32}, Element::F16, Element::F32, true), 26, 4 + 4);
    expect_timing(hopper, product({16, 8, 8}, Element::F16, Element::F32), 18, 4);
    expect_timing(hopper, product({8, 8, 16}, Element::S8, Element::S32), 18, 4);
    expect_timing(hopper, product({8, 8, 4}, Element::F64, Element::F64), 26, 256 * 4 / 63);
    ir::Matrix half = product({16, 16, 16}, Element::F16, Element::F16); // two parts, which ptxas makes two HMMA of
    for (ir::Fragment* const f : {&half.a, &half.b, &half.c, &half.d})
        f->wmma = true;
    expect_timing(hopper, half, 26, 2 * (4 + 2));
    hopper.factors = 4;
    expect_timing(hopper, product({16, 8, 16}, Element::F16, Element::F32), 26, 4);
}

TEST(TensorUnit, ATypeWithoutARateIsNone) {
    EXPECT_FALSE(a100().timing(product({8, 8, 4}, Element::F64, Element::F64), 4).has_value());
    EXPECT_FALSE(TensorConfig().is_present());
}

// wmma m16n16k16 of f16 to f32 has eight registers of a thread: two micro-ops of half of the work.
TEST(TensorUnit, AMicroOpOfFourRegistersHasHalfOfTheWorkOfEight) {
    ir::Matrix x = product({16, 16, 16}, Element::F16, Element::F32);
    for (ir::Fragment* const f : {&x.a, &x.b, &x.c, &x.d})
        f->wmma = true;
    expect_timing(a100(), x, 18 + 8, 4096 / 2 / 256);
}

TEST(TensorUnit, PipesOfAMachineHaveItBesideMatchAndRedux) {
    const std::vector<std::string> settings = {"tensor.f16_f32=512", "tensor.latency=20", "pipe.sp.shuffle=22/1",
                                               "classes.redux=sp 22/2"};
    const auto machine = config::Machine::defaults(settings);
    const PipeTable pipes(machine);
    const auto place = pipes.place(product({16, 8, 8}, Element::F16, Element::F32));
    ASSERT_TRUE(place.has_value());
    EXPECT_EQ(pipes.specs()[place->pipe].name, "tensor");
    ir::MicroOp op;
    op.work = ir::Work::Shuffle;
    op.opcode = ir::Opcode::Shfl;
    EXPECT_EQ(pipes.place(op).timing.interval, 1U);
    op.opcode = ir::Opcode::Redux;
    EXPECT_EQ(pipes.place(op).timing.interval, 2U);
}

WarpgroupConfig h100() {
    WarpgroupConfig c;
    c.f16 = 2048;
    c.tail = 43;
    c.tail_registers = 33;
    c.registers_interval = 13;
    return c;
}

// Products of m64 nN k16 (sparse: k32) of f16, which four warps issue on four sub-cores, a part in a cycle; each
// sub-core has a unit.
class Products {
public:
    explicit Products(unsigned columns, bool registers, bool sparse = false)
        : columns_(columns), products_(h100(), 4, 8),
          matrix_(product({16, 8, static_cast<std::uint16_t>(sparse ? 32 : 16)}, Element::F16, Element::F32, sparse)) {
        matrix_.b_in_memory.present = true;
        matrix_.a_in_memory.present = !registers;
    }
    // The end of a wait for `count` products, from the issue of the first at 1000.
    Cycle wait(unsigned count) {
        const PipeTiming timing = *h100().timing(matrix_, 4);
        for (unsigned i = 0; i < count * columns_ / 8; ++i)
            for (UnitId warp = 0; warp < 4; ++warp) {
                matrix_.first_column = static_cast<std::uint8_t>(i % (columns_ / 8) * 8);
                const ProductPart part = part_of(matrix_);
                const Cycle start = std::max(free_.at(warp), products_.ready(part, warp, 1000 + i));
                free_.at(warp) = start + timing.interval;
                products_.begun(warp, part, warp, start, timing.latency);
            }
        products_.commit(0);
        return products_.done(0, 0) - 1000;
    }
    // Cycles of each of many products.
    static double each(unsigned columns, bool registers, bool sparse = false) {
        return static_cast<double>(Products(columns, registers, sparse).wait(96) -
                                   Products(columns, registers, sparse).wait(32)) /
               64;
    }

private:
    unsigned columns_;
    WarpgroupProducts products_;
    ir::Matrix matrix_;
    std::array<Cycle, 4> free_{};
};

// n / 2 for the unit, and a tail: FlashGPU-Sim's measurements on an H200.
TEST(WarpgroupProducts, AWaitEndsATailBehindTheLastColumns) {
    EXPECT_EQ(Products(64, false).wait(1), 64U / 2 + 43);
    EXPECT_EQ(Products(128, false).wait(1), 128U / 2 + 43);
    EXPECT_EQ(Products(8, true).wait(1), 8U / 2 + 33);
    EXPECT_EQ(Products(64, true).wait(1), 64U / 2 + 33);
}

TEST(WarpgroupProducts, ManyProductsTakeTheUnitOrSharedMemory) {
    EXPECT_NEAR(Products::each(256, false), 128, 0.5);
    EXPECT_NEAR(Products::each(64, false), 32, 0.5);
    EXPECT_NEAR(Products::each(32, false), 24, 0.5); // 2 KiB of A and 1 KiB of B, 128 bytes a cycle
    EXPECT_NEAR(Products::each(16, false), 20, 0.5);
    EXPECT_NEAR(Products::each(8, false), 18, 0.5);
    EXPECT_NEAR(Products::each(256, true), 128, 0.5);
    EXPECT_NEAR(Products::each(32, true), 16, 0.5);
    EXPECT_NEAR(Products::each(8, true), 13, 0.5);
    EXPECT_NEAR(Products::each(256, false, true), 144, 0.5); // half of the multiply-adds, all of B
    EXPECT_NEAR(Products::each(256, true, true), 128, 0.5);
}

TEST(WarpgroupProducts, AWaitIsForTheGroupsBeforeTheLastOnes) {
    WarpgroupProducts products(h100(), 4, 8);
    EXPECT_EQ(products.done(2, 0), 0U);
    products.begun(2, {}, 0, 100, 47);
    products.commit(2);
    products.begun(2, {}, 0, 200, 47);
    products.commit(2);
    products.begun(2, {}, 0, 300, 47); // in no group yet
    EXPECT_EQ(products.done(2, 0), 247U);
    EXPECT_EQ(products.done(2, 1), 147U);
    EXPECT_EQ(products.done(2, 2), 0U);
    EXPECT_EQ(products.done(3, 0), 0U);
    products.begin();
    EXPECT_EQ(products.done(2, 0), 0U);
}

} // namespace
} // namespace heddle::sm::test::tensor
