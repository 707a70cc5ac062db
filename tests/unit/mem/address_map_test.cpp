#include <gmock/gmock.h>

#include "mem/dram/address_map.h"

namespace heddle::mem {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(AddressMap, ByDefaultConsecutiveRowsLieInConsecutiveBanks) {
    const AddressMap map("", 16, 4096);
    EXPECT_EQ(map.place(0).bank, 0U);
    EXPECT_EQ(map.place(4095).bank, 0U);
    EXPECT_EQ(map.place(4096).bank, 1U);
    EXPECT_EQ(map.place(15 * 4096).bank, 15U);
    EXPECT_EQ(map.place(15 * 4096).row, 0U);
    EXPECT_EQ(map.place(16 * 4096).bank, 0U);
    EXPECT_EQ(map.place(16 * 4096).row, 1U);
}

TEST(AddressMap, OneBankNeedsNoBankBits) {
    const AddressMap map("", 1, 64);
    EXPECT_EQ(map.place(64).bank, 0U);
    EXPECT_EQ(map.place(64).row, 1U);
}

// GPGPU-Sim's GTX 480 without the channel: bits 0-7 column, 8 bank, 9-12 column, 13-15 bank, 16 and up row.
TEST(AddressMap, BitsAreGatheredInTheirOrder) {
    const AddressMap map("RRRRRRRRRRRR BBB_CCCC_B_CCCCCCCC", 16, 4096);
    EXPECT_EQ(map.place(0xff).bank, 0U);
    EXPECT_EQ(map.place(0x100).bank, 1U);
    EXPECT_EQ(map.place(0x1e00).bank, 0U);
    EXPECT_EQ(map.place(0x2000).bank, 2U);
    EXPECT_EQ(map.place(0xffff).bank, 15U);
    EXPECT_EQ(map.place(0xffff).row, 0U);
    EXPECT_EQ(map.place(0x30000).row, 3U);
}

TEST(AddressMap, TheLeadingRowBitsTakeAllHigherOnes) {
    EXPECT_EQ(AddressMap("RBC", 2, 2).place(0xffff'ffff'0000'0000).row, 0x3fff'ffff'c000'0000U);
    EXPECT_EQ(AddressMap("RBRC", 2, 2).place(0b1'01'0'1'0).row,
              0b101'1U); // bits 5, 4, 3 above bit 1; bit 2 is the bank
}

TEST(AddressMap, AGoodMappingHasNoProblems) {
    EXPECT_THAT(AddressMap::problems("", 16, 4096, 64), IsEmpty());
    EXPECT_THAT(AddressMap::problems("R BBB CCCC B CCCCCCCC", 16, 4096, 64), IsEmpty());
}

TEST(AddressMap, EveryProblemIsTold) {
    EXPECT_THAT(AddressMap::problems("RRBBBCCCCCCCCCCCC", 16, 4096, 64),
                ElementsAre("dram.mapping has 3 bank bits (B), dram.banks = 16 needs 4"));
    EXPECT_THAT(AddressMap::problems("BBBBRRCCCCCCx", 16, 4096, 64),
                ElementsAre(HasSubstr("letters other than"), HasSubstr("must begin with R"),
                            "dram.mapping has 6 column bits (C), dram.row_bytes = 4096 needs 12",
                            "dram.mapping ends in 0 column bits: fewer bytes than a burst of 64"));
    EXPECT_THAT(AddressMap::problems("RBBBCCCCCCCBCCCCC", 16, 4096, 64),
                ElementsAre("dram.mapping ends in 5 column bits: fewer bytes than a burst of 64"));
    EXPECT_THAT(AddressMap::problems("RBBBCCCCCCBCCCCCC", 16, 4096, 64), IsEmpty()); // 2^6 = 64
}

} // namespace
} // namespace heddle::mem
