// Figures of seeds and of conditions. Expected values are worked out by hand from the cycles below.
#include <cmath>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiment/figures.h"
#include "scratch.h"

namespace heddle::experiment {
namespace {

using testing::ElementsAre;

// Programs a and b under settings old and new, at points of 4 and 8 shafts; the value is the number of cycles.
class SweepFigures : public testing::Test {
protected:
    SweepFigures() {
        const std::string machine = scratch_.write("loom.toml", "name = \"loom\"\n").string();
        experiment_.id = "e";
        experiment_.values.push_back({"", Formula("totals.cycles", "e.toml", {1, 1})});
        experiment_.means = {{"arithmetic mean", Mean::arithmetic, {}}};
        for (const char* const name : {"a", "b"}) {
            Program& program = experiment_.programs.emplace_back();
            program.name = name;
            program.run = fmt::format("./{}", name);
            program.folder = scratch_.path();
            scratch_.write(name, name);
        }
        for (const char* const name : {"old", "new"}) {
            Setting& setting = experiment_.settings.emplace_back();
            setting.name = name;
            setting.machine = machine;
            setting.arguments = {name};
        }
        experiment_.points.emplace_back();
    }

    void add_condition(const std::string& text) {
        experiment_.conditions.emplace_back(text, "e.toml", Position{1, 1});
    }

    // `cycles` by program and arguments, "a old --seed 3"; a run that is not there has failed.
    [[nodiscard]] report::Figure evaluated(const std::map<std::string, double>& cycles) const {
        const Plan plan({experiment_}, {});
        Sources sources;
        sources.result = [&](const experiment::Run& run) {
            std::string name = run.program.filename().string();
            for (const std::string& argument : run.arguments)
                name += " " + argument;
            const auto at = cycles.find(name);
            return at == cycles.end()
                       ? StoredRun{run.key, "v", "it fell over", "", 0, ""}
                       : StoredRun{
                             run.key, "v", "",
                             "",      0,   fmt::format(R"({{"kernels": [], "totals": {{"cycles": {}}}}})", at->second)};
        };
        return evaluate(experiment_, plan, sources, {}, {}).at(0);
    }

    Scratch scratch_;
    Experiment experiment_;
};

TEST_F(SweepFigures, ValuesAreMeansOverSeedsWithTheirSpread) {
    experiment_.seeds = {1, 3};
    experiment_.relative = Relative{"old", "", As::ratio};
    const report::Figure figure = evaluated({{"a old --seed 1", 10},
                                             {"a old --seed 3", 20},
                                             {"a new --seed 1", 5},
                                             {"a new --seed 3", 4},
                                             {"b old --seed 1", 10},
                                             {"b old --seed 3", 10},
                                             {"b new --seed 1", 20},
                                             {"b new --seed 3", 10}});
    // The ratios of a are 1/2 and 1/5, of b 2 and 1; their means 1.25 and 0.6.
    const report::Series& series = figure.series.at(1);
    ASSERT_EQ(series.spread.size(), 3U);
    const double expected[3][4] = {{0.35, 0.3, 0.2, 0.5}, {1.5, 1, 1, 2}, {0.925, 0.65, 0.6, 1.25}};
    for (std::size_t c = 0; c < 3; ++c) {
        EXPECT_NEAR(*series.values[c], expected[c][0], 1e-12);
        EXPECT_NEAR(series.spread[c]->deviation, expected[c][1] / std::sqrt(2.0),
                    1e-12); // of two: difference / sqrt(2)
        EXPECT_NEAR(series.spread[c]->minimum, expected[c][2], 1e-12);
        EXPECT_NEAR(series.spread[c]->maximum, expected[c][3], 1e-12);
    }
    EXPECT_THAT(figure.remarks, ElementsAre("Means over 2 seeds (1, 3), ± the standard deviation of the sample."));
}

TEST_F(SweepFigures, AValueThatASeedLacksIsMissing) {
    experiment_.seeds = {1, 3};
    const report::Figure figure = evaluated({{"a old --seed 1", 1},
                                             {"a old --seed 3", 2},
                                             {"a new --seed 1", 3},
                                             {"a new --seed 3", 5},
                                             {"b old --seed 1", 7},
                                             {"b old --seed 3", 7},
                                             {"b new --seed 1", 9}});
    EXPECT_THAT(figure.series.at(1).values, ElementsAre(4, std::nullopt, 4));
    EXPECT_FALSE(figure.series.at(1).spread.at(1));
    EXPECT_THAT(figure.series.at(0).values, ElementsAre(1.5, 7, 1.5));
    EXPECT_THAT(figure.remarks, ElementsAre("Means are without b, of which not all runs have a value.",
                                            "Means over 2 seeds (1, 3), ± the standard deviation of the sample.",
                                            "No value of b: b, new, seed 3: it fell over"));
}

TEST_F(SweepFigures, WhatIsLeftOutForAllProgramsIsNotMissing) {
    experiment_.points.clear();
    for (const char* const shafts : {"4", "8"}) {
        Setting& point = experiment_.points.emplace_back();
        point.name = shafts;
        point.settings = {fmt::format("loom.shafts={}", shafts)};
        point.arguments = {shafts};
    }
    add_condition("setting == 'old' or loom.shafts > 4");
    const report::Figure figure =
        evaluated({{"a old 4", 1}, {"a old 8", 2}, {"a new 8", 3}, {"b old 4", 5}, {"b old 8", 6}, {"b new 8", 7}});
    ASSERT_EQ(figure.series.size(), 4U); // old 4, old 8, new 4, new 8
    EXPECT_THAT(figure.series[0].values, ElementsAre(1, 5, 3));
    EXPECT_THAT(figure.series[2].values, ElementsAre(std::nullopt, std::nullopt, std::nullopt));
    EXPECT_THAT(figure.series[3].values, ElementsAre(3, 7, 5));
    EXPECT_THAT(figure.remarks,
                ElementsAre("2 combinations are left out by where = setting == 'old' or loom.shafts > 4."));
}

TEST_F(SweepFigures, AProgramThatIsLeftOutIsInNoMean) {
    add_condition("program == 'a' or setting == 'old'");
    const report::Figure figure = evaluated({{"a old", 1}, {"a new", 3}, {"b old", 5}});
    EXPECT_THAT(figure.series.at(0).values, ElementsAre(1, 5, 1));
    EXPECT_THAT(figure.series.at(1).values, ElementsAre(3, std::nullopt, 3));
    EXPECT_THAT(figure.remarks,
                ElementsAre("Means are without b, of which not all runs have a value.",
                            "1 combination is left out by where = program == 'a' or setting == 'old'."));
}

TEST_F(SweepFigures, TheBestPointIsThatOfTheMeanOverSeeds) {
    experiment_.seeds = {1, 2};
    experiment_.settings.pop_back();
    experiment_.programs.pop_back();
    experiment_.points.clear();
    for (const char* const name : {"x", "y"}) {
        experiment_.points.emplace_back().name = name;
        experiment_.points.back().arguments = {name};
    }
    experiment_.reductions = {{Axis::point, std::nullopt}};
    experiment_.means = {};
    // Of seed 1 it would be x, of seed 2 y: the means are 5 and 6.
    const report::Figure figure =
        evaluated({{"a old x --seed 1", 8}, {"a old x --seed 2", 2}, {"a old y --seed 1", 5}, {"a old y --seed 2", 7}});
    EXPECT_THAT(figure.series.at(0).values, ElementsAre(6));
    EXPECT_EQ(figure.remarks.at(0), "Best of old: y.");
}

TEST_F(SweepFigures, SeedsAreArgumentsAndCombinationsRunOnce) {
    experiment_.seeds = {1, 2};
    experiment_.programs[1].seed = "";
    add_condition("setting == 'old'");
    const Plan plan({experiment_}, {});
    std::vector<std::string> labels;
    for (const experiment::Run& run : plan.runs())
        labels.push_back(run.label);
    EXPECT_THAT(labels, ElementsAre("a, old, seed 1", "a, old, seed 2", "b, old"));
    EXPECT_THAT(plan.runs()[1].arguments, ElementsAre("old", "--seed", "2"));
    EXPECT_EQ(plan.run_of(experiment_, 1, 0, 0, 0), plan.run_of(experiment_, 1, 0, 0, 1));
    EXPECT_EQ(plan.run_of(experiment_, 0, 1, 0, 0), nullptr);
    EXPECT_THAT(plan.runs()[2].arguments, ElementsAre("old"));
}

} // namespace
} // namespace heddle::experiment
