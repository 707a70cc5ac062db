// States of thread blocks under PRO (III.B, Figure 3) and their order (III.C, III.D).

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scene.h"
#include "sched/pro_blocks.h"

namespace heddle::sched::test {
namespace {

using State = ProBlocks::State;
using testing::ElementsAre;

// Blocks of four warps in slots 0 to 3, with indices 10 to 13 in the grid.
class Blocks : public testing::Test {
protected:
    Scene scene{16};
    std::vector<warp::BlockView> views = std::vector<warp::BlockView>(4);
    std::unique_ptr<ProBlocks> pro;

    void SetUp() override {
        use({});
    }
    void use(ProBlocks::Handling handling) {
        pro = std::make_unique<ProBlocks>(4, handling);
        scene.view.blocks = views;
        pro->set_phase(true, scene.view);
        for (std::uint16_t b = 0; b < 4; ++b) {
            views[b] = {.resident = true, .global_id = 10U + b, .live_threads = 128, .warps = 4};
            pro->start(b, scene.view);
        }
    }
    // So many warps of the block are at a barrier now, and so many have finished. True when warps are to be sorted.
    bool at_barrier(std::uint16_t b, unsigned warps) {
        const bool more = warps > views[b].waiting_warps;
        views[b].waiting_warps = warps;
        return pro->update(b, more ? BlockEvent::AtBarrier : BlockEvent::BarrierReleased, scene.view);
    }
    bool finished(std::uint16_t b, unsigned warps) {
        views[b].finished_warps = warps;
        return pro->update(b, BlockEvent::Exited, scene.view);
    }
    void progress(std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d) {
        views[0].progress = a;
        views[1].progress = b;
        views[2].progress = c;
        views[3].progress = d;
    }
    void end_fast_phase() {
        pro->set_phase(false, scene.view);
    }
};

// Figure 3, beginExec.
TEST_F(Blocks, StartInNoWait) {
    EXPECT_EQ(pro->state(0), State::NoWait);
    EXPECT_THAT(pro->order(), ElementsAre(0, 1, 2, 3));
}

// Figure 3, warpAtBarrier and lastWarpAtBarrier: the last arrival lets all go on, so that none waits.
TEST_F(Blocks, WaitForTheLastWarpAtABarrier) {
    EXPECT_TRUE(at_barrier(2, 1));
    EXPECT_EQ(pro->state(2), State::BarrierWait);
    EXPECT_FALSE(at_barrier(2, 2)); // warps are sorted once
    EXPECT_FALSE(at_barrier(2, 3));
    EXPECT_EQ(pro->state(2), State::BarrierWait);
    views[2].waiting_warps = 0;
    EXPECT_FALSE(pro->update(2, BlockEvent::AtBarrier, scene.view));
    EXPECT_EQ(pro->state(2), State::NoWait);
    EXPECT_FALSE(pro->update(2, BlockEvent::BarrierReleased, scene.view));
    EXPECT_EQ(pro->state(2), State::NoWait);
    EXPECT_TRUE(at_barrier(2, 1)); // the count begins again
    EXPECT_EQ(pro->state(2), State::BarrierWait);
    EXPECT_EQ(pro->stats.barrier_waits, 2U);
}

// Figure 3, warpFin and lastWarpFin.
TEST_F(Blocks, WaitForTheLastWarpToFinish) {
    EXPECT_TRUE(finished(1, 1));
    EXPECT_EQ(pro->state(1), State::FinishWait);
    EXPECT_FALSE(finished(1, 2));
    EXPECT_FALSE(finished(1, 3));
    EXPECT_EQ(pro->state(1), State::FinishWait);
    views[1].finished_warps = 4;
    pro->finish(1, scene.view);
    EXPECT_EQ(pro->state(1), State::Absent);
    EXPECT_THAT(pro->order(), ElementsAre(0, 2, 3));
    EXPECT_EQ(pro->stats.finish_waits, 1U);
}

// Figure 3, lastTBAssignedToSM from each of its three states.
TEST_F(Blocks, ChangeStateWithThePhase) {
    finished(0, 1);
    at_barrier(1, 1);
    end_fast_phase();
    EXPECT_EQ(pro->state(0), State::FinishNoWait);
    EXPECT_EQ(pro->state(1), State::BarrierWait1);
    EXPECT_EQ(pro->state(2), State::FinishNoWait);
    EXPECT_EQ(pro->stats.slow_phases, 1U);
}

// Figure 3, the slow phase: both ways between finishNoWait and barrierWait1, and Finish.
TEST_F(Blocks, WaitAtBarriersInTheSlowPhase) {
    end_fast_phase();
    EXPECT_TRUE(at_barrier(3, 1));
    EXPECT_EQ(pro->state(3), State::BarrierWait1);
    at_barrier(3, 0);
    EXPECT_EQ(pro->state(3), State::FinishNoWait);
    EXPECT_TRUE(finished(3, 1)); // Algorithm 1 line 9 sorts warps in either phase,
    EXPECT_EQ(pro->state(3), State::FinishNoWait);
    EXPECT_FALSE(finished(3, 2));
    pro->finish(3, scene.view);
    EXPECT_EQ(pro->state(3), State::Absent);
    EXPECT_EQ(pro->stats.finish_waits, 0U); // but there is no finishWait
}

TEST_F(Blocks, StartInFinishNoWaitInTheSlowPhase) {
    pro->finish(0, scene.view);
    end_fast_phase();
    pro->start(0, scene.view);
    EXPECT_EQ(pro->state(0), State::FinishNoWait);
}

// Three of four warps are left: when the third of them comes, none waits.
TEST_F(Blocks, WithAFinishedWarpAreInFinishWaitAgainWhenTheyMayGoOn) {
    finished(0, 1);
    EXPECT_TRUE(at_barrier(0, 1)); // Algorithm 1 lines 20 to 22
    EXPECT_EQ(pro->state(0), State::BarrierWait);
    EXPECT_FALSE(at_barrier(0, 2));
    EXPECT_FALSE(at_barrier(0, 0));
    EXPECT_EQ(pro->state(0), State::FinishWait);
}

TEST_F(Blocks, WithAFinishedWarpAreInFinishNoWaitWhenTheyMayGoOnInTheSlowPhase) {
    finished(0, 1);
    at_barrier(0, 1);
    end_fast_phase();
    EXPECT_EQ(pro->state(0), State::BarrierWait1);
    at_barrier(0, 0);
    EXPECT_EQ(pro->state(0), State::FinishNoWait);
}

// Algorithm 1 lines 4 to 9 do not test the state; a later warp of either kind changes nothing.
TEST_F(Blocks, AtABarrierGoToFinishWaitWithTheFirstWarpThatFinishes) {
    at_barrier(0, 1);
    EXPECT_TRUE(finished(0, 1));
    EXPECT_EQ(pro->state(0), State::FinishWait);
    EXPECT_FALSE(at_barrier(0, 2));
    EXPECT_EQ(pro->state(0), State::FinishWait);
    EXPECT_FALSE(at_barrier(0, 0));
    EXPECT_EQ(pro->state(0), State::FinishWait);
}

TEST_F(Blocks, AtABarrierStayThereWhenAFurtherWarpFinishes) {
    finished(0, 1);
    at_barrier(0, 1);
    EXPECT_FALSE(finished(0, 2));
    EXPECT_EQ(pro->state(0), State::BarrierWait);
}

// The exit of the last warp that a barrier waits for: one event with both.
TEST_F(Blocks, ReleasedByAFirstExitAreInFinishWait) {
    at_barrier(0, 3);
    views[0].waiting_warps = 0;
    EXPECT_TRUE(finished(0, 1));
    EXPECT_EQ(pro->state(0), State::FinishWait);
}

// III.C: finishWait before barrierWait before noWait.
TEST_F(Blocks, StatesHaveTheirRank) {
    progress(400, 300, 200, 100);
    at_barrier(2, 1);
    EXPECT_THAT(pro->order(), ElementsAre(2, 0, 1, 3));
    finished(3, 1);
    EXPECT_THAT(pro->order(), ElementsAre(3, 2, 0, 1));
}

// III.C.1: noWait by falling progress, ties by the index in the grid, when they are sorted and not before.
TEST_F(Blocks, NoWaitByFallingProgress) {
    progress(100, 300, 200, 300);
    EXPECT_THAT(pro->order(), ElementsAre(0, 1, 2, 3));
    pro->sort(scene.view);
    EXPECT_THAT(pro->order(), ElementsAre(1, 3, 2, 0));
    EXPECT_EQ(pro->stats.sorts, 1U);
    EXPECT_EQ(pro->stats.new_orders, 1U);
    progress(101, 302, 201, 301);
    pro->sort(scene.view);
    EXPECT_EQ(pro->stats.sorts, 2U);
    EXPECT_EQ(pro->stats.new_orders, 1U);
}

TEST_F(Blocks, TiesGoByTheIndexInTheGridAndNotBySlot) {
    pro->finish(0, scene.view);
    views[0].global_id = 14;
    pro->start(0, scene.view);
    EXPECT_THAT(pro->order(), ElementsAre(1, 2, 3, 0));
    pro->sort(scene.view);
    EXPECT_THAT(pro->order(), ElementsAre(1, 2, 3, 0));
}

// III.C.2: by finished warps, then by progress; sorted whenever a warp of any block finishes.
TEST_F(Blocks, FinishWaitByWarpsFinished) {
    progress(100, 300, 200, 100);
    finished(0, 1);
    finished(1, 1);
    EXPECT_THAT(pro->order(), ElementsAre(1, 0, 2, 3)); // 300 against 100
    finished(2, 1);
    finished(2, 2);
    EXPECT_THAT(pro->order(), ElementsAre(2, 1, 0, 3)); // 2 warps against 1
    progress(400, 300, 200, 100);
    EXPECT_THAT(pro->order(), ElementsAre(2, 1, 0, 3));
    finished(3, 1);
    EXPECT_THAT(pro->order(), ElementsAre(2, 0, 1, 3));
    progress(300, 400, 200, 300);
    pro->finish(2, scene.view);                      // its last warp's finish too
    EXPECT_THAT(pro->order(), ElementsAre(1, 0, 3)); // 0 and 3 tie
}

// III.C.3: by warps at the barrier, then by progress; sorted whenever a warp of any block arrives.
TEST_F(Blocks, BarrierWaitByWarpsAtTheBarrier) {
    progress(100, 300, 200, 100);
    at_barrier(0, 1);
    at_barrier(1, 1);
    EXPECT_THAT(pro->order(), ElementsAre(1, 0, 2, 3));
    at_barrier(2, 1);
    at_barrier(2, 2);
    EXPECT_THAT(pro->order(), ElementsAre(2, 1, 0, 3));
    progress(400, 300, 200, 400);
    finished(3, 1); // no arrival
    EXPECT_THAT(pro->order(), ElementsAre(3, 2, 1, 0));
    at_barrier(3, 1);
    EXPECT_THAT(pro->order(), ElementsAre(2, 0, 3, 1)); // 0 and 3 tie
}

// THRESHOLD sorts noWait alone (Algorithm 1 lines 52 to 61).
TEST_F(Blocks, BlocksThatWaitAreNotSortedByTime) {
    progress(100, 200, 0, 0);
    finished(0, 1);
    finished(1, 1);
    at_barrier(2, 1);
    at_barrier(3, 1);
    EXPECT_THAT(pro->order(), ElementsAre(1, 0, 2, 3));
    progress(300, 200, 0, 100);
    pro->sort(scene.view);
    EXPECT_THAT(pro->order(), ElementsAre(1, 0, 2, 3));
}

// A block that has gone on from its barrier takes its place among the others by its progress.
TEST_F(Blocks, ThatMayGoOnTakeTheirPlaceByProgress) {
    progress(400, 300, 200, 100);
    at_barrier(3, 1);
    EXPECT_THAT(pro->order(), ElementsAre(3, 0, 1, 2));
    progress(400, 300, 200, 250);
    at_barrier(3, 0);
    EXPECT_THAT(pro->order(), ElementsAre(0, 1, 3, 2));
}

// III.D: finishWait is merged with noWait, the least progress first; barrierWait keeps its order, and goes first.
TEST_F(Blocks, SlowPhaseByRisingProgress) {
    progress(400, 300, 200, 100);
    finished(0, 1);
    at_barrier(2, 2);
    at_barrier(3, 1);
    EXPECT_THAT(pro->order(), ElementsAre(0, 2, 3, 1));
    progress(400, 300, 200, 500);
    end_fast_phase();
    EXPECT_THAT(pro->order(), ElementsAre(2, 3, 1, 0));
    at_barrier(2, 0); // 200 is less than 300
    EXPECT_THAT(pro->order(), ElementsAre(3, 2, 1, 0));
    progress(300, 400, 400, 500);
    finished(1, 1); // nothing for the order
    EXPECT_THAT(pro->order(), ElementsAre(3, 2, 1, 0));
    pro->sort(scene.view);
    EXPECT_THAT(pro->order(), ElementsAre(3, 0, 1, 2)); // 1 and 2 tie
}

// III.D: "handled the same way as in fastTBPhase".
TEST_F(Blocks, BarrierWait1ByWarpsAtTheBarrier) {
    progress(100, 300, 200, 100);
    end_fast_phase();
    at_barrier(0, 1);
    at_barrier(1, 1);
    EXPECT_THAT(pro->order(), ElementsAre(1, 0, 3, 2));
    at_barrier(3, 1);
    at_barrier(3, 2);
    EXPECT_THAT(pro->order(), ElementsAre(3, 1, 0, 2));
}

TEST_F(Blocks, WithoutBarrierHandlingStayWhereTheyAre) {
    use({.barrier = false});
    EXPECT_FALSE(at_barrier(3, 1));
    EXPECT_EQ(pro->state(3), State::NoWait);
    EXPECT_TRUE(finished(3, 1));
    EXPECT_EQ(pro->state(3), State::FinishWait);
    EXPECT_FALSE(at_barrier(3, 2));
    EXPECT_FALSE(at_barrier(3, 0));
    EXPECT_EQ(pro->state(3), State::FinishWait);
    end_fast_phase();
    EXPECT_FALSE(at_barrier(3, 1));
    EXPECT_EQ(pro->state(3), State::FinishNoWait);
    EXPECT_EQ(pro->stats.barrier_waits, 0U);
}

TEST_F(Blocks, WithoutFinishHandlingStayWhereTheyAre) {
    use({.finish = false});
    EXPECT_FALSE(finished(3, 1));
    EXPECT_EQ(pro->state(3), State::NoWait);
    EXPECT_THAT(pro->order(), ElementsAre(0, 1, 2, 3));
    EXPECT_TRUE(at_barrier(3, 1));
    EXPECT_EQ(pro->state(3), State::BarrierWait);
    at_barrier(3, 0);
    EXPECT_EQ(pro->state(3), State::NoWait);
    end_fast_phase();
    EXPECT_EQ(pro->state(3), State::FinishNoWait);
}

} // namespace
} // namespace heddle::sched::test
