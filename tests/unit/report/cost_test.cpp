#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "report/cost.h"

namespace heddle::report::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Two rows of DWF07 Table 1, the second as on a machine with half the entries, and one that no paper has.
CostResult sample() {
    CostResult out;
    out.machine = "lwm11";
    out.config = {{"core.formation", {"x", "command line"}}};
    out.sms = 8;
    out.parts = {{"formation",
                  "x",
                  {{.structure = "warp update register",
                    .entries = 2,
                    .bits = 168,
                    .source = "DWF07 Table 1",
                    .note = "",
                    .mm2 = 0.008,
                    .mm2_bits = 336},
                   {.structure = "warp pool",
                    .entries = 128,
                    .bits = 168,
                    .source = "DWF07 Table 1",
                    .note = "TIDs",
                    .mm2 = 0.702,
                    .mm2_bits = 43008},
                   {.structure = "count", .entries = 3, .bits = 1, .source = "assumed", .note = ""}}},
                 {"scheduler", "rr", {}}};
    return out;
}

TEST(Cost, Table) {
    // 128 x 168 = 21504 bits are half of the paper's 43008: 0.702 / 2 = 0.351 mm2. The sum is 336 + 21504 + 3 = 21843
    // bits, 2730.375 bytes, 0.359 mm2; of eight SMs 174744 bits, 21843 bytes, 2.872 mm2.
    EXPECT_EQ(
        cost_table(sample()),
        "machine lwm11: structures beside a core without divergence\n"
        "part          structure             entries  bits an entry     bits      bytes     mm2  source         note\n"
        "formation x   warp update register        2            168      336         42   0.008  DWF07 Table 1\n"
        "              warp pool                 128            168   21,504      2,688  ~0.351  DWF07 Table 1  TIDs\n"
        "              count                       3              1        3      0.375       -  assumed\n"
        "scheduler rr  none counted\n"
        "an SM                                                        21,843  2,730.375  ~0.359\n"
        "8 SMs                                                       174,744     21,843  ~2.872\n"
        "~: the paper's area in proportion to the bits\n"
        "assumed: 3 of the 21,843 bits an SM are in no paper\n");
}

TEST(Cost, NoRemarksWhereNothingIsScaledOrAssumed) {
    CostResult plain = sample();
    plain.sms = 1;
    plain.parts[0].structures.resize(1);
    const std::string text = cost_table(plain);
    EXPECT_THAT(text, Not(HasSubstr("~")));
    EXPECT_THAT(text, Not(HasSubstr("assumed")));
    EXPECT_THAT(text, Not(HasSubstr("SMs")));
}

TEST(Cost, AStructureWithoutStorageHasAnAreaAlone) {
    CostResult logic = sample();
    logic.parts[0].structures = {
        {.structure = "decoders", .source = "DWF07 4.4", .note = "a decoder a lane", .mm2 = 0.3285}};
    const auto json = nlohmann::json::parse(cost_json(logic));
    EXPECT_EQ(json.at("sm_total").at("bits"), 0);
    EXPECT_DOUBLE_EQ(json.at("sm_total").at("mm2"), 0.3285);
    EXPECT_DOUBLE_EQ(json.at("machine_total").at("mm2"), 8 * 0.3285);
    EXPECT_EQ(json.at("sm_total").at("mm2_scaled"), false);
}

// What the core has anyhow is shown, and in no total.
TEST(Cost, WhatIsOnlyComparedIsInNoTotal) {
    CostResult result = sample();
    result.parts[0].structures.resize(1);
    result.parts[0].structures.push_back({.structure = "register file",
                                          .entries = 8192,
                                          .bits = 32,
                                          .source = "DWF07 4.4",
                                          .note = "",
                                          .mm2 = 5.7085,
                                          .mm2_bits = 262144,
                                          .compared = true});
    const std::string text = cost_table(result);
    EXPECT_THAT(text, HasSubstr("8,192             32  (262,144)  (32,768)  (5.708)"));
    EXPECT_THAT(text, HasSubstr("(): the core has it anyhow; no total counts it\n"));
    const auto json = nlohmann::json::parse(cost_json(result));
    EXPECT_EQ(json.at("sm_total").at("bits"), 336);
    EXPECT_DOUBLE_EQ(json.at("sm_total").at("mm2"), 0.008);
    EXPECT_EQ(json.at("parts").at(0).at("structures").at(1).at("compared"), true);
    EXPECT_THAT(cost_table(sample()), Not(HasSubstr("():")));
}

TEST(Cost, Json) {
    const auto json = nlohmann::json::parse(cost_json(sample()));
    EXPECT_EQ(json.at("machine"), "lwm11");
    EXPECT_EQ(json.at("config").at("core.formation").at("value"), "x");
    EXPECT_EQ(json.at("sms"), 8);
    const auto& formation = json.at("parts").at(0);
    EXPECT_EQ(formation.at("role"), "formation");
    const auto& pool = formation.at("structures").at(1);
    EXPECT_EQ(pool.at("bits"), 21504);
    EXPECT_EQ(pool.at("bits_per_entry"), 168);
    EXPECT_EQ(pool.at("bytes"), 2688);
    EXPECT_DOUBLE_EQ(pool.at("mm2"), 0.351);
    EXPECT_EQ(pool.at("mm2_scaled"), true);
    const auto& count = formation.at("structures").at(2);
    EXPECT_TRUE(count.at("mm2").is_null());
    EXPECT_EQ(count.at("bytes"), 0.375);
    EXPECT_EQ(count.at("assumed"), true);
    EXPECT_TRUE(json.at("parts").at(1).at("structures").empty());
    EXPECT_EQ(json.at("sm_total").at("assumed_bits"), 3);
    EXPECT_EQ(json.at("machine_total").at("bits"), 174744);
}

} // namespace
} // namespace heddle::report::test
