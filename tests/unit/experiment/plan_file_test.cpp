#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/source.h"
#include "experiment/plan.h"
#include "experiment/plan_file.h"
#include "scratch.h"

namespace heddle::experiment {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

experiment::Run planned(const std::string& key) {
    experiment::Run run;
    run.key = key;
    run.label = "a \"label\", pdom";
    run.program = "/bin/program";
    run.arguments = {"--size", "64", "ä b"};
    run.inputs = {{"data.txt", "0123"}};
    run.folder = "/somewhere";
    run.machine = "gtx480";
    run.settings = {"dcache.size=32KiB"};
    run.sample = 100;
    run.expected = {2.5, 300};
    return run;
}

std::string error_of(const std::filesystem::path& file, LineRange range = {}) {
    try {
        (void)read_plan(file, range);
    } catch (const UserError& e) {
        return e.what();
    }
    return "no error";
}

TEST(PlanFile, LinesAreReadAsTheyWereWritten) {
    const Scratch scratch;
    std::ofstream(scratch / "p") << plan_text(std::vector<experiment::Run>{planned("a"), planned("b"), planned("c")},
                                              "v1");
    const std::vector<PlannedRun> all = read_plan(scratch / "p", {});
    ASSERT_EQ(all.size(), 3U);
    const experiment::Run& run = all[1].run;
    EXPECT_EQ(all[1].version, "v1");
    EXPECT_EQ(run.key, "b");
    EXPECT_EQ(run.label, "a \"label\", pdom");
    EXPECT_THAT(run.arguments, ElementsAre("--size", "64", "ä b"));
    EXPECT_EQ(run.inputs[0].file, "data.txt");
    EXPECT_EQ(run.inputs[0].digest, "0123");
    EXPECT_EQ(run.folder, "/somewhere");
    EXPECT_THAT(run.settings, ElementsAre("dcache.size=32KiB"));
    EXPECT_EQ(run.sample, 100U);
    EXPECT_EQ(run.expected.seconds, 2.5);
    EXPECT_EQ(run.expected.megabytes, 300);
    const std::vector<PlannedRun> part = read_plan(scratch / "p", {2, 3});
    ASSERT_EQ(part.size(), 2U);
    EXPECT_EQ(part[0].run.key, "b");
}

TEST(PlanFile, MistakesAreReportedWithTheirLine) {
    const Scratch scratch;
    std::string text = plan_text(std::vector<experiment::Run>{planned("a"), planned("b")}, "v1");
    std::ofstream(scratch / "cut") << text.substr(0, text.size() - 20);
    EXPECT_THAT(error_of(scratch / "cut"), HasSubstr("cut:2: not a planned run"));
    EXPECT_EQ(error_of(scratch / "cut", {1, 1}), "no error");
    std::ofstream(scratch / "p") << text;
    EXPECT_THAT(error_of(scratch / "p", {3, 3}), HasSubstr("there is no line 3; the plan has 2 runs"));
    EXPECT_THAT(error_of(scratch / "none"), HasSubstr("there is no such plan"));
}

TEST(PlanFile, AChangedProgramOrInputIsReported) {
    const Scratch scratch;
    std::ofstream(scratch / "program") << "one";
    std::ofstream(scratch / "data") << "two";
    experiment::Run run = planned("a");
    run.program = scratch / "program";
    run.folder = (scratch / "").parent_path();
    run.program_digest = digest("one");
    run.inputs = {{"data", digest("two")}};
    EXPECT_EQ(changed_since(run), "");
    std::ofstream(scratch / "data") << "three";
    EXPECT_THAT(changed_since(run), HasSubstr("data: the file has changed"));
    std::ofstream(scratch / "program") << "four";
    EXPECT_THAT(changed_since(run), HasSubstr("program: not the program"));
}

} // namespace
} // namespace heddle::experiment
