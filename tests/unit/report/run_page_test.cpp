#include <gmock/gmock.h>

#include "base/source.h"
#include "report/json.h"
#include "report/run_figures.h"
#include "report/run_labels.h"
#include "report/run_page.h"
#include "report/time_figures.h"
#include "sample.h"

namespace heddle::report {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

StoredRun stored(const RunResult& run, std::string file = "a.json") {
    return read_stored_run(to_json(run), std::move(file));
}

StoredRun with(std::vector<std::pair<std::string, std::string>> settings, std::string machine = "lwm11",
               std::string file = "a.json") {
    RunResult run = test::sample_run();
    run.machine = std::move(machine);
    for (auto& [key, value] : settings)
        run.config[key] = {value, "command line"};
    return stored(run, std::move(file));
}

std::string message_of(std::string_view text) {
    try {
        (void)read_stored_run(text, "x.json");
    } catch (const UserError& e) {
        return e.what();
    }
    return "no error";
}

const Figure* find(const Page& page, std::string_view id) {
    for (const PageSection& section : page.sections)
        for (const Figure& figure : section.figures)
            if (figure.id == id)
                return &figure;
    return nullptr;
}

const PageTable* find_table(const Page& page, std::string_view id) {
    for (const PageSection& section : page.sections)
        for (const PageTable& table : section.tables)
            if (table.id == id)
                return &table;
    return nullptr;
}

TEST(StoredRun, HoldsSettingsAndValues) {
    const StoredRun run = stored(test::sample_run());
    EXPECT_EQ(run.setting("core.width"), "4");
    EXPECT_EQ(run.setting("core.formation"), "pdom");
    EXPECT_EQ(run.setting("core.nothing"), "");
    EXPECT_EQ(run.value("dcache.hits"), 9.0); // three launches of 3
    EXPECT_EQ(run.value("dcache.hit_rate"), 0.75);
    EXPECT_FALSE(run.value("dcache.ways")); // a histogram
    EXPECT_EQ(run.stem(), "a");
    EXPECT_FALSE(run.timeline);
}

TEST(StoredRun, SaysWhatAnotherFileIs) {
    EXPECT_THAT(message_of("no json"), HasSubstr("x.json: not JSON (byte 2)"));
    EXPECT_THAT(message_of("[1]"), HasSubstr("x.json: not a RESULT.json: it has no 'heddle'"));
    EXPECT_THAT(message_of(R"({"heddle": {"version": "0.1.0"}, "machine": "lwm11", "config": {}, "parts": []})"),
                HasSubstr("it has no 'kernels'")); // COST.json
    EXPECT_THAT(message_of("{\"a\": 1e999}"), HasSubstr("x.json: not JSON that can be read"));
}

TEST(StoredRun, KnowsOtherVersionsByWhatTheyCannotBeReadAs) {
    std::string text = to_json(test::sample_run());
    const std::string own = "\"version\":\"" + std::string(version()) + "\"";
    ASSERT_THAT(text, HasSubstr(own));
    text.replace(text.find(own), own.size(), "\"version\":\"9.9.9\"");
    EXPECT_EQ(read_stored_run(text, "x.json").version, "9.9.9"); // laid out the same
    text.replace(text.find("\"limited_by\""), 12, "\"limited_to\"");
    EXPECT_THAT(message_of(text), HasSubstr("x.json: written by heddle 9.9.9, whose results are laid out"));
    text.replace(text.find("9.9.9"), 5, version());
    EXPECT_THAT(message_of(text), HasSubstr("not a RESULT.json as schema/result.schema.json describes it"));
}

TEST(StoredRun, RefusesRowsOfDifferentLengths) {
    std::string text = to_json(test::sample_run());
    text.replace(text.find("\"views\": {"), 10,
                 R"("views": {"divergence": {"interval": 5, "rows": [{"degree": [0, 1]}, {"degree": [0]}]},)");
    EXPECT_THAT(message_of(text), HasSubstr("different lengths"));
}

TEST(RunLabels, NameWhatDiffers) {
    const std::vector<StoredRun> runs{
        with({{"core.scheduler", "rr"}, {"two-level.group", "8"}}),
        with({{"core.formation", "lwm"}, {"core.scheduler", "rr"}, {"two-level.group", "8"}}),
        with({{"core.formation", "lwm"}, {"core.scheduler", "two-level"}, {"two-level.group", "1"}})};
    EXPECT_THAT(differing_settings(runs), ElementsAre("core.formation", "core.scheduler", "two-level.group"));
    EXPECT_THAT(run_labels(runs), ElementsAre("pdom, rr", "lwm, rr", "lwm, two-level, two-level.group=1"));
}

TEST(RunLabels, OfASweepNameItsSetting) {
    const std::vector<StoredRun> runs{with({{"dcache.size", "16384"}}), with({{"dcache.size", "32768"}})};
    EXPECT_THAT(run_labels(runs), ElementsAre("dcache.size=16384", "dcache.size=32768"));
}

TEST(RunLabels, OfMachinesLeaveTheirSettingsOut) {
    const std::vector<StoredRun> runs{with({{"dcache.size", "1"}}), with({{"dcache.size", "2"}}, "gtx480"),
                                      with({{"dcache.size", "3"}}, "gtx480")};
    EXPECT_THAT(run_labels(runs), ElementsAre("lwm11", "gtx480", "gtx480, dcache.size=3"));
}

TEST(RunLabels, FallBackToFiles) {
    const std::vector<StoredRun> runs{with({}, "lwm11", "x/bfs.json"), with({}, "lwm11", "fft.json"),
                                      with({}, "lwm11", "y/bfs.json")};
    EXPECT_THAT(run_labels(runs), ElementsAre("bfs", "fft", "bfs #2"));
}

TEST(RunPage, AddsUpTheStallsOfAKernelsLaunches) {
    // A launch has 6 issued slots (none named in the sample), 3 of memory and 1 of barrier; "first" was launched twice.
    const StoredRun run = stored(test::sample_run());
    ASSERT_EQ(run.summary.kernels.size(), 2U);
    EXPECT_THAT(run.summary.kernels[0].counts.stalls, ElementsAre(std::pair("memory", 6U), std::pair("barrier", 2U)));
    const Page page = run_page(run);
    const Figure* stalls = find(page, "stalls");
    ASSERT_NE(stalls, nullptr);
    EXPECT_THAT(stalls->categories, ElementsAre("first", "second", "all kernels"));
    EXPECT_EQ(stalls->means, 1U);
    EXPECT_EQ(stalls->series[0].name, "waits for memory (memory)");
    EXPECT_THAT(stalls->series[0].values, ElementsAre(75.0, 75.0, 75.0));
}

TEST(RunPage, ShowsLanesAsSharesOfTheSlots) {
    // 4 idle slots, 4 of one lane, 2 of four: of 10.
    const Page page = run_page(stored(test::sample_run()));
    const Figure* lanes = find(page, "lanes");
    ASSERT_NE(lanes, nullptr);
    std::vector<std::pair<std::string, double>> all;
    for (const Series& s : lanes->series)
        all.emplace_back(s.name, s.values.back().value_or(-1));
    EXPECT_THAT(all, ElementsAre(std::pair("W0", 40.0), std::pair("W1", 40.0), std::pair("W2", 0.0),
                                 std::pair("W3", 0.0), std::pair("W4", 20.0)));
}

TEST(RunPage, OfAnUntimedRunHasNoSlots) {
    RunResult run = test::sample_run();
    for (KernelResult& kernel : run.kernels) {
        kernel.timed = false;
        kernel.counts.cycles = 0;
    }
    const Page page = run_page(stored(run));
    EXPECT_EQ(find(page, "stalls"), nullptr);
    EXPECT_NE(find_table(page, "kernels"), nullptr);
    EXPECT_FALSE(find_table(page, "kernels")->rows[0][5].number);
}

TEST(RunPage, SaysHowARunEnded) {
    RunResult run = test::sample_run();
    run.status = Status::Failed;
    run.error = "out of bounds";
    const Page page = run_page(stored(run));
    EXPECT_THAT(page.introduction,
                ElementsAre("Not complete: failed: these are the results up to there.", "out of bounds"));
}

TEST(RunPage, OfNoKernelIsAPage) {
    RunResult run = test::sample_run();
    run.kernels.clear();
    EXPECT_EQ(run_page(stored(run)).title, "sample on lwm11");
    run.program.clear(); // as in results of older versions
    EXPECT_EQ(run_page(stored(run)).title, "no kernel on lwm11");
}

TEST(ComparedPage, SpeedsUpOverTheFirst) {
    RunResult fast = test::sample_run();
    fast.config["core.formation"] = {"lwm", "command line"};
    for (KernelResult& kernel : fast.kernels)
        kernel.counts.cycles = 4;
    RunResult stopped = fast;
    stopped.config["core.formation"] = {"tbc", "command line"};
    stopped.status = Status::MaxCycles;
    RunResult other = fast;
    other.config["core.formation"] = {"dwf", "command line"};
    other.kernels.pop_back();
    const std::vector<StoredRun> runs{stored(test::sample_run()), stored(fast), stored(stopped), stored(other)};
    const Page page = compared_page(runs);
    const Figure* ups = find(page, "speed-up");
    ASSERT_NE(ups, nullptr);
    EXPECT_THAT(ups->categories, ElementsAre("pdom", "lwm", "tbc", "dwf"));
    // 30 cycles to 12; a run that stopped early, or launched fewer kernels, has no speed-up.
    EXPECT_THAT(ups->series[0].values, ElementsAre(1.0, 2.5, std::nullopt, std::nullopt));
    EXPECT_THAT(page.sections[0].paragraphs,
                ElementsAre(HasSubstr("tbc: stopped at the limit of cycles"), HasSubstr("dwf: other kernels")));
}

TEST(ComparedPage, ListsTheStatisticsThatDiffer) {
    RunResult fewer = test::sample_run();
    fewer.kernels.pop_back();
    const std::vector<StoredRun> runs{stored(test::sample_run()), stored(fewer, "b.json")};
    const PageTable table = statistics_table(runs, {"a", "b"}, true);
    ASSERT_EQ(table.rows.size(), 2U); // hits and misses, not their rate
    EXPECT_EQ(table.rows[0][0].text, "dcache.hits");
    EXPECT_EQ(table.rows[0][1].number, 9.0);
    EXPECT_EQ(table.rows[0][2].number, 6.0);
    EXPECT_EQ(statistics_table(runs, {"a", "b"}, false).rows.size(), 3U);
}

StoredRun timed(std::vector<StoredSample> samples, std::vector<StoredBlock> blocks) {
    StoredRun run = stored(test::sample_run());
    run.timeline = StoredTimeline{std::move(blocks), std::move(samples), 0};
    return run;
}

TEST(TimeFigures, PutEverySampleInAColumn) {
    std::vector<StoredSample> samples;
    for (std::uint64_t cycle = 10; cycle <= 10000; cycle += 10) // 1000 samples: 42 cycles a column of 240
        samples.push_back({0, cycle, 4, 0, 2});
    const std::vector<Figure> figures = time_figures(timed(samples, {}));
    ASSERT_EQ(figures.size(), 3U);
    EXPECT_EQ(figures[0].categories.front(), "42");
    EXPECT_EQ(figures[0].categories.size(), 239U); // 10000 / 42, rounded up
    ASSERT_EQ(figures[0].series.size(), 1U);
    for (const auto& value : figures[0].series[0].values)
        EXPECT_EQ(value, 2.0);
}

TEST(TimeFigures, SumManySMsUp) {
    std::vector<StoredSample> samples;
    for (std::uint64_t sm = 0; sm < 5; ++sm)
        for (const std::uint64_t cycle : {100UL, 200UL})
            samples.push_back({sm, cycle, static_cast<double>(sm), 0, 0});
    const Figure warps = time_figures(timed(samples, {}))[1];
    EXPECT_THAT(warps.categories, ElementsAre("100", "200"));
    EXPECT_THAT(warps.series[0].values, ElementsAre(2.0, 2.0)); // the mean of 0 to 4
    EXPECT_THAT(warps.series[1].values, ElementsAre(0.0, 0.0));
    EXPECT_THAT(warps.series[2].values, ElementsAre(4.0, 4.0));
}

TEST(TimeFigures, DrawBlocksBySlot) {
    const std::vector<Figure> figures =
        time_figures(timed({}, {{1, 0, 0, 2, 5, 9}, {0, 1, 0, 1, 0, 4}, {0, 1, 0, 3, 4, 8}, {0, 0, 0, 0, 0, 7}}));
    ASSERT_EQ(figures.size(), 1U);
    const auto& rows = figures[0].series;
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_EQ(rows[1].name, "SM 0, slot 1");
    ASSERT_EQ(rows[1].spans.size(), 2U);
    EXPECT_EQ(rows[1].spans[1].label, "launch 0, block 3");
    EXPECT_EQ(rows[1].spans[1].end, 8);
}

TEST(TimeFigures, SayWhichBlocksAreNotShown) {
    std::vector<StoredBlock> blocks;
    for (std::uint64_t slot = 0; slot < 100; ++slot)
        blocks.push_back({0, slot, 0, slot, 0, 1});
    StoredRun run = timed({}, blocks);
    run.timeline->blocks_left_out = 50;
    const Figure figure = time_figures(run)[0];
    EXPECT_EQ(figure.series.size(), 96U);
    EXPECT_THAT(figure.caption, HasSubstr("Shown: the first 96 of 100 slots, 96 of 150 blocks."));
    EXPECT_THAT(figure.remarks, ElementsAre("50 blocks were not recorded: the time line was full."));
}

TEST(TimeFigures, ShowWholeSlots) {
    std::vector<StoredBlock> blocks;
    for (std::uint64_t b = 0; b < 6000; ++b) // 3000 of each of two slots: more than there is room for
        blocks.push_back({0, b % 2, 0, b, b / 2, b / 2 + 1});
    const Figure figure = time_figures(timed({}, blocks))[0];
    ASSERT_EQ(figure.series.size(), 1U);
    EXPECT_EQ(figure.series[0].spans.size(), 3000U);
    EXPECT_THAT(figure.caption, HasSubstr("Shown: the first 1 of 2 slots, 3,000 of 6,000 blocks."));
}

TEST(TimeFigures, DrawDegreesButNoneAndAll) {
    StoredRun run = stored(test::sample_run());
    run.summary.over_time = DegreesOverTime{1000, {{9, 1, 2, 3, 9}, {9, 4, 5, 6, 9}}}; // a machine of width 4
    const Figure map = time_figures(run)[0];
    EXPECT_THAT(map.categories, ElementsAre("0", "1000"));
    ASSERT_EQ(map.series.size(), 3U);
    EXPECT_EQ(map.series[0].name, "3");
    EXPECT_THAT(map.series[0].values, ElementsAre(3.0, 6.0));
}

} // namespace
} // namespace heddle::report
