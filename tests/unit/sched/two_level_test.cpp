#include <array>
#include <random>

#include <gtest/gtest.h>

#include "scene.h"
#include "stats/snapshot.h"

namespace heddle::sched::test {
namespace {

// Twelve units in groups of four, unless a test says otherwise.
class TwoLevel : public testing::Test {
protected:
    Scene scene{12};
    std::unique_ptr<Scheduler> scheduler = scene.make("two-level", {"two-level.group=4"});

    UnitId pick(std::initializer_list<UnitId> ready) {
        return scene.pick(*scheduler, ready);
    }
    // Reads switches, strict_switches and timeouts.
    [[nodiscard]] std::array<std::uint64_t, 3> counts() const {
        stats::Tree tree;
        scheduler->add_statistics(tree);
        const stats::Snapshot now = tree.snapshot();
        return {now.counter("two-level.switches"), now.counter("two-level.strict_switches"),
                now.counter("two-level.timeouts")};
    }
    using Counts = std::array<std::uint64_t, 3>;
};

TEST_F(TwoLevel, RoundRobinInTheFirstGroup) {
    for (const unsigned expected : {0U, 1U, 2U, 3U, 0U, 1U})
        EXPECT_EQ(pick({0, 1, 2, 3, 4, 5, 8}), expected);
    EXPECT_EQ(counts(), (Counts{0, 0, 0}));
}

TEST_F(TwoLevel, LowerGroupsIssueWhenTheFirstHasNothingReady) {
    EXPECT_EQ(pick({9, 5}), 5); // the units of group 0 are in the pipeline
    EXPECT_EQ(pick({9}), 9);
    EXPECT_EQ(pick({3, 5, 9}), 3); // group 0 is still the first
}

// LWM11 3.2: the group gives its place away when the last of its warps has reached a long-latency operation.
TEST_F(TwoLevel, AGroupThatWaitsForMemoryBecomesTheLast) {
    scene.long_wait = scene.set({0, 1, 2});
    EXPECT_EQ(pick({5}), 5); // 3 is in the pipeline: no switch
    EXPECT_EQ(pick({3, 5}), 3);
    EXPECT_EQ(counts(), (Counts{0, 0, 0}));
    scene.long_wait = scene.set({0, 1, 2, 3});
    EXPECT_EQ(pick({6, 9}), 6);
    EXPECT_EQ(counts(), (Counts{1, 0, 0}));
    scene.long_wait = scene.set({});
    EXPECT_EQ(pick({0, 7, 9}), 7); // group 1 is the first now,
    EXPECT_EQ(pick({0, 9}), 9);    // then 2, and 0 the last
    EXPECT_EQ(pick({0}), 0);
    EXPECT_EQ(counts(), (Counts{1, 0, 0})); // group 1 is the first all the while
}

TEST_F(TwoLevel, AUnitAtABarrierCountsAsStalled) {
    scene.long_wait = scene.set({0, 1});
    scene.at_barrier = scene.set({2, 3});
    EXPECT_EQ(pick({5}), 5);
    scene.at_barrier = scene.set({});
    EXPECT_EQ(pick({2, 5}), 5); // the switch has been made
}

TEST_F(TwoLevel, AUnitThatMayGoOnFromItsBarrierDoesNot) {
    scene.long_wait = scene.set({0, 1, 3});
    scene.at_barrier = scene.set({2});
    EXPECT_EQ(pick({2, 5}), 2); // eligible again
}

TEST_F(TwoLevel, FinishedUnitsAreIgnored) {
    scene.units.alive = scene.set({3, 4, 5, 8});
    scene.long_wait = scene.set({3});
    EXPECT_EQ(pick({5}), 5);
    scene.long_wait = scene.set({});
    EXPECT_EQ(pick({3, 4}), 4);
}

TEST_F(TwoLevel, OneGroupACycleMovesBack) {
    // Groups 0 and 1 wait; 8 can go. In one cycle only group 0 moves back: 1, 2, 0.
    scene.long_wait = scene.set({0, 1, 2, 3, 4, 5, 6, 7});
    EXPECT_EQ(pick({8}), 8);
    scene.long_wait = scene.set({});
    EXPECT_EQ(pick({0, 4, 8}), 4);
}

TEST_F(TwoLevel, IdleCyclesMoveGroupsBackToo) {
    scene.long_wait = scene.set({0, 1, 2, 3, 4, 5, 6, 7});
    ++scene.now; // a cycle in which nothing could be picked: by the next pick both groups have moved
    EXPECT_EQ(pick({8}), 8);
    EXPECT_EQ(counts(), (Counts{2, 0, 0}));
    scene.long_wait = scene.set({});
    EXPECT_EQ(pick({0, 4, 8}), 8);
}

TEST_F(TwoLevel, NoSwitchWhenEveryGroupWaits) {
    scene.long_wait = scene.set({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
    EXPECT_EQ(pick({5}), 5);
    EXPECT_EQ(counts(), (Counts{0, 0, 0}));
    scene.long_wait = scene.set({});
    EXPECT_EQ(pick({0, 4, 8}), 0);
}

// LWM10 3.2: a unit in the pipeline can not be scheduled, so a group smaller than the pipeline is left early.
TEST_F(TwoLevel, StrictLeavesAGroupWithNothingToSchedule) {
    scheduler = scene.make("two-level", {"two-level.group=4", "two-level.strict=true"});
    EXPECT_EQ(pick({2, 5}), 2);
    EXPECT_EQ(pick({5, 9}), 5);
    EXPECT_EQ(pick({2, 5, 9}), 5); // stays there
    EXPECT_EQ(pick({2, 9}), 9);
    EXPECT_EQ(pick({2, 5}), 2); // round to group 0
    EXPECT_EQ(counts(), (Counts{0, 3, 0}));
}

TEST_F(TwoLevel, StrictCountsAGroupThatIsPassedOverWithTheSwitch) {
    scheduler = scene.make("two-level", {"two-level.group=4", "two-level.strict=true"});
    EXPECT_EQ(pick({0}), 0);
    EXPECT_EQ(pick({8}), 8); // group 1 has nothing to schedule either
    EXPECT_EQ(counts(), (Counts{0, 1, 0}));
}

TEST_F(TwoLevel, TimeoutForcesASwitch) {
    scheduler = scene.make("two-level", {"two-level.group=4", "two-level.timeout=3"});
    for (const unsigned expected : {0U, 1U, 2U, 4U, 5U, 6U, 8U, 9U, 10U, 3U})
        EXPECT_EQ(pick({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}), expected);
    EXPECT_EQ(counts(), (Counts{0, 0, 3})); // behind the third, sixth and ninth
}

TEST_F(TwoLevel, TimeoutCountsTheFirstGroupAlone) {
    scheduler = scene.make("two-level", {"two-level.group=4", "two-level.timeout=2"});
    for (int i = 0; i < 5; ++i)
        EXPECT_EQ(pick({5}), 5);
    EXPECT_EQ(pick({0, 5}), 0);
    EXPECT_EQ(pick({1, 5}), 1);
    EXPECT_EQ(pick({2, 5}), 5);
}

// The second of two schedulers has units 1 3 5 7 9 11. In groups of four: 1 3 5 7 and 9 11.
TEST_F(TwoLevel, GroupsAreOfTheSchedulersOwnUnits) {
    scheduler = scene.make("two-level", {"two-level.group=4"}, {.units = 12, .index = 1, .count = 2});
    for (const unsigned expected : {1U, 3U, 5U, 7U, 1U})
        EXPECT_EQ(pick({1, 3, 5, 7, 9}), expected);
    EXPECT_EQ(pick({9, 11}), 9); // the first group has nothing ready
    scene.long_wait = scene.set({1, 3, 5, 7});
    EXPECT_EQ(pick({11}), 11); // it waits; that units 2, 4, 6 do not is the other scheduler's matter
    EXPECT_EQ(counts(), (Counts{1, 0, 0}));
    scene.long_wait = scene.set({});
    EXPECT_EQ(pick({1, 9}), 9);
}

TEST_F(TwoLevel, AnotherSchedulersUnitsMakeNoSwitch) {
    scheduler = scene.make("two-level", {"two-level.group=2"}, {.units = 12, .index = 1, .count = 2});
    // Groups 1 3, 5 7 and 9 11; all wait but 7. Groups of other schedulers, 0 2 4, do not count.
    scene.long_wait = scene.set({1, 3, 5, 9, 11});
    EXPECT_EQ(pick({7}), 7);
    EXPECT_EQ(counts(), (Counts{1, 0, 0}));
    scene.long_wait = scene.set({1, 3, 5, 7, 9, 11});
    EXPECT_EQ(pick({7}), 7);
    EXPECT_EQ(counts(), (Counts{1, 0, 0})); // every group waits: none moves back
}

TEST_F(TwoLevel, ASchedulerMayHaveNoUnits) {
    scheduler = scene.make("two-level", {}, {.units = 2, .index = 2, .count = 4});
    EXPECT_EQ(scheduler->trace(), "first:0");
}

// LWM11 3.4: "Two-level warp scheduling does not require any additional storage cost."
TEST_F(TwoLevel, NeedsNoStorage) {
    const std::vector<cost::HardwareCost> costs = scheduler->hardware_cost();
    ASSERT_EQ(costs.size(), 1U);
    EXPECT_EQ(costs[0].total_bits(), 0U);
    EXPECT_EQ(costs[0].source, "LWM11 3.4, LWM10 3.3");
}

TEST(TwoLevelWithOneGroup, IsRoundRobin) {
    Scene scene(40);
    const auto two_level = scene.make("two-level", {"two-level.group=40"});
    const auto rr = scene.make("rr");
    std::mt19937 random(3);
    for (Cycle now = 1; now < 5000; ++now) {
        UnitSet ready(40);
        do
            for (UnitId u = 0; u < 40; ++u)
                ready.put(u, random() % 8 == 0);
        while (ready.empty());
        for (UnitId u = 0; u < 40; ++u)
            scene.long_wait.put(u, !ready.contains(u) && random() % 2 == 0);
        scene.units.eligible = ready;
        ASSERT_EQ(two_level->pick(ready, scene.view, now), rr->pick(ready, scene.view, now));
    }
}

} // namespace
} // namespace heddle::sched::test
