// Operands to places: immediates, registers, special registers, addresses.
#include <gmock/gmock.h>

#include "parts.h"

namespace heddle::ir {
namespace {

using test::Parts;
using ::testing::HasSubstr;

std::string instruction(std::string_view source) {
    return fmt::format("foo.b32 %r0, {};", source);
}

struct Immediate {
    std::string_view text;
    Type type;
    std::uint64_t bits;
    bool wide = false;
};

class Immediates : public ::testing::TestWithParam<Immediate> {};

TEST_P(Immediates, TakeTheShapeOfTheType) {
    const Immediate& i = GetParam();
    Parts parts(instruction(i.text));
    const std::optional<Place> place = parts.source(1, i.type);
    ASSERT_TRUE(place) << parts.errors();
    EXPECT_EQ(parts.constant(*place), (Constant{Constant::Base::None, i.wide, 0, i.bits}));
    EXPECT_EQ(parts.f.places.storage(*place), i.wide ? 8 : 4);
}

INSTANTIATE_TEST_SUITE_P(Types, Immediates,
                         ::testing::Values(Immediate{"-1", Type::U8, 0xff}, Immediate{"-1", Type::B8, 0xff},
                                           Immediate{"-1", Type::S16, 0xffff}, Immediate{"0x12345", Type::U16, 0x2345},
                                           Immediate{"-1", Type::S32, 0xffff'ffff},
                                           Immediate{"0x1ffffffff", Type::U32, 0xffff'ffff},
                                           Immediate{"7", Type::B32, 7}, Immediate{"-1", Type::S64, ~0ULL, true},
                                           Immediate{"7", Type::B64, 7, true}, Immediate{"0.5", Type::F32, 0x3f00'0000},
                                           Immediate{"0f3F000000", Type::F32, 0x3f00'0000},
                                           Immediate{"0d3FE0000000000000", Type::F32, 0x3f00'0000},
                                           Immediate{"0.5", Type::F64, 0x3fe0'0000'0000'0000, true},
                                           Immediate{"0f3F000000", Type::F64, 0x3fe0'0000'0000'0000, true},
                                           Immediate{"0f3F000000", Type::B32, 0x3f00'0000},
                                           Immediate{"0.5", Type::B64, 0x3fe0'0000'0000'0000, true},
                                           Immediate{"5", Type::Pred, 0xffff'ffff}, Immediate{"0", Type::Pred, 0}));

struct Refused {
    std::string_view text;
    Type type;
    std::string_view message;
};

class RefusedSources : public ::testing::TestWithParam<Refused> {};

TEST_P(RefusedSources, AreReportedAtTheOperand) {
    const Refused& r = GetParam();
    Parts parts(fmt::format(".reg .v2 .f32 %v;\n{}", instruction(r.text)), "", ".global .u32 glob;\n");
    EXPECT_FALSE(parts.source(1, r.type));
    EXPECT_THAT(parts.errors(), HasSubstr("t.ptx:8:14: error: "));
    EXPECT_THAT(parts.errors(), HasSubstr(std::string(r.message)));
    EXPECT_TRUE(parts.draft.ops.empty());
}

INSTANTIATE_TEST_SUITE_P(
    Operands, RefusedSources,
    ::testing::Values(Refused{"1", Type::F16, "'foo.b32' takes no constants"},
                      Refused{"0.5", Type::BF16x2, "'foo.b32' takes no constants"},
                      Refused{"0.5", Type::U32, "'foo.b32' needs an integer here"},
                      Refused{"0.5", Type::B16, "'foo.b32' needs an integer here"},
                      Refused{"0.5", Type::Pred, "'foo.b32' needs an integer here"},
                      Refused{"1", Type::F32, "'foo.b32' needs a floating-point number here"},
                      Refused{"%h1", Type::U32, "'%h1' has type .b16; 'foo.b32' needs a register that fits .u32 here"},
                      Refused{"%d1", Type::U32, "'%d1' has type .b64"},
                      Refused{"%f1", Type::U32, "'%f1' has type .f32"},
                      Refused{"%g1", Type::F32, "'%g1' has type .f64"},
                      Refused{"%p1", Type::B32, "'%p1' has type .pred"},
                      Refused{"%r1", Type::Pred, "'foo.b32' needs a predicate here"},
                      Refused{"0.5", Type::B32, "'foo.b32' needs a constant of 32 bits here, like 0f3F800000"},
                      Refused{"0f3F000000", Type::B64, "'foo.b32' needs a constant of 64 bits here, like 1.0"},
                      Refused{"%d1+4", Type::U32, "'%d1' has type .b64"},
                      Refused{"%f1+4", Type::F32, "'%f1' has type .f32: only an integer register"},
                      Refused{"%p1+4", Type::Pred, "'%p1' has type .pred: only an integer register"},
                      Refused{"%v", Type::F32, "'%v' is a vector; name one component of it"},
                      Refused{"%v.z", Type::F32, "'%v' has no component 'z'"},
                      Refused{"%r1.x", Type::B32, "'%r1' has no component 'x'"},
                      Refused{"-%r1", Type::S32, "'-' can not stand before '%r1' here"},
                      Refused{"%r77", Type::B32, "'%r77' is not declared; %r<20> declares %r0 to %r19"},
                      Refused{"[%d1]", Type::B64, "'foo.b32' takes no address in brackets here"},
                      Refused{"{%r1, %r2}", Type::B32, "'foo.b32' takes a single operand here, not a list"},
                      Refused{"_", Type::B32, "'_' can not be read"},
                      Refused{"glob", Type::U32, "read the address of 'glob' by mov first"},
                      Refused{"glob+4", Type::F32, "'glob' is an address; 'foo.b32' can not take it here"},
                      Refused{"%clock64", Type::U64, "read '%clock64' by mov first"}));

TEST(Sums, AreComputedInTheWidthOfTheRegister) {
    Parts parts("foo.b32 %r1+4, %d1+(1+2)*4, %h1+-1;");
    const std::optional<Place> sum = parts.source(0, Type::B32);
    ASSERT_TRUE(sum && parts.source(1, Type::U64) && parts.source(2, Type::U8, Width::AtLeast)) << parts.errors();
    ASSERT_EQ(parts.draft.ops.size(), 3U);
    constexpr Type kTypes[] = {Type::U32, Type::U64, Type::U16};
    constexpr std::uint64_t kConstants[] = {4, 12, 0xffff};
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(parts.draft.ops[i].opcode, Opcode::Add);
        EXPECT_EQ(parts.draft.ops[i].type, kTypes[i]);
        EXPECT_EQ(parts.constant(parts.draft.ops[i].src[1]).bits, kConstants[i]);
    }
    EXPECT_EQ(parts.draft.ops[0].dst[0], *sum);
    EXPECT_EQ(parts.errors(), "");
}

TEST(Registers, MayBeWiderOnlyWhereTheInstructionAllowsIt) {
    Parts parts("foo.b32 %d1, %h1, %r1, %g1;");
    EXPECT_TRUE(parts.source(0, Type::U8, Width::AtLeast));
    EXPECT_TRUE(parts.source(1, Type::U8, Width::AtLeast));
    EXPECT_TRUE(parts.source(2, Type::F16, Width::AtLeast)); // a 16-bit format in an untyped register
    EXPECT_TRUE(parts.source(2, Type::F32));                 // untyped bits fit each type of their size
    EXPECT_EQ(parts.errors(), "");
    EXPECT_FALSE(parts.source(3, Type::F32, Width::AtLeast)); // an f64 register is no wider f32
    EXPECT_FALSE(parts.source(1, Type::U32, Width::AtLeast)); // narrower
}

TEST(Registers, OfOneNameAndComponentAreOnePlace) {
    Parts parts(".reg .v4 .f32 %v; foo.f32 %v.x, %v.y, %v.r, %v.w, %f1, %f2, %f1;");
    std::vector<Place> places;
    for (std::size_t i = 0; i < 7; ++i)
        places.push_back(parts.source(i, Type::F32).value());
    EXPECT_EQ(places, (std::vector<Place>{0, 1, 0, 2, 3, 4, 3})); // .r is .x
    EXPECT_EQ(parts.draft.registers.size(), 5U);
}

TEST(Registers, AsDestinationsMayBeDroppedWhereTheInstructionAllowsIt) {
    Parts parts("foo.b32 _, 5;");
    EXPECT_EQ(parts.f.operands.destination(parts.f.cursor.operand(0), Type::B32, Width::Exact, true), kNowhere);
    EXPECT_EQ(parts.errors(), "");
    EXPECT_FALSE(parts.f.operands.destination(parts.f.cursor.operand(0), Type::B32));
    EXPECT_FALSE(parts.f.operands.destination(parts.f.cursor.operand(1), Type::B32));
    EXPECT_THAT(parts.errors(), HasSubstr("the destination of 'foo.b32' must be a register"));
}

TEST(Predicates, MayBeNegated) {
    Parts parts("foo.pred !%p1, %p1, 0;");
    bool negated = false;
    const std::optional<Place> p = parts.f.operands.predicate(parts.f.cursor.operand(0), negated);
    EXPECT_TRUE(negated);
    EXPECT_EQ(parts.f.operands.predicate(parts.f.cursor.operand(1), negated), p);
    EXPECT_FALSE(negated);
    EXPECT_EQ(parts.constant(parts.f.operands.predicate(parts.f.cursor.operand(2), negated).value()).bits, 0U);
    EXPECT_FALSE(parts.f.operands.destination(parts.f.cursor.operand(0), Type::Pred));
}

TEST(SpecialRegisters, AreReadIntoATemporary) {
    Parts parts("cvt.u32.u32 %r0, %tid.x, %clock64, %pm0;");
    const std::optional<Place> tid = parts.source(1, Type::U32);
    const std::optional<Place> clock = parts.source(2, Type::B64);
    ASSERT_TRUE(tid && clock);
    ASSERT_EQ(parts.draft.ops.size(), 2U);
    const MicroOp& op = parts.draft.ops[0];
    EXPECT_EQ(op.opcode, Opcode::MovSpecial);
    EXPECT_EQ(op.dst[0], *tid);
    EXPECT_EQ(op.imm, static_cast<std::int64_t>(SpecialRegister::TidX));
    EXPECT_EQ(parts.draft.ops[1].dst_bytes, 8);
    EXPECT_TRUE(parts.source(3, Type::U32));
    EXPECT_EQ(parts.draft.ops.back().imm, static_cast<std::int64_t>(SpecialRegister::Zero));
    EXPECT_EQ(parts.errors(), "");
}

TEST(Addresses, AreConstantsOfTheVariablesSpace) {
    Parts parts(".local .u64 l[2]; .param .b64 q; mov.u64 %d0, l+8, sh+4, glob, q, a;", ".param .u64 z, .param .u64 a",
                ".shared .u32 other; .shared .u32 sh[4]; .global .u32 glob;\n");
    std::vector<Constant> constants;
    for (std::size_t i = 1; i < 6; ++i)
        constants.push_back(parts.constant(parts.source(i, Type::U64).value()));
    using Base = Constant::Base;
    EXPECT_EQ(constants,
              (std::vector<Constant>{{Base::Local, true, 0, 8},
                                     {Base::Shared, true, 1, 4},
                                     {Base::None, true, 0, test::kVariable},
                                     {Base::Param, true, 0, 0},
                                     {Base::None, true, 0, 8}})); // a kernel's parameter: offset in its block
    EXPECT_EQ(parts.draft.shared, std::vector<std::uint32_t>{1});
    EXPECT_EQ(parts.errors(), "");
}

TEST(IntegerConstants, AreNamedInTheMessage) {
    Parts parts("foo.b32 -3, %r1;");
    EXPECT_EQ(parts.f.operands.integer(parts.f.cursor.operand(0), "the size"), -3);
    EXPECT_FALSE(parts.f.operands.integer(parts.f.cursor.operand(1), "the size"));
    EXPECT_THAT(parts.errors(), HasSubstr("the size of 'foo.b32' must be an integer constant"));
}

} // namespace
} // namespace heddle::ir
