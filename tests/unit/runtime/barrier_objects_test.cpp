// Waits for barrier objects, and bulk copies, in native code on the machine of Hopper.
#include <gtest/gtest.h>

#include "many_sms.h"

namespace heddle::runtime {
namespace {

// A thread of the first warp counts how often it tries to wait; one of the second warp arrives 2000 cycles later.
std::uint32_t tries(const std::vector<std::string>& settings) {
    const std::string body =
        ".shared .align 8 .b64 object;\n" + kMine +
        "mov.u32 %r5, object; mov.u32 %r9, 0; setp.ne.u32 %p1, %r3, 0; @%p1 bra ready;\n"
        "mbarrier.init.shared::cta.b64 [%r5], 1;\n"
        "ready: bar.sync 0; setp.lt.u32 %p1, %r3, 32; @%p1 bra try;\n"
        "mov.u32 %r6, %clock;\n"
        "spin: mov.u32 %r7, %clock; sub.u32 %r7, %r7, %r6; setp.lt.u32 %p2, %r7, 2000; @%p2 bra spin;\n"
        "mbarrier.arrive.shared::cta.b64 _, [%r5]; bra end;\n"
        "try: add.u32 %r9, %r9, 1; mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r5], 0; @!%p2 bra try;\n"
        "end: st.global.u32 [%rd2], %r9; ret;";
    RunSetup setup{.machine = "h100", .settings = settings};
    setup.settings.emplace_back("gpu.sms=1");
    return run_kernel_on(setup, body, 33).words[0];
}

TEST(BarrierObjects, ATryWaitSuspendsItsWarpUntilThePhaseIsOver) {
    EXPECT_EQ(tries({}), 1U);
}

// 2000 cycles in waits of 100, each with a read, an answer and a branch. The last try finds that the phase is over.
TEST(BarrierObjects, ATryWaitEndsAtItsLimit) {
    const std::uint32_t waits = tries({"sub_core.phase_wait=100"}) - 1;
    EXPECT_GT(waits, 2000U / 200);
    EXPECT_LT(waits, 2000U / 115);
}

TEST(BarrierObjects, WithoutALimitItDoesNotWait) {
    EXPECT_GT(tries({"sub_core.phase_wait=0"}), 2000U / 80);
}

// The words of a tile of 4 KiB are there when the wait has ended.
TEST(BarrierObjects, ABulkCopyIsMadeByItsUnit) {
    const std::string body =
        ".shared .align 128 .b8 tile[4096]; .shared .align 8 .b64 object;\n" + kMine +
        "mov.u32 %r5, object; mov.u32 %r6, tile; mbarrier.init.shared::cta.b64 [%r5], 1;\n"
        "st.global.u32 [%rd1+4000], 77;\n"
        "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r5], 4096;\n"
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r6], [%rd1], 4096, [%r5];\n"
        "try: mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r5], 0; @!%p2 bra try;\n"
        "ld.shared.u32 %r9, [%r6+4000]; st.global.u32 [%rd2], %r9; ret;";
    RunSetup setup{.machine = "h100", .settings = {"gpu.sms=1"}};
    const KernelRun by_unit = run_kernel_on(setup, body, 1);
    EXPECT_EQ(by_unit.words[0], 77U);
    EXPECT_EQ(by_unit.counter("tma", "copies"), 1U);
    EXPECT_EQ(by_unit.counter("tma", "lines"), 32U);
    setup.settings.emplace_back("tma.bytes=0");
    const KernelRun by_load_store = run_kernel_on(setup, body, 1);
    EXPECT_EQ(by_load_store.words[0], 77U);
    EXPECT_EQ(by_load_store.counter("data", "loads"), by_unit.counter("data", "loads"));
}

} // namespace
} // namespace heddle::runtime
