// When instructions begin and end, worked out by hand: issue at t, operands read at t + 2, t + 3, ..., execution 3
// cycles behind the last read, registers written a cycle behind the result (the defaults of scoreboard.*).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sm/sub_core/pipes.h"
#include "sm/sub_core/sub_core.h"

namespace heddle::sm {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Index in kPipes.
constexpr std::uint8_t kSp = 0, kSfu = 1;

// Pipes of a Fermi SM, as far as these tests use them: two units with 6 collector units, and one with 8.
config::Machine machine_with(std::vector<std::string> more) {
    std::vector<std::string> settings{"pipe.sp.width=2",      "pipe.sp.collectors=6",  "pipe.sp.logic=1/1",
                                      "pipe.sp.int_add=4/1",  "pipe.sfu.width=1",      "pipe.sfu.collectors=8",
                                      "pipe.sfu.special=8/8", "pipe.sfu.fp64_add=8/8", "pipe.sfu.fp64_div=330/130",
                                      "pipe.sfu.fp64_mul=8/8"};
    settings.insert(settings.end(), more.begin(), more.end());
    return config::Machine::defaults(settings);
}

Decoded instruction(std::uint8_t pipe, std::uint16_t latency, std::uint16_t interval,
                    std::initializer_list<RegisterNumber> reads) {
    Decoded op;
    op.pipe = pipe;
    op.latency = latency;
    op.interval = interval;
    for (const RegisterNumber r : reads)
        op.read[op.reads++] = r;
    return op;
}

const Decoded kMove = instruction(kSp, 1, 1, {});
const Decoded kAdd = instruction(kSp, 4, 1, {1, 2});
const Decoded kSine = instruction(kSfu, 8, 8, {1});

// The pipes of an SM and their register files.
struct Rig {
    explicit Rig(std::vector<std::string> settings = {})
        : machine(machine_with(std::move(settings))), table(machine), sub_cores(machine, table) {}

    Cycle issue(const Decoded& op, RowId row, Cycle now, unsigned sub_core = 0) {
        return sub_cores.issue(sub_core, op, row, now);
    }
    Cycle open_at(unsigned pipe, unsigned sub_core = 0) const {
        return sub_cores.opens(sub_core)[pipe];
    }

    config::Machine machine;
    PipeTable table;
    SubCores sub_cores;
};

// With read stages: operands from t + 2 to t + 4, execution from t + 5 on; a result is there `latency` behind the
// issue.
TEST(Pipes, AWindowOfReadsHidesTheOperands) {
    Rig rig({"sub_core.read_stages=3", "scoreboard.dispatch=1"});
    EXPECT_EQ(rig.issue(kMove, 0, 10), 11U);
    EXPECT_EQ(rig.issue(kAdd, 0, 20), 24U);
    EXPECT_EQ(rig.sub_cores.collect(0, kAdd, 0, 30, 1), 35U);
}

// One bank: three operands fit the three stages; a fourth, or those of the next instruction, do not.
TEST(Pipes, OperandsOfOneBankOutlastTheWindow) {
    Rig rig({"sub_core.read_stages=3", "scoreboard.dispatch=1", "scoreboard.register_banks=1"});
    const Decoded three = instruction(kSp, 4, 1, {1, 3, 5});
    EXPECT_EQ(rig.issue(three, 0, 10), 14U);
    EXPECT_EQ(rig.issue(three, 0, 11), 17U);                                // reads at 15, 16 and 17, not 13 to 15
    EXPECT_EQ(rig.issue(instruction(kSp, 4, 1, {1, 3, 5, 7}), 0, 30), 35U); // reads at 32 to 35
}

TEST(Pipes, AnInstructionAlone) {
    Rig sm;
    EXPECT_EQ(sm.issue(kAdd, 0, 100), 100 + 3 + 3 + 4 + 1);
    EXPECT_EQ(sm.issue(kMove, 5, 200), 200 + 1 + 3 + 1 + 1);
}

TEST(Pipes, ABankServesOneReadACycle) {
    Rig sm;
    EXPECT_EQ(sm.issue(instruction(kSp, 1, 1, {1, 17}), 0, 100), 100 + 3 + 3 + 1 + 1); // one a cycle in any case
    EXPECT_EQ(sm.issue(instruction(kSp, 1, 1, {1}), 0, 100), 100 + 4 + 3 + 1 + 1);     // 102 and 103 are taken
    EXPECT_EQ(sm.issue(instruction(kSp, 1, 1, {1}), 1, 101), 101 + 2 + 3 + 1 + 1);     // another warp, another bank
    EXPECT_EQ(sm.issue(instruction(kSp, 1, 1, {0}), 1, 101), 101 + 4 + 3 + 1 + 1);     // bank 1: 103, 104 are taken
}

TEST(Pipes, AUnitTakesAnInstructionAnInterval) {
    Rig sm;
    EXPECT_EQ(sm.issue(kSine, 0, 100), 102 + 3 + 8 + 1);
    EXPECT_EQ(sm.issue(kSine, 1, 101), 102 + 3 + 8 + 8 + 1);
    EXPECT_EQ(sm.issue(kSine, 2, 102), 102 + 3 + 16 + 8 + 1);
}

TEST(Pipes, ResultBuses) {
    Rig sm({"scoreboard.result_buses=1"});
    EXPECT_EQ(sm.issue(kMove, 0, 100), 106);
    EXPECT_EQ(sm.issue(kMove, 1, 100), 107); // a unit is free, the bus is not
}

TEST(Pipes, TwoIssuesOfAPipeACycleAndNoMoreThanItsPlaces) {
    Rig sm;
    EXPECT_EQ(sm.open_at(kSp), 0);
    sm.issue(kMove, 0, 100);
    EXPECT_LE(sm.open_at(kSp), 100);
    sm.issue(kMove, 1, 100);
    EXPECT_EQ(sm.open_at(kSp), 101);
    // SFU: 8 collector units and three latches. The first begins at 105, the others 8 cycles apart.
    for (Cycle t = 100; t < 111; ++t)
        sm.issue(kSine, static_cast<RowId>(t), t);
    EXPECT_EQ(sm.open_at(kSfu), 111);      // the first has left
    Rig narrow({"pipe.sfu.collectors=1"}); // four places
    for (Cycle t = 100; t < 104; ++t)
        narrow.issue(kSine, static_cast<RowId>(t), t);
    EXPECT_EQ(narrow.open_at(kSfu), 105);
}

// A pipe that sub-cores share is closed for all of them; one of their own for theirs alone.
TEST(Pipes, SharedByAllSubCoresOrTheirOwn) {
    Rig shared;
    shared.issue(kMove, 0, 100, 0);
    shared.issue(kMove, 1, 100, 0);
    EXPECT_EQ(shared.open_at(kSp, 1), 101);
    EXPECT_EQ(shared.issue(kSine, 0, 200, 0), 214);
    EXPECT_EQ(shared.issue(kSine, 1, 200, 1), 222); // behind the other sub-core's
    Rig own({"scoreboard.schedulers=4", "pipe.sp.shared=false", "pipe.sfu.shared=false"});
    own.issue(kMove, 0, 100, 2);
    own.issue(kMove, 1, 100, 2);
    EXPECT_EQ(own.open_at(kSp, 2), 101);
    EXPECT_EQ(own.open_at(kSp, 3), 0);
    EXPECT_EQ(own.issue(kSine, 0, 200, 0), 214);
    EXPECT_EQ(own.issue(kSine, 1, 200, 1), 214);
}

TEST(Pipes, RegisterFilesShareNoBanks) {
    const Decoded move = instruction(kSp, 1, 1, {1});
    Rig shared;
    EXPECT_EQ(shared.issue(move, 0, 100, 0), 107);
    EXPECT_EQ(shared.issue(move, 0, 100, 1), 108); // the bank reads for the other first
    Rig own({"scoreboard.register_file=own"});
    EXPECT_EQ(own.issue(move, 0, 100, 0), 107);
    EXPECT_EQ(own.issue(move, 0, 100, 1), 107);
}

TEST(PipeTable, TheFirstPipeThatNamesAClassExecutesIt) {
    const config::Machine machine = machine_with({});
    EXPECT_THAT(machine.members("pipe"), ElementsAre("sp", "sfu"));
    EXPECT_EQ(PipeTable(machine).place(ir::Work::Add, ir::Domain::F64).pipe, kSfu);
    EXPECT_EQ(PipeTable(machine).place(ir::Work::Add, ir::Domain::F64).timing.interval, 8);
    EXPECT_EQ(PipeTable(machine).place(ir::Work::Control, ir::Domain::Int).pipe, kSp); // as logic
    // A pipe of width 0 is none.
    const PipeTable narrow(machine_with({"pipe.sp.fp64_add=16/16", "pipe.sp.width=0"}));
    EXPECT_EQ(narrow.count(), 1U);
    EXPECT_EQ(narrow.place(ir::Work::Add, ir::Domain::F64).timing.latency, 8);
}

std::string refusal_of(std::vector<std::string> settings) {
    try {
        (void)machine_with(std::move(settings));
    } catch (const UserError& error) {
        return error.what();
    }
    return {};
}

TEST(PipeTable, SettingsThatAreWrong) {
    EXPECT_THAT(refusal_of({"pipe.sp.int_add=4"}), HasSubstr("pipe.sp.int_add = '4' is not 'latency/interval'"));
    EXPECT_THAT(refusal_of({"pipe.sfu.fp64_div=10/20"}), HasSubstr("pipe.sfu.fp64_div = '10/20' is not"));
    EXPECT_THAT(refusal_of({"pipe.ps.width=3"}), HasSubstr("pipe.ps.width = 3, but no class"));
    EXPECT_THAT(refusal_of({"pipe.sp.widht=3"}), HasSubstr("did you mean 'pipe.sp.width'"));
    EXPECT_THAT(refusal_of({"pipe.width=3"}), HasSubstr("there is no parameter 'pipe.width'"));
    EXPECT_THAT(refusal_of({"core.model=scoreboard"}), HasSubstr("no pipe executes int_max"));
}

// Classes of native instructions with a timing of their own.
TEST(Pipes, ClassesOfNativeInstructions) {
    using Class = ir::NativeInstruction::Class;
    const PipeTable table(machine_with({"classes.popc=sfu 10/8", "classes.half=sp 6/2"}));
    ASSERT_NE(table.place(Class::Popc), nullptr);
    EXPECT_EQ(table.specs()[table.place(Class::Popc)->pipe].name, "sfu");
    EXPECT_EQ(table.place(Class::Popc)->timing.latency, 10U);
    EXPECT_EQ(table.place(Class::Popc)->timing.interval, 8U);
    EXPECT_EQ(table.specs()[table.place(Class::Half)->pipe].name, "sp");
    EXPECT_EQ(table.place(Class::Flo), nullptr);
    EXPECT_EQ(table.place(Class::Other), nullptr);
}

TEST(Pipes, ClassesThatNoPipeCanExecuteAreRefused) {
    const auto refused = [](const std::string& setting) {
        try {
            (void)machine_with({setting});
        } catch (const UserError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_THAT(refused("classes.popc=sfu"), HasSubstr("is not 'PIPE latency/interval'"));
    EXPECT_THAT(refused("classes.popc=sfu 8/10"), HasSubstr("is not 'PIPE latency/interval'"));
    EXPECT_THAT(refused("classes.convert=half 8/8"), HasSubstr("the machine has no pipe.half"));
}

// Single precision of a GA102: 16 lanes of its own, and 16 that take an integer instead. Execution begins at t + 5.
struct TwoSets : Rig {
    TwoSets()
        : Rig({"sub_core.read_stages=3", "scoreboard.dispatch=1", "pipe.fma.shared=false", "pipe.fma.fp32_add=4/2",
               "pipe.alu.shared=false", "pipe.alu.int_max=4/2", "classes.single=fma alu 4/2"}),
          single(table.place(ir::Work::Add, ir::Domain::F32)), integer(table.place(ir::Work::Max, ir::Domain::Int)) {}

    Cycle issue_single(Cycle now) {
        return issue(instruction(static_cast<std::uint8_t>(single.pipe), 4, 2, {}), 0, now);
    }
    Cycle issue_integer(Cycle now) {
        return issue(instruction(static_cast<std::uint8_t>(integer.pipe), 4, 2, {}), 0, now);
    }
    PipeTable::Place single, integer;
};

TEST(Pipes, AClassOfTwoPipesTakesTheOneThatBeginsFirst) {
    TwoSets r;
    EXPECT_EQ(r.table.specs()[r.single.pipe].name, "fma alu");
    EXPECT_EQ(r.single.timing.interval, 2U);
    for (Cycle t = 10; t < 20; ++t)
        EXPECT_EQ(r.issue_single(t), t + 4); // one a cycle
}

// Integers at 10 and 12 take their lanes from 15 to 18. Single precision has the others.
TEST(Pipes, IntegersTakeLanesOfSinglePrecision) {
    TwoSets r;
    EXPECT_EQ(r.issue_integer(10), 14U);
    EXPECT_EQ(r.issue_single(11), 15U); // from 16 to 17
    EXPECT_EQ(r.issue_integer(12), 16U);
    EXPECT_EQ(r.issue_single(13), 17U);  // from 18 to 19
    EXPECT_EQ(r.issue_single(14), 18U);  // from 19 to 20, where integers are executed
    EXPECT_EQ(r.issue_integer(15), 20U); // from 21, not 20
}

TEST(Pipes, PipesThatCannotShareAClassAreRefused) {
    EXPECT_THAT(refusal_of({"core.model=scoreboard", "classes.single=sp sfu 4/2"}),
                HasSubstr("classes.single = 'sp sfu 4/2': of several pipes each needs shared = false"));
    EXPECT_THAT(refusal_of({"core.model=scoreboard", "classes.single=sp fp 4/2"}), HasSubstr("no pipe.fp"));
}

// The bank of even registers is busy for three cycles, and the second instruction waits in Allocate from 13 to 15: a
// third may issue at 15.
TEST(Pipes, APipeThatAllocateHolds) {
    Rig r({"sub_core.read_stages=3", "scoreboard.dispatch=1", "scoreboard.register_file=own", "register_file.banks=2",
           "pipe.sp.shared=false"});
    Decoded op = instruction(kSp, 4, 1, {});
    op.fixed = true;
    for (const std::uint8_t number : std::initializer_list<std::uint8_t>{2, 4, 6})
        op.read[op.reads++] = OperandRead{number, 7, false}.packed();
    r.issue(op, 0, 10);
    r.issue(op, 0, 11);
    r.issue(op, 0, 12);
    EXPECT_EQ(r.open_at(kSp), 15U);
    EXPECT_EQ(r.sub_cores.held(0) >> kSp & 1, 1);
    EXPECT_EQ(r.sub_cores.held(0) >> kSfu & 1, 0);
}

} // namespace
} // namespace heddle::sm
