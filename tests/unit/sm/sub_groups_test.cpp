// An issue unit keeps a unit whose instruction is several groups, and slots while the formation's tables are busy.
#include <gtest/gtest.h>

#include "sm/sub_core/sub_groups.h"
#include "sub_core_rig.h"

namespace heddle::sm::test {
namespace {

using probe::Slot;

struct Groups : StatesRig {
    Groups() : StatesRig("mov.u32 %r1, 7; exit;") {
        start();
    }
    [[nodiscard]] std::uint64_t slots(Slot slot) const {
        return frame.contexts.stats.slots[static_cast<std::size_t>(slot)];
    }

    LoadStoreUnit unit{machine, 0, frame.memory, frame.flights, true};
    MemoryStage memory{machine, unit, InFlight::kMost};
    InFlight flights;
    StallAccount stalls{frame, states, memory, flights, pipes};
    SubGroups groups{frame, states, stalls, issue_units};
};

TEST(SubGroups, TheNextGroupWaitsForItsPipe) {
    Groups sm;
    IssueUnit& unit = sm.issue_units[0];
    unit.kept = 0;
    EXPECT_FALSE(sm.groups.next_can_issue(unit, 0, 121, 120));
    EXPECT_EQ(unit.slot, Slot::PipeSp);
    EXPECT_EQ(sm.slots(Slot::PipeSp), 1U);
    EXPECT_EQ(unit.look_at(), 121U);
    EXPECT_TRUE(sm.groups.next_can_issue(unit, 0, 121, 121));
    EXPECT_EQ(unit.look_at(), 122U);
    EXPECT_EQ(sm.slots(Slot::PipeSp), 1U);
}

TEST(SubGroups, AUnitIsKeptUntilItsLastGroup) {
    Groups sm;
    IssueUnit& unit = sm.issue_units[0];
    warp::Group group = StatesRig::row(0);
    group.last = false;
    EXPECT_TRUE(sm.groups.keep_until_last(unit, group));
    EXPECT_EQ(unit.kept, 0U);
    group.last = true;
    EXPECT_TRUE(sm.groups.keep_until_last(unit, group));
    EXPECT_EQ(unit.kept, kNoUnit);
}

TEST(SubGroups, NoGroupWhileAllThreadsLeftAreInterlocked) {
    Groups sm;
    IssueUnit& unit = sm.issue_units[0];
    warp::Group group = StatesRig::row(0);
    group.parts = 0;
    group.last = false;
    EXPECT_FALSE(sm.groups.keep_until_last(unit, group));
    EXPECT_EQ(unit.kept, 0U);
    EXPECT_EQ(unit.look_at(), kNever); // until next PCs count
    EXPECT_EQ(sm.slots(Slot::Interlock), 1U);
}

TEST(SubGroups, NothingIssuesWhileTablesAreBusy) {
    Groups sm;
    sm.frame.formation.stall = 1;
    EXPECT_TRUE(sm.groups.tables_are_busy());
    EXPECT_EQ(sm.slots(Slot::Tables), sm.issue_units.size());
    EXPECT_EQ(sm.issue_units[0].look_at(), 0U);
    EXPECT_FALSE(sm.groups.tables_are_busy()); // one cycle only
}

} // namespace
} // namespace heddle::sm::test
