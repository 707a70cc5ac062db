#include <algorithm>
#include <map>
#include <random>

#include <gtest/gtest.h>

#include "base/event_wheel.h"

namespace heddle {
namespace {

// Advances to the next alarm. Returns its cycle, and the numbers that were called.
std::pair<Cycle, std::vector<unsigned>> step(EventWheel& wheel) {
    const Cycle at = wheel.next();
    std::vector<unsigned> called;
    wheel.run(at, [&](unsigned component) { called.push_back(component); });
    return {at, called};
}

using Step = std::pair<Cycle, std::vector<unsigned>>;

TEST(EventWheel, NothingIsSetAtFirst) {
    EventWheel wheel(1);
    EXPECT_EQ(wheel.next(), kNever);
    wheel.set(0, kNever);
    EXPECT_EQ(wheel.next(), kNever);
}

TEST(EventWheel, GoesOffInOrderOfTimeAndThenOfComponents) {
    EventWheel wheel(130);
    wheel.set(129, 7);
    wheel.set(0, 9);
    wheel.set(64, 7);
    wheel.set(63, 7);
    wheel.set(64, 7); // twice is once
    EXPECT_EQ(step(wheel), Step(7, {63, 64, 129}));
    EXPECT_EQ(step(wheel), Step(9, {0}));
    EXPECT_EQ(wheel.next(), kNever);
}

TEST(EventWheel, AnAlarmCanBeForCycle0AndForTheCurrentCycle) {
    EventWheel wheel(2);
    wheel.set(1, 0);
    EXPECT_EQ(step(wheel), Step(0, {1}));
    wheel.set(0, 0);
    EXPECT_EQ(step(wheel), Step(0, {0}));
}

TEST(EventWheel, AlarmsSetForTheCycleBeingRun) {
    EventWheel wheel(130);
    for (const unsigned component : {10U, 64U})
        wheel.set(component, 5);
    std::vector<unsigned> called;
    wheel.run(5, [&](unsigned component) {
        called.push_back(component);
        if (component == 10) {
            wheel.set(11, 5);
            wheel.set(129, 5);
        }
        if (component == 64)
            wheel.set(3, 5); // comes earlier in the order: another round
    });
    EXPECT_EQ(called, (std::vector<unsigned>{10, 11, 64, 129}));
    EXPECT_EQ(step(wheel), Step(5, {3}));
}

TEST(EventWheel, AComponentMaySetItsOwnNextAlarm) {
    EventWheel wheel(1);
    wheel.set(0, 3);
    Cycle at = wheel.next();
    for (unsigned i = 0; i < 10000; ++i) { // many times around
        wheel.run(at, [&](unsigned component) { wheel.set(component, at + 7); });
        ASSERT_EQ(wheel.next(), at + 7);
        at += 7;
    }
}

TEST(EventWheel, TheNextAlarmAcrossTheWheelsEnd) {
    for (const Cycle now : {Cycle{63}, Cycle{64}, Cycle{4000}, Cycle{4095}, Cycle{4096}, Cycle{12345}})
        for (const Cycle delay : {Cycle{0}, Cycle{1}, Cycle{63}, Cycle{64}, Cycle{100}, Cycle{4000}, Cycle{4095}}) {
            EventWheel wheel(1);
            while (wheel.next() != now) { // there in steps that the wheel spans
                wheel.run(wheel.next() == kNever ? 0 : wheel.next(), [](unsigned) {});
                wheel.set(0, now);
            }
            step(wheel);
            EXPECT_EQ(wheel.next(), kNever);
            wheel.set(0, now + delay);
            EXPECT_EQ(wheel.next(), now + delay) << now << " + " << delay;
        }
}

TEST(EventWheel, AFarAlarmGoesOffEarlyAndNotBeforeNearOnes) {
    EventWheel wheel(3);
    wheel.set(0, 1000000);
    wheel.set(1, 4000);
    EXPECT_EQ(step(wheel), Step(4000, {1}));
    unsigned calls = 0;
    while (wheel.next() < 1000000) {
        step(wheel);
        wheel.set(0, 1000000); // not due yet
        ASSERT_LT(++calls, 1000U);
    }
    EXPECT_EQ(step(wheel), Step(1000000, {0}));
}

// Against a list of alarms. A component that is called early sets the earliest of its alarms again.
class RandomAlarms : public testing::TestWithParam<unsigned> {
protected:
    std::multimap<Cycle, unsigned> model;
    EventWheel wheel{GetParam()};
    std::mt19937 random{GetParam()};

    void set_some(Cycle now) {
        for (auto n = random() % 4; n != 0; --n) {
            const Cycle spans[] = {1, 10, 200, 4096, 4097, 30000};
            const Cycle at = now + random() % spans[random() % 6];
            const auto component = static_cast<unsigned>(random() % GetParam());
            model.emplace(at, component);
            wheel.set(component, at);
        }
    }
    void set_earliest(unsigned component) {
        const auto its =
            std::find_if(model.begin(), model.end(), [&](auto& alarm) { return alarm.second == component; });
        if (its != model.end())
            wheel.set(component, its->first);
    }
};

TEST_P(RandomAlarms, GoOffWhenTheyShould) {
    for (unsigned i = 0; i < 5000; ++i) {
        if (model.empty() || i % 3 == 0)
            set_some(model.empty() ? 100000 * Cycle{i} : model.begin()->first);
        const Cycle at = wheel.next();
        if (model.empty()) {
            ASSERT_EQ(at, kNever);
            continue;
        }
        ASSERT_LE(at, model.begin()->first);
        std::vector<unsigned> due;
        for (auto [it, end] = model.equal_range(at); it != end; ++it)
            due.push_back(it->second);
        model.erase(at);
        std::vector<unsigned> called;
        wheel.run(at, [&](unsigned component) { called.push_back(component); });
        EXPECT_TRUE(std::is_sorted(called.begin(), called.end()));
        for (const unsigned component : due)
            EXPECT_TRUE(std::binary_search(called.begin(), called.end(), component)) << component << " at " << at;
        for (const unsigned component : called)
            set_earliest(component);
    }
}

INSTANTIATE_TEST_SUITE_P(, RandomAlarms, testing::Values(1, 2, 64, 65, 130));

} // namespace
} // namespace heddle
