#include <string>

#include <gtest/gtest.h>

#include "cursor.h"
#include "ptx/parse_constants.h"

namespace heddle::ptx {
namespace {

TEST(ConstantParser, StopsBehindTheExpression) {
    Cursor cursor("1 + 2 * 3, -.5 ]");
    ConstantParser constants(cursor.tokens);
    EXPECT_EQ(constants.integer_expression("a number"), 7U);
    EXPECT_TRUE(cursor.tokens.accept(Token::Kind::Comma));
    EXPECT_EQ(constants.expression().kind, Constant::Kind::Float);
    EXPECT_TRUE(cursor.tokens.at(Token::Kind::RightBracket));
    EXPECT_FALSE(constants.at_constant());
}

TEST(ConstantParser, ReadsOffsetsWithASign) {
    Cursor cursor("+4 - 1 x");
    ConstantParser constants(cursor.tokens);
    EXPECT_EQ(constants.signed_offset(), 3);
    EXPECT_EQ(constants.signed_offset(), 0);
    EXPECT_EQ(cursor.tokens.current().text, "x");
}

TEST(ConstantParser, FailsAtTheWrongToken) {
    const auto failure = [](const std::string& text) {
        Cursor cursor(text);
        ConstantParser constants(cursor.tokens);
        return failure_of([&] { constants.integer_expression("a size"); });
    };
    EXPECT_EQ(failure("; "), "1:1: expected a size, found ';'");
    EXPECT_EQ(failure("1.5 ;"), "1:1: expected a size, an integer");
    EXPECT_EQ(failure("(1 ;"), "1:4: expected ')', found ';' (the file ends here)");
}

} // namespace
} // namespace heddle::ptx
