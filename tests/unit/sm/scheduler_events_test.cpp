// Events of blocks, time and eligible units come to the schedulers of all issue units, each unit's to its own.
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core_rig.h"
#include "sm/sub_core/scheduler_events.h"

namespace heddle::sm::test {
namespace {

using testing::ElementsAre;

class Recorder final : public sched::Scheduler {
public:
    UnitId pick(const UnitSet& can_issue, const warp::View& /*view*/, Cycle /*now*/) override {
        return can_issue.first();
    }
    bool keeps_lists() const override {
        return true;
    }
    void entered(UnitId unit, Pc pc, unsigned threads) override {
        seen.push_back(fmt::format("u{} enters at {} with {}", unit, pc, threads));
    }
    void left(UnitId unit) override {
        seen.push_back(fmt::format("u{} leaves", unit));
    }
    void block_event(std::uint16_t block, sched::BlockEvent event, const warp::View& /*view*/, Cycle now) override {
        seen.push_back(fmt::format("block {} event {} at {}", block, static_cast<int>(event), now));
        if (event == sched::BlockEvent::Started)
            wake = now + 10;
    }
    void tick(const warp::View& /*view*/, Cycle now) override {
        seen.push_back(fmt::format("tick {}", now));
        wake = kNever;
    }
    std::vector<std::string> seen;
};

struct Events : FrameRig {
    Events() : FrameRig(kScoreboard, "exit;", 8, kFlights) {
        for (unsigned s = 0; s < 2; ++s) {
            auto policy = std::make_unique<Recorder>();
            policies.push_back(policy.get());
            issue_units.emplace_back(std::move(policy), sched::Share{frame.units.capacity(), s, 2, 8}, 3);
        }
    }
    static constexpr unsigned kFlights = 8;
    std::vector<Recorder*> policies;
    std::vector<IssueUnit> issue_units;
};

TEST(SchedulerEvents, BlocksAndTime) {
    Events sm;
    SchedulerEvents events(sm.frame, sm.issue_units);
    EXPECT_EQ(events.wake(), kNever);
    events.block_event(3, sched::BlockEvent::Started, 100);
    EXPECT_EQ(events.wake(), 110U);
    EXPECT_FALSE(events.tick(109));
    EXPECT_TRUE(events.tick(110));
    EXPECT_EQ(events.wake(), kNever);
    for (const Recorder* policy : sm.policies)
        EXPECT_THAT(policy->seen, ElementsAre("block 3 event 0 at 100", "tick 110"));
}

TEST(SchedulerEvents, ChangesOfBlocksAreCleared) {
    Events sm;
    SchedulerEvents events(sm.frame, sm.issue_units);
    sm.frame.contexts.changes.push_back({1, sched::BlockEvent::Finished});
    events.pass_block_changes(7);
    EXPECT_TRUE(sm.frame.contexts.changes.empty());
    EXPECT_THAT(sm.policies[1]->seen, ElementsAre("block 1 event 4 at 7"));
}

TEST(SchedulerEvents, EligibleUnitsOfEachSubCore) {
    Events sm; // two units of four threads, both eligible at the kernel's entry
    SchedulerEvents events(sm.frame, sm.issue_units);
    events.pass_eligible();
    EXPECT_THAT(sm.policies[0]->seen, ElementsAre(fmt::format("u0 enters at {} with 4", sm.frame.units.pc[0])));
    EXPECT_THAT(sm.policies[1]->seen, ElementsAre(fmt::format("u1 enters at {} with 4", sm.frame.units.pc[1])));
    sm.policies[1]->seen.clear();
    events.picked(1, sm.issue_units[1]);
    sm.frame.units.eligible.erase(1);
    events.pass_eligible();
    EXPECT_THAT(sm.policies[1]->seen, ElementsAre("u1 leaves"));
}

} // namespace
} // namespace heddle::sm::test
