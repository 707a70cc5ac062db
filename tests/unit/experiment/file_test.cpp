#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/source.h"
#include "experiment/file.h"
#include "scratch.h"

namespace heddle::experiment {
namespace {

using testing::HasSubstr;

class ExperimentFile : public testing::Test {
protected:
    ExperimentFile() {
        scratch_.write("loom.toml", "name = \"loom\"\n[loom]\nshafts = 8\n");
    }

    // A complete file but for `text`.
    [[nodiscard]] Experiment read(const std::string& text) const {
        const ProgramSets sets{{"two", {named("a"), named("b")}}};
        return read_experiment(scratch_.write("e.toml", kHead + text), sets);
    }
    [[nodiscard]] std::string error(const std::string& text) const {
        try {
            (void)read(text);
        } catch (const UserError& e) {
            std::string message = e.what();
            const std::string folder = scratch_.path().string() + "/";
            for (std::size_t at = message.find(folder); at != std::string::npos; at = message.find(folder))
                message.erase(at, folder.size());
            return message;
        }
        return "no error";
    }
    static Program named(const std::string& name) {
        Program out;
        out.name = out.run = name;
        return out;
    }

    const std::string kHead =
        "title = \"T\"\nmachine = \"loom.toml\"\nvalue = \"totals.cycles\"\nprograms = [\"two\"]\n";
    Scratch scratch_;
};

TEST_F(ExperimentFile, WhatItSays) {
    const Experiment e = read(R"(
set = { loom.weave = "twill" }
kind = "lines"
sweep = { key = "loom.shafts", values = [2, 4] }
categories = "point"
reduce = { program = "geometric mean" }
relative = { to = "base", at = "2", as = "percent" }
[[setting]]
name = "base"
[[setting]]
name = "plain"
set = { "loom.weave" = "plain" }
arguments = ["--x"]
)");
    EXPECT_EQ(e.id, "e");
    EXPECT_EQ(e.kind, report::FigureKind::lines);
    ASSERT_EQ(e.settings.size(), 2U);
    EXPECT_EQ(e.settings[0].settings, std::vector<std::string>{"loom.weave=twill"});
    EXPECT_EQ(e.settings[1].settings, (std::vector<std::string>{"loom.weave=twill", "loom.weave=plain"}));
    EXPECT_EQ(e.settings[1].arguments, std::vector<std::string>{"--x"});
    ASSERT_EQ(e.points.size(), 2U);
    EXPECT_EQ(e.points[1].name, "4");
    EXPECT_EQ(e.points[1].settings, std::vector<std::string>{"loom.shafts=4"});
    EXPECT_EQ(e.programs.size(), 2U);
    ASSERT_TRUE(e.relative);
    EXPECT_EQ(e.relative->as, As::percent);
    EXPECT_EQ(e.reductions.at(0).mean, Mean::geometric);
}

TEST_F(ExperimentFile, TheToolThatRunsPrograms) {
    EXPECT_EQ(read("").tool, Tool::run);
    EXPECT_EQ(read("tool = \"oracle\"").tool, Tool::oracle);
    EXPECT_EQ(error("tool = \"oracel\""),
              "e.toml:5:8: tool: there is no 'oracel'; valid: run, oracle; did you mean 'oracle'?");
    EXPECT_THAT(error("tool = \"oracle\"\ncost = true"), HasSubstr("e.toml:5:8: tool: hardware cost runs no programs"));
    EXPECT_THAT(error("tool = \"oracle\"\nview = \"blocks\""),
                HasSubstr("e.toml:6:8: view: the oracle's results have no views"));
}

TEST_F(ExperimentFile, ABaseGivesWhatTheFileDoesNotSay) {
    scratch_.write("base.toml",
                   kHead +
                       "figure = \"8\"\npaper = \"P\"\n[[setting]]\nname = \"old\"\n[[published]]\nquantity = \"q\"\n");
    const Experiment e =
        read_experiment(scratch_.write("x.toml", "base = \"base.toml\"\ntitle = \"X\"\n[[setting]]\nname = \"new\"\n"),
                        {{"two", {named("a")}}});
    EXPECT_EQ(e.title, "X");
    EXPECT_EQ(e.settings.at(0).name, "new");
    EXPECT_EQ(e.id, "p-x");
    EXPECT_EQ(e.figures, std::vector<std::string>{"x"});
    EXPECT_TRUE(e.links.empty());
}

TEST_F(ExperimentFile, AFileIsNotItsOwnBase) {
    EXPECT_THAT(error("base = \"e.toml\""), HasSubstr("the file is its own base"));
    EXPECT_THAT(error("base = \"gone.toml\""), HasSubstr("e.toml:5:8: base: gone.toml: there is no such file"));
}

TEST_F(ExperimentFile, MisspeltKeysComeWithThePlaceAndTheNearest) {
    EXPECT_EQ(error("knid = \"table\""), "e.toml:5:1: an experiment: there is no key 'knid'; did you mean 'kind'?");
    EXPECT_EQ(error("[[setting]]\nnmae = \"x\""), "e.toml:5:1: a setting: 'name' is missing\ne.toml:6:1: a setting: "
                                                  "there is no key 'nmae'; did you mean 'name'?");
    EXPECT_EQ(
        error("kind = \"lnies\""),
        "e.toml:5:8: kind: there is no 'lnies'; valid: grouped bars, stacked bars, lines, heat map, spans, table; "
        "did you mean 'lines'?");
}

TEST_F(ExperimentFile, SettingsAreThoseOfTheMachine) {
    EXPECT_EQ(error("set = { loom.shafst = 2 }"),
              "e.toml:5:23: loom.shafst: there is no parameter 'loom.shafst'; did you mean 'loom.shafts'?");
    EXPECT_EQ(error("[[setting]]\nname = \"x\"\nset = { loom.shafts = 100 }"),
              "e.toml:7:23: loom.shafts: 100 is out of range; valid: 1..64");
    EXPECT_EQ(error("sweep = { key = \"loom.shafts\", values = [2, 99] }"),
              "e.toml:5:45: loom.shafts: 99 is out of range; valid: 1..64");
    EXPECT_THAT(error("[[point]]\nname = \"p\"\nmachine = \"none.toml\""),
                HasSubstr("none.toml: there is no such machine file"));
}

TEST_F(ExperimentFile, NamesThatAreNotThere) {
    EXPECT_EQ(error("relative = { to = \"bsae\" }\n[[setting]]\nname = \"base\""),
              "e.toml:5:19: to: there is no 'bsae'; valid: base; did you mean 'base'?");
    EXPECT_EQ(error("means = [\"geometrc mean\"]"),
              "e.toml:5:10: there is no mean 'geometrc mean'; valid: arithmetic mean, geometric "
              "mean, harmonic mean, sum, max, min; did you mean 'geometric mean'?");
    EXPECT_EQ(error("means = [{ mean = \"sum\", of = [\"c\"] }]"), "e.toml:5:31: of: there is no program 'c' here");
    EXPECT_EQ(error("[[setting]]\nname = \"x\"\n[[setting]]\nname = \"x\""), "e.toml:7:1: the name 'x' is there twice");
}

TEST_F(ExperimentFile, AllProblemsAtOnce) {
    const std::string all = error("knid = 1\nkind = 2\nreduce = { program = \"best\" }\nunit = 3");
    EXPECT_THAT(all, HasSubstr("e.toml:5:1: an experiment: there is no key 'knid'"));
    EXPECT_THAT(all, HasSubstr("e.toml:6:8: kind: expected a text in quotes, found a whole number"));
    EXPECT_THAT(all, HasSubstr("e.toml:7:22: reduce: the categories are the programs"));
    EXPECT_THAT(all, HasSubstr("e.toml:8:8: unit: expected a text in quotes"));
}

TEST_F(ExperimentFile, FormulasAndProgramsAndToml) {
    const auto whole = [&](const std::string& text) {
        try {
            (void)read_experiment(scratch_.write("w.toml", text), {{"two", {named("a")}}});
        } catch (const UserError& e) {
            return std::string(e.what());
        }
        return std::string();
    };
    EXPECT_THAT(whole("title = \"T\"\nvalue = \"1 +\"\nprograms = [\"two\"]\n"),
                HasSubstr("w.toml:2:13: a value is missing"));
    EXPECT_THAT(whole("value = \"1\"\nprograms = [\"tow\", \"two.z\"]\n"),
                testing::AllOf(HasSubstr("'title' is missing"), HasSubstr("there is no set 'tow'"),
                               HasSubstr("did you mean 'two'"), HasSubstr("set 'two' has no program 'z'")));
    EXPECT_THAT(whole("title = \"T\"\nvalue = \"1\"\n"), HasSubstr("'programs' is missing"));
    EXPECT_THAT(whole("title = \"T\"\nprograms = [\"two\"]\n"), HasSubstr("'value' is missing"));
    EXPECT_THAT(whole("title = \"T\nvalue"), HasSubstr("w.toml:1:"));
    EXPECT_THAT(whole("title = \"T\"\nvalue = \"1\"\nprograms = [\"two\", \"two\"]\n"),
                HasSubstr("two programs are called 'a'"));
}

TEST_F(ExperimentFile, SetsOfPrograms) {
    const auto sets = read_program_sets(scratch_.write("p.toml", R"(
s = [ { name = "x", arguments = ["--y"] }, { name = "k1", run = "x", kernel = "first" }, { run = "./own/prog" } ]
)"));
    const std::vector<Program>& s = sets.at("s");
    ASSERT_EQ(s.size(), 3U);
    EXPECT_EQ(s[0].run, "x");
    EXPECT_EQ(s[0].quick, std::vector<std::string>{"--quick"});
    EXPECT_EQ(s[1].kernel, "first");
    EXPECT_EQ(s[2].name, "prog");
    EXPECT_TRUE(s[2].quick.empty());
    EXPECT_THROW((void)read_program_sets(scratch_ / "none.toml"), UserError);
}

} // namespace
} // namespace heddle::experiment
