// Expected values are C's, but for what PTX says otherwise; the reference assembler agrees on all of them.
#include <bit>

#include "parsed.h"

namespace heddle::ptx {
namespace {

std::uint64_t value(const std::string& expression) {
    const Operand operand = operand_of(expression);
    EXPECT_EQ(operand.kind, Operand::Kind::Integer) << expression;
    return operand.bits;
}

std::uint64_t negative(std::uint64_t magnitude) {
    return 0 - magnitude;
}

TEST(Constants, FollowPrecedence) {
    EXPECT_EQ(value("1 + 2 * 3 - 4"), 3U);
    EXPECT_EQ(value("(1 + 2) * 3"), 9U);
    EXPECT_EQ(value("7 & 3 == 3"), 1U);
    EXPECT_EQ(value("1 || 0 && 0"), 1U);
    EXPECT_EQ(value("5 ^ 3 | 8"), 14U);
    EXPECT_EQ(value("1 << 2 + 1"), 8U);
    EXPECT_EQ(value("3 > 2 > 1"), 0U);
    EXPECT_EQ(value("10 - 4 - 3"), 3U);
    EXPECT_EQ(value("1 ? 2 : 3"), 2U);
    EXPECT_EQ(value("0 ? 1 : 0 ? 2 : 3"), 3U);
}

TEST(Constants, KeepSigns) {
    EXPECT_EQ(value("-7 / 2"), negative(3));
    EXPECT_EQ(value("-8 >> 1"), negative(4));
    EXPECT_EQ(value("(-8) >> 1U"), negative(4));
    EXPECT_EQ(value("-1 < 1"), 1U);
    EXPECT_EQ(value("-1 < 1U"), 0U);
    EXPECT_EQ(value("-7 / 2U"), 0x7ffffffffffffffcU);
    EXPECT_EQ(value("0x8000000000000000 >> 1"), 0x4000000000000000U);
    EXPECT_EQ(value("(.u64)-8 >> 1"), 0x7ffffffffffffffcU);
    EXPECT_EQ(value("(.s64)(0 - 1U) >> 1"), negative(1));
    EXPECT_EQ(value("(.s64)0x8000000000000000 / -1"), 0x8000000000000000U);
    EXPECT_EQ(value("~0 >> 1"), 0x7fffffffffffffffU); // ~ makes a u64
    EXPECT_EQ(value("(-7) % 3"), 0U);                 // % is of u64: 2^64-7 = 3 * 6148914691236517203
    EXPECT_EQ(value("~5"), negative(6));
    EXPECT_EQ(value("!5"), 0U);
    EXPECT_EQ(value("!0"), 1U);
    EXPECT_EQ(value("+4"), 4U);
    EXPECT_EQ(value("-(-4)"), 4U);
    EXPECT_EQ(value("WARP_SZ * 2"), 64U);
}

TEST(Constants, OfFloatingPoint) {
    Operand operand = operand_of("1.5 + 1.0");
    EXPECT_EQ(operand.kind, Operand::Kind::Float);
    EXPECT_FALSE(operand.is_f32);
    EXPECT_EQ(operand.bits, std::bit_cast<std::uint64_t>(2.5));
    EXPECT_EQ(operand_of("-.5").bits, std::bit_cast<std::uint64_t>(-0.5));
    EXPECT_EQ(operand_of("-0d3FF0000000000000").bits, 0xbff0000000000000U);
    EXPECT_EQ(value("1.5 < 2.5"), 1U);
    operand = operand_of("0f3F800000");
    EXPECT_TRUE(operand.is_f32);
    EXPECT_EQ(operand.bits, 0x3f800000U);
    EXPECT_EQ(operand_of("-0f3F800000").bits, 0xbf800000U);
}

TEST(Constants, RefuseWhatHasNoValue) {
    EXPECT_EQ(body_errors("op 1 / 0;"), "6:6: division by zero\n");
    EXPECT_EQ(body_errors("op 1 % 0;"), "6:6: division by zero\n");
    EXPECT_EQ(body_errors("op 1.0 / 0.0;"), "6:8: division by zero\n");
    EXPECT_EQ(body_errors("op 1 << 64;"), "6:6: a shift by 64 bits or more\n");
    EXPECT_EQ(body_errors("op 1.5 + 1;"), "6:8: an integer and a floating-point number do not mix here\n");
    EXPECT_EQ(body_errors("op ~1.5;"), "6:4: this operator takes integers\n");
    EXPECT_EQ(body_errors("op 1.5 & 1.0;"), "6:8: this operator takes integers\n");
    EXPECT_EQ(body_errors("op 0f3F800000 + 1.0;"), "6:15: a 0f constant can not be part of an expression\n");
    EXPECT_EQ(body_errors("op (.s64)1.5;"), "6:4: a cast takes an integer\n");
    EXPECT_EQ(body_errors("op 1.5 ? 1 : 2;"), "6:4: the parts of this conditional are not of fitting types\n");
    EXPECT_EQ(body_errors("op 1 +;"), "6:7: expected a number, found ';'\n");
    EXPECT_EQ(body_errors("op (1;"), "6:6: expected ')', found ';'\n");
    EXPECT_EQ(body_errors("op 1 ? 2;"), "6:9: expected ':' of the conditional, found ';'\n");
}

} // namespace
} // namespace heddle::ptx
