// Warp subdivision on the scoreboarded core: MAWS Figure 3 (i), of which the paper says that conventional warps wait
// for two misses one after the other and divided ones for both at a time. Both threads wait for the first access at the
// instruction behind it, which needs its data.
#include <gtest/gtest.h>

#include "kernel_run.h"

namespace heddle::runtime {
namespace {

// Lines of 128 bytes. Both threads read line 0. A: thread 0 in line 0, thread 1 in line 1. Six dependent additions. B:
// thread t in line `b(t)`, cold lines far apart from A's.
KernelRun run(const std::string& address_of_b, const std::vector<std::string>& settings) {
    std::vector<std::string> all{"gpu.sms=1"};
    all.insert(all.end(), settings.begin(), settings.end());
    const std::string six = "add.u32 %r4, %r4, 1; add.u32 %r4, %r4, 1; add.u32 %r4, %r4, 1; "
                            "add.u32 %r4, %r4, 1; add.u32 %r4, %r4, 1; ";
    return run_kernel_on({.machine = "gtx480", .settings = all},
                         "ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; mad.wide.u32 %rd2, %r1, 4, %rd1;\n"
                         "mad.wide.u32 %rd3, %r1, 132, %rd1;\n" +
                             address_of_b +
                             "ld.global.u32 %r2, [%rd2]; xor.b32 %r2, %r2, %r2; cvt.u64.u32 %rd5, %r2;\n"
                             "add.u64 %rd3, %rd3, %rd5; ld.global.u32 %r3, [%rd3]; add.u32 %r4, %r3, 1;\n" +
                             six +
                             "xor.b32 %r4, %r4, %r4; cvt.u64.u32 %rd5, %r4; add.u64 %rd4, %rd4, %rd5;\n"
                             "ld.global.u32 %r5, [%rd4]; add.u32 %r5, %r5, 1; ret;",
                         2);
}
const std::string kBInLine0 = "mov.u64 %rd4, %rd2;\n";                                   // of both
const std::string kBApart = "sub.u32 %r6, 1, %r1; mad.wide.u32 %rd4, %r6, 512, %rd1;\n"; // 0: line 4; 1: line 0

const std::vector<std::string> kPdom{"core.formation=pdom"};
std::vector<std::string> maws(const std::string& split) {
    return {"core.formation=maws", "maws.split=" + split};
}

class MawsOnTheScoreboardedCore : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Splits, MawsOnTheScoreboardedCore, testing::Values("aggress", "lazy", "latspec"));

// What a miss that is waited for costs more than a hit, by the conventional warp: B after A, or not at all. Divided
// threads wait for both at a time: B costs hardly anything. (Its own request leaves some 100 cycles after A's.)
TEST_P(MawsOnTheScoreboardedCore, TwoMissesAreUnderWayAtOnce) {
    const Cycle hit = run(kBInLine0, kPdom).cycles;
    const Cycle miss = run(kBApart, kPdom).cycles;
    ASSERT_GT(miss, hit + 200); // the machine's misses take that long (L2 and DRAM)
    const KernelRun divided = run(kBApart, maws(GetParam()));
    EXPECT_LT(divided.cycles, hit + 60);
    EXPECT_EQ(divided.counter("maws", "splits"), 1U);
}

// Nothing of the kind where it does not help: no thread misses at B.
TEST_P(MawsOnTheScoreboardedCore, CostsLittleWhereAllHitAtB) {
    EXPECT_LE(run(kBInLine0, maws(GetParam())).cycles, run(kBInLine0, kPdom).cycles + 20);
}

TEST(MawsOnTheScoreboardedCore, ConventionalWarpsAreThoseOfPdom) {
    for (const std::string& b : {kBInLine0, kBApart})
        EXPECT_EQ(run(b, maws("none")).cycles, run(b, kPdom).cycles);
}

} // namespace
} // namespace heddle::runtime
