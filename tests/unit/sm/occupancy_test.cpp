#include <gtest/gtest.h>

#include "ir/program.h"
#include "sm/frame/occupancy.h"

namespace heddle::sm {
namespace {

// An SM of PRO Table I: 1536 threads, 8 blocks, 32768 registers, 48 KiB of shared memory.
class OccupancyTest : public testing::Test {
protected:
    CoreConfig core;
    ir::Kernel kernel;
    exec::Launch launch;
    SharedRoom room{48 * 1024};

    void SetUp() override {
        core.threads = 1536;
        core.blocks = 8;
        core.registers = 32768;
        launch.kernel = &kernel;
    }
    // 2048 threads, 32 blocks, registers in four parts.
    void be_an_sm_of_today() {
        core.threads = 2048;
        core.blocks = 32;
        core.registers = 65536;
        core.register_unit = 256;
        core.register_files = 4;
    }
    Occupancy of(std::uint32_t threads, std::uint32_t registers, std::uint32_t shared = 0) {
        launch.block = {threads, 1, 1};
        launch.dynamic_shared = shared;
        kernel.registers = registers;
        return occupancy(core, room, launch);
    }
};

TEST_F(OccupancyTest, Threads) {
    const Occupancy o = of(256, 16); // 6 x 256 threads; registers for 8 blocks
    EXPECT_EQ(o.blocks, 6U);
    EXPECT_EQ(o.limited_by, "threads");
}

// Eight blocks of 256 threads fit a V100's 2048; the sizes are its.
TEST_F(OccupancyTest, TheSmallestSharedMemoryThatTakesNoBlockAway) {
    core.threads = 2048;
    core.blocks = 32;
    core.registers = 65536;
    const std::vector<std::uint64_t> sizes{0, 8 << 10, 16 << 10, 32 << 10, 64 << 10, 96 << 10};
    launch.block = {256, 1, 1};
    kernel.registers = 16;
    const auto carved = [&](std::uint32_t shared, std::uint64_t reserve = 0) {
        launch.dynamic_shared = shared;
        return carve_out(core, sizes, {0, reserve}, launch) >> 10;
    };
    EXPECT_EQ(carved(0), 0U);
    EXPECT_EQ(carved(4 << 10), 32U);           // 8 x 4 KiB
    EXPECT_EQ(carved(4100), 64U);              // 8 x 4100 bytes
    EXPECT_EQ(carved(20 << 10), 96U);          // four blocks at most
    EXPECT_EQ(carved(0, 1 << 10), 8U);         // 8 x 1 KiB of the system
    EXPECT_EQ(carved(48 << 10, 1 << 10), 64U); // one block, with 49 KiB
}

TEST_F(OccupancyTest, Blocks) {
    const Occupancy o = of(128, 16); // 12 x 128 threads
    EXPECT_EQ(o.blocks, 8U);
    EXPECT_EQ(o.limited_by, "blocks");
}

TEST_F(OccupancyTest, Registers) {
    EXPECT_EQ(of(256, 21).blocks, 6U); // 6 x 5376 = 32256
    const Occupancy o = of(256, 22);   // 6 x 5632 = 33792
    EXPECT_EQ(o.blocks, 5U);
    EXPECT_EQ(o.limited_by, "registers");
    EXPECT_EQ(of(1024, 33).blocks, 0U); // of 32, and with 63 as well
    core.registers = 0;
    EXPECT_EQ(of(256, 255).blocks, 6U);
}

// .maxntid promises that such a block fits.
TEST_F(OccupancyTest, BoundedThreadsBoundRegisters) {
    kernel.max_threads = 256;
    EXPECT_EQ(of(256, 200).blocks, 1U); // 32768 / 256 = 128 a thread
    EXPECT_EQ(registers_of(core, kernel), 128U);
    EXPECT_EQ(of(256, 64).blocks, 2U);
    EXPECT_EQ(registers_of(core, kernel), 64U);
    kernel.max_threads = 1000; // 32 rows
    EXPECT_EQ(of(1000, 200).blocks, 1U);
    EXPECT_EQ(registers_of(core, kernel), 32U);
    kernel.max_threads = 0;
    EXPECT_EQ(of(256, 200).blocks, 2U); // a thread has 63 at most
}

// NVIDIA's cuda_occupancy.h: 68 registers of 32 lanes are 2,304, of which the 16,384 of each of four parts hold seven.
TEST_F(OccupancyTest, RegistersInUnits) {
    be_an_sm_of_today();
    EXPECT_EQ(of(32, 68).blocks, 28U);
    EXPECT_EQ(of(96, 44).blocks, 13U); // 1,536 a warp, ten of a part: 40 warps
    EXPECT_EQ(of(1024, 64).blocks, 1U);
    EXPECT_EQ(registers_for(core, 288), 168U); // nine warps: three of a part
}

// What ptxas leaves a kernel (measured): 80, 96, 56, 32, and 64 where an SM has no room for the blocks.
TEST_F(OccupancyTest, BoundsOfBlocksBoundRegisters) {
    be_an_sm_of_today();
    core.code = "native";
    kernel.registers = 300;
    const auto bounded = [&](std::uint32_t threads, std::uint32_t blocks) {
        kernel.max_threads = threads;
        kernel.least_blocks = blocks;
        return registers_of(core, kernel);
    };
    EXPECT_EQ(bounded(256, 3), 80U);
    EXPECT_EQ(bounded(128, 5), 96U);
    EXPECT_EQ(bounded(128, 9), 56U);
    EXPECT_EQ(bounded(1024, 2), 32U);
    EXPECT_EQ(bounded(1024, 3), 64U);
    EXPECT_EQ(bounded(0, 3), 255U);
    kernel.most_registers = 40;
    EXPECT_EQ(bounded(0, 0), 40U);
    kernel.most_registers = 16;
    EXPECT_EQ(bounded(0, 0), 24U);
}

// Code is made for the block where its registers leave no room for it.
TEST_F(OccupancyTest, ABlockThatNeedsFewerRegisters) {
    EXPECT_EQ(of(512, 200).blocks, 1U); // 63 on chips of compute capability 2
    EXPECT_EQ(of(1024, 200).blocks, 0U);
    core.registers = 65536;
    core.code = "native";
    EXPECT_EQ(of(1024, 200).blocks, 1U);
}

// Registers of PTX decide wherever a block fits with them: 1024 threads with 32, 512 with 64.
TEST_F(OccupancyTest, ABlockThatFitsWithTheRegistersOfItsCode) {
    EXPECT_EQ(of(1024, 33).blocks, 0U);
    kernel.code_registers = 21;
    EXPECT_EQ(of(1024, 33).blocks, 1U);
    EXPECT_EQ(of(512, 33).blocks, 1U); // with 21 there would be three
    kernel.code_registers = 33;
    EXPECT_EQ(of(1024, 34).blocks, 0U);
}

TEST_F(OccupancyTest, SharedMemoryInUnits) {
    room = SharedRoom(167936, 1024, 128);
    core.blocks = 32;
    EXPECT_EQ(of(32, 16, 6912).blocks, 21U); // 7,936 bytes
    EXPECT_EQ(of(32, 16, 6913).blocks, 20U); // 8,064
}

TEST_F(OccupancyTest, SharedMemory) {
    EXPECT_EQ(of(64, 16, 6144).blocks, 8U); // 8 x 6 KiB
    const Occupancy o = of(64, 16, 6145);
    EXPECT_EQ(o.blocks, 7U);
    EXPECT_EQ(o.limited_by, "shared memory");
}

TEST_F(OccupancyTest, ABlockTakesWholeRows) {
    core.blocks = 256;
    EXPECT_EQ(of(33, 1).blocks, 24U);  // 48 rows, two a block
    EXPECT_EQ(of(33, 200).blocks, 2U); // 2 x 64 x 200 = 25600 registers
}

} // namespace
} // namespace heddle::sm
