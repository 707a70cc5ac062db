#include <gtest/gtest.h>

#include "mem/cache/set_index.h"

namespace heddle::mem {
namespace {

TEST(SetIndex, TheBitsAboveTheLineAreTheSet) {
    const SetIndex index(64, 8, false);
    EXPECT_EQ(index.line_shift(), 6U);
    EXPECT_EQ(index.sets(), 8U);
    EXPECT_EQ(index.set_of(63), 0U);
    EXPECT_EQ(index.set_of(64), 1U);
    EXPECT_EQ(index.set_of(7 * 64 + 5), 7U);
    EXPECT_EQ(index.set_of(8 * 64), 0U);
    EXPECT_EQ(index.line_number(8 * 64 + 63), 8U);
    EXPECT_EQ(index.address_of(8), 8 * 64U);
}

TEST(SetIndex, AHashedSetDependsOnAllHigherBits) {
    const SetIndex index(64, 8, true);
    EXPECT_EQ(index.set_of(3 * 64), 3U);
    EXPECT_EQ(index.set_of((8 + 3) * 64), 3 ^ 1U);
    EXPECT_EQ(index.set_of((5 * 64 + 2 * 8 + 3) * 64), 5 ^ 2 ^ 3U); // groups of 3 bits: 5, 2, 3
}

TEST(SetIndex, OneSetHasNoBits) {
    for (const bool hashed : {false, true}) {
        const SetIndex index(128, 1, hashed);
        EXPECT_EQ(index.sets(), 1U);
        EXPECT_EQ(index.set_of(0x12345678), 0U);
    }
}

} // namespace
} // namespace heddle::mem
