// Expected values are worked out by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/source.h"
#include "experiment/file.h"
#include "experiment/readings.h"
#include "scratch.h"

namespace heddle::experiment {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kHead = R"(
title = "P Figure 1: T"
machine = "loom.toml"
value = "totals.cycles"
programs = ["two"]
means = ["geometric mean"]
set = { loom.weave = "twill" }
[[setting]]
name = "wide"
set = { loom.shafts = 16 }
[[setting]]
name = "standard"
)";
constexpr const char* kShafts = R"(
[[reading]]
id = "shafts"
silent = "The number is not said."
default = "8"
because = "it is usual."
[[reading.alternative]]
name = "4"
why = "it is cheap."
set = { loom.shafts = 4 }
arguments = ["--few"]
)";

class ReadingsTest : public testing::Test {
protected:
    ReadingsTest() {
        scratch_.write("loom.toml", "name = \"loom\"\n[loom]\nshafts = 8\n");
    }
    [[nodiscard]] Experiment read(const std::string& text) const {
        Program program;
        program.name = program.run = "a";
        return read_experiment(scratch_.write("e.toml", text), {{"two", {program}}});
    }
    [[nodiscard]] Experiment read_with(const std::string& readings) const {
        return read(kHead + readings);
    }
    [[nodiscard]] std::string error(const std::string& text) const {
        try {
            (void)read_with(text);
        } catch (const UserError& e) {
            return e.what();
        }
        return "no error";
    }

    Scratch scratch_;
};

TEST_F(ReadingsTest, AnAlternativeGivesWayToTheSettingsOfTheFigure) {
    const Experiment e = read_with(kShafts);
    ASSERT_EQ(single_choices(e).size(), 1U);
    const Experiment made = with_choices(e, single_choices(e).front());
    EXPECT_EQ(made.id, "e~shafts=4");
    EXPECT_THAT(made.settings[0].settings, ElementsAre("loom.weave=twill", "loom.shafts=4", "loom.shafts=16"));
    EXPECT_THAT(made.settings[1].settings, ElementsAre("loom.weave=twill", "loom.shafts=4"));
    EXPECT_THAT(made.programs[0].arguments, ElementsAre("--few"));
}

TEST_F(ReadingsTest, VariantsAndMeans) {
    const Experiment e = read_with(R"(
[[reading]]
id = "branches"
silent = "The compiler is not said."
default = "selects"
because = "ours makes them."
[[reading.alternative]]
name = "branches"
why = "the ISA has no select."
variant = "branches"
[[reading.alternative]]
name = "ratio of means"
why = "the bars are IPC."
mean = "arithmetic mean"
)");
    const std::vector<Choices> singles = single_choices(e);
    ASSERT_EQ(singles.size(), 2U);
    EXPECT_EQ(with_choices(e, singles[0]).programs[0].variant, "branches");
    EXPECT_EQ(with_choices(e, singles[0]).programs[0].run, "a");
    EXPECT_EQ(with_choices(e, singles[1]).means[0].mean, Mean::arithmetic);
    EXPECT_EQ(with_choices(e, singles[1]).means[0].name, "geometric mean");
    EXPECT_EQ(name_of(e, singles[1]), "branches: ratio of means");
}

TEST_F(ReadingsTest, AnAlternativeOfSomePrograms) {
    Program a, b;
    a.name = a.run = "a";
    b.name = b.run = "b";
    b.variant = "branches";
    b.arguments = {"--size", "4"};
    const Experiment e = read_experiment(scratch_.write("e.toml", std::string(kHead) + R"(
[[reading]]
id = "branches of b"
silent = "The compiler is not said."
default = "kept"
because = "the ISA has no select."
[[reading.alternative]]
name = "selects"
why = "ours makes them."
programs = ["b"]
variant = "usual"
arguments = ["--single"]
)"),
                                         {{"two", {a, b}}});
    const Experiment made = with_choices(e, single_choices(e).front());
    EXPECT_THAT(made.programs[0].arguments, ElementsAre());
    EXPECT_THAT(made.programs[1].arguments, ElementsAre("--size", "4", "--single"));
    EXPECT_EQ(made.programs[1].variant, "");
}

TEST_F(ReadingsTest, AFileOfReadingsIsShared) {
    scratch_.write("readings.toml", kShafts);
    // A key of the whole file stands before its first table.
    const Experiment e = read("readings = \"readings.toml\"\n" + std::string(kHead));
    ASSERT_EQ(e.readings.size(), 1U);
    EXPECT_EQ(e.readings[0].id, "shafts");
    EXPECT_EQ(e.readings[0].standard, "8");
}

TEST_F(ReadingsTest, Errors) {
    EXPECT_THAT(error("[[reading]]\nid = \"x\"\n"), HasSubstr("a reading: 'silent' is missing"));
    EXPECT_THAT(error("[[reading]]\nid = \"x\"\n"), HasSubstr("a reading: 'alternative' is missing"));
    EXPECT_THAT(error(std::string(kShafts) + "[[reading.alternative]]\nname = \"6\"\nwhy = \"w\"\n"),
                HasSubstr("an alternative: changes nothing"));
    EXPECT_THAT(error(std::string(kShafts) + kShafts), HasSubstr("id: there is another reading 'shafts'"));
    EXPECT_THAT(
        error(std::string(kShafts) + "[[reading.alternative]]\nname = \"4\"\nwhy = \"w\"\narguments = [\"x\"]\n"),
        HasSubstr("name: '4' is there twice"));
    EXPECT_THAT(
        error(std::string(kShafts) + "[[reading.alternative]]\nname = \"6\"\nwhy = \"w\"\nset = { loom.shaft = 6 }\n"),
        HasSubstr("loom.shaft"));
    EXPECT_THAT(error(std::string(kShafts) + "mena = \"sum\"\n"), HasSubstr("mena"));
    EXPECT_THAT(error(std::string(kShafts) + "programs = [\"b\"]\n"), HasSubstr("programs: there is no program 'b'"));
}

report::Figure figure_with(std::optional<double> gain, std::optional<double> sign) {
    report::Figure out;
    out.published.push_back({"gain", "new", "old", "percent", "10", "", "", "", gain});
    out.published.push_back({"sign", "new", "old", "sign", "negative", "", "", "", sign});
    out.published.push_back({"best", "new", "", "word", "x", "y", "", "", {}}); // no number: no band
    return out;
}

class Bands : public ReadingsTest {
protected:
    Bands()
        : experiment_(read_with(std::string(kShafts) + R"([[reading.alternative]]
name = "6"
why = "w"
set = { loom.shafts = 6 }
[[reading]]
id = "weave"
silent = "S."
default = "twill"
because = "B."
[[reading.alternative]]
name = "plain"
why = "w"
set = { loom.weave = "plain" }
)")),
          singles_(single_choices(experiment_)) {}

    // Gains: 4 by default, 12 with shafts 4, 4.04 with shafts 6, 2 with weave plain.
    [[nodiscard]] std::vector<Band> bands() const {
        return bands_of(figure_with(4, 1), {{singles_[0], figure_with(12, 2)},
                                            {singles_[1], figure_with(4.04, 1)},
                                            {singles_[2], figure_with(2, 0.5)}});
    }

    Experiment experiment_;
    std::vector<Choices> singles_;
};

TEST_F(Bands, FromTheLowestToTheHighestValue) {
    const std::vector<Band> all = bands();
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[0].lowest(), 2);
    EXPECT_EQ(all[0].highest(), 12);
    EXPECT_EQ(all[0].published(), 10);
    EXPECT_EQ(all[0].inside(), "yes");
    EXPECT_EQ(name_of(experiment_, all[0].strongest()->choices), "shafts: 4");
    EXPECT_EQ(all[1].published(), std::nullopt);
    EXPECT_EQ(all[1].inside(), "no"); // no value is negative
}

TEST_F(Bands, OnlyWithoutValuesNothingIsInside) {
    const std::vector<Band> all = bands_of(figure_with(4, 1), {{singles_[0], figure_with({}, {})}});
    EXPECT_EQ(all[0].lowest(), 4);
    EXPECT_EQ(all[0].highest(), 4);
    EXPECT_EQ(all[0].inside(), "no");
    EXPECT_EQ(all[0].strongest(), nullptr);
}

// Shafts 6 moves no value by a fiftieth; shafts 4 and weave plain make the only pair.
TEST_F(Bands, PairsAreOfChoicesThatMoveAValue) {
    const std::vector<Choices> pairs = pairs_that_matter(bands());
    ASSERT_EQ(pairs.size(), 1U);
    EXPECT_EQ(name_of(experiment_, pairs[0]), "shafts: 4; weave: plain");
    EXPECT_EQ(with_choices(experiment_, pairs[0]).id, "e~shafts=4~weave=plain");
}

TEST_F(Bands, ChartsAndTables) {
    const std::vector<report::Figure> figures = band_figures(experiment_, bands());
    ASSERT_EQ(figures.size(), 3U); // percent, sign, and what each reading does to the gain
    EXPECT_EQ(figures[0].unit, "percent");
    EXPECT_THAT(figures[0].categories, ElementsAre("gain, new, old"));
    EXPECT_EQ(figures[0].series[0].values[0], 2);
    EXPECT_EQ(figures[0].series[1].values[0], 12);
    EXPECT_EQ(figures[0].series[3].values[0], 10);
    EXPECT_THAT(figures[2].categories, ElementsAre("shafts: 4", "weave: plain", "shafts: 6"));
    EXPECT_EQ(figures[2].series[0].values[1], 2);
    EXPECT_EQ(figures[2].series[1].values[1], 4);
    EXPECT_THAT(figures[0].remarks, ElementsAre("1 of 2 published values lie in the bands.",
                                                "gain, new, old: shafts: 4 makes 12.00 of 4.000.",
                                                "sign, new, old: shafts: 4 makes 2.000 of 1.000."));
    EXPECT_THAT(figures[2].remarks[0], HasSubstr("The number is not said."));
    EXPECT_THAT(bands_csv(experiment_, bands()), HasSubstr("e,gain,new,old,percent,10,shafts: 4,12\n"));
    EXPECT_THAT(bands_csv(experiment_, bands()), HasSubstr("e,gain,new,old,percent,10,,4\n"));
}

} // namespace
} // namespace heddle::experiment
