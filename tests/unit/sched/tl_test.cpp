#include <array>

#include <gtest/gtest.h>

#include "scene.h"
#include "stats/snapshot.h"

namespace heddle::sched::test {
namespace {

// Five units, of which two are active: 0 and 1, and 2 3 4 queue, once all have been seen.
class Tl : public testing::Test {
protected:
    Scene scene{5};
    std::unique_ptr<Scheduler> scheduler = scene.make("tl", {"tl.active=2", "tl.patience=0"});

    UnitId pick(std::initializer_list<UnitId> ready) {
        return scene.pick(*scheduler, ready);
    }
    // Reads demotions, promotions and out_of_turn.
    [[nodiscard]] std::array<std::uint64_t, 3> counts() const {
        stats::Tree tree;
        scheduler->add_statistics(tree);
        const stats::Snapshot now = tree.snapshot();
        return {now.counter("tl.demotions"), now.counter("tl.promotions"), now.counter("tl.out_of_turn")};
    }
    using Counts = std::array<std::uint64_t, 3>;
};

TEST_F(Tl, TheActiveUnitsTakeTurns) {
    for (const unsigned expected : {0U, 1U, 0U, 1U})
        EXPECT_EQ(pick({0, 1, 2, 3, 4}), expected);
    EXPECT_EQ(pick({1, 2}), 1); // 0 can not issue: its turn is lost,
    EXPECT_EQ(pick({0, 1}), 0); // and it comes behind 1's
    EXPECT_EQ(counts(), (Counts{0, 2, 0}));
}

TEST_F(Tl, OneThatWaitsForMemoryGoesToTheEndOfTheQueue) {
    EXPECT_EQ(pick({0, 1, 2, 3, 4}), 0);
    scene.long_wait = scene.set({0});
    EXPECT_EQ(pick({1, 2, 3, 4}), 1); // active: 1, then 2; queue: 3 4 0
    EXPECT_EQ(pick({1, 2, 3, 4}), 2);
    EXPECT_EQ(counts(), (Counts{1, 3, 0}));
    scene.long_wait = scene.set({1, 2});
    EXPECT_EQ(pick({0, 3, 4}), 3); // 3 and 4 come in before 0, which waits no more
    EXPECT_EQ(pick({0, 3, 4}), 4);
    scene.long_wait = scene.set({3, 4});
    EXPECT_EQ(pick({0, 1, 2}), 0);
    EXPECT_EQ(counts(), (Counts{5, 7, 0}));
    EXPECT_EQ(scheduler->trace(), "active:1,0");
}

TEST_F(Tl, OneAtABarrierDoesToo) {
    EXPECT_EQ(pick({0, 1, 2, 3, 4}), 0);
    scene.at_barrier = scene.set({1});
    EXPECT_EQ(pick({0, 2, 3, 4}), 0);
    EXPECT_EQ(pick({0, 2, 3, 4}), 2);
    EXPECT_EQ(counts(), (Counts{1, 3, 0}));
    // It is let go on, and is behind 3 and 4 in the queue.
    scene.long_wait = scene.set({0});
    EXPECT_EQ(pick({1, 2, 3, 4}), 2);
    EXPECT_EQ(pick({1, 2, 3, 4}), 3);
}

TEST_F(Tl, OneThatMayGoOnFromItsBarrierIsActiveStill) {
    EXPECT_EQ(pick({0, 1, 2}), 0);
    scene.at_barrier = scene.set({1});
    EXPECT_EQ(pick({0, 1, 2}), 1); // eligible again
    EXPECT_EQ(counts(), (Counts{0, 2, 0}));
}

TEST_F(Tl, TheFirstInTheQueueThatDoesNotWaitComesIn) {
    EXPECT_EQ(pick({0, 1, 2, 3, 4}), 0);
    scene.long_wait = scene.set({0, 2});
    EXPECT_EQ(pick({1, 3, 4}), 1);
    EXPECT_EQ(pick({1, 3, 4}), 3);
    scene.long_wait = scene.set({1});
    EXPECT_EQ(pick({0, 2, 3, 4}), 3); // then 2, which has been first all the while
    EXPECT_EQ(pick({0, 2, 3, 4}), 2);
}

TEST_F(Tl, PlacesStayFreeWhileAllInTheQueueWait) {
    EXPECT_EQ(pick({0, 1, 2, 3, 4}), 0);
    scene.long_wait = scene.set({0, 2, 3, 4});
    EXPECT_EQ(pick({1}), 1);
    EXPECT_EQ(pick({1}), 1);
    EXPECT_EQ(scheduler->trace(), "active:1");
    scene.long_wait = scene.set({0, 2, 3});
    EXPECT_EQ(pick({4}), 4);
    EXPECT_EQ(counts(), (Counts{1, 3, 0}));
}

// 0 and 1 are in the pipeline. Were 2 to come back each time, 3 and 4 would never go.
TEST_F(Tl, TheQueueGoesInTurnWhenNoActiveUnitCan) {
    EXPECT_EQ(pick({0, 1, 2, 3, 4}), 0);
    for (const unsigned expected : {2U, 3U, 4U, 2U})
        EXPECT_EQ(pick({2, 3, 4}), expected);
    EXPECT_EQ(pick({0, 2, 3, 4}), 0); // 0 and 1 are the active ones still
    EXPECT_EQ(counts(), (Counts{0, 2, 4}));
}

TEST_F(Tl, SlotsStayEmptyForAWhile) {
    const auto patient = scene.make("tl", {"tl.active=2", "tl.patience=3"});
    EXPECT_EQ(scene.pick(*patient, {0, 1, 2, 3, 4}), 0);
    for (int round = 0; round < 2; ++round) {
        for (int cycle = 0; cycle < 3; ++cycle)
            EXPECT_EQ(scene.pick(*patient, {2, 3, 4}), kNoUnit);
        EXPECT_EQ(scene.pick(*patient, {2, 3, 4}), round == 0 ? 2 : 4);
        EXPECT_EQ(scene.pick(*patient, {2, 3, 4}), round == 0 ? 3 : 2);
        EXPECT_EQ(scene.pick(*patient, {1, 2, 3, 4}), 1); // an active one: patience begins anew
    }
}

// A large warp may issue for some of its threads while others wait for memory.
TEST_F(Tl, OneThatWaitsAndCanIssueGoesWhenNothingElseCan) {
    scene.long_wait = scene.set({0, 1, 2, 3, 4});
    EXPECT_EQ(pick({3}), 3);
    EXPECT_EQ(counts(), (Counts{0, 0, 1}));
}

TEST_F(Tl, UnitsThatEndMakeRoom) {
    EXPECT_EQ(pick({0, 1, 2, 3, 4}), 0);
    scene.units.alive = scene.set({1, 3, 4}); // 0 of the active ones, 2 of the queue
    EXPECT_EQ(pick({1, 3, 4}), 1);
    EXPECT_EQ(pick({1, 3, 4}), 3);
    EXPECT_EQ(counts(), (Counts{0, 3, 0})); // to end is no demotion
    // Another block comes with units 0 and 2: at the end of the queue, behind 4.
    scene.units.alive = scene.set({0, 1, 2, 3, 4});
    EXPECT_EQ(pick({0, 1, 2, 3, 4}), 1);
    scene.long_wait = scene.set({1, 3});
    EXPECT_EQ(pick({0, 2, 4}), 4);
    EXPECT_EQ(pick({0, 2, 4}), 0);
}

// The second of two schedulers: 1 3 5 7, active 1 and 3.
TEST(TlOfTwoSchedulers, EachHasActiveUnitsOfItsOwn) {
    Scene scene(8);
    const auto odd = scene.make("tl", {"tl.active=2"}, {.units = 8, .index = 1, .count = 2});
    for (const unsigned expected : {1U, 3U, 1U})
        EXPECT_EQ(scene.pick(*odd, {1, 3, 5, 7}), expected);
    scene.long_wait = scene.set({3});
    EXPECT_EQ(scene.pick(*odd, {1, 5, 7}), 1);
    EXPECT_EQ(scene.pick(*odd, {1, 5, 7}), 5);
}

// With room for all of them it is loose round-robin, but for units that waited.
TEST(TlWithRoomForAll, IsRoundRobin) {
    Scene scene(4);
    const auto tl = scene.make("tl");
    const auto lrr = scene.make("lrr");
    for (const std::initializer_list<UnitId> ready :
         {std::initializer_list<UnitId>{0, 1, 2, 3}, {0, 1, 2, 3}, {0, 1, 2, 3}, {0, 1, 2, 3}, {0, 1, 2, 3}, {0, 3}})
        EXPECT_EQ(scene.pick(*tl, ready), scene.pick(*lrr, ready));
}

} // namespace
} // namespace heddle::sched::test
