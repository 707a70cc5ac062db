// Sub-cores over pipes and register files that are theirs or shared: an arrangement as Volta has it, of four sub-cores
// with pipes of their own (an instruction in two cycles, as of 16 lanes) and a double-precision pipe for all.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core_rig.h"
#include "sm/sub_core/decoded.h"
#include "sm/sub_core/sub_core.h"

namespace heddle::sm::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

const std::vector<std::string> kVolta = {"scoreboard.schedulers=4",
                                         "scoreboard.register_file=own",
                                         "scoreboard.front_end=own",
                                         "scoreboard.result_buses=1",
                                         "scoreboard.register_banks=2",
                                         "pipe.int.width=1",
                                         "pipe.int.shared=false",
                                         "pipe.int.int_add=4/2",
                                         "pipe.int.logic=4/2",
                                         "pipe.fp.width=1",
                                         "pipe.fp.shared=false",
                                         "pipe.fp.fp32_add=4/2",
                                         "pipe.dp.width=1",
                                         "pipe.dp.kind=dp",
                                         "pipe.dp.fp64_add=8/4"};
constexpr std::uint8_t kInt = 0, kFp = 1, kDp = 2;

Decoded op_on(std::uint8_t pipe, unsigned latency, unsigned interval,
              std::initializer_list<RegisterNumber> reads = {}) {
    Decoded op;
    op.pipe = pipe;
    op.latency = static_cast<std::uint16_t>(latency);
    op.interval = static_cast<std::uint16_t>(interval);
    for (const RegisterNumber r : reads)
        op.read[op.reads++] = r;
    return op;
}
const Decoded kIntAdd = op_on(kInt, 4, 2), kFpAdd = op_on(kFp, 4, 2), kDpAdd = op_on(kDp, 8, 4);

struct Volta : testing::Test {
    config::Machine machine = config::Machine::defaults(kVolta);
    PipeTable table{machine};
    SubCores sub_cores{machine, table};
};

// Issued at 100 in each, without a wait for another. Without registers an instruction begins 4 cycles after its issue,
// and writes latency + 1 later.
TEST_F(Volta, PipesOfASubCoreAreItsOwn) {
    for (unsigned s = 0; s < 4; ++s)
        EXPECT_EQ(sub_cores.issue(s, kIntAdd, 0, 100), 100U + 4U + 4U + 1U);
    EXPECT_EQ(sub_cores.issue(0, kIntAdd, 0, 101), 109U + 2U); // a unit takes one every two cycles
    EXPECT_EQ(sub_cores.opens(1)[kInt], 101U);                 // one issue a cycle
    EXPECT_EQ(sub_cores.opens(1)[kFp], 0U);
}

// Three registers of one bank with one port take the three read stages, so the third instruction waits in Allocate for
// the second. An instruction that does not wait ends the hold.
TEST(SubCores, AllocateHoldsThePipesUntilAnInstructionPasses) {
    std::vector<std::string> settings = kVolta;
    settings.insert(settings.end(), {"sub_core.read_stages=3", "register_file.banks=2", "register_file.ports=1"});
    const config::Machine machine = config::Machine::defaults(settings);
    const PipeTable table(machine);
    SubCores sub_cores(machine, table);
    Decoded op = op_on(kFp, 4, 1, {OperandRead{2, 0}.packed(), OperandRead{4, 1}.packed(), OperandRead{6, 2}.packed()});
    op.fixed = true;
    for (Cycle now = 100; now < 103; ++now)
        sub_cores.issue(0, op, 0, now);
    EXPECT_NE(sub_cores.held(0) >> kInt & 1, 0);
    EXPECT_EQ(sub_cores.held(1), 0);
    sub_cores.issue(0, op, 0, 200);
    EXPECT_EQ(sub_cores.held(0), 0);
}

// One double-precision pipe: each of the four begins four cycles behind the one before, and all see when it is open.
TEST_F(Volta, APipeForAllSubCores) {
    for (unsigned s = 0; s < 4; ++s)
        EXPECT_EQ(sub_cores.issue(s, kDpAdd, 0, 100 + s), 100U + 4U + 4U * s + 8U + 1U);
    for (unsigned s = 0; s < 4; ++s)
        EXPECT_EQ(sub_cores.opens(s)[kDp], 104U); // its four places are taken until the first begins
}

// One result bus of a register file of its own: two results of a sub-core follow each other, those of others do not.
TEST_F(Volta, ResultBusesOfASubCore) {
    EXPECT_EQ(sub_cores.issue(0, kIntAdd, 0, 100), 109U);
    EXPECT_EQ(sub_cores.issue(0, kFpAdd, 0, 100), 110U);
    EXPECT_EQ(sub_cores.issue(1, kFpAdd, 0, 100), 109U);
}

// Two banks: registers 0 and 2 are in one, read in cycles 102 and 103.
TEST_F(Volta, RegisterBanksOfASubCore) {
    EXPECT_EQ(sub_cores.collect(0, op_on(kInt, 4, 2, {0}), 0, 100, 1), 102U + 3U);
    EXPECT_EQ(sub_cores.collect(0, op_on(kInt, 4, 2, {2}), 0, 100, 1), 103U + 3U);
    EXPECT_EQ(sub_cores.collect(0, op_on(kInt, 4, 2, {1}), 0, 100, 1), 102U + 3U);
    EXPECT_EQ(sub_cores.collect(1, op_on(kInt, 4, 2, {0}), 0, 100, 1), 102U + 3U);
}

TEST_F(Volta, TheLoadStoreUnitIsForAll) {
    sub_cores.set_load_store_open(kNever);
    for (unsigned s = 0; s < 4; ++s)
        EXPECT_EQ(sub_cores.opens(s)[table.count()], kNever);
    sub_cores.set_load_store_open(120);
    EXPECT_EQ(sub_cores.opens(3)[table.count()], 120U);
}

std::string refusal_of(const std::vector<std::string>& settings) {
    try {
        static_cast<void>(config::Machine::defaults(with(kScoreboard, settings)));
    } catch (const UserError& error) {
        return error.what();
    }
    return {};
}

TEST(PipeFamily, TimingsThatAreWrong) {
    EXPECT_THAT(refusal_of({"pipe.sp.int_add=0/1"}), HasSubstr("pipe.sp.int_add = '0/1' is not 'latency/interval'"));
    EXPECT_THAT(refusal_of({"pipe.sp.int_add=4/5"}), HasSubstr("the interval not above the latency"));
    EXPECT_THAT(refusal_of({"pipe.sp.int_add=2001/1"}), HasSubstr("from 1 to 2000"));
    EXPECT_THAT(refusal_of({"pipe.sp.int_add=4/1x"}), HasSubstr("'4/1x'"));
    EXPECT_THAT(refusal_of({"pipe.sp.kind=alp"}), HasSubstr("pipe.sp.kind"));
    EXPECT_EQ(refusal_of({}), "");
}

TEST(PipeFamily, NoMorePipesThanThereAreStatesFor) {
    std::vector<std::string> more;
    for (unsigned i = 0; i < 5; ++i) {
        const std::string pipe = "pipe.more" + std::to_string(i);
        more.insert(more.end(), {pipe + ".width=1", pipe + ".logic=1/1"});
    }
    EXPECT_THAT(refusal_of(more), HasSubstr("the machine has 8 pipes"));
    more.push_back("pipe.more0.width=0"); // that is none
    EXPECT_EQ(refusal_of(more), "");
}

// A class that only an absent pipe names.
TEST(PipeFamily, EveryClassNeedsAPipe) {
    EXPECT_THAT(refusal_of({"pipe.dp.width=0"}), HasSubstr("no pipe executes fp64_add"));
}

// Numbers of registers: the slots of a row's frame, then its predicates.
struct DecodedTest : testing::Test {
    config::Machine machine = near_machine(kScoreboard);
    PipeTable table{machine}; // sp, sfu, dp
    DecodedKernel decoded{table};
    std::unique_ptr<Kernel> kernel;

    void decode(const std::string& body) {
        kernel = std::make_unique<Kernel>(machine, body, 4);
        decoded.decode(kernel->lowered.program, kernel->lowered.kernel());
    }
    bool needs(Pc pc, RegisterNumber r) const {
        return (decoded.needs(pc)[r / 64] >> (r % 64) & 1) != 0;
    }
};

TEST_F(DecodedTest, WhereAndForHowLong) {
    decode("add.u32 %r1, %r1, 7; div.u32 %r1, %r1, 7; add.f64 %g1, %g1, %g1; ld.param.u64 %d1, [x];\n"
           "st.global.u32 [%d1], %r1; bra L; L: bar.sync 0; exit;");
    EXPECT_EQ(decoded.at(0).pipe, 0);
    EXPECT_EQ(decoded.at(0).latency, 4);
    EXPECT_EQ(decoded.at(0).interval, 1);
    EXPECT_EQ(decoded.at(1).pipe, 1);
    EXPECT_EQ(decoded.at(1).latency, 145);
    EXPECT_EQ(decoded.at(1).kind, PipeKind::Sfu);
    EXPECT_EQ(decoded.at(2).pipe, 2);
    for (const Pc pc : {3U, 4U}) {
        EXPECT_TRUE(decoded.at(pc).accesses);
        EXPECT_EQ(decoded.at(pc).pipe, 3); // the load/store unit, behind the pipes
    }
    EXPECT_EQ(decoded.at(4).writes, 0);
    EXPECT_TRUE(decoded.at(5).transfers);
    EXPECT_FALSE(decoded.at(5).in_pipe);
    EXPECT_TRUE(decoded.at(6).in_pipe);
    EXPECT_TRUE(decoded.at(7).transfers);
}

TEST_F(DecodedTest, ReadsApartFromWrites) {
    DecodedKernel apart{table, {.keeps_reads = true}};
    decode("mov.u32 %r1, 5; setp.lt.u32 %p1, %r1, 7; @%p1 add.u32 %r2, %r1, %r1; exit;");
    apart.decode(kernel->lowered.program, kernel->lowered.kernel());
    const RegisterNumber r1 = apart.at(0).written[0], p1 = apart.at(1).written[0], r2 = apart.at(2).written[0];
    const auto reads = [&](Pc pc, RegisterNumber r) { return (apart.reads_of(pc)[r / 64] >> (r % 64) & 1) != 0; };
    const auto writes = [&](Pc pc, RegisterNumber r) { return (apart.writes_of(pc)[r / 64] >> (r % 64) & 1) != 0; };
    EXPECT_TRUE(writes(0, r1));
    EXPECT_FALSE(reads(0, r1));
    EXPECT_TRUE(reads(1, r1));
    EXPECT_FALSE(writes(1, r1));
    EXPECT_TRUE(writes(1, p1));
    EXPECT_TRUE(reads(2, p1)); // the guard
    EXPECT_TRUE(writes(2, r2));
    for (const RegisterNumber r : {r1, p1, r2}) // the exit
        EXPECT_TRUE(writes(3, r));
}

TEST_F(DecodedTest, WhatIsReadAndWritten) {
    decode("mov.u32 %r1, %tid.x; mov.u32 %r2, 5; setp.lt.u32 %p1, %r1, %r2; @%p1 add.u32 %r1, %r1, %r2; exit;");
    EXPECT_EQ(decoded.at(0).reads, 0); // a special register is in no bank
    EXPECT_EQ(decoded.at(1).reads, 0); // a constant neither
    const RegisterNumber r1 = decoded.at(0).written[0], r2 = decoded.at(1).written[0];
    const Decoded& compares = decoded.at(2);
    EXPECT_THAT(std::vector(compares.read.begin(), compares.read.begin() + compares.reads),
                UnorderedElementsAre(r1, r2));
    const RegisterNumber p1 = compares.written[0];
    EXPECT_EQ(p1, decoded.registers() - 1); // behind the slots
    const Decoded& guarded = decoded.at(3);
    EXPECT_EQ(guarded.reads, 2); // the collector reads no predicates
    EXPECT_TRUE(needs(3, p1));
    EXPECT_TRUE(needs(3, r1));
    EXPECT_FALSE(needs(0, r2));
    EXPECT_TRUE(needs(1, r2)); // what it writes
    for (RegisterNumber r = 0; r < decoded.registers(); ++r)
        EXPECT_TRUE(needs(4, r)); // an exit
}

} // namespace
} // namespace heddle::sm::test
