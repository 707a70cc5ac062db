// What an acquire of native code does to the L1 data cache.
#include <gtest/gtest.h>

#include "kernel_run.h"

namespace heddle::runtime {
namespace {

// One warp loads a line twice. Between the loads stands something.
KernelRun load_twice(const std::string& between) {
    return run_kernel_on({.machine = "a100", .settings = {"gpu.sms=1"}},
                         "ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4;\n"
                         "add.u64 %rd1, %rd1, %rd2; ld.global.u32 %r2, [%rd1];\n" +
                             between + " ld.global.u32 %r3, [%rd1]; add.u32 %r3, %r3, %r2;\n" +
                             "st.global.u32 [%rd1], %r3; ret;",
                         32);
}

TEST(NativeAcquires, TheLineIsFetchedAgain) {
    const std::uint64_t kept = load_twice("membar.cta;").counter("dcache", "misses");
    EXPECT_EQ(load_twice("membar.gl;").counter("dcache", "misses"), kept + 1);
    EXPECT_EQ(load_twice("fence.acq_rel.gpu;").counter("dcache", "misses"), kept + 1);
}

TEST(NativeAcquires, NoThreadDropsNothing) {
    const std::uint64_t kept = load_twice("membar.cta;").counter("dcache", "misses");
    EXPECT_EQ(load_twice("setp.eq.u32 %p1, %r1, 77; @%p1 membar.gl;").counter("dcache", "misses"), kept);
}

} // namespace
} // namespace heddle::runtime
