#include <gtest/gtest.h>

#include "contract/formation_driver.h"

namespace heddle::formation {
namespace {

using Parts = std::vector<std::pair<RowId, LaneMask>>;

// Eight rows of four lanes, one large warp (LWM11 Figure 6's shape).
class LwmTest : public testing::Test {
protected:
    std::unique_ptr<Driver> d;

    void make(std::vector<std::string> settings = {}) {
        settings.emplace_back("lwm.size=32");
        d = std::make_unique<Driver>("lwm", 4, 8, settings);
        std::vector<warp::Part> rows;
        for (RowId r = 0; r < 8; ++r)
            rows.push_back({r, 0xf});
        d->formation->launch(0, rows, 0);
    }

    static Parts parts(const warp::Group& group) {
        Parts out;
        for (unsigned p = 0; p < group.parts; ++p)
            out.emplace_back(group.part[p].row, group.part[p].lanes);
        return out;
    }

    // A conditional branch at the current PC, of which `taken` (by row) go to `target`.
    void branch(Pc target, const std::array<LaneMask, 8>& taken, Pc reconvergence) {
        ir::MicroOp op;
        op.kind = ir::Kind::Branch;
        op.guard = 0;
        op.reconvergence = reconvergence;
        d->step(0, op, [&](warp::Flight& flight) {
            flight.outcome.kind = warp::Outcome::Kind::Branch;
            flight.outcome.target = target;
            for (unsigned p = 0; p < flight.group.parts; ++p)
                flight.outcome.taken[p] = taken[flight.group.part[p].row] & flight.group.part[p].lanes;
        });
    }

    // The next sub-warp of the large warp, as it enters the pipeline.
    warp::Flight form(const ir::MicroOp& op) {
        warp::Flight flight;
        d->formation->form(0, op, d->executor, flight.group);
        flight.op = &op;
        flight.outcome.taken.fill(0);
        return flight;
    }
    void fetch() {
        d->formation->units.eligible.erase(0);
    }
    void complete(const warp::Flight& flight) {
        d->formation->advance(flight, 0);
    }
};

// LWM11 Figure 6: a large warp of 32 threads on four lanes is packed into four sub-warps in four cycles. The drawing's
// mask is lost from the text; this one has four threads in its fullest column and needs each rule: the first row of a
// column whose bit is still set, columns searched independently.
//   row 0: 0.2.   row 1: .1..   row 2: 0...   row 3: ..23
//   row 4: .1..   row 5: 0..3   row 6: .12.   row 7: 0..3
TEST_F(LwmTest, Lwm11Figure6) {
    make();
    branch(10, {0b0101, 0b0010, 0b0001, 0b1100, 0b0010, 0b1001, 0b0110, 0b1001}, 20);
    ASSERT_EQ(d->pc(0), 10U);
    fetch();
    const warp::Flight first = form(d->plain);
    EXPECT_EQ(parts(first.group), (Parts{{0, 0b0101}, {1, 0b0010}, {3, 0b1000}}));
    EXPECT_FALSE(first.group.last);
    EXPECT_EQ(parts(form(d->plain).group), (Parts{{2, 0b0001}, {3, 0b0100}, {4, 0b0010}, {5, 0b1000}}));
    EXPECT_EQ(parts(form(d->plain).group), (Parts{{5, 0b0001}, {6, 0b0110}, {7, 0b1000}}));
    const warp::Flight fourth = form(d->plain);
    EXPECT_EQ(parts(fourth.group), (Parts{{7, 0b0001}}));
    EXPECT_TRUE(fourth.group.last);
}

TEST_F(LwmTest, AConditionalBranchCountsWithItsLastSubWarp) {
    make();
    ir::MicroOp op;
    op.kind = ir::Kind::Branch;
    op.guard = 0;
    op.reconvergence = 9;
    fetch();
    std::vector<warp::Flight> flights;
    do {
        flights.push_back(form(op));
        warp::Outcome& o = flights.back().outcome;
        o.kind = warp::Outcome::Kind::Branch;
        o.target = 5;
        o.taken[0] = 0b0011;
    } while (!flights.back().group.last);
    ASSERT_EQ(flights.size(), 8U);
    for (unsigned i = 0; i < 7; ++i) {
        complete(flights[i]);
        EXPECT_FALSE(d->eligible(0));
    }
    complete(flights[7]);
    EXPECT_TRUE(d->eligible(0));
    EXPECT_EQ(d->pc(0), 5U); // the taken side first
    EXPECT_EQ(d->formation->units.threads[0], 16U);
}

// LWM11 3.1: fetched again when the first sub-warp has completed; a thread in a sub-warp that has not completed is not
// packed.
TEST_F(LwmTest, FetchedAgainWhenTheFirstSubWarpHasCompleted) {
    make();
    fetch();
    std::vector<warp::Flight> flights;
    do
        flights.push_back(form(d->plain));
    while (!flights.back().group.last);
    EXPECT_FALSE(d->eligible(0));
    complete(flights[0]);
    EXPECT_TRUE(d->eligible(0));
    EXPECT_EQ(d->pc(0), 1U);
    fetch();
    const warp::Flight next = form(d->plain);
    EXPECT_EQ(parts(next.group), (Parts{{0, 0xf}}));
    EXPECT_FALSE(next.group.last);
    const warp::Flight interlocked = form(d->plain);
    EXPECT_EQ(interlocked.group.parts, 0U);
    EXPECT_FALSE(interlocked.group.last);
    complete(flights[2]); // row 2 may overtake row 1
    EXPECT_EQ(parts(form(d->plain).group), (Parts{{2, 0xf}}));
    complete(flights[1]);
    EXPECT_EQ(parts(form(d->plain).group), (Parts{{1, 0xf}}));
}

TEST_F(LwmTest, WithRefetchAllTheLastSubWarpCounts) {
    make({"lwm.refetch=all"});
    fetch();
    std::vector<warp::Flight> flights;
    do
        flights.push_back(form(d->plain));
    while (!flights.back().group.last);
    for (unsigned i = 0; i < 7; ++i) {
        complete(flights[i]);
        EXPECT_FALSE(d->eligible(0));
    }
    complete(flights[7]);
    EXPECT_TRUE(d->eligible(0));
    EXPECT_EQ(d->pc(0), 1U);
}

// LWM11 3.1, "Unconditional Branch Optimization".
TEST_F(LwmTest, AJumpIsOneSubWarp) {
    ir::MicroOp jump;
    jump.kind = ir::Kind::Branch;
    for (const bool once : {true, false}) {
        make({once ? "lwm.jump_once=true" : "lwm.jump_once=false"});
        fetch();
        std::vector<warp::Flight> flights;
        do {
            flights.push_back(form(jump));
            flights.back().outcome.kind = warp::Outcome::Kind::Branch;
            flights.back().outcome.target = 7;
            flights.back().outcome.taken[0] = 0xf;
        } while (!flights.back().group.last);
        EXPECT_EQ(flights.size(), once ? 1U : 8U);
        EXPECT_EQ(flights[0].group.extra_threads, once ? 28U : 0U);
        complete(flights[0]);
        EXPECT_TRUE(d->eligible(0));
        EXPECT_EQ(d->pc(0), 7U);
        EXPECT_EQ(d->formation->units.threads[0], 32U);
        // The other sub-warps of the jump complete behind the next instruction's first and change nothing.
        fetch();
        const warp::Flight next = form(d->plain);
        for (std::size_t i = 1; i < flights.size(); ++i)
            complete(flights[i]);
        EXPECT_EQ(parts(next.group), (Parts{{0, 0xf}}));
        while (!form(d->plain).group.last)
            ;
        complete(next);
        EXPECT_EQ(d->pc(0), 8U);
    }
}

// LWM10 3.1.2: rows for accesses to global memory, columns for all else.
TEST_F(LwmTest, MemoryRowsKeepRowsTogether) {
    make({"lwm.memory_rows=true"});
    branch(10, {0b0011, 0b1100, 0, 0, 0b1000, 0, 0, 0}, 20);
    ir::MicroOp load;
    load.kind = ir::Kind::Load;
    load.space = ir::Space::Global;
    fetch();
    std::vector<warp::Flight> flights;
    do
        flights.push_back(form(load));
    while (!flights.back().group.last);
    ASSERT_EQ(flights.size(), 3U);
    EXPECT_EQ(parts(flights[0].group), (Parts{{0, 0b0011}}));
    EXPECT_EQ(parts(flights[1].group), (Parts{{1, 0b1100}}));
    EXPECT_EQ(parts(flights[2].group), (Parts{{4, 0b1000}}));
    for (const warp::Flight& flight : flights)
        complete(flight);
    fetch();
    EXPECT_EQ(parts(form(d->plain).group), (Parts{{0, 0b0011}, {1, 0b1100}})); // column 3's second thread is left
    EXPECT_EQ(parts(form(d->plain).group), (Parts{{4, 0b1000}}));
}

TEST_F(LwmTest, AThreadThatWaitsForMemoryKeepsTheWarpFromBeingFetched) {
    make();
    fetch();
    std::vector<warp::Flight> flights;
    do
        flights.push_back(form(d->plain));
    while (!flights.back().group.last);
    d->formation->put_aside(flights[4], 0);
    complete(flights[0]);
    EXPECT_FALSE(d->eligible(0));
    complete(flights[4]);
    EXPECT_TRUE(d->eligible(0));
    d->formation->put_aside(flights[5], 0);
    EXPECT_FALSE(d->eligible(0));
    complete(flights[5]);
    EXPECT_TRUE(d->eligible(0));
}

// The threads of sub-warp 4 wait for memory while the others execute a barrier. They have to execute it too, though the
// others wait at it for them.
TEST_F(LwmTest, ThreadsThatWaitAtABarrierDoNotKeepTheRestFromIt) {
    make();
    fetch();
    std::vector<warp::Flight> access;
    do
        access.push_back(form(d->plain));
    while (!access.back().group.last);
    complete(access[0]);
    ASSERT_TRUE(d->eligible(0));
    d->formation->put_aside(access[4], 0);
    for (const std::size_t i : {1U, 2U, 3U, 5U, 6U, 7U})
        complete(access[i]);

    ir::MicroOp barrier;
    barrier.kind = ir::Kind::Barrier;
    const auto arrive = [&] {
        warp::Flight flight = form(barrier);
        flight.outcome.kind = warp::Outcome::Kind::Barrier;
        for (unsigned p = 0; p < flight.group.parts; ++p)
            flight.outcome.taken[p] = flight.group.part[p].lanes;
        return flight;
    };
    fetch();
    std::vector<warp::Flight> arrivals;
    do
        arrivals.push_back(arrive());
    while (!arrivals.back().group.last);
    for (const warp::Flight& flight : arrivals)
        complete(flight);
    EXPECT_FALSE(d->eligible(0));
    complete(access[4]);
    ASSERT_TRUE(d->eligible(0));
    fetch();
    EXPECT_EQ(parts(arrive().group), (Parts{{4, 0xf}}));
}

// Large warps of eight rows, and blocks of three: each is a large warp, of three sub-warps.
TEST_F(LwmTest, ABlockTooSmallIsALargeWarpOfItsRows) {
    d = std::make_unique<Driver>("lwm", 4, 8, std::vector<std::string>{"lwm.size=32"});
    EXPECT_EQ(d->formation->refusal(1), "");
    d->formation->launch(0, std::array<warp::Part, 3>{{{0, 0xf}, {1, 0xf}, {2, 0x3}}}, 0);
    d->formation->launch(1, std::array<warp::Part, 3>{{{3, 0xf}, {4, 0xf}, {5, 0x3}}}, 0);
    EXPECT_EQ(d->alive(), 2U);
    EXPECT_EQ(d->formation->units.threads[0], 10);
    EXPECT_EQ(d->formation->units.threads[1], 10);
    EXPECT_EQ(d->formation->members(1).front().row, 3);
    fetch();
    EXPECT_EQ(parts(form(d->plain).group), (Parts{{0, 0xf}}));
    EXPECT_EQ(parts(form(d->plain).group), (Parts{{1, 0xf}}));
    const warp::Flight last = form(d->plain);
    EXPECT_EQ(parts(last.group), (Parts{{2, 0x3}}));
    EXPECT_TRUE(last.group.last);
}

// A core whose units go on while an access waits keeps them from its registers itself: such threads are not
// interlocked.
TEST_F(LwmTest, AnAccessThatCountsAlreadyKeepsNobody) {
    make();
    fetch();
    std::vector<warp::Flight> flights;
    do {
        flights.push_back(form(d->plain));
        complete(flights.back());
    } while (!flights.back().group.last);
    flights[4].committed = true;
    d->formation->put_aside(flights[4], 0);
    EXPECT_TRUE(d->eligible(0));
}

TEST_F(LwmTest, SettingsThatContradictTheCore) {
    EXPECT_NE(Driver("lwm", 4, 8, {"lwm.size=6"}).formation->problems().at(0).find("lwm.size = 6 is not a multiple"),
              std::string::npos);
    EXPECT_NE(Driver("lwm", 4, 8, {"lwm.size=64"}).formation->problems().at(0).find("core.threads = 32"),
              std::string::npos);
}

TEST_F(LwmTest, HardwareCostOfThePapers) {
    const auto bits = [](const std::vector<std::string>& settings) {
        std::uint64_t sum = 0;
        for (const cost::HardwareCost& cost : Driver("lwm", 32, 32, settings).formation->hardware_cost())
            if (cost.source != "assumed")
                sum += cost.entries * cost.bits;
        return sum;
    };
    EXPECT_EQ(bits({"lwm.size=256"}), 224U * 8);                   // LWM11 3.4
    EXPECT_EQ(bits({"lwm.size=256", "lwm.refetch=all"}), 96U * 8); // LWM10 3.3
}

// Two blocks of two large warps each. The second block ends while half of the first lives; the next one takes the rows
// and the numbers of the second.
TEST_F(LwmTest, LargeWarpsAreNumberedInTheOrderOfTheirRows) {
    d = std::make_unique<Driver>("lwm", 4, 8, std::vector<std::string>{"lwm.size=8"});
    const std::array<warp::Part, 4> first{{{0, 0xf}, {1, 0xf}, {2, 0xf}, {3, 0xf}}};
    const std::array<warp::Part, 4> second{{{4, 0xf}, {5, 0xf}, {6, 0xf}, {7, 0xf}}};
    d->formation->launch(0, first, 0);
    d->formation->launch(1, second, 0);
    for (const UnitId unit : {UnitId{0}, UnitId{2}, UnitId{3}})
        d->exit(unit, 0xf); // each of its sub-warps is a full row
    d->formation->launch(1, second, 0);
    EXPECT_EQ(d->alive(), 3U);
    for (const auto& [unit, row] : {std::pair{1, 2}, {2, 4}, {3, 6}}) {
        EXPECT_TRUE(d->eligible(static_cast<UnitId>(unit)));
        EXPECT_EQ(d->formation->members(static_cast<UnitId>(unit)).front().row, row);
    }
}

} // namespace
} // namespace heddle::formation
