#include <fmt/format.h>
#include <fmt/ranges.h>
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

// The names of settings or points, with what each changes.
std::vector<std::string> described(const std::vector<Setting>& all) {
    std::vector<std::string> out;
    for (const Setting& one : all)
        out.push_back(
            fmt::format("{}: {}", one.name, fmt::join(one.settings.empty() ? one.arguments : one.settings, " ")));
    return out;
}

TEST_F(ExperimentFile, SweepsArePointsOfTheirProduct) {
    const Experiment e = read(R"(
[[sweep]]
key = "loom.shafts"
values = [2, 4]
[[sweep]]
key = "loom.weave"
values = ["plain", "twill"]
)");
    EXPECT_THAT(described(e.points), testing::ElementsAre("2, plain: loom.shafts=2 loom.weave=plain",
                                                          "2, twill: loom.shafts=2 loom.weave=twill",
                                                          "4, plain: loom.shafts=4 loom.weave=plain",
                                                          "4, twill: loom.shafts=4 loom.weave=twill"));
}

TEST_F(ExperimentFile, SweepsOfSeveralKeysOfArgumentsAndOfSettings) {
    const Experiment e = read(R"(
[[sweep]]
keys = ["loom.shafts", "loom.weave"]
values = [[2, "plain"], [4, "twill"]]
names = ["small", "large"]
as = "setting"
[[sweep]]
argument = "--size"
values = { from = 1, to = 8, times = 2 }
[[setting]]
name = "base"
)");
    EXPECT_THAT(described(e.settings), testing::ElementsAre("base, small: loom.shafts=2 loom.weave=plain",
                                                            "base, large: loom.shafts=4 loom.weave=twill"));
    EXPECT_THAT(described(e.points), testing::ElementsAre("1: --size 1", "2: --size 2", "4: --size 4", "8: --size 8"));
}

TEST_F(ExperimentFile, RangesOfValues) {
    const auto values = [&](const std::string& range) {
        std::string out;
        for (const Setting& point : read("sweep = { argument = \"-n\", values = " + range + " }").points)
            out += point.name + " ";
        return out;
    };
    EXPECT_EQ(values("{ from = 0, to = 10, step = 5 }"), "0 5 10 ");
    EXPECT_EQ(values("{ from = 3, to = 5 }"), "3 4 5 ");
    EXPECT_EQ(values("{ from = 0.5, to = 1, step = 0.25 }"), "0.5 0.75 1 ");
    EXPECT_EQ(values("{ from = 1000000, to = 3000000, times = 2 }"), "1000000 2000000 ");
    EXPECT_THAT(error("sweep = { argument = \"-n\", values = { from = 2, to = 1 } }"),
                HasSubstr("e.toml:5:37: a range: 'to' is less than 'from'"));
    EXPECT_THAT(error("sweep = { argument = \"-n\", values = { from = 1, to = 2, times = 1 } }"),
                HasSubstr("'times' is more than 1"));
    EXPECT_THAT(error("sweep = { argument = \"-n\", values = { from = 1, to = 1e9 } }"),
                HasSubstr("more than 100000 values"));
}

TEST_F(ExperimentFile, SweepsOfMachines) {
    scratch_.write("wide.toml", "name = \"wide\"\n[loom]\nshafts = 32\n");
    scratch_.write("m.toml", "title = \"T\"\nvalue = \"totals.cycles\"\nprograms = [\"two\"]\n"
                             "machines = [\"loom.toml\", \"wide.toml\"]\n[[point]]\nname = \"p\"\n");
    const Experiment e = read_experiment(scratch_ / "m.toml", {{"two", {named("a")}}});
    EXPECT_THAT(described(e.points), testing::ElementsAre("loom, p: ", "wide, p: "));
    EXPECT_EQ(e.points[1].machine, (scratch_ / "wide.toml").string());
    EXPECT_THAT(error("machines = [\"wide.toml\"]"), HasSubstr("machines: the file has a 'machine', too"));
}

TEST_F(ExperimentFile, MistakesInSweeps) {
    EXPECT_EQ(error("[[sweep]]\nkey = \"loom.shafst\"\nvalues = [1, 2, 3]"),
              "e.toml:6:7: key: there is no parameter 'loom.shafst'; did you mean 'loom.shafts'?");
    EXPECT_EQ(error("[[sweep]]\nkey = \"loom.shafts\"\nvalues = [1, 99]\n[[sweep]]\nkey = \"loom.weave\"\n"
                    "values = [\"plain\", \"twill\"]"),
              "e.toml:7:14: loom.shafts: 99 is out of range; valid: 1..64");
    EXPECT_EQ(error("[[sweep]]\nkeys = []\nvalues = [1]"), "e.toml:6:8: a sweep: nothing is named here");
    const std::string shafts = "[[sweep]]\nkey = \"loom.shafts\"\nvalues = [1, 2]\n";
    EXPECT_EQ(error(shafts + shafts), "e.toml:8:1: a sweep: loom.shafts is swept twice");
    EXPECT_EQ(error("[[sweep]]\nvalues = [1]"),
              "e.toml:5:1: a sweep: needs one of 'key', 'keys', 'argument' and 'machines'");
    EXPECT_EQ(error("[[sweep]]\nkeys = [\"loom.shafts\", \"loom.weave\"]\nvalues = [[1]]"),
              "e.toml:7:11: a sweep: expected a list of 2 values, one for each of 'keys'");
    EXPECT_EQ(error("[[sweep]]\nkey = \"loom.shafts\"\nvalues = [1, 2]\nnames = [\"one\"]"),
              "e.toml:8:9: names: there are 1 names of 2 values");
    EXPECT_EQ(error("[[sweep]]\nkey = \"loom.shafts\"\nvalues = [1, 1]"), "e.toml:7:14: the name '1' is there twice");
}

TEST_F(ExperimentFile, ConditionsAreCheckedAndLeaveOutMachinesThatCannotBe) {
    const std::string sweep = "[[sweep]]\nkey = \"loom.shafts\"\nvalues = [1, 99]";
    EXPECT_EQ(read("where = \"point == '1'\"\n" + sweep).conditions.size(), 1U);
    EXPECT_EQ(error("where = [\"program == 'c'\", \"loom.shafst == 1\"]"),
              "e.toml:5:22: there is no program 'c' here; valid: a, b\n"
              "e.toml:5:29: there is no parameter 'loom.shafst'; did you mean 'loom.shafts'?");
}

TEST_F(ExperimentFile, Seeds) {
    EXPECT_THAT(read("seeds = [7, 2]").seeds, testing::ElementsAre(7, 2));
    EXPECT_THAT(read("seeds = 3").seeds, testing::ElementsAre(1, 2, 3));
    EXPECT_THAT(error("seeds = 0"), HasSubstr("e.toml:5:9: seeds: a number of seeds is 1 to 1000"));
    EXPECT_THAT(error("seeds = [1, 1]"), HasSubstr("seeds: 1 is there twice"));
    EXPECT_THAT(error("seeds = [1.5]"), HasSubstr("seeds: 1.5 is no whole number from 0 up"));
    EXPECT_THAT(error("seeds = \"x\""), HasSubstr("seeds: expected a list of numbers"));
}

TEST_F(ExperimentFile, PatternsOfPrograms) {
    const auto programs = [&](const std::string& text) {
        const ProgramSets sets{{"one", {named("bfs"), named("sort")}}, {"two", {named("bfs"), named("black")}}};
        std::string out;
        const std::string file = "title = \"T\"\nvalue = \"1\"\nmachine = \"loom.toml\"\n" + text;
        try {
            for (const Program& program : read_experiment(scratch_.write("p.toml", file), sets).programs)
                out += program.name + " ";
        } catch (const UserError& e) {
            out = e.what();
        }
        return out;
    };
    EXPECT_EQ(programs("programs = [\"one.*\"]"), "bfs sort ");
    EXPECT_EQ(programs("programs = [\"*.b*\"]"), "one.bfs two.bfs black ");
    EXPECT_EQ(programs("programs = [\"one.b*\", \"one.*\"]"), "bfs sort ");
    EXPECT_EQ(programs("programs = [\"*.*\"]\nexclude = [\"two.bfs\", \"s*\"]"), "bfs black ");
    EXPECT_THAT(programs("programs = [\"one.x*\"]"),
                HasSubstr("p.toml:4:13: programs: no program of set 'one' fits 'x*'; there are: bfs, sort"));
    EXPECT_THAT(programs("programs = [\"x*.bfs\"]"), HasSubstr("programs: there is no set 'x*'; valid: one, two"));
    EXPECT_THAT(
        programs("programs = [\"one\"]\nexclude = [\"srot\"]"),
        HasSubstr("p.toml:5:12: exclude: no program here fits 'srot'; there are: bfs, sort; did you mean 'sort'?"));
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
