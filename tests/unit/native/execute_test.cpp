// Instructions that are several operations of PTX, or one with other operands: each alone, against 64-bit arithmetic.
#include <cmath>
#include <cstring>
#include <limits>

#include <gtest/gtest.h>

#include "compiled.h"
#include "exec/executor.h"
#include "native/execute/expand.h"

namespace heddle::native::test {
namespace {

using ir::Sub;
using ir::Type;

constexpr std::array<std::uint32_t, 7> kWords = {0, 1, 2, 0x7fff'ffff, 0x8000'0000, 0xffff'fffe, 0xffff'ffff};

// A warp that executes hand-made code: register r of lane i begins as the value that `set` gave it.
class Warp {
public:
    explicit Warp(std::vector<Instruction> instructions) : function_(block(std::move(instructions))) {
        function_.registers = 16;
        program_.modules.emplace_back("t.ptx");
        program_.units.emplace_back();
        program_.functions.push_back({"k", 0, 1});
        program_.ops.push_back({});
        program_.origins.emplace_back();
        program_.kernels.emplace_back().name = "k";
        expand(function_, target(), program_, program_.kernels[0]);
        executor_.bind(program_);
        launch_.program = &program_;
        launch_.kernel = &program_.kernels[0];
        launch_.grid = {1, 1, 1};
        launch_.block = {32, 1, 1};
        launch_.cluster = {1, 1, 1};
        launch_.rows = 1;
        launch_.block_slots = 1;
        EXPECT_EQ(executor_.unsupported(program_.kernels[0]), "");
        executor_.begin(launch_);
        executor_.start_block(0, {0, 0, 0}, 0);
    }
    void set(unsigned number, unsigned lane, std::uint32_t value) {
        std::memcpy(&executor_.frame(0)[(std::size_t{number} * kVectorLanes + lane) * 4], &value, 4);
    }
    void set_predicate(unsigned number, std::uint32_t lanes) {
        std::memcpy(&executor_.frame(0)[predicate(number)], &lanes, 4);
    }
    void run(LaneMask lanes = 0xffff'ffff) {
        warp::Group group;
        group.unit = 0;
        group.parts = 1;
        group.part[0] = {0, lanes};
        group.threads = static_cast<std::uint16_t>(count_lanes(lanes));
        warp::Outcome outcome;
        exec::Access access;
        for (Pc pc = program_.kernels[0].begin; pc + 1 < program_.kernels[0].end; ++pc) { // not EXIT
            group.pc = pc;
            executor_.execute(group, 0, outcome, access);
        }
    }
    [[nodiscard]] std::uint32_t get(unsigned number, unsigned lane) {
        std::uint32_t value;
        std::memcpy(&value, &executor_.frame(0)[(std::size_t{number} * kVectorLanes + lane) * 4], 4);
        return value;
    }
    [[nodiscard]] std::uint64_t get_pair(unsigned number, unsigned lane) {
        return get(number, lane) | std::uint64_t{get(number + 1, lane)} << 32;
    }
    [[nodiscard]] bool holds(unsigned number, unsigned lane) {
        std::uint32_t bits;
        std::memcpy(&bits, &executor_.frame(0)[predicate(number)], 4);
        return (bits >> lane & 1) != 0;
    }

private:
    [[nodiscard]] std::size_t predicate(unsigned number) const {
        return std::size_t{program_.kernels[0].slots} * kVectorLanes * 4 + std::size_t{number} * 4;
    }

    Function function_;
    ir::Program program_;
    exec::MemoryImage image_{1 << 20};
    exec::Launch launch_;
    exec::Executor executor_{image_};
};

// Sets R0 to R3 of lane i to the i-th of all pairs {a, b} of edge values, runs, and calls visit(lane, a, b).
template <class Visit>
void on_pairs(const std::vector<Instruction>& code, Visit visit) {
    std::vector<std::array<std::uint32_t, 4>> all;
    for (const std::uint32_t a : kWords)
        for (const std::uint32_t b : kWords)
            for (const std::uint32_t high : {0U, 1U, 0x8000'0000U, 0xffff'ffffU})
                all.push_back({a, high, b, a ^ high});
    for (std::size_t begin = 0; begin < all.size(); begin += 32) {
        Warp warp(code);
        const auto lanes = static_cast<unsigned>(std::min<std::size_t>(32, all.size() - begin));
        for (unsigned lane = 0; lane < lanes; ++lane)
            for (unsigned r = 0; r < 4; ++r)
                warp.set(r, lane, all[begin + lane][r]);
        warp.run();
        for (unsigned lane = 0; lane < lanes; ++lane) {
            const auto& v = all[begin + lane];
            visit(warp, lane, v[0] | std::uint64_t{v[1]} << 32, v[2] | std::uint64_t{v[3]} << 32);
        }
    }
}

Operand negative(Operand o) {
    o.minus = true;
    return o;
}
Operand complement(Operand o) {
    o.inverted = true;
    return o;
}

TEST(NativeExecute, ASumOfPairsCarries) {
    on_pairs({make(Op::Iadd3, {reg(4), pred(0)}, {reg(0), reg(2), rz()}),
              make(Op::Iadd3X, {reg(5)}, {reg(1), reg(3), rz(), pred(0)})},
             [](Warp& w, unsigned lane, std::uint64_t a, std::uint64_t b) { EXPECT_EQ(w.get_pair(4, lane), a + b); });
}

TEST(NativeExecute, ADifferenceOfPairsBorrows) {
    on_pairs({make(Op::Iadd3, {reg(4), pred(0)}, {reg(0), negative(reg(2)), rz()}),
              make(Op::Iadd3X, {reg(5)}, {reg(1), complement(reg(3)), rz(), pred(0)})},
             [](Warp& w, unsigned lane, std::uint64_t a, std::uint64_t b) { EXPECT_EQ(w.get_pair(4, lane), a - b); });
    on_pairs({make(Op::Iadd3, {reg(4), pred(0)}, {negative(reg(2)), reg(0), rz()}),
              make(Op::Iadd3X, {reg(5)}, {reg(1), complement(reg(3)), rz(), pred(0)})},
             [](Warp& w, unsigned lane, std::uint64_t a, std::uint64_t b) { EXPECT_EQ(w.get_pair(4, lane), a - b); });
}

TEST(NativeExecute, SumsOfThreeWithSigns) {
    on_pairs({make(Op::Iadd3, {reg(4)}, {negative(reg(0)), reg(2), negative(reg(3))})},
             [](Warp& w, unsigned lane, std::uint64_t a, std::uint64_t b) {
                 const auto expected = static_cast<std::uint32_t>(b) - static_cast<std::uint32_t>(a) -
                                       static_cast<std::uint32_t>(b >> 32);
                 EXPECT_EQ(w.get(4, lane), expected);
             });
    on_pairs({make(Op::Iadd3, {reg(4)}, {rz(), negative(reg(0)), rz()})},
             [](Warp& w, unsigned lane, std::uint64_t a, std::uint64_t) {
                 EXPECT_EQ(w.get(4, lane), 0U - static_cast<std::uint32_t>(a));
             });
}

TEST(NativeExecute, TheMultiplyPipeCopiesAddsAndShifts) {
    on_pairs({make(Op::ImadIadd, {reg(4)}, {reg(0), negative(reg(2)), rz()}), make(Op::ImadMov, {reg(5)}, {reg(1)})},
             [](Warp& w, unsigned lane, std::uint64_t a, std::uint64_t b) {
                 EXPECT_EQ(w.get(4, lane), static_cast<std::uint32_t>(a) - static_cast<std::uint32_t>(b));
                 EXPECT_EQ(w.get(5, lane), static_cast<std::uint32_t>(a >> 32));
             });
    for (const unsigned n : {0U, 1U, 31U}) {
        Instruction left = make(Op::ImadShl, {reg(4)}, {reg(0), imm(n), rz()});
        left.mods.sub = ir::Sub::ShfLeft;
        left.mods.type = ir::Type::U32;
        on_pairs({left}, [n](Warp& w, unsigned lane, std::uint64_t a, std::uint64_t) {
            EXPECT_EQ(w.get(4, lane), static_cast<std::uint32_t>(a) << n);
        });
    }
}

// An instruction of several micro-ops has one PC: its steps go with it.
TEST(NativeExecute, EachInstructionHasOnePc) {
    Function function = block({make(Op::ImadWide, {reg(4, 2)}, {reg(0), reg(1), rz()}), make(Op::Nop, {}, {})});
    function.registers = 16;
    ir::Program program;
    program.units.emplace_back();
    program.functions.push_back({"k", 0, 1});
    program.ops.push_back({});
    program.origins.emplace_back();
    program.kernels.emplace_back().name = "k";
    expand(function, target(), program, program.kernels[0]);
    const ir::Kernel& kernel = program.kernels[0];
    EXPECT_EQ(kernel.end - kernel.begin, 3U);
    ASSERT_EQ(program.steps.size(), 1U);
    EXPECT_EQ(program.steps[0].pc, kernel.begin);
    EXPECT_EQ(program.steps[0].before.size(), 1U); // the product; the unpacking is at the PC
    EXPECT_EQ(program.ops[kernel.begin].work, ir::Work::Mul);
    EXPECT_EQ(program.ops[kernel.begin + 1].kind, ir::Kind::Nop);
    EXPECT_EQ(program.control_bits.size(), kernel.end);
}

// Register files read the registers by the place of their operand; stall counts keep fixed latencies.
TEST(NativeExecute, TheProgramSaysWhatRegistersAnInstructionReads) {
    Instruction wide = make(Op::ImadWide, {reg(4, 2)}, {reg(0), imm(3), reg(6, 2)});
    wide.src[0].reuse = true;
    Function function = block({wide, make(Op::Popc, {reg(8)}, {reg(9)}),
                               make(Op::Hfma2, {reg(1)}, {rz(), reg(2), reg(3)}), make(Op::Nop, {}, {})});
    function.registers = 16;
    ir::Program program;
    program.units.emplace_back();
    program.functions.push_back({"k", 0, 1});
    program.ops.push_back({});
    program.origins.emplace_back();
    program.kernels.emplace_back().name = "k";
    expand(function, target(), program, program.kernels[0]);
    const Pc begin = program.kernels[0].begin;
    ASSERT_EQ(program.native.size(), program.kernels[0].end);
    using Native = ir::NativeInstruction;
    using Reads = Native::Operand;
    const Native& first = program.native[begin];
    EXPECT_EQ(first.operands[0], (Reads{0, 1, true}));
    EXPECT_EQ(first.operands[1], (Reads{0, 0, false}));
    EXPECT_EQ(first.operands[2], (Reads{6, 2, false}));
    EXPECT_EQ(first.results, 2U);
    EXPECT_TRUE(first.fixed);
    EXPECT_EQ(first.type, Native::Class::Other);
    EXPECT_FALSE(program.native[begin + 1].fixed);
    EXPECT_EQ(program.native[begin + 1].type, Native::Class::Popc);
    EXPECT_TRUE(program.native[begin + 2].fixed);
    EXPECT_EQ(program.native[begin + 2].type, Native::Class::Half);
    EXPECT_EQ(program.native[begin + 2].operands[2], (Reads{3, 1, false}));
    EXPECT_FALSE(program.native[begin + 3].fixed);
}

// The destination is a source, and the first of two operations must not overwrite it.
TEST(NativeExecute, AResultInThePlaceOfASource) {
    on_pairs({make(Op::Iadd3, {reg(3)}, {reg(0), reg(2), reg(3)})},
             [](Warp& w, unsigned lane, std::uint64_t a, std::uint64_t b) {
                 EXPECT_EQ(w.get(3, lane), static_cast<std::uint32_t>(a + b + (b >> 32)));
             });
}

TEST(NativeExecute, ComparisonsOfPairs) {
    struct Row {
        Sub sub;
        bool (*of_unsigned)(std::uint64_t, std::uint64_t);
    };
    constexpr Row kRows[] = {
        {Sub::Lt, [](auto a, auto b) { return a < b; }},  {Sub::Le, [](auto a, auto b) { return a <= b; }},
        {Sub::Gt, [](auto a, auto b) { return a > b; }},  {Sub::Ge, [](auto a, auto b) { return a >= b; }},
        {Sub::Eq, [](auto a, auto b) { return a == b; }}, {Sub::Ne, [](auto a, auto b) { return a != b; }}};
    for (const Row& row : kRows)
        for (const Type type : {Type::U32, Type::S32}) {
            Instruction low = make(Op::Isetp, {pred(0)}, {reg(0), reg(2), pt()});
            low.mods.type = Type::U32;
            low.mods.sub = row.sub;
            low.mods.combine = ir::BoolOp::And;
            Instruction high = make(Op::IsetpX, {pred(1), pred(2)}, {reg(1), reg(3), pt(), pred(0)});
            high.mods = low.mods;
            high.mods.type = type;
            on_pairs({low, high}, [&](Warp& w, unsigned lane, std::uint64_t a, std::uint64_t b) {
                const std::uint64_t flip = type == Type::S32 ? std::uint64_t{1} << 63 : 0; // order of signed numbers
                const bool expected = row.of_unsigned(a ^ flip, b ^ flip);
                EXPECT_EQ(w.holds(1, lane), expected) << a << ' ' << b;
                EXPECT_EQ(w.holds(2, lane), !expected) << a << ' ' << b;
            });
        }
}

TEST(NativeExecute, WideProducts) {
    for (const bool negative_type : {false, true}) {
        Instruction i = make(Op::ImadWide, {reg(4, 2)}, {reg(0), reg(2), reg(2, 2)});
        i.mods.type = negative_type ? Type::S32 : Type::U32;
        on_pairs({i}, [&](Warp& w, unsigned lane, std::uint64_t a, std::uint64_t b) {
            const auto x = static_cast<std::uint32_t>(a), y = static_cast<std::uint32_t>(b);
            const std::uint64_t product = negative_type
                                              ? static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(x)} *
                                                                           static_cast<std::int32_t>(y))
                                              : std::uint64_t{x} * y;
            EXPECT_EQ(w.get_pair(4, lane), product + b);
        });
    }
}

TEST(NativeExecute, ShiftedSums) {
    Instruction i = make(Op::Lea, {reg(4)}, {reg(0), reg(2)});
    i.mods.imm = 5;
    on_pairs({i}, [](Warp& w, unsigned lane, std::uint64_t a, std::uint64_t b) {
        EXPECT_EQ(w.get(4, lane), static_cast<std::uint32_t>((a << 5) + b));
    });
}

TEST(NativeExecute, WordsOfShiftedPairs) {
    for (const std::uint32_t n : {0U, 1U, 31U, 32U, 33U, 63U, 64U}) {
        Instruction left = make(Op::Shf, {reg(4)}, {reg(0), imm(n), reg(1)});
        left.mods.type = Type::U64;
        left.mods.sub = Sub::ShfLeft;
        left.mods.flags = ir::kClamp;
        left.mods.imm = 1;
        Instruction right = left;
        right.dst[0] = reg(5);
        right.mods.type = Type::S64;
        right.mods.sub = Sub::ShfRight;
        right.mods.imm = 0;
        on_pairs({left, right}, [&](Warp& w, unsigned lane, std::uint64_t a, std::uint64_t) {
            EXPECT_EQ(w.get(4, lane), static_cast<std::uint32_t>(n > 63 ? 0 : (a << n) >> 32)) << n;
            EXPECT_EQ(w.get(5, lane), static_cast<std::uint32_t>(static_cast<std::int64_t>(a) >> std::min(n, 63U)))
                << n;
        });
    }
}

TEST(NativeExecute, SignsOfFloatingPointAreBits) {
    Instruction i = make(Op::Fadd, {reg(4)}, {reg(0), imm(0x8000'0000)}); // + -0
    i.src[0].absolute = true;
    i.src[0].minus = true;
    i.mods.type = Type::F32;
    i.mods.source = ir::Opcode::Add;
    i.mods.rounding = ir::Rounding::Rn;
    Warp warp({i});
    warp.set(0, 0, 0x3f80'0000); // 1
    warp.set(0, 1, 0xc000'0000); // -2
    warp.run();
    EXPECT_EQ(warp.get(4, 0), 0xbf80'0000U);
    EXPECT_EQ(warp.get(4, 1), 0xc000'0000U);
}

// A difference keeps the sign of a NaN of its second operand, a sum with a negated operand does not.
// The bounds that were measured: 2^-102 for the dividend, 2^-125 and 2^125 for the divisor, 2^-125 and 2^127 for the
// quotient.
TEST(NativeExecute, TheCheckOfAQuotient) {
    struct Case {
        float a, b;
        bool slow;
    };
    const float infinity = std::numeric_limits<float>::infinity();
    const std::vector<Case> cases = {
        {1.0F, 3.0F, false},         {-1.0F, 3.0F, false},        {0x1p-102F, 1.0F, false},  {0x1.8p-103F, 1.0F, true},
        {1.0F, 0x1p-125F, false},    {1.0F, 0x1.8p-126F, true},   {1.0F, 0x1.8p124F, false}, {0x1p20F, 0x1p125F, true},
        {0x1p-60F, 0x1p65F, false},  {0x1p-61F, 0x1p65F, true},   {0x1p126F, 1.0F, false},   {0x1p127F, 1.0F, true},
        {0.0F, 1.0F, true},          {1.0F, 0.0F, true},          {infinity, 1.0F, true},    {1.0F, infinity, true},
        {std::nanf(""), 1.0F, true}, {1.0F, std::nanf(""), true},
    };
    Warp warp({make(Op::Fchk, {pred(0)}, {reg(0), reg(2)})});
    for (unsigned lane = 0; lane < cases.size(); ++lane) {
        std::uint32_t word;
        std::memcpy(&word, &cases[lane].a, 4);
        warp.set(0, lane, word);
        std::memcpy(&word, &cases[lane].b, 4);
        warp.set(2, lane, word);
    }
    warp.run();
    for (unsigned lane = 0; lane < cases.size(); ++lane)
        EXPECT_EQ(warp.holds(0, lane), cases[lane].slow) << cases[lane].a << " / " << cases[lane].b;
}

TEST(NativeExecute, ADifferenceIsNoSumWithANegatedNan) {
    for (const bool subtracts : {true, false}) {
        Instruction i = make(Op::Dadd, {reg(4, 2)}, {reg(0, 2), negative(reg(2, 2))});
        i.mods.type = Type::F64;
        i.mods.source = subtracts ? ir::Opcode::Sub : ir::Opcode::Add;
        i.mods.rounding = ir::Rounding::Rn;
        Warp warp({i});
        warp.set(1, 0, 0x3ff0'0000);
        warp.set(3, 0, 0xfff8'0000);
        warp.set(2, 0, 1);
        warp.run();
        EXPECT_EQ(warp.get_pair(4, 0), subtracts ? 0xfff8'0000'0000'0001U : 0x7ff8'0000'0000'0001U);
    }
}

TEST(NativeExecute, ThreadsWithoutTheGuardKeepBothWords) {
    Instruction i = make(Op::ImadWide, {reg(4, 2)}, {reg(0), reg(2), rz()});
    i.mods.type = Type::U32;
    i.guard = pred(0, true);
    Warp warp({i});
    for (unsigned lane = 0; lane < 2; ++lane) {
        warp.set(0, lane, 0xffff'ffff);
        warp.set(2, lane, 0xffff'ffff);
        warp.set(4, lane, 7);
        warp.set(5, lane, 8);
    }
    warp.set_predicate(0, 0b10);
    warp.run();
    EXPECT_EQ(warp.get_pair(4, 0), 0xffff'fffe'0000'0001U);
    EXPECT_EQ(warp.get_pair(4, 1), 0x0000'0008'0000'0007U);
}

// The comparison overwrites the guard under which a later part of the instruction executes.
TEST(NativeExecute, AnInstructionMayOverwriteItsGuard) {
    Instruction i = make(Op::Isetp, {pred(0), pred(1)}, {reg(0), rz(), pred(0)});
    i.guard = pred(0);
    i.mods.type = Type::U32;
    i.mods.sub = Sub::Ne;
    i.mods.combine = ir::BoolOp::And;
    Warp warp({i});
    warp.set(0, 0, 0);
    warp.set(0, 1, 5);
    warp.set(0, 2, 5);
    warp.set_predicate(0, 0b011);
    warp.set_predicate(1, 0b110);
    warp.run();
    EXPECT_FALSE(warp.holds(0, 0));
    EXPECT_TRUE(warp.holds(1, 0));
    EXPECT_TRUE(warp.holds(0, 1));
    EXPECT_FALSE(warp.holds(1, 1));
    EXPECT_FALSE(warp.holds(0, 2)) << "its guard was false";
    EXPECT_TRUE(warp.holds(1, 2));
}

} // namespace
} // namespace heddle::native::test
