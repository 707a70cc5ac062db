// Asynchronous copies (cp.async, cp.async.bulk) in time: a warp issues several, and waits for all of them at once or
// one by one.
#include <gtest/gtest.h>

#include "kernel_run.h"

namespace heddle::runtime {
namespace {

// One warp copies eight lines, with `between` behind each copy.
KernelRun eight_copies(const std::string& between, std::vector<std::string> settings = {}) {
    std::string body =
        ".shared .align 16 .b8 s[1024];\n"
        "ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 2; mov.u32 %r3, s;\n"
        "add.u32 %r3, %r3, %r2; cvt.u64.u32 %rd2, %r2; add.u64 %rd3, %rd1, %rd2; st.global.u32 [%rd3], %r1;\n";
    for (unsigned i = 0; i < 8; ++i)
        body += "cp.async.ca.shared.global [%r3+" + std::to_string(128 * i) + "], [%rd3+" + std::to_string(4096 * i) +
                "], 4;\n" + between;
    body += "cp.async.wait_all; ld.shared.u32 %r4, [%r3]; st.global.u32 [%rd3+128], %r4; ret;";
    settings.emplace_back("gpu.sms=1");
    return run_kernel_on({.machine = "a100", .settings = settings}, body, 32, 1);
}

// A read of the DRAM takes more than 400 cycles there.
TEST(AsyncCopies, WaitOnceForAll) {
    const KernelRun at_once = eight_copies("");
    const KernelRun one_by_one = eight_copies("cp.async.wait_all;\n");
    EXPECT_GT(one_by_one.cycles, at_once.cycles + 7 * 400);
    for (unsigned t = 0; t < 32; ++t) {
        EXPECT_EQ(at_once.words[32 + t], t);
        EXPECT_EQ(one_by_one.words[32 + t], t);
    }
}

TEST(AsyncCopies, WaitForGroupsLeavesTheLastOnesOnTheirWay) {
    const std::string of_one = "cp.async.commit_group;\n";
    const KernelRun none = eight_copies(of_one + "cp.async.wait_group 0;\n");
    const KernelRun one = eight_copies(of_one + "cp.async.wait_group 1;\n");
    const KernelRun seven = eight_copies(of_one + "cp.async.wait_group 7;\n");
    EXPECT_GT(none.cycles, one.cycles + 3 * 400); // two copies at a time in place of one
    EXPECT_GT(one.cycles, seven.cycles + 2 * 400);
}

// The units of dynamic warps are no warps: copies are loads and stores there, with equal results.
TEST(AsyncCopies, OfDynamicWarps) {
    const KernelRun run =
        eight_copies("", {"core.formation=dwf", "core.dependences=scoreboard", "core.scheduler=dmaj"});
    for (unsigned t = 0; t < 32; ++t)
        EXPECT_EQ(run.words[32 + t], t);
}

// Cycles from the issue of a bulk copy of 1 KiB from shared memory until behind `wait`, in the last of eight rounds.
std::uint32_t cycles_of_bulk_store(const std::string& wait) {
    const std::string body =
        ".reg .b32 %t<4>; .shared .align 128 .b8 s[1024];\n"
        "ld.param.u64 %rd1, [x]; mov.u32 %r3, s; mov.u32 %r4, 7; st.shared.u32 [%r3+8], %r4;\n"
        "fence.proxy.async.shared::cta; mov.u32 %r5, 0;\n"
        "round: mov.u32 %t1, %clock;\n"
        "cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r3], 1024; cp.async.bulk.commit_group;\n" +
        wait +
        "mov.u32 %t2, %clock; sub.u32 %t3, %t2, %t1; cp.async.bulk.wait_group 0;\n"
        "add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 8; @%p1 bra round; st.global.u32 [%rd1+2048], %t3; ret;";
    const KernelRun run = run_kernel_on({.machine = "h100", .settings = {"gpu.sms=1"}}, body, 1, 1);
    EXPECT_EQ(run.words[2], 7U);
    return run.words[512];
}

// The load/store unit takes a line of 128 bytes a cycle.
TEST(AsyncCopies, AWaitForAGroupOfBulkStoresLastsUntilTheirLinesHaveLeftTheLoadStoreUnit) {
    constexpr std::uint32_t kLines = 1024 / 128;
    EXPECT_LT(cycles_of_bulk_store(""), kLines);
    EXPECT_LT(cycles_of_bulk_store("cp.async.bulk.wait_group.read 1;"), kLines); // one may be on its way
    EXPECT_GE(cycles_of_bulk_store("cp.async.bulk.wait_group.read 0;"), kLines);
}

} // namespace
} // namespace heddle::runtime
