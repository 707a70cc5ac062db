// Mechanisms that come to the same where their parameters or the program leave them nothing to do.

#include <algorithm>

#include <gtest/gtest.h>

#include "checked.h"
#include "formation/formation.h"
#include "run.h"
#include "sched/scheduler.h"

namespace heddle::properties {
namespace {

constexpr std::uint64_t kPrograms = 8; // one a setting

std::vector<std::string> plus(std::vector<std::string> settings, const std::vector<std::string>& more) {
    settings.insert(settings.end(), more.begin(), more.end());
    return settings;
}

// All that a run counts, but for the sections and views `without`.
nlohmann::json counts_of(const Outcome& run, const std::vector<const char*>& without = {}) {
    nlohmann::json out = run.result;
    for (const char* const key : {"config", "host"})
        out.erase(key);
    for (const char* const section : without) {
        out["stats"].erase(section);
        out["views"].erase(section);
        for (nlohmann::json& kernel : out["kernels"])
            kernel["stats"].erase(section);
    }
    return out;
}

// Demands that programs take the same cycles and count the same under both; 0 of them may be refused.
struct Sides {
    std::vector<std::string> one, other;
    std::vector<const char*> without = {}; // sections of their own
};

void expect_equal(const Setting& setting, std::uint64_t seed, const Sides& sides) {
    const Generated made = generate(seed, setting.shape);
    const Outcome one = run_on(setting.machine, plus(setting.settings, sides.one), made.program);
    const Outcome other = run_on(setting.machine, plus(setting.settings, sides.other), made.program);
    ASSERT_EQ(one.refused, "");
    ASSERT_EQ(other.refused, "");
    const std::string what = "program " + std::to_string(seed) + " on " + setting.machine + "\n" + ptx_of(made.program);
    EXPECT_EQ(one.cells, other.cells) << what;
    const auto difference = nlohmann::json::diff(counts_of(one, sides.without), counts_of(other, sides.without));
    ASSERT_EQ(difference, nlohmann::json::array()) << what;
}

// Every setting with a program of its own.
void expect_equal_everywhere(const Sides& sides, const std::vector<Setting>& settings = all_settings()) {
    for (std::uint64_t n = 0; n < programs(kPrograms) && !testing::Test::HasFailure(); ++n)
        expect_equal(settings[n % settings.size()], first_seed() + n, sides);
}

#define SKIP_WITHOUT_FORMATION(name)                                                                                   \
    if (!formation::formations().contains(name))                                                                       \
    GTEST_SKIP() << "formation '" << name << "' is not there"

TEST(Equalities, TwoLevelsWithOneGroupAreRoundRobin) {
    for (const char* const formation : {"pdom", "serial"})
        expect_equal_everywhere(
            {{std::string("core.formation=") + formation, "core.scheduler=two-level", "two-level.group=2048"},
             {std::string("core.formation=") + formation, "core.scheduler=rr"},
             {"two-level"}});
}

// Warps that are never divided. A loop that enters the stack at its first turn changes nothing, nor does passing its
// branch. (two-level has fetch groups by unit number, and maws has more numbers.)
TEST(Equalities, WarpsThatAreNotDividedAreWarps) {
    for (const std::string scheduler : {"rr", "gto"})
        for (const char* const bypass : {"maws.loop_bypass=true", "maws.loop_bypass=false"})
            expect_equal_everywhere({{"core.formation=maws", "maws.split=none", bypass, "core.scheduler=" + scheduler},
                                     {"core.formation=pdom", "core.scheduler=" + scheduler},
                                     {"maws", "divergence", "table2"}});
}
TEST(Equalities, WarpsThatAreNotDividedAreWarpsOnTheScoreboardedCore) {
    for (const std::string scheduler : {"lrr", "gto"})
        expect_equal_everywhere({{"core.formation=maws", "maws.split=none", "core.scheduler=" + scheduler},
                                 {"core.formation=pdom", "core.scheduler=" + scheduler},
                                 {"maws", "divergence", "table2"}},
                                scoreboard_settings());
}

// A large warp of one row that is refetched when it has completed is a warp. Packing by predicate is off: it leaves
// lanes out.
void expect_large_warps_of_one_row_to_be_warps(const std::vector<Setting>& settings) {
    for (const std::string scheduler : {"rr", "gto", "two-level"})
        for (const std::string miss : {"subwarp", "warp", "stall"})
            for (std::uint64_t n = 0; n < programs(kPrograms); ++n) {
                const Setting& setting = settings[n % settings.size()];
                const auto machine = config::Machine::load(setting.machine, setting.settings);
                const std::string width = machine.values().find("core.width")->second.text;
                expect_equal(setting, first_seed() + n,
                             {{"core.formation=lwm", "core.scheduler=" + scheduler, "lwm.size=" + width,
                               "lwm.refetch=all", "lwm.miss=" + miss, "lwm.pack_predicate=false"},
                              {"core.formation=pdom", "core.scheduler=" + scheduler},
                              {"lwm"}});
                if (testing::Test::HasFailure())
                    return;
            }
}
TEST(Equalities, ALargeWarpOfOneRowIsAWarp) {
    expect_large_warps_of_one_row_to_be_warps(all_settings());
}
TEST(Equalities, ALargeWarpOfOneRowIsAWarpOnTheScoreboardedCore) {
    expect_large_warps_of_one_row_to_be_warps(scoreboard_settings());
}

// Settings whose blocks fill all their rows, and are all resident at once: else the time at which one ends says which
// rows the next one gets.
std::vector<Setting> full_rows() {
    return {{"lwm11", {"core.threads=256"}, {128, 2}},
            {"dwf07", {"gpu.sms=2"}, {64, 5}},
            {"lwm11", {"core.width=4", "core.threads=64", "dcache.size=1KiB", "dcache.ways=2"}, {32, 2}}};
}

// The groups that a program without divergence is issued in.
std::vector<Issued> groups_of(const Setting& setting, const Generated& made, const Variant& variant) {
    issued_parts().clear();
    const Outcome run = run_on(setting.machine, with(setting.settings, variant, true), made.program);
    EXPECT_EQ(run.refused, "");
    EXPECT_EQ(run.cells, made.expected.cells);
    std::vector<Issued> out;
    std::swap(out, issued_parts());
    std::sort(out.begin(), out.end()); // which goes first is the scheduler's
    return out;
}

void expect_same_groups(const Variant& variant) {
    for (const Setting& setting : full_rows())
        for (std::uint64_t n = 0; n < programs(4); ++n) {
            const Generated made = generate_uniform(first_seed() + n, setting.shape);
            const auto pdom = groups_of(setting, made, {"pdom"});
            EXPECT_FALSE(pdom.empty());
            ASSERT_TRUE(groups_of(setting, made, variant) == pdom)
                << test_name(variant) << " on " << setting.machine << "\n"
                << ptx_of(made.program);
        }
}

TEST(Equalities, FullWarpsThatNeverDivergeAreIssuedAlike) {
    expect_same_groups({"serial"});
    for (const Variant& variant : variants())
        if (variant.formation == "tbc")
            expect_same_groups(variant);
}

// Swizzled warps hold other threads; those whose threads come back from memory one by one are made anew.
TEST(Equalities, DynamicWarpsThatNeverDivergeAreThoseOfPdom) {
    SKIP_WITHOUT_FORMATION("dwf");
    for (const Variant& variant : variants()) {
        const auto& settings = variant.settings;
        const bool others = std::any_of(settings.begin(), settings.end(), [](const std::string& setting) {
            return setting == "dwf.swizzle=true" || setting == "dwf.miss=thread";
        });
        if (variant.formation == "dwf" && !others)
            expect_same_groups(variant);
    }
}

} // namespace
} // namespace heddle::properties
