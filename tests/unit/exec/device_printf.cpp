#include "exec/device_printf.h"

#include <bit>
#include <vector>

#include <gtest/gtest.h>

namespace heddle::exec {
namespace {

// Arguments in order; those of %s are indices in a list of texts.
PrintResult printed(std::string_view format, std::vector<std::uint64_t> arguments = {}) {
    std::size_t next = 0;
    const std::vector<std::string> texts = {"abc", "a longer text", ""};
    return print(format, {.next = [&](unsigned) { return arguments.at(next++); },
                          .text = [&](Address i) { return texts.at(i); }});
}
std::uint64_t bits(double value) {
    return std::bit_cast<std::uint64_t>(value);
}

TEST(DevicePrintf, TextAndPercent) {
    EXPECT_EQ(printed("plain").text, "plain");
    EXPECT_EQ(printed("").text, "");
    EXPECT_EQ(printed("100%%, %%d").text, "100%, %d");
    EXPECT_EQ(printed("100%%").arguments, 0);
}

TEST(DevicePrintf, IntegersAreOfTheirSize) {
    EXPECT_EQ(printed("%d %u", {0xffffffffU, 0xffffffffU}).text, "-1 4294967295");
    EXPECT_EQ(printed("%hd %hu", {0x1ffff, 0x1ffff}).text, "-1 65535");
    EXPECT_EQ(printed("%hhd %hhu", {0x1ff, 0x1ff}).text, "-1 255");
    EXPECT_EQ(printed("%ld %llu %zu", {~0ULL, ~0ULL, 7}).text, "-1 18446744073709551615 7");
    EXPECT_EQ(printed("%x %X %o %#x", {255, 255, 8, 255}).text, "ff FF 10 0xff");
    EXPECT_EQ(printed("%c%c", {'o', 'k'}).text, "ok");
    EXPECT_EQ(printed("%p", {0x1000}).text, "0x1000");
}

TEST(DevicePrintf, FlagsWidthAndPrecision) {
    EXPECT_EQ(printed("[%5d][%-5d][%05d][%+d]", {42, 42, 42, 42}).text, "[   42][42   ][00042][+42]");
    EXPECT_EQ(printed("[%*d][%-*d][%*d]", {4, 1, 4, 2, 0xfffffffcU, 3}).text, "[   1][2   ][3   ]");
    EXPECT_EQ(printed("[%.3d][%.*f]", {5, 2, bits(1.005)}).text, "[005][1.00]");
    EXPECT_EQ(printed("[%.2s][%6s][%s]", {0, 0, 2}).text, "[ab][   abc][]");
}

TEST(DevicePrintf, FloatingPoint) {
    EXPECT_EQ(printed("%f %.1f %e %g %G", {bits(1.5), bits(0.25), bits(12345.678), bits(1e-10), bits(1e20)}).text,
              "1.500000 0.2 1.234568e+04 1e-10 1E+20");
    EXPECT_EQ(printed("%f %5.1f", {bits(-0.0), bits(9.96)}).text, "-0.000000  10.0");
    EXPECT_EQ(printed("%a", {bits(1.0)}).text, "0x1p+0");
}

TEST(DevicePrintf, WhatIsNoConversionStays) {
    EXPECT_EQ(printed("%y %").text, "%y %");
    EXPECT_EQ(printed("%5").text, "%5");
    EXPECT_EQ(printed("a%nb", {1}).text, "ab");
}

TEST(DevicePrintf, CountsArguments) {
    EXPECT_EQ(printed("%d %s %*d", {1, 1, 2, 3}).arguments, 4);
}

TEST(DevicePrintf, AWildWidthIsBounded) {
    EXPECT_EQ(printed("%999999999d", {1}).text.size(), 65536U);
    EXPECT_EQ(printed("%*d", {0x80000000U, 1}).text.size(), 65536U);
}

} // namespace
} // namespace heddle::exec
