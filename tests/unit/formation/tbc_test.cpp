#include <gtest/gtest.h>

#include "contract/formation_driver.h"
#include "stats/snapshot.h"

namespace heddle::formation {
namespace {

using Parts = std::vector<std::pair<RowId, LaneMask>>;
constexpr std::array<UnitId, 3> kStatic{0, 1, 2};

// A block of three rows of four lanes; its static warps are units 0, 1 and 2.
class TbcTest : public testing::Test {
protected:
    std::unique_ptr<Driver> d;

    void make(const std::vector<std::string>& settings = {}, RowId rows = 3) {
        d = std::make_unique<Driver>("tbc", 4, 8, settings);
        std::vector<warp::Part> parts;
        for (RowId r = 0; r < rows; ++r)
            parts.push_back({r, 0xf});
        d->formation->launch(0, parts, 0);
    }

    [[nodiscard]] Parts parts(UnitId unit) const {
        Parts out;
        for (const warp::Part& part : d->formation->members(unit))
            out.emplace_back(part.row, part.lanes);
        return out;
    }

    // The unit executes a conditional branch of which the threads in `taken` (by row) go to `target`.
    void branch(UnitId unit, Pc target, const std::array<LaneMask, 8>& taken, Pc reconvergence) {
        ir::MicroOp op = Driver::of_kind(ir::Kind::Branch);
        op.guard = 0;
        op.reconvergence = reconvergence;
        d->step(unit, op, [&](warp::Flight& flight) {
            flight.outcome.kind = warp::Outcome::Kind::Branch;
            flight.outcome.target = target;
            for (unsigned p = 0; p < flight.group.parts; ++p)
                flight.outcome.taken[p] = taken[flight.group.part[p].row] & flight.group.part[p].lanes;
        });
    }
    void exit(UnitId unit, const std::array<LaneMask, 8>& gone) {
        d->step(unit, Driver::of_kind(ir::Kind::Exit), [&](warp::Flight& flight) {
            flight.outcome.kind = warp::Outcome::Kind::Exit;
            for (unsigned p = 0; p < flight.group.parts; ++p)
                flight.outcome.taken[p] = gone[flight.group.part[p].row] & flight.group.part[p].lanes;
        });
    }
};

TEST_F(TbcTest, StaticWarpsGoOnByThemselves) {
    make();
    d->next(1);
    d->next(1);
    EXPECT_EQ(d->pc(0), 0U);
    EXPECT_EQ(d->pc(1), 2U);
    EXPECT_TRUE(d->eligible(1));
    EXPECT_EQ(parts(1), (Parts{{1, 0xf}}));
}

TEST_F(TbcTest, AConditionalBranchWaitsForTheBlock) {
    make();
    branch(0, 5, {0xf, 0xf, 0xf}, 9);
    EXPECT_FALSE(d->eligible(0));
    branch(2, 5, {0xf, 0xf, 0xf}, 9);
    EXPECT_FALSE(d->eligible(2));
    branch(1, 5, {0xf, 0xf, 0xf}, 9);
    for (const UnitId unit : kStatic) { // all agree: the warps stay as they are, at once
        EXPECT_TRUE(d->eligible(unit));
        EXPECT_EQ(d->pc(unit), 5U);
        EXPECT_EQ(parts(unit), (Parts{{unit, 0xf}}));
    }
}

TEST_F(TbcTest, AnUnconditionalBranchDoesNot) {
    make();
    d->step(0, Driver::of_kind(ir::Kind::Branch), [](warp::Flight& flight) {
        flight.outcome.kind = warp::Outcome::Kind::Branch;
        flight.outcome.target = 5;
        flight.outcome.taken[0] = 0xf;
    });
    EXPECT_TRUE(d->eligible(0));
    EXPECT_EQ(d->pc(0), 5U);
}

// Six of twelve threads go to 5; their columns hold 1, 2, 2 and 1 of them: two warps, where pdom has three. The others
// (2, 1, 1, 2 a column) make two as well.
TEST_F(TbcTest, DivergentThreadsAreCompactedOneWarpACycle) {
    make();
    const std::array<LaneMask, 8> taken = {0b0110, 0b0011, 0b1100};
    branch(0, 5, taken, 9);
    branch(1, 5, taken, 9);
    branch(2, 5, taken, 9);
    EXPECT_EQ(d->alive(), 0U);
    d->formation->tick(10);
    EXPECT_EQ(d->alive(), 1U);
    EXPECT_EQ(parts(0), (Parts{{0, 0b0110}, {1, 0b0001}, {2, 0b1000}}));
    EXPECT_EQ(d->formation->wake, 11U);
    d->formation->tick(11);
    EXPECT_EQ(parts(1), (Parts{{1, 0b0010}, {2, 0b0100}}));
    EXPECT_EQ(d->formation->wake, kNever);
    EXPECT_EQ(d->pc(0), 5U);
    EXPECT_EQ(d->pc(1), 5U);

    // The taken side comes to the reconvergence point: warp 0 waits for warp 1, then the other side runs.
    ir::MicroOp jump = Driver::of_kind(ir::Kind::Branch);
    const auto to_end = [](warp::Flight& flight) {
        flight.outcome.kind = warp::Outcome::Kind::Branch;
        flight.outcome.target = 9;
        for (unsigned p = 0; p < flight.group.parts; ++p)
            flight.outcome.taken[p] = flight.group.part[p].lanes;
    };
    d->step(0, jump, to_end);
    EXPECT_FALSE(d->eligible(0));
    EXPECT_TRUE(d->eligible(1));
    d->step(1, jump, to_end);
    d->settle();
    EXPECT_EQ(d->alive(), 2U);
    EXPECT_EQ(d->pc(0), 1U);
    EXPECT_EQ(parts(0), (Parts{{0, 0b1001}, {1, 0b0100}, {2, 0b0010}}));
    EXPECT_EQ(parts(1), (Parts{{1, 0b1000}, {2, 0b0001}}));
    d->step(1, jump, to_end);
    d->step(0, jump, to_end);
    d->settle();
    // The full mask gives the static warps back.
    for (const UnitId unit : kStatic) {
        EXPECT_EQ(d->pc(unit), 9U);
        EXPECT_EQ(parts(unit), (Parts{{unit, 0xf}}));
    }
}

// An if without else: the threads that skip it are at the reconvergence point already.
TEST_F(TbcTest, ASideThatStartsAtTheReconvergencePointWaitsThere) {
    make();
    const std::array<LaneMask, 8> skip = {0xe, 0xd, 0xb};
    for (const UnitId unit : kStatic)
        branch(unit, 2, skip, 2);
    d->settle();
    EXPECT_EQ(d->alive(), 1U);
    EXPECT_EQ(d->pc(0), 1U);
    EXPECT_EQ(parts(0), (Parts{{0, 1}, {1, 2}, {2, 4}}));
    d->next(0);
    d->settle();
    EXPECT_EQ(d->alive(), 3U);
    EXPECT_EQ(d->pc(2), 2U);
}

// A loop that ends for all threads in one trip jumps to its reconvergence point uniformly.
TEST_F(TbcTest, AUniformBranchToTheReconvergencePointPops) {
    make();
    for (const UnitId unit : kStatic)
        branch(unit, 5, {0xf, 0, 0}, 9);
    d->settle();
    ASSERT_EQ(d->alive(), 1U);
    branch(0, 9, {0xf, 0, 0}, kNoPc);
    d->settle();
    EXPECT_EQ(d->alive(), 2U); // the other side: rows 1 and 2
    EXPECT_EQ(d->pc(0), 1U);
    EXPECT_EQ(parts(0), (Parts{{1, 0xf}}));
}

TEST_F(TbcTest, ThreadsThatExitDoNotKeepTheBlockWaiting) {
    make();
    branch(0, 5, {0xf, 0xf, 0xf}, 9);
    branch(1, 5, {0xf, 0xf, 0xf}, 9);
    exit(2, {0, 0, 0x3});
    EXPECT_FALSE(d->eligible(0));
    EXPECT_EQ(parts(2), (Parts{{2, 0xc}}));
    EXPECT_EQ(d->pc(2), 1U);
    exit(2, {0, 0, 0xc}); // the last warp that had not come
    EXPECT_TRUE(d->eligible(0));
    EXPECT_TRUE(d->eligible(1));
    EXPECT_EQ(d->pc(0), 5U);
    exit(0, {0xf, 0, 0});
    exit(1, {0, 0xf, 0});
    EXPECT_EQ(d->alive(), 0U);
    EXPECT_EQ(d->formation->wake, kNever);
}

TEST_F(TbcTest, ASideThatExitsLeavesTheOther) {
    make();
    for (const UnitId unit : kStatic)
        branch(unit, 5, {0xf, 0x1, 0}, 9);
    d->settle();
    ASSERT_EQ(d->alive(), 2U);
    exit(0, {0xf, 0xf, 0xf});
    EXPECT_EQ(d->alive(), 1U);
    exit(1, {0xf, 0xf, 0xf});
    d->settle();
    EXPECT_EQ(d->alive(), 2U);
    EXPECT_EQ(parts(0), (Parts{{1, 0xe}, {2, 0x1}}));
    EXPECT_EQ(parts(1), (Parts{{2, 0xe}}));
}

TEST_F(TbcTest, BarriersCountThreads) {
    make();
    d->barrier(0);
    EXPECT_FALSE(d->eligible(0));
    const warp::Part some[] = {{0, 0x7}};
    d->formation->resume(0, some);
    EXPECT_FALSE(d->eligible(0));
    const warp::Part rest[] = {{0, 0x8}};
    d->formation->resume(0, rest);
    EXPECT_TRUE(d->eligible(0));
    EXPECT_EQ(d->pc(0), 1U);
}

// The last warp of a side that does not wait at the barrier exits: the other side has to come for the rest.
TEST_F(TbcTest, AnExitMayLeaveOnlyWarpsThatWait) {
    make();
    for (const UnitId unit : kStatic)
        branch(unit, 5, {0xf, 0xf, 0}, 9);
    d->settle();
    d->barrier(1);
    d->settle();
    EXPECT_EQ(d->pc(0), 5U);
    exit(0, {0xf, 0, 0});
    d->settle();
    EXPECT_EQ(d->pc(0), 1U);
    EXPECT_EQ(parts(0), (Parts{{2, 0xf}}));
    EXPECT_TRUE(d->eligible(0));
}

// The first side waits at a barrier right before the sides meet, and the other goes on to there. Released by then, the
// first side's warps are made at 50 and 51 and are where they wait for each other: the first waits a cycle.
TEST_F(TbcTest, AWarpMadeAtTheReconvergencePointWaitsFromThenOn) {
    make();
    for (const UnitId unit : kStatic)
        branch(unit, 8, {0xf, 0xf, 0}, 9);
    d->settle();
    d->barrier(0);
    d->barrier(1);
    d->settle();
    EXPECT_EQ(parts(0), (Parts{{2, 0xf}}));
    for (Pc pc = 1; pc < 9; ++pc)
        d->next(0);
    const warp::Part first[] = {{0, 0xf}, {1, 0xf}};
    d->formation->resume(0, first);
    d->formation->tick(50);
    d->formation->tick(51);
    stats::Tree tree;
    d->formation->add_statistics(tree);
    EXPECT_EQ(tree.snapshot().counter("tbc.reconvergence_wait_cycles"), 1U);
}

// LWM11 5.1: compaction blocks of a size of their own.
TEST_F(TbcTest, ABlockMayHaveSeveralCompactionBlocks) {
    make({"tbc.block=8"}, 5);
    branch(0, 5, {0x3, 0xc}, 9);
    branch(1, 5, {0x3, 0xc}, 9);
    d->settle(); // rows 0 and 1 need no other rows
    EXPECT_EQ(d->pc(0), 5U);
    EXPECT_EQ(parts(0), (Parts{{0, 0x3}, {1, 0xc}}));
    EXPECT_FALSE(d->formation->units.alive.contains(1));
    branch(4, 5, {0, 0, 0, 0, 0xf}, 9); // the last is alone in its block
    EXPECT_TRUE(d->eligible(4));
    EXPECT_TRUE(d->eligible(2));
}

TEST_F(TbcTest, SettingsThatContradictTheCore) {
    EXPECT_NE(Driver("tbc", 4, 8, {"tbc.block=6"}).formation->problems().at(0).find("not a multiple of core.width = 4"),
              std::string::npos);
    EXPECT_NE(Driver("tbc", 1, 256).formation->refusal(200).find("tbc.block"), std::string::npos);
    EXPECT_EQ(Driver("tbc", 1, 256, {"tbc.block=100"}).formation->refusal(200), "");
}

} // namespace
} // namespace heddle::formation
