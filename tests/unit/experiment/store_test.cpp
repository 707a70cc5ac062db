#include <csignal>
#include <thread>
#include <unistd.h>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "base/source.h"
#include "experiment/flat_table.h"
#include "experiment/queries.h"
#include "experiment/store.h"
#include "scratch.h"

namespace heddle::experiment {
namespace {

using testing::HasSubstr;

StoredRun sample(const std::string& key, const std::string& version = "v") {
    return {key, version, "", "label of " + key, 1.5, "{\"of\": \"" + key + "\"}"};
}

std::string error_of(const std::function<void()>& action) {
    try {
        action();
    } catch (const UserError& e) {
        return e.what();
    }
    return "no error";
}

TEST(Store, WhatIsPutIsFoundAgain) {
    const Scratch scratch;
    {
        Store store(scratch / "s", Store::Mode::write);
        store.put(sample("a"));
        store.put({"b", "v", "it fell over", "b", 2, ""});
    }
    const Store store(scratch / "s", Store::Mode::read);
    const auto a = store.find("a", "v");
    ASSERT_TRUE(a);
    EXPECT_EQ(a->result, "{\"of\": \"a\"}");
    EXPECT_FALSE(a->failed());
    EXPECT_EQ(store.find("b", "v")->failure, "it fell over");
    EXPECT_FALSE(store.find("c", "v"));
    EXPECT_EQ(store.cost("a")->seconds, 1.5);
    EXPECT_FALSE(store.cost("c"));
}

TEST(Store, ADamagedResultIsToldWhereItIsRead) {
    const Scratch scratch;
    Store(scratch / "s", Store::Mode::write).put({"a", "v", "", "a", 1, "{\"totals\": "});
    Queries queries(scratch / "s");
    EXPECT_THAT(error_of([&] { (void)flat_table(queries); }), HasSubstr("the stored result of run 1 is damaged"));
    EXPECT_THAT(error_of([&] { (void)queries.run("SELECT value(run, 'totals.cycles') FROM runs"); }),
                HasSubstr("is damaged"));
}

TEST(Store, FailuresAndDescriptions) {
    const Scratch scratch;
    Store store(scratch / "s", Store::Mode::write);
    store.put(sample("a"));
    store.put({"b", "v", "it fell over", "b", 2, ""});
    EXPECT_EQ(store.failure("a", "v"), "");
    EXPECT_EQ(store.failure("b", ""), "it fell over");
    EXPECT_FALSE(store.failure("a", "other"));
    store.describe(
        {{"a", "e", "p", {"--n", "two words", "it's"}, "m", "s", "x", 7}, {"b", "e", "p", {}, "m", "", "", {}}});
    store.describe({{"a", "f", "p", {"-n"}, "m", "s", "x", {}}}); // the last one counts
    EXPECT_EQ(store.find("a", "v")->result, sample("a").result);
}

TEST(Store, VersionsAreKeptApart) {
    const Scratch scratch;
    Store store(scratch / "s", Store::Mode::write);
    store.put(sample("a", "v1"));
    EXPECT_FALSE(store.find("a", "v2"));
    EXPECT_EQ(store.find("a", "")->version, "v1");
    StoredRun again = sample("a", "v1");
    again.failure = "now it fails";
    store.put(again);
    EXPECT_TRUE(store.find("a", "v1")->failed());
}

// The child reports each row when it is stored. Whenever the child is killed, these rows are there, complete.
TEST(Store, SurvivesSigkill) {
    const Scratch scratch;
    int pipe_ends[2];
    ASSERT_EQ(pipe(pipe_ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        Store store(scratch / "s", Store::Mode::write);
        for (unsigned i = 0;; ++i) {
            store.put(sample(fmt::format("{}", i)));
            if (write(pipe_ends[1], &i, sizeof i) != sizeof i)
                _exit(1);
        }
    }
    close(pipe_ends[1]);
    unsigned last = 0;
    while (last < 25)
        ASSERT_EQ(read(pipe_ends[0], &last, sizeof last), static_cast<ssize_t>(sizeof last));
    kill(child, SIGKILL);
    while (read(pipe_ends[0], &last, sizeof last) > 0) {
    }
    waitpid(child, nullptr, 0);
    close(pipe_ends[0]);

    Store store(scratch / "s", Store::Mode::write);
    for (unsigned i = 0; i <= last; ++i)
        EXPECT_EQ(store.find(fmt::format("{}", i), "v")->result, sample(fmt::format("{}", i)).result);
    store.put(sample("after"));
    EXPECT_TRUE(store.find("after", "v"));
}

TEST(Store, TwoWritersAtOnce) {
    const Scratch scratch;
    const auto write_all = [&](const std::string& name) {
        Store store(scratch / "s", Store::Mode::write);
        for (int i = 0; i < 20; ++i) {
            store.put(sample(fmt::format("{}{}", name, i)));
            store.put(sample(fmt::format("both{}", i)));
        }
    };
    std::thread one([&] { write_all("one"); }), two([&] { write_all("two"); });
    one.join();
    two.join();
    const Store store(scratch / "s", Store::Mode::read);
    for (const char* const name : {"one", "two", "both"})
        for (int i = 0; i < 20; ++i)
            EXPECT_TRUE(store.find(fmt::format("{}{}", name, i), "v"));
}

TEST(Store, AFullDiskIsToldAndTheRestStaysReadable) {
    const Scratch scratch;
    Store store(scratch / "s", Store::Mode::write);
    store.put(sample("before"));
    std::string noise; // that does not compress
    for (unsigned i = 0, x = 1; i < 1'000'000; ++i)
        noise += static_cast<char>((x = x * 1664525U + 1013904223U) >> 24U);
    StoredRun large = sample("large");
    large.result = noise;

    std::signal(SIGXFSZ, SIG_IGN);
    rlimit before{};
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
    const rlimit small{100'000, before.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
    const std::string message = error_of([&] { store.put(large); });
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
    std::signal(SIGXFSZ, SIG_DFL);

    EXPECT_THAT(message, testing::AllOf(HasSubstr((scratch / "s").string() + ": "),
                                        HasSubstr("what was stored before is kept")));
    EXPECT_FALSE(store.find("large", "v"));
    EXPECT_TRUE(Store(scratch / "s", Store::Mode::read).find("before", "v"));
    store.put(large);
    EXPECT_EQ(store.find("large", "v")->result, noise);
}

// In a child that gives up root, if it has it: root may write anywhere.
TEST(Store, AFolderThatCannotBeWrittenIsToldAtOnceAndCanBeRead) {
    const Scratch scratch;
    { Store(scratch / "s", Store::Mode::write).put(sample("a")); }
    using std::filesystem::perms;
    std::filesystem::permissions(scratch / "s", perms::owner_all | perms::group_read | perms::others_read);
    std::filesystem::permissions(scratch.path(), perms::owner_read | perms::owner_exec | perms::group_read |
                                                     perms::group_exec | perms::others_read | perms::others_exec);
    const pid_t child = fork();
    if (child == 0) {
        if (geteuid() == 0 && setuid(65534) != 0)
            _exit(3);
        const std::string message = error_of([&] { Store(scratch / "s", Store::Mode::write); });
        const bool told = message.find((scratch / "s").string() + ": ") == 0 && message != "no error";
        const bool readable = Store(scratch / "s", Store::Mode::read).find("a", "v").has_value();
        _exit(told ? readable ? 0 : 2 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(Store, WhatIsNoStoreIsRefused) {
    const Scratch scratch;
    EXPECT_THAT(error_of([&] { Store(scratch / "none/s", Store::Mode::write); }),
                HasSubstr("unable to open database file"));
    EXPECT_THAT(error_of([&] { Store(scratch / "s", Store::Mode::read); }), HasSubstr("unable to open database file"));
    EXPECT_THAT(error_of([&] { Store(scratch.write("text", std::string(4096, 'x')), Store::Mode::write); }),
                HasSubstr("file is not a database; move it away to begin anew"));
}

} // namespace
} // namespace heddle::experiment
