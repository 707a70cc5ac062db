#include <random>

#include <gtest/gtest.h>

#include "scene.h"

namespace heddle::sched::test {
namespace {

class Gto : public testing::Test {
protected:
    Scene scene{4};
    std::unique_ptr<Scheduler> gto = scene.make("gto");

    void SetUp() override { // made in the order 2 0 3 1
        scene.units.set_birth(2, 1);
        scene.units.set_birth(0, 2);
        scene.units.set_birth(3, 3);
        scene.units.set_birth(1, 4);
    }
};

TEST_F(Gto, StaysWithAUnitUntilItStalls) {
    EXPECT_EQ(scene.pick(*gto, {1, 3}), 3);
    EXPECT_EQ(scene.pick(*gto, {0, 1, 2, 3}), 3);
    EXPECT_EQ(scene.pick(*gto, {1, 3}), 3);
}

TEST_F(Gto, ThenTakesTheOldest) {
    EXPECT_EQ(scene.pick(*gto, {1}), 1);
    EXPECT_EQ(scene.pick(*gto, {0, 3}), 0);
    EXPECT_EQ(scene.pick(*gto, {2, 3}), 2);
    EXPECT_EQ(scene.pick(*gto, {1, 3}), 3);
}

TEST_F(Gto, AnotherUnitWithTheNumberOfTheLastIsNotIt) {
    EXPECT_EQ(scene.pick(*gto, {2}), 2);
    scene.units.set_birth(2, 5);
    EXPECT_EQ(scene.pick(*gto, {1, 2}), 1);
}

// Two schedulers of a core of eight units: 0 2 4 6, made in the order 6 2 0 4, and 1 3 5 7, in the order 3 7 1 5.
TEST(GtoOfTwoSchedulers, EachIsGreedyAndThenTakesItsOldest) {
    Scene scene(8);
    std::uint64_t made = 0;
    for (const UnitId u : {UnitId{6}, UnitId{3}, UnitId{2}, UnitId{7}, UnitId{0}, UnitId{1}, UnitId{4}, UnitId{5}})
        scene.units.set_birth(u, ++made);
    const auto even = scene.make("gto", {}, {.units = 8, .index = 0, .count = 2});
    const auto odd = scene.make("gto", {}, {.units = 8, .index = 1, .count = 2});
    EXPECT_EQ(scene.pick(*even, {0, 2, 4}), 2);
    EXPECT_EQ(scene.pick(*odd, {1, 5}), 1);
    EXPECT_EQ(scene.pick(*even, {0, 2, 4, 6}), 2); // 6 is older, but 2 can go on
    EXPECT_EQ(scene.pick(*odd, {1, 3, 5, 7}), 1);
    EXPECT_EQ(scene.pick(*even, {0, 4}), 0);
    EXPECT_EQ(scene.pick(*odd, {5, 7}), 7);
    EXPECT_EQ(scene.pick(*even, {4, 6}), 6);
    EXPECT_EQ(scene.pick(*odd, {1, 7}), 7);
}

// The oldest of many, whether births change at every pick, now and then or never, up to 64 units and beyond; of one age
// the lower number. Against a search through all of them.
TEST(GtoAges, AreThoseOfTheTableWheneverBirthsChange) {
    for (const unsigned capacity : {3U, 48U, 64U, 65U, 130U})
        for (const unsigned change : {1U, 2U, 7U, 50U, 1000U}) { // picks between births
            Scene scene(capacity);
            std::minstd_rand random(capacity * change);
            std::uint64_t births = 0;
            for (unsigned u = 0; u < capacity; ++u)
                scene.units.set_birth(static_cast<UnitId>(u), ++births / 2); // two of each age
            const auto gto = scene.make("gto");
            UnitId last = kNoUnit;
            std::uint64_t born = 0;
            for (unsigned i = 0; i < 200; ++i) {
                if (i % change == change - 1)
                    scene.units.set_birth(static_cast<UnitId>(random() % capacity), ++births);
                UnitSet can_issue(capacity);
                UnitId oldest = kNoUnit;
                for (unsigned u = 0; u < capacity; ++u)
                    if (random() % 3 == 0 || u == i % capacity) {
                        can_issue.insert(static_cast<UnitId>(u));
                        if (oldest == kNoUnit || scene.units.birth()[u] < scene.units.birth()[oldest])
                            oldest = static_cast<UnitId>(u);
                    }
                const bool stays = last != kNoUnit && can_issue.contains(last) && scene.units.birth()[last] == born;
                last = stays ? last : oldest;
                born = scene.units.birth()[last];
                ASSERT_EQ(scene.pick(*gto, can_issue), last) << capacity << " units, pick " << i;
            }
        }
}

} // namespace
} // namespace heddle::sched::test
