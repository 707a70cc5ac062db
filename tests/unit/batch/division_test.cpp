#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "batch/division.h"
#include "batch/engine.h"

namespace heddle::batch {
namespace {

using experiment::Cost;
using testing::ElementsAre;

TEST(Jobs, LimitsAreWholeAlsoWhereAStoreIsDamaged) {
    EXPECT_EQ(rounded_up(1.2), 2U);
    EXPECT_EQ(rounded_up(1e300), 1'000'000'000U);
    EXPECT_EQ(rounded_up(std::numeric_limits<double>::infinity()), 1'000'000'000U);
    EXPECT_EQ(rounded_up(std::numeric_limits<double>::quiet_NaN()), 0U);
    EXPECT_EQ(rounded_up(-1), 0U);
}

TEST(Division, TheLongestRunsComeFirst) {
    const std::vector<Cost> runs{{10, 500}, {40, 500}, {20, 500}, {30, 500}};
    const std::vector<Task> tasks = divide(runs, 50);
    ASSERT_EQ(tasks.size(), 3U); // 40; 30 + 20; 10
    EXPECT_THAT(tasks[0].runs, ElementsAre(1));
    EXPECT_THAT(tasks[1].runs, ElementsAre(3, 2));
    EXPECT_THAT(tasks[2].runs, ElementsAre(0));
    EXPECT_EQ(tasks[1].seconds, 50);
}

TEST(Division, ARunThatIsLongerThanATaskIsATask) {
    const std::vector<Cost> runs{{1, 500}, {1000, 500}, {1, 500}};
    const std::vector<Task> tasks = divide(runs, 10);
    ASSERT_EQ(tasks.size(), 2U);
    EXPECT_THAT(tasks[0].runs, ElementsAre(1));
    EXPECT_THAT(tasks[1].runs, ElementsAre(0, 2));
}

TEST(Division, RunsOfATaskNeedAboutTheSameMemory) {
    const std::vector<Cost> runs{{1, 300}, {1, 5000}, {1, 400}, {1, 6000}};
    const std::vector<Task> tasks = divide(runs, 100);
    ASSERT_EQ(tasks.size(), 2U);
    EXPECT_THAT(tasks[0].runs, ElementsAre(0, 2));
    EXPECT_EQ(tasks[0].megabytes, 400);
    EXPECT_THAT(tasks[1].runs, ElementsAre(1, 3));
    EXPECT_EQ(tasks[1].megabytes, 6000);
}

// Four tasks a processor: 8000 s on 10 processors are tasks of 200 s, on 1 of 2000, which is too long, and 80 s on 10
// of 2, which is too short.
TEST(Division, TasksAreShorterWhereProcessorsWouldBeIdle) {
    EXPECT_EQ(target_seconds(std::vector<Cost>(80, {100, 1}), 10, 600), 200);
    EXPECT_EQ(target_seconds(std::vector<Cost>(80, {100, 1}), 1, 600), 600);
    EXPECT_EQ(target_seconds(std::vector<Cost>(80, {1, 1}), 10, 600), 20);
}

} // namespace
} // namespace heddle::batch
