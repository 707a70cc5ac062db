#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>
#include <unistd.h>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/output_file.h"
#include "base/source.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

std::string read(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

class OutputFile : public ::testing::Test {
protected:
    OutputFile() {
        std::string name = (fs::temp_directory_path() / "heddle-output-XXXXXX").string();
        folder_ = mkdtemp(name.data());
    }
    ~OutputFile() override {
        fs::remove_all(folder_);
    }
    [[nodiscard]] std::string at(const char* name) const {
        return (folder_ / name).string();
    }
    // Names of everything in the folder.
    [[nodiscard]] std::vector<std::string> names() const {
        std::vector<std::string> out;
        for (const fs::directory_entry& entry : fs::directory_iterator(folder_))
            out.push_back(entry.path().filename().string());
        return out;
    }

    fs::path folder_;
};

TEST_F(OutputFile, ReplacesAWholeFile) {
    write_file(at("a"), "a longer text");
    write_file(at("a"), "short");
    EXPECT_EQ(read(at("a")), "short");
    EXPECT_THAT(names(), ::testing::ElementsAre("a"));
}

TEST_F(OutputFile, ModeIsThatOfAnOrdinaryFile) {
    const mode_t before = umask(022);
    write_file(at("a"), "x");
    umask(before);
    EXPECT_EQ(fs::status(at("a")).permissions(), static_cast<fs::perms>(0644));
}

TEST_F(OutputFile, OldFileStaysWhenTheContentIsNotFinished) {
    write_file(at("a"), "old");
    const auto half = [](std::ostream& out) {
        out << std::string(1 << 20, 'x');
        throw UserError("stopped");
    };
    EXPECT_THROW(write_file(at("a"), half), UserError);
    EXPECT_EQ(read(at("a")), "old");
    EXPECT_THAT(names(), ::testing::ElementsAre("a"));
}

TEST_F(OutputFile, OldFileStaysWhenTheProcessIsKilled) {
    write_file(at("a"), "old");
    const pid_t child = fork();
    if (child == 0)
        write_file(at("a"), [](std::ostream& out) {
            out << std::string(1 << 20, 'x') << std::flush;
            raise(SIGKILL);
        });
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status));
    EXPECT_EQ(read(at("a")), "old");
}

TEST_F(OutputFile, LimitOnTheSizeOfFilesIsAnError) {
    write_file(at("a"), "old");
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    const rlimit limit{8192, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
    EXPECT_THAT([&] { write_file(at("a"), std::string(1 << 20, 'x')); },
                ThrowsMessage<UserError>(HasSubstr(
                    "a: cannot be written: the limit on the size of files is 8192 bytes; raise it with `ulimit -f`")));
    setrlimit(RLIMIT_FSIZE, &before);
    EXPECT_EQ(read(at("a")), "old");
    EXPECT_THAT(names(), ::testing::ElementsAre("a"));
}

TEST_F(OutputFile, LinkStays) {
    fs::create_directory(folder_ / "other");
    fs::create_symlink("other/b", at("a"));
    write_file(at("a"), "x");
    EXPECT_TRUE(fs::is_symlink(at("a")));
    EXPECT_EQ(read(folder_ / "other" / "b"), "x");
}

TEST_F(OutputFile, PipeIsWrittenDirectly) {
    ASSERT_EQ(mkfifo(at("pipe").c_str(), 0600), 0);
    EXPECT_TRUE(is_written_directly(at("pipe")));
    std::string text;
    std::thread reader([&] { text = read(at("pipe")); });
    write_file(at("pipe"), "x");
    reader.join();
    EXPECT_EQ(text, "x");
    EXPECT_TRUE(fs::is_fifo(at("pipe")));
}

TEST_F(OutputFile, OpenFileOfAProcessIsWrittenDirectly) {
    std::FILE* const file = std::fopen(at("a").c_str(), "w");
    fs::remove(at("a"));
    const std::string path = fmt::format("/proc/{}/fd/{}", getpid(), fileno(file));
    write_file(path, "x");
    EXPECT_EQ(read(path), "x");
    std::fclose(file);
    EXPECT_TRUE(names().empty());
    EXPECT_TRUE(is_written_directly("/dev/stdout"));
}

TEST_F(OutputFile, FullDeviceIsAnError) {
    EXPECT_THAT([] { write_file("/dev/full", "x"); },
                ThrowsMessage<UserError>("/dev/full: cannot be written: No space left on device"));
}

TEST_F(OutputFile, CheckLeavesNothing) {
    write_file(at("a"), "old");
    check_writable(at("a"));
    check_writable(at("b"));
    EXPECT_EQ(read(at("a")), "old");
    EXPECT_THAT(names(), ::testing::ElementsAre("a"));
    EXPECT_THAT([&] { check_writable(at("none/a")); },
                ThrowsMessage<UserError>(HasSubstr("No such file or directory")));
    EXPECT_THAT([&] { check_writable(folder_.string()); }, ThrowsMessage<UserError>(HasSubstr("Is a directory")));
    EXPECT_THAT([&] { check_writable(at(std::string(300, 'x').c_str())); },
                ThrowsMessage<UserError>(HasSubstr("File name too long")));
}

} // namespace
} // namespace heddle
