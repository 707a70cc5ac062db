#include <vector>

#include <gtest/gtest.h>

#include "formation/reconvergence_stack.h"

namespace heddle::formation {
namespace {

using Stack = ReconvergenceStack<LaneMask>;

constexpr auto anybody = [](Point, bool) { return true; };

// Eight threads part at 0 into 1 (lanes 0 to 3) and 5 (lanes 4 to 7), to meet at 9; then 5's side into 6 and 7, to meet
// at 8. From the bottom: join 9, side 1, join 8, side 6; side 7 runs.
Stack nested() {
    Stack stack;
    stack.start(0, 0xff);
    const SideOf<LaneMask> outer[] = {{{5, 0}, 0xf0}, {{1, 0}, 0x0f}};
    stack.diverge(outer, {9, 0});
    const SideOf<LaneMask> inner[] = {{{7, 0}, 0xc0}, {{6, 0}, 0x30}};
    stack.diverge(inner, {8, 0});
    return stack;
}

// An entry as DWF07 Figure 5 writes it: reconvergence PC, next PC, mask.
struct Line {
    Pc reconvergence, next;
    LaneMask mask;
    bool operator==(const Line&) const = default;
};

// From the bottom up. The figure's top of stack is what runs.
std::vector<Line> dump(const Stack& stack) {
    std::vector<Line> out;
    for (const Stack::Entry& e : stack.waiting())
        out.push_back({e.reconvergence.pc, e.at.pc, e.threads});
    out.push_back({stack.running.reconvergence.pc, stack.running.at.pc, stack.running.threads});
    return out;
}

// DWF07 Figure 5 (c), (d), (e) as described in 3.2: of four threads the first three go from A to B and the last to F,
// to meet at G; of the three at B one goes to C and two to D, to meet at E. The figure's masks have the first thread on
// the left; here it is bit 0.
TEST(ReconvergenceStack, Dwf07Figure5) {
    constexpr Pc kA = 0, kB = 10, kC = 20, kD = 30, kE = 40, kF = 50, kG = 60;
    Stack stack;
    stack.start(kA, 0b1111);
    const SideOf<LaneMask> of_a[] = {{{kB, 0}, 0b0111}, {{kF, 0}, 0b1000}};
    stack.diverge(of_a, {kG, 0});
    const std::vector<Line> c = {{kNoPc, kG, 0b1111}, {kG, kF, 0b1000}, {kG, kB, 0b0111}};
    EXPECT_EQ(dump(stack), c);
    const SideOf<LaneMask> of_b[] = {{{kC, 0}, 0b0001}, {{kD, 0}, 0b0110}};
    stack.diverge(of_b, {kE, 0});
    // (i) the old top waits at E, (ii) the threads that did not take the branch are at D, (iii) those that took it are
    // at C.
    const std::vector<Line> d = {
        {kNoPc, kG, 0b1111}, {kG, kF, 0b1000}, {kG, kE, 0b0111}, {kE, kD, 0b0110}, {kE, kC, 0b0001}};
    EXPECT_EQ(dump(stack), d);
    stack.running.at.pc = kE; // C ends
    stack.reconverge(0);
    EXPECT_EQ(stack.running.at.pc, kD);
    stack.running.at.pc = kE; // and D
    stack.reconverge(0);
    const std::vector<Line> e = {{kNoPc, kG, 0b1111}, {kG, kF, 0b1000}, {kG, kE, 0b0111}};
    EXPECT_EQ(dump(stack), e);
}

TEST(ReconvergenceStack, NestedSides) {
    const Stack stack = nested();
    EXPECT_EQ(stack.running.at.pc, 7U);
    EXPECT_EQ(stack.running.reconvergence.pc, 8U);
    ASSERT_EQ(stack.waiting().size(), 4U);
    EXPECT_EQ(stack.waiting()[0].at.pc, 9U);
    EXPECT_EQ(stack.waiting()[1].at.pc, 1U);
    EXPECT_EQ(stack.waiting()[2].at.pc, 8U);
    EXPECT_EQ(stack.waiting()[3].at.pc, 6U);
}

TEST(ReconvergenceStack, GivesWayToTheNearestSideThatDoesNotWait) {
    Stack stack = nested();
    ASSERT_TRUE(stack.give_way(0xc0, anybody)); // 7 waits: 6 runs
    EXPECT_EQ(stack.running.at.pc, 6U);
    ASSERT_TRUE(stack.give_way(0xf0, anybody)); // 6 waits, too: side 1, not the joins, whose threads are above them
    EXPECT_EQ(stack.running.at.pc, 1U);
    EXPECT_EQ(stack.running.threads, 0x0fU);
    EXPECT_FALSE(stack.give_way(0xff, anybody)); // all wait
    // 1 comes to 9: the sides that waited go on where they were and meet at 8, then all at 9.
    stack.running.at.pc = 9;
    EXPECT_TRUE(stack.reconverge(0));
    EXPECT_EQ(stack.running.at.pc, 6U);
    stack.running.at.pc = 8;
    EXPECT_TRUE(stack.reconverge(0));
    EXPECT_EQ(stack.running.at.pc, 7U);
    stack.running.at.pc = 8;
    EXPECT_TRUE(stack.reconverge(0));
    EXPECT_EQ(stack.running.at.pc, 8U);
    EXPECT_EQ(stack.running.threads, 0xf0U);
    stack.running.at.pc = 9;
    EXPECT_TRUE(stack.reconverge(0));
    EXPECT_EQ(stack.running.threads, 0xffU);
    EXPECT_TRUE(stack.empty());
}

// Of four threads at 9 two have come to the join; the others wait at a barrier in a side.
TEST(ReconvergenceStack, GivesWayToThoseWhoHaveComeToAJoin) {
    Stack stack;
    stack.start(0, 0xf);
    const SideOf<LaneMask> sides[] = {{{9, 0}, 0x3}, {{1, 0}, 0xc}};
    stack.diverge(sides, {9, 0});
    ASSERT_EQ(stack.running.threads, 0xcU);
    EXPECT_FALSE(stack.give_way(0xc, [](Point at, bool join) { return at.pc != 9 || !join; }));
    ASSERT_TRUE(stack.give_way(0xc, anybody));
    EXPECT_EQ(dump(stack), (std::vector<Line>{{kNoPc, 9, 0xc}, {9, 1, 0xc}, {kNoPc, 9, 0x3}}));
    EXPECT_FALSE(stack.give_way(0xf, anybody)); // they wait, too
    EXPECT_TRUE(stack.leave(0x3));              // or exit: the side is back
    stack.running.at.pc = 9;
    EXPECT_FALSE(stack.reconverge(0xc)); // not before it need not wait
    EXPECT_TRUE(stack.reconverge(0));
    EXPECT_EQ(stack.running.threads, 0xcU);
    EXPECT_TRUE(stack.empty());
}

// Where several PTX warps share a stack, threads of a side may have waited together: the waits of some have ended.
TEST(ReconvergenceStack, GivesWayToThreadsOfASideWhoseOthersWait) {
    Stack stack;
    stack.start(0, 0xff);
    const SideOf<LaneMask> sides[] = {{{1, 0}, 0x0f}, {{5, 0}, 0xf0}};
    stack.diverge(sides, {9, 0});
    ASSERT_EQ(stack.running.threads, 0x0fU);
    ASSERT_TRUE(stack.give_way(0x3f, anybody)); // of the side at 5, two threads do not wait
    EXPECT_EQ(dump(stack), (std::vector<Line>{{kNoPc, 9, 0xff}, {9, 5, 0x30}, {9, 1, 0x0f}, {9, 5, 0xc0}}));
    stack.running.at.pc = 9;
    EXPECT_TRUE(stack.reconverge(0)); // the waits of the others have ended: they go on, and all meet
    EXPECT_EQ(stack.running.threads, 0x0fU);
    stack.running.at.pc = 9;
    EXPECT_TRUE(stack.reconverge(0));
    EXPECT_EQ(stack.running.threads, 0x30U);
    stack.running.at.pc = 9;
    EXPECT_TRUE(stack.reconverge(0));
    EXPECT_EQ(stack.running.threads, 0xffU);
}

TEST(ReconvergenceStack, TheRunningThreadsThatDoNotWaitGoAhead) {
    Stack stack;
    stack.start(0, 0xff);
    const SideOf<LaneMask> sides[] = {{{9, 0}, 0xf0}, {{1, 0}, 0x0f}};
    stack.diverge(sides, {9, 0});
    EXPECT_FALSE(stack.go_ahead(0xff));
    ASSERT_TRUE(stack.go_ahead(0x03));
    EXPECT_EQ(dump(stack), (std::vector<Line>{{kNoPc, 9, 0xff}, {9, 1, 0x03}, {9, 1, 0x0c}}));
    stack.running.at.pc = 9;
    EXPECT_TRUE(stack.reconverge(0x03)); // the others still wait: all meet when these have come, too
    EXPECT_EQ(stack.running.threads, 0x03U);
    stack.running.at.pc = 9;
    EXPECT_TRUE(stack.reconverge(0));
    EXPECT_EQ(dump(stack), (std::vector<Line>{{kNoPc, 9, 0xff}}));
}

// The sides of a branch, at 1 and 5, meet nowhere, and each parts once more. The one at 1 waits in the middle; the
// other gives way to it in turn: its threads meet at 9 although entries of the other stand above that join.
TEST(ReconvergenceStack, ThreadsMeetBelowThoseWhoGaveWayToThem) {
    const auto only = [](Pc pc) { return [pc](Point at, bool) { return at.pc == pc; }; };
    Stack stack;
    stack.start(0, 0xff);
    const SideOf<LaneMask> sides[] = {{{1, 0}, 0x0f}, {{5, 0}, 0xf0}};
    stack.diverge(sides, kNoPoint);
    const SideOf<LaneMask> of_one[] = {{{2, 0}, 0x03}, {{3, 0}, 0x0c}};
    stack.diverge(of_one, {9, 0});
    stack.running.at.pc = 9;
    ASSERT_TRUE(stack.reconverge(0));
    ASSERT_EQ(stack.running.threads, 0x0cU); // waits at 3
    ASSERT_TRUE(stack.give_way(0x0c, only(5)));
    const SideOf<LaneMask> of_other[] = {{{6, 0}, 0x30}, {{7, 0}, 0xc0}};
    stack.diverge(of_other, {8, 0});
    ASSERT_TRUE(stack.give_way(0x30, only(3))); // 6 waits, 3 does not any more
    stack.running.at.pc = 9;
    ASSERT_TRUE(stack.reconverge(0));
    EXPECT_EQ(stack.running.at.pc, 9U);
    EXPECT_EQ(stack.running.threads, 0x0fU);
}

TEST(ReconvergenceStack, ThreadsThatExitLeaveEveryEntry) {
    Stack stack = nested();
    EXPECT_FALSE(stack.leave(0x40));
    EXPECT_EQ(stack.running.threads, 0x80U);
    EXPECT_EQ(stack.waiting()[2].threads, 0xb0U);
    EXPECT_TRUE(stack.leave(0x80)); // the side is gone: 6 runs
    EXPECT_EQ(stack.running.at.pc, 6U);
    EXPECT_EQ(stack.waiting().size(), 3U);
    EXPECT_TRUE(stack.leave(0x30)); // and with it the join at 8
    EXPECT_EQ(stack.running.at.pc, 1U);
    EXPECT_EQ(stack.waiting().size(), 1U);
}

// Sets of several rows behave as sets of one.
TEST(ReconvergenceStack, RowsOfThreads) {
    RowMasks all(2), taken(2), rest(2);
    all[0] = all[1] = 0xf;
    taken[0] = 0x3;
    taken[1] = 0x8;
    rest = all;
    rest -= taken;
    ReconvergenceStack<RowMasks> stack;
    stack.start(0, all);
    const SideOf<RowMasks> sides[] = {{{5, 0}, taken}, {{1, 0}, rest}};
    stack.diverge(sides, {9, 0});
    EXPECT_EQ(stack.running.threads, taken);
    stack.running.at.pc = 9;
    EXPECT_TRUE(stack.reconverge(RowMasks(2)));
    EXPECT_EQ(stack.running.threads, rest);
    EXPECT_EQ(stack.running.threads.count(), 5U);
    EXPECT_TRUE(stack.leave(rest));
    EXPECT_EQ(stack.running.threads, taken);
    EXPECT_EQ(stack.running.at.pc, 9U);
}

} // namespace
} // namespace heddle::formation
