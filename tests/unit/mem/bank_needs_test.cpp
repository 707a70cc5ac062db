#include <gtest/gtest.h>

#include "mem/dram/bank_needs.h"

namespace heddle::mem {
namespace {

// Eight banks in two groups, the even and the odd ones. Activate to read: 10 clocks; read to read of a group: 6.
class BankNeedsTest : public testing::Test {
protected:
    static DramConfig config() {
        DramConfig config;
        config.model = "timed";
        config.banks = 8;
        config.bank_groups = 2;
        config.t_rcd = 10;
        config.t_rp = 12;
        config.t_rc = 40;
        config.t_ras = 28;
        config.t_ccd = 2;
        config.t_ccd_l = 6;
        return config;
    }

    BankTiming timing{config()};
    BankNeeds needs;
};

TEST_F(BankNeedsTest, ABankIsReadyWhenItsRulesAllowTheCommand) {
    needs.set(3, DramCommand::Activate, timing, 0);
    EXPECT_EQ(needs.command(3), DramCommand::Activate);
    EXPECT_EQ(needs.ready(DramCommand::Activate), BankMask{1} << 3);
    EXPECT_EQ(needs.next(), kNever);
    timing.activate(3, 0);
    needs.set(3, DramCommand::Read, timing, 0);
    EXPECT_EQ(needs.ready(DramCommand::Activate), 0U);
    EXPECT_EQ(needs.ready(DramCommand::Read), 0U);
    EXPECT_EQ(needs.next(), 10U);
    needs.awaken(timing, 9);
    EXPECT_EQ(needs.ready(DramCommand::Read), 0U);
    needs.awaken(timing, 10);
    EXPECT_EQ(needs.ready(DramCommand::Read), BankMask{1} << 3);
    EXPECT_EQ(needs.next(), kNever);
}

TEST_F(BankNeedsTest, AnIdleBankIsNeitherReadyNorAwakened) {
    needs.set(3, DramCommand::Activate, timing, 0);
    needs.clear(3);
    EXPECT_EQ(needs.ready(DramCommand::Activate), 0U);
    timing.activate(3, 0);
    needs.set(3, DramCommand::Read, timing, 0);
    needs.clear(3);
    needs.awaken(timing, 10);
    EXPECT_EQ(needs.ready(DramCommand::Read), 0U);
}

TEST_F(BankNeedsTest, AColumnCommandPutsOffTheBanksOfItsGroup) {
    for (const unsigned bank : {0U, 1U, 2U}) {
        timing.activate(bank, 0);
        needs.set(bank, DramCommand::Read, timing, 0);
    }
    needs.awaken(timing, 10);
    EXPECT_EQ(needs.ready(DramCommand::Read), 0b111U);
    timing.read(0, 10);
    needs.put_off_group(0, timing, 10);
    EXPECT_EQ(needs.ready(DramCommand::Read), 0b011U); // bank 0 gets its next need by set()
    EXPECT_EQ(needs.next(), 16U);
    needs.awaken(timing, 15);
    EXPECT_EQ(needs.ready(DramCommand::Read), 0b011U);
    needs.awaken(timing, 16);
    EXPECT_EQ(needs.ready(DramCommand::Read), 0b111U);
}

TEST_F(BankNeedsTest, ABankSleepsBeyondTheSpanOfTheWheel) {
    timing.activate(0, 0);
    timing.hold_columns(0, 200);
    needs.set(0, DramCommand::Read, timing, 0);
    while (needs.next() < 200) {
        needs.awaken(timing, needs.next());
        EXPECT_EQ(needs.ready(DramCommand::Read), 0U);
    }
    EXPECT_EQ(needs.next(), 200U);
    needs.awaken(timing, 200);
    EXPECT_EQ(needs.ready(DramCommand::Read), 1U);
}

} // namespace
} // namespace heddle::mem
