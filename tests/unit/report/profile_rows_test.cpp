#include <gmock/gmock.h>

#include "base/source.h"
#include "report/profile/columns.h"
#include "report/profile/frames.h"
#include "report/profile/hottest.h"
#include "report/profile/row_names.h"
#include "report/profile/rows.h"
#include "sample_profile.h"

namespace heddle::report::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

std::vector<std::string> places(const Profile& profile, const ProfileRows& rows) {
    std::vector<std::string> out;
    for (const ProfileRow& row : rows.rows)
        out.push_back(place_name(short_file_names(profile), line_of(*row.instruction)));
    return out;
}

double value(const ProfileRows& rows, std::size_t row, const char* column) {
    return ProfileColumn::named(column).value(rows, rows.rows.at(row)).value_or(-1);
}

TEST(ProfileRows, Lines) {
    const Profile profile = sample_profile();
    const ProfileRows rows = rows_of(profile, RowsBy::Line);
    // `ret` has no source line: its place is in the PTX.
    ASSERT_THAT(places(profile, rows), ElementsAre("a.cu:2", "a.cu:5", "a.cu:6", "a.cu:7", "a.ptx:6"));
    EXPECT_EQ(rows.slots, 107U);
    EXPECT_THAT(rows.elsewhere, ElementsAre(Pair("empty", 20), Pair("drain", 4)));
    const ProfileRow& multiply_and_store = rows.rows[3];
    EXPECT_EQ(multiply_and_store.counter(probe::Counter::Executions), 4U);
    EXPECT_EQ(multiply_and_store.stalled, 65U);
    EXPECT_EQ(multiply_and_store.slots(), 69U);
    ASSERT_EQ(multiply_and_store.stalls.size(), 3U);
    EXPECT_EQ(multiply_and_store.stalls[0].cause, "sb_dram");
    EXPECT_EQ(multiply_and_store.stalls[0].producer, 0U); // the row of a.cu:2
    EXPECT_EQ(multiply_and_store.stalls[0].slots, 50U);
    EXPECT_EQ(rows.rows[0].waited_for, 60U);
    EXPECT_THAT(rows.costliest(), ElementsAre(3, 2, 0, 4, 1)); // 69, 5, 4, 3, 2 slots
}

TEST(ProfileRows, RowsAndTheRestAreAllSlots) {
    const Profile profile = sample_profile();
    for (const RowsBy by : {RowsBy::Line, RowsBy::Path, RowsBy::Function, RowsBy::Instruction, RowsBy::Kernel}) {
        const ProfileRows rows = rows_of(profile, by);
        std::uint64_t slots = 24;
        for (const ProfileRow& row : rows.rows)
            slots += row.slots();
        EXPECT_EQ(slots, 107U);
    }
}

TEST(ProfileRows, LinesOfTwoKernelsAreOneRow) {
    Profile profile = sample_profile();
    profile.kernels.push_back(sample_profiled_kernel());
    profile.kernels[1].name = "other";
    const ProfileRows lines = rows_of(profile, RowsBy::Line);
    ASSERT_EQ(lines.rows.size(), 5U);
    EXPECT_EQ(lines.slots, 214U);
    EXPECT_EQ(lines.rows[3].slots(), 138U);
    EXPECT_EQ(lines.rows[0].waited_for, 120U);
    EXPECT_THAT(lines.elsewhere, ElementsAre(Pair("empty", 40), Pair("drain", 8)));
    EXPECT_EQ(rows_of(profile, RowsBy::Instruction).rows.size(), 12U);
    EXPECT_EQ(rows_of(profile, RowsBy::Kernel).rows.size(), 2U);
    EXPECT_EQ(rows_of(profile, RowsBy::Kernel).rows[1].slots(), 83U);
}

TEST(ProfileRows, FunctionsThatWereInlined) {
    const Profile profile = sample_profile();
    const ProfileRows rows = rows_of(profile, RowsBy::Function);
    ASSERT_EQ(rows.rows.size(), 2U);
    EXPECT_EQ(rows.rows[0].function, "gather");
    EXPECT_EQ(rows.rows[0].slots(), 79U);
    EXPECT_EQ(rows.rows[0].with_inlined, 83U);
    EXPECT_EQ(rows.rows[1].function, "pick");
    EXPECT_EQ(rows.rows[1].slots(), 4U);
    EXPECT_EQ(rows.rows[1].with_inlined, 4U);
}

TEST(ProfileRows, AFunctionWithoutANameIsNamedAfterItsCall) {
    Profile profile = sample_profile();
    profile.kernels[0].instructions[2].inlined.clear();
    const auto frames = frames_of(short_file_names(profile), profile.kernels[0].instructions[2]);
    ASSERT_EQ(frames.size(), 2U);
    EXPECT_EQ(frames[0].function, "gather");
    EXPECT_EQ(frames[0].line, (SourceLine{0, 7}));
    EXPECT_EQ(frames[1].function, "(inlined at a.cu:7)");
    EXPECT_EQ(frames[1].line, (SourceLine{0, 2}));
}

TEST(ProfileRows, PathsKeepTheCallsApart) {
    Profile profile = sample_profile();
    auto& instructions = profile.kernels[0].instructions;
    ProfiledInstruction again = instructions[2];
    again.pc = 9;
    again.lines = {{0, 2}, {0, 6}}; // inlined a second time
    instructions.push_back(again);
    EXPECT_EQ(rows_of(profile, RowsBy::Line).rows.size(), 5U);
    EXPECT_EQ(rows_of(profile, RowsBy::Path).rows.size(), 6U);
}

TEST(ProfileRows, FilesWithOneNameKeepTheirFolders) {
    Profile profile = sample_profile();
    profile.files = {{"/src/a/k.cu", {}}, {"/src/b/k.cu", {}}, {"/src/b/m.cu", {}}};
    EXPECT_THAT(short_file_names(profile), ElementsAre("/src/a/k.cu", "/src/b/k.cu", "m.cu"));
}

TEST(RowNames, TextsOfLines) {
    Profile profile = sample_profile();
    profile.files[1].text = "one\r\ntwo";
    const RowNames names(profile);
    EXPECT_EQ(names.line({0, 2}), "    return p[i * 33];");
    EXPECT_EQ(names.line({0, 99}), ""); // the file has changed
    EXPECT_EQ(names.line({1, 1}), "one");
    EXPECT_EQ(names.line({1, 2}), "two");
    EXPECT_EQ(names.ptx(profile.kernels[0].instructions[2]), "ld.global.f32 %f1, [%rd2];");
    profile.files[2].text.reset(); // a file that could not be read
    EXPECT_EQ(RowNames(profile).line({2, 1}), "");
    EXPECT_EQ(RowNames(profile).ptx(profile.kernels[0].instructions[2]), "ld.global.f32");
}

TEST(ProfileRows, KernelsByName) {
    Profile profile = sample_profile();
    profile.kernels.push_back(sample_profiled_kernel());
    profile.kernels[1].name = "_Z12gather_widerPKfPf";
    EXPECT_EQ(only_kernels(profile, "gather").kernels.size(), 1U); // the whole name before parts
    EXPECT_EQ(only_kernels(profile, "_Z12gather_widerPKfPf").kernels.size(), 1U);
    EXPECT_EQ(only_kernels(profile, "gath").kernels.size(), 2U);
    try {
        (void)only_kernels(profile, "gathre");
        FAIL();
    } catch (const UserError& e) {
        EXPECT_STREQ(e.what(),
                     "no kernel 'gathre' in the profile; it has gather, gather_wider; did you mean 'gather'?");
    }
}

TEST(ProfileColumns, FiguresOfALoad) {
    const Profile profile = sample_profile();
    const ProfileRows rows = rows_of(profile, RowsBy::Line);
    EXPECT_DOUBLE_EQ(value(rows, 0, "cost"), 400.0 / 107);
    EXPECT_DOUBLE_EQ(value(rows, 0, "lanes_per_execution"), 2);
    EXPECT_DOUBLE_EQ(value(rows, 0, "transactions_per_access"), 2);
    EXPECT_DOUBLE_EQ(value(rows, 0, "ideal_per_access"), 1);
    EXPECT_DOUBLE_EQ(value(rows, 0, "transactions_per_ideal"), 2);
    EXPECT_DOUBLE_EQ(value(rows, 0, "moved_per_asked"), 32); // 512 / 16
    EXPECT_DOUBLE_EQ(value(rows, 0, "l1_hit_rate"), 25);
    EXPECT_DOUBLE_EQ(value(rows, 0, "llc_hit_rate"), 100.0 / 3);
    EXPECT_DOUBLE_EQ(value(rows, 0, "mean_latency"), 150);
    EXPECT_DOUBLE_EQ(value(rows, 0, "branch"), 2); // slots of a cause
    EXPECT_DOUBLE_EQ(value(rows, 0, "dram"), 2);   // a counter
    EXPECT_DOUBLE_EQ(value(rows, 2, "divergent_share"), 100);
    EXPECT_DOUBLE_EQ(value(rows, 2, "taken_share"), 50);
    EXPECT_DOUBLE_EQ(value(rows, 2, "apart_per_divergence"), 20);
    EXPECT_FALSE(ProfileColumn::named("mean_latency").value(rows, rows.rows[1]).has_value());
}

TEST(ProfileColumns, EveryNameIsAColumn) {
    for (const std::string& name : ProfileColumn::names()) {
        const auto column = ProfileColumn::find(name);
        ASSERT_TRUE(column.has_value()) << name;
        EXPECT_EQ(column->name, name);
        EXPECT_NE(column->meaning, "") << name;
    }
    EXPECT_FALSE(ProfileColumn::find("issued").has_value()); // executions
    try {
        (void)ProfileColumn::named("cots");
        FAIL();
    } catch (const UserError& e) {
        EXPECT_THAT(e.what(),
                    HasSubstr("a profile has no figure 'cots'; did you mean 'cost'?; its figures: cost, slots"));
    }
}

TEST(ProfileColumns, FewLanesComeFirst) {
    const Profile profile = sample_profile();
    const ProfileRows rows = rows_of(profile, RowsBy::Line);
    // 2 lanes: a.cu:7 costs more than a.cu:2. Then 8 / 3 of `ret`, and 4 of a.cu:6 and 5.
    EXPECT_THAT(sorted_by(rows, ProfileColumn::named("lanes_per_execution")), ElementsAre(3, 0, 4, 2, 1));
    EXPECT_THAT(sorted_by(rows, ProfileColumn::named("mean_latency")), ElementsAre(0)); // only one line has one
}

TEST(HottestLines, CostliestFirstWithTheLargestCause) {
    const std::vector<HotLine> lines = hottest_lines(sample_profile(), 3);
    ASSERT_EQ(lines.size(), 3U);
    EXPECT_EQ(lines[0].place, "a.cu:7");
    EXPECT_EQ(lines[0].text, "q[i] = pick(p, i) * 2;");
    EXPECT_DOUBLE_EQ(lines[0].share, 69.0 / 107);
    EXPECT_EQ(lines[0].cause, "sb_dram");
    EXPECT_DOUBLE_EQ(lines[0].cause_share, 50.0 / 69);
    EXPECT_EQ(lines[0].producer, "a.cu:2");
    EXPECT_EQ(lines[1].place, "a.cu:6");
    EXPECT_EQ(lines[1].cause, "sb_alu");
    EXPECT_EQ(lines[2].place, "a.cu:2");
    EXPECT_EQ(lines[2].cause, "issued"); // 2 slots of each: the instruction counts
    EXPECT_EQ(lines[2].producer, "");
}

TEST(HottestLines, OfOneKernel) {
    Profile profile = sample_profile();
    profile.kernels.push_back(sample_profiled_kernel());
    profile.kernels[1].name = "other";
    EXPECT_DOUBLE_EQ(hottest_lines(profile, 1, "other").at(0).share, 69.0 / 107);
    EXPECT_TRUE(hottest_lines(profile, 1, "none").empty());
}

} // namespace
} // namespace heddle::report::test
