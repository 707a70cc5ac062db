// Every formation under every scheduler: random programs leave what the reference leaves and retire as many thread
// instructions; every other program runs behind the formation that checks each group.

#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "formation/formation.h"
#include "run.h"
#include "sched/scheduler.h"

namespace heddle::properties {
namespace {

using testing::HasSubstr;

constexpr std::uint64_t kPrograms = 8; // one a setting

std::string words_of(const std::vector<std::string>& settings) {
    std::string out;
    for (const std::string& setting : settings)
        out += " " + setting;
    return out;
}

// Why the formation has nothing to do with such blocks; empty when it has.
std::string refusal_of(const Variant& variant, const Setting& setting) {
    const auto machine = config::Machine::load(setting.machine, with(setting.settings, variant, false));
    const auto number = [&](const char* key) { return std::stoul(machine.values().find(key)->second.text); };
    const auto width = static_cast<unsigned>(number("core.width"));
    const auto rows = static_cast<unsigned>(number("core.threads")) / width;
    const formation::Shape shape{width, rows, static_cast<unsigned>(number("core.blocks"))};
    return formation::formations().make(variant.formation, shape, machine)->refusal(setting.shape.block);
}

struct Pair {
    Variant variant;
    std::string scheduler;
};

void PrintTo(const Pair& pair, std::ostream* out) {
    *out << test_name(pair.variant) << " under " << pair.scheduler;
}

// A pair is refused with the reason, when the machine is read, or it runs.
std::string objection_to(const Pair& pair, const char* model) {
    const char* const machine = std::string_view(model) == "scoreboard" ? "gtx480" : "lwm11"; // which has pipes
    auto settings = with({std::string("core.model=") + model}, pair.variant, false);
    settings.push_back("core.scheduler=" + pair.scheduler);
    try {
        static_cast<void>(config::Machine::load(machine, settings));
    } catch (const UserError& error) {
        const std::string why = error.what(); // each line begins with where the settings came from
        return why.substr(why.find("): ") + 3);
    }
    return {};
}

// Formations that the core refuses are left out. Every test of this program comes by here when it starts: a machine is
// read once a formation, not once a pair.
std::vector<Pair> pairs(const char* model) {
    std::map<std::string, bool> refused; // by formation
    std::vector<Pair> out;
    for (const Variant& variant : variants()) {
        const auto [known, is_new] = refused.try_emplace(variant.formation);
        if (is_new)
            known->second = objection_to({{variant.formation}, "rr"}, model).find("core.model") != std::string::npos;
        if (known->second)
            continue;
        for (const std::string& scheduler : sched::schedulers().names())
            out.push_back({variant, scheduler});
    }
    return out;
}

class EveryPair : public testing::TestWithParam<Pair> {
protected:
    // True when the program ran.
    static bool check(const Setting& setting, std::uint64_t seed, bool checked) {
        const Variant& variant = GetParam().variant;
        auto settings = with(setting.settings, variant, checked);
        settings.push_back("core.scheduler=" + GetParam().scheduler);
        const Generated made = generate(seed, setting.shape);
        const auto what = [&] {
            return "program " + std::to_string(seed) + " on " + setting.machine + words_of(settings) + "\n" +
                   ptx_of(made.program);
        };
        Outcome run;
        try {
            run = run_on(setting.machine, settings, made.program);
        } catch (const std::exception& error) {
            ADD_FAILURE() << error.what() << "\n" << what();
            return false;
        }
        if (!run.refused.empty()) {
            const std::string why = refusal_of(variant, setting);
            EXPECT_FALSE(why.empty()) << run.refused << "\n" << what();
            EXPECT_THAT(run.refused, HasSubstr(why));
            return false;
        }
        EXPECT_EQ(run.cells, made.expected.cells) << what();
        EXPECT_EQ(run.spread, made.expected.spread) << what();
        EXPECT_EQ(run.counters, made.expected.counters) << what();
        EXPECT_EQ(run.thread_instructions, made.expected.executed) << what();
        return true;
    }
    // Programs in turn on each of the settings, every other pair of them checked. How many ran.
    static unsigned run_all(const std::vector<Setting>& settings) {
        unsigned ran = 0;
        for (std::uint64_t n = 0; n < programs(kPrograms) && !HasFailure(); ++n)
            ran += check(settings[n % settings.size()], first_seed() + n, n / 2 % 2 == 0) ? 1 : 0;
        return ran;
    }
};

void skip_with_reason(const std::string& why, const Pair& pair) {
    const std::string start =
        "core.scheduler = '" + pair.scheduler + "' cannot serve core.formation = '" + pair.variant.formation + "': ";
    ASSERT_THAT(why, HasSubstr(start));
    EXPECT_GT(why.substr(why.find(start) + start.size()).find_first_of('\n'), 10U) << "no reason: " << why;
    GTEST_SKIP() << why;
}

TEST_P(EveryPair, LeavesWhatTheReferenceLeaves) {
    if (const std::string why = objection_to(GetParam(), "barrel"); !why.empty())
        return skip_with_reason(why, GetParam());
    EXPECT_GE(run_all(all_settings()), 2U) << "hardly any setting is accepted";
}

class EveryPairOnTheScoreboard : public EveryPair {};

TEST_P(EveryPairOnTheScoreboard, LeavesWhatTheReferenceLeaves) {
    if (const std::string why = objection_to(GetParam(), "scoreboard"); !why.empty())
        return skip_with_reason(why, GetParam());
    EXPECT_GE(run_all(scoreboard_settings()), 2U) << "hardly any setting is accepted";
}

// Only units of one thread need what a sub-core does not have.
TEST(ScoreboardedCore, RefusesMimdAlone) {
    for (const std::string& formation : formation::formations().names()) {
        const std::string why = objection_to({{formation}, "rr"}, "scoreboard");
        if (formation == "checked" || formation == "its") // its needs native code
            continue;
        EXPECT_EQ(why.empty(), formation != "mimd") << formation;
        EXPECT_THAT(why, HasSubstr(why.empty() ? "" : "each lane would need an issue slot"));
    }
}

std::string name_of(const testing::TestParamInfo<Pair>& info) {
    return test_name({info.param.variant.formation + "_" + info.param.scheduler, info.param.variant.settings});
}

INSTANTIATE_TEST_SUITE_P(Properties, EveryPair, testing::ValuesIn(pairs("barrel")), name_of);
INSTANTIATE_TEST_SUITE_P(Properties, EveryPairOnTheScoreboard, testing::ValuesIn(pairs("scoreboard")), name_of);

} // namespace
} // namespace heddle::properties
