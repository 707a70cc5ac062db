// The threads of an SM and its frame, without a core: the effects of executing and committing instructions on blocks,
// units and counters, and on threads that wait for each other. Rows of four threads.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core_rig.h"

namespace heddle::sm::test {
namespace {

using sched::BlockEvent;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct Sm : FrameRig {
    explicit Sm(const std::string& body, std::uint32_t threads = 8, const std::vector<std::string>& settings = {})
        : FrameRig(with({"core.width=4", "core.threads=32"}, settings), body, threads) {}

    // Executes and commits the next instruction of a unit.
    void step(UnitId unit) {
        frame.commit(execute(unit), 0);
    }
    bool eligible(UnitId unit) const {
        return frame.units.eligible.contains(unit);
    }
    // What has been noted of blocks since the last call.
    std::vector<BlockEvent> events() {
        std::vector<BlockEvent> out;
        for (const ThreadContexts::Change& change : frame.contexts.changes)
            out.push_back(change.event);
        frame.contexts.changes.clear();
        return out;
    }
    CoreStats& stats() {
        return frame.contexts.stats;
    }
};

TEST(ThreadContexts, InstructionsOfThreads) {
    Sm sm("mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 6; @%p1 mov.u32 %r2, 1; exit;", 8);
    EXPECT_EQ(sm.frame.contexts.blocks.resident(), 1U);
    for (int i = 0; i < 3; ++i) {
        sm.step(0);
        sm.step(1);
    }
    EXPECT_EQ(sm.frame.units.pc[1], 3U);
    EXPECT_EQ(sm.stats().thread_instructions, 8U + 8U + 6U); // two guards are false
    EXPECT_EQ(sm.frame.progress[1], 3U * 4U);                // by active threads, whatever their guards
    EXPECT_EQ(sm.frame.view.blocks[0].progress, 6U * 4U);
    sm.frame.contexts.count_slot(3, 4);
    EXPECT_EQ(sm.stats().warp_instructions, 1U);
    EXPECT_EQ(sm.stats().active_lanes[4], 1U);
}

TEST(ThreadContexts, ABlockEndsWithItsLastThread) {
    Sm sm("exit;", 6);
    sm.step(0);
    EXPECT_FALSE(sm.frame.block_ended);
    EXPECT_THAT(sm.events(), ElementsAre(BlockEvent::Exited));
    EXPECT_EQ(sm.frame.view.blocks[0].live_threads, 2U);
    sm.step(1);
    EXPECT_TRUE(sm.frame.block_ended);
    EXPECT_THAT(sm.events(), ElementsAre(BlockEvent::Finished));
    EXPECT_EQ(sm.frame.contexts.blocks.resident(), 0U);
    EXPECT_EQ(sm.stats().blocks, 1U);
    EXPECT_TRUE(sm.frame.units.alive.empty());
}

// A flight names the unit that formed it, not another with its number.
TEST(ThreadContexts, TheUnitOfAFlight) {
    Sm sm("exit;", 4);
    const warp::Flight& flight = sm.execute(0);
    EXPECT_TRUE(sm.frame.unit_lives(flight));
    sm.frame.commit(flight, 0);
    EXPECT_FALSE(sm.frame.unit_lives(flight));
    sm.frame.contexts.start_block({1, 0, 0}, 1, 0);
    EXPECT_TRUE(sm.frame.units.alive.contains(0));
    EXPECT_FALSE(sm.frame.unit_lives(flight));
}

TEST(ThreadContexts, BranchesThatAreCounted) {
    Sm sm("mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 6; @%p1 bra A; mov.u32 %r2, 1; A: exit;", 8);
    for (int i = 0; i < 3; ++i) {
        sm.step(0);
        sm.step(1);
    }
    EXPECT_EQ(sm.stats().conditional_branches, 2U);
    EXPECT_EQ(sm.stats().divergent_branches, 1U); // threads 6 and 7
    EXPECT_EQ(sm.stats().non_loop_branches, 2U);
}

TEST(SyncUnit, ABarrierOfAllThreadsOfABlock) {
    Sm sm("bar.sync 0; exit;", 8);
    sm.step(0);
    EXPECT_FALSE(sm.eligible(0));
    EXPECT_TRUE(sm.frame.at_barrier.contains(0));
    EXPECT_EQ(sm.frame.contexts.sync.threads_at_barriers(), 4U);
    EXPECT_EQ(sm.frame.view.blocks[0].waiting_threads, 4U);
    EXPECT_EQ(sm.frame.view.blocks[0].waiting_warps, 1U);
    EXPECT_THAT(sm.events(), ElementsAre(BlockEvent::AtBarrier));
    sm.step(1);
    EXPECT_TRUE(sm.eligible(0));
    EXPECT_TRUE(sm.eligible(1));
    EXPECT_EQ(sm.frame.contexts.sync.threads_at_barriers(), 0U);
    EXPECT_EQ(sm.frame.view.blocks[0].waiting_warps, 0U);
    EXPECT_EQ(sm.stats().barriers, 1U);
    EXPECT_THAT(sm.events(), ElementsAre(BlockEvent::AtBarrier, BlockEvent::BarrierReleased));
}

// Those that wait for all live threads go on when the last one that lives elsewhere has exited.
TEST(SyncUnit, AnExitMayCompleteABarrier) {
    Sm sm("mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 4; @%p1 bar.sync 0; exit;", 8);
    for (int i = 0; i < 3; ++i)
        sm.step(0);
    EXPECT_FALSE(sm.eligible(0));
    for (int i = 0; i < 3; ++i)
        sm.step(1);
    static_cast<void>(sm.events());
    sm.step(1);
    EXPECT_TRUE(sm.eligible(0));
    EXPECT_THAT(sm.events(), ElementsAre(BlockEvent::Exited, BlockEvent::BarrierReleased));
}

// A barrier of 64 threads of 96: those of the first eight rows only arrive.
TEST(SyncUnit, ABarrierOfSomeThreads) {
    Sm sm("mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 32; @%p1 bar.arrive 1, 64; @!%p1 bar.sync 1, 64; exit;", 96,
          {"core.threads=128"});
    for (UnitId unit = 0; unit < 16; ++unit) {
        EXPECT_EQ(sm.stats().barriers, 0U);
        for (int i = 0; i < 4; ++i)
            sm.step(unit);
        EXPECT_EQ(sm.eligible(unit), unit < 8 || unit == 15);
    }
    EXPECT_TRUE(sm.eligible(8));
    EXPECT_EQ(sm.stats().barriers, 1U);
    for (int i = 0; i < 4; ++i)
        sm.step(16); // the next round
    EXPECT_FALSE(sm.eligible(16));
}

// Halves of a warp that have parted (serial) wait for each other where their mask says so.
TEST(SyncUnit, ARendezvousOfAWarp) {
    Sm sm("mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 2; @%p1 bra A; mov.u32 %r2, 1;\n"
          "A: bar.warp.sync 15; exit;",
          4, {"core.formation=serial"});
    for (int i = 0; i < 3; ++i)
        sm.step(0);
    std::vector<UnitId> halves;
    sm.frame.units.alive.for_each([&](UnitId u) { halves.push_back(u); });
    ASSERT_EQ(halves.size(), 2U);
    const UnitId first = sm.frame.units.pc[halves[0]] == 4 ? halves[0] : halves[1]; // that took the branch
    const UnitId other = first == halves[0] ? halves[1] : halves[0];
    sm.step(first);
    EXPECT_FALSE(sm.eligible(first));
    EXPECT_EQ(sm.frame.contexts.sync.threads_at_rendezvous(), 2U);
    sm.step(other);
    sm.step(other);
    EXPECT_EQ(sm.frame.contexts.sync.threads_at_rendezvous(), 0U);
    EXPECT_TRUE(sm.eligible(first));
    EXPECT_THAT(sm.events(), IsEmpty()); // no matter of the block's
}

TEST(ThreadContexts, ADeadlockSaysWhoWaitsWhere) {
    Sm sm("bar.sync 1, 32; exit;", 8);
    sm.step(0);
    sm.step(1);
    try {
        sm.frame.contexts.report_deadlock(77);
        FAIL();
    } catch (const exec::Fault& fault) {
        EXPECT_EQ(fault.kind(), exec::Fault::Kind::Stuck);
        EXPECT_THAT(fault.what(), HasSubstr("deadlock in kernel 'k' at cycle 77"));
        EXPECT_THAT(fault.what(), HasSubstr("barrier 1, at which 8 of 32 threads have arrived"));
    }
}

} // namespace
} // namespace heddle::sm::test
