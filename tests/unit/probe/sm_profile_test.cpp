// The profile of an SM: counters, stalls, divergences, sums. Numbers by hand.
#include <gtest/gtest.h>

#include "probe/sm_profile.h"

namespace heddle::probe {
namespace {

std::uint64_t get(SmProfile& profile, Pc pc, Counter counter) {
    return profile.at(pc)[counter];
}

struct Launched : SmProfile {
    explicit Launched(std::size_t kernel = 0) : SmProfile(true) {
        begin_launch(kernel);
    }
    // The slots of a stall; 0: there is none.
    std::uint64_t slots(Pc pc, Slot cause, Pc producer) {
        std::uint64_t out = 0;
        for (const Stall& stall : at(pc).stalls)
            out += stall.cause == cause && stall.producer == producer ? stall.slots : 0;
        return out;
    }
};

TEST(SmProfile, CountsByInstruction) {
    Launched profile;
    profile.executed(700, 3, 5, 10);
    profile.executed(700, 4, 6, 12);
    profile.issued(700);
    EXPECT_EQ(get(profile, 700, Counter::Threads), 7U);
    EXPECT_EQ(get(profile, 700, Counter::Lanes), 11U);
    EXPECT_EQ(get(profile, 700, Counter::Executions), 1U);
    EXPECT_EQ(get(profile, 699, Counter::Threads), 0U);
    EXPECT_EQ(profile.now(), 12U);
}

TEST(SmProfile, StallsByCauseAndProducer) {
    Launched profile;
    profile.stall(3, {Slot::ScoreboardAlu, 1, 10});
    profile.stall(3, {Slot::ScoreboardAlu, 2, 5});
    profile.stall(3, {Slot::ScoreboardAlu, 1, 7});
    profile.stall(3, {Slot::ScoreboardAlu, 1, ~std::uint64_t{0}}); // one is taken back
    profile.stall(kNoPc, {Slot::Empty, kNoPc, 8});
    EXPECT_EQ(profile.slots(3, Slot::ScoreboardAlu, 1), 16U);
    EXPECT_EQ(profile.slots(3, Slot::ScoreboardAlu, 2), 5U);
    EXPECT_EQ(profile.elsewhere(0)[static_cast<std::size_t>(Slot::Empty)], 8U);
}

TEST(SmProfile, StallsForLoadsGetTheirCauseLater) {
    Launched profile;
    profile.stall_for_load(9, 4, 2, 100);
    profile.stall_for_load(9, 5, 2, 10);
    profile.stall_for_load(9, 4, 2, 1);
    EXPECT_EQ(profile.slots(4, Slot::ScoreboardMemory, 2), 0U);
    profile.loaded(9, Slot::ScoreboardDram);
    profile.loaded(9, Slot::ScoreboardL1); // nothing is left
    EXPECT_EQ(profile.slots(4, Slot::ScoreboardDram, 2), 101U);
    EXPECT_EQ(profile.slots(5, Slot::ScoreboardDram, 2), 10U);
    profile.stall_for_load(3, 4, 2, 6);
    profile.end_launch(); // before the data came
    EXPECT_EQ(profile.slots(4, Slot::ScoreboardMemory, 2), 6U);
}

TEST(SmProfile, ElsewhereByKernel) {
    Launched profile(2);
    profile.stall(kNoPc, {Slot::NoUnit, kNoPc, 3});
    profile.end_launch();
    profile.begin_launch(0);
    profile.stall(kNoPc, {Slot::NoUnit, kNoPc, 4});
    EXPECT_EQ(profile.elsewhere(2)[static_cast<std::size_t>(Slot::NoUnit)], 3U);
    EXPECT_EQ(profile.elsewhere(0)[static_cast<std::size_t>(Slot::NoUnit)], 4U);
    EXPECT_EQ(profile.elsewhere(7)[static_cast<std::size_t>(Slot::NoUnit)], 0U);
}

// A branch at 5 in cycle 100: lanes 0 to 3 of row 1 and lane 0 of row 2 meet at 20.
TEST(SmProfile, ThreadsAreApartUntilTheLastOneMeetsTheOthers) {
    Launched profile;
    profile.diverged(5, 20, 100);
    profile.diverged(1, 0b1111);
    profile.diverged(2, 0b1);
    EXPECT_EQ(profile.at(20).awaited, 2U);
    profile.met(20, 1, 0b0011, 110);
    profile.met(20, 2, 0b1, 120);
    EXPECT_EQ(profile.at(20).awaited, 1U);
    EXPECT_EQ(get(profile, 5, Counter::Apart), 0U);
    profile.met(20, 1, 0b1100, 150);
    EXPECT_EQ(get(profile, 5, Counter::Apart), 50U);
    EXPECT_EQ(profile.at(20).awaited, 0U);
}

TEST(SmProfile, InnerAndOuterDivergencesAndExits) {
    Launched profile;
    profile.diverged(5, 20, 100);
    profile.diverged(0, 0b1111);
    profile.diverged(7, 15, 104);
    profile.diverged(0, 0b0011);
    profile.met(15, 0, 0b0011, 110);
    EXPECT_EQ(get(profile, 7, Counter::Apart), 6U);
    EXPECT_EQ(get(profile, 5, Counter::Apart), 0U);
    profile.met(20, 0, 0b1100, 120);
    profile.met(kNoPc, 0, 0b0011, 130); // they exit
    EXPECT_EQ(get(profile, 5, Counter::Apart), 30U);
    EXPECT_EQ(profile.at(15).awaited + profile.at(20).awaited, 0U);
}

TEST(SmProfile, Sums) {
    Launched a, b(1);
    a.executed(3, 1, 1, 0);
    b.executed(3, 2, 2, 0);
    b.executed(100, 5, 5, 0);
    a.stall(3, {Slot::Barrier, kNoPc, 1});
    b.stall(3, {Slot::Barrier, kNoPc, 2});
    b.stall(3, {Slot::Fetch, kNoPc, 4});
    b.stall(kNoPc, {Slot::Empty, kNoPc, 9});
    SmProfile sum(true);
    sum.add(a);
    sum.add(b);
    EXPECT_EQ(get(sum, 3, Counter::Threads), 3U);
    EXPECT_EQ(get(sum, 100, Counter::Lanes), 5U);
    ASSERT_EQ(sum.at(3).stalls.size(), 2U);
    EXPECT_EQ(sum.at(3).stalls[0].slots, 3U);
    EXPECT_EQ(sum.at(3).stalls[1].slots, 4U);
    EXPECT_EQ(sum.elsewhere(1)[static_cast<std::size_t>(Slot::Empty)], 9U);
    std::vector<Pc> seen;
    sum.for_each(2, 101, [&](Pc pc, const SmProfile::Instruction& counted) {
        if (counted.counters[static_cast<std::size_t>(Counter::Threads)] != 0)
            seen.push_back(pc);
    });
    EXPECT_EQ(seen, (std::vector<Pc>{3, 100}));
}

} // namespace
} // namespace heddle::probe
