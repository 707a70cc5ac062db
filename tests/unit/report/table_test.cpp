#include <gmock/gmock.h>

#include "report/json.h"
#include "report/table.h"
#include "report/tables.h"
#include "sample.h"

namespace heddle::report::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(Table, Aligns) {
    Table table;
    table.column("name", Table::Align::Left);
    table.column("n");
    table.column("note", Table::Align::Left);
    table.row({"a", "1,000", "x"});
    table.row({"long name", "7"});
    EXPECT_EQ(table.render(), "name           n  note\n"
                              "a          1,000  x\n"
                              "long name      7\n");
}

TEST(Table, Numbers) {
    EXPECT_EQ(grouped(0), "0");
    EXPECT_EQ(grouped(999), "999");
    EXPECT_EQ(grouped(1000), "1,000");
    EXPECT_EQ(grouped(1234567), "1,234,567");
    EXPECT_EQ(percent(0.9312), "93.1 %");
    EXPECT_EQ(scaled(0), "0");
    EXPECT_EQ(scaled(0.5), "0.50");
    EXPECT_EQ(scaled(999), "999");
    EXPECT_EQ(scaled(12345678), "12.3 M");
    EXPECT_EQ(scaled(1000), "1.00 k");
}

TEST(RunTable, ShowsKernelsStallsAndSpeed) {
    const std::string text = run_table(read_summary(to_json(sample_run())));
    EXPECT_THAT(text, HasSubstr("machine lwm11, formation pdom\n"));
    EXPECT_THAT(
        text,
        HasSubstr(
            "first          2         12   4 (threads)      20           12             22  1.100      50.0 %\n"));
    EXPECT_THAT(
        text,
        HasSubstr(
            "all            3                               30           18             33  1.100      50.0 %\n"));
    EXPECT_THAT(text, HasSubstr("issue slots: memory 30.0 %, barrier 10.0 %\n"));
    EXPECT_THAT(text, HasSubstr("in 0.50 s: 36/s; peak memory 45 MB"));
    EXPECT_THAT(text, Not(HasSubstr("up to there")));
    RunResult shared = sample_run();
    shared.host.threads = 4;
    EXPECT_THAT(run_table(read_summary(to_json(shared))), HasSubstr("in 0.50 s on 4 host threads: 36/s"));
}

TEST(RunTable, KernelNamesAreReadable) {
    RunResult run = sample_run();
    run.kernels[0].name = "_Z5sweepPfS_i";         // sweep(float*, float*, int)
    run.kernels[1].name = "_Z6reduceIiLi2EEvPT_i"; // void reduce<int, 2>(int*, int)
    run.kernels[2].name = "_ZN2ns4stepEv";         // ns::step()
    const std::string text = run_table(read_summary(to_json(run)));
    EXPECT_THAT(text, HasSubstr("\nsweep  "));
    EXPECT_THAT(text, HasSubstr("\nreduce<int, 2>  "));
    EXPECT_THAT(text, HasSubstr("\nns::step  "));
}

TEST(RunTable, SaysThatItIsPartial) {
    RunResult run = sample_run();
    run.status = Status::MaxCycles;
    EXPECT_THAT(run_table(read_summary(to_json(run))), HasSubstr("stopped at the limit of cycles"));
}

TEST(RunTable, UntimedKernelsHaveNoCycles) {
    RunResult run = sample_run();
    run.kernels.resize(1);
    run.kernels[0].timed = false;
    run.kernels[0].counts.cycles = 0;
    EXPECT_THAT(run_table(read_summary(to_json(run))), HasSubstr("first          1         12   4 (threads)       -"));
}

TEST(CompareTable, SpeedUpOverTheFirst) {
    RunResult fast = sample_run();
    for (KernelResult& kernel : fast.kernels)
        kernel.counts.cycles = 5;
    const std::vector<ComparedRun> runs{{"core.formation=serial", false, "", read_summary(to_json(sample_run()))},
                                        {"core.formation=pdom", false, "", read_summary(to_json(fast))},
                                        {"core.formation=x", true, "unknown formation 'x'", {}}};
    EXPECT_EQ(compare_table(runs),
              "setting                cycles  speed-up  warp instr.    IPC  lanes used  memory  barrier\n"
              "core.formation=serial      30     1.000           18  1.100      50.0 %  30.0 %   10.0 %\n"
              "core.formation=pdom        15     2.000           18  2.200      50.0 %  30.0 %   10.0 %\n"
              "core.formation=x       failed\n"
              "\ncore.formation=x: unknown formation 'x'\n");
}

} // namespace
} // namespace heddle::report::test
