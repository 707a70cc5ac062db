// What keeps units from issuing, and when they are looked at again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sub_core_rig.h"

namespace heddle::sm::test {
namespace {

using testing::ElementsAre;
using testing::Pair;

// Pipes by index: sp 0, sfu 1, dp 2; the load/store unit 3.
const char* const kBody = "mov.u32 %r1, 7; add.u32 %r2, %r1, 1; ld.param.u64 %d1, [x];\n"
                          "st.global.u32 [%d1], %r2; exit;";

TEST(UnitStates, AUnitWithoutItsInstructionThenWithIt) {
    StatesRig sm(kBody);
    EXPECT_TRUE(sm.states.any_fresh());
    sm.states.look_at_units();
    EXPECT_FALSE(sm.states.any_fresh());
    EXPECT_TRUE(sm.states.known().contains(0));
    EXPECT_EQ(sm.state(), sm.none);
    sm.start();
    EXPECT_EQ(sm.state(), 0); // the pipe of a mov
}

// The register is written in cycle 120: at 119 the unit waits, at 120 it does not.
TEST(UnitStates, ARegisterThatIsWrittenAtAKnownTime) {
    StatesRig sm(kBody);
    sm.start();
    sm.states.write(0, sm.op(0), Writer(Writer::kPassing, static_cast<unsigned>(Producer::Alu)), 120);
    sm.go_on(0);
    EXPECT_EQ(sm.state(), sm.reg(Producer::Alu));
    EXPECT_EQ(sm.states.blocker(0).flight(), Writer::kPassing);
    ASSERT_EQ(sm.wheel.next(), 120U);
    sm.frame.clock = 119;
    sm.states.wake_up(0); // in vain
    EXPECT_EQ(sm.state(), sm.reg(Producer::Alu));
    sm.frame.clock = 120;
    sm.states.wake_up(0);
    EXPECT_EQ(sm.state(), 0);
}

TEST(UnitStates, ARegisterWhoseWriterTells) {
    StatesRig sm(kBody);
    sm.start();
    const warp::Flight& flight = sm.execute(0, 5);
    sm.states.write(flight.group, sm.op(0), Writer(5, static_cast<unsigned>(Producer::OnChip)));
    sm.go_on(0);
    EXPECT_EQ(sm.states.blocker(0).flight(), 5);
    EXPECT_EQ(sm.wheel.next(), kNever);
    sm.frame.units.eligible.insert(0);
    EXPECT_EQ(sm.state(), sm.reg(Producer::OnChip));
    sm.states.release(flight, sm.op(0));
    EXPECT_EQ(sm.state(), 0);
}

// Registers of another row are no matter; nor are registers that it does not need.
TEST(UnitStates, OnlyItsOwnRegisters) {
    StatesRig sm(kBody, 8);
    sm.start();
    sm.states.write(1, sm.op(0), Writer(Writer::kPassing, 0), 500);
    sm.states.write(0, sm.op(2), Writer(Writer::kPassing, 0), 500); // %d1
    sm.go_on(0);
    sm.frame.units.eligible.erase(1);
    EXPECT_EQ(sm.state(), 0);
}

// A load makes its unit wait long from its issue on, or from its miss on.
TEST(UnitStates, LongWaits) {
    StatesRig sm(kBody);
    sm.start();
    sm.states.write(StatesRig::row(0), sm.op(0), Writer(5, static_cast<unsigned>(Producer::Memory)));
    sm.go_on(0);
    EXPECT_TRUE(sm.frame.long_wait.contains(0));
    warp::Flight& flight = sm.frame.flights[5];
    flight.group = StatesRig::row(0);
    sm.states.release(flight, sm.op(0));
    EXPECT_FALSE(sm.frame.long_wait.contains(0));
    EXPECT_THAT(sm.policies[0]->edges, ElementsAre(Pair(0, true), Pair(0, false)));

    StatesRig miss(kBody, 4, {}, false);
    miss.start();
    warp::Flight& load = miss.frame.flights[5];
    load.group = StatesRig::row(0);
    miss.states.write(load.group, miss.op(0), Writer(5, static_cast<unsigned>(Producer::Memory)));
    miss.go_on(0);
    EXPECT_FALSE(miss.frame.long_wait.contains(0));
    load.lines_left = 1;
    miss.states.missed(load);
    EXPECT_TRUE(miss.frame.long_wait.contains(0));
}

// An exit needs all registers of its threads.
TEST(UnitStates, AnExitWaitsForEveryRegister) {
    StatesRig sm("mov.u32 %r1, 7; exit;");
    sm.start();
    sm.states.write(0, sm.op(0), Writer(Writer::kPassing, static_cast<unsigned>(Producer::Sfu)), 130);
    sm.go_on(0);
    EXPECT_EQ(sm.state(), sm.reg(Producer::Sfu));
}

TEST(UnitStates, ControlTransfers) {
    StatesRig sm("bra L; mov.u32 %r1, 7; L: exit;");
    sm.start();
    sm.states.await_transfer(0);
    EXPECT_TRUE(sm.states.unresolved().transfers().contains(0));
    EXPECT_EQ(sm.state(), sm.none);
    sm.frame.units.pc[0] = 2; // resolved: its buffer holds something else
    sm.states.evaluate(0);
    EXPECT_TRUE(sm.states.unresolved().transfers().contains(0));
    EXPECT_EQ(sm.state(), sm.none);
    sm.fronts[0].fetch(112);
    sm.fronts[0].deliver(114, [&](UnitId unit) { sm.states.fetched(unit); });
    EXPECT_FALSE(sm.states.unresolved().transfers().contains(0));
    EXPECT_EQ(sm.state(), 0);
}

TEST(UnitStates, UnitsThatDrain) {
    StatesRig sm(kBody);
    sm.start();
    sm.states.await_memory(0);
    EXPECT_TRUE(sm.states.unresolved().drains().contains(0));
    EXPECT_EQ(sm.state(), sm.none);
    sm.states.goes_on(sm.flight_of(0), true);
    EXPECT_FALSE(sm.states.unresolved().drains().contains(0));
    sm.states.await_transfer(0); // an exit, which has been resolved when it waits for stores
    sm.states.drain_after_transfer(0);
    EXPECT_FALSE(sm.states.unresolved().transfers().contains(0));
    sm.states.unit_died(0);
    EXPECT_FALSE(sm.states.unresolved().drains().contains(0));
}

// The issue unit of a unit whose state changes looks at its units again, the other does not.
TEST(UnitStates, WhoLooksAgain) {
    StatesRig sm(kBody, 8, {"scoreboard.schedulers=2"});
    sm.start();
    for (IssueUnit& unit : sm.issue_units)
        unit.wait();
    sm.go_on(1);
    EXPECT_EQ(sm.issue_units[0].look_at(), kNever); // sp before and after
    sm.go_on(1);                                    // ld.param is not in the buffer: no instruction
    EXPECT_EQ(sm.issue_units[0].look_at(), kNever);
    EXPECT_EQ(sm.issue_units[1].look_at(), 0U);
    EXPECT_EQ(sm.state(0), 0);
    EXPECT_EQ(sm.state(1), sm.none);
    EXPECT_EQ(&sm.states.issue_unit(1), &sm.issue_units[1]);
}

// The number of a unit that is dead, or not eligible any more, is looked at as new when it comes again.
TEST(UnitStates, ForgetsTheDead) {
    StatesRig sm(kBody);
    sm.start();
    sm.frame.units.alive.erase(0);
    sm.states.forget_the_dead();
    EXPECT_FALSE(sm.states.known().contains(0));
    sm.frame.units.alive.insert(0);
    EXPECT_TRUE(sm.states.any_fresh());
}

// Two units of one row (serial): the lanes of each wait for what is written to them alone.
TEST(UnitStates, RowsThatAreDivided) {
    StatesRig sm("mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 2; @%p1 bra L; L: add.u32 %r2, %r1, 1; exit;", 4,
                 {"core.formation=serial"});
    warp::Group half = StatesRig::row(0);
    half.part[0].lanes = 0b0011;
    sm.start();
    sm.states.write(half, sm.op(0), Writer(5, static_cast<unsigned>(Producer::Memory)));
    sm.go_on(0); // all four lanes: it needs %r1
    EXPECT_EQ(sm.state(), sm.reg(Producer::Memory));
    warp::Flight& flight = sm.frame.flights[5];
    flight.group = half;
    sm.states.release(flight, sm.op(0));
    EXPECT_EQ(sm.state(), 0);
    half.part[0].lanes = 0b1100 << 2; // none of its lanes
    sm.states.write(half, sm.op(0), Writer(6, static_cast<unsigned>(Producer::Memory)));
    sm.states.evaluate(0);
    EXPECT_EQ(sm.state(), 0);
}

} // namespace
} // namespace heddle::sm::test
