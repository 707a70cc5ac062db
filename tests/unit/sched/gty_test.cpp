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

// Unit 1 spins until unit 2 has set a word, and both can issue in every cycle.
TEST_F(Gty, AUnitThatIsPassedOverForLongHasATurn) {
    for (unsigned cycle = 0; cycle < 16'000; ++cycle)
        ASSERT_EQ(scene.pick(*gty, {1, 2}), 1);
    unsigned of_older = 0;
    for (unsigned cycle = 0; cycle < 1'000; ++cycle)
        of_older += scene.pick(*gty, {1, 2}) == 2 ? 1 : 0;
    EXPECT_GT(of_older, 0U);
    for (unsigned cycle = 0; cycle < 2'000; ++cycle) // it has its turn between stalls of its own
        EXPECT_EQ(scene.pick(*gty, {1}), 1);
    EXPECT_EQ(scene.pick(*gty, {1, 2}), 1);
}

TEST_F(Gty, AUnitThatIssuesNowAndThenIsNotPassedOver) {
    for (unsigned cycle = 0; cycle < 40'000; ++cycle)
        if (cycle % 1000 == 0)
            ASSERT_EQ(scene.pick(*gty, {2}), 2);
        else if (cycle % 1000 == 1)
            ASSERT_EQ(scene.pick(*gty, {1}), 1);
        else
            ASSERT_EQ(scene.pick(*gty, {1, 2}), 1);
}

} // namespace
} // namespace heddle::sched::test
