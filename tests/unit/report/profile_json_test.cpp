#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "base/source.h"
#include "report/json.h"
#include "report/profile_json.h"
#include "report/stored_run.h"
#include "sample.h"
#include "sample_profile.h"

namespace heddle::report::test {
namespace {

using Json = nlohmann::ordered_json;

std::string complaint_about(const Json& profile) {
    try {
        (void)profile_of(profile);
    } catch (const UserError& e) {
        return e.what();
    }
    return "";
}

TEST(ProfileJson, ReadsWhatWasWritten) {
    const Profile read = profile_of(Json::parse(profile_lines(sample_profile())));
    EXPECT_EQ(read.width, 4U);
    EXPECT_EQ(read.line_bytes, 128U);
    ASSERT_EQ(read.files.size(), 3U);
    EXPECT_EQ(read.files[0].name, "a.cu");
    EXPECT_EQ(read.files[0].text, sample_profile().files[0].text);
    EXPECT_EQ(read.files[1].text, std::nullopt);
    ASSERT_EQ(read.kernels.size(), 1U);
    const ProfiledKernel& kernel = read.kernels[0];
    EXPECT_EQ(kernel.name, "_Z6gatherPKfPf");
    EXPECT_EQ(kernel.launches, 1U);
    EXPECT_TRUE(kernel.timed);
    EXPECT_EQ(kernel.elsewhere, (std::vector<std::pair<std::string, std::uint64_t>>{{"empty", 20}, {"drain", 4}}));
    ASSERT_EQ(kernel.instructions.size(), 6U);
    const ProfiledInstruction& load = kernel.instructions[2];
    EXPECT_EQ(load.pc, 2U);
    EXPECT_EQ(load.text, "ld.global.f32");
    EXPECT_EQ(load.function, "_Z6gatherPKfPf");
    EXPECT_EQ(load.ptx, (SourceLine{2, 3}));
    EXPECT_EQ(load.lines, (std::vector<SourceLine>{{0, 2}, {0, 7}}));
    EXPECT_EQ(load.counters, sample_profile().kernels[0].instructions[2].counters);
    EXPECT_EQ(load.inlined, std::vector<std::string>{"_Z4pickPKfi"});
    ASSERT_EQ(load.stalls.size(), 1U);
    EXPECT_EQ(load.stalls[0].producer, std::nullopt);
    const ProfiledInstruction& multiply = kernel.instructions[3];
    ASSERT_EQ(multiply.stalls.size(), 2U);
    EXPECT_EQ(multiply.stalls[0].cause, "sb_dram");
    EXPECT_EQ(multiply.stalls[0].producer, 2U);
    EXPECT_EQ(multiply.stalls[0].slots, 50U);
    EXPECT_TRUE(kernel.instructions[5].lines.empty());
}

TEST(ProfileJson, CountersThatAreZeroAreLeftOut) {
    const Json json = Json::parse(profile_lines(sample_profile()));
    EXPECT_EQ(json["kernels"][0]["instructions"][0]["counters"].dump(), R"({"executions":2,"threads":8,"lanes":8})");
}

TEST(ProfileJson, IsAMemberOfTheResult) {
    RunResult run = sample_run();
    EXPECT_FALSE(Json::parse(to_json(run)).contains("profile"));
    EXPECT_FALSE(read_stored_run(to_json(run), "a.json").profile.has_value());
    run.profile = sample_profile();
    const auto profile = read_stored_run(to_json(run), "a.json").profile;
    ASSERT_TRUE(profile.has_value());
    EXPECT_EQ(profile->kernels.at(0).instructions.size(), 6U);
}

TEST(ProfileJson, SourceTextsMayHaveAnyBytes) {
    Profile profile = sample_profile();
    profile.files[0].text = "caf\xE9 \"quoted\"\n";
    EXPECT_EQ(profile_of(Json::parse(profile_lines(profile))).files[0].text, "caf\xEF\xBF\xBD \"quoted\"\n");
}

TEST(ProfileJson, DamagedPlacesAreNamed) {
    const Json whole = Json::parse(profile_lines(sample_profile()));
    EXPECT_EQ(complaint_about(whole), "");
    const struct {
        const char* place;
        Json value;
        const char* complaint;
    } cases[] = {
        {"/width", 0U, "profile.width must be at least 1"},
        {"/files", 1, "profile.files must be a list"},
        {"/files/0/text", 1, "profile.files[0].text must be a text"},
        {"/kernels/0/launches", -1, "profile.kernels[0].launches must be a whole number"},
        {"/kernels/0/timed", "yes", "profile.kernels[0].timed must be true or false"},
        {"/kernels/0/instructions/1", Json::array(), "profile.kernels[0].instructions[1] must be an object"},
        {"/kernels/0/instructions/1/pc", 0U,
         "profile.kernels[0].instructions[1].pc must be greater than that of the instruction before"},
        {"/kernels/0/instructions/1/ptx/0", 3U, "profile.kernels[0].instructions[1].ptx[0] must be less than 3"},
        {"/kernels/0/instructions/1/ptx/1", 0U,
         "profile.kernels[0].instructions[1].ptx must be the number of a file and a line from 1"},
        {"/kernels/0/instructions/1/inlined", Json::array({"f"}),
         "profile.kernels[0].instructions[1].inlined must be shorter than 'lines'"},
        {"/kernels/0/instructions/1/counters/warps", 1,
         "profile.kernels[0].instructions[1].counters has a counter that this version does not know: 'warps'"},
        {"/kernels/0/instructions/1/stalls/0/producer", 6U,
         "profile.kernels[0].instructions[1].stalls[0].producer must be less than 6"},
    };
    for (const auto& c : cases) {
        Json damaged = whole;
        damaged[Json::json_pointer(c.place)] = c.value;
        EXPECT_EQ(complaint_about(damaged), c.complaint);
    }
    Json incomplete = whole;
    incomplete["kernels"][0].erase("name");
    EXPECT_EQ(complaint_about(incomplete), "profile.kernels[0] has no 'name'");
}

TEST(ProfileJson, AMessageNamesTheFile) {
    RunResult run = sample_run();
    run.profile = sample_profile();
    Json json = Json::parse(to_json(run));
    json["profile"]["width"] = "4";
    try {
        (void)read_stored_run(json.dump(), "a.json");
        FAIL();
    } catch (const UserError& e) {
        EXPECT_STREQ(e.what(), "a.json: a damaged profile: profile.width must be a whole number");
    }
}

} // namespace
} // namespace heddle::report::test
