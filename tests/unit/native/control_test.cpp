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
