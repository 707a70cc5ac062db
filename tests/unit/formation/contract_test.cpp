// What every formation must keep to, run over all that are registered: random outcomes, without a core.

#include <map>
#include <random>

#include <gtest/gtest.h>

#include "driver.h"

namespace heddle::formation {
namespace {

constexpr unsigned kWidth = 8;
constexpr unsigned kRows = 4;

class FormationContract : public testing::TestWithParam<std::string> {
protected:
    Driver d{GetParam(), kWidth, kRows, {"lwm.size=16"}}; // large warps of two rows: a block
    std::array<LaneMask, kRows> live{};

    void launch_block(std::uint16_t block, RowId first) {
        const std::array<warp::Part, 2> rows{{{first, 0xff}, {static_cast<RowId>(first + 1), 0x3f}}};
        d.formation->launch(block, rows, 0);
        live[first] = 0xff;
        live[first + 1] = 0x3f;
    }

    // Every live thread is in at most one unit and no dead thread is in any. (Threads that a unit's stack keeps back
    // are in no unit's members.)
    void check() const {
        std::array<LaneMask, kRows> seen{};
        d.formation->units.alive.for_each([&](UnitId u) {
            unsigned threads = 0;
            for (const warp::Part& part : d.formation->members(u)) {
                EXPECT_EQ(seen[part.row] & part.lanes, 0U) << "a thread in two units";
                EXPECT_EQ(part.lanes & ~live[part.row], 0U) << "a thread that has exited";
                seen[part.row] |= part.lanes;
                threads += count_lanes(part.lanes);
            }
            EXPECT_EQ(threads, d.formation->units.threads[u]);
            EXPECT_NE(threads, 0U);
        });
        d.formation->units.eligible.for_each([&](UnitId u) {
            EXPECT_TRUE(d.formation->units.alive.contains(u));
            EXPECT_LT(u, d.formation->units.words * 64) << "cores look no further";
        });
    }

    [[nodiscard]] std::map<std::pair<RowId, unsigned>, Pc> pcs() const {
        std::map<std::pair<RowId, unsigned>, Pc> out;
        d.formation->units.alive.for_each([&](UnitId u) {
            for (const warp::Part& part : d.formation->members(u))
                for (LaneMask m = part.lanes; m != 0; m &= m - 1)
                    out[{part.row, static_cast<unsigned>(std::countr_zero(m))}] = d.formation->units.pc[u];
        });
        return out;
    }
};

TEST_P(FormationContract, LaunchPutsEveryThreadAtTheEntry) {
    launch_block(0, 0);
    launch_block(1, 2);
    check();
    const auto at = pcs();
    EXPECT_EQ(at.size(), 2U * (8 + 6));
    for (const auto& [thread, pc] : at)
        EXPECT_EQ(pc, 0U);
}

TEST_P(FormationContract, AUnitIsNotEligibleWhileItsGroupFlies) {
    launch_block(0, 0);
    const UnitId unit = d.formation->units.eligible.first();
    d.formation->units.eligible.erase(unit);
    warp::Group group;
    do
        d.formation->form(unit, d.plain, d.executor, group);
    while (!group.last);
    EXPECT_FALSE(d.formation->units.eligible.contains(unit));
}

// Each thread runs a program of its own making: a counted loop whose trip count is the thread's number, then exit.
//   0: if (trips == 0) goto 3   1: work   2: goto 0   3: exit
TEST_P(FormationContract, EveryThreadRetiresItsOwnInstructions) {
    launch_block(0, 0);
    launch_block(1, 2);
    std::map<std::pair<RowId, unsigned>, unsigned> trips, work;
    for (RowId row = 0; row < kRows; ++row)
        for (unsigned lane = 0; lane < kWidth; ++lane)
            trips[{row, lane}] = (row * kWidth + lane) * 7 % 13;
    const auto wanted = trips;
    std::array<ir::MicroOp, 4> ops{};
    ops[0].kind = ir::Kind::Branch;
    ops[0].reconvergence = 3;
    ops[0].guard = 0; // not an unconditional jump
    ops[2].kind = ir::Kind::Branch;
    ops[3].kind = ir::Kind::Exit;
    std::mt19937 random(3);
    unsigned steps = 0;
    while (live != std::array<LaneMask, kRows>{}) {
        ASSERT_LT(++steps, 100000U) << "no end";
        d.settle();
        check();
        // Any eligible unit may go next.
        std::vector<UnitId> eligible;
        d.formation->units.eligible.for_each([&](UnitId u) { eligible.push_back(u); });
        ASSERT_FALSE(eligible.empty()) << "nothing can go on";
        const UnitId unit = eligible[random() % eligible.size()];
        const Pc pc = d.formation->units.pc[unit];
        d.formation->units.eligible.erase(unit);
        for (bool last = false; !last;) {
            warp::Flight flight;
            d.formation->form(unit, ops[pc], d.executor, flight.group);
            flight.op = &ops[pc];
            last = flight.group.last;
            warp::Outcome& o = flight.outcome;
            o.kind = pc == 0 || pc == 2 ? warp::Outcome::Kind::Branch
                     : pc == 3          ? warp::Outcome::Kind::Exit
                                        : warp::Outcome::Kind::Next;
            o.target = pc == 0 ? 3 : 0;
            for (unsigned p = 0; p < flight.group.parts; ++p) {
                const warp::Part& part = flight.group.part[p];
                o.taken[p] = pc == 0 ? 0 : part.lanes;
                for (LaneMask m = part.lanes; m != 0; m &= m - 1) {
                    const std::pair<RowId, unsigned> thread{part.row, static_cast<unsigned>(std::countr_zero(m))};
                    if (pc == 0 && trips[thread] == 0)
                        o.taken[p] |= m & (~m + 1);
                    if (pc == 1) {
                        ++work[thread];
                        --trips[thread];
                    }
                }
                o.executed += static_cast<std::uint16_t>(count_lanes(o.taken[p]));
                if (pc == 3)
                    live[part.row] &= ~part.lanes;
            }
            d.formation->returned(flight, 0);
            d.formation->advance(flight, 0);
        }
    }
    EXPECT_TRUE(d.formation->units.alive.empty());
    for (const auto& [thread, n] : wanted) {
        const bool exists = thread.first % 2 == 0 || thread.second < 6;
        EXPECT_EQ(work[thread], exists ? n : 0) << "row " << thread.first << " lane " << thread.second;
    }
}

TEST_P(FormationContract, ThreadsThatWaitGoOnWhenResumed) {
    launch_block(0, 0);
    std::vector<UnitId> all;
    d.formation->units.eligible.for_each([&](UnitId u) { all.push_back(u); });
    std::vector<warp::Part> waiting;
    for (const UnitId u : all) {
        const std::span<const warp::Part> members = d.formation->members(u);
        waiting.insert(waiting.end(), members.begin(), members.end());
        d.barrier(u);
    }
    EXPECT_TRUE(d.formation->units.eligible.empty());
    check();
    d.formation->resume(0, waiting);
    check();
    for (const auto& [thread, pc] : pcs())
        EXPECT_EQ(pc, 1U);
    EXPECT_FALSE(d.formation->units.eligible.empty());
}

INSTANTIATE_TEST_SUITE_P(All, FormationContract, testing::ValuesIn(formations().names()));

} // namespace
} // namespace heddle::formation
