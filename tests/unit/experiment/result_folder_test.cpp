#include <csignal>
#include <fstream>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include "base/source.h"
#include "experiment/claims.h"
#include "experiment/result_folder.h"
#include "scratch.h"

namespace heddle::experiment {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

StoredRun result(const std::string& key) {
    return {key, "v", "", "label", 1.5, "{\"a\": \"\xc3\xa4\"}", 42};
}

TEST(ResultFolder, WhatIsPutIsFoundAgain) {
    const Scratch scratch;
    ResultFolder folder(scratch / "r");
    folder.put(result("a"));
    const auto found = ResultFolder(scratch / "r").find("a", "v");
    ASSERT_TRUE(found);
    EXPECT_EQ(found->result, "{\"a\": \"\xc3\xa4\"}");
    EXPECT_EQ(found->seconds, 1.5);
    EXPECT_EQ(found->megabytes, 42);
    EXPECT_FALSE(folder.find("a", "another"));
    EXPECT_FALSE(folder.find("b", "v"));
}

// Whatever byte of a file is another, or is not there: the file is no result, or (a bit that means nothing) the same
// one.
TEST(ResultFolder, ADamagedFileIsNoResult) {
    const Scratch scratch;
    ResultFolder folder(scratch / "r");
    folder.put(result("a"));
    std::string whole(fs::file_size(folder.file_of("a")), ' ');
    std::ifstream(folder.file_of("a"), std::ios::binary).read(whole.data(), static_cast<std::streamsize>(whole.size()));
    for (std::size_t i = 0; i < whole.size(); ++i) {
        std::string cut = whole.substr(0, i), other = whole;
        other[i] = static_cast<char>(other[i] ^ 0x10);
        for (const std::string& bytes : {cut, other}) {
            std::ofstream(folder.file_of("a"), std::ios::binary) << bytes;
            const auto found = folder.find("a", "v");
            EXPECT_TRUE(!found || (bytes == other && found->result == result("a").result)) << i;
        }
    }
    folder.put(result("a"));
    EXPECT_TRUE(folder.find("a", "v"));
}

TEST(ResultFolder, LossesAreToldApart) {
    const Scratch scratch;
    ResultFolder folder(scratch / "r");
    StoredRun killed = result("a");
    killed.failure = "was killed by signal 9";
    folder.put_killed(killed);
    folder.put_interrupted(result("b"));
    EXPECT_FALSE(folder.find("a", "v"));
    EXPECT_EQ(folder.loss("a")->cause, Loss::Cause::killed);
    EXPECT_EQ(folder.loss("a")->reason, "was killed by signal 9");
    EXPECT_EQ(folder.loss("b")->cause, Loss::Cause::interrupted);
    EXPECT_FALSE(folder.loss("c"));
    folder.forget_loss("a");
    EXPECT_FALSE(folder.loss("a"));
    std::ofstream(scratch / "r/b.lost") << R"({"cause": 1, "reason": ["none"]})";
    EXPECT_EQ(folder.loss("b")->cause, Loss::Cause::interrupted);
}

TEST(ResultFolder, AFolderThatCannotBeMadeIsReported) {
    const Scratch scratch;
    std::ofstream(scratch / "file") << "";
    try {
        const ResultFolder folder(scratch / "file");
        FAIL();
    } catch (const UserError& e) {
        EXPECT_THAT(e.what(), HasSubstr("not a folder that can be written to"));
    }
}

// Claims end with their process, however it ends.
TEST(Claims, OneProcessHasAClaim) {
    const Scratch scratch;
    int pipe_ends[2];
    ASSERT_EQ(pipe(pipe_ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        Claims claims(scratch / "claims");
        const char got = claims.claim("a") == Claims::Answer::held ? 'y' : 'n';
        if (write(pipe_ends[1], &got, 1) != 1)
            _exit(1);
        for (;;)
            pause();
    }
    char got = 0;
    ASSERT_EQ(read(pipe_ends[0], &got, 1), 1);
    EXPECT_EQ(got, 'y');
    Claims claims(scratch / "claims");
    EXPECT_EQ(claims.claim("a"), Claims::Answer::elsewhere);
    EXPECT_EQ(claims.claim("b"), Claims::Answer::held);
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    EXPECT_EQ(claims.claim("a"), Claims::Answer::held);
    claims.release("a");
    EXPECT_EQ(Claims(scratch / "claims").claim("a"), Claims::Answer::held);
    close(pipe_ends[0]);
    close(pipe_ends[1]);
}

} // namespace
} // namespace heddle::experiment
