// The capacity of the last level: a second pass over as much data as it has room for sends no request to memory.

#include <gtest/gtest.h>

#include "kernel_run.h"

namespace heddle::runtime {
namespace {

// Threads read 4 bytes of each line of `bytes` bytes in turn, twice.
std::string two_passes(std::uint64_t bytes, unsigned line) {
    return "ld.param.u64 %rd1, [x]; mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ntid.x; mov.u32 %r5, %tid.x;\n"
           "mad.lo.u32 %r1, %r3, %r4, %r5; mov.u32 %r6, %nctaid.x; mul.lo.u32 %r2, %r6, %r4;\n"
           "mul.lo.u32 %r1, %r1, " +
           std::to_string(line) + "; mul.lo.u32 %r2, %r2, " + std::to_string(line) +
           ";\n"
           "mov.u32 %r9, 0;\npass: mov.u32 %r7, %r1;\n"
           "next: cvt.u64.u32 %rd2, %r7; add.u64 %rd3, %rd1, %rd2; ld.global.u32 %r8, [%rd3];\n"
           "add.u32 %r7, %r7, %r2; setp.lt.u32 %p1, %r7, " +
           std::to_string(bytes) +
           "; @%p1 bra next;\n"
           "bar.sync 0; add.u32 %r9, %r9, 1; setp.lt.u32 %p2, %r9, 2; @%p2 bra pass; ret;";
}

// Lines requested from memory beyond those of the first pass and of the code.
std::int64_t second_pass(const std::string& machine, std::uint64_t bytes, unsigned line, std::uint32_t threads) {
    const RunSetup setup{.machine = machine, .settings = {"gpu.sms=1"}, .buffer = 8 << 20};
    const KernelRun run = run_kernel_on(setup, two_passes(bytes, line), threads);
    constexpr std::int64_t kCode = 2; // 19 instructions of 8 bytes in lines of 128
    return static_cast<std::int64_t>(run.counter("dram", "reads")) - static_cast<std::int64_t>(bytes / line) - kCode;
}

TEST(HierarchyCapacity, Gtx480L2) {
    // 12 slices of 64 KiB. 720 KiB are 60 KiB a slice: whole but for the 4 KiB that leave room for the code.
    EXPECT_EQ(second_pass("gtx480", 720 << 10, 128, 1024), 0);
    EXPECT_GT(second_pass("gtx480", 1536 << 10, 128, 1024), 10000); // twice the size in turn: LRU keeps nothing
}

TEST(HierarchyCapacity, MawsCoherentLastLevel) {
    EXPECT_EQ(second_pass("maws-coherent", 1920 << 10, 128, 64), 0);
    EXPECT_GT(second_pass("maws-coherent", 4 << 20, 128, 64), 30000);
}

} // namespace
} // namespace heddle::runtime
