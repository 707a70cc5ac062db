// MAWS 5.6: the warp-split with the fewest miss-free cycles left goes first.

#include <gtest/gtest.h>

#include "formation/maws_units.h"
#include "scene.h"

namespace heddle::sched::test {
namespace {

class Swf : public testing::Test {
protected:
    Scene scene{4};
    std::unique_ptr<Scheduler> swf = scene.make("swf");

    void left(std::initializer_list<std::uint32_t> cycles) {
        UnitId u = 0;
        for (const std::uint32_t n : cycles)
            scene.units.formation_word[u++] = n;
    }
};

TEST_F(Swf, TheShallowestGoesFirst) {
    left({7, 3, 9, 5});
    EXPECT_EQ(scene.pick(*swf, {0, 1, 2, 3}), 1);
    EXPECT_EQ(scene.pick(*swf, {0, 2, 3}), 3);
    EXPECT_EQ(scene.pick(*swf, {0, 2}), 0);
    EXPECT_EQ(scene.pick(*swf, {2}), 2);
}

// What is left becomes less while a unit executes, and more when its data have come.
TEST_F(Swf, LooksAtWhatIsLeftNow) {
    left({7, 3, 9, 5});
    EXPECT_EQ(scene.pick(*swf, {0, 1, 2, 3}), 1);
    left({7, 8, 2, 5});
    EXPECT_EQ(scene.pick(*swf, {0, 1, 2, 3}), 2);
    left({7, 8, 12, 5});
    EXPECT_EQ(scene.pick(*swf, {0, 1, 2, 3}), 3);
}

TEST_F(Swf, EqualOnesTakeTurns) {
    left({4, 4, 6, 4});
    EXPECT_EQ(scene.pick(*swf, {0, 1, 2, 3}), 0);
    EXPECT_EQ(scene.pick(*swf, {0, 1, 2, 3}), 1);
    EXPECT_EQ(scene.pick(*swf, {0, 1, 2, 3}), 3);
    EXPECT_EQ(scene.pick(*swf, {0, 1, 2, 3}), 0);
    EXPECT_EQ(scene.pick(*swf, {0, 3}), 3);
    EXPECT_EQ(scene.pick(*swf, {2}), 2);
    EXPECT_EQ(scene.pick(*swf, {0, 1, 2, 3}), 3);
}

// A unit that waits is not considered, however shallow.
TEST_F(Swf, OnlyOfThoseThatCanGo) {
    left({0, 3, 9, 5});
    EXPECT_EQ(scene.pick(*swf, {1, 2}), 1);
}

TEST_F(Swf, AsksForUnitsThatCountMissFreeCycles) {
    EXPECT_NE(swf->objection({}).find("only formation 'maws' counts"), std::string::npos);
    EXPECT_EQ(swf->objection({.formation_word = formation::kMissFreeCyclesLeft}), "");
}

} // namespace
} // namespace heddle::sched::test
