#include <gtest/gtest.h>

#include "contract/formation_driver.h"
#include "formation/reconvergence_stack.h"

namespace heddle::formation {
namespace {

class PdomTest : public testing::Test {
protected:
    Driver d{"pdom"};

    void launch(LaneMask lanes = 0xf) {
        const warp::Part row{0, lanes};
        d.formation->launch(0, {&row, 1}, 0);
    }
};

// LWM11 Figure 3: A branches to B and C, which meet at D; four threads, A at 0, B at 1, C at 3, D at 5.
TEST_F(PdomTest, Lwm11Figure3) {
    launch();
    d.branch(0, 3, 0b0110, 5); // A: two threads go to C
    EXPECT_EQ(d.pc(0), 3U);    // the taken side runs first (stack.first)
    EXPECT_EQ(d.lanes(0), 0b0110U);
    d.next(0); // C
    d.next(0); // its last instruction falls through to D: pop
    EXPECT_EQ(d.pc(0), 1U);
    EXPECT_EQ(d.lanes(0), 0b1001U);
    d.next(0);                     // B
    d.branch(0, 5, 0b1001, kNoPc); // B jumps to D: pop, all together again
    EXPECT_EQ(d.pc(0), 5U);
    EXPECT_EQ(d.lanes(0), 0b1111U);
}

TEST_F(PdomTest, TheOtherSideRunsFirstOnRequest) {
    Driver other("pdom", 4, 4, {"stack.first=not-taken"});
    const warp::Part row{0, 0xf};
    other.formation->launch(0, {&row, 1}, 0);
    other.branch(0, 3, 0b0110, 5);
    EXPECT_EQ(other.pc(0), 1U);
    EXPECT_EQ(other.lanes(0), 0b1001U);
}

TEST_F(PdomTest, AUniformBranchDoesNotDiverge) {
    launch();
    d.branch(0, 3, 0b1111, 5);
    EXPECT_EQ(d.pc(0), 3U);
    d.branch(0, 7, 0, 9);
    EXPECT_EQ(d.pc(0), 4U);
    EXPECT_EQ(d.lanes(0), 0b1111U);
}

TEST_F(PdomTest, ASideThatStartsAtTheReconvergencePointWaitsThere) {
    launch();
    d.branch(0, 3, 0b0011, 3); // an if without else: the threads that skip it are there already
    EXPECT_EQ(d.pc(0), 1U);
    EXPECT_EQ(d.lanes(0), 0b1100U);
    d.next(0);
    d.next(0);
    EXPECT_EQ(d.pc(0), 3U);
    EXPECT_EQ(d.lanes(0), 0b1111U);
}

TEST_F(PdomTest, NestedBranchesMeetAtOnePoint) {
    launch();
    d.branch(0, 4, 0b0111, 9); // outer
    d.branch(0, 6, 0b0011, 9); // inner, same reconvergence point
    EXPECT_EQ(d.lanes(0), 0b0011U);
    for (int i = 0; i < 3; ++i)
        d.next(0);
    EXPECT_EQ(d.pc(0), 5U);
    EXPECT_EQ(d.lanes(0), 0b0100U);
    d.branch(0, 9, 0b0100, kNoPc);
    EXPECT_EQ(d.pc(0), 1U);
    EXPECT_EQ(d.lanes(0), 0b1000U);
    d.branch(0, 9, 0b1000, kNoPc);
    EXPECT_EQ(d.pc(0), 9U);
    EXPECT_EQ(d.lanes(0), 0b1111U);
}

// A loop that one thread leaves in each trip: 0 body, 1 branch back to 0, 2 behind the loop.
TEST_F(PdomTest, ALoopWhoseThreadsLeaveOneByOneReconvergesBehindIt) {
    launch();
    LaneMask left = 0b1111;
    for (unsigned trip = 0; trip < 3; ++trip) {
        d.next(0);
        left &= left - 1;
        d.branch(0, 0, left, 2);
        EXPECT_EQ(d.pc(0), 0U);
        EXPECT_EQ(d.lanes(0), left);
    }
    d.next(0);
    d.branch(0, 0, 0, 2);
    EXPECT_EQ(d.pc(0), 2U);
    EXPECT_EQ(d.lanes(0), 0b1111U);
}

TEST_F(PdomTest, ExitsLeaveEveryEntry) {
    launch();
    d.branch(0, 3, 0b0110, 5);
    d.exit(0, 0b0010); // one of C's threads
    EXPECT_EQ(d.lanes(0), 0b0100U);
    EXPECT_EQ(d.pc(0), 4U);
    d.exit(0, 0b0100); // the last one: B runs
    EXPECT_EQ(d.pc(0), 1U);
    EXPECT_EQ(d.lanes(0), 0b1001U);
    d.branch(0, 5, 0b1001, kNoPc);
    EXPECT_EQ(d.lanes(0), 0b1001U);
    d.exit(0, 0b1001);
    EXPECT_EQ(d.alive(), 0U);
}

TEST_F(PdomTest, SidesThatNeverMeetRunOneAfterTheOther) {
    launch();
    d.branch(0, 3, 0b0110, kNoPc);
    EXPECT_EQ(d.lanes(0), 0b0110U);
    d.exit(0, 0b0110);
    EXPECT_EQ(d.pc(0), 1U);
    EXPECT_EQ(d.lanes(0), 0b1001U);
}

TEST_F(PdomTest, WaitingThreadsKeepTheWarpBack) {
    launch();
    d.barrier(0, 0b1111);
    EXPECT_FALSE(d.eligible(0));
    EXPECT_EQ(d.pc(0), 1U);
    const warp::Part all{0, 0b1111};
    d.formation->resume(0, {&all, 1});
    EXPECT_TRUE(d.eligible(0));
}

// A recursive function: the same reconvergence PC at two depths must not be confused.
TEST_F(PdomTest, AReconvergencePointBelongsToItsCallDepth) {
    launch();
    ir::MicroOp call;
    call.kind = ir::Kind::Call;
    call.reconvergence = 6;
    const auto call_function = [&](LaneMask taken) {
        d.step(0, call, [&](warp::Flight& flight) {
            warp::Outcome& o = flight.outcome;
            o.kind = warp::Outcome::Kind::Branch;
            o.target = 0;
            o.depth_change = 1;
            o.taken[0] = taken;
        });
    };
    d.branch(0, 5, 0b0011, 6); // at depth 0: two threads to 5, the others to 1; all meet at 6
    EXPECT_EQ(d.pc(0), 5U);
    call_function(0b0011);         // from 5: the function at 0 again, depth 1
    d.branch(0, 6, 0b0011, kNoPc); // reaches PC 6 at depth 1: not the meeting point of depth 0
    EXPECT_EQ(d.pc(0), 6U);
    EXPECT_EQ(d.lanes(0), 0b0011U);
    ir::MicroOp ret;
    ret.kind = ir::Kind::Return;
    d.step(0, ret, [&](warp::Flight& flight) {
        warp::Outcome& o = flight.outcome;
        o.kind = warp::Outcome::Kind::Branch;
        o.target = 6;
        o.depth_change = -1;
        o.taken[0] = 0b0011;
    });
    EXPECT_EQ(d.pc(0), 1U); // now it is: the other side's turn
    EXPECT_EQ(d.lanes(0), 0b1100U);
}

TEST_F(PdomTest, ASpinWhileSiblingsWaitIsLivelock) {
    Driver spin("pdom", 4, 4, {"stack.spin_limit=100"});
    const warp::Part row{0, 0xf};
    spin.formation->launch(0, {&row, 1}, 0);
    spin.branch(0, 0, 0b1110, 1); // thread 0 has the lock and waits at 1
    try {
        for (int i = 0; i < 200; ++i)
            spin.branch(0, 0, 0b1110, 1);
        FAIL() << "no livelock reported";
    } catch (const Livelock& livelock) {
        EXPECT_EQ(livelock.spinning, 0U);
        EXPECT_EQ(livelock.waiting, 1U);
        EXPECT_EQ(livelock.siblings.lanes, 0b0001U);
        EXPECT_EQ(livelock.instructions, 100U);
    }
}

TEST_F(PdomTest, AStoreIsHeadway) {
    Driver spin("pdom", 4, 4, {"stack.spin_limit=100"});
    const warp::Part row{0, 0xf};
    spin.formation->launch(0, {&row, 1}, 0);
    ir::MicroOp store;
    store.kind = ir::Kind::Store;
    spin.branch(0, 0, 0b1110, 2);
    for (int i = 0; i < 200; ++i) {
        spin.step(0, store, [](warp::Flight&) {});
        spin.branch(0, 0, 0b1110, 2);
    }
    EXPECT_EQ(spin.pc(0), 0U);
}

TEST_F(PdomTest, AnIfInsideTheSpinLoopIsNoHeadway) {
    Driver spin("pdom", 4, 4, {"stack.spin_limit=100"});
    const warp::Part row{0, 0xf};
    spin.formation->launch(0, {&row, 1}, 0);
    // 0: if, 1: then, 2: branch back; 3 is behind the loop.
    spin.branch(0, 2, 0b1010, 2);
    spin.next(0);
    spin.branch(0, 0, 0b1110, 3);
    const auto trip = [&] {
        spin.branch(0, 2, 0b1010, 2);
        spin.next(0);
        spin.branch(0, 0, 0b1110, 3);
    };
    EXPECT_THROW(for (int i = 0; i < 100; ++i) trip(), Livelock);
}

// Four warps of 4 threads. A mask has 4 bits; a stack entry two PCs of 32 bits (DWF07 Table 1) and a mask. Splitting
// off one thread after the other parts 4 threads three times, at two entries each.
TEST_F(PdomTest, HardwareCost) {
    const std::vector<cost::HardwareCost> costs = d.formation->hardware_cost();
    ASSERT_EQ(costs.size(), 2U);
    EXPECT_EQ(costs[0].total_bits(), 4U * 4);
    EXPECT_EQ(costs[1].entries, 4U * 6);
    EXPECT_EQ(costs[1].bits, 68U);
    EXPECT_TRUE(costs[1].is_assumed());
    EXPECT_FALSE(costs[0].is_assumed());
}

// That depth is reached: each if nests in the last one's first side, and none is a loop.
TEST(PdomStack, ReachesTheDepthOfItsCost) {
    ReconvergenceStack<LaneMask> stack;
    stack.start(0, 0xf);
    const auto diverge = [&](LaneMask stays, Pc meet) {
        const SideOf<LaneMask> sides[] = {{{meet - 1, 0}, stays}, {{meet - 2, 0}, stack.running.threads & ~stays}};
        stack.diverge(sides, {meet, 0});
    };
    diverge(0b1000, 90);
    diverge(0b0100, 80);
    diverge(0b0010, 70);
    EXPECT_EQ(stack.waiting().size(), 6U);
    EXPECT_EQ(count_lanes(stack.running.threads), 1U); // which cannot diverge
}

TEST(PdomOfOneLane, NeedsNoStack) {
    Driver d("pdom", 1, 4);
    EXPECT_EQ(d.formation->hardware_cost()[1].total_bits(), 0U);
}

} // namespace
} // namespace heddle::formation
