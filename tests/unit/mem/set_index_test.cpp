#include <utility>

#include <gtest/gtest.h>

#include "mem/cache/set_index.h"

namespace heddle::mem {
namespace {

TEST(SetIndex, TheBitsAboveTheLineAreTheSet) {
    const SetIndex index(64, 8, SetHash::Linear);
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
    const SetIndex index(64, 8, SetHash::Xor);
    EXPECT_EQ(index.set_of(3 * 64), 3U);
    EXPECT_EQ(index.set_of((8 + 3) * 64), 3 ^ 1U);
    EXPECT_EQ(index.set_of((5 * 64 + 2 * 8 + 3) * 64), 5 ^ 2 ^ 3U); // groups of 3 bits: 5, 2, 3
}

TEST(SetIndex, OneSetHasNoBits) {
    for (const SetHash hash : {SetHash::Linear, SetHash::Xor}) {
        const SetIndex index(128, 1, hash);
        EXPECT_EQ(index.sets(), 1U);
        EXPECT_EQ(index.set_of(0x12345678), 0U);
    }
}

// Nugteren et al., HPCA 2014: of 32 sets, bits 7 to 11 of the address with 13, 14, 15, 17 and 19; of 64 sets, bit 12
// besides.
TEST(SetIndex, AFermisSet) {
    const SetIndex small(128, 32, SetHash::Fermi);
    const SetIndex large(128, 64, SetHash::Fermi);
    const auto both = [&](Address address) { return std::pair(small.set_of(address), large.set_of(address)); };
    EXPECT_EQ(both(0b10110 << 7 | 127), std::pair(0b10110U, 0b10110U));
    EXPECT_EQ(both(1 << 12), std::pair(0U, 0b100000U));
    EXPECT_EQ(both(1 << 13), std::pair(0b1U, 0b1U));
    EXPECT_EQ(both(1 << 14), std::pair(0b10U, 0b10U));
    EXPECT_EQ(both(1 << 15), std::pair(0b100U, 0b100U));
    EXPECT_EQ(both(1 << 16), std::pair(0U, 0U));
    EXPECT_EQ(both(1 << 17), std::pair(0b1000U, 0b1000U));
    EXPECT_EQ(both(1 << 18), std::pair(0U, 0U));
    EXPECT_EQ(both(1 << 19), std::pair(0b10000U, 0b10000U));
    EXPECT_EQ(both(Address{1} << 20), std::pair(0U, 0U));
    EXPECT_EQ(SetIndex(64, 4, SetHash::Fermi).set_of(1 << 12 | 1 << 6), 0b00U); // of other shapes: of the line number
    EXPECT_EQ(both(0b11111 << 7 | 1 << 13 | 1 << 19), std::pair(0b01110U, 0b01110U));
}

} // namespace
} // namespace heddle::mem
