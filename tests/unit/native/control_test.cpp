// Control bits, and the check that finds wrong ones.
#include <gtest/gtest.h>

#include "compiled.h"
#include "native/control/bits.h"

namespace heddle::native::test {
namespace {

using testing::HasSubstr;

// On sm_80: an IADD3 takes 4 cycles, a comparison 13 to a guard, loads are announced by a counter, which is up 2 cycles
// after the issue.
Function sums() {
    return block(
        {make(Op::Iadd3, {reg(0)}, {reg(1), reg(2), rz()}), make(Op::Iadd3, {reg(3)}, {reg(0), reg(2), rz()})});
}
Function load_and_use() {
    Instruction load = make(Op::Ldg, {reg(4)}, {reg(0, 2)});
    load.mods.type = ir::Type::B32;
    return block({load, make(Op::Iadd3, {reg(5)}, {reg(4), rz(), rz()}), make(Op::Mov, {reg(0)}, {imm(1)})});
}
Function with_bits(Function f) {
    set_counters(f, target());
    set_stalls(f, target());
    return f;
}
std::string check(const Function& f) {
    return check_control(f, target());
}
std::vector<Instruction>& code(Function& f) {
    return f.blocks[0].code;
}

TEST(NativeControl, ADependentSumIssuesFourCyclesLater) {
    Function f = with_bits(sums());
    EXPECT_EQ(code(f)[0].control.stall, 4);
    EXPECT_EQ(check(f), "");
    code(f)[0].control.stall = 3;
    EXPECT_THAT(check(f), HasSubstr("register 0 is read 1 cycles too early"));
}

TEST(NativeControl, AGuardWaitsThirteenCyclesForItsComparison) {
    Function f = block({make(Op::Isetp, {pred(0)}, {reg(1), rz(), pt()}), make(Op::Mov, {reg(2)}, {imm(1)})});
    code(f)[1].guard = pred(0);
    f = with_bits(f);
    EXPECT_EQ(code(f)[0].control.stall, 13);
    EXPECT_EQ(check(f), "");
    code(f)[0].control.stall = 12;
    EXPECT_THAT(check(f), HasSubstr("1 cycles too early"));
}

// The fewest cycles that ptxas leaves between two instructions, by chip: the pipe of the second one counts.
unsigned cycles(const char* chip, Instruction first, Instruction second) {
    Function f = block({std::move(first), std::move(second)});
    set_stalls(f, *find_target(chip));
    EXPECT_EQ(check_control(f, *find_target(chip)), "");
    const unsigned stall = code(f)[0].control.stall;
    --code(f)[0].control.stall;
    EXPECT_THAT(check_control(f, *find_target(chip)), HasSubstr("1 cycles too early"));
    return stall;
}

TEST(NativeControl, TheOtherPipeHasAResultACycleLater) {
    const Instruction sum = make(Op::Iadd3, {reg(0)}, {reg(1), reg(2), rz()});
    const Instruction product = make(Op::Ffma, {reg(0)}, {reg(1), reg(2), rz()});
    for (const char* chip : {"sm_70", "sm_75", "sm_80", "sm_86", "sm_89", "sm_90"}) {
        EXPECT_EQ(cycles(chip, sum, make(Op::Lop3, {reg(3)}, {reg(0), reg(2), rz()})), 4U) << chip;
        EXPECT_EQ(cycles(chip, sum, make(Op::Ffma, {reg(3)}, {reg(0), reg(2), rz()})), 5U) << chip;
        EXPECT_EQ(cycles(chip, product, make(Op::Fadd, {reg(3)}, {reg(0), reg(2)})), 4U) << chip;
        EXPECT_EQ(cycles(chip, product, make(Op::Iadd3, {reg(3)}, {reg(0), reg(2), rz()})), 5U) << chip;
    }
}

TEST(NativeControl, AWideProductHasAnotherSixCyclesLater) {
    const Instruction wide = make(Op::ImadWide, {reg(0, 2)}, {reg(4), reg(5), rz()});
    EXPECT_EQ(cycles("sm_80", wide, make(Op::ImadHi, {reg(6)}, {reg(0), reg(5), rz()})), 6U);
    EXPECT_EQ(cycles("sm_80", wide, make(Op::Imad, {reg(6)}, {reg(0), reg(5), rz()})), 5U);
}

TEST(NativeControl, AddressesAndArgumentsOfFunctionsAreReadAfterMoreCycles) {
    const Instruction sum = make(Op::Iadd3, {reg(0)}, {reg(1), reg(2), rz()});
    Instruction load = make(Op::Lds, {reg(3)}, {reg(0)});
    load.mods.type = ir::Type::B32;
    load.control.write = 0;
    Instruction function = make(Op::Mufu, {reg(3)}, {reg(0)});
    function.control.write = 0;
    EXPECT_EQ(cycles("sm_75", sum, load), 8U);
    EXPECT_EQ(cycles("sm_80", sum, load), 5U);
    EXPECT_EQ(cycles("sm_75", sum, function), 6U);
    EXPECT_EQ(cycles("sm_80", sum, function), 4U);
}

TEST(NativeControl, APredicateIsASourceBeforeItIsAGuard) {
    const Instruction comparison = make(Op::Isetp, {pred(0)}, {reg(1), rz(), pt()});
    const Instruction selection = make(Op::Sel, {reg(3)}, {reg(1), reg(2), pred(0)});
    Instruction guarded = make(Op::Mov, {reg(2)}, {imm(1)});
    guarded.guard = pred(0);
    for (const char* chip : {"sm_75", "sm_80"})
        EXPECT_EQ(cycles(chip, comparison, selection), 4U) << chip;
    EXPECT_EQ(cycles("sm_75", comparison, guarded), 12U);
    EXPECT_EQ(cycles("sm_80", comparison, guarded), 13U);
    const Instruction carry = make(Op::Iadd3, {reg(0), pred(0)}, {reg(1), reg(2), rz()});
    EXPECT_EQ(cycles("sm_80", carry, guarded), 13U) << "a carry is a predicate like any other";
}

TEST(NativeControl, NothingFollowsABranchForFiveCycles) {
    Instruction branch = make(Op::Bra, {}, {});
    branch.target = 1;
    branch.guard = pred(0);
    Function f = block({branch});
    code(f).pop_back(); // EXIT
    f.blocks[0].next = 1;
    f.blocks.push_back({{make(Op::Mov, {reg(1)}, {imm(1)})}, Instruction::kNoBlock});
    f.order = {0, 1};
    f = with_bits(f);
    EXPECT_EQ(code(f)[0].control.stall, 5);
}

// What no instruction behind the block reads soon is not waited for: of the two sums only the one that is used is.
TEST(NativeControl, TheEndOfABlockWaitsForWhatTheNextOneReads) {
    const auto behind = [](Instruction use) {
        Function f = block(
            {make(Op::Isetp, {pred(0)}, {reg(1), rz(), pt()}), make(Op::Iadd3, {reg(3)}, {reg(1), reg(2), rz()})});
        code(f).pop_back(); // EXIT
        f.blocks[0].next = 1;
        f.blocks.push_back({{make(Op::Mov, {reg(7)}, {imm(1)}), std::move(use)}, Instruction::kNoBlock});
        f.order = {0, 1};
        f = with_bits(f);
        EXPECT_EQ(check(f), "");
        return code(f)[1].control.stall;
    };
    EXPECT_EQ(behind(make(Op::Mov, {reg(8)}, {reg(1)})), 1);
    EXPECT_EQ(behind(make(Op::Mov, {reg(8)}, {reg(3)})), 3) << "4, of which the copy before it is one";
    Instruction guarded = make(Op::Mov, {reg(8)}, {reg(1)});
    guarded.guard = pred(0);
    EXPECT_EQ(behind(guarded), 11) << "13, less the sum and the copy";
}

TEST(NativeControl, AUseOfALoadWaitsForItsCounter) {
    Function f = with_bits(load_and_use());
    ASSERT_NE(code(f)[0].control.write, Control::kNoCounter);
    EXPECT_EQ(code(f)[1].control.wait, 1U << code(f)[0].control.write);
    EXPECT_EQ(check(f), "");
}

TEST(NativeControlCheck, AMissingWait) {
    Function f = with_bits(load_and_use());
    code(f)[1].control.wait = 0;
    EXPECT_THAT(check(f), HasSubstr("register 4 is read before its counter is 0"));
}

TEST(NativeControlCheck, AResultWithoutACounter) {
    Function f = with_bits(load_and_use());
    code(f)[0].control.write = Control::kNoCounter;
    EXPECT_THAT(check(f), HasSubstr("no counter"));
}

TEST(NativeControlCheck, AWaitForAnotherCounter) {
    Function f = with_bits(load_and_use());
    code(f)[1].control.wait = static_cast<std::uint8_t>(code(f)[1].control.wait << 1);
    EXPECT_THAT(check(f), HasSubstr("before its counter is 0"));
}

TEST(NativeControlCheck, AWaitBeforeTheCounterIsUp) {
    Function f = with_bits(load_and_use());
    code(f)[0].control.stall = 1;
    EXPECT_THAT(check(f), HasSubstr("before it is up"));
}

// The address is overwritten while the store may not have read it.
TEST(NativeControlCheck, ASourceIsOverwrittenTooEarly) {
    Instruction store = make(Op::Stg, {}, {reg(0, 2), reg(4)});
    store.mods.type = ir::Type::B32;
    Function f = with_bits(block({store, make(Op::Mov, {reg(4)}, {imm(1)})}));
    ASSERT_NE(code(f)[0].control.read, Control::kNoCounter);
    EXPECT_EQ(check(f), "");
    code(f)[1].control.wait = 0;
    EXPECT_THAT(check(f), HasSubstr("register 4 is written while an earlier instruction uses it"));
}

// A result of 5 cycles would overwrite one of 4 cycles that is issued directly behind it.
TEST(NativeControlCheck, AnEarlierResultOvertaken) {
    Instruction wide = make(Op::ImadWide, {reg(0, 2)}, {reg(4), reg(5), rz()});
    Function f = with_bits(block({wide, make(Op::Mov, {reg(0)}, {imm(1)})}));
    EXPECT_EQ(check(f), "");
    EXPECT_EQ(code(f)[0].control.stall, 1) << "5 - 4 cycles";
    code(f)[0].control.stall = 0;
    code(f)[0].op = Op::Isetp; // 13 cycles
    EXPECT_THAT(check(f), HasSubstr("would be overwritten by an earlier result"));
}

// On sm_75 a result of 4 cycles reaches memory after 8. The store reads that of the second instruction, which has a
// counter; under a false guard it would read that of the first one.
TEST(NativeControlCheck, AResultWithACounterTakesThePlaceOfAnEarlierOne) {
    const Target& turing = *find_target("sm_75");
    Instruction store = make(Op::Stg, {}, {reg(0, 2), reg(4)});
    store.mods.type = ir::Type::B32;
    Function f = block({make(Op::Mov, {reg(4)}, {imm(1)}), make(Op::S2r, {reg(4)}, {imm(0)}), store});
    set_counters(f, turing);
    set_stalls(f, turing);
    EXPECT_EQ(check_control(f, turing), "");
    EXPECT_EQ(code(f)[0].control.stall + code(f)[1].control.stall, 4 + 2) << "the order of the results; the counter";

    code(f)[1].guard = pred(1);
    EXPECT_THAT(check_control(f, turing), HasSubstr("register 4 is read 2 cycles too early"));
    set_stalls(f, turing);
    EXPECT_EQ(check_control(f, turing), "");
}

// The load is in one block and its use in another.
TEST(NativeControlCheck, AWaitThatIsMissingOnOnePath) {
    Function f = load_and_use();
    Function two = f;
    two.blocks[0].code.resize(1);
    Instruction branch = make(Op::Bra, {}, {});
    branch.target = 2;
    branch.guard = pred(1);
    two.blocks[0].code.push_back(branch);
    two.blocks[0].next = 1;
    two.blocks.push_back({{make(Op::Mov, {reg(6)}, {reg(4)})}, 2});
    two.blocks.push_back(
        {{make(Op::Iadd3, {reg(5)}, {reg(4), rz(), rz()}), make(Op::Exit, {}, {})}, Instruction::kNoBlock});
    two.order = {0, 1, 2};
    two = with_bits(two);
    EXPECT_EQ(check(two), "");
    two.blocks[2].code[0].control.wait = 0; // good on the path through block 1, which waits
    EXPECT_THAT(check(two), HasSubstr("register 4"));
}

TEST(NativeControlCheck, BitsOutOfRange) {
    Function f = with_bits(sums());
    code(f)[0].control.stall = 16;
    EXPECT_THAT(check(f), HasSubstr("out of range"));
}

TEST(NativeControl, AnOperandOfTheNextInstructionIsReused) {
    Function f =
        block({make(Op::Iadd3, {reg(4)}, {reg(1), reg(2), rz()}), make(Op::Iadd3, {reg(5)}, {reg(1), reg(3), rz()})});
    set_reuse(f, target());
    EXPECT_TRUE(code(f)[0].src[0].reuse);
    EXPECT_FALSE(code(f)[0].src[1].reuse);
}

} // namespace
} // namespace heddle::native::test
