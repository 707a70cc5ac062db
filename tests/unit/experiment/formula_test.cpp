#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "experiment/formula.h"

namespace heddle::experiment {
namespace {

const nlohmann::json kDocument = nlohmann::json::parse(R"({
  "totals": {"thread_instructions": 60, "cycles": 8},
  "active_lanes": [1, 2, 3, 4],
  "stats": {"x": {"a": 5, "b-c": 7}, "empty": {}},
  "config": {"core.width": {"value": 32}, "ideal": {"value": true}, "name": {"value": "pdom"}},
  "none": null,
  "kernels": [{"name": "_Z4scanPi", "cycles": 10}, {"name": "_Z4scanPi", "cycles": 30}, {"name": "_Z3addIfEvPT_", "cycles": 2}],
  "launches": [{"kernel": "_Z4scanPi", "total": {"oracle": 6}}, {"kernel": "_Z3addIfEvPT_", "total": {"oracle": 4}}]
})");

double value(const std::string& text) {
    return Formula(text, "f.toml", {3, 10}).evaluate(kDocument);
}

std::string error(const std::string& text) {
    try {
        (void)value(text);
    } catch (const FormulaError& e) {
        return e.what();
    }
    return "no error";
}

TEST(Formula, ArithmeticBindsAsOnPaper) {
    EXPECT_DOUBLE_EQ(value("1 + 2 * 3"), 7);
    EXPECT_DOUBLE_EQ(value("(1 + 2) * 3"), 9);
    EXPECT_DOUBLE_EQ(value("10 - 4 - 3"), 3);
    EXPECT_DOUBLE_EQ(value("16 / 4 / 2"), 2);
    EXPECT_DOUBLE_EQ(value("-2 * -(1.5e1)"), 30);
}

TEST(Formula, PathsReachMembersElementsAndKernels) {
    EXPECT_DOUBLE_EQ(value("totals.thread_instructions / totals.cycles"), 7.5);
    EXPECT_DOUBLE_EQ(value("active_lanes[2]"), 3);
    EXPECT_DOUBLE_EQ(value("sum(active_lanes[1..2])"), 5);
    EXPECT_DOUBLE_EQ(value("sum(active_lanes[1..])"), 9);
    EXPECT_DOUBLE_EQ(value("sum(stats.x.*)"), 12);
    EXPECT_DOUBLE_EQ(value("stats.x.b-c - stats.x.a"), 2);
    EXPECT_DOUBLE_EQ(value("config[core.width].value"), 32);
    EXPECT_DOUBLE_EQ(value("config.ideal.value"), 1);
    EXPECT_DOUBLE_EQ(value("sum(kernels[scan].cycles)"), 40);
    EXPECT_DOUBLE_EQ(value("kernels[add].cycles"), 2);
    EXPECT_DOUBLE_EQ(value("kernels[_Z3addIfEvPT_].cycles"), 2);
    EXPECT_DOUBLE_EQ(value("launches[add].total.oracle"), 4);
    EXPECT_DOUBLE_EQ(value("max(kernels.*.cycles, 50) + min(active_lanes.*)"), 51);
    EXPECT_DOUBLE_EQ(value("mean(active_lanes[0..]) * count(kernels.*.cycles)"), 7.5);
    EXPECT_DOUBLE_EQ(value("sum(stats.empty.*)"), 0);
}

TEST(Formula, ErrorsPointIntoTheFormula) {
    EXPECT_EQ(error("totals.cycels"), "f.toml:3:17: the result has no 'cycels' here; did you mean 'cycles'?");
    EXPECT_EQ(error("1 +\ntotal"), "f.toml:4:1: the result has no 'total' here; did you mean 'totals'?");
    EXPECT_EQ(error("kernels[scam].cycles"),
              "f.toml:3:18: nothing is called 'scam' here; there are: add<float>, scan; did you mean 'scan'?");
    EXPECT_EQ(error("launches[scam].total.oracle"),
              "f.toml:3:19: nothing is called 'scam' here; there are: add<float>, scan; did you mean 'scan'?");
    EXPECT_EQ(error("active_lanes[4]"), "f.toml:3:23: [4] is beyond the list's 4 elements");
    EXPECT_EQ(error("1 / (totals.cycles - 8)"), "f.toml:3:12: divides by zero");
    EXPECT_EQ(error("kernels.*.cycles"),
              "f.toml:3:10: the path names 3 values; write sum(...), or max, min, mean, count");
    EXPECT_EQ(error("stats.x"), "f.toml:3:10: not a number, but an object; go on with .NAME or .*");
    EXPECT_EQ(error("active_lanes.sum"), "f.toml:3:23: a list; go on with [N] or .*");
    EXPECT_EQ(error("config.name.value"), "f.toml:3:10: not a number, but a text");
    EXPECT_EQ(error("none"), "f.toml:3:10: there is no value here: it is null");
    EXPECT_EQ(error("max(stats.empty.*)"), "f.toml:3:10: max of no values");
}

TEST(Formula, WhatCannotBeReadIsRefused) {
    EXPECT_EQ(error("smu(a)"),
              "f.toml:3:10: there is no function 'smu'; valid: sum, max, min, mean, count; did you mean 'sum'?");
    EXPECT_EQ(error("(1 + 2"), "f.toml:3:16: expected ')' before the formula ends");
    EXPECT_EQ(error("1 +"), "f.toml:3:13: a value is missing where the formula ends");
    EXPECT_EQ(error(""), "f.toml:3:10: a value is missing where the formula ends");
    EXPECT_EQ(error("1 2"), "f.toml:3:12: '2' is not expected here");
    EXPECT_EQ(error("a ? b"), "f.toml:3:12: '?' is not expected here");
    EXPECT_EQ(error("a[1"), "f.toml:3:12: '[' is not closed");
    EXPECT_EQ(error("a[]"), "f.toml:3:12: nothing stands between '[' and ']'");
    EXPECT_EQ(error("a[3..1]"), "f.toml:3:12: '3..1' is not a range; write 1..8 or 1..");
    EXPECT_EQ(error("a..b"), "f.toml:3:12: expected a name or '*'");
    const std::string deep(101, '('), long_one(10001, '1');
    EXPECT_EQ(error(deep + "1" + std::string(101, ')')), "f.toml:3:110: nested deeper than 100");
    EXPECT_EQ(error(long_one), "f.toml:3:10: a formula has at most 10000 characters, not 10001");
}

} // namespace
} // namespace heddle::experiment
