#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "report/run_page.h"
#include "report/source_html.h"
#include "report/source_listing.h"
#include "sample_profile.h"

namespace heddle::report::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::size_t column(const SourceListing& listing, const std::string& name) {
    for (std::size_t c = 0; c < listing.columns.size(); ++c)
        if (listing.columns[c].name == name)
            return c;
    return listing.columns.size();
}

const ListedLine& line_of_file(const SourceListing& listing, const std::string& name, std::size_t line) {
    for (const ListedFile& file : listing.files)
        if (file.name == name)
            return file.lines.at(line - 1);
    throw std::out_of_range(name);
}

TEST(SourceListing, LinesWithTheirCosts) {
    const SourceListing listing = source_listing(sample_profile(), "");
    ASSERT_EQ(listing.files.size(), 2U); // math.h has no instruction
    EXPECT_EQ(listing.files[0].name, "a.cu");
    EXPECT_DOUBLE_EQ(listing.files[0].shares[0], 80.0 / 107);
    ASSERT_EQ(listing.files[0].lines.size(), 8U);
    const ListedLine& seventh = line_of_file(listing, "a.cu", 7);
    ASSERT_TRUE(seventh.row.has_value());
    const ListedRow& row = listing.rows[*seventh.row];
    EXPECT_EQ(row.place, "a.cu:7");
    ASSERT_TRUE(row.runs[0].has_value());
    EXPECT_EQ(row.runs[0]->values[column(listing, "slots")], 69);
    EXPECT_EQ(row.runs[0]->cause, "sb_dram 72 %");
    ASSERT_EQ(row.runs[0]->instructions.size(), 2U);
    EXPECT_EQ(row.runs[0]->instructions[0].text, "mul.f32 %f2, %f1, 0f40000000;");
    EXPECT_EQ(row.runs[0]->stalls[0].producer, line_of_file(listing, "a.cu", 2).row);
    EXPECT_FALSE(line_of_file(listing, "a.cu", 4).row.has_value());
    EXPECT_EQ(listing.hottest[0], *seventh.row);
    EXPECT_EQ(column(listing, "conflict_ways"), listing.columns.size()); // no line has such a figure
    EXPECT_EQ(listing.rows[*line_of_file(listing, "a.cu", 2).row].runs[0]->instructions[0].path, "a.cu:7");
}

TEST(SourceListing, LinesFarFromCodeAreNotShown) {
    Profile profile = sample_profile();
    for (int i = 0; i < 5; ++i)
        *profile.files[0].text += "//\n";
    const SourceListing listing = source_listing(profile, "");
    EXPECT_TRUE(line_of_file(listing, "a.cu", 10).shown); // three behind line 7
    EXPECT_FALSE(line_of_file(listing, "a.cu", 11).shown);
}

TEST(SourceListing, CausesWithTheirLines) {
    const SourceListing listing = source_listing(sample_profile(), "");
    EXPECT_EQ(listing.causes[0].code, "sb_dram");
    EXPECT_DOUBLE_EQ(listing.causes[0].shares[0], 50.0 / 107);
    ASSERT_EQ(listing.causes[0].rows.size(), 1U);
    EXPECT_EQ(listing.causes[0].rows[0].first, *line_of_file(listing, "a.cu", 7).row);
    EXPECT_EQ(listing.causes[1].code, "empty"); // of no line
    EXPECT_TRUE(listing.causes[1].rows.empty());
}

TEST(SourceListing, TwoRunsByTheirText) {
    Profile second = sample_profile();
    second.files[0].text = "// new\n" + *second.files[0].text;
    for (ProfiledInstruction& instruction : second.kernels[0].instructions)
        for (SourceLine& line : instruction.lines)
            ++line.line;
    const SourceListing listing = source_listing(sample_profile(), "before", second, "after");
    ASSERT_EQ(listing.files[0].lines.size(), 9U);
    EXPECT_THAT(listing.files[0].lines[0].numbers, ElementsAre(0, 1));
    EXPECT_EQ(listing.files[0].lines[0].text, "// new");
    EXPECT_THAT(listing.files[0].lines[7].numbers, ElementsAre(7, 8));
    const ListedRow& row = listing.rows[*listing.files[0].lines[7].row];
    EXPECT_TRUE(row.runs[0].has_value());
    EXPECT_TRUE(row.runs[1].has_value());
}

TEST(SourceListing, AFileWithoutText) {
    Profile profile = sample_profile();
    profile.files[0].text.reset();
    const SourceListing listing = source_listing(profile, "");
    ASSERT_EQ(listing.files[0].lines.size(), 4U); // lines 2, 5, 6, 7
    EXPECT_FALSE(listing.files[0].has_text);
    EXPECT_THAT(source_html(listing, "s"), HasSubstr("its text is not in the result"));
}

TEST(SourceHtml, RowsAndLinks) {
    const SourceListing listing = source_listing(sample_profile(), "");
    const std::string html = source_html(listing, "s");
    const std::size_t seventh = *line_of_file(listing, "a.cu", 7).row;
    EXPECT_THAT(html, HasSubstr("<tr id=\"s-row-" + std::to_string(seventh) + "\""));
    EXPECT_THAT(html, HasSubstr("--heat:1.000\">64.5</td><th scope=\"row\">7</th>"));
    EXPECT_THAT(html, HasSubstr("data-column=\"sb_dram\">a.cu:7</a> 46.7")); // 50 of 107
    const auto json = source_json(listing, "s");
    EXPECT_EQ(json["rows"][seventh]["runs"][0]["values"][column(listing, "slots")], 69);
    EXPECT_EQ(json["rows"][seventh]["runs"][0]["stalls"][0][0], "sb_dram");
}

TEST(SourceHtml, SourceTextStaysText) {
    Profile profile = sample_profile();
    profile.files[0].text = "<script>\n</script>\n\n\na < b\n";
    profile.files[0].name = "<b>.cu";
    const std::string html = source_html(source_listing(profile, ""), "s");
    EXPECT_THAT(html, Not(HasSubstr("<script>")));
    EXPECT_THAT(html, HasSubstr("a &lt; b"));
    EXPECT_THAT(html, Not(HasSubstr("<b>")));
}

} // namespace
} // namespace heddle::report::test
