// Loop bypassing (MAWS 5.5): a conditional branch whose reconvergence point is that of the stack's top, and which goes
// there or on, delimits the trips of a loop. Warp-splits do not wait for each other there.

#include <gmock/gmock.h>

#include "split_driver.h"

namespace heddle::formation {
namespace {

using testing::ElementsAre;

constexpr Pc kAccess = 1;
constexpr Pc kBranch = 3;
constexpr Pc kBehind = 4;

// A loop of three instructions and its branch:
//   0
//   1   an access
//   2
//   3   if (again) goto 1     its post-dominator is 4
//   4
class MawsLoops : public testing::Test {
protected:
    std::unique_ptr<SplitDriver> d;

    void make(const std::vector<std::string>& settings = {}) {
        std::vector<std::string> all = {"maws.split=aggress"};
        all.insert(all.end(), settings.begin(), settings.end());
        d = std::make_unique<SplitDriver>(4, std::vector<warp::Part>{{0, 0xf}}, all);
        d->branch_at(kBranch, kAccess, kBehind);
        d->run(0);
    }
    // A trip in which all threads of the unit hit; those in `again` start another.
    void trip(UnitId unit, LaneMask again) {
        d->access(unit, 0xf);
        d->run(unit);
        d->branch(unit, again);
    }
};

// The loop's first execution pushes it (loop_push = first): from then on its branch is known.
TEST_F(MawsLoops, ARunAheadPassesTheBranchOfALoop) {
    make();
    trip(0, 0xf);
    const UnitId ahead = d->access(0, 0b0011);
    d->run(ahead);
    EXPECT_EQ(d->pc(ahead), kBranch);
    EXPECT_TRUE(d->eligible(ahead));
    EXPECT_EQ(d->counter("bypassed"), 1U);
    d->branch(ahead, 0b0011);
    EXPECT_EQ(d->pc(ahead), kAccess);
    EXPECT_EQ(d->lanes(ahead), 0b0011U);
    EXPECT_EQ(d->pc(0), kAccess); // still in the trip before
    EXPECT_EQ(d->lanes(0), 0b1100U);
    EXPECT_TRUE(d->boosted(0));
}

// In the first iteration the branch is not known to be a loop's.
TEST_F(MawsLoops, TheFirstTripIsWaitedFor) {
    make();
    const UnitId ahead = d->access(0, 0b0011);
    d->run(ahead);
    EXPECT_FALSE(d->eligible(ahead));
}

TEST_F(MawsLoops, WithoutBypassingTheBranchIsWaitedFor) {
    make({"maws.loop_bypass=false"});
    trip(0, 0xf);
    trip(0, 0b0111); // also where the loop is on the stack
    const UnitId ahead = d->access(0, 0b0011);
    d->run(ahead);
    EXPECT_FALSE(d->eligible(ahead));
    EXPECT_EQ(d->counter("bypassed"), 0U);
    EXPECT_EQ(d->counter("parked"), 1U);
}

// The other reading (loop_push = divergent): a loop that all threads go on with is not on the stack.
TEST_F(MawsLoops, AUniformLoopIsKnownOnlyWhereItIsPushed) {
    make({"maws.loop_push=divergent"});
    trip(0, 0xf);
    UnitId ahead = d->access(0, 0b0011);
    d->run(ahead);
    EXPECT_FALSE(d->eligible(ahead));
    make({"maws.loop_push=divergent"});
    trip(0, 0b0111);
    ahead = d->access(0, 0b0011);
    d->run(ahead);
    EXPECT_TRUE(d->eligible(ahead));
}

// "Threads that take the other path will be suspended": they are in no warp-split. The others go on.
TEST_F(MawsLoops, ThreadsThatLeaveWaitInTheEntryBelow) {
    make();
    trip(0, 0xf);
    const UnitId ahead = d->access(0, 0b0011);
    const auto flight = d->last;
    d->run(ahead);
    d->branch(ahead, 0b0010);
    EXPECT_EQ(d->lanes(ahead), 0b0010U);
    EXPECT_EQ(d->pc(ahead), kAccess);
    EXPECT_TRUE(d->eligible(ahead));
    EXPECT_THAT(d->units(), ElementsAre(0, ahead));

    d->back(flight);
    d->run(0);
    d->branch(0, 0); // the fall-behind leaves as a whole
    EXPECT_THAT(d->units(), ElementsAre(ahead));
    EXPECT_EQ(d->counter("met"), 1U);
    EXPECT_EQ(d->lanes(ahead), 0b0010U);

    trip(ahead, 0); // and so does the last thread: all are behind the loop
    EXPECT_THAT(d->units(), ElementsAre(ahead));
    EXPECT_EQ(d->lanes(ahead), 0b1111U);
    EXPECT_EQ(d->pc(ahead), kBehind);
    EXPECT_TRUE(d->eligible(ahead));
}

// The run-ahead leaves first, and waits for the rest behind the loop.
TEST_F(MawsLoops, ARunAheadDoesNotPassTheEndOfTheLoop) {
    make();
    trip(0, 0xf);
    const UnitId ahead = d->access(0, 0b0011);
    const auto flight = d->last;
    d->run(ahead);
    d->branch(ahead, 0);
    EXPECT_THAT(d->units(), ElementsAre(0));
    d->back(flight);
    d->run(0);
    d->branch(0, 0b0100);
    EXPECT_EQ(d->lanes(0), 0b0100U);
    trip(0, 0);
    EXPECT_EQ(d->lanes(0), 0b1111U);
    EXPECT_EQ(d->pc(0), kBehind);
}

// A trip behind, at the same PC: they merge all the same, and the smaller count is the merged one's (assumed).
TEST_F(MawsLoops, WarpSplitsOfDifferentTripsMerge) {
    make();
    trip(0, 0xf); // 4 instructions with that at 0
    const UnitId ahead = d->access(0, 0b0011);
    const auto flight = d->last;
    d->run(ahead);
    d->branch(ahead, 0b0011);
    d->access(ahead, 0); // waits in the trip behind the fall-behind's, at the same access
    EXPECT_THAT(d->units(), ElementsAre(0));
    EXPECT_EQ(d->lanes(0), 0b1111U);
    EXPECT_EQ(d->counter("merges_waiting"), 1U);
    d->back(d->last);
    d->back(flight);
    EXPECT_EQ(d->run(0), 6U); // after 0, the first trip (3) and the access: 5
}

// A loop whose body has a branch of its own: a warp-split that is ahead waits there, and passes the loop's branch
// before.
TEST_F(MawsLoops, OtherBranchesInTheLoopAreWaitedFor) {
    make();
    d->branch_at(2, 3, 3); // if (...) nothing
    d->access(0, 0xf);
    d->branch(0, 0xf);
    d->branch(0, 0xf); // the loop's
    const UnitId ahead = d->access(0, 0b0011);
    EXPECT_EQ(d->pc(ahead), 2U);
    EXPECT_FALSE(d->eligible(ahead));
    d->back(d->last);
    EXPECT_EQ(d->alive(), 1U);
    EXPECT_EQ(d->lanes(0), 0b1111U);
    EXPECT_TRUE(d->eligible(0));
}

// if (p) { access; if (q) A else B }: both ifs end at 10, so the inner branch has the reconvergence point of the
// stack's top. It goes elsewhere on either side: no loop, and no thread may be parked at 10.
TEST(Maws, AnInnerIfElseThatEndsWhereTheOuterDoesIsNoLoop) {
    SplitDriver d(4, {{0, 0xf}}, {"maws.split=aggress"});
    d.branch_at(0, 5, 10);
    d.branch_at(6, 8, 10);
    d.branch(0, 0b0111);
    const UnitId ahead = d.access(0, 0b0011); // 5
    EXPECT_FALSE(d.eligible(ahead));
    d.back(d.last);
    EXPECT_THAT(d.units(), ElementsAre(0));
    d.branch(0, 0b0001);
    EXPECT_EQ(d.lanes(0), 0b0001U);
    EXPECT_EQ(d.pc(0), 8U);
    d.run(0, 2); // to 10
    EXPECT_EQ(d.lanes(0), 0b0110U);
    EXPECT_EQ(d.pc(0), 7U);
    d.run(0, 3);
    EXPECT_EQ(d.lanes(0), 0b1000U);
    EXPECT_EQ(d.pc(0), 1U);
}

// What a warp's threads do next, in order: PC and threads of its one unit, until it is at `end` as a whole.
std::vector<std::pair<Pc, LaneMask>> rest_of(Driver& d, UnitId unit, Pc end) {
    std::vector<std::pair<Pc, LaneMask>> out;
    for (unsigned i = 0; i < 20; ++i) {
        out.emplace_back(d.pc(unit), d.lanes(unit));
        if (out.back() == std::pair<Pc, LaneMask>{end, 0xf})
            break;
        d.next(unit);
    }
    return out;
}

// 5.5: "it is still guaranteed". A loop within an if, of two threads that run ahead and a third: afterwards the stack
// is what pdom's is after the same loop.
//   0   if (p) goto 5, else on at 1; together again at 12
//   5   access; 6; 7: if (again) goto 5, post-dominator 8; 8 to 11
TEST(Maws, TheStackAfterALoopIsThatOfPdom) {
    SplitDriver d(4, {{0, 0xf}}, {"maws.split=aggress"});
    d.branch_at(0, 5, 12);
    d.branch_at(7, 5, 8);
    d.branch(0, 0b0111);
    d.access(0, 0xf);
    d.run(0);
    d.branch(0, 0b0111);
    const UnitId ahead = d.access(0, 0b0011);
    const auto flight = d.last;
    d.run(ahead);
    d.branch(ahead, 0b0001); // thread 1 leaves in trip 2
    d.access(ahead, 0xf);
    d.run(ahead);
    d.branch(ahead, 0); // thread 0 in trip 3
    d.back(flight);
    d.run(0);
    d.branch(0, 0b0100);
    d.access(0, 0xf);
    d.run(0);
    d.branch(0, 0b0100);
    d.access(0, 0xf);
    d.run(0);
    d.branch(0, 0); // thread 2 in trip 4

    Driver pdom("pdom");
    const warp::Part row[] = {{0, 0xf}};
    pdom.formation->launch(0, row, 0);
    pdom.branch(0, 5, 0b0111, 12);
    for (const LaneMask again : {LaneMask{0b0111}, LaneMask{0b0101}, LaneMask{0b0100}, LaneMask{0}}) {
        pdom.next(0);
        pdom.next(0);
        pdom.branch(0, 5, again, 8);
    }
    ASSERT_EQ(d.alive(), 1U);
    const auto expected = rest_of(pdom, 0, 12);
    EXPECT_EQ(expected.front(), (std::pair<Pc, LaneMask>{8, 0b0111}));
    EXPECT_EQ(rest_of(d, d.units().front(), 12), expected);
}

} // namespace
} // namespace heddle::formation
