#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiment/condition.h"

namespace heddle::experiment {
namespace {

using testing::HasSubstr;

bool holds(const std::string& text) {
    const std::map<std::string, std::string> values{
        {"loom.shafts", "8"}, {"loom.weave", "twill"}, {"program", "bfs"}, {"argument[--size]", "4096"}};
    return Condition(text, "e.toml", {1, 1}).holds([&](const std::string& name) {
        const auto at = values.find(name);
        return at == values.end() ? std::nullopt : std::optional(at->second);
    });
}

std::string error_in(const std::string& text) {
    try {
        Condition(text, "e.toml", {3, 10}).check({{"bfs", "sort"}, {"rr"}, {"64"}, {"loom"}});
    } catch (const UserError& e) {
        return e.what();
    }
    return "no error";
}

TEST(Condition, Comparisons) {
    EXPECT_TRUE(holds("loom.shafts == 8"));
    EXPECT_FALSE(holds("loom.shafts != 8"));
    EXPECT_TRUE(holds("loom.shafts < 9 and loom.shafts <= 8 and loom.shafts > 7 and loom.shafts >= 8"));
    EXPECT_TRUE(holds("10 > loom.shafts")); // as numbers: as texts it would not
    EXPECT_TRUE(holds("loom.weave == 'twill'"));
    EXPECT_TRUE(holds("loom.weave != \"plain\""));
    EXPECT_TRUE(holds("argument[--size] >= loom.shafts * 512"));
    EXPECT_FALSE(holds("argument[--size] > (loom.shafts + 0) * 512"));
    EXPECT_TRUE(holds("-loom.shafts/2==-4"));
}

TEST(Condition, AndBindsMoreThanOr) {
    EXPECT_TRUE(holds("program == 'bfs' or program == 'sort' and loom.shafts == 1"));
    EXPECT_FALSE(holds("(program == 'bfs' or program == 'sort') and loom.shafts == 1"));
    EXPECT_FALSE(holds("not program == 'bfs'"));
    EXPECT_TRUE(holds("not (program == 'sort' or not loom.shafts == 8)"));
}

TEST(Condition, ANameWithoutAValueEqualsNothing) {
    EXPECT_FALSE(holds("argument[--n] == 1"));
    EXPECT_FALSE(holds("argument[--n] != 1"));
    EXPECT_TRUE(holds("not argument[--n] == 1"));
    EXPECT_FALSE(holds("loom.shafts / 0 == 1"));
}

TEST(Condition, MistakesComeWithTheirPlace) {
    EXPECT_EQ(error_in("loom.shafts == 8 and program == 'bfs'"), "no error");
    EXPECT_EQ(error_in("loom.shafst == 8"),
              "e.toml:3:10: there is no parameter 'loom.shafst'; did you mean 'loom.shafts'?");
    EXPECT_EQ(error_in("loom.shafts == 8 or program == 'bsf'"),
              "e.toml:3:41: there is no program 'bsf' here; valid: bfs, sort; did you mean 'bfs'?");
    EXPECT_THAT(error_in("loom.weave == 'twil'"),
                HasSubstr("e.toml:3:24: unknown value 'twil'; valid: plain, twill; did you mean 'twill'?"));
    EXPECT_EQ(error_in("loom.weave < 'twill'"), "e.toml:3:21: loom.weave is no number: compare it by == or !=");
    EXPECT_THAT(error_in("loom.weave == twill"),
                HasSubstr("e.toml:3:24: there is no parameter 'twill'; a text stands in quotes"));
    EXPECT_THAT(error_in("loom.shafts"), HasSubstr("e.toml:3:21: expected a comparison: =="));
    EXPECT_THAT(error_in("loom.shafts ="), HasSubstr("expected a comparison"));
    EXPECT_THAT(error_in("loom.shafts == "), HasSubstr("a value is missing where the condition ends"));
    EXPECT_THAT(error_in("loom.weave == 'twill"), HasSubstr("the text is not closed by '"));
    EXPECT_THAT(error_in("(loom.shafts == 8"), HasSubstr("expected ')' before the condition ends"));
    EXPECT_THAT(error_in("loom.shafts == 8 loom"), HasSubstr("'l' is not expected here; conditions are joined by"));
    EXPECT_THAT(error_in("sum(loom.shafts) == 8"), HasSubstr("functions are not for conditions"));
    EXPECT_THAT(error_in("loom.* == 8"), HasSubstr("'*' is not for conditions"));
    EXPECT_THAT(error_in(std::string(1000, '(')), HasSubstr("e.toml:"));
    std::string nested;
    for (int i = 0; i < 200; ++i)
        nested += "not ";
    EXPECT_THAT(error_in(nested + "loom.shafts == 8"), HasSubstr("nested deeper than 100"));
}

} // namespace
} // namespace heddle::experiment
