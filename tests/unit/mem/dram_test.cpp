#include <gtest/gtest.h>

#include "mem/dram/dram.h"

namespace heddle::mem {
namespace {

// LWM11 Table 1: 8 banks, 4 KB rows, 100 cycles for a row hit, 300 for a conflict, 32 bytes a cycle.
class DramTest : public testing::Test {
protected:
    Dram dram{DramConfig{}};
    static constexpr std::uint64_t kLine = 128;

    static Dram in_order_of_arrival() {
        DramConfig config;
        config.bus = "arrival";
        return Dram(config);
    }
};

TEST_F(DramTest, FirstAccessToAClosedRowTakesTheConflictLatency) {
    EXPECT_EQ(dram.request(0, kLine, DramUse::Read, 10), 310U);
    EXPECT_EQ(dram.stats().row_closed, 1U);
}

TEST_F(DramTest, SecondAccessToTheRowHits) {
    dram.request(0, kLine, DramUse::Read, 0);
    EXPECT_EQ(dram.request(128, kLine, DramUse::Read, 1000), 1100U);
    EXPECT_EQ(dram.stats().row_hits, 1U);
}

TEST_F(DramTest, AnotherRowOfTheBankConflicts) {
    dram.request(0, kLine, DramUse::Read, 0);
    EXPECT_EQ(dram.request(8 * 4096, kLine, DramUse::Read, 1000), 1300U); // 8 rows on: the same bank
    EXPECT_EQ(dram.stats().row_conflicts, 1U);
}

TEST_F(DramTest, NextRowLiesInTheNextBank) {
    dram.request(0, kLine, DramUse::Read, 0);
    dram.request(4096, kLine, DramUse::Read, 1000);
    EXPECT_EQ(dram.request(0, kLine, DramUse::Read, 2000), 2100U); // bank 0 still has its row open
}

// Lines in turn over 8 banks: line 8 is the second of row 0 of bank 0, line 256 the first of its row 1.
TEST_F(DramTest, AMappingSaysWhatIsBankAndRow) {
    DramConfig config;
    config.mapping = "R_CCCCC_BBB_CCCCCCC";
    ASSERT_TRUE(config.problems().empty());
    Dram mapped(config);
    EXPECT_EQ(mapped.request(0, kLine, DramUse::Read, 0), 300U);
    EXPECT_EQ(mapped.request(128, kLine, DramUse::Read, 1000), 1300U); // bank 1 is closed
    EXPECT_EQ(mapped.request(8 * 128, kLine, DramUse::Read, 2000), 2100U);
    EXPECT_EQ(mapped.request(256 * 128, kLine, DramUse::Read, 3000), 3300U);
    EXPECT_EQ(mapped.stats().row_conflicts, 1U);
    config.mapping = "R_CCCC_BBB_CCCCCCC";
    EXPECT_EQ(config.problems().size(), 1U);
    config.banks = 6;
    EXPECT_EQ(config.problems().size(), 1U);
}

TEST_F(DramTest, RowHitsStreamAtTheBusRate) {
    // 32 lines of one row, all requested at cycle 0: the first takes 300, the others follow every 128 / 32 = 4 cycles.
    for (std::uint64_t i = 0; i < 32; ++i)
        EXPECT_EQ(dram.request(i * kLine, kLine, DramUse::Read, 0), 300 + 4 * i);
    EXPECT_EQ(dram.stats().bus_busy, 128U);
}

TEST_F(DramTest, BanksOverlapAndShareTheBus) {
    EXPECT_EQ(dram.request(0, kLine, DramUse::Read, 0), 300U);    // bank 0
    EXPECT_EQ(dram.request(4096, kLine, DramUse::Read, 0), 304U); // bank 1 opens its row meanwhile
    EXPECT_EQ(dram.request(128, kLine, DramUse::Read, 250), 350U);
}

TEST_F(DramTest, ARowHitDoesNotWaitForAConflictInAnotherBank) {
    dram.request(0, kLine, DramUse::Read, 0);                             // opens row 0 of bank 0, done at 300
    dram.request(4096, kLine, DramUse::Read, 400);                        // opens row 0 of bank 1, done at 700
    EXPECT_EQ(dram.request(8 * 4096, kLine, DramUse::Read, 1000), 1300U); // conflict in bank 0
    EXPECT_EQ(dram.request(4096, kLine, DramUse::Read, 1000), 1100U);     // hit in bank 1
    EXPECT_EQ(dram.request(0, kLine, DramUse::Read, 1000), 1504U);        // row 0 of bank 0 again: after its conflict
}

TEST_F(DramTest, ALineThatIsReadyWhenTheBusIsTakenFollowsAtOnce) {
    dram.request(4096, kLine, DramUse::Read, 0);                         // opens row 0 of bank 1
    EXPECT_EQ(dram.request(0, kLine, DramUse::Read, 1000), 1300U);       // opens row 0 of bank 0: bus 1296 to 1300
    EXPECT_EQ(dram.request(4096, kLine, DramUse::Read, 1198), 1304U);    // bank 1 has it at 1294: 4 cycles do not fit
    EXPECT_EQ(dram.request(4096 + 128, 64, DramUse::Read, 1198), 1306U); // 2 cycles: bank 1 is free at 1202
}

TEST_F(DramTest, InOrderOfArrivalARowHitBehindAConflictWaitsForTheBus) {
    Dram ordered = in_order_of_arrival();
    ordered.request(0, kLine, DramUse::Read, 0);
    ordered.request(4096, kLine, DramUse::Read, 400);
    EXPECT_EQ(ordered.request(8 * 4096, kLine, DramUse::Read, 1000), 1300U); // conflict in bank 0
    EXPECT_EQ(ordered.request(4096, kLine, DramUse::Read, 1000), 1304U);     // hit in bank 1, after it
}

TEST_F(DramTest, AtomicOperationsOnOneWordFollowEachOther) {
    EXPECT_EQ(dram.request(0, kLine, DramUse::Atomic, 0, 32), 331U);
}

TEST_F(DramTest, AShorterConflictThanHitIsRefused) {
    DramConfig wrong;
    wrong.row_conflict = 50;
    EXPECT_EQ(wrong.problems().size(), 1U);
}

} // namespace
} // namespace heddle::mem
