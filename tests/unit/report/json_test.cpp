#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "base/source.h"
#include "report/json.h"
#include "report/summary.h"
#include "sample.h"
#include "sample_profile.h"

namespace heddle::report::test {
namespace {

// 0: valid, 1: not valid, 2: the checker is not installed.
int check_schema(const std::string& name, const std::string& text) {
    const std::filesystem::path file =
        std::filesystem::temp_directory_path() / ("heddle-report-" + std::to_string(std::rand()) + name);
    std::ofstream(file) << text;
    const std::string command = std::string("python3 ") + HEDDLE_SOURCE_DIR + "/tests/cli/check_schema.py " +
                                HEDDLE_SOURCE_DIR + "/schema/result.schema.json " + file.string();
    const int status = std::system(command.c_str());
    std::filesystem::remove(file);
    return status / 256;
}

TEST(Json, Totals) {
    const auto json = nlohmann::json::parse(to_json(sample_run()));
    EXPECT_EQ(json.at("program"), "sample");
    EXPECT_EQ(json.at("machine"), "lwm11");
    EXPECT_EQ(json.at("status"), "complete");
    EXPECT_TRUE(json.at("error").is_null());
    EXPECT_EQ(json.at("totals").at("cycles"), 30);
    EXPECT_EQ(json.at("totals").at("warp_instructions"), 18);
    EXPECT_EQ(json.at("totals").at("thread_instructions"), 33);
    EXPECT_DOUBLE_EQ(json.at("totals").at("ipc"), 1.1);
    EXPECT_EQ(json.at("active_lanes"), nlohmann::json({12, 12, 0, 0, 6}));
    EXPECT_EQ(json.at("stalls").at("memory"), 9);
    EXPECT_EQ(json.at("stats").at("dcache").at("hits"), 9);
    EXPECT_DOUBLE_EQ(json.at("stats").at("dcache").at("hit_rate"), 0.75);
    EXPECT_DOUBLE_EQ(json.at("host").at("warp_instructions_per_second"), 36.0);
    EXPECT_EQ(json.at("config").at("core.formation").at("value"), "pdom");
    EXPECT_EQ(json.at("config").at("core.width").at("origin"), "machines/lwm11.toml:7");
}

TEST(Json, LaunchesThatWereNotTimedDoNotRaiseTheIpc) {
    RunResult run = sample_run();
    run.kernels[1].timed = false;
    run.kernels[1].counts.cycles = 0;
    const std::string text = to_json(run);
    const auto json = nlohmann::json::parse(text);
    EXPECT_EQ(json.at("totals").at("cycles"), 20);
    EXPECT_EQ(json.at("totals").at("thread_instructions"), 22);
    EXPECT_DOUBLE_EQ(json.at("totals").at("ipc"), 1.1);
    EXPECT_DOUBLE_EQ(json.at("host").at("warp_instructions_per_second"), 36.0); // the host executed all 18
    run.kernels[1].name = "first";                                              // the same kernel, timed and not
    EXPECT_DOUBLE_EQ(read_summary(to_json(run)).kernels.at(0).counts.ipc, 1.1);
    for (KernelResult& k : run.kernels)
        k.timed = false;
    EXPECT_EQ(run.totals().thread_instructions, 33U);
}

TEST(Json, Kernels) {
    const auto json = nlohmann::json::parse(to_json(sample_run()));
    ASSERT_EQ(json.at("kernels").size(), 3U);
    const auto& kernel = json.at("kernels")[1];
    EXPECT_EQ(kernel.at("name"), "second");
    EXPECT_EQ(kernel.at("grid"), nlohmann::json({2, 1, 1}));
    EXPECT_EQ(kernel.at("registers"), 12);
    EXPECT_EQ(kernel.at("shared_bytes"), 640);
    EXPECT_EQ(kernel.at("blocks_per_sm"), 4);
    EXPECT_EQ(kernel.at("limited_by"), "threads");
    EXPECT_DOUBLE_EQ(kernel.at("ipc"), 1.1);
    EXPECT_EQ(kernel.at("stats").at("dcache").at("ways"), nlohmann::json({2, 1}));
}

TEST(Json, FollowsTheSchema) {
    RunResult failed = sample_run();
    failed.status = Status::Failed;
    failed.error = "a \"fault\"\nin two lines";
    failed.miss_intervals.emplace(100, 4);
    failed.miss_intervals->missed(3, true, 250);
    failed.profile = sample_profile();
    for (const RunResult& run : {sample_run(), RunResult{"lwm11", {}, {}, Status::Interrupted, "", {}}, failed}) {
        const int result = check_schema("run.json", to_json(run));
        if (result == 2)
            GTEST_SKIP() << "python3-jsonschema is not installed: the schema is not checked";
        EXPECT_EQ(result, 0);
    }
    const std::string text = to_json(sample_run());
    const std::string wrong = std::string(text).replace(text.find("\"complete\""), 10, "\"finished\"");
    EXPECT_EQ(check_schema("wrong.json", wrong), 1) << "the check itself works";
}

TEST(Summary, ReadsWhatWasWritten) {
    const Summary summary = read_summary(to_json(sample_run()));
    EXPECT_EQ(summary.machine, "lwm11");
    EXPECT_EQ(summary.formation, "pdom");
    EXPECT_EQ(summary.scheduler, "");
    ASSERT_EQ(summary.kernels.size(), 2U);
    EXPECT_EQ(summary.kernels[0].launches, 2U);
    EXPECT_EQ(summary.kernels[0].counts.cycles, 20U);
    EXPECT_EQ(summary.totals.slots(), 30U);
    // 12 slots of 1 lane and 6 of 4, of 18 slots of 4 lanes: 36 / 72.
    EXPECT_DOUBLE_EQ(summary.totals.lane_utilisation(), 0.5);
}

TEST(Summary, OtherTextsAreRefused) {
    EXPECT_THROW((void)read_summary("{"), UserError);
    EXPECT_THROW((void)read_summary("{}"), UserError);
    EXPECT_THROW((void)read_summary("[1]"), UserError);
}

} // namespace
} // namespace heddle::report::test
