// Tables, listings and exports of the profile in sample_profile.h.
#include <gmock/gmock.h>

#include "base/source.h"
#include "report/profile/exports.h"
#include "report/profile/matching.h"
#include "report/profile/tables.h"
#include "report/profile/text_beside.h"
#include "sample_profile.h"

namespace heddle::report::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::vector<std::string> lines_in(const std::string& text) {
    std::vector<std::string> out;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = text.find('\n', begin);
        out.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return out;
}

// The first line with this in it, runs of spaces as one.
std::string line_with(const std::string& text, const std::string& part) {
    for (std::string line : lines_in(text))
        if (line.find(part) != std::string::npos) {
            const auto both_spaces = [](char a, char b) { return a == ' ' && b == ' '; };
            line.erase(std::unique(line.begin(), line.end(), both_spaces), line.end());
            return line.substr(line.find_first_not_of(' '));
        }
    return "";
}

TEST(ProfileTable, CostliestLinesFirst) {
    const std::string text = profile_table(sample_profile(), {});
    const std::vector<std::string> lines = lines_in(text);
    EXPECT_EQ(lines[0], "gather, 1 launch: 107 issue slots");
    // 13, 70 and 24 of 107.
    EXPECT_EQ(lines[1], "12.1 % carried an instruction, 65.4 % stayed empty at an instruction,");
    EXPECT_EQ(lines[2], "22.4 % stayed empty without one: empty 18.7 %, drain 3.7 %");
    // 69 / 107; 8 lanes in 4 slots; 2 lines of 2 stores; the lines of stores hit in the LLC; 50 / 69 of the slots.
    EXPECT_EQ(line_with(text, "a.cu:7 "),
              "64.5 4 2.0 1.00 1.00 0.0 sb_dram 72 % for a.cu:2 a.cu:7 q[i] = pick(p, i) * 2;");
    EXPECT_LT(text.find("a.cu:7 "), text.find("a.cu:6 "));
    for (const std::string& line : lines)
        EXPECT_LE(line.size(), 120U) << line;
}

TEST(ProfileTable, RowsThatAreNotShownAreCounted) {
    // a.cu:2, `ret` and a.cu:5 have 4 + 3 + 2 of 107 slots.
    EXPECT_THAT(profile_table(sample_profile(), {RowsBy::Line, {}, 2}),
                HasSubstr("and 3 more with 8.4 % of the slots\n"));
}

TEST(ProfileTable, ByFunctionAndByInstruction) {
    const std::string functions = profile_table(sample_profile(), {RowsBy::Function, {}, 20});
    EXPECT_THAT(line_with(functions, "pick"), HasSubstr("3.7 4 2 2.0")); // 4 of 107; with inlined 4; 2 executions
    const std::string instructions = profile_table(sample_profile(), {RowsBy::Instruction, {}, 20});
    EXPECT_THAT(line_with(instructions, "mul.f32"), HasSubstr("sb_dram 81 % for a.cu:2 3 mul.f32 a.cu:7")); // 50 of 62
}

TEST(ProfileTable, SortedByAFigureThatIsNotShownElse) {
    const std::string text =
        profile_table(sample_profile(), {RowsBy::Line, ProfileColumn::named("apart_per_divergence"), 1});
    EXPECT_THAT(lines_in(text)[4], HasSubstr("apart"));
    EXPECT_THAT(line_with(text, "a.cu:6"), HasSubstr("4.7 20.0 2 4.0"));
    EXPECT_THAT(text, Not(HasSubstr("more with"))); // the other lines have no such figure
}

TEST(ProfileTable, WithoutTimeTheCostIsInstructions) {
    Profile profile = sample_profile();
    profile.kernels[0].timed = false;
    profile.kernels[0].elsewhere.clear();
    for (ProfiledInstruction& instruction : profile.kernels[0].instructions)
        instruction.stalls.clear();
    const std::string text = profile_table(profile, {});
    EXPECT_THAT(text, HasSubstr("no launch was timed: the cost is the share of the executed instructions\n"));
    EXPECT_THAT(line_with(text, "a.cu:7 "), HasSubstr("30.8 4")); // 4 of 13
}

TEST(ProfileListing, FiguresStandBesideTheSource) {
    const std::string text = annotated_source(sample_profile(), "a.cu");
    EXPECT_EQ(lines_in(text)[0], "a.cu: 74.8 % of 107 issue slots"); // 4 + 2 + 5 + 69 = 80
    EXPECT_EQ(line_with(text, "q[i] ="), "64.5 4 2.0 sb_dram 7 q[i] = pick(p, i) * 2;");
    EXPECT_EQ(line_with(text, "mul.f32"), "57.9 2 2.0 sb_dram : mul.f32 %f2, %f1, 0f40000000;"); // 62 of 107
    EXPECT_EQ(line_with(text, "__device__"), "1 __device__ float pick(const float* p, int i) {");
}

TEST(ProfileListing, LinesFarFromCodeAreLeftOut) {
    Profile profile = sample_profile();
    std::string text = *profile.files[0].text;
    for (int i = 0; i < 20; ++i)
        text += "// line " + std::to_string(9 + i) + "\n";
    profile.files[0].text = text;
    const std::string listing = annotated_source(profile, "a.cu");
    EXPECT_THAT(listing, HasSubstr("// line 10\n"));
    EXPECT_THAT(listing, Not(HasSubstr("// line 11\n")));
    EXPECT_THAT(lines_in(listing).back(), HasSubstr("..."));
}

TEST(ProfileListing, OtherFilesAreRefused) {
    try {
        (void)annotated_source(sample_profile(), "b.cu");
        FAIL();
    } catch (const UserError& e) {
        EXPECT_STREQ(e.what(), "no instruction of the profile is in a file 'b.cu'; its files: a.cu, a.ptx");
    }
    EXPECT_NO_THROW((void)annotated_source(sample_profile(), "a.ptx"));
    EXPECT_THROW((void)annotated_source(sample_profile(), ".cu"), UserError); // no whole name
}

TEST(TextBeside, IsCutAtTheEndOfTheLine) {
    EXPECT_EQ(text_beside("a\n1\n", "source", {std::string(200, 'x')}),
              "a  source\n1  " + std::string(117, 'x') + "\n");
    EXPECT_EQ(text_beside("a\n1\n", "source", {""}), "a\n1\n");
    const std::string wide(110, 'w');
    EXPECT_EQ(text_beside(wide + "\n1\n", "source", {"text"}), wide + "\n1\n"); // no room
    EXPECT_EQ(text_beside("ä\n1\n", "s", {"t"}), "ä  s\n1  t\n");
}

TEST(MatchedLines, InsertedAndRemovedLines) {
    EXPECT_THAT(matched_lines({"a", "b", "c"}, {"a", "b", "c"}), ElementsAre(1, 2, 3));
    EXPECT_THAT(matched_lines({"a", "b", "c"}, {"new", "a", "b", "c"}), ElementsAre(2, 3, 4));
    EXPECT_THAT(matched_lines({"a", "b", "c"}, {"a", "c"}), ElementsAre(1, 0, 2));
    EXPECT_THAT(matched_lines({"a", "x", "c"}, {"a", "y", "c"}), ElementsAre(1, 2, 3)); // edited
    EXPECT_THAT(matched_lines({"a", "}", "b", "}"}, {"a", "}", "n", "}", "b", "}"}), ElementsAre(1, 2, 5, 6));
    EXPECT_THAT(matched_lines({"a", "b"}, {"b", "a"}), ElementsAre(0, 1)); // moved: one of the two
    EXPECT_THAT(matched_lines({"  a"}, {"\ta"}), ElementsAre(1));          // indented in another way
    EXPECT_TRUE(matched_lines({}, {"a"}).empty());
    EXPECT_THAT(matched_lines({"a"}, {}), ElementsAre(0));
}

TEST(MatchedFiles, ByNameThenWithoutFolders) {
    Profile first, second;
    first.files = {{"/old/k.cu", {}}, {"same.h", {}}, {"a.ptx", {}}};
    second.files = {{"same.h", {}}, {"b.ptx", {}}, {"/new/k.cu", {}}};
    using File = std::optional<std::uint32_t>;
    EXPECT_THAT(matched_files(first, second), ElementsAre(File(2), File(0), File(1)));
    second.files.push_back({"c.ptx", {}}); // two PTX files: which is meant is not known
    EXPECT_THAT(matched_files(first, second), ElementsAre(File(2), File(0), File()));
}

TEST(ComparedProfiles, LinesThatChangedMostFirst) {
    Profile second = sample_profile();
    second.files[0].text = "// a line more\n" + *second.files[0].text;
    for (ProfiledInstruction& instruction : second.kernels[0].instructions)
        for (SourceLine& line : instruction.lines)
            ++line.line;
    second.kernels[0].instructions[3].stalls = {{"sb_llc", 2, 10}}; // nothing from DRAM
    const std::string text = compared_profiles_table(sample_profile(), second, {});
    EXPECT_EQ(lines_in(text)[0], "issue slots: 107 and 57 (-46.7 %)");
    // 69 and 19 slots; of 57 these are 33.3 %.
    EXPECT_THAT(line_with(text, "a.cu:8"), HasSubstr("64.5 33.3 69 19 -50 sb_dram sb_llc a.cu:7 a.cu:8"));
    EXPECT_THAT(line_with(text, "if (i % 2)"),
                HasSubstr("5 5 0 sb_alu sb_alu a.cu:6 a.cu:7")); // below, without a difference
}

TEST(ComparedProfiles, LinesOfOneSide) {
    Profile second = sample_profile();
    second.kernels[0].instructions.erase(second.kernels[0].instructions.begin() + 5);
    const std::string text = compared_profiles_table(sample_profile(), second, {});
    EXPECT_EQ(line_with(text, "a.ptx:6"), "2.8 3 -3 issued a.ptx:6 ret;");
}

TEST(Callgrind, FunctionsCallsAndTotals) {
    const std::string text = callgrind_profile(sample_profile());
    EXPECT_THAT(text, HasSubstr("# callgrind format\nversion: 1\n"));
    EXPECT_THAT(text, HasSubstr("positions: instr line\n"));
    EXPECT_THAT(text,
                HasSubstr("events: Slots Executions Threads branch drain empty pipe_ldst sb_alu sb_dram sb_llc\n"));
    EXPECT_THAT(text, HasSubstr("summary: 107 13 36 2 4 20 5 3 50 10\n")); // threads: 8 + 8 + 4 + 4 + 4 + 8
    EXPECT_THAT(text, HasSubstr("fl=(1) a.cu\nfn=(1) gather\n0x0 5 2 2 8 0 0 0 0 0 0 0\n"));
    // pick was inlined in line 7; its first instruction ran twice and is at PC 2, line 2.
    EXPECT_THAT(text, HasSubstr("cfi=(1)\ncfn=(2) pick\ncalls=2 0x2 2\n0x2 7 4 2 4 2 0 0 0 0 0 0\n"));
    EXPECT_THAT(text, HasSubstr("fl=(1)\nfn=(2)\n0x2 2 4 2 4 2 0 0 0 0 0 0\n"));
}

TEST(CollapsedStacks, PathLineAndCause) {
    EXPECT_THAT(lines_in(collapsed_stacks(sample_profile())),
                testing::UnorderedElementsAre(
                    "gather;a.cu:5;issued 2", "gather;a.cu:6;issued 2", "gather;a.cu:6;sb_alu 3",
                    "gather;pick;a.cu:2;issued 2", "gather;pick;a.cu:2;branch 2", "gather;a.cu:7;issued 4",
                    "gather;a.cu:7;sb_dram 50", "gather;a.cu:7;sb_llc 10", "gather;a.cu:7;pipe_ldst 5",
                    "gather;a.ptx:6;issued 3", "gather;(no instruction);empty 20", "gather;(no instruction);drain 4"));
}

TEST(ProfileCsv, ARowForEachLine) {
    const std::vector<std::string> lines = lines_in(profile_csv(sample_profile(), RowsBy::Line));
    ASSERT_EQ(lines.size(), 6U);
    EXPECT_THAT(lines[0],
                testing::StartsWith("kernel,function,file,line,path,pc,instruction,cost,slots,stalled,waited_for,"));
    EXPECT_THAT(lines[1], testing::StartsWith(",,a.cu,2,,,,3.73831775700934"));
    const std::vector<std::string> instructions = lines_in(profile_csv(sample_profile(), RowsBy::Instruction));
    EXPECT_THAT(instructions[3], testing::StartsWith("gather,gather,a.cu,2,,2,ld.global.f32,"));
}

} // namespace
} // namespace heddle::report::test
