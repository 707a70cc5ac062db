// The issue unit of a sub-core over a scheduler that takes the first candidate: two pipes and the load/store unit.
#include <gtest/gtest.h>

#include "sm/sub_core/issue_unit.h"

namespace heddle::sm {
namespace {

constexpr unsigned kPipes = 2;
const WaitStates kStates(kPipes, 1);
const WaitStates::State kLoadStore = kStates.load_store();
const WaitStates::State kNone = kStates.no_instruction();

// Notes what it may pick from.
class First final : public sched::Scheduler {
public:
    UnitId pick(const UnitSet& can_issue, const warp::View& /*view*/, Cycle /*now*/) override {
        seen = can_issue;
        return can_issue.first();
    }
    const UnitSet* considered() const override {
        return considers;
    }
    UnitSet seen;
    const UnitSet* considers = nullptr;
};

struct Rig {
    explicit Rig(const sched::Share& share = {.units = 8}, const UnitSet* considered = nullptr)
        : known(share.units), units(share.units), none(share.units), unit(
                                                                         [&] {
                                                                             auto made = std::make_unique<First>();
                                                                             made->considers = considered;
                                                                             scheduler = made.get();
                                                                             return made;
                                                                         }(),
                                                                         share, kPipes) {
        for (unsigned u = 0; u < share.units; ++u) {
            units.alive.insert(static_cast<UnitId>(u));
            units.eligible.insert(static_cast<UnitId>(u));
            known.insert(static_cast<UnitId>(u));
            put(static_cast<UnitId>(u), kNone);
        }
    }
    void put(UnitId u, WaitStates::State state) {
        if (states.size() <= u)
            states.resize(u + 1U, kNone);
        unit.move(u, states[u], state);
        states[u] = state;
    }
    bool find(Cycle now) {
        return unit.find_candidates(opens, known, units, now);
    }
    UnitId pick(Cycle now) {
        const warp::View view{.units = units, .long_wait = none, .at_barrier = none, .progress = {}, .blocks = {}};
        return unit.pick(view, now);
    }

    UnitSet known;
    warp::UnitTable units;
    UnitSet none;
    First* scheduler = nullptr;
    IssueUnit unit;
    IssueUnit::OpenTimes opens{};
    std::vector<WaitStates::State> states;
};

// Pipe 1 opens in cycle 5.
TEST(IssueUnit, AUnitIssuesWhenItsPipeIsOpen) {
    Rig r;
    r.put(3, 1);
    r.opens[1] = 5;
    EXPECT_FALSE(r.find(4));
    EXPECT_EQ(r.unit.look_at(), 5U); // not before, unless something changes
    EXPECT_TRUE(r.find(5));
    EXPECT_EQ(r.pick(5), 3);
    EXPECT_EQ(r.unit.look_at(), 6U);
}

// A change beside its units: a wait for a register or a pipe has nothing to do with it.
TEST(IssueUnit, AChangeOfOthersMattersForTheLoadStoreUnitAndForCausesThatAreNotItsOwn) {
    Rig r;
    r.opens[0] = 9;
    r.put(3, 0);
    EXPECT_FALSE(r.find(4));
    r.unit.cause_is_own = true;
    r.unit.mark_for_others();
    EXPECT_EQ(r.unit.look_at(), 9U);
    r.unit.cause_is_own = false; // its slots are empty because of a barrier
    r.unit.mark_for_others();
    EXPECT_EQ(r.unit.look_at(), 0U);
    EXPECT_FALSE(r.find(5));
    EXPECT_EQ(r.unit.look_at(), 9U);
    r.unit.cause_is_own = true;
    r.put(4, kLoadStore);
    r.unit.mark_for_others();
    EXPECT_EQ(r.unit.look_at(), 0U);
}

TEST(IssueUnit, ItLooksAgainWhenTheFirstPipeOpensThatAUnitWaitsFor) {
    Rig r;
    r.opens = {9, 7, 3};
    r.put(0, 0);
    EXPECT_FALSE(r.find(1));
    EXPECT_EQ(r.unit.look_at(), 9U); // no unit waits for the other pipes
    r.put(1, 1);
    EXPECT_FALSE(r.find(1));
    EXPECT_EQ(r.unit.look_at(), 7U);
    r.put(2, kLoadStore);
    r.opens[kLoadStore] = kNever; // full
    EXPECT_FALSE(r.find(1));
    EXPECT_EQ(r.unit.look_at(), 7U);
    r.unit.mark();
    EXPECT_EQ(r.unit.look_at(), 0U);
    r.unit.wait();
    EXPECT_EQ(r.unit.look_at(), kNever);
}

TEST(IssueUnit, UnitsThatWaitForRegistersOrInstructionsAreNoCandidates) {
    Rig r;
    r.put(0, kStates.reg(Producer::Alu));
    r.put(1, kStates.reg(Producer::Memory));
    EXPECT_FALSE(r.find(10));
    EXPECT_EQ(r.unit.look_at(), kNever);
}

// All of 1, 3, 5 and 7 are the unit's: only 7 is alive, eligible and looked at.
TEST(IssueUnit, OnlyItsOwnUnitsThatMayGoOn) {
    Rig r({.units = 8, .index = 1, .count = 2});
    for (UnitId u = 0; u < 8; ++u)
        r.put(u, 0);
    r.units.alive.erase(1);
    r.units.eligible.erase(3);
    r.known.erase(5);
    ASSERT_TRUE(r.find(0));
    EXPECT_EQ(r.pick(0), 7);
    EXPECT_EQ(r.scheduler->seen.count(), 1U);
}

TEST(IssueUnit, BoostedUnitsGoBeforeAllOthers) {
    Rig r;
    r.put(0, 0);
    r.put(4, 0);
    r.put(5, 1);
    r.opens[1] = 9;
    r.units.boosted.insert(5); // its pipe is closed: it is no candidate
    ASSERT_TRUE(r.find(0));
    EXPECT_EQ(r.pick(0), 0);
    r.units.boosted.insert(4);
    ASSERT_TRUE(r.find(1));
    EXPECT_EQ(r.pick(1), 4);
}

// A pipe ends before the load/store unit, that before registers by their producer, those before missing instructions.
TEST(IssueUnit, TheCauseThatEndsFirst) {
    Rig r;
    EXPECT_EQ(r.unit.first_state(r.known, r.units), kNone);
    r.put(0, kStates.reg(Producer::Memory));
    EXPECT_EQ(r.unit.first_state(r.known, r.units), kStates.reg(Producer::Memory));
    r.put(1, kStates.reg(Producer::Alu));
    EXPECT_EQ(r.unit.first_state(r.known, r.units), kStates.reg(Producer::Alu));
    r.put(2, kLoadStore);
    EXPECT_EQ(r.unit.first_state(r.known, r.units), kLoadStore);
    r.put(3, 1);
    EXPECT_EQ(r.unit.first_state(r.known, r.units), 1);
    r.units.eligible.erase(3);
    EXPECT_EQ(r.unit.first_state(r.known, r.units), kLoadStore);
    r.put(5, kLoadStore);
    EXPECT_EQ(r.unit.first_in(kLoadStore, r.known, r.units), 2);
}

// Units that the scheduler does not look at are no cause, but may issue as soon as it does.
TEST(IssueUnit, CausesOfConsideredUnitsOnly) {
    UnitSet active(8);
    active.insert(1);
    Rig r({.units = 8}, &active);
    r.put(0, 0);
    r.put(1, kStates.reg(Producer::Alu));
    EXPECT_EQ(r.unit.first_state(r.known, r.units), kStates.reg(Producer::Alu));
    EXPECT_TRUE(r.find(0));
}

TEST(IssueUnit, MoreUnitsThanAWord) {
    Rig r({.units = 100});
    r.put(70, 0);
    ASSERT_TRUE(r.find(0));
    EXPECT_EQ(r.pick(0), 70);
    r.put(80, kLoadStore);
    r.put(70, kNone);
    EXPECT_EQ(r.unit.first_state(r.known, r.units), kLoadStore);
    EXPECT_EQ(r.unit.first_in(kLoadStore, r.known, r.units), 80);
    r.units.boosted.insert(80);
    r.put(70, 0);
    ASSERT_TRUE(r.find(0));
    EXPECT_EQ(r.pick(0), 80);
}

} // namespace
} // namespace heddle::sm
