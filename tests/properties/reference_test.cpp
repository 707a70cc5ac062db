// The reference itself, on programs whose result is known, and that programs are as random as they should be.

#include <map>

#include <gtest/gtest.h>

#include "generator.h"

namespace heddle::properties {
namespace {

Operand imm(std::uint32_t value) {
    return {false, value};
}

// Thread t adds t, t - 1, ... 1 up and stores the sum: t (t + 1) / 2.
TEST(Reference, ALoop) {
    Program program{{8, 1}, {{"main", {}, {3, 7}}}};
    program.functions[0].code = {
        {.op = Op::Special, .d = kTid, .special = Special::Tid},
        {.op = Op::Move, .d = 0, .b = {true, kTid}},
        {.op = Op::Move, .d = 1, .b = imm(0)},
        {.op = Op::Test, .d = 0, .a = 0, .b = imm(0)}, // label 0
        {.op = Op::Branch, .guard = {0, false}, .target = 1},
        {.op = Op::Add, .d = 1, .a = 1, .b = {true, 0}},
        {.op = Op::Branch, .target = 2},
        {.op = Op::Store, .a = 1, .offset = 2}, // label 1
        {.op = Op::Exit},
        {.op = Op::Subtract, .d = 0, .a = 0, .b = imm(1)}, // label 2
        {.op = Op::Branch, .target = 0},
    };
    program.functions[0].labels.push_back(9);
    const auto result = run_reference(program, 1000);
    ASSERT_TRUE(result);
    std::uint64_t executed = 0;
    for (unsigned t = 0; t < 8; ++t) {
        EXPECT_EQ(result->cells[2 * 8 + t], t * (t + 1) / 2);
        executed += 3 + 5 * t + 2 + 2; // before, each trip (test, add, three of sub and jumps), the last test, after
    }
    EXPECT_EQ(result->executed, executed);
}

// Threads of a block of 40 hand a value on over a barrier and over their warp; the last 8 are a warp by themselves.
TEST(Reference, BarriersAndWarps) {
    Program program{{40, 1}, {{"main", {}, {}}}};
    program.functions[0].code = {
        {.op = Op::Special, .d = kTid, .special = Special::Tid},
        {.op = Op::Store, .a = kTid, .space = Space::Shared},
        {.op = Op::Barrier},
        {.op = Op::Add, .d = kTemporary, .a = kTid, .b = imm(3)},
        {.op = Op::Remainder, .d = kTemporary, .a = kTemporary, .b = imm(40)},
        {.op = Op::Load, .d = 0, .space = Space::Neighbour, .indexed = true},
        {.op = Op::Shuffle, .d = 1, .a = kTid, .b = imm(2)},
        {.op = Op::Test, .d = 0, .a = kTid, .b = imm(35), .relation = Relation::AtLeast},
        {.op = Op::Ballot, .d = 2, .p = 0},
        {.op = Op::Store, .a = 0, .offset = 0},
        {.op = Op::Store, .a = 1, .offset = 1},
        {.op = Op::Store, .a = 2, .offset = 2},
        {.op = Op::Reduce, .guard = {0, false}, .a = kTid, .space = Space::Counters},
        {.op = Op::Exit},
    };
    const auto result = run_reference(program, 1000);
    ASSERT_TRUE(result);
    for (unsigned t = 0; t < 40; ++t) {
        EXPECT_EQ(result->cells[t], (t + 3) % 40);
        EXPECT_EQ(result->cells[40 + t], t % 32 < 2 ? t : t - 2);
        EXPECT_EQ(result->cells[80 + t], t < 32 ? 0U : 0xf8U); // threads 35 to 39 are 3 to 7 of their warp
    }
    EXPECT_EQ(result->counters[0], 35U + 36 + 37 + 38 + 39);
    EXPECT_EQ(result->executed, 40 * 13U + 5);
}

// A function that is called by some: three st.param, the call, one ld.param for the result.
TEST(Reference, ACall) {
    Program program{{4, 1}, {{"main", {}, {}}, {"twice", {}, {}}}};
    program.functions[0].code = {
        {.op = Op::Special, .d = kTid, .special = Special::Tid},
        {.op = Op::Move, .d = 1, .b = imm(9)},
        {.op = Op::Test, .d = 1, .a = kTid, .b = imm(2), .relation = Relation::Less},
        {.op = Op::Call, .guard = {1, true}, .d = 1, .a = kTid, .target = 1},
        {.op = Op::Store, .a = 1},
        {.op = Op::Exit},
    };
    program.functions[1].code = {
        {.op = Op::Special, .d = 3, .special = Special::Argument},
        {.op = Op::Add, .d = 3, .a = 3, .b = {true, 3}},
        {.op = Op::StoreResult, .a = 3},
        {.op = Op::Return},
    };
    const auto result = run_reference(program, 1000);
    ASSERT_TRUE(result);
    for (const auto& [thread, value] : {std::pair{0, 9}, {1, 9}, {2, 4}, {3, 6}})
        EXPECT_EQ(result->cells[static_cast<std::size_t>(thread)], static_cast<std::uint32_t>(value));
    EXPECT_EQ(result->executed, 4U * 5 + 2 * (5 + 4));
}

TEST(Reference, AThreadThatRunsTooLong) {
    Program program{{4, 1}, {{"main", {{.op = Op::Branch, .target = 0}}, {0}}}};
    EXPECT_FALSE(run_reference(program, 1000));
}

// Among a few programs each kind of instruction is there, guarded and not where it can be.
TEST(Generator, MakesEveryKindOfInstruction) {
    std::map<Op, std::size_t> plain, guarded;
    for (std::uint64_t seed = 1; seed <= 12; ++seed)
        for (const Function& function : generate(seed, {64, 1}).program.functions)
            for (const Instruction& i : function.code)
                ++(i.guard.predicate < 0 ? plain : guarded)[i.op];
    for (unsigned op = 0; op <= static_cast<unsigned>(Op::Ballot); ++op)
        EXPECT_GT(plain[static_cast<Op>(op)], 0U) << "operation " << op;
    for (const Op op :
         {Op::Add, Op::Load, Op::Store, Op::Reduce, Op::Fetch, Op::Branch, Op::Call, Op::Return, Op::Exit})
        EXPECT_GT(guarded[op], 0U) << "operation " << static_cast<unsigned>(op);
}

TEST(Generator, MakesTheSameProgramOfASeed) {
    const Shape shape{33, 2};
    EXPECT_EQ(ptx_of(generate(5, shape).program), ptx_of(generate(5, shape).program));
    EXPECT_NE(ptx_of(generate(5, shape).program), ptx_of(generate(6, shape).program));
}

} // namespace
} // namespace heddle::properties
