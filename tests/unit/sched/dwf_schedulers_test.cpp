// The issue heuristics of dynamic warp formation (DWF07 4.3), their orders by hand.

#include <gtest/gtest.h>

#include "formation/dwf_units.h"
#include "scene.h"
#include "stats/snapshot.h"

namespace heddle::sched::test {
namespace {

class Heuristic : public testing::Test {
protected:
    Scene scene{8};
    std::unique_ptr<Scheduler> scheduler;

    void use(const std::string& name, const std::vector<std::string>& settings = {}) {
        scheduler = scene.make(name, settings);
    }
    void enter(UnitId u, Pc pc, unsigned threads) const {
        scheduler->entered(u, pc, threads);
    }
    // Picks among `ready`; the unit then leaves.
    UnitId pick(std::initializer_list<UnitId> ready) {
        const UnitId u = scene.pick(*scheduler, ready);
        scheduler->left(u);
        return u;
    }
};

TEST_F(Heuristic, MajorityIssuesAllOfThePcWithTheMostThreads) {
    use("dmaj");
    enter(0, 10, 30);
    enter(1, 20, 12);
    enter(2, 20, 20); // 32 threads at 20
    EXPECT_EQ(pick({0, 1, 2}), 1);
    EXPECT_EQ(pick({0, 2}), 2); // 20 now has less than 10, but goes first
    EXPECT_EQ(pick({0}), 0);
}

TEST_F(Heuristic, MajorityTakesLateArrivalsAlong) {
    use("dmaj");
    enter(0, 10, 30);
    enter(1, 20, 32);
    enter(2, 20, 32);
    EXPECT_EQ(pick({0, 1, 2}), 1);
    enter(3, 20, 1);
    enter(4, 10, 32);
    EXPECT_EQ(pick({0, 2, 3, 4}), 2);
    EXPECT_EQ(pick({0, 3, 4}), 3);
    enter(5, 20, 32); // too late: 20 was through, and 10 has 62
    EXPECT_EQ(pick({0, 4, 5}), 0);
    EXPECT_EQ(pick({4, 5}), 4);
    EXPECT_EQ(pick({5}), 5);
}

TEST_F(Heuristic, MajorityTakesTheSmallerPcOnTies) {
    use("dmaj");
    enter(0, 20, 8);
    enter(1, 10, 8);
    EXPECT_EQ(pick({0, 1}), 1);
}

TEST_F(Heuristic, MajorityTakesThePcThatCameFirstOnTies) {
    use("dmaj", {"dmaj.ties=first"});
    enter(0, 20, 8);
    enter(1, 10, 8);
    enter(2, 30, 8);
    EXPECT_EQ(pick({0, 1, 2}), 0);
    enter(3, 20, 8); // into the table anew
    EXPECT_EQ(pick({1, 2, 3}), 1);
    EXPECT_EQ(pick({2, 3}), 2);
    EXPECT_EQ(pick({3}), 3);
}

TEST_F(Heuristic, MajorityCountsThreadsThatJoin) {
    use("dmaj");
    enter(0, 10, 8);
    enter(1, 20, 6);
    scheduler->grew(1, 9);
    EXPECT_EQ(pick({0, 1}), 1);
}

// A unit of the chosen PC that waits for its instruction does not hold the others up, nor is the choice forgotten.
TEST_F(Heuristic, MajorityLetsAnotherPcGoInBetween) {
    use("dmaj");
    enter(0, 10, 4);
    enter(1, 20, 32);
    enter(2, 20, 2);
    enter(3, 10, 4);
    EXPECT_EQ(pick({0, 1, 2, 3}), 1);
    EXPECT_EQ(pick({0, 3}), 0);
    EXPECT_EQ(pick({2, 3}), 2); // 2 threads against 4
}

// Two entries: the third PC is not counted until one is free, however many threads it has.
TEST_F(Heuristic, MajorityCountsAsManyPcsAsTheTableHolds) {
    use("dmaj", {"dmaj.entries=2"});
    enter(0, 10, 1);
    enter(1, 20, 2);
    enter(2, 30, 32);
    enter(3, 40, 32);
    enter(4, 30, 32);
    EXPECT_EQ(pick({0, 1, 2, 3, 4}), 1); // 20 leaves its entry to 30, whose unit has waited longest
    EXPECT_EQ(pick({0, 2, 3, 4}), 2);    // 64 threads
    EXPECT_EQ(pick({0, 3, 4}), 4);
    EXPECT_EQ(pick({0, 3}), 3);
    EXPECT_EQ(pick({0}), 0);
    stats::Tree tree;
    scheduler->add_statistics(tree);
    EXPECT_EQ(tree.snapshot().counter("dmaj.overflows"), 3U);
    EXPECT_EQ(tree.snapshot().counter("dmaj.choices"), 4U);
}

TEST_F(Heuristic, MajorityPicksAnUncountedUnitRatherThanNone) {
    use("dmaj", {"dmaj.entries=1"});
    enter(0, 10, 1);
    enter(1, 20, 2);
    EXPECT_EQ(pick({1}), 1); // 0 waits for its instruction
    EXPECT_EQ(pick({0}), 0);
}

TEST_F(Heuristic, MinorityTakesThePcWithTheFewestThreadsEachTime) {
    use("dmin");
    enter(0, 10, 30);
    enter(1, 20, 12);
    enter(2, 20, 20);
    EXPECT_EQ(pick({0, 1, 2}), 0); // 30 against 32
    EXPECT_EQ(pick({1, 2}), 1);
    enter(3, 5, 21);
    EXPECT_EQ(pick({2, 3}), 2); // 20 against 21
    enter(4, 40, 20);
    scheduler->grew(4, 21);
    EXPECT_EQ(pick({3, 4}), 3); // a tie
}

TEST_F(Heuristic, TimeStampTakesTheOldest) {
    use("dtime");
    for (const UnitId u : {UnitId{3}, UnitId{1}, UnitId{2}})
        enter(u, 10, 32);
    EXPECT_EQ(pick({1, 2}), 1); // 3 cannot go
    enter(1, 10, 32);
    EXPECT_EQ(pick({1, 2, 3}), 3);
    EXPECT_EQ(pick({1, 2}), 2);
    EXPECT_EQ(pick({1}), 1);
}

TEST_F(Heuristic, ProgramCounterTakesTheSmallestPc) {
    use("dpc");
    enter(0, 30, 32);
    enter(1, 10, 1);
    enter(2, 20, 32);
    enter(3, 10, 32);
    EXPECT_EQ(pick({0, 1, 2, 3}), 1); // the older of two at 10
    EXPECT_EQ(pick({0, 2}), 2);       // 3 cannot go
    EXPECT_EQ(pick({0, 3}), 3);
}

TEST_F(Heuristic, PostDominatorPriorityTakesTheOneThatHasPassedFewest) {
    use("dpdpri");
    ir::Program program;
    program.ops.resize(3);
    program.ops[2].meets = true; // the post-dominator of a branch
    scene.view.program = &program;
    scene.units.pc = {0, 0, 2, 1, 0, 0, 0, 0};
    scene.units.formation_word = {2, 1, 0, 1, 0, 0, 0, 0};
    scene.units.threads = {32, 8, 32, 16, 0, 0, 0, 0};
    for (UnitId u = 0; u < 8; ++u)
        scene.units.set_birth(u, u);
    for (const UnitId u : {UnitId{0}, UnitId{1}, UnitId{2}, UnitId{3}})
        enter(u, scene.units.pc[u], scene.units.threads[u]);
    // Units 1, 2 (0, and it stands at a post-dominator) and 3 have passed one, unit 0 two: the fullest of the three.
    EXPECT_EQ(scene.pick(*scheduler, {0, 1, 2, 3}), 2);
    EXPECT_EQ(scene.pick(*scheduler, {0, 1, 3}), 3); // 2 waits for its instruction
    EXPECT_EQ(scene.pick(*scheduler, {0, 1}), 1);
    scene.units.threads[1] = 16;
    scheduler->grew(1, 16);
    EXPECT_EQ(scene.pick(*scheduler, {1, 3}), 1); // as full as 3, and older
    EXPECT_EQ(pick({0, 1, 2, 3}), 2);
    EXPECT_EQ(pick({0, 1, 3}), 1);
    scene.units.pc[2] = 1; // another with its number
    scene.units.formation_word[2] = 0;
    scene.units.threads[2] = 1;
    enter(2, 1, 1);
    EXPECT_EQ(pick({0, 2, 3}), 2);
    scene.units.formation_word[3] = 3; // one that has passed more joins
    scheduler->grew(3, 17);
    EXPECT_EQ(pick({0, 3}), 0);
    EXPECT_EQ(pick({3}), 3);
}

TEST_F(Heuristic, PairsWithoutAMeaningAreRefused) {
    const warp::UnitTraits dwf{
        .die_at_issue = true, .span_blocks = true, .formation_word = formation::kPostdominatorsPassed};
    const warp::UnitTraits warps{};
    for (const char* const name : {"two-level", "srr"})
        EXPECT_FALSE(scene.make(name)->objection(dwf).empty()) << name;
    for (const char* const name : {"dmaj", "dmin", "dtime", "dpdpri", "dpc", "rr", "gto"})
        EXPECT_EQ(scene.make(name)->objection(dwf), "") << name;
    for (const char* const name : {"dmaj", "dmin", "dtime", "dpc", "two-level", "srr"})
        EXPECT_EQ(scene.make(name)->objection(warps), "") << name;
    EXPECT_FALSE(scene.make("dpdpri")->objection(warps).empty());
}

// DWF07 Table 1: 32 entries of PC (32 bits) and counter (8 bits), for a pool of 256 warps.
TEST_F(Heuristic, MajorityCostsWhatTable1Says) {
    const auto majority = schedulers().make("dmaj", {.units = 256}, config::Machine::defaults({}));
    const std::vector<cost::HardwareCost> cost = majority->hardware_cost();
    ASSERT_EQ(cost.size(), 1U);
    EXPECT_EQ(cost[0].entries * cost[0].bits, 1280U);
    EXPECT_DOUBLE_EQ(cost[0].area(), 1.511);
}

} // namespace
} // namespace heddle::sched::test
