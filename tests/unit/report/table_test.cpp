#include <gmock/gmock.h>

#include "report/json.h"
#include "report/table.h"
#include "report/tables.h"
#include "report/text.h"
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

TEST(Table, ANoteGoesOnOverAllColumns) {
    Table table;
    table.column("name", Table::Align::Left);
    table.column("n");
    table.row({"a", "7"});
    table.note("a long name", "there is no number");
    EXPECT_EQ(table.render(), "name         n\n"
                              "a            7\n"
                              "a long name  there is no number\n");
}

// Six runs stand side by side; a cause with less than 0.5 % in each of them is left out.
TEST(CompareTable, ManyRuns) {
    RunResult with_rare = sample_run();
    for (KernelResult& kernel : with_rare.kernels) {
        kernel.counts.active_lanes[0] = 994; // with the 6 that issued 1000 slots
        kernel.counts.stalls = {{"memory", 3}, {"barrier", 6}};
    }
    const Summary one = read_summary(to_json(with_rare));
    const std::vector<ComparedRun> runs(7, {"a=1", false, "", one});
    const std::string text = compare_table(runs);
    EXPECT_THAT(text, HasSubstr("      6\n"));
    EXPECT_THAT(text, HasSubstr("issue slots                       7\nwaits at a barrier (barrier)  0.6 %\n"));
    EXPECT_THAT(text, Not(HasSubstr("memory")));
}

TEST(Text, Wraps) {
    const std::string word(49, 'x');
    EXPECT_EQ(wrapped(word + " " + word + " " + word, "> "), "> " + word + "\n  " + word + "\n  " + word + "\n");
    EXPECT_EQ(wrapped(word + " " + word), word + " " + word + "\n"); // 99 characters
    EXPECT_EQ(wrapped(word + "y " + word + "y"), word + "y\n" + word + "y\n");
    EXPECT_EQ(characters("7 \u00b5s"), 4U);
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

TEST(CompareTable, SpeedUpOverTheFirst) {
    RunResult fast = sample_run();
    for (KernelResult& kernel : fast.kernels)
        kernel.counts.cycles = 5;
    const std::vector<ComparedRun> runs{{"core.formation=serial", false, "", read_summary(to_json(sample_run()))},
                                        {"core.formation=pdom", false, "", read_summary(to_json(fast))},
                                        {"core.formation=x", true, "unknown formation 'x'", {}}};
    EXPECT_EQ(compare_table(runs), "setting                #  cycles  speed-up  warp instr.    IPC  lanes used\n"
                                   "core.formation=serial  1      30     1.000           18  1.100      50.0 %\n"
                                   "core.formation=pdom    2      15     2.000           18  2.200      50.0 %\n"
                                   "core.formation=x       failed: unknown formation 'x'\n"
                                   "\n"
                                   "issue slots                        1       2  3\n"
                                   "waits for memory (memory)     30.0 %  30.0 %  -\n"
                                   "waits at a barrier (barrier)  10.0 %  10.0 %  -\n"
                                   "\ncore.formation=x: unknown formation 'x'\n");
}

} // namespace
} // namespace heddle::report::test
