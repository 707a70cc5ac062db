#include <gtest/gtest.h>

#include "scene.h"

namespace heddle::sched::test {
namespace {

class Gto : public testing::Test {
protected:
    Scene scene{4};
    std::unique_ptr<Scheduler> gto = scene.make("gto");

    void SetUp() override { // made in the order 2 0 3 1
        scene.units.birth[2] = 1;
        scene.units.birth[0] = 2;
        scene.units.birth[3] = 3;
        scene.units.birth[1] = 4;
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
    scene.units.birth[2] = 5;
    EXPECT_EQ(scene.pick(*gto, {1, 2}), 1);
}

// Two schedulers of a core of eight units: 0 2 4 6, made in the order 6 2 0 4, and 1 3 5 7, in the order 3 7 1 5.
TEST(GtoOfTwoSchedulers, EachIsGreedyAndThenTakesItsOldest) {
    Scene scene(8);
    std::uint64_t made = 0;
    for (const UnitId u : {UnitId{6}, UnitId{3}, UnitId{2}, UnitId{7}, UnitId{0}, UnitId{1}, UnitId{4}, UnitId{5}})
        scene.units.birth[u] = ++made;
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

} // namespace
} // namespace heddle::sched::test
