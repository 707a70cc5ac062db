#include <gtest/gtest.h>

#include "config/range.h"
#include "config/value.h"

namespace heddle::config {
namespace {

bool inside(Type type, std::string_view range, std::string_view value) {
    return !Range(type, range).objection(value);
}

TEST(Range, Integers) {
    EXPECT_TRUE(inside(Type::Integer, "1..64", "1"));
    EXPECT_TRUE(inside(Type::Integer, "1..64", "64"));
    EXPECT_FALSE(inside(Type::Integer, "1..64", "0"));
    EXPECT_FALSE(inside(Type::Integer, "1..64", "65"));
    EXPECT_TRUE(inside(Type::Integer, "1..", "18446744073709551615"));
    EXPECT_FALSE(inside(Type::Integer, "..8", "9"));
    EXPECT_TRUE(inside(Type::Integer, "", "9"));
}

TEST(Range, Combinations) {
    EXPECT_TRUE(inside(Type::Integer, "power of two", "4096"));
    EXPECT_FALSE(inside(Type::Integer, "power of two", "0"));
    EXPECT_FALSE(inside(Type::Integer, "power of two 32..1024", "16"));
    EXPECT_TRUE(inside(Type::Integer, "0 or power of two 32..1024", "0"));
    EXPECT_TRUE(inside(Type::Integer, "0|power of two 1KiB..1MiB", "2048"));
    EXPECT_FALSE(inside(Type::Integer, "0|power of two 1KiB..1MiB", "512"));
    EXPECT_TRUE(inside(Type::Integer, "multiple of 32 32..1024", "96"));
    EXPECT_FALSE(inside(Type::Integer, "multiple of 32 32..1024", "100"));
    EXPECT_TRUE(inside(Type::Integer, "1|2|4", "2"));
    EXPECT_FALSE(inside(Type::Integer, "1|2|4", "3"));
}

TEST(Range, RealsAndNames) {
    EXPECT_TRUE(inside(Type::Real, "0..1", "0.5"));
    EXPECT_FALSE(inside(Type::Real, "0..1", "1.5"));
    EXPECT_TRUE(inside(Type::Text, "a|b|c", "b"));
    EXPECT_FALSE(inside(Type::Text, "a|b|c", "d"));
    EXPECT_TRUE(inside(Type::Text, "only", "only"));
    EXPECT_FALSE(inside(Type::Text, "only", "other"));
}

TEST(Value, SizesAreExact) {
    EXPECT_EQ(parse_bytes("0"), 0U);
    EXPECT_EQ(parse_bytes("32KiB"), 32768U);
    EXPECT_EQ(parse_bytes("4 MiB"), 4194304U);
    EXPECT_EQ(parse_bytes("1GiB"), 1073741824U);
    for (const char* text : {"", "KiB", "12abc", "1.5KiB", "32KB", "32kib", "-1", "+1", " 1", "1 ", "0x10", "1  KiB",
                             "18446744073709551616", "18446744073709551615KiB"})
        EXPECT_THROW((void)parse_bytes(text), UserError) << text;
    EXPECT_EQ(parse_integer("18446744073709551615"), UINT64_MAX);
    EXPECT_THROW((void)parse_integer("18446744073709551616"), UserError);
}

TEST(Value, SizesInWords) {
    EXPECT_EQ(readable_bytes(0), "0");
    EXPECT_EQ(readable_bytes(100), "100");
    EXPECT_EQ(readable_bytes(1536), "1536");
    EXPECT_EQ(readable_bytes(32768), "32KiB");
    EXPECT_EQ(readable_bytes(std::uint64_t{4} << 30), "4GiB");
    EXPECT_EQ(readable_bytes(std::uint64_t{4} << 40), "4096GiB");
}

TEST(Value, RealsKeepTheirShortestForm) {
    EXPECT_EQ(parse_value(Type::Real, "", "1000"), "1000");
    EXPECT_EQ(parse_value(Type::Real, "", "0.10"), "0.1");
    EXPECT_THROW((void)parse_value(Type::Real, "", "nan"), UserError);
    EXPECT_THROW((void)parse_value(Type::Real, "", "1.5x"), UserError);
}

} // namespace
} // namespace heddle::config
