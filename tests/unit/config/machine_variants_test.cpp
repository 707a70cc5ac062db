// Variants of a machine are what Machine::load makes of the same file and overrides, one after the other.
#include <filesystem>
#include <fstream>
#include <unistd.h>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include "config/machine_variants.h"
#include "sample.h"

namespace heddle::config::test {
namespace {

std::string text_of(const Machine& machine) {
    std::string out;
    for (const auto& [key, value] : machine.values())
        out += fmt::format("{} = {} ({})\n", key, value.text, value.origin);
    return out;
}

TEST(MachineVariants, AreThoseOfMachineLoad) {
    const std::string path =
        (std::filesystem::temp_directory_path() / fmt::format("heddle-variants-{}.toml", getpid())).string();
    std::ofstream(path) << "[cache]\nsize = 4096\nways = 8\n";
    MachineVariants variants(path);
    const std::vector<std::vector<std::string>> all{
        {},
        {"cache.ways=2", "cache.policy=fifo"},
        {"extra.depth=7"},   // a section that the file lacks
        {"cache.size=1KiB"}, // below one set of 8 x 128
        {"cache.clock=2"},   // and with the rule kept
        {"cache.size=1KiB", "cache.ways=4", "cache.wyas=1", "nonsense"},
        {"cache.policy=worst"},
        {"cache.size=512", "extra.depth=99"},
        {},
    };
    for (const std::vector<std::string>& overrides : all) {
        const std::string values = text_of(variants.apply(overrides));
        const std::string problems = fmt::format("{}", fmt::join(variants.problems(), "\n"));
        try {
            const Machine loaded = Machine::load(path, overrides);
            EXPECT_EQ(problems, "");
            EXPECT_EQ(values, text_of(loaded));
        } catch (const UserError& e) {
            EXPECT_EQ(problems, e.what());
        }
    }
    std::filesystem::remove(path);
}

TEST(MachineVariants, AFileThatIsNotThere) {
    MachineVariants variants("no/such.toml");
    (void)variants.apply({});
    EXPECT_THAT(variants.problems(), testing::ElementsAre("no/such.toml: there is no such machine file"));
}

} // namespace
} // namespace heddle::config::test
