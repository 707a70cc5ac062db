// The threads that hit and those that missed (MAWS 4), and the division of a flight by them (MAWS 5.4).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core_rig.h"
#include "sm/load_store/division.h"

namespace heddle::sm::test {
namespace {

using testing::ElementsAre;

constexpr Address kA = 0x1000'0000'0000;

std::unique_ptr<formation::Formation> make_formation(const char* name) {
    return formation::formations().make(name, {.width = 4, .rows = 8, .block_slots = 8}, config::Machine::defaults({}));
}

// Four threads of row 0; the first two need line 0 of the access, the others line 1.
struct Access : testing::Test {
    std::unique_ptr<formation::Formation> how = make_formation("maws");
    Divergence divergence{*how, 4, 64, 4, ViewsConfig{}};
    warp::Flight flight;

    Access() {
        flight.id = 0;
        set_group(flight, ir::Kind::Load, 4);
        divergence.begin(flight);
        for (unsigned lane = 0; lane < 4; ++lane)
            divergence.needs(0, lane / 2, 0, lane);
    }
};

TEST_F(Access, ThreadsOfALineThatWasThereHit) {
    divergence.hit(flight, 0);
    divergence.missed(flight, 1, 1);
    divergence.finish(flight, 10);
    EXPECT_EQ(flight.hit[0], 0b0011U);
    EXPECT_EQ(divergence.stats().missed, 1U);
    EXPECT_EQ(divergence.stats().divergent, 1U);
    EXPECT_EQ(divergence.stats().degree[2], 1U);
}

TEST_F(Access, AllMiss) {
    divergence.missed(flight, 0, 0);
    divergence.missed(flight, 1, 1);
    divergence.finish(flight, 10);
    EXPECT_EQ(flight.hit[0], 0U);
    EXPECT_EQ(divergence.stats().missed, 1U);
    EXPECT_EQ(divergence.stats().divergent, 0U);
}

// A thread whose words lie on two lines hits when both do.
TEST_F(Access, ThreadsThatNeedTwoLines) {
    divergence.begin(flight);
    for (unsigned lane = 0; lane < 4; ++lane) {
        divergence.needs(0, 0, 0, lane);
        if (lane != 3)
            divergence.needs_also(0, 1);
    }
    divergence.hit(flight, 0);
    divergence.missed(flight, 1, 1);
    divergence.finish(flight, 10);
    EXPECT_EQ(flight.hit[0], 0b1000U);
    EXPECT_EQ(divergence.stats().degree[3], 1U);
}

// Threads 2 and 3 do not execute it: they wait for nothing, unless all miss that do.
TEST_F(Access, ThreadsWhoseGuardIsFalse) {
    divergence.begin(flight);
    divergence.needs(0, 0, 0, 0);
    divergence.needs(0, 1, 0, 1);
    divergence.missed(flight, 1, 1);
    divergence.finish(flight, 10);
    EXPECT_EQ(flight.hit[0], 0b1101U);
    divergence.begin(flight);
    divergence.needs(0, 0, 0, 0);
    divergence.missed(flight, 0, 5);
    divergence.finish(flight, 11);
    EXPECT_EQ(flight.hit[0], 0U);
}

// Of atomic operations and fences all threads wait together.
TEST_F(Access, NobodyHitsInAnAtomic) {
    flight.op = &op_of(ir::Kind::Atomic);
    divergence.missed(flight, 1, 1);
    divergence.finish(flight, 10);
    EXPECT_EQ(flight.hit[0], 0U);
    EXPECT_EQ(divergence.stats().missed, 0U);
}

// A flight of a warp-split further on (the larger order) has sent for line 7.
TEST_F(Access, LinesThatOneAheadHasSentForHelp) {
    // The flight of a group that stands so far in its program.
    const auto access = [&](std::uint64_t order, RowId row = 0) {
        warp::Flight out = flight;
        out.group.formation_words[0] = order;
        out.group.part[0].row = row;
        divergence.begin(out);
        return out;
    };
    divergence.missed(access(10), 0, 7);
    divergence.missed(access(4), 0, 7);
    EXPECT_EQ(divergence.stats().helped_late, 1U);
    divergence.hit(access(4), 7);
    EXPECT_EQ(divergence.stats().helped, 1U);
    divergence.hit(access(11), 7);   // further on
    divergence.hit(access(4, 1), 7); // of another row
    divergence.hit(access(0), 7);    // not known
    EXPECT_EQ(divergence.stats().helped, 1U);
}

// One line from cycle 10 on, two from 20, none from 30.
TEST_F(Access, LinesOnTheirWayByCycles) {
    divergence.on_their_way(1, 10);
    divergence.on_their_way(2, 20);
    divergence.on_their_way(0, 30);
    divergence.on_their_way(0, 40);
    EXPECT_EQ(divergence.stats().line_cycles, 10U * 1U + 10U * 2U);
    EXPECT_EQ(divergence.stats().busy_cycles, 20U);
    EXPECT_EQ(divergence.stats().on_their_way[2], 10U);
    EXPECT_EQ(divergence.stats().on_their_way[0], 20U); // before and after
}

// The load/store unit fills the hit mask: of four threads two are on a present line, two on a line that misses.
TEST(DivergenceInTheUnit, AFlightThatIsPutAsideKnowsWhoHit) {
    UnitRig sm;
    const auto how = make_formation("pdom");
    sm.unit.watch_divergence(*how, ViewsConfig{}, 32);
    sm.bring(kA);
    sm.prepare(0, access_of(In::Global, {kA, kA + 128, kA + 4, kA + 132}));
    sm.serve(0, 10);
    EXPECT_EQ(sm.flights[0].hit[0], 0b0101U);
    EXPECT_EQ(sm.counter("divergence", "divergent"), 1U);
    ASSERT_NE(sm.unit.miss_intervals(), nullptr);
}

// A load of 4 threads at instruction 2 of which lanes 0 and 1 hit.
struct DivisionRig : FrameRig {
    explicit DivisionRig(const std::string& split)
        : FrameRig({"core.formation=maws", "maws.split=" + split, "core.width=4", "core.threads=16"},
                   "ld.param.u64 %d1, [x]; ld.global.u32 %r1, [%d1]; exit;", 4),
          unit(machine, 0, frame.memory, frame.flights), division(machine, frame, unit) {
        warp::Flight& first = execute(0);
        frame.formation.returned(first, 0);
        frame.commit(first, 0);
        behind = &execute(0);
        unit.prepare(*behind, frame.access);
        unit.step(0, 10);
        behind->hit[0] = 0b0011; // all are on one line, which misses
    }
    warp::Flight& ahead() {
        return frame.flights[1];
    }

    LoadStoreUnit unit;
    Division division;
    warp::Flight* behind = nullptr;
};

TEST(Division, PartsThoseThatHitFromThoseThatMissed) {
    DivisionRig sm("aggress");
    EXPECT_TRUE(sm.division.is_on());
    ASSERT_TRUE(sm.division.divides(*sm.behind));
    const UnitId unit = sm.behind->group.unit;
    sm.division.divide(*sm.behind, sm.ahead());
    EXPECT_EQ(sm.ahead().group.part[0].lanes, 0b0011U);
    EXPECT_EQ(sm.ahead().group.threads, 2);
    EXPECT_EQ(sm.ahead().lines_left, 0);
    EXPECT_EQ(sm.ahead().id, 1); // it keeps its number
    EXPECT_EQ(sm.behind->group.part[0].lanes, 0b1100U);
    EXPECT_EQ(sm.behind->lines_left, 1);
    EXPECT_EQ(sm.behind->group.unit, unit); // those behind keep the unit
    EXPECT_NE(sm.ahead().group.unit, unit);
    EXPECT_EQ(sm.ahead().generation, sm.frame.units.generation[sm.ahead().group.unit]);
    EXPECT_FALSE(warp::hits_in_part(*sm.behind));
}

TEST(Division, NotOfAFlightThatMissedAltogether) {
    DivisionRig sm("aggress");
    sm.behind->hit[0] = 0;
    EXPECT_FALSE(sm.division.divides(*sm.behind));
}

// lazy divides only when the core starves, and not again before another flight has been put aside.
TEST(Division, ADivisionThatWaitsUntilTheCoreStarves) {
    DivisionRig sm("lazy");
    EXPECT_FALSE(sm.division.divides(*sm.behind));
    EXPECT_FALSE(sm.division.may_divide());
    sm.frame.formation.put_aside(*sm.behind, 10);
    sm.division.put_aside();
    EXPECT_TRUE(sm.division.may_divide());
    EXPECT_EQ(sm.division.starved(), 0);
    sm.division.divide(*sm.behind, sm.ahead());
    EXPECT_EQ(sm.division.starved(), warp::kNoFlight);
    EXPECT_FALSE(sm.division.may_divide());
}

TEST(Division, FormationsThatDivideNothing) {
    FrameRig sm({"core.width=4"}, "exit;", 4);
    LoadStoreUnit unit(sm.machine, 0, sm.frame.memory, sm.frame.flights);
    Division division(sm.machine, sm.frame, unit);
    EXPECT_FALSE(division.is_on());
    division.put_aside();
    EXPECT_FALSE(division.may_divide());
    EXPECT_EQ(unit.miss_intervals(), nullptr);
}

} // namespace
} // namespace heddle::sm::test
