#include <string>

#include <gtest/gtest.h>

#include "cursor.h"

namespace heddle::ptx {
namespace {

using Kind = Token::Kind;

TEST(TokenCursor, TakesTokens) {
    Cursor cursor("a, 7 b");
    EXPECT_EQ(cursor.tokens.peek().kind, Kind::Comma);
    EXPECT_EQ(cursor.tokens.identifier("a name"), "a");
    EXPECT_FALSE(cursor.tokens.accept(Kind::Semicolon));
    EXPECT_TRUE(cursor.tokens.accept(Kind::Comma));
    EXPECT_EQ(cursor.tokens.small_number("a number"), 7U);
    EXPECT_EQ(cursor.tokens.current().text, "b");
    EXPECT_EQ(cursor.tokens.end_of_previous().column, 5U);
}

TEST(TokenCursor, FailsWithAPosition) {
    Cursor cursor("a\n  4294967296 ;");
    EXPECT_EQ(failure_of([&] { cursor.tokens.expect(Kind::Comma, "','"); }), "1:1: expected ',', found 'a'");
    cursor.tokens.advance();
    EXPECT_EQ(failure_of([&] { cursor.tokens.small_number("a size"); }), "2:3: '4294967296' is too large for a size");
    cursor.tokens.advance();
    cursor.tokens.advance();
    EXPECT_EQ(failure_of([&] { cursor.tokens.identifier("a name"); }), "2:15: unexpected end of file: expected a name");
}

TEST(TokenCursor, ReportsAMissingSemicolonAtALinesEnd) {
    Cursor cursor("a\nb c");
    cursor.tokens.advance();
    cursor.tokens.expect_semicolon("a");
    EXPECT_EQ(cursor.diagnostics.count(), 1U);
    cursor.tokens.advance();
    EXPECT_EQ(failure_of([&] { cursor.tokens.expect_semicolon("b"); }),
              "2:3: expected ',' or ';' after b, found 'c' (the file ends here)");
}

TEST(TokenCursor, StopsWhenEnoughIsReported) {
    Cursor cursor("a");
    for (std::size_t i = 1; i < Diagnostics::kMaxErrors; ++i)
        cursor.tokens.report({1, 1}, "wrong");
    EXPECT_THROW(cursor.tokens.report({1, 1}, "wrong"), ParseStop);
}

TEST(TokenCursor, RecoversInABodyBehindTheStatement) {
    Cursor cursor("a b; c } d\n.reg e");
    cursor.tokens.recover_in_body();
    EXPECT_EQ(cursor.tokens.current().text, "c");
    cursor.tokens.recover_in_body(); // at the scope's brace
    EXPECT_TRUE(cursor.tokens.at(Kind::RightBrace));
    cursor.tokens.advance();
    cursor.tokens.recover_in_body(); // at a line that starts with a directive
    EXPECT_TRUE(cursor.tokens.at_suffix("reg"));
    EXPECT_THROW(cursor.tokens.recover_in_body(), ParseStop);
}

TEST(TokenCursor, RecoversInABodyBehindAVectorsBrace) {
    Cursor cursor("b } c; d");
    cursor.tokens.open_brace();
    cursor.tokens.recover_in_body();
    EXPECT_EQ(cursor.tokens.current().text, "d");
}

TEST(TokenCursor, RecoversInAModuleBehindABodyOrAnInitialiser) {
    const std::string text = "x { a; { b; } } y ; z";
    Cursor body(text);
    body.tokens.recover_in_module(body.tokens.current().where);
    EXPECT_EQ(body.tokens.current().text, "y");
    Cursor initialiser(text);
    initialiser.tokens.start_initialiser();
    initialiser.tokens.recover_in_module(initialiser.tokens.current().where);
    EXPECT_TRUE(initialiser.tokens.at(Kind::LeftBrace));
    EXPECT_EQ(initialiser.tokens.current().where.column, 8U);
}

TEST(TokenCursor, RecoversInAModuleAtTheNextDefinition) {
    Cursor cursor(".entry x\n.file 1\n.visible y");
    cursor.tokens.recover_in_module(cursor.tokens.current().where);
    EXPECT_TRUE(cursor.tokens.at_suffix("visible"));
}

} // namespace
} // namespace heddle::ptx
