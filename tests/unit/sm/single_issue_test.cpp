// The instruction stream of the barrel core and the WPU: which units may be picked, which flights wait outside the
// pipeline, and when they return. Two warps of four threads.
#include <gtest/gtest.h>

#include "core_rig.h"
#include "sm/single_issue/single_issue.h"

namespace heddle::sm::test {
namespace {

using probe::Slot;

struct Stream : FrameRig {
    explicit Stream(const std::string& body = "mov.u32 %r1, 7; mov.u32 %r2, 7; bar.sync 0; exit;")
        : FrameRig({"core.width=4", "core.threads=32"}, body, 8) {}

    // The first instructions are there: cycle 100.
    void bring_instructions() {
        static_cast<void>(issue.fetch(0, 0));
        static_cast<void>(issue.fetch(1, 0));
        issue.answers(kMemory);
    }
    // The unit executes its next instruction in the flight that is next.
    warp::Flight& next(UnitId unit) {
        warp::Flight& flight = issue.next_flight();
        issue.open_flight();
        issue.take(unit);
        return execute(unit, flight.id);
    }
    // Starts a load that misses in cycle `now`: its flight is put aside.
    warp::Flight& miss(UnitId unit, Cycle now, Address address) {
        warp::Flight& flight = next(unit);
        unit_.prepare(flight, access_of(In::Global, {address}));
        unit_.step(flight.id, now);
        issue.put_aside(flight, now);
        return flight;
    }

    LoadStoreUnit unit_{machine, 0, frame.memory, frame.flights};
    SingleIssue issue{frame, unit_, machine, 0};
};

TEST(SingleIssue, UnitsThatMayBePicked) {
    Stream s;
    ASSERT_TRUE(s.issue.find_candidates());
    EXPECT_EQ(s.issue.pick(0), 0);
    s.issue.take(0);
    ASSERT_TRUE(s.issue.find_candidates());
    EXPECT_EQ(s.issue.pick(1), 1);
    s.issue.pass_over(1);
    EXPECT_FALSE(s.issue.any_candidate());
    s.frame.units.eligible.insert(0);
    s.frame.units.boosted.insert(1);
    ASSERT_TRUE(s.issue.find_candidates());
    EXPECT_EQ(s.issue.pick(2), 1); // boosted, whatever the scheduler's order
    s.frame.units.eligible.erase(1);
    ASSERT_TRUE(s.issue.find_candidates()); // a unit that cannot issue does not stop others
    EXPECT_EQ(s.issue.pick(3), 0);
}

TEST(SingleIssue, AUnitWithoutItsInstructionStandsBack) {
    Stream s;
    EXPECT_FALSE(s.issue.fetch(0, 0));
    ASSERT_TRUE(s.issue.find_candidates());
    EXPECT_EQ(s.issue.pick(1), 1);
    EXPECT_FALSE(s.issue.fetch(1, 1));
    EXPECT_FALSE(s.issue.find_candidates());
    EXPECT_EQ(s.issue.idle_cause(false), Slot::Fetch);
    EXPECT_EQ(s.issue.next_event(), kMemory);
    s.issue.answers(kMemory - 1);
    EXPECT_FALSE(s.issue.find_candidates());
    s.issue.answers(kMemory);
    EXPECT_TRUE(s.issue.find_candidates());
    EXPECT_TRUE(s.issue.fetch(0, kMemory));
}

TEST(SingleIssue, AFlightThatIsComplete) {
    Stream s;
    warp::Flight& flight = s.next(0);
    EXPECT_FALSE(s.frame.units.eligible.contains(0));
    s.issue.complete(flight.id, 10);
    EXPECT_TRUE(s.frame.units.eligible.contains(0));
    EXPECT_EQ(s.frame.units.pc[0], 1U);
    EXPECT_EQ(&s.issue.next_flight(), &flight); // it is free again
}

// Sent for at 10, there at 110: back at 111, not at 110.
TEST(SingleIssue, AFlightFromMemoryComesBackACycleBehindItsLine) {
    Stream s;
    s.bring_instructions();
    s.miss(0, 110, s.kernel.buffer);
    EXPECT_TRUE(s.frame.long_wait.contains(0));
    EXPECT_EQ(s.issue.aside(), 1U);
    EXPECT_EQ(s.issue.idle_cause(true), Slot::Memory);
    EXPECT_EQ(s.issue.next_event(), 110U + kMemory);
    s.issue.answers(110 + kMemory);
    EXPECT_FALSE(s.frame.long_wait.contains(0));
    EXPECT_EQ(s.issue.aside(), 0U);
    EXPECT_EQ(s.unit_.stats().wait_cycles, kMemory);
    EXPECT_FALSE(s.issue.return_due(110 + kMemory));
    EXPECT_EQ(s.issue.next_event(), 111U + kMemory);
    ASSERT_TRUE(s.issue.return_due(111 + kMemory));
    s.issue.complete_return(111 + kMemory);
    EXPECT_TRUE(s.frame.units.eligible.contains(0));
    EXPECT_FALSE(s.issue.data_under_way());
}

// Two flights on one line come back together.
TEST(SingleIssue, HowManyComeBack) {
    Stream s;
    s.bring_instructions();
    s.miss(0, 110, s.kernel.buffer);
    s.miss(1, 111, s.kernel.buffer + 4);
    s.issue.answers(110 + kMemory);
    EXPECT_EQ(s.issue.returns_due(110 + kMemory, 4), 0U);
    EXPECT_EQ(s.issue.returns_due(111 + kMemory, 4), 2U);
    EXPECT_EQ(s.issue.returns_due(111 + kMemory, 1), 1U);
}

// In the order of the cycles in which their data are there, not in that of their look-ups.
TEST(SingleIssue, FlightsThatHit) {
    Stream s;
    const FlightId slow = s.next(0).id;
    const FlightId fast = s.next(1).id;
    s.issue.hits(slow, 30);
    s.issue.hits(fast, 20);
    EXPECT_EQ(s.issue.next_event(), 20U);
    EXPECT_FALSE(s.issue.hit_due(19));
    ASSERT_TRUE(s.issue.hit_due(20));
    s.issue.complete_hit(20);
    EXPECT_TRUE(s.frame.units.eligible.contains(1));
    EXPECT_FALSE(s.frame.units.eligible.contains(0));
    EXPECT_FALSE(s.issue.hit_due(29));
    EXPECT_TRUE(s.issue.hit_due(30));
}

// The reason that lasts longest goes first.
TEST(SingleIssue, WhyNothingCanBePicked) {
    Stream s("bar.sync 0; exit;");
    EXPECT_EQ(s.issue.idle_cause(false), Slot::Empty);
    EXPECT_EQ(s.issue.idle_cause(true), Slot::Pipeline);
    s.bring_instructions();
    s.issue.complete(s.next(0).id, 100);
    EXPECT_TRUE(s.frame.at_barrier.contains(0));
    EXPECT_EQ(s.issue.idle_cause(true), Slot::Barrier);
    EXPECT_TRUE(s.issue.fetch(1, 100));
    s.frame.units.pc[1] = 1000; // on another line
    EXPECT_FALSE(s.issue.fetch(1, 100));
    EXPECT_EQ(s.issue.idle_cause(true), Slot::Fetch);
}

} // namespace
} // namespace heddle::sm::test
