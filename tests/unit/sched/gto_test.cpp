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

} // namespace
} // namespace heddle::sched::test
