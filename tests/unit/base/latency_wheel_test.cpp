#include <map>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/latency_wheel.h"

namespace heddle {
namespace {

using testing::ElementsAre;

std::vector<unsigned> run(LatencyWheel& wheel, Cycle at) {
    std::vector<unsigned> out;
    wheel.run(at, [&](LatencyWheel::Item item) { out.push_back(item); });
    return out;
}

TEST(LatencyWheel, IsEmptyAtFirst) {
    EXPECT_EQ(LatencyWheel(4).next(), kNever);
}

TEST(LatencyWheel, GivesItemsWhenTheyAreDueInTheOrderInWhichTheyCame) {
    LatencyWheel wheel(8);
    wheel.put(3, 17, 10);
    wheel.put(1, 12, 10);
    wheel.put(2, 17, 11);
    EXPECT_EQ(wheel.next(), 12);
    EXPECT_THAT(run(wheel, 12), ElementsAre(1));
    EXPECT_EQ(wheel.next(), 17);
    EXPECT_THAT(run(wheel, 17), ElementsAre(3, 2));
    EXPECT_EQ(wheel.next(), kNever);
}

TEST(LatencyWheel, AfterALongSleepItBeginsAtNow) {
    LatencyWheel wheel(2);
    wheel.put(0, 1'000'005, 1'000'000);
    EXPECT_EQ(wheel.next(), 1'000'005);
    EXPECT_THAT(run(wheel, 1'000'005), ElementsAre(0));
}

// What is due beyond the span shows early once or more often, and comes when it is due.
TEST(LatencyWheel, BeyondItsSpan) {
    LatencyWheel wheel(1);
    const Cycle due = 5 + 3 * LatencyWheel::kSlots;
    wheel.put(0, due, 5);
    while (wheel.next() < due)
        EXPECT_TRUE(run(wheel, wheel.next()).empty());
    EXPECT_EQ(wheel.next(), due);
    EXPECT_THAT(run(wheel, due), ElementsAre(0));
}

TEST(LatencyWheel, AgainstAMap) {
    LatencyWheel wheel(64);
    std::multimap<Cycle, unsigned> reference;
    std::vector<LatencyWheel::Item> free;
    for (LatencyWheel::Item i = 0; i < 64; ++i)
        free.push_back(i);
    std::mt19937 random(1);
    Cycle now = 0;
    for (int step = 0; step < 20000; ++step) {
        if (!free.empty() && random() % 2 == 0) {
            const Cycle due = now + 1 + random() % (random() % 50 == 0 ? 5000 : 100);
            wheel.put(free.back(), due, now);
            reference.emplace(due, free.back());
            free.pop_back();
        }
        ++now;
        if (wheel.next() > now) {
            ASSERT_TRUE(reference.empty() || reference.begin()->first > now);
            continue;
        }
        std::vector<unsigned> expected;
        while (!reference.empty() && reference.begin()->first == now) {
            expected.push_back(reference.begin()->second);
            reference.erase(reference.begin());
        }
        const std::vector<unsigned> given = run(wheel, now);
        ASSERT_THAT(given, testing::UnorderedElementsAreArray(expected));
        for (const unsigned item : given)
            free.push_back(static_cast<LatencyWheel::Item>(item));
    }
}

} // namespace
} // namespace heddle
