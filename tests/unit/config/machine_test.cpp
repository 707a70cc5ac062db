#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include <gmock/gmock.h>

#include "config/machine_files.h"
#include "config/parameter.h"
#include "sample.h"

namespace heddle::config::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string message_of(std::string_view machine, std::vector<std::string> overrides) {
    try {
        (void)(machine.empty() ? Machine::defaults(overrides) : Machine::load(machine, overrides));
    } catch (const UserError& e) {
        return e.what();
    }
    return "no error";
}

class MachineFile : public ::testing::Test {
protected:
    void SetUp() override {
        folder_ = std::filesystem::temp_directory_path() /
                  ("heddle-config-" + std::to_string(reinterpret_cast<std::uintptr_t>(this)) + "-" +
                   ::testing::UnitTest::GetInstance()->current_test_info()->name());
        std::filesystem::create_directories(folder_);
    }
    void TearDown() override {
        std::filesystem::remove_all(folder_);
    }
    std::string write(const std::string& name, const std::string& text) {
        std::ofstream(folder_ / name) << text;
        return (folder_ / name).string();
    }
    std::filesystem::path folder_;
};

TEST(Machine, DefaultsWithTheirOrigin) {
    const Machine machine = Machine::defaults({});
    EXPECT_EQ(machine.name(), "defaults");
    EXPECT_EQ(machine.values().at("cache.ways").text, "4");
    EXPECT_EQ(machine.values().at("cache.ways").origin, "default");
    const auto cache = machine.get<SampleConfig>();
    EXPECT_EQ(cache.size, 131072U);
    EXPECT_DOUBLE_EQ(cache.clock, 1.5);
    EXPECT_TRUE(cache.merge);
    EXPECT_EQ(cache.policy, "lru");
}

TEST(Machine, OverridesApplyInOrder) {
    const std::vector<std::string> settings{"cache.size=32KiB", "cache.merge=false", "cache.clock=2",
                                            "cache.size=1 MiB", "cache.order=reversed"};
    const Machine machine = Machine::defaults(settings);
    EXPECT_EQ(machine.values().at("cache.size").text, "1048576");
    EXPECT_EQ(machine.values().at("cache.size").origin, "command line");
    const auto cache = machine.get<SampleConfig>();
    EXPECT_EQ(cache.size, 1048576U);
    EXPECT_FALSE(cache.merge);
    EXPECT_DOUBLE_EQ(cache.clock, 2.0);
    EXPECT_EQ(cache.order, "reversed");
}

TEST(Machine, LacksAnOptionalSectionUntilItIsSet) {
    const Machine without = Machine::defaults({});
    EXPECT_FALSE(without.values().contains("extra.depth"));
    EXPECT_EQ(without.to_toml().find("[extra]"), std::string::npos);
    EXPECT_EQ(without.get<ExtraConfig>().width, 5U);
    const std::vector<std::string> settings{"extra.depth=7"};
    const Machine with = Machine::defaults(settings);
    EXPECT_EQ(with.values().at("extra.depth").text, "7");
    EXPECT_EQ(with.values().at("extra.width").origin, "default");
    EXPECT_EQ(with.get<ExtraConfig>().depth, 7U);
    EXPECT_EQ(with.get<ExtraConfig>().width, 5U);
    EXPECT_THAT(with.to_toml(), HasSubstr("[extra]\ndepth = 7"));
    EXPECT_THAT(message_of("", {"extra.depht=1"}), HasSubstr("did you mean 'extra.depth'"));
}

TEST(Machine, UnknownMachineListsTheShippedOnes) {
    EXPECT_THAT(message_of("lwm1", {}),
                AllOf(HasSubstr("unknown machine 'lwm1'"), HasSubstr("valid: "), HasSubstr("did you mean")));
    EXPECT_THAT(message_of("no/such.toml", {}), HasSubstr("no/such.toml: there is no such machine file"));
    EXPECT_THAT(message_of("/", {}), HasSubstr("/: not a file"));
}

TEST(Machine, SettingsThatAreWrong) {
    EXPECT_EQ(message_of("", {"cache.size=12abc"}),
              "cache.size: '12abc' is not a size in bytes; write digits with an optional KiB, MiB or GiB, for example "
              "32KiB (valid: 0|1KiB..1GiB)");
    EXPECT_EQ(message_of("", {"cache.ways=12abc"}),
              "cache.ways: '12abc' is not a whole number; write decimal digits only, for example 12 (valid: 1..64)");
    EXPECT_EQ(message_of("", {"cache.ways=2KiB"}),
              "cache.ways: '2KiB' is not a whole number; write decimal digits only, for example 12 (valid: 1..64)");
    EXPECT_EQ(message_of("", {"cache.wayz=2"}),
              "cache.wayz: there is no parameter 'cache.wayz'; did you mean 'cache.ways'?");
    EXPECT_EQ(message_of("", {"cache.ways=65"}), "cache.ways: 65 is out of range; valid: 1..64");
    EXPECT_EQ(message_of("", {"cache.line=48"}), "cache.line: 48 is out of range; valid: power of two 32..1024");
    EXPECT_EQ(message_of("", {"cache.policy=lur"}),
              "cache.policy: unknown value 'lur'; valid: lru, fifo, random; did you mean 'lru'?");
    EXPECT_EQ(message_of("", {"cache.order=diagonal"}),
              "cache.order: unknown sample order 'diagonal'; valid: plain, reversed");
    EXPECT_EQ(message_of("", {"cache.merge=yes"}), "cache.merge: 'yes' is not a boolean; write true or false");
    EXPECT_EQ(message_of("", {"ways"}),
              "'ways' is not a setting; write SECTION.KEY=VALUE, for example dcache.size=32KiB");
}

TEST(Machine, AllProblemsAtOnce) {
    EXPECT_EQ(message_of("", {"cache.ways=0", "cahce.ways=1", "cache.clock=x"}),
              "cache.ways: 0 is out of range; valid: 1..64\n"
              "cahce.ways: there is no parameter 'cahce.ways'; did you mean 'cache.ways'?\n"
              "cache.clock: 'x' is not a number; write for example 1.5 (valid: 0.1..5)");
}

TEST(Machine, RulesOfAStructAreChecked) {
    EXPECT_EQ(
        message_of("", {"cache.size=1KiB", "cache.ways=64"}),
        "command line (cache.size), command line (cache.ways): cache.size is below one set: cache.ways * cache.line");
}

// What is wrong by itself is reported together with what does not fit together, each with its place.
TEST_F(MachineFile, RulesNameTheLinesOfTheirSettings) {
    const std::string path = write("small.toml", "[cache]\nsize = \"1KiB\"\nclock = 99\nways = 64\n");
    EXPECT_EQ(message_of(path, {}), path + ":3: cache.clock: 99 is out of range; valid: 0.1..5\n" + path +
                                        ":2 (cache.size), " + path +
                                        ":4 (cache.ways): cache.size is below one set: cache.ways * cache.line");
}

TEST_F(MachineFile, ValuesCarryFileAndLine) {
    const std::string path =
        write("mine.toml", "name = \"mine\"\ndescription = \"a \\\"b\\\"\"\n[cache]\nsize = \"64KiB\"\n"
                           "ways = 8\nclock = 2\nmerge = false\n");
    const Machine machine = Machine::load(path, {});
    EXPECT_EQ(machine.name(), "mine");
    EXPECT_EQ(machine.values().at("cache.size").text, "65536");
    EXPECT_EQ(machine.values().at("cache.size").origin, path + ":4");
    EXPECT_EQ(machine.values().at("cache.clock").text, "2");
    EXPECT_EQ(machine.values().at("cache.merge").text, "false");
    EXPECT_EQ(machine.values().at("cache.line").origin, "default");
}

TEST_F(MachineFile, BasesAreLookedForBesideTheFile) {
    write("a.toml", "description = \"first\"\n[cache]\nways = 8\nline = 64\n");
    const std::string b = write("b.toml", "base = \"a.toml\"\n[cache]\nways = 16\n");
    const Machine machine = Machine::load(b, {});
    EXPECT_EQ(machine.name(), "b");
    EXPECT_EQ(machine.description(), "first");
    EXPECT_EQ(machine.values().at("cache.ways").text, "16");
    EXPECT_EQ(machine.values().at("cache.line").origin, (folder_ / "a.toml").string() + ":4");
}

TEST_F(MachineFile, CircleOfBases) {
    write("a.toml", "base = \"b.toml\"\n");
    const std::string b = write("b.toml", "base = \"a.toml\"\n");
    EXPECT_THAT(message_of(b, {}), HasSubstr("the file is its own base"));
}

TEST_F(MachineFile, ProblemsNameFileAndLine) {
    const std::string path = write("bad.toml", "nmae = \"x\"\n[cache]\nsize = \"12abc\"\nways = \"4\"\nway = 3\n"
                                               "ways2 = -1\n[cahce]\nways = 3\n");
    const std::string message = message_of(path, {"cache.clock=9"});
    EXPECT_THAT(message, HasSubstr(path + ":1: there is no section 'nmae'; did you mean 'name'?"));
    EXPECT_THAT(message, HasSubstr(path + ":3: cache.size: '12abc' is not a size in bytes"));
    EXPECT_THAT(message, HasSubstr(path + ":4: cache.ways: expected a whole number, found a text"));
    EXPECT_THAT(message,
                HasSubstr(path + ":5: cache.way: there is no parameter 'cache.way'; did you mean 'cache.ways'"));
    EXPECT_THAT(message, HasSubstr(path + ":7: there is no section 'cahce'; did you mean 'cache'?"));
    EXPECT_THAT(message, HasSubstr("cache.clock: 9 is out of range; valid: 0.1..5"));
}

TEST_F(MachineFile, NegativeNumbers) {
    const std::string path = write("bad.toml", "[cache]\nways = -1\n");
    EXPECT_THAT(message_of(path, {}), HasSubstr(path + ":2: cache.ways: '-1' is not a whole number"));
}

TEST_F(MachineFile, SyntaxErrorsHaveAPosition) {
    const std::string path = write("bad.toml", "name = \"x\"\n[cache\nways = 3\n");
    EXPECT_THAT(message_of(path, {}), HasSubstr(path + ":2:7: "));
}

// Tables in tables are destroyed by recursion: there is a limit.
TEST_F(MachineFile, KeysOfVeryManyParts) {
    std::string key;
    for (int i = 0; i < 200000; ++i)
        key += "a.";
    const std::string path = write("deep.toml", "name = \"x\"\n" + key + "a = 1\n");
    EXPECT_THAT(message_of(path, {}), HasSubstr(path + ":2: the line has more than 1000 dots"));
}

TEST_F(MachineFile, WrittenMachineReadsBackTheSame) {
    const std::vector<std::string> settings{"cache.size=32KiB", "cache.clock=0.25"};
    const Machine machine = Machine::defaults(settings);
    const Machine again = Machine::load(write("again.toml", machine.to_toml()), {});
    EXPECT_EQ(again.name(), "defaults");
    EXPECT_EQ(again.description(), machine.description());
    for (const auto& [key, value] : machine.values())
        EXPECT_EQ(again.values().at(key).text, value.text) << key;
}

TEST(Registration, MistakesOfTheProgramAreLogicErrors) {
    SectionInfo twice = sections().at("cache");
    EXPECT_THROW(register_section(twice), std::logic_error);
    SectionInfo bad_default{"other", "", {{"n", Type::Integer, "", "9", "1..4", "", ""}}, nullptr};
    EXPECT_THROW(register_section(bad_default), std::logic_error);
    SectionInfo bad_range{"other", "", {{"n", Type::Integer, "", "9", "some", "", ""}}, nullptr};
    EXPECT_THROW(register_section(bad_range), std::logic_error);
    EXPECT_FALSE(sections().contains("other"));
    EXPECT_THROW(register_choices("sample order", nullptr), std::logic_error);
}

TEST_F(MachineFile, AYearIsOfTheFileItself) {
    const std::string old = write("old.toml", "year = 2010\n");
    EXPECT_EQ(Machine::load(old, {}).year(), 2010U);
    EXPECT_EQ(Machine::load(write("like.toml", "base = \"old.toml\"\n"), {}).year(), 0U);
    const std::string bad = write("bad.toml", "year = 20\n");
    EXPECT_EQ(message_of(bad, {}), bad + ":1: year: expected a year from 1980 to 2100");
    const std::string text = write("text.toml", "year = \"2010\"\n");
    EXPECT_EQ(message_of(text, {}), text + ":1: year: expected a year from 1980 to 2100");
}

// Exactly one shipped machine is the newest.
TEST(Machine, TheDefaultIsTheNewest) {
    unsigned newest = 0, with_it = 0;
    for (const config::MachineFile& file : machine_files())
        if (file.year >= newest) {
            with_it = file.year == newest ? with_it + 1 : 1;
            newest = file.year;
        }
    EXPECT_GE(newest, 2010U);
    EXPECT_EQ(with_it, 1U);
    for (const config::MachineFile& file : machine_files())
        if (file.year == newest) {
            EXPECT_EQ(default_machine(), file.name);
        }
}

} // namespace
} // namespace heddle::config::test
