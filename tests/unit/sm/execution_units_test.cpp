// When instructions begin and end, worked out by hand: issue at t, operands read at t + 2, t + 3, ..., execution 3
// cycles behind the last read, registers written a cycle behind the result (the defaults of scoreboard.*).
#include <gtest/gtest.h>

#include "sm/sub_core/execution_units.h"

namespace heddle::sm {
namespace {

Decoded instruction(Pipe pipe, std::uint16_t latency, std::uint16_t interval,
                    std::initializer_list<RegisterNumber> reads) {
    Decoded op;
    op.pipe = pipe;
    op.latency = latency;
    op.interval = interval;
    for (const RegisterNumber r : reads)
        op.read[op.reads++] = r;
    return op;
}

const Decoded kMove = instruction(Pipe::Sp, 1, 1, {});
const Decoded kAdd = instruction(Pipe::Sp, 4, 1, {1, 2});
const Decoded kSine = instruction(Pipe::Sfu, 8, 8, {1});

TEST(ExecutionUnits, AnInstructionAlone) {
    ExecutionUnits units({}, {});
    EXPECT_EQ(units.issue(kAdd, 0, 100), 100 + 3 + 3 + 4 + 1);
    EXPECT_EQ(units.issue(kMove, 5, 200), 200 + 1 + 3 + 1 + 1);
}

TEST(ExecutionUnits, ABankServesOneReadACycle) {
    ExecutionUnits units({}, {});
    EXPECT_EQ(units.issue(instruction(Pipe::Sp, 1, 1, {1, 17}), 0, 100),
              100 + 3 + 3 + 1 + 1);                                                        // one a cycle in any case
    EXPECT_EQ(units.issue(instruction(Pipe::Sp, 1, 1, {1}), 0, 100), 100 + 4 + 3 + 1 + 1); // 102 and 103 are taken
    EXPECT_EQ(units.issue(instruction(Pipe::Sp, 1, 1, {1}), 1, 101), 101 + 2 + 3 + 1 + 1); // another warp, another bank
    EXPECT_EQ(units.issue(instruction(Pipe::Sp, 1, 1, {0}), 1, 101), 101 + 4 + 3 + 1 + 1); // bank 1: 103, 104 are taken
}

TEST(ExecutionUnits, AUnitTakesAnInstructionAnInterval) {
    ExecutionUnits units({}, {});
    EXPECT_EQ(units.issue(kSine, 0, 100), 102 + 3 + 8 + 1);
    EXPECT_EQ(units.issue(kSine, 1, 101), 102 + 3 + 8 + 8 + 1);
    EXPECT_EQ(units.issue(kSine, 2, 102), 102 + 3 + 16 + 8 + 1);
}

TEST(ExecutionUnits, ResultBuses) {
    ExecutionUnits units({.result_buses = 1}, {});
    EXPECT_EQ(units.issue(kMove, 0, 100), 106);
    EXPECT_EQ(units.issue(kMove, 1, 100), 107); // a unit is free, the bus is not
}

TEST(ExecutionUnits, TwoIssuesOfAPipeACycleAndNoMoreThanItsPlaces) {
    ExecutionUnits units({}, {});
    EXPECT_EQ(units.open_at(Pipe::Sp), 0);
    units.issue(kMove, 0, 100);
    EXPECT_LE(units.open_at(Pipe::Sp), 100);
    units.issue(kMove, 1, 100);
    EXPECT_EQ(units.open_at(Pipe::Sp), 101);
    // SFU: 8 collector units and three latches. The first begins at 105, the others 8 cycles apart.
    for (Cycle t = 100; t < 111; ++t)
        units.issue(kSine, static_cast<RowId>(t), t);
    EXPECT_EQ(units.open_at(Pipe::Sfu), 111);         // the first has left
    ExecutionUnits narrow({.collectors_sfu = 1}, {}); // four places
    for (Cycle t = 100; t < 104; ++t)
        narrow.issue(kSine, static_cast<RowId>(t), t);
    EXPECT_EQ(narrow.open_at(Pipe::Sfu), 105);
}

TEST(ExecutionUnits, DoublePrecisionWithoutUnitsOfItsOwn) {
    EXPECT_EQ(UnitsConfig{}.timing(ir::Work::Add, ir::Domain::F64).interval, 8);
    UnitsConfig bad;
    bad.int_add = std::string("4");
    bad.fp64_div = std::string("10/20");
    ASSERT_EQ(bad.problems().size(), 2U);
    EXPECT_EQ(bad.problems()[0].rfind("units.int_add = '4' is not 'latency/interval'", 0), 0U);
}

} // namespace
} // namespace heddle::sm
