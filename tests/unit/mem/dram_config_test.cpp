#include <gmock/gmock.h>

#include "mem/dram/channel.h"
#include "mem/dram/scheduler.h"

namespace heddle::mem {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

DramConfig timed() {
    DramConfig config;
    config.model = "timed";
    return config;
}

TEST(DramConfig, DefaultsHaveNoProblems) {
    EXPECT_THAT(DramConfig{}.problems(), IsEmpty());
    EXPECT_THAT(timed().problems(), IsEmpty());
}

TEST(DramConfig, TheSimpleModelIsNotHeldToTheRulesOfTheTimedOne) {
    DramConfig config;
    config.banks = 6;
    config.t_rc = 0;
    EXPECT_THAT(config.problems(), IsEmpty());
}

TEST(DramConfig, EveryContradictionIsTold) {
    DramConfig config = timed();
    config.bank_groups = 3;
    config.data_per_clock = 3;
    config.row_bytes = 128;
    config.bus_bytes = 96;
    config.t_rc = 39;
    config.t_ccd_l = 1;
    config.t_rtw = 9; // data of a read: clocks 12 and 13 after it; of a write 9 after it: from 9 + 4
    EXPECT_THAT(config.problems(),
                ElementsAre("dram.mapping ends in 7 column bits: fewer bytes than a burst of 768",
                            "dram.bank_groups = 3 does not divide dram.banks = 8",
                            "dram.data_per_clock = 3 does not divide dram.burst = 8",
                            "dram.row_bytes = 128 is no multiple of a burst: dram.bus_bytes * dram.burst = 768",
                            "dram.t_rc = 39 is shorter than dram.t_ras + dram.t_rp = 40",
                            "dram.t_ccd_l = 1 is shorter than dram.t_ccd = 2", HasSubstr("dram.t_rtw = 9")));
    config = timed();
    config.t_rtw = 10;
    EXPECT_THAT(config.problems(), IsEmpty());
}

TEST(DramConfig, TimedBanksAreAPowerOfTwoUpTo64) {
    DramConfig config = timed();
    config.banks = 24;
    EXPECT_THAT(config.problems(), ElementsAre(HasSubstr("dram.banks = 24")));
    config.banks = 128;
    EXPECT_THAT(config.problems(), ElementsAre(HasSubstr("dram.banks = 128")));
    config.banks = 64;
    EXPECT_THAT(config.problems(), IsEmpty());
}

// The message for settings of a machine, or "".
std::string refusal(const std::vector<std::string>& settings) {
    try {
        (void)config::Machine::defaults(settings);
        return "";
    } catch (const UserError& error) {
        return error.what();
    }
}

TEST(DramConfig, TheRulesOfGddr6NeedTheTimedModelAndWhatTheyAddTo) {
    EXPECT_THAT(refusal({"gddr.t_rcd_write=8"}), HasSubstr("the settings of [gddr] are of dram.model = 'timed'"));
    const std::vector<std::string> some{"interconnect.kind=crossbar", "dram.model=timed", "dram.t_wtr=5",
                                        "dram.t_rc=40"};
    const auto with = [&](std::vector<std::string> more) {
        more.insert(more.begin(), some.begin(), some.end());
        return refusal(more);
    };
    EXPECT_THAT(with({"gddr.t_wtr_l=4"}), HasSubstr("gddr.t_wtr_l = 4 is shorter than dram.t_wtr = 5"));
    EXPECT_THAT(with({"gddr.t_rfc_bank=60"}), HasSubstr("dram.t_refi = 0: nothing is refreshed"));
    EXPECT_THAT(with({"gddr.t_rfc_bank=60", "dram.t_refi=96", "dram.banks=16"}),
                HasSubstr("leaves a bank no time beside gddr.t_rfc_bank + dram.t_rc = 100"));
    EXPECT_THAT(with({"gddr.t_rfc_bank=60", "dram.t_refi=1000", "dram.banks=16"}),
                HasSubstr("dram.t_refi = 1000 is no multiple of dram.banks = 16"));
    EXPECT_EQ(with({"gddr.t_rfc_bank=60", "dram.t_refi=1600", "dram.banks=16", "gddr.t_wtr_l=5"}), "");
}

TEST(DramConfig, SchedulersAreChosenByName) {
    EXPECT_THAT(config::choices("dram_scheduler"), ElementsAre("fcfs", "frfcfs"));
    EXPECT_THROW((void)dram_schedulers().make("none", DramConfig{}), UserError);
}

} // namespace
} // namespace heddle::mem
