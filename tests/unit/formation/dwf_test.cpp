// Dynamic warp formation (DWF07 4) by hand. Warps of four lanes; lane masks are written lane 3 first.

#include <algorithm>

#include <gtest/gtest.h>

#include "contract/formation_driver.h"
#include "formation/dwf_units.h"
#include "stats/snapshot.h"

namespace heddle::formation {
namespace {

struct Dwf : Driver {
    explicit Dwf(std::vector<std::string> settings = {}, unsigned rows = 4) : Driver("dwf", 4, rows, settings) {}

    void launch(std::initializer_list<warp::Part> rows, Pc entry = 0) const {
        for (const warp::Part& row : rows)
            formation->launch(row.row, {&row, 1}, entry);
    }
    // The only unit at a PC; kNoUnit when there is none or several.
    [[nodiscard]] UnitId at(Pc where) const {
        UnitId found = kNoUnit;
        unsigned n = 0;
        formation->units.alive.for_each([&](UnitId u) {
            if (formation->units.pc[u] == where) {
                found = u;
                ++n;
            }
        });
        return n == 1 ? found : kNoUnit;
    }
    // The unit that holds a thread.
    [[nodiscard]] UnitId of(RowId row, LaneMask lane) const {
        UnitId found = kNoUnit;
        formation->units.alive.for_each([&](UnitId u) {
            if ((lanes_in(u, row) & lane) != 0)
                found = u;
        });
        return found;
    }
    [[nodiscard]] LaneMask lanes_in(UnitId u, RowId row) const {
        LaneMask lanes = 0;
        for (const warp::Part& part : formation->members(u)) {
            if (part.row == row) {
                EXPECT_EQ(lanes, 0U) << "a row in two parts";
                lanes = part.lanes;
            }
        }
        return lanes;
    }
    // A branch that all threads of a unit take.
    void jump(UnitId u, Pc target) {
        std::vector<LaneMask> lanes;
        for (const warp::Part& part : formation->members(u))
            lanes.push_back(part.lanes);
        step(u, plain, [&](warp::Flight& flight) {
            warp::Outcome& o = flight.outcome;
            o.kind = warp::Outcome::Kind::Branch;
            o.target = target;
            std::copy(lanes.begin(), lanes.end(), o.taken.begin());
        });
    }
    [[nodiscard]] std::uint64_t counted(const std::string& name) const {
        stats::Tree tree;
        formation->add_statistics(tree);
        return tree.snapshot().counter("dwf." + name);
    }
};

// Figure 9: two warps of four come to a branch at 0; half of each goes to A at 4, the others to B at 1. The lanes of
// the halves are free in the other warp: two full warps.
TEST(Dwf, Figure9TwoWarpsExchangeThreads) {
    Dwf d;
    d.launch({{0, 0b1111}, {1, 0b1111}});
    d.branch(d.of(0, 1), 4, 0b0011, 9);
    EXPECT_EQ(d.formation->units.threads[d.at(4)], 2);
    d.branch(d.of(1, 1), 4, 0b1100, 9);
    ASSERT_EQ(d.alive(), 2U);
    const UnitId a = d.at(4), b = d.at(1);
    ASSERT_NE(a, kNoUnit);
    ASSERT_NE(b, kNoUnit);
    EXPECT_EQ(d.lanes_in(a, 0), 0b0011U);
    EXPECT_EQ(d.lanes_in(a, 1), 0b1100U);
    EXPECT_EQ(d.lanes_in(b, 0), 0b1100U);
    EXPECT_EQ(d.lanes_in(b, 1), 0b0011U);
    EXPECT_EQ(d.formation->units.threads[a], 4);
    EXPECT_TRUE(d.formation->units.grown.contains(a));
    EXPECT_EQ(d.counted("merged"), 4U);
    // Both go to one place behind: each is full, so they stay two; parts of one row are one.
    d.jump(a, 6);
    d.jump(b, 6);
    ASSERT_EQ(d.alive(), 2U);
    EXPECT_EQ(d.counted("full_warps"), 4U); // two at launch, then these
}

TEST(Dwf, ThreadsOfARowThatMeetAreOnePart) {
    Dwf d;
    d.launch({{2, 0b1111}});
    d.branch(d.of(2, 1), 4, 0b0011, 9);
    d.jump(d.at(4), 7);
    d.jump(d.at(1), 7);
    const UnitId u = d.at(7);
    ASSERT_NE(u, kNoUnit);
    EXPECT_EQ(d.formation->members(u).size(), 1U);
    EXPECT_EQ(d.lanes_in(u, 2), 0b1111U);
}

// 4.2: OCC and REQ. The threads whose lanes are free join, only the others are a new warp; IDX and OCC then describe
// that one, and the older is filled no more.
TEST(Dwf, OnlyConflictingThreadsGoToANewWarp) {
    Dwf d;
    d.launch({{0, 0b0011}}, 5);
    d.launch({{1, 0b0110}}, 5); // lane 2 is free, lane 1 is not
    ASSERT_EQ(d.alive(), 2U);
    const UnitId first = d.of(0, 0b0001), second = d.of(1, 0b0010);
    EXPECT_NE(first, second);
    EXPECT_EQ(d.lanes_in(first, 1), 0b0100U);
    EXPECT_EQ(d.lanes_in(second, 1), 0b0010U);
    EXPECT_EQ(d.counted("conflicts"), 1U);
    d.launch({{2, 0b1000}}, 5); // free in both: the new one takes it
    EXPECT_EQ(d.of(2, 0b1000), second);
    d.launch({{3, 0b1010}}, 5); // lane 3 would be free in the first, but both are taken in the second
    EXPECT_EQ(d.of(3, 0b1000), d.of(3, 0b0010));
    EXPECT_EQ(d.alive(), 3U);
    EXPECT_EQ(d.formation->units.threads[first], 3);
    EXPECT_EQ(d.counted("conflicts"), 3U);
}

TEST(Dwf, AFullWarpConflictsWithNobody) {
    Dwf d;
    d.launch({{0, 0b1111}, {1, 0b1111}});
    EXPECT_EQ(d.alive(), 2U);
    EXPECT_EQ(d.counted("conflicts"), 0U);
    EXPECT_EQ(d.counted("merged"), 0U);
}

TEST(Dwf, AWarpThatWasFetchedTakesNoMoreThreads) {
    Dwf d;
    d.launch({{0, 0b0011}}, 5);
    const UnitId first = d.at(5);
    d.formation->units.eligible.erase(first);
    d.launch({{1, 0b1100}}, 5);
    const UnitId second = d.of(1, 0b1000);
    EXPECT_NE(second, first);
    EXPECT_EQ(d.counted("lost_issued"), 2U);
    d.launch({{2, 0b0001}}, 5); // the LUT has the new one
    EXPECT_EQ(d.of(2, 0b0001), second);
}

// A new warp with the number of an issued warp is not taken for that warp.
TEST(Dwf, TheLutForgetsAWarpThatIssues) {
    Dwf d;
    d.launch({{0, 0b0011}}, 5);
    const UnitId first = d.at(5);
    const std::uint32_t life = d.formation->units.generation[first];
    d.next(first); // to 6: the same entry of the pool
    EXPECT_EQ(d.at(6), first);
    EXPECT_NE(d.formation->units.generation[first], life);
    d.launch({{1, 0b1100}}, 5);
    EXPECT_NE(d.at(5), kNoUnit);
    EXPECT_NE(d.at(5), first);
}

// One entry: a second PC evicts the first, and threads that come to the first then find no warp there.
TEST(Dwf, AnEvictionLosesMergingButNoThreads) {
    Dwf d({"dwf.lut_entries=1", "dwf.lut_ways=1"});
    d.launch({{0, 0b0001}}, 5);
    d.launch({{1, 0b0010}}, 8);
    d.launch({{2, 0b0100}}, 5);
    EXPECT_EQ(d.alive(), 3U);
    EXPECT_EQ(d.counted("evictions"), 2U); // of 5 by 8 and of 8 by 5
    EXPECT_EQ(d.counted("lost_evicted"), 1U);
    EXPECT_EQ(d.counted("threads"), 3U);
    d.launch({{3, 0b1000}}, 5); // the entry is there again
    EXPECT_EQ(d.of(3, 0b1000), d.of(2, 0b0100));
}

// Two sets by the lowest bit of the PC, one way.
TEST(Dwf, TheLutIsFoundByLowBitsOfThePc) {
    Dwf d({"dwf.lut_entries=2", "dwf.lut_ways=1"});
    d.launch({{0, 0b0001}}, 4);
    d.launch({{1, 0b0001}}, 7); // the other set
    d.launch({{2, 0b0010}}, 4);
    EXPECT_EQ(d.of(2, 0b0010), d.of(0, 0b0001));
    d.launch({{3, 0b0001}}, 6); // evicts 4
    d.launch({{3, 0b0100}}, 4);
    EXPECT_NE(d.of(3, 0b0100), d.of(0, 0b0001));
}

TEST(Dwf, TheLeastRecentlyUsedEntryGoes) {
    Dwf d({"dwf.lut_entries=2", "dwf.lut_ways=2"});
    d.launch({{0, 0b0001}}, 4);
    d.launch({{1, 0b0001}}, 6);
    d.launch({{2, 0b0010}}, 4); // uses 4
    d.launch({{3, 0b0001}}, 8); // evicts 6
    d.launch({{0, 0b0100}}, 4);
    EXPECT_EQ(d.of(0, 0b0100), d.of(0, 0b0001));
    d.launch({{1, 0b0100}}, 6);
    EXPECT_NE(d.of(1, 0b0100), d.of(1, 0b0001));
}

TEST(Dwf, AnEntryWhoseWarpHasIssuedGoesFirst) {
    Dwf d({"dwf.lut_entries=2", "dwf.lut_ways=2"});
    d.launch({{0, 0b0001}}, 4);
    d.launch({{1, 0b0001}}, 6); // used last, but
    d.exit(d.at(6), 0b0001);    // its warp is gone
    d.launch({{2, 0b0001}}, 8);
    d.launch({{3, 0b0010}}, 4);
    EXPECT_EQ(d.of(3, 0b0010), d.of(0, 0b0001));
    EXPECT_EQ(d.counted("evictions"), 0U);
}

// Footnote 4: two next PCs a cycle, so n of them keep the pipeline for ceil(n / 2) - 1 more.
TEST(Dwf, MoreThanTwoNextPcsStall) {
    for (const auto& [pcs, cycles] : {std::pair{1U, 0U}, {2U, 0U}, {3U, 1U}, {4U, 1U}}) {
        Dwf d;
        d.launch({{0, 0b1111}});
        d.step(d.at(0), d.plain, [&, n = pcs](warp::Flight& flight) {
            warp::Outcome& o = flight.outcome;
            o.kind = warp::Outcome::Kind::Indirect;
            o.taken[0] = 0b1111;
            for (unsigned t = 0; t < 4; ++t)
                o.each[t] = 10 + t % n;
        });
        EXPECT_EQ(d.formation->stall, cycles) << pcs;
        EXPECT_EQ(d.counted("stall_cycles"), cycles) << pcs;
        EXPECT_EQ(d.alive(), pcs);
    }
}

TEST(Dwf, AnIndirectJumpOfTwoRowsUnderAGuard) {
    Dwf d;
    d.launch({{0, 0b0011}}, 5);
    d.launch({{1, 0b1100}}, 5);
    d.step(d.at(5), d.plain, [&](warp::Flight& flight) {
        warp::Outcome& o = flight.outcome; // threads 0 and 2 go to 20, 1 to 30, 3 stays: in one warp two rows
        o.kind = warp::Outcome::Kind::Indirect;
        o.taken[0] = 0b0011;
        o.taken[1] = 0b0100;
        o.each[0] = 20;
        o.each[1] = 30;
        o.each[2] = 20;
    });
    ASSERT_EQ(d.alive(), 3U);
    EXPECT_EQ(d.lanes_in(d.at(20), 0), 0b0001U);
    EXPECT_EQ(d.lanes_in(d.at(20), 1), 0b0100U);
    EXPECT_EQ(d.lanes_in(d.at(30), 0), 0b0010U);
    EXPECT_EQ(d.lanes_in(d.at(6), 1), 0b1000U);
    EXPECT_EQ(d.formation->stall, 1U);
}

// Threads at two barriers of different places wait in no unit, and go on each at its own next PC.
TEST(Dwf, ThreadsThatWaitKeepTheirPcs) {
    Dwf d;
    d.launch({{0, 0b1111}});
    d.branch(d.at(0), 4, 0b0011, 9);
    d.barrier(d.at(4), 0b0011);
    d.barrier(d.at(1), 0b0100); // its thread 3 goes on
    ASSERT_EQ(d.alive(), 1U);
    EXPECT_EQ(d.lanes_in(d.at(2), 0), 0b1000U);
    const std::array<warp::Part, 2> all{{{0, 0b0011}, {0, 0b0100}}};
    d.formation->resume(0, all);
    ASSERT_EQ(d.alive(), 2U);
    EXPECT_EQ(d.lanes_in(d.at(5), 0), 0b0011U);
    EXPECT_EQ(d.lanes_in(d.at(2), 0), 0b1100U); // met the one that had gone on
}

TEST(Dwf, IdealLanesTakeAnyThread) {
    Dwf d({"dwf.lanes=ideal", "dwf.lut_entries=1", "dwf.lut_ways=1"});
    d.launch({{0, 0b0011}}, 5);
    d.launch({{1, 0b0001}}, 8); // no limit of the LUT
    d.launch({{2, 0b0111}}, 5); // two find room, one does not
    ASSERT_EQ(d.alive(), 3U);
    const UnitId first = d.of(0, 0b0001);
    EXPECT_EQ(d.lanes_in(first, 2), 0b0011U);
    EXPECT_EQ(d.lanes_in(d.of(2, 0b0100), 2), 0b0100U);
    EXPECT_EQ(d.counted("conflicts"), 0U);
    EXPECT_EQ(d.counted("evictions"), 0U);
    warp::Group group;
    d.formation->units.eligible.erase(first);
    d.formation->form(first, d.plain, d.executor, group);
    EXPECT_EQ(group.threads, 4);
    EXPECT_EQ(group.register_cycles, 1);
}

// 4.1: threads of one home lane take a register-file cycle each.
TEST(Dwf, ConflictingLanesTakeRegisterCycles) {
    Dwf d({"dwf.lanes=conflict"});
    d.launch({{0, 0b0011}}, 5);
    d.launch({{1, 0b0001}}, 5);
    d.launch({{2, 0b1001}}, 5); // thread 0 fills the warp; thread 3 does not fit
    const UnitId first = d.of(0, 0b0001), second = d.of(2, 0b1000);
    EXPECT_NE(first, second);
    for (const auto& [unit, cycles] : {std::pair{first, 3}, std::pair{second, 1}}) { // lane 0 of rows 0, 1 and 2
        warp::Group group;
        d.formation->units.eligible.erase(unit);
        d.formation->form(unit, d.plain, d.executor, group);
        EXPECT_EQ(group.register_cycles, cycles);
    }
}

TEST(Dwf, AWarpEndsWhenItIsFormed) {
    Dwf d;
    d.launch({{1, 0b1111}});
    const UnitId u = d.at(0);
    warp::Group group;
    d.formation->units.eligible.erase(u);
    d.formation->form(u, d.plain, d.executor, group);
    EXPECT_TRUE(group.last);
    EXPECT_EQ(group.part[0].lanes, 0b1111U);
    EXPECT_EQ(d.alive(), 0U);
    const warp::UnitTraits traits = d.formation->traits();
    EXPECT_TRUE(traits.die_at_issue);
    EXPECT_TRUE(traits.span_blocks);
}

// 4.3: a warp has passed as many post-dominators as that of its threads which has passed most.
TEST(Dwf, CountsPostDominators) {
    Dwf d;
    const auto passed = [&](UnitId u) { return postdominators_passed(d.formation->units, u); };
    ir::MicroOp meeting;
    meeting.meets = true;
    d.launch({{0, 0b0011}});
    EXPECT_EQ(passed(d.at(0)), 0U);
    d.step(d.at(0), meeting, [](warp::Flight&) {});
    EXPECT_EQ(passed(d.at(1)), 1U);
    d.launch({{1, 0b0100}}, 1); // one that has passed none joins, and takes the warp's number at issue
    EXPECT_EQ(passed(d.at(1)), 1U);
    d.next(d.at(1));
    EXPECT_EQ(passed(d.at(2)), 1U);
    d.barrier(d.at(2), 0b0011); // row 0 waits, row 1 goes on
    EXPECT_EQ(passed(d.at(3)), 1U);
    d.next(d.at(3));
    d.launch({{2, 0b0001}}, 3);
    EXPECT_EQ(passed(d.at(3)), 0U);
    const warp::Part waited{0, 0b0011};
    d.formation->resume(0, {&waited, 1}); // thread 1 joins row 2's; thread 0 finds its lane taken
    EXPECT_EQ(passed(d.of(2, 0b0001)), 1U);
    EXPECT_EQ(d.of(0, 0b0010), d.of(2, 0b0001));
    EXPECT_EQ(passed(d.of(0, 0b0001)), 1U);
}

TEST(Dwf, APoolSmallerThanTheSmIsRefused) {
    EXPECT_TRUE(Dwf().formation->problems().empty());
    EXPECT_TRUE(Dwf({"dwf.pool=16"}).formation->problems().empty());
    const std::vector<std::string> problems = Dwf({"dwf.pool=15"}).formation->problems();
    ASSERT_EQ(problems.size(), 1U);
    EXPECT_NE(problems[0].find("dwf.pool = 15"), std::string::npos);
    EXPECT_NE(problems[0].find("core.threads = 16"), std::string::npos);
    EXPECT_THROW(Dwf({"dwf.lut_entries=2", "dwf.lut_ways=4"}), UserError);
}

// DWF07 Table 1 at its sizes: 16 lanes, 256 threads. (The issue logic, 1280 bits, is the scheduler's.)
TEST(Dwf, HardwareCostIsTable1) {
    const Driver d("dwf", 16, 16);
    const std::vector<cost::HardwareCost> cost = d.formation->hardware_cost();
    const auto check = [&](std::size_t i, const char* structure, std::uint64_t bits, double mm2) {
        EXPECT_EQ(cost[i].structure, structure);
        EXPECT_EQ(cost[i].entries * cost[i].bits, bits) << structure;
        EXPECT_NEAR(cost[i].area(), mm2, 1e-9) << structure;
        EXPECT_FALSE(cost[i].is_scaled()) << structure;
    };
    ASSERT_EQ(cost.size(), 7U);
    check(0, "warp update registers", 336, 0.008);
    check(1, "PC-warp LUT", 1792, 0.189);
    check(2, "warp pool", 43008, 0.702);
    check(3, "warp allocator", 2048, 0.061);
    check(4, "register file decoders", 0, 16 * 0.3773 - 5.7085); // 4.4
    check(5, "register file, one decoder", 8192 * 32, 5.7085);
    check(6, "register file, a decoder a lane", 8192 * 32, 16 * 0.3773);
    for (std::size_t i = 0; i < cost.size(); ++i)
        EXPECT_EQ(cost[i].compared, i >= 5) << cost[i].structure;
    EXPECT_NE(cost[0].note.find("352"), std::string::npos); // 2 x (16 x 8 + 32 + 16)
}

// 32 lanes, 1024 threads: TIDs and IDX of 10 bits.
TEST(Dwf, HardwareCostGrowsWithTheMachine) {
    const Driver d("dwf", 32, 32, {"dwf.lut_entries=64"});
    const std::vector<cost::HardwareCost> cost = d.formation->hardware_cost();
    EXPECT_EQ(cost[1].entries * cost[1].bits, 64U * (32 + 32 + 10));
    EXPECT_EQ(cost[2].entries * cost[2].bits, 1024U * (10 * 32 + 32 + 8));
    EXPECT_EQ(cost[3].entries * cost[3].bits, 1024U * 10);
    EXPECT_NEAR(cost[3].area(), 0.061 * 10240 / 2048, 1e-9);
    EXPECT_TRUE(cost[3].is_scaled());
}

} // namespace
} // namespace heddle::formation
