// Two banks with a port each and three read stages (Huerta et al., MICRO 2025, 5.3). An instruction that issues at t
// may leave Allocate at t + 2, reads until t + 4, and is behind its reads at t + 5.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sm/sub_core/read_ports.h"

namespace heddle::sm::read_ports {
namespace {

constexpr RowId kWarp = 3;

struct Source {
    std::uint8_t number;
    std::uint8_t place;
    bool reuse = false;
};

Decoded fixed(std::initializer_list<Source> sources, std::uint16_t latency = 4, std::uint8_t results = 1) {
    Decoded op;
    op.fixed = true;
    op.latency = latency;
    op.results_written = results & 7U;
    for (const Source& s : sources)
        op.read[op.reads++] = OperandRead{s.number, s.place, s.reuse}.packed();
    mark_registers_read_again({op.read.data(), op.reads});
    return op;
}

RegisterFileConfig config(std::uint64_t ports = 1, bool cache = true, std::uint64_t queue = 8) {
    RegisterFileConfig out;
    out.banks = 2;
    out.ports = ports;
    out.cache = cache;
    out.queue = queue;
    return out;
}

struct Rig {
    explicit Rig(const RegisterFileConfig& settings = config()) : ports(settings, 3, 1) {}
    Cycle issue(const Decoded& op, Cycle now, RowId warp = kWarp) {
        return ports.read(op, warp, now, now + 2);
    }
    ReadPorts ports;
};

TEST(OperandRead, GoesThroughARegisterNumber) {
    for (const OperandRead read : {OperandRead{0, 0, false}, OperandRead{254, 2, true}, OperandRead{17, 7, false}})
        EXPECT_EQ(OperandRead::of(read.packed()), read);
}

TEST(OperandRead, KnowsARegisterThatIsReadAgain) {
    std::array<std::uint16_t, 4> words = {OperandRead{5, 0}.packed(), OperandRead{6, 1, true}.packed(),
                                          OperandRead{5, 2}.packed(), OperandRead{6, 3}.packed()};
    mark_registers_read_again(words);
    EXPECT_EQ(OperandRead::of(words[0]), (OperandRead{5, 0, false, false}));
    EXPECT_EQ(OperandRead::of(words[1]), (OperandRead{6, 1, true, false}));
    EXPECT_EQ(OperandRead::of(words[2]), (OperandRead{5, 2, false, true}));
    EXPECT_EQ(OperandRead::of(words[3]), (OperandRead{6, 3, false, true}));
}

TEST(ReadPorts, ThreeRegistersOfABankFitTheWindow) {
    Rig r;
    EXPECT_EQ(r.issue(fixed({{2, 0}, {4, 1}, {6, 2}}), 10), 15U);
    EXPECT_EQ(r.ports.stats().port_cycles, 0U);
    EXPECT_EQ(r.ports.stats().reads, 3U);
    EXPECT_EQ(r.ports.open(), 11U);
}

// The bank is taken in cycles 12 to 14, so three free cycles begin at 15.
TEST(ReadPorts, ASecondInstructionOfTheSameBankWaitsInAllocate) {
    Rig r;
    r.issue(fixed({{2, 0}, {4, 1}, {6, 2}}), 10);
    EXPECT_EQ(r.issue(fixed({{8, 0}, {10, 1}, {12, 2}}), 11), 18U);
    EXPECT_EQ(r.ports.stats().port_cycles, 2U); // it would have left at 13
    // The next one waits in Control behind it, and issue waits until it leaves for Allocate.
    EXPECT_EQ(r.issue(fixed({{1, 0}}), 12), 19U);
    EXPECT_EQ(r.ports.open(), 15U);
}

TEST(ReadPorts, BanksDoNotDisturbEachOther) {
    Rig r;
    r.issue(fixed({{2, 0}, {4, 1}, {6, 2}}), 10);
    EXPECT_EQ(r.issue(fixed({{1, 0}, {3, 1}, {5, 2}}), 11), 16U);
}

TEST(ReadPorts, TwoPortsServeTwoInstructions) {
    Rig r(config(2));
    r.issue(fixed({{2, 0}, {4, 1}, {6, 2}}), 10);
    EXPECT_EQ(r.issue(fixed({{8, 0}, {10, 1}, {12, 2}}), 11), 16U);
}

TEST(ReadPorts, WithoutALimitNothingWaits) {
    Rig r(config(0));
    for (Cycle t = 10; t < 20; ++t)
        EXPECT_EQ(r.issue(fixed({{2, 0}, {4, 1}, {6, 2}}), t), t + 5);
    EXPECT_EQ(r.ports.stats().reads, 30U);
}

TEST(ReadPorts, ARegisterThatIsNamedTwiceIsReadOnce) {
    Rig r;
    r.issue(fixed({{2, 0}, {2, 1}, {2, 2}}), 10);
    EXPECT_EQ(r.ports.stats().reads, 1U);
}

TEST(ReadPorts, AKeptOperandNeedsNoPort) {
    Rig r;
    r.issue(fixed({{2, 0, true}}), 10);
    r.issue(fixed({{2, 0}}), 11); // hits, and empties the entry
    EXPECT_EQ(r.ports.stats().hits, 1U);
    r.issue(fixed({{2, 0}}), 12);
    EXPECT_EQ(r.ports.stats().hits, 1U);
    EXPECT_EQ(r.ports.stats().reads, 2U);
}

TEST(ReadPorts, AnOperandIsKeptForItsWarpPlaceAndNumber) {
    Rig r;
    r.issue(fixed({{2, 0, true}}), 10);
    r.issue(fixed({{2, 1}}), 11); // another place: the entry stays
    EXPECT_EQ(r.ports.stats().hits, 0U);
    r.issue(fixed({{3, 0}}), 12); // the other bank: the entry stays
    r.issue(fixed({{2, 0, true}}), 13);
    EXPECT_EQ(r.ports.stats().hits, 1U);
    r.issue(fixed({{2, 0}}), 14, kWarp + 1); // another warp empties it
    r.issue(fixed({{2, 0}}), 15);
    EXPECT_EQ(r.ports.stats().hits, 1U);
    r.issue(fixed({{2, 0, true}}), 16);
    r.issue(fixed({{4, 0}}), 17); // another register of the bank empties it
    r.issue(fixed({{2, 0}}), 18);
    EXPECT_EQ(r.ports.stats().hits, 1U);
}

TEST(ReadPorts, WithoutACacheFlagsMeanNothing) {
    Rig r(config(1, false));
    r.issue(fixed({{2, 0, true}}), 10);
    r.issue(fixed({{2, 0}}), 11);
    EXPECT_EQ(r.ports.stats().hits, 0U);
}

TEST(ReadPorts, OtherInstructionsReadWhenABankIsFree) {
    Rig r;
    r.issue(fixed({{2, 0}, {4, 1}, {6, 2}}), 10); // the bank is taken from 12 to 14
    Decoded load = fixed({{8, 0, true}, {9, 1}});
    load.fixed = false;
    EXPECT_EQ(r.issue(load, 11), 16U); // reads at 15 and 13
    r.issue(fixed({{8, 0}}), 12);
    EXPECT_EQ(r.ports.stats().hits, 0U); // they keep nothing
}

// A result of two registers is written in two cycles. One that could not be written for as many cycles as the queue has
// places waits in Allocate.
TEST(ReadPorts, TheQueueOfResultsHolds) {
    Rig r(config(0, true, 2));
    EXPECT_EQ(r.issue(fixed({}, 4, 2), 10), 15U); // written in 19, 20
    EXPECT_EQ(r.issue(fixed({}, 4, 2), 11), 16U); // from 20 on: in 21, 22
    EXPECT_EQ(r.issue(fixed({}, 4, 2), 12), 18U); // from 21 on only 23 is free, two cycles later: it leaves at 15
    EXPECT_EQ(r.ports.stats().queue_cycles, 1U);
}

TEST(RegisterFile, RulesOfItsSettings) {
    const auto refused = [](const std::vector<std::string>& settings) {
        try {
            (void)config::Machine::defaults(settings);
        } catch (const UserError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    using ::testing::HasSubstr;
    EXPECT_THAT(refused({"register_file.banks=2"}), HasSubstr("needs sub_core.read_stages"));
    EXPECT_THAT(refused({"register_file.banks=2", "sub_core.read_stages=3"}),
                HasSubstr("needs scoreboard.register_file = 'own'"));
    EXPECT_EQ(refused({"register_file.banks=2", "sub_core.read_stages=3", "scoreboard.register_file=own"}), "");
}

Decoded writer(std::uint8_t first, std::uint8_t results) {
    Decoded op = fixed({}, 4, results);
    op.first_result = first;
    return op;
}

struct WriteRig : Rig {
    WriteRig() : Rig(with_ports()) {}
    static RegisterFileConfig with_ports() {
        RegisterFileConfig out = config();
        out.write_ports = 1;
        return out;
    }
};

// Issued at 10, executed from 15 to 18, written at 19; a pair at 20 and 21; the next one at 22.
TEST(ReadPorts, ResultsAreWrittenOneACycle) {
    Rig r;
    r.issue(fixed({}), 10);
    EXPECT_EQ(r.ports.written(), 19U);
    r.issue(fixed({}, 4, 2), 11);
    EXPECT_EQ(r.ports.written(), 21U);
    r.issue(fixed({}), 12);
    EXPECT_EQ(r.ports.written(), 22U);
}

TEST(ReadPorts, ALoadWaitsForResultsOfFixedLatency) {
    WriteRig r;
    r.issue(writer(2, 1), 10);                            // writes bank 0 at 19
    r.issue(writer(5, 1), 11);                            // bank 1 at 20
    EXPECT_EQ(r.ports.write_load(writer(7, 1), 19), 19U); // bank 1
    EXPECT_EQ(r.ports.write_load(writer(4, 1), 19), 20U); // bank 0
    EXPECT_EQ(r.ports.write_load(writer(4, 2), 20), 21U); // both banks
    EXPECT_EQ(r.ports.stats().load_cycles, 2U);
}

TEST(ReadPorts, ALoadWaitsForAnotherLoad) {
    WriteRig r;
    EXPECT_EQ(r.ports.write_load(writer(4, 4), 30), 30U);
    EXPECT_EQ(r.ports.write_load(writer(9, 1), 30), 31U);
}

} // namespace
} // namespace heddle::sm::read_ports
