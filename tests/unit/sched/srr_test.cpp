#include <gtest/gtest.h>

#include "scene.h"

namespace heddle::sched::test {
namespace {

class StickyRoundRobin : public testing::Test {
protected:
    void SetUp() override {
        for (const UnitId u : {UnitId{2}, UnitId{3}})
            scene.units.block[u] = 2;
        for (const UnitId u : {UnitId{4}, UnitId{5}})
            scene.units.block[u] = 1;
    }
    Scene scene{6}; // units 0 to 5 of blocks 0 0 2 2 1 1
    std::unique_ptr<Scheduler> srr = scene.make("srr");
};

TEST_F(StickyRoundRobin, StaysWithABlockWhileItHasAReadyUnit) {
    EXPECT_EQ(scene.pick(*srr, {0, 1, 2, 3, 4, 5}), 0);
    EXPECT_EQ(scene.pick(*srr, {0, 1, 2, 3, 4, 5}), 1);
    EXPECT_EQ(scene.pick(*srr, {0, 1, 2, 3, 4, 5}), 0);
    EXPECT_EQ(scene.pick(*srr, {1, 2, 3, 4, 5}), 1);
    EXPECT_EQ(scene.pick(*srr, {1, 2, 3, 4, 5}), 1);
}

TEST_F(StickyRoundRobin, ThenGoesToTheNextBlockSlot) {
    EXPECT_EQ(scene.pick(*srr, {0, 2, 4}), 0);
    EXPECT_EQ(scene.pick(*srr, {2, 3, 4, 5}), 4); // block 1 before block 2
    EXPECT_EQ(scene.pick(*srr, {0, 1, 2, 5}), 5); // and stays there
    EXPECT_EQ(scene.pick(*srr, {0, 1, 2}), 2);
    EXPECT_EQ(scene.pick(*srr, {0, 1, 4}), 0); // round to block 0
}

} // namespace
} // namespace heddle::sched::test
