// The formats of 4 to 8 bits against tables of their numbers, which are written down from the definition of each
// format.
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "exec/half_bits.h"
#include "small_float_tables.h"

namespace heddle::exec::test {

TEST(SmallFloats, EveryCode) {
    for (const Definition& d : kDefinitions) {
        for (unsigned code = 0; code < 2 * codes(d); ++code) {
            const unsigned magnitude = code % codes(d);
            const float sign = code < codes(d) ? 1.0F : -1.0F;
            const float got = float_of(d.format, code | 0xffffff00U);
            if (magnitude < d.finite) {
                EXPECT_EQ(got, sign * static_cast<float>(number(d, magnitude))) << code;
                EXPECT_EQ(std::signbit(got), sign < 0);
            } else if (d.has_infinity && magnitude == d.finite) {
                EXPECT_EQ(got, sign * std::numeric_limits<float>::infinity());
            } else {
                EXPECT_EQ(std::bit_cast<std::uint32_t>(got), 0x7fffffffU);
            }
        }
    }
}

TEST(SmallFloats, NearestOfEveryF16) {
    for (const Definition& d : kDefinitions)
        for (unsigned bits = 0; bits < 0x10000; ++bits) {
            const float value = float_of_f16(bits);
            ASSERT_EQ(code_of(d.format, value, true), nearest(d, value)) << std::hex << bits;
        }
}

TEST(SmallFloats, NearestAroundEveryTie) {
    for (const Definition& d : kDefinitions)
        for (unsigned code = 0; code < d.finite; ++code) {
            const double next = code + 1 < d.finite ? number(d, code + 1) : 2 * number(d, code);
            const auto tie = static_cast<float>((number(d, code) + next) / 2); // exact
            for (const float value : {tie, std::nextafter(tie, 0.0F), std::nextafter(tie, 1e30F)})
                for (const float v : {value, -value})
                    ASSERT_EQ(code_of(d.format, v, true), nearest(d, v)) << v;
        }
}

TEST(SmallFloats, BeyondTheLargest) {
    EXPECT_EQ(code_of(kE4M3, 464.0F, false), 0x7eU); // the tie between 448 and the 480 that the NaN replaces
    EXPECT_EQ(code_of(kE4M3, 465.0F, false), 0x7fU);
    EXPECT_EQ(code_of(kE5M2, -61440.0F, false), 0xfcU);
    EXPECT_EQ(code_of(kE5M2, -61440.0F, true), 0xfbU);
    EXPECT_EQ(code_of(kE5M2, 61439.0F, false), 0x7bU);
    EXPECT_EQ(code_of(kE2M1, -1e30F, false), 0xfU);
    EXPECT_EQ(code_of(kSmallF16, 65520.0F, false), 0x7c00U);
    EXPECT_EQ(code_of(kSmallF16, 65520.0F, true), 0x7bffU);
    const float infinity = std::numeric_limits<float>::infinity();
    EXPECT_EQ(code_toward_zero(kSmallF16, -1e30F, false), 0xfbffU);
    EXPECT_EQ(code_toward_zero(kSmallF16, infinity, false), 0x7c00U);
    EXPECT_EQ(code_toward_zero(kSmallF16, infinity, true), 0x7bffU);
    EXPECT_EQ(code_of_away(kE5M2, 1.125F, true), 0x3dU); // halfway between 1 and 1.25
    EXPECT_EQ(code_of_away(kE5M2, 61440.0F, false), 0x7cU);
}

TEST(SmallFloats, Rectified) {
    EXPECT_EQ(rectified(kE4M3, 0x80), 0U);
    EXPECT_EQ(rectified(kE4M3, 0x7f), 0x7fU);
    EXPECT_EQ(rectified(kE2M1, 0x9), 0U);
    EXPECT_EQ(rectified(kE2M1, 0x7), 7U);
}

// A number a share s of the way between two neighbours is rounded away from zero by the random numbers r with s + r /
// 2^n of at least 1: that is s of all numbers.
TEST(SmallFloats, StochasticRounding) {
    std::mt19937 random(7);
    for (const Definition& d : kDefinitions) {
        for (int i = 0; i < 20000; ++i) {
            const double largest = number(d, d.finite - 1);
            const auto value = static_cast<float>(largest * static_cast<double>(random()) / 0x1p32);
            const std::uint32_t r = random() & 0xffff;
            const auto [code, share] = below(d, value);
            const unsigned wanted = std::floor(share * 0x1p16) + r >= 0x1p16 ? code + 1 : code;
            ASSERT_EQ(code_of(d.format, value, true, r, 16), wanted) << value << " " << r;
            ASSERT_EQ(code_of(d.format, -value, true, r, 16), codes(d) | wanted) << value << " " << r;
        }
        EXPECT_EQ(code_of(d.format, 1e-30F, true, 0xffff, 16), 0U);
        EXPECT_EQ(code_of(d.format, 1e30F, true, 0, 16), d.finite - 1);
    }
}

TEST(SmallFloats, Ue8m0OfPowers) {
    for (int power = -127; power <= 127; ++power) {
        const auto code = static_cast<std::uint32_t>(power + 127);
        const float value = std::ldexp(1.0F, power);
        EXPECT_EQ(float_of_ue8m0(code), value);
        const float above = std::nextafter(value, std::numeric_limits<float>::infinity());
        for (const float v : {value, -value})
            for (const bool up : {false, true})
                EXPECT_EQ(ue8m0_of(v, up, true), code) << v;
        EXPECT_EQ(ue8m0_of(above, false, true), code) << above;
        EXPECT_EQ(ue8m0_of(above, true, true), std::min(code + 1, 0xfeU)) << above;
        EXPECT_EQ(ue8m0_of(-above, true, false), code + 1) << above; // 0xff, the NaN, above 2^127
    }
    EXPECT_EQ(std::bit_cast<std::uint32_t>(float_of_ue8m0(0xff)), 0x7fffffffU);
}

TEST(SmallFloats, Ue8m0OfOthers) {
    const float infinity = std::numeric_limits<float>::infinity();
    for (const bool up : {false, true}) {
        EXPECT_EQ(ue8m0_of(0.0F, up, true), 0U);
        EXPECT_EQ(ue8m0_of(0x1p-140F, up, true), 0U);
        EXPECT_EQ(ue8m0_of(infinity, up, true), 0xfeU);
        EXPECT_EQ(ue8m0_of(-infinity, up, false), 0xffU);
        EXPECT_EQ(ue8m0_of(std::numeric_limits<float>::quiet_NaN(), up, true), 0xffU);
    }
}

} // namespace heddle::exec::test
