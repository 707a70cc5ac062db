// Causes of empty slots: one for each slot, that of the wait that ends first. A load's slots get their level when the
// load is served.
#include <gtest/gtest.h>

#include "sub_core_rig.h"

namespace heddle::sm::test {
namespace {

using probe::Slot;

struct Account : StatesRig {
    explicit Account(const std::string& body, std::uint32_t threads = 4, const std::vector<std::string>& settings = {})
        : StatesRig(body, threads, settings) {}

    Slot cause(unsigned issue_unit = 0) {
        stalls.find_cause(issue_units[issue_unit]);
        return issue_units[issue_unit].slot;
    }
    [[nodiscard]] std::uint64_t slots(Slot slot) const {
        return frame.contexts.stats.slots[static_cast<std::size_t>(slot)];
    }
    // The unit's next instruction waits for a register that instruction 0 writes.
    void block(Producer producer, FlightId writer = 5) {
        states.write(row(0), op(0), Writer(writer, static_cast<unsigned>(producer)));
        go_on(0);
    }

    LoadStoreUnit unit{machine, 0, frame.memory, frame.flights, true};
    MemoryStage memory{machine, unit, InFlight::kMost};
    InFlight flights;
    StallAccount stalls{frame, states, memory, flights, pipes};
};

const char* const kBody = "mov.u32 %r1, 7; add.u32 %r2, %r1, 1; exit;";

TEST(StallAccount, InstructionsThatAreMissing) {
    Account sm(kBody);
    sm.states.look_at_units();
    EXPECT_EQ(sm.cause(), Slot::Fetch);
    sm.states.await_transfer(0);
    EXPECT_EQ(sm.cause(), Slot::Branch); // before all others
    sm.states.unit_died(0);
    sm.frame.units.eligible.erase(0);
    sm.states.await_memory(0);
    EXPECT_EQ(sm.cause(), Slot::Drain);
    sm.states.goes_on(sm.flight_of(0), true);
    EXPECT_EQ(sm.cause(), Slot::Formation); // nothing else keeps it back
}

TEST(StallAccount, UnitsAtABarrier) {
    Account sm("bar.sync 0; exit;", 8);
    sm.start();
    sm.frame.commit(sm.execute(0), 110);
    sm.states.forget_the_dead();
    sm.frame.units.eligible.erase(1); // it is on its way to it
    sm.states.forget_the_dead();
    EXPECT_EQ(sm.cause(), Slot::Barrier);
}

TEST(StallAccount, NoUnits) {
    Account sm(kBody, 4, {"scoreboard.schedulers=2"}); // unit 0 alone
    sm.states.look_at_units();
    EXPECT_EQ(sm.cause(1), Slot::NoUnit);
    sm.frame.units.alive.erase(0);
    EXPECT_EQ(sm.cause(0), Slot::NoUnit); // the block is still there
    Account none(kBody);
    none.frame.contexts.make_room(none.kernel.launch);
    none.frame.contexts.begin_threads();
    none.frame.units.alive.erase(0);
    EXPECT_EQ(none.cause(), Slot::Empty);
}

TEST(StallAccount, RegistersByWhatWritesThem) {
    const std::pair<Producer, Slot> causes[] = {{Producer::Alu, Slot::ScoreboardAlu},
                                                {Producer::Sfu, Slot::ScoreboardSfu},
                                                {Producer::Dp, Slot::ScoreboardDp},
                                                {Producer::OnChip, Slot::ScoreboardOnChip},
                                                {Producer::Memory, Slot::ScoreboardMemory}};
    for (const auto& [producer, slot] : causes) {
        Account sm(kBody);
        sm.start();
        sm.block(producer);
        EXPECT_EQ(sm.cause(), slot);
        EXPECT_EQ(sm.issue_units[0].waits_for, producer == Producer::Memory ? FlightId{5} : IssueUnit::kNoLoad);
    }
}

// By the pipe's kind.
TEST(StallAccount, PipesThatAreClosed) {
    Account sp("mov.u32 %r1, 7; exit;");
    sp.start();
    EXPECT_EQ(sp.cause(), Slot::PipeSp);
    Account sfu("rcp.approx.f32 %f1, %f1; exit;");
    sfu.start();
    EXPECT_EQ(sfu.cause(), Slot::PipeSfu);
    Account dp("add.f64 %g1, %g1, %g1; exit;");
    dp.start();
    EXPECT_EQ(dp.cause(), Slot::PipeDp);
}

// The load/store unit's is what that does, which may change while nothing else does.
TEST(StallAccount, TheLoadStoreUnit) {
    Account sm("ld.param.u64 %d1, [x]; exit;");
    sm.start();
    EXPECT_EQ(sm.cause(), Slot::PipeLdSt);
    set_group(sm.frame.flights[0], ir::Kind::Load, 2);
    sm.unit.prepare(sm.frame.flights[0], access_of(In::Shared, {0, 128}));
    sm.memory.push(0, 120);
    sm.memory.step(120); // a bank conflict
    sm.stalls.look_at_load_store(sm.issue_units[0]);
    EXPECT_EQ(sm.issue_units[0].slot, Slot::BankConflict);
    Account other(kBody);
    other.start();
    EXPECT_EQ(other.cause(), Slot::PipeSp);
    other.stalls.look_at_load_store(other.issue_units[0]); // its slot waits for something else
    EXPECT_EQ(other.issue_units[0].slot, Slot::PipeSp);
}

// Seven slots that waited for a load of flight 5 have a level when its data are there.
TEST(StallAccount, LoadsByWhoServedThem) {
    const std::tuple<Cycle, mem::Level, Slot> levels[] = {{kNever, mem::Level::Llc, Slot::ScoreboardL1},
                                                          {115, mem::Level::Llc, Slot::ScoreboardLlc},
                                                          {115, mem::Level::Dram, Slot::ScoreboardDram}};
    for (const auto& [aside_since, level, slot] : levels) {
        Account sm(kBody);
        sm.start();
        sm.block(Producer::Memory);
        sm.cause();
        sm.stalls.stall(sm.issue_units[0], 4);
        sm.stalls.stall(sm.issue_units[0], 3);
        EXPECT_EQ(sm.slots(Slot::ScoreboardMemory), 7U);
        EXPECT_EQ(sm.flights[5].memory_stalls, 7U);
        sm.flights[5].aside_since = aside_since;
        sm.stalls.attribute(5, level);
        EXPECT_EQ(sm.slots(Slot::ScoreboardMemory), 0U);
        EXPECT_EQ(sm.slots(slot), 7U);
    }
}

TEST(StallAccount, SlotsThatIssueAndThoseThatDoNotCount) {
    Account sm(kBody);
    sm.start();
    sm.cause();
    sm.stalls.issued(sm.issue_units[0]);
    EXPECT_EQ(sm.slots(Slot::Issued), 1U);
    EXPECT_EQ(sm.issue_units[0].waits_for, IssueUnit::kNoLoad);
    sm.stalls.take_back(sm.issue_units[0]);
    EXPECT_EQ(sm.slots(Slot::Issued), 0U);
}

// The pipe is closed because an instruction waits in Allocate for read ports.
TEST(StallAccount, ReadPortsOfRegisters) {
    Account sm("mov.u32 %r1, 7; exit;", 4,
               {"sub_core.read_stages=3", "scoreboard.dispatch=1", "scoreboard.register_file=own",
                "register_file.banks=2", "pipe.sp.shared=false"});
    SubCores sub_cores(sm.machine, sm.pipes);
    const StallAccount stalls(sm.frame, sm.states, sm.memory, sm.flights, sm.pipes, &sub_cores);
    sm.start();
    stalls.find_cause(sm.issue_units[0]);
    EXPECT_EQ(sm.issue_units[0].slot, Slot::PipeSp);
    Decoded op;
    op.fixed = true;
    for (const std::uint8_t number : std::initializer_list<std::uint8_t>{2, 4, 6})
        op.read[op.reads++] = OperandRead{number, 7, false}.packed();
    for (const Cycle at : {110U, 111U, 112U})
        sub_cores.issue(0, op, 0, at);
    stalls.find_cause(sm.issue_units[0]);
    EXPECT_EQ(sm.issue_units[0].slot, Slot::ReadPorts);
}

} // namespace
} // namespace heddle::sm::test
