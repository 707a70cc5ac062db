// The WPU on small kernels, cycle by cycle (docs/warp-subdivision.md, "The WPU"), with warps of four threads and hits
// three cycles away. A kernel's first instruction misses in cycle 0 and executes at 100; ld.param is no access.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core_rig.h"

namespace heddle::sm::test {
namespace {

using probe::Slot;

struct Sm : CheckedRun {
    explicit Sm(const std::string& body, std::uint32_t threads = 4, const std::vector<std::string>& settings = {})
        : CheckedRun(with({"core.model=wpu", "core.width=4", "core.threads=64", "dcache.latency=3"}, settings), body,
                     threads) {}
};

constexpr Cycle kStart = kMemory;

TEST(Wpu, AnInstructionACycle) {
    const Sm r("mov.u32 %r1, 7; add.u32 %r1, %r1, 1; add.u32 %r1, %r1, 1; exit;");
    for (Pc pc = 0; pc < 4; ++pc)
        EXPECT_EQ(r.at(pc), kStart + pc);
    EXPECT_EQ(r.cycles, kStart + 4);
}

TEST(Wpu, AWarpsTurnLastsUntilAnAccess) {
    const Sm plain("mov.u32 %r1, 7; add.u32 %r1, %r1, 1; exit;", 8);
    EXPECT_EQ(plain.at(2, 0), kStart + 2);
    EXPECT_EQ(plain.at(0, 1), kStart + 3);
    // Warp 0 loads at 101, warp 1 at 103 from the same line, which is there at 201: 202.
    const Sm loads("ld.param.u64 %d1, [x]; ld.global.u32 %r1, [%d1]; add.u32 %r1, %r1, 1; exit;", 8);
    EXPECT_EQ(loads.at(1, 0), kStart + 1);
    EXPECT_EQ(loads.at(0, 1), kStart + 2);
    EXPECT_EQ(loads.at(2, 0), 202U);
    EXPECT_EQ(loads.at(2, 1), 204U); // when warp 0 has ended
    EXPECT_EQ(loads.cycles, 206U);
}

TEST(Wpu, DataOfAHitAndOfAMiss) {
    const Sm r("ld.param.u64 %d1, [x]; ld.global.u32 %r1, [%d1]; ld.global.u32 %r2, [%d1]; add.u32 %r1, %r1, %r2;\n"
               "exit;");
    EXPECT_EQ(r.at(2), 101U + kMemory + 1U);
    EXPECT_EQ(r.at(3), 202U + 3U);
    EXPECT_EQ(r.slots(Slot::Memory), 99U); // 102 to 200
}

// An access that waits its turn at the caches: warp 0's four lines are looked up from 103 to 106, warp 1's from 107 on.
TEST(Wpu, OneAccessAfterTheOtherAtTheCaches) {
    const Sm r("ld.param.u64 %d1, [x]; mov.u32 %r1, %tid.x; mad.wide.u32 %d2, %r1, 128, %d1;\n"
               "ld.global.u32 %r2, [%d2]; add.u32 %r2, %r2, 1; exit;",
               8);
    EXPECT_EQ(r.at(3, 0), 103U);
    EXPECT_EQ(r.at(3, 1), 107U);
    EXPECT_EQ(r.at(4, 0), 106U + kMemory + 1U);
    EXPECT_EQ(r.at(4, 1), 110U + kMemory + 1U);
}

// The last to come lets both go on, and keeps its turn.
TEST(Wpu, ABarrier) {
    const Sm r("bar.sync 0; mov.u32 %r1, 1; exit;", 8);
    EXPECT_EQ(r.at(0, 0), kStart);
    EXPECT_EQ(r.at(0, 1), kStart + 1);
    EXPECT_EQ(r.at(1, 1), kStart + 2);
    EXPECT_EQ(r.at(1, 0), kStart + 4);
}

TEST(Wpu, ABranchTakesACycle) {
    const Sm r("mov.u32 %r1, 0;\nL: add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 2; @%p1 bra L; exit;");
    EXPECT_EQ(r.cycles, kStart + 8);
    EXPECT_EQ(r.core->stats().conditional_branches, 2U);
}

// Lanes 0 and 1 load from a line that is there, 2 and 3 from one that is not (aggress): those that hit go on three
// cycles later; the others a cycle behind their line, and meet the first nowhere but at the exit.
TEST(Wpu, ThoseThatHitRunAhead) {
    const Sm r("ld.param.u64 %d1, [x]; ld.global.u32 %r1, [%d1]; mov.u32 %r1, %tid.x; shr.u32 %r1, %r1, 1;\n"
               "mad.wide.u32 %d2, %r1, 128, %d1; ld.global.u32 %r2, [%d2]; add.u32 %r2, %r2, 1; exit;",
               4, {"core.formation=maws", "maws.split=aggress"});
    EXPECT_EQ(r.at(5), 202U + 3U); // all of them
    std::vector<Cycle> adds;
    for (const Issued& i : r.issued)
        if (i.pc == 6)
            adds.push_back(i.at);
    EXPECT_THAT(adds, testing::ElementsAre(206U + 3U, 206U + kMemory + 1U)); // line 0 at 205, line 1 at 206
    EXPECT_EQ(r.counter("maws.splits"), 1U);
}

} // namespace
} // namespace heddle::sm::test
