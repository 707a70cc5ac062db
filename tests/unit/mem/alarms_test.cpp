#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "mem/system/alarms.h"
#include "mem/system/components.h"

namespace heddle::mem {
namespace {

using Numbers = std::vector<unsigned>;

Numbers run(Alarms& alarms, Cycle now) {
    Numbers out;
    alarms.run(now, [&](unsigned component) { out.push_back(component); });
    return out;
}

TEST(Alarms, ComponentsRunInTheirOrder) {
    Alarms alarms(100);
    EXPECT_EQ(alarms.next(), kNever);
    alarms.set(70, 10);
    alarms.set(3, 10);
    alarms.set(5, 11);
    EXPECT_EQ(alarms.next(), 10U);
    EXPECT_EQ(run(alarms, 10), (Numbers{3, 70}));
    EXPECT_EQ(alarms.next(), 11U);
    EXPECT_EQ(run(alarms, 11), Numbers{5});
    EXPECT_EQ(alarms.next(), kNever);
}

TEST(Alarms, OnlyTheEarliestAlarmOfAComponentCounts) {
    Alarms alarms(2);
    alarms.set(0, 20);
    alarms.set(0, 30); // later: it has no effect
    alarms.set(0, 10);
    EXPECT_EQ(run(alarms, 10), Numbers{0});
    while (alarms.next() != kNever)
        EXPECT_EQ(run(alarms, alarms.next()), Numbers());
    alarms.set(0, 30);
    EXPECT_EQ(alarms.next(), 30U);
    EXPECT_EQ(run(alarms, 30), Numbers{0});
}

TEST(Alarms, NeverSetsNoAlarm) {
    Alarms alarms(1);
    alarms.set(0, kNever);
    EXPECT_EQ(alarms.next(), kNever);
}

TEST(Alarms, AnAlarmBeyondTheWheelRunsTheComponentInItsCycle) {
    Alarms alarms(1);
    alarms.set(0, 10000);
    while (alarms.next() < 10000)
        EXPECT_EQ(run(alarms, alarms.next()), Numbers());
    EXPECT_EQ(alarms.next(), 10000U);
    EXPECT_EQ(run(alarms, 10000), Numbers{0});
}

TEST(Alarms, AComponentOfAHigherNumberMayGetAnAlarmForTheCycleThatRuns) {
    Alarms alarms(3);
    alarms.set(1, 10);
    Numbers ran;
    alarms.run(10, [&](unsigned component) {
        ran.push_back(component);
        if (component == 1)
            alarms.set(2, 10);
    });
    EXPECT_EQ(ran, (Numbers{1, 2}));
}

TEST(Components, RunInTheOrderOfTheirKinds) {
    const Components components(2, 3);
    EXPECT_EQ(components.count(), 7U);
    std::string kinds;
    for (unsigned i = 0; i < components.count(); ++i)
        components.dispatch(
            i,
            [&](unsigned c) {
                EXPECT_EQ(components.channel(c), i);
                kinds += 'c';
            },
            [&](unsigned s) {
                EXPECT_EQ(components.slice(s), i);
                kinds += 's';
            },
            [&] {
                EXPECT_EQ(components.request_network(), i);
                kinds += 'q';
            },
            [&] {
                EXPECT_EQ(components.reply_network(), i);
                kinds += 'r';
            });
    EXPECT_EQ(kinds, "ccsssqr");
}

} // namespace
} // namespace heddle::mem
