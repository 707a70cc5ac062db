// Greedy then youngest (Huerta et al., MICRO 2025, 4.1).
#include <gtest/gtest.h>

#include "scene.h"

namespace heddle::sched::test {
namespace {

class Gty : public testing::Test {
protected:
    Scene scene{4};
    std::unique_ptr<Scheduler> gty = scene.make("gty");

    void SetUp() override { // made in the order 2 0 3 1
        scene.units.set_birth(2, 1);
        scene.units.set_birth(0, 2);
        scene.units.set_birth(3, 3);
        scene.units.set_birth(1, 4);
    }
};

TEST_F(Gty, StaysWithAUnitUntilItStalls) {
    EXPECT_EQ(scene.pick(*gty, {0, 2}), 0);
    EXPECT_EQ(scene.pick(*gty, {0, 1, 2, 3}), 0);
}

TEST_F(Gty, ThenTakesTheYoungest) {
    EXPECT_EQ(scene.pick(*gty, {2}), 2);
    EXPECT_EQ(scene.pick(*gty, {0, 1, 3}), 1);
    EXPECT_EQ(scene.pick(*gty, {0, 2, 3}), 3);
    EXPECT_EQ(scene.pick(*gty, {0, 2}), 0);
}

TEST_F(Gty, AnotherUnitWithTheNumberOfTheLastIsNotIt) {
    EXPECT_EQ(scene.pick(*gty, {2}), 2);
    scene.units.set_birth(2, 0);
    EXPECT_EQ(scene.pick(*gty, {0, 2}), 0);
}

} // namespace
} // namespace heddle::sched::test
