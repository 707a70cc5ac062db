#include <bit>
#include <vector>

#include <gtest/gtest.h>

#include "ptx/lexer.h"

namespace heddle::ptx {
namespace {

using Kind = Token::Kind;
using Problem = Token::Problem;

Token only(std::string_view text) {
    Lexer lexer(text);
    const Token token = lexer.next();
    EXPECT_TRUE(lexer.next().is(Kind::End)) << text;
    return token;
}

TEST(Lexer, ReadsIdentifiers) {
    for (const std::string_view name : {"add", "%r1", "$L__BB0_1", "_", "_Z3fooi", "%SPL", "a$b_9", "%p"}) {
        const Token token = only(name);
        EXPECT_TRUE(token.is(Kind::Identifier)) << name;
        EXPECT_EQ(token.text, name);
    }
}

TEST(Lexer, ReadsSuffixesAsOneWord) {
    for (const std::string_view word : {".u32", ".2d", ".shared::cta", ".L2::128B", ".mbarrier::complete_tx::bytes"}) {
        const Token token = only(word);
        EXPECT_TRUE(token.is(Kind::Suffix)) << word;
        EXPECT_EQ(token.word(), word.substr(1));
    }
}

TEST(Lexer, ReadsIntegers) {
    EXPECT_EQ(only("0").bits, 0U);
    EXPECT_EQ(only("1234567890").bits, 1234567890U);
    EXPECT_EQ(only("0x1F").bits, 31U);
    EXPECT_EQ(only("0XfF").bits, 255U);
    EXPECT_EQ(only("017").bits, 15U);
    EXPECT_EQ(only("0b1011").bits, 11U);
    EXPECT_EQ(only("18446744073709551615").bits, ~std::uint64_t{0});
    EXPECT_TRUE(only("0b1U").is_unsigned);
    EXPECT_TRUE(only("7U").is_unsigned);
    EXPECT_FALSE(only("7").is_unsigned);
}

TEST(Lexer, ReadsFloatingPoint) {
    EXPECT_EQ(only("0f3F800000").bits, 0x3f800000U);
    EXPECT_TRUE(only("0F3f800000").is(Kind::Single));
    EXPECT_EQ(only("0d3FF0000000000000").bits, 0x3ff0000000000000U);
    EXPECT_TRUE(only("0D3FF0000000000000").is(Kind::Float));
    EXPECT_EQ(only("1.5").bits, std::bit_cast<std::uint64_t>(1.5));
    EXPECT_EQ(only("1.").bits, std::bit_cast<std::uint64_t>(1.0));
    EXPECT_EQ(only("25e-2").bits, std::bit_cast<std::uint64_t>(0.25));
    EXPECT_EQ(only("0.1E+1").bits, std::bit_cast<std::uint64_t>(1.0));
    Lexer lexer(".5e1");
    const Token suffix = lexer.next();
    ASSERT_TRUE(suffix.is(Kind::Suffix));
    EXPECT_EQ(lexer.number_at(suffix).bits, std::bit_cast<std::uint64_t>(5.0));
    EXPECT_TRUE(lexer.next().is(Kind::End));
}

TEST(Lexer, NamesWhatIsWrong) {
    EXPECT_EQ(only("12abc").problem, Problem::Number);
    EXPECT_EQ(only("08").problem, Problem::Number);
    EXPECT_EQ(only("0x").problem, Problem::Number);
    EXPECT_EQ(only("0b12").problem, Problem::Number);
    EXPECT_EQ(only("1.0f").problem, Problem::Number);
    EXPECT_EQ(only("1e").problem, Problem::Number);
    EXPECT_EQ(only("1e999").problem, Problem::Number);
    EXPECT_EQ(only("18446744073709551616").problem, Problem::TooLarge);
    EXPECT_EQ(only("0x10000000000000000").problem, Problem::TooLarge);
    EXPECT_EQ(only("0f3F80000").problem, Problem::SingleDigits);
    EXPECT_EQ(only("0f3F80000G").problem, Problem::SingleDigits);
    EXPECT_EQ(only("0d3F800000").problem, Problem::DoubleDigits);
    EXPECT_EQ(only("\"abc").problem, Problem::String);
    EXPECT_EQ(only("/* abc").problem, Problem::Comment);
    EXPECT_EQ(only("#").problem, Problem::Character);
    EXPECT_EQ(only("\x01").problem, Problem::Character);
    EXPECT_EQ(explain(only("#")), "unexpected character '#'");
    EXPECT_EQ(explain(only("\xc3")), "unexpected byte 0xc3");
}

TEST(Lexer, ReadsStrings) {
    EXPECT_EQ(only("\"a b\"").text, "\"a b\"");
    EXPECT_EQ(only("\"a\\\"b\"").text, "\"a\\\"b\"");
}

TEST(Lexer, ReadsOperators) {
    Lexer lexer("{}()[],;:@=?+-*/% ~!&&&|||^<<=<<>>=>>==!=");
    const std::vector<Kind> expected{
        Kind::LeftBrace,  Kind::RightBrace, Kind::LeftParen, Kind::RightParen, Kind::LeftBracket, Kind::RightBracket,
        Kind::Comma,      Kind::Semicolon,  Kind::Colon,     Kind::At,         Kind::Equal,       Kind::Question,
        Kind::Plus,       Kind::Minus,      Kind::Star,      Kind::Slash,      Kind::Percent,     Kind::Tilde,
        Kind::Bang,       Kind::AmpAmp,     Kind::Amp,       Kind::PipePipe,   Kind::Pipe,        Kind::Caret,
        Kind::ShiftLeft,  Kind::Equal,      Kind::ShiftLeft, Kind::ShiftRight, Kind::Equal,       Kind::ShiftRight,
        Kind::EqualEqual, Kind::BangEqual,  Kind::End};
    for (std::size_t i = 0; i < expected.size(); ++i)
        EXPECT_EQ(lexer.next().kind, expected[i]) << i;
}

TEST(Lexer, CountsLinesAndColumns) {
    Lexer lexer("a\tb\r\n  c // d\n/* e\n f */ g\n\"h\"/**/i");
    const std::vector<std::pair<std::uint32_t, std::uint32_t>> expected{{1, 1}, {1, 3}, {2, 3}, {4, 7}, {5, 1}, {5, 8}};
    const std::vector<bool> first{true, false, true, true, true, false};
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const Token token = lexer.next();
        EXPECT_EQ(token.where.line, expected[i].first) << token.text;
        EXPECT_EQ(token.where.column, expected[i].second) << token.text;
        EXPECT_EQ(token.first_on_line, first[i]) << token.text;
    }
    const Token end = lexer.next();
    EXPECT_TRUE(end.is(Kind::End));
    EXPECT_EQ(end.where.column, 9U);
}

} // namespace
} // namespace heddle::ptx
