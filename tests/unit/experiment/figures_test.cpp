// Expected values are worked out by hand from the cycles and instructions of kResults.
#include <cmath>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/source.h"
#include "experiment/figures.h"
#include "experiment/grid.h"
#include "experiment/links.h"
#include "scratch.h"

namespace heddle::experiment {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Setting setting(const std::string& name) {
    Setting out;
    out.name = name;
    out.machine = "loom.toml";
    return out;
}

// Programs a, b and c under settings old and new: instructions are 100, cycles as below. c fails under new.
class Figures : public testing::Test {
protected:
    Figures() {
        scratch_.write("loom.toml", "name = \"loom\"\n");
        experiment_.id = "p-1";
        experiment_.paper = "P";
        experiment_.figures = {"1"};
        experiment_.file = scratch_ / "1.toml";
        for (const char* const name : {"a", "b"})
            add_program(name);
        experiment_.settings = {setting("old"), setting("new")};
        for (Setting& one : experiment_.settings) {
            one.machine = (scratch_ / "loom.toml").string();
            one.arguments = {one.name};
        }
        experiment_.points.emplace_back();
        experiment_.values.push_back({"", Formula("totals.thread_instructions / totals.cycles", "1.toml", {1, 1})});
        experiment_.means = {{"geometric mean", Mean::geometric, {}},
                             {"arithmetic mean", Mean::arithmetic, {}},
                             {"harmonic mean", Mean::harmonic, {}}};
    }

    void add_program(const std::string& name) {
        Program program;
        program.name = name;
        program.run = "./" + name;
        program.folder = scratch_.path();
        experiment_.programs.push_back(program);
        scratch_.write(name, "program " + name);
    }

    // Instructions a cycle: a 2 -> 8, b 4 -> 4, c 1 -> failed.
    [[nodiscard]] report::Figure evaluated(const std::vector<Published>& published = {}, const Notes& notes = {}) {
        const std::map<std::string, int> cycles{
            {"a old", 50}, {"a new", 12}, {"b old", 25}, {"b new", 25}, {"c old", 100}};
        const Plan plan({experiment_}, {});
        Sources sources;
        sources.result = [&](const experiment::Run& run) {
            const std::string name = run.program.filename().string() + " " + run.arguments.at(0);
            const auto at = cycles.find(name);
            if (at == cycles.end())
                return StoredRun{run.key, "v", "it fell over", "", 0, ""};
            const int instructions = name == "a new" ? 96 : 100;
            return StoredRun{run.key,
                             "v",
                             "",
                             "",
                             0,
                             fmt::format(R"({{"kernels": [{{"name": "k", "timed": true, "cycles": {1}}}],
                                 "totals": {{"thread_instructions": {0}, "cycles": {1}}}}})",
                                         instructions, at->second)};
        };
        return evaluate(experiment_, plan, sources, published, notes).at(0);
    }

    Scratch scratch_;
    Experiment experiment_;
};

std::vector<double> numbers(const report::Series& series) {
    std::vector<double> out;
    for (const auto& value : series.values)
        out.push_back(value.value_or(NAN));
    return out;
}

testing::Matcher<std::vector<double>> are(const std::vector<double>& expected) {
    return testing::Pointwise(testing::DoubleNear(1e-12), expected);
}

TEST(MeanOf, ByHand) {
    const std::vector<double> values{1, 4, 4};
    EXPECT_DOUBLE_EQ(*mean_of(Mean::arithmetic, values), 3);
    EXPECT_NEAR(*mean_of(Mean::geometric, values), std::cbrt(16.0), 1e-12);
    EXPECT_DOUBLE_EQ(*mean_of(Mean::harmonic, values), 2); // 3 / (1 + 1/4 + 1/4)
    EXPECT_DOUBLE_EQ(*mean_of(Mean::sum, values), 9);
    EXPECT_DOUBLE_EQ(*mean_of(Mean::max, values), 4);
    EXPECT_DOUBLE_EQ(*mean_of(Mean::min, values), 1);
    EXPECT_FALSE(mean_of(Mean::geometric, std::vector<double>{1, 0}));
    EXPECT_FALSE(mean_of(Mean::arithmetic, {}));
}

TEST_F(Figures, ProgramsAreCategoriesAndMeansTheLast) {
    const report::Figure figure = evaluated();
    EXPECT_THAT(figure.categories, ElementsAre("a", "b", "geometric mean", "arithmetic mean", "harmonic mean"));
    ASSERT_EQ(figure.series.size(), 2U);
    EXPECT_EQ(figure.series[1].name, "new");
    // old: sqrt(2 x 4), (2 + 4) / 2, 2 / (1/2 + 1/4); new: sqrt(8 x 4), 6, 2 / (1/8 + 1/4)
    EXPECT_THAT(numbers(figure.series[0]), are({2, 4, std::sqrt(8.0), 3, 8.0 / 3}));
    EXPECT_THAT(numbers(figure.series[1]), are({8, 4, std::sqrt(32.0), 6, 16.0 / 3}));
}

TEST_F(Figures, GainsAreMeansOfRatiosInPercent) {
    experiment_.relative = Relative{"old", "", As::percent};
    const report::Figure figure = evaluated();
    // ratios 4 and 1: 2, 2.5 and 2 / (1/4 + 1) = 1.6
    EXPECT_THAT(numbers(figure.series[1]), are({300, 0, 100, 150, 60}));
    EXPECT_THAT(numbers(figure.series[0]), testing::Each(0));
}

TEST_F(Figures, AProgramThatFailsIsLeftOutOfAllMeans) {
    add_program("c");
    const report::Figure figure = evaluated();
    EXPECT_EQ(figure.series[0].values[2], 1);
    EXPECT_FALSE(figure.series[1].values[2]);
    EXPECT_DOUBLE_EQ(*figure.series[0].values[4], 3);
    EXPECT_THAT(figure.remarks, ElementsAre("Means are without c, of which not all runs have a value.",
                                            "No value of c: c, new: it fell over"));
}

TEST_F(Figures, AFormulaThatFindsNothingIsARemark) {
    experiment_.values[0].formula = Formula("totals.cycels", "1.toml", {7, 10});
    EXPECT_THAT(evaluated().remarks,
                ElementsAre("No value of a, b: 1.toml:7:17: the result has no 'cycels' here; did you mean 'cycles'?"));
}

// Orders 0 1 2, 0 2 1, 0 2 1, 1 0 2; then 3 has come for 0, which is no change of order.
TEST(Links, ChangesAreThoseOfTheFirstMembers) {
    report::Figure figure;
    figure.categories = {"1000", "2000", "3000", "4000", "5000"};
    figure.series.resize(3);
    figure.series[0].values = {0, 0, 0, 1, 1};
    figure.series[1].values = {1, 2, 2, 0, 3};
    figure.series[2].values = {2, 1, 1, 2, 2};
    Link link;
    link.take = Take::changes;
    EXPECT_EQ(compare_with({"P", "1", "order changes", "", "", "7", "changes"}, link, figure, {}).ours, "2");
}

TEST_F(Figures, PublishedRowsStandBesideOurs) {
    Link gain;
    gain.figure = "1";
    gain.quantity = "mean gain";
    gain.subject = "{series}";
    gain.versus = "old";
    gain.series = "{series}";
    gain.category = "geometric mean";
    gain.base_series = "old";
    gain.as = As::percent;
    Link best;
    best.figure = "1";
    best.quantity = "best";
    best.subject = best.versus = "{any}";
    best.take = Take::name_of_max;
    best.category = "arithmetic mean";
    Link sign = gain;
    sign.quantity = "sign";
    Link above;
    above.figure = "1";
    above.quantity = "above 3";
    above.subject = above.versus = "{any}";
    above.series = "old";
    above.take = Take::count_above;
    above.limit = 3;
    experiment_.links = {gain, best, sign, above};
    const std::vector<Published> rows{{"P", "1", "mean gain", "new", "old", "90", "percent"},
                                      {"P", "1", "best", "all", "", "old", "name"},
                                      {"P", "1", "sign", "new", "old", "negative", "sign"},
                                      {"P", "1", "above 3", "old", "", "2", "of 2"},
                                      {"Q", "1", "mean gain", "new", "old", "5", "percent"}};
    Notes notes;
    notes.figures["p-1"] = {"A paragraph."};
    notes.rows["p-1"]["mean gain, new, old"] = "Why.";
    const report::Figure figure = evaluated(rows, notes);
    ASSERT_EQ(figure.published.size(), 4U);
    EXPECT_EQ(figure.published[0].ours, "100.0");
    EXPECT_EQ(figure.published[0].difference, "+10.0 points");
    EXPECT_EQ(figure.published[0].note, "Why.");
    EXPECT_EQ(figure.published[1].ours, "new");
    EXPECT_EQ(figure.published[1].difference, "differs");
    EXPECT_EQ(figure.published[2].ours, "positive");
    EXPECT_EQ(figure.published[2].difference, "sign differs");
    EXPECT_EQ(figure.published[3].ours, "1");
    EXPECT_EQ(figure.published[3].difference, "x 0.50");
    EXPECT_THAT(figure.notes, ElementsAre("A paragraph."));
    // The gain is drawn where new would be with 90 % over old; the other numbers are of no cell, or have no size.
    ASSERT_TRUE(figure.published[0].mark);
    const report::PublishedMark& mark = *figure.published[0].mark;
    EXPECT_EQ(mark.series, 1U);
    EXPECT_EQ(figure.categories[mark.category], "geometric mean");
    EXPECT_DOUBLE_EQ(mark.value, 1.9 * *figure.series[0].values[mark.category]);
    for (const std::size_t row : {1U, 2U, 3U})
        EXPECT_FALSE(figure.published[row].mark) << row;
    EXPECT_FALSE(not_measured("P", {experiment_}, rows, notes));
    EXPECT_EQ(not_measured("Q", {experiment_}, rows, notes)->published.size(), 1U);
}

TEST_F(Figures, NotesAreOfTheRowsThatStandAboveThem) {
    const Notes notes = read_notes(scratch_.write("N.md", R"(# Title

Of no figure.

## p-1

Of the figure.

### a, x
### a, y, z

First,
of two rows.

Second.

### a, w

Of one.

## p-2

Of another.
)"));
    EXPECT_EQ(notes.figures.at("p-1"), std::vector<std::string>{"Of the figure."});
    EXPECT_EQ(notes.figures.at("p-2"), std::vector<std::string>{"Of another."});
    const std::map<std::string, std::string, std::less<>> rows(notes.rows.at("p-1").begin(),
                                                               notes.rows.at("p-1").end());
    EXPECT_EQ(rows.at("a, x"), "First, of two rows. Second.");
    EXPECT_EQ(rows.at("a, y, z"), rows.at("a, x"));
    EXPECT_EQ(rows.at("a, w"), "Of one.");
    EXPECT_EQ(rows.size(), 3U);
}

TEST_F(Figures, LinksThatLeadNowhereAreRefused) {
    Link link;
    link.where = "1.toml:9:1";
    link.figure = "1";
    link.quantity = "mean gain";
    link.subject = link.versus = "{any}";
    link.series = "nwe";
    link.category = "a";
    experiment_.links = {link};
    try {
        check_links({experiment_}, {{"P", "1", "mean gain", "new", "", "1", "x"}}, {});
        FAIL();
    } catch (const UserError& e) {
        EXPECT_STREQ(e.what(), "1.toml:9:1: the figure has no series 'nwe'; it has: old, new; did you mean 'new'?");
    }
    EXPECT_THROW(check_links({experiment_}, {}, {}), UserError);
}

TEST_F(Figures, TheBestPointIsOneOfTheMean) {
    Grid grid(experiment_);
    EXPECT_EQ(grid.size(Axis::point), 1U);
    experiment_.points = {setting("1"), setting("2")};
    grid = Grid(experiment_);
    // old: point 1 has 1 and 9 (mean 3), point 2 has 2 and 8 (mean 4); new: point 1 has 5 and 5, point 2 has 1 and 6
    const double values[2][2][2] = {{{1, 2}, {5, 1}}, {{9, 8}, {5, 6}}};
    for (std::size_t p = 0; p < 2; ++p)
        for (std::size_t s = 0; s < 2; ++s)
            for (std::size_t x = 0; x < 2; ++x)
                grid.at({p, s, x, 0}) = values[p][s][x];
    std::vector<std::string> remarks;
    grid.keep_points(grid.best_points(remarks));
    EXPECT_EQ(grid.at({0, 0, 0, 0}), 2);
    EXPECT_EQ(grid.at({1, 0, 0, 0}), 8);
    EXPECT_EQ(grid.at({1, 1, 0, 0}), 5);
    EXPECT_THAT(remarks, ElementsAre("Best of old: 2.", "Best of new: 1."));
}

// ORACLE.json has launches where RESULT.json has kernels; none of them is timed.
TEST_F(Figures, OracleResults) {
    experiment_.tool = Tool::oracle;
    experiment_.means = {};
    experiment_.programs[0].kernel = "k";
    experiment_.values = {{"", Formula("sum(kernel.*.total.pdom) / sum(kernel.*.total.oracle)", "1.toml", {1, 1})}};
    const Plan plan({experiment_}, {});
    EXPECT_EQ(plan.runs().at(0).tool, Tool::oracle);
    Sources sources;
    sources.result = [](const experiment::Run& run) {
        return StoredRun{run.key, "v", "", "", 0, R"({"launches": [
            {"kernel": "k", "total": {"pdom": 12, "oracle": 6}}, {"kernel": "l", "total": {"pdom": 9, "oracle": 8}}]})"};
    };
    // a has its kernel k alone: 12 / 6; b both: 21 / 14.
    EXPECT_THAT(numbers(evaluate(experiment_, plan, sources, {}, {}).at(0).series.at(0)), are({2, 1.5}));

    sources.result = [](const experiment::Run& run) {
        return StoredRun{run.key, "v", "", "", 0, R"({"kernels": []})"};
    };
    EXPECT_THAT(evaluate(experiment_, plan, sources, {}, {}).at(0).remarks,
                testing::Contains(HasSubstr("the stored result is no ORACLE.json")));
}

// A run's key: what it depends on changes it, and nothing else does.
TEST_F(Figures, KeysFollowContent) {
    const auto key = [&] { return Plan({experiment_}, {}).runs().at(0).key; };
    const std::string before = key();
    EXPECT_EQ(key(), before);
    experiment_.title = "another";
    EXPECT_EQ(key(), before);
    experiment_.tool = Tool::oracle;
    EXPECT_NE(key(), before);
    experiment_.tool = Tool::run;
    experiment_.settings[0].settings = {"loom.shafts=4"}; // its default
    EXPECT_EQ(key(), before);
    experiment_.settings[0].settings = {"loom.shafts=5"};
    EXPECT_NE(key(), before);
    experiment_.settings[0].settings = {};
    experiment_.programs[0].arguments = {"data"};
    const std::string with_argument = key();
    EXPECT_NE(with_argument, before);
    scratch_.write("data", "some");
    const std::string with_file = key();
    EXPECT_NE(with_file, with_argument);
    scratch_.write("data", "other");
    EXPECT_NE(key(), with_file);
    experiment_.programs[0].arguments = {};
    scratch_.write("a", "another program");
    EXPECT_NE(key(), before);
}

} // namespace
} // namespace heddle::experiment
