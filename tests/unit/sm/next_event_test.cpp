// The next event of an SM of sub-cores: each part alone in the cycle before its event and in the cycle of it, then
// several together. One unit, with its first two instructions in its buffer, in cycle 110.
#include <gtest/gtest.h>

#include "sm/sub_core/next_event.h"
#include "sub_core_rig.h"

namespace heddle::sm::test {
namespace {

struct Next : StatesRig {
    explicit Next(const std::vector<std::string>& settings = {})
        : StatesRig("mov.u32 %r1, 7; mov.u32 %r2, 7; mov.u32 %r3, 7; exit;", 4, settings) {
        start();
        rest();
    }
    // No issue unit has work before another event.
    void rest() {
        for (IssueUnit& issue_unit : issue_units)
            issue_unit.wait();
    }

    LoadStoreUnit unit{machine, 0, frame.memory, frame.flights, true};
    MemoryStage memory{machine, unit, InFlight::kMost};
    NextEvent next{frame, wheel, memory, states, fronts, issue_units};
};

TEST(NextEvent, NothingIsDue) {
    const Next sm;
    EXPECT_EQ(sm.next.inside(110), kNever);
    EXPECT_FALSE(sm.next.front_end_is_due(110));
}

// A flight or a register that is written: the back end only.
TEST(NextEvent, AnItemOfTheWheel) {
    Next sm;
    sm.wheel.put(3, 130, 110);
    EXPECT_EQ(sm.next.inside(129), 130U);
    EXPECT_EQ(sm.next.inside(130), 130U);
    EXPECT_FALSE(sm.next.front_end_is_due(130));
    sm.wheel.run(130, [](LatencyWheel::Item) {});
    EXPECT_EQ(sm.next.inside(131), kNever);
}

// The access has its operands in cycle 140: the back end only.
TEST(NextEvent, AnAccessBeforeTheLoadStoreUnit) {
    Next sm;
    sm.memory.push(5, 140);
    EXPECT_EQ(sm.next.inside(139), 140U);
    EXPECT_EQ(sm.next.inside(140), 140U);
    EXPECT_FALSE(sm.next.front_end_is_due(140));
}

TEST(NextEvent, ATickOfTheFormation) {
    Next sm;
    sm.frame.formation.wake = 150;
    EXPECT_EQ(sm.next.inside(149), 150U);
    EXPECT_FALSE(sm.next.front_end_is_due(149));
    EXPECT_EQ(sm.next.inside(150), 150U);
    EXPECT_TRUE(sm.next.front_end_is_due(150));
}

// A pipe that opens for one of two issue units.
TEST(NextEvent, AnIssueUnitThatExaminesItsUnits) {
    Next sm({"scoreboard.schedulers=2"});
    sm.issue_units[1].wait(160);
    EXPECT_EQ(sm.next.inside(159), 160U);
    EXPECT_FALSE(sm.next.front_end_is_due(159));
    EXPECT_EQ(sm.next.inside(160), 160U);
    EXPECT_TRUE(sm.next.front_end_is_due(160));
    sm.issue_units[0].mark();
    EXPECT_EQ(sm.next.inside(159), 159U);
    EXPECT_TRUE(sm.next.front_end_is_due(159));
}

// Both instructions have issued, so the unit's buffer is empty: it is fetched for at once, and the instructions of
// cycle 170 are decoded in 170 + 3.
TEST(NextEvent, AFetchAndItsDecode) {
    Next sm({"scoreboard.decode=3"});
    sm.go_on(0);
    sm.go_on(0);
    sm.rest();
    EXPECT_EQ(sm.next.inside(170), 170U);
    EXPECT_TRUE(sm.next.front_end_is_due(170));
    EXPECT_EQ(sm.fronts[0].fetch(170), kNoUnit);
    EXPECT_EQ(sm.next.inside(171), 173U);
    EXPECT_EQ(sm.next.inside(172), 173U);
    EXPECT_FALSE(sm.next.front_end_is_due(172));
    EXPECT_EQ(sm.next.inside(173), 173U);
    EXPECT_TRUE(sm.next.front_end_is_due(173));
}

// A unit that has become eligible is evaluated in this cycle.
TEST(NextEvent, AUnitThatHasBecomeEligible) {
    Next sm;
    sm.frame.units.eligible.erase(0);
    sm.states.forget_the_dead();
    sm.rest();
    EXPECT_EQ(sm.next.inside(180), kNever);
    EXPECT_FALSE(sm.next.front_end_is_due(180));
    sm.frame.units.eligible.insert(0);
    EXPECT_EQ(sm.next.inside(180), 180U);
    EXPECT_TRUE(sm.next.front_end_is_due(180));
}

TEST(NextEvent, TheEarliestOfSeveral) {
    Next sm;
    sm.issue_units[0].wait(160);
    sm.frame.formation.wake = 150;
    sm.memory.push(5, 140);
    sm.wheel.put(3, 130, 110);
    EXPECT_EQ(sm.next.inside(110), 130U);
    EXPECT_EQ(sm.next.inside(145), 145U); // two of them are overdue
    EXPECT_FALSE(sm.next.front_end_is_due(149));
    EXPECT_TRUE(sm.next.front_end_is_due(150));
}

} // namespace
} // namespace heddle::sm::test
