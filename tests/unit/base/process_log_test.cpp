#include <cstdio>
#include <fstream>
#include <mutex>
#include <unistd.h>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/wait.h>

#include "base/process_log.h"
#include "base/source.h"

namespace heddle {
namespace {

using Kind = ProcessRecord::Kind;

class OpenLog : public ::testing::Test {
protected:
    ~OpenLog() override {
        std::fclose(file_);
    }
    [[nodiscard]] std::string path() const {
        return fmt::format("/proc/{}/fd/{}", own_, fileno(file_));
    }
    [[nodiscard]] std::vector<ProcessRecord> records() const {
        std::ifstream in(path(), std::ios::binary);
        return read_process_records(std::string(std::istreambuf_iterator<char>(in), {}));
    }

    std::FILE* file_ = std::tmpfile();
    pid_t own_ = getpid();
};

TEST_F(OpenLog, RecordsOfSeveralProcesses) {
    ProcessLog log(path());
    log.add(Kind::Wrote, "a file");
    const pid_t child = fork();
    if (child == 0) {
        ProcessLog own(path());
        own.add(Kind::Uses);
        own.add(Kind::Failed, "two\nlines");
        _exit(0);
    }
    ASSERT_EQ(waitpid(child, nullptr, 0), child);
    const std::lock_guard held(log);
    log.add(Kind::Launches);
    EXPECT_EQ(log.count(Kind::Uses), 1U);
    EXPECT_EQ(log.count(Kind::Launches), 1U);
    const std::vector<ProcessRecord> all = records();
    ASSERT_EQ(all.size(), 4U);
    EXPECT_EQ(all[0].text, "a file");
    EXPECT_EQ(all[0].process, own_);
    EXPECT_EQ(all[1].process, child);
    EXPECT_EQ(all[2].kind, Kind::Failed);
    EXPECT_EQ(all[2].text, "two\nlines");
    EXPECT_EQ(all[3].kind, Kind::Launches);
}

TEST(ProcessRecords, WhatIsNoRecordIsLeftOut) {
    using namespace std::string_literals;
    EXPECT_TRUE(read_process_records("").empty());
    EXPECT_TRUE(read_process_records("u12 cut"s).empty());
    EXPECT_TRUE(read_process_records("\0u\0u12\0ux y\0"s).empty());
    EXPECT_EQ(read_process_records("u12 \0u13 x"s).size(), 1U);
}

TEST(ProcessRecords, MissingLogIsAnError) {
    EXPECT_THROW(ProcessLog("/proc/0/fd/9"), UserError);
}

} // namespace
} // namespace heddle
