#include <array>
#include <vector>

#include <gtest/gtest.h>

#include "contract/formation_driver.h"

namespace heddle::formation {
namespace {

// Width 4: thread (row r, lane l) is unit 4 r + l.
class MimdTest : public testing::Test {
protected:
    Driver d{"mimd"};

    void SetUp() override {
        const std::array<warp::Part, 2> rows{{{1, 0b1111}, {2, 0b0011}}}; // a block of six threads
        d.formation->launch(3, rows, 10);
    }
};

TEST_F(MimdTest, EveryThreadIsAUnitWithItsHomesNumber) {
    std::vector<UnitId> alive;
    d.formation->units.alive.for_each([&](UnitId u) { alive.push_back(u); });
    EXPECT_EQ(alive, (std::vector<UnitId>{4, 5, 6, 7, 8, 9}));
    for (const UnitId u : alive) {
        ASSERT_EQ(d.formation->members(u).size(), 1U);
        EXPECT_EQ(d.formation->members(u).front().row, u / 4);
        EXPECT_EQ(d.lanes(u), LaneMask{1} << u % 4);
        EXPECT_EQ(d.formation->units.block[u], 3);
        EXPECT_EQ(d.formation->units.threads[u], 1);
        EXPECT_EQ(d.pc(u), 10U);
        EXPECT_TRUE(d.eligible(u));
    }
}

TEST_F(MimdTest, AsManySlotsAsLanesAndNoInstructionCache) {
    EXPECT_EQ(d.formation->needs().issue_slots, 4);
    EXPECT_TRUE(d.formation->needs().ideal_fetch);
    EXPECT_TRUE(d.formation->needs().divides_rows);
}

TEST_F(MimdTest, ABranchMovesOnlyItsOwnThread) {
    d.branch(5, 20, 0b0010, 30);
    EXPECT_EQ(d.pc(5), 20U);
    d.branch(6, 20, 0, 30); // not taken
    EXPECT_EQ(d.pc(6), 11U);
    EXPECT_EQ(d.pc(4), 10U);
    EXPECT_EQ(d.alive(), 6U);
    d.next(5);
    EXPECT_EQ(d.pc(5), 21U);
    EXPECT_TRUE(d.eligible(5));
}

// No thread waits for another at a reconvergence point: 5 has passed 30 while 4 is still in front of it.
TEST_F(MimdTest, ThreadsRunFreely) {
    d.branch(5, 29, 0b0010, 30);
    d.next(5);
    d.next(5);
    EXPECT_EQ(d.pc(5), 31U);
    EXPECT_TRUE(d.eligible(5));
    EXPECT_EQ(d.pc(4), 10U);
}

TEST_F(MimdTest, AnIndirectJumpGoesToTheThreadsOwnTarget) {
    ir::MicroOp ret;
    ret.kind = ir::Kind::Return;
    const auto jump = [&](UnitId unit, LaneMask taken) {
        d.step(unit, ret, [&](warp::Flight& flight) {
            warp::Outcome& o = flight.outcome;
            o.kind = warp::Outcome::Kind::Indirect;
            o.taken[0] = taken;
            o.each[0] = 77;
        });
    };
    jump(7, 0b1000);
    EXPECT_EQ(d.pc(7), 77U);
    jump(8, 0); // its guard is false
    EXPECT_EQ(d.pc(8), 11U);
}

TEST_F(MimdTest, AnExitEndsOneThread) {
    d.exit(8, 0b0001);
    EXPECT_EQ(d.alive(), 5U);
    EXPECT_FALSE(d.formation->units.alive.contains(8));
    EXPECT_FALSE(d.eligible(8));
    d.exit(9, 0); // its guard is false
    EXPECT_EQ(d.alive(), 5U);
    EXPECT_EQ(d.pc(9), 11U);
    EXPECT_TRUE(d.eligible(9));
}

TEST_F(MimdTest, ThreadsWaitAtABarrierOneByOne) {
    d.barrier(4, 0b0001);
    d.barrier(6, 0b0100);
    d.barrier(7, 0); // bar.arrive does not wait
    EXPECT_FALSE(d.eligible(4));
    EXPECT_FALSE(d.eligible(6));
    EXPECT_TRUE(d.eligible(7));
    EXPECT_TRUE(d.eligible(5));
    EXPECT_EQ(d.pc(4), 11U);
    const warp::Part one{1, 0b0100};
    d.formation->resume(3, {&one, 1});
    EXPECT_TRUE(d.eligible(6));
    EXPECT_FALSE(d.eligible(4));
}

TEST_F(MimdTest, TheRowsOfABlockThatHasEndedServeTheNext) {
    for (UnitId u = 4; u < 8; ++u)
        d.exit(u, LaneMask{1} << u % 4);
    const std::uint32_t before = d.formation->units.generation[5];
    const warp::Part row{1, 0b0110};
    d.formation->launch(0, {&row, 1}, 50);
    EXPECT_EQ(d.alive(), 4U); // 5, 6 and the first block's 8, 9
    EXPECT_EQ(d.pc(5), 50U);
    EXPECT_EQ(d.formation->units.block[5], 0);
    EXPECT_EQ(d.formation->units.generation[5], before + 1);
}

} // namespace
} // namespace heddle::formation
