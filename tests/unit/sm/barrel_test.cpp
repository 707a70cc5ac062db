// The barrel core on small kernels, cycle by cycle (docs/architecture.md, "The barrel core, cycle by cycle"), with
// warps of four threads and seven stages. An instruction that is fetched at f executes at f + 1, is in the memory stage
// at f + 5, writes back at f + 6, and its unit is fetched again at f + 7. A kernel's first instruction misses at 0 and
// is fetched at 100: what at() gives, the cycle of execution, is 101 for it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core_rig.h"

namespace heddle::sm::test {
namespace {

using probe::Slot;
using testing::ElementsAre;

struct Sm : CheckedRun {
    explicit Sm(const std::string& body, std::uint32_t threads = 4, const std::vector<std::string>& settings = {})
        : CheckedRun(with({"core.width=4", "core.threads=64"}, settings), body, threads) {}
};

constexpr Cycle kFirst = kMemory + 1;
// Instructions 0 to 2: each thread's address, 128 bytes apart.
const std::string kAddress = "ld.param.u64 %d1, [x]; mov.u32 %r1, %tid.x; mad.wide.u32 %d2, %r1, 128, %d1;\n";

// Whether it depends on the one before makes no difference.
TEST(Barrel, AnInstructionOfAUnitEverySevenCycles) {
    const Sm r("mov.u32 %r1, 7; add.u32 %r1, %r1, 1; mov.u32 %r2, 2; exit;");
    for (Pc pc = 0; pc < 4; ++pc)
        EXPECT_EQ(r.at(pc), kFirst + 7 * pc);
    EXPECT_EQ(r.cycles, kMemory + 4 * 7);
    EXPECT_EQ(r.slots(Slot::FetchMiss), 1U);
    EXPECT_EQ(r.slots(Slot::Fetch), 99U);
    EXPECT_EQ(r.slots(Slot::Pipeline), 4U * 6U);
}

TEST(Barrel, AUnitEachCycle) {
    const Sm r("mov.u32 %r1, 7; add.u32 %r1, %r1, 1; exit;", 28); // seven units fill the pipeline
    for (unsigned unit = 0; unit < 7; ++unit)
        EXPECT_EQ(r.at(1, unit), kFirst + 7 + unit);
    EXPECT_EQ(r.cycles, kMemory + 3 * 7 + 6);
    EXPECT_EQ(r.slots(Slot::Pipeline), 6U); // while the last one's exit is in it
}

// The load is in the memory stage at 112; its line comes at 212. It writes back at 213, and its unit is fetched at 214.
TEST(Barrel, ALoadThatMisses) {
    const Sm r("ld.param.u64 %d1, [x]; ld.global.u32 %r1, [%d1]; add.u32 %r1, %r1, 1; exit;");
    EXPECT_EQ(r.at(1), kFirst + 7);
    EXPECT_EQ(r.at(2), 215U);
    EXPECT_EQ(r.cycles, 214U + 2U * 7U);
    EXPECT_EQ(r.slots(Slot::Memory), 100U); // 112 to 211
}

// Fetched at 214, in the memory stage at 219: where the latency is 4 it writes back at 223.
TEST(Barrel, ALoadThatHits) {
    const std::string body = "ld.param.u64 %d1, [x]; ld.global.u32 %r1, [%d1]; ld.global.u32 %r2, [%d1];\n"
                             "add.u32 %r1, %r1, %r2; exit;";
    EXPECT_EQ(Sm(body).at(3), 221U + 1U); // as any instruction
    EXPECT_EQ(Sm(body, 4, {"dcache.latency=4"}).at(3), 224U + 1U);
}

// Fetched at 121: in the memory stage from 126 to 129, and those of warp 1, a cycle behind, from 130 to 133. Both come
// back with their last line.
TEST(Barrel, KLinesHoldTheMemoryStageForKCycles) {
    const Sm r(kAddress + "ld.global.u32 %r2, [%d2]; add.u32 %r2, %r2, 1; exit;", 8);
    EXPECT_EQ(r.at(4, 0), 129U + kMemory + 2U + 1U);
    EXPECT_EQ(r.at(4, 1), 133U + kMemory + 2U + 1U);
    EXPECT_EQ(r.slots(Slot::DataPort), 2U * 3U);
}

// One MSHR entry: a line that cannot be sent for waits in order, its flight out of the pipeline. The lines of warp 0
// are sent for at 126, 226, 326, 426, those of warp 1 behind them.
TEST(Barrel, LinesThatWaitForAnMshrEntry) {
    const Sm r(kAddress + "ld.global.u32 %r2, [%d2]; add.u32 %r2, %r2, 1; exit;", 8, {"dcache.mshrs=1"});
    EXPECT_EQ(r.at(4, 0), 126U + 4U * kMemory + 3U);
    EXPECT_EQ(r.at(4, 1), 126U + 8U * kMemory + 3U);
}

// Words 0, 32, 64 and 96 lie in bank 0 of 32: the load is in the memory stage from 126 to 129.
TEST(Barrel, BankConflictsHoldTheMemoryStage) {
    const std::string body = ".shared .align 4 .b8 s[1024]; mov.u32 %r1, %tid.x; mov.u32 %r2, s;\n"
                             "mad.lo.u32 %r3, %r1, STRIDE, %r2; ld.shared.u32 %r4, [%r3]; add.u32 %r4, %r4, 1; exit;";
    const auto with_stride = [&](const std::string& stride) {
        std::string text = body;
        return text.replace(text.find("STRIDE"), 6, stride);
    };
    const Sm conflicts(with_stride("128"));
    EXPECT_EQ(conflicts.at(3), 122U);
    EXPECT_EQ(conflicts.at(4), 122U + 7U + 3U);
    EXPECT_EQ(conflicts.slots(Slot::BankConflict), 3U);
    EXPECT_EQ(Sm(with_stride("4")).at(4), 122U + 7U);
}

// Warps 0 and 1 write back at 106 and 107; both are fetched behind that.
TEST(Barrel, ABarrier) {
    const Sm r("bar.sync 0; mov.u32 %r1, 1; exit;", 8);
    EXPECT_EQ(r.at(0, 0), kFirst);
    EXPECT_EQ(r.at(0, 1), kFirst + 1);
    EXPECT_EQ(r.at(1, 0), 108U + 1U);
    EXPECT_EQ(r.at(1, 1), 109U + 1U);
    EXPECT_EQ(r.slots(Slot::Barrier), 1U); // 107: warp 0 waits
}

TEST(Barrel, ABranch) {
    const Sm r("mov.u32 %r1, 0;\nL: add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 2; @%p1 bra L; exit;");
    EXPECT_THAT(r.cycles_of(1), ElementsAre(kFirst + 7, kFirst + 4 * 7));
    EXPECT_EQ(r.cycles, kMemory + 8 * 7); // mov, twice three, exit
    EXPECT_EQ(r.core->stats().conditional_branches, 2U);
    EXPECT_EQ(r.core->stats().divergent_branches, 0U);
}

// The store leaves at 112 and is done at 212. The fence, in the memory stage at 119, writes back at 213.
TEST(Barrel, AFenceWaitsForStores) {
    const Sm r("ld.param.u64 %d1, [x]; st.global.u32 [%d1], %r1; membar.gl; exit;", 4, {"dcache.write=evict"});
    EXPECT_EQ(r.at(2), kFirst + 2 * 7);
    EXPECT_EQ(r.at(3), 112U + kMemory + 3U);
}

// At memory, four operations on one word: 100 cycles and three.
TEST(Barrel, AnAtomicWaitsForMemory) {
    const Sm r("ld.param.u64 %d1, [x]; atom.global.add.u32 %r1, [%d1], 3; exit;");
    EXPECT_EQ(r.at(2), 112U + kMemory + 3U + 3U);
    EXPECT_EQ(r.word(0), 12U);
}

// Warp 0's line comes at 212, its write-back is due at 213. Where the last stage is shared and warp 1's instruction is
// in it then, this waits for a cycle, and the pipeline with it.
TEST(Barrel, AWriteBackThatIsShared) {
    const std::string body = "ld.param.u64 %d1, [x]; mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 4;\n"
                             "@%p1 ld.global.u32 %r2, [%d1];\n" // warp 0 only
                             "L: add.u32 %r1, %r1, 1; setp.lt.u32 %p2, %r1, 40; @%p2 bra L; exit;";
    // Warp 0's load: fetched at 121, in the memory stage at 126, its line there at 226, its write-back at 227. Warp 1
    // is fetched every seven cycles from 101 on, and writes back six cycles later: 107, ..., 219, 226, 233.
    const Sm beside(body, 8);
    EXPECT_EQ(beside.at(4, 0), 229U);
    EXPECT_EQ(beside.slots(Slot::WriteBack), 0U);
    // A memory that is a cycle faster has it come back at 226.
    const Sm shared(body, 8, {"core.shared_write_back=true", "dram.row_hit=99", "dram.row_conflict=99"});
    EXPECT_EQ(shared.slots(Slot::WriteBack), 1U);
}

// Threads of one row at PCs of their own, in a bundle: a slot each lane, no instruction cache (mimd).
TEST(Barrel, BundlesOfThreads) {
    const Sm r("mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 2; @%p1 bra B;\nadd.u32 %r1, %r1, 1;\nB: exit;", 4,
               {"core.formation=mimd"});
    EXPECT_EQ(r.at(0), 1U); // fetched at 0
    EXPECT_THAT(r.cycles_of(4, 0), ElementsAre(3 * 7 + 1));
    EXPECT_THAT(r.cycles_of(4, 3), ElementsAre(4 * 7 + 1));
    EXPECT_EQ(r.cycles, 5U * 7U);
}

// Two blocks where one has room: the second starts when the first has ended.
TEST(Barrel, BlocksOneAfterTheOther) {
    const CheckedRun r({"core.width=4", "core.threads=4"}, "mov.u32 %r1, 1; exit;", 4, 2);
    EXPECT_EQ(r.cycles, kMemory + 2 * 2 * 7);
    EXPECT_EQ(r.core->stats().blocks, 2U);
}

} // namespace
} // namespace heddle::sm::test
