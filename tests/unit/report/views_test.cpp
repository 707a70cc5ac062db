#include <numeric>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "base/source.h"
#include "report/heat_map.h"
#include "report/json.h"
#include "report/run_summary.h"
#include "report/views.h"
#include "sample.h"
#include "stats/tree.h"

namespace heddle::report::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

using Lanes = std::vector<std::uint64_t>;

// A machine of `width` lanes of whose slots `idle` carried nothing, and `carried` slots `lanes` lanes.
Lanes slots_of(std::size_t width, std::uint64_t idle, std::size_t lanes, std::uint64_t carried) {
    Lanes out(width + 1);
    out[0] = idle;
    out[lanes] += carried;
    return out;
}

std::vector<std::string> ranges_of(std::size_t width) {
    std::vector<std::string> out;
    for (const WarpSizes& s : warp_sizes(Lanes(width + 1), {}))
        out.push_back(s.range);
    return out;
}

// LWM10 5: idle less than 20 % of the time is low, 20 % to 40 % medium, more than 40 % high.
TEST(Classification, IdleIntensityAtItsThresholds) {
    const auto idle_of = [](std::uint64_t idle) { return classify(slots_of(32, idle, 32, 1000 - idle), true).idle; };
    EXPECT_EQ(idle_of(0), Intensity::Low);
    EXPECT_EQ(idle_of(199), Intensity::Low);
    EXPECT_EQ(idle_of(200), Intensity::Medium);
    EXPECT_EQ(idle_of(400), Intensity::Medium);
    EXPECT_EQ(idle_of(401), Intensity::High);
    EXPECT_EQ(idle_of(1000), Intensity::High);
    EXPECT_DOUBLE_EQ(classify(slots_of(32, 250, 32, 750), true).idle_share, 0.25);
}

// LWM10 5: more than 30 active threads a retired warp is low, 20 to 30 medium, below 20 high.
TEST(Classification, BranchIntensityAtItsThresholds) {
    const auto branch_of = [](const Lanes& lanes) { return classify(lanes, true).branch; };
    EXPECT_EQ(branch_of(slots_of(32, 0, 32, 7)), Intensity::Low);
    EXPECT_EQ(branch_of(slots_of(32, 0, 31, 7)), Intensity::Low);
    EXPECT_EQ(branch_of(slots_of(32, 0, 30, 7)), Intensity::Medium);
    EXPECT_EQ(branch_of(slots_of(32, 0, 20, 7)), Intensity::Medium);
    EXPECT_EQ(branch_of(slots_of(32, 0, 19, 7)), Intensity::High);
    EXPECT_EQ(branch_of(slots_of(32, 0, 1, 7)), Intensity::High);
    Lanes above = slots_of(32, 0, 30, 999); // one thread above 30 a warp in a thousand warps
    ++above[31];
    EXPECT_EQ(branch_of(above), Intensity::Low);
    Lanes below = slots_of(32, 0, 20, 999);
    ++below[19];
    EXPECT_EQ(branch_of(below), Intensity::High);
}

// Idle slots are no warps: "the idle FU cycles are factored out of this metric".
TEST(Classification, BranchIntensityIsOfRetiredWarps) {
    const Classification c = classify(slots_of(32, 1000000, 32, 1), true);
    EXPECT_EQ(c.branch, Intensity::Low);
    EXPECT_DOUBLE_EQ(c.mean_active_threads, 32);
    Lanes two = slots_of(32, 5, 32, 3);
    two[8] = 1; // (3 x 32 + 8) / 4 = 26
    EXPECT_DOUBLE_EQ(classify(two, true).mean_active_threads, 26);
}

// The same shares of the lanes: 30 of 32 are 15 of 16 and 60 of 64, 20 of 32 are 10 of 16 and 5 of 8.
TEST(Classification, OtherWidthsHaveTheSameShares) {
    const auto branch_of = [](std::size_t width, std::size_t lanes) {
        return classify(slots_of(width, 0, lanes, 3), true).branch;
    };
    EXPECT_EQ(branch_of(16, 16), Intensity::Low);
    EXPECT_EQ(branch_of(16, 15), Intensity::Medium);
    EXPECT_EQ(branch_of(16, 10), Intensity::Medium);
    EXPECT_EQ(branch_of(16, 9), Intensity::High);
    EXPECT_EQ(branch_of(64, 61), Intensity::Low);
    EXPECT_EQ(branch_of(64, 60), Intensity::Medium);
    EXPECT_EQ(branch_of(8, 5), Intensity::Medium);
    EXPECT_EQ(branch_of(8, 4), Intensity::High);
    EXPECT_EQ(branch_of(1, 1), Intensity::Low);
}

TEST(Classification, NothingOfWhatWasNotMeasured) {
    const Classification untimed = classify(slots_of(32, 0, 32, 5), false);
    EXPECT_FALSE(untimed.idle);
    EXPECT_EQ(untimed.branch, Intensity::Low);
    const Classification nothing = classify(slots_of(32, 0, 32, 0), true);
    EXPECT_FALSE(nothing.idle);
    EXPECT_FALSE(nothing.branch);
    EXPECT_FALSE(classify({}, true).branch);
    EXPECT_EQ(classify(slots_of(32, 9, 32, 0), true).idle, Intensity::High);
}

TEST(WarpSizes, EightRangesOfTheWidth) {
    EXPECT_THAT(ranges_of(32),
                ElementsAre("stall", "W0", "W1-4", "W5-8", "W9-12", "W13-16", "W17-20", "W21-24", "W25-28", "W29-32"));
    EXPECT_THAT(ranges_of(16),
                ElementsAre("stall", "W0", "W1-2", "W3-4", "W5-6", "W7-8", "W9-10", "W11-12", "W13-14", "W15-16"));
    EXPECT_THAT(ranges_of(4), ElementsAre("stall", "W0", "W1", "W2", "W3", "W4"));
    EXPECT_THAT(ranges_of(1), ElementsAre("stall", "W0", "W1"));
    EXPECT_TRUE(warp_sizes({}, {}).empty());
}

TEST(WarpSizes, EachSlotIsInOneRange) {
    Lanes lanes(33);
    std::iota(lanes.begin(), lanes.end(), 1); // k + 1 slots of k lanes, 561 = 33 x 34 / 2 of them
    lanes[0] = 100;                           // 660 with these
    const std::vector<WarpSizes> sizes = warp_sizes(lanes, {{"memory", 60}, {"write_back", 40}});
    std::uint64_t sum = 0;
    for (const WarpSizes& s : sizes)
        sum += s.slots;
    EXPECT_EQ(sum, 660U);
    EXPECT_EQ(sizes[0].slots, 40U);                // stall: the write-back stage was taken
    EXPECT_EQ(sizes[1].slots, 60U);                // W0: the other idle slots
    EXPECT_EQ(sizes[2].slots, 2U + 3 + 4 + 5);     // W1-4
    EXPECT_EQ(sizes[9].slots, 30U + 31 + 32 + 33); // W29-32
}

// The sample's launches, of width 4, have 4 idle slots, 4 of one lane and 2 of four, three times.
TEST(Views, AreInTheResult) {
    const auto views = nlohmann::json::parse(to_json(sample_run())).at("views");
    EXPECT_EQ(views.at("warp_sizes"),
              nlohmann::json({{"stall", 0}, {"W0", 12}, {"W1", 12}, {"W2", 0}, {"W3", 0}, {"W4", 6}}));
    const auto& c = views.at("classification");
    EXPECT_EQ(c.at("idle_intensity"), "medium"); // 12 of 30
    EXPECT_DOUBLE_EQ(c.at("idle_share"), 0.4);
    EXPECT_EQ(c.at("branch_intensity"), "high"); // (12 + 24) / 18 = 2 of 4
    EXPECT_DOUBLE_EQ(c.at("mean_active_threads"), 2);
}

std::string view(std::string_view name, const RunResult& run) {
    return view_named(name).text(read_summary(to_json(run)));
}

TEST(Views, ArePrintedOnRequest) {
    EXPECT_EQ(view("warp-sizes", sample_run()),
              "active lanes of a cycle (DWF07 Figure 16): W0 40.0 %, W1 40.0 %, W4 20.0 %\n");
    EXPECT_EQ(view("intensity", sample_run()),
              "class (LWM10 Table 2): idle intensity medium (40.0 % of the slots), branch intensity high (mean "
              "2.0\nof 4 threads)\n");
    EXPECT_EQ(view("classes", sample_run()), "slots by class (PRO II.B): idle 10.0 %, scoreboard 30.0 %\n");
    EXPECT_THAT(view("kernels", sample_run()),
                HasSubstr("first          2         12          4           12             22\n"));
}

TEST(Views, AnUnknownOneIsRefusedWithTheNames) {
    EXPECT_THAT(
        [] { (void)view_named("warpsizes"); },
        ::testing::ThrowsMessage<UserError>(
            "there is no view 'warpsizes'; valid: kernels, classes, warp-sizes, intensity, divergence, heat-map, "
            "rates; did you mean 'warp-sizes'?"));
}

TEST(Views, OfARunWithoutTiming) {
    RunResult run = sample_run();
    for (KernelResult& kernel : run.kernels) {
        kernel.timed = false;
        kernel.counts.cycles = 0;
        kernel.counts.active_lanes[0] = 0;
        kernel.counts.stalls.clear();
    }
    const std::string json = to_json(run);
    const auto c = nlohmann::json::parse(json).at("views").at("classification");
    EXPECT_TRUE(c.at("idle_intensity").is_null());
    EXPECT_TRUE(c.at("idle_share").is_null());
    EXPECT_EQ(c.at("branch_intensity"), "high");
    EXPECT_THAT(view("intensity", run), HasSubstr("class (LWM10 Table 2): branch intensity high"));
    EXPECT_THAT(view("warp-sizes", run), HasSubstr("no launch was timed"));
    EXPECT_THAT(view("rates", run), HasSubstr("no launch was timed"));
}

// 3000 cycles of the SMs together, in which there were so many events.
stats::Snapshot watched_stats(std::uint64_t cycles) {
    struct Core {
        std::uint64_t cycles = 0, non_loop_branches = 60, divergent_branches = 6;
        static std::span<const stats::Statistic<Core>> statistics() {
            static const stats::Statistic<Core> table[] = {
                {"cycles", &Core::cycles, "", ""},
                {"non_loop_branches", &Core::non_loop_branches, "", ""},
                {"divergent_branches", &Core::divergent_branches, "", ""},
            };
            return table;
        }
    };
    struct Divergence {
        std::uint64_t missed = 300, divergent = 45;
        static std::span<const stats::Statistic<Divergence>> statistics() {
            static const stats::Statistic<Divergence> table[] = {
                {"missed", &Divergence::missed, "", ""},
                {"divergent", &Divergence::divergent, "", ""},
            };
            return table;
        }
    };
    const Core core{.cycles = cycles};
    const Divergence divergence;
    stats::Tree tree;
    tree.add("core", core);
    tree.add("divergence", divergence);
    return tree.snapshot();
}

TEST(DivergenceRates, AreOfAMillionCyclesOfAnSm) {
    const auto rates = divergence_rates(watched_stats(3000));
    ASSERT_TRUE(rates);
    EXPECT_DOUBLE_EQ(rates->non_loop_branches, 20000); // 60 x 10^6 / 3000
    EXPECT_DOUBLE_EQ(rates->divergent_branches, 2000);
    EXPECT_DOUBLE_EQ(rates->cache_misses, 100000);
    EXPECT_DOUBLE_EQ(rates->divergent_accesses, 15000);
}

TEST(DivergenceRates, OnlyWhereTheyWereMeasured) {
    EXPECT_FALSE(divergence_rates(sample_stats()));
    EXPECT_FALSE(divergence_rates(watched_stats(0)));
    EXPECT_FALSE(divergence_rates({}));
    const auto views = nlohmann::json::parse(to_json(sample_run())).at("views");
    EXPECT_FALSE(views.contains("table2"));
    EXPECT_FALSE(views.contains("divergence"));
    EXPECT_THAT(view("divergence", sample_run()), HasSubstr("do not look at divergent cache\naccesses"));
}

TEST(DivergenceRates, AreInTheResultAndPrinted) {
    RunResult run = sample_run();
    run.kernels.resize(1);
    run.kernels[0].counts.stats = watched_stats(3000);
    const std::string json = to_json(run);
    EXPECT_EQ(nlohmann::json::parse(json).at("views").at("table2"), nlohmann::json({{"non_loop_branches", 20000.0},
                                                                                    {"divergent_branches", 2000.0},
                                                                                    {"cache_misses", 100000.0},
                                                                                    {"divergent_accesses", 15000.0}}));
    EXPECT_EQ(view("divergence", run),
              "a million cycles of an SM (MAWS Table 2): 20000 non-loop conditional branches, 2000 divergent\n"
              "conditional branches, 100000 SIMD cache misses, 15000 divergent accesses\n");
}

// Intervals of 100 cycles of a run of 250: the last one has 50, in which 2 lines were on their way half of the time.
TEST(DivergenceOverTime, IsInTheResult) {
    RunResult run = sample_run();
    run.miss_intervals.emplace(100, 4);
    run.miss_intervals->missed(3, true, 99);
    run.miss_intervals->missed(4, false, 99);
    run.miss_intervals->missed(1, true, 100);
    run.miss_intervals->on_their_way(2, 200, 225);
    run.miss_intervals->extend(250);
    const auto view = nlohmann::json::parse(to_json(run)).at("views").at("divergence");
    EXPECT_EQ(view.at("interval"), 100);
    EXPECT_EQ(view.at("rows"), nlohmann::json::parse(R"([
        {"cycle": 0, "missed": 2, "divergent": 1, "degree": [0,0,0,1,0], "mean_lines": 0.0, "most_lines": 0},
        {"cycle": 100, "missed": 1, "divergent": 1, "degree": [0,1,0,0,0], "mean_lines": 0.0, "most_lines": 0},
        {"cycle": 200, "missed": 0, "divergent": 0, "degree": [0,0,0,0,0], "mean_lines": 1.0, "most_lines": 2}])"));
}

// 9 accesses are the most: 1 of them is the first step above none, 4 the fourth, 5 the fifth.
TEST(HeatMap, ACellIsAnIntervalAndADegree) {
    Summary run;
    run.over_time = {100, {{0, 9, 0, 0, 0}, {0, 0, 4, 0, 0}, {0, 1, 0, 5, 0}}};
    EXPECT_EQ(heat_map(run), "divergent cache accesses over time by the threads that missed (MAWS Figure 2)\n"
                             "   3 |  +|\n"
                             "   2 | = |\n"
                             "   1 |@ .|\n"
                             "     a column: 100 cycles; '@': 9 accesses\n");
}

// 65 intervals do not fit into 64 columns: two make a column, the last of which has one.
TEST(HeatMap, SeveralIntervalsMakeAColumn) {
    Summary run;
    run.over_time = {1000, std::vector<Lanes>(65, Lanes{0, 1, 0})};
    EXPECT_THAT(heat_map(run), HasSubstr("   1 |" + std::string(32, '@') + "+|\n"));
    EXPECT_THAT(heat_map(run), HasSubstr("a column: 2,000 cycles; '@': 2 accesses"));
    run.over_time->rows.pop_back();
    EXPECT_THAT(heat_map(run), HasSubstr("   1 |" + std::string(64, '@') + "|\n"));
}

TEST(HeatMap, SaysWhyThereIsNone) {
    EXPECT_THAT(heat_map(read_summary(to_json(sample_run()))), HasSubstr("core.model = 'wpu'"));
    Summary run;
    run.over_time = {1000, {}};
    EXPECT_THAT(heat_map(run), HasSubstr("no launch was timed"));
    run.over_time->rows = {{0, 0, 0}};
    EXPECT_THAT(heat_map(run), HasSubstr("   1 | |\n"));
}

} // namespace
} // namespace heddle::report::test
