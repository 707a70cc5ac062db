#include <regex>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "base/source.h"
#include "report/html.h"
#include "report/page.h"
#include "report/page_tables.h"
#include "sample_page.h"

namespace heddle::report {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::size_t count(const std::string& text, const std::string& what) {
    std::size_t out = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + what.size()))
        ++out;
    return out;
}

std::string sample() {
    return to_html(test::sample_page(), "/*! Chart.js v3.9.1 MIT */ library();\n");
}

nlohmann::json figures_of(const std::string& page) {
    const std::string begin = "<script type=\"application/json\" id=\"figures\">";
    const std::size_t at = page.find(begin) + begin.size();
    return nlohmann::json::parse(page.substr(at, page.find("</script>", at) - at));
}

std::vector<std::string> texts(const std::vector<Cell>& row) {
    std::vector<std::string> out;
    for (const Cell& cell : row)
        out.push_back(cell.number ? html::number(*cell.number, 2) : cell.text);
    return out;
}

TEST(Html, TextCannotBecomeMarkup) {
    EXPECT_EQ(html::text("a<b> & \"c\""), "a&lt;b&gt; &amp; &quot;c&quot;");
    EXPECT_EQ(html::text(std::string_view("a\0b\x1B\n", 5)), "a\xEF\xBF\xBD"
                                                             "b\xEF\xBF\xBD\n");
    EXPECT_EQ(html::text("\xFF ok \xC3\xA9"), "\xEF\xBF\xBD ok \xC3\xA9");
}

TEST(Html, DataCannotEndTheirScript) {
    const nlohmann::ordered_json json = {{"name", "</script><!-- & \"x\" \xFF"}};
    const std::string text = html::script_data(json);
    EXPECT_THAT(text, Not(HasSubstr("<")));
    EXPECT_THAT(text, Not(HasSubstr("&")));
    EXPECT_EQ(nlohmann::json::parse(text)["name"], "</script><!-- & \"x\" \xEF\xBF\xBD");
}

TEST(Html, ProgramsCannotEndTheirScript) {
    EXPECT_EQ(html::script_code("a = '</script>' + '<!--';"), "a = '<\\/script>' + '<\\!--';");
}

TEST(Html, NumbersHaveFourDigits) {
    EXPECT_EQ(html::decimals(std::vector<std::optional<double>>{1.0, 20.0, {}}), 0);
    EXPECT_EQ(html::decimals(std::vector<std::optional<double>>{1.5, 2.0}), 3);
    EXPECT_EQ(html::decimals(std::vector<std::optional<double>>{12.5}), 2);
    EXPECT_EQ(html::decimals(std::vector<std::optional<double>>{0.5}), 4);
    EXPECT_EQ(html::decimals(std::vector<std::optional<double>>{0.00123}), 6);
    EXPECT_EQ(html::number(1234567, 0), "1,234,567");
    EXPECT_EQ(html::number(-1234.5, 1), "-1,234.5");
    EXPECT_EQ(html::number(999, 0), "999");
    EXPECT_EQ(html::number(-0.001, 2), "0.00");
}

TEST(Html, AnchorsAreGivenOutOnce) {
    html::Anchors anchors;
    EXPECT_EQ(anchors.make("LWM11 Figure 8"), "lwm11-figure-8");
    EXPECT_EQ(anchors.make("lwm11-figure-8"), "lwm11-figure-8-2");
    EXPECT_EQ(anchors.make("lwm11-figure-8-2"), "lwm11-figure-8-2-2");
    EXPECT_EQ(anchors.make("</>"), "figure");
}

TEST(Page, HostileTextsStayTexts) {
    const std::string page = sample();
    EXPECT_THAT(page, Not(HasSubstr("<script>window.broken")));
    EXPECT_THAT(page, HasSubstr("&lt;/script&gt;&lt;script&gt;window.broken = 1"));
    EXPECT_EQ(count(page, "<!--"), 0U);
    // The library, the page's own seven and the data.
    EXPECT_EQ(count(page, "<script"), 9U);
    EXPECT_EQ(count(page, "</script>"), 9U);
}

TEST(Page, NeedsNothingElse) {
    const std::string page = sample();
    EXPECT_THAT(page, HasSubstr("default-src 'none'"));
    EXPECT_THAT(page, HasSubstr("/*! Chart.js v3.9.1 MIT */"));
    EXPECT_FALSE(std::regex_search(page, std::regex("(src|href)=\"(https?:|//|[a-z]+\\.(js|css))")));
    EXPECT_THAT(page, Not(HasSubstr("@import")));
}

TEST(Page, IsTheSameTwice) {
    EXPECT_EQ(sample(), sample());
}

TEST(Page, EveryFigureHasAChartAndItsNumbers) {
    const std::string page = sample();
    const nlohmann::json figures = figures_of(page);
    ASSERT_EQ(figures.size(), 10U); // eleven, of which one is a table
    EXPECT_EQ(count(page, "<figure "), 11U);
    EXPECT_EQ(count(page, "<figcaption>"), 11U);
    EXPECT_EQ(count(page, "<canvas role=\"img\""), 10U);
    EXPECT_EQ(count(page, "<details>"), 11U); // of the charts, and the folded settings
    for (const auto& figure : figures) {
        const std::string id = figure["id"];
        EXPECT_EQ(count(page, "id=\"" + id + "\""), 1U) << id;
        EXPECT_EQ(count(page, "href=\"#" + id + "\""), 1U) << id;
    }
}

TEST(Page, MissingValuesAreNoZeros) {
    const nlohmann::json figures = figures_of(sample());
    const auto& bars = figures[0];
    EXPECT_EQ(bars["kind"], "grouped_bars");
    EXPECT_EQ(bars["means"], 1);
    EXPECT_TRUE(bars["series"][2]["values"][3].is_null());
    EXPECT_EQ(bars["series"][0]["values"][5], 0.0);
    const std::string table = table_html(data_table(test::grouped_bars()));
    EXPECT_THAT(table, HasSubstr("<th scope=\"row\">kmeans</th><td data-value=\"9.1\">9.10</td>"
                                 "<td data-value=\"9.8\">9.80</td><td class=\"missing\"><abbr title=\"no value\">"));
    EXPECT_THAT(table, HasSubstr("<th scope=\"row\">sort</th><td data-value=\"0\">0.00</td>"));
}

TEST(Page, ValuesThatAreNoNumbersAreMissing) {
    Figure f = test::sweep();
    f.series[0].values[1] = std::nan("");
    f.series[0].values.pop_back();
    Page page;
    page.sections = {{"s", "S", {}, {}, {f}}};
    const auto values = figures_of(to_html(page, ""))[0]["series"][0]["values"];
    EXPECT_TRUE(values[1].is_null());
    const PageTable table = data_table(f);
    EXPECT_FALSE(table.rows[1][1].number);
    EXPECT_FALSE(table.rows[3][1].number); // a series shorter than the categories
}

TEST(Page, PublishedNumbersStandBesideOurs) {
    const std::string table = table_html(published_table(test::grouped_bars().published));
    EXPECT_THAT(table, HasSubstr("<td>19.1</td><td>20.2</td><td>+1.1 points</td>"));
    EXPECT_THAT(table, HasSubstr("<td>8.4</td><td>not measured</td>"));
    // A column that no row fills is not there.
    auto rows = test::grouped_bars().published;
    rows[0].difference.clear();
    EXPECT_THAT(table_html(published_table(rows)), Not(HasSubstr("difference")));
    EXPECT_THAT(sample(), HasSubstr("<strong>IPC, large warps against baseline</strong>: inputs are smaller</p>"));
}

TEST(Page, ANoteOfSeveralRowsStandsOnce) {
    Figure f = test::grouped_bars();
    f.published[1].note = f.published[0].note;
    Page page;
    page.sections = {{"s", "S", {}, {}, {f}}};
    EXPECT_THAT(to_html(page, ""),
                HasSubstr("<strong>IPC, large warps against baseline; IPC, two-level against baseline"
                          "</strong>: inputs are smaller</p>"));
}

TEST(Page, PublishedNumbersOfCellsAreInTheDataOfTheChart) {
    const auto published = figures_of(sample())[0]["published"];
    ASSERT_EQ(published.size(), 1U); // the other number is of no cell
    EXPECT_EQ(published[0], nlohmann::json({{"series", 2}, {"category", 6}, {"value", 14.77}, {"text", "19.1 %"}}));
}

TEST(Page, NotesAreMarkdownAndRemarksAreNot) {
    Figure f = test::sweep();
    f.notes = {"As `--quick` shows, *two* of ([the sizes](../../docs/workloads.md)) fit."};
    f.remarks = {"No value of bfs: `*` was expected"};
    Page page;
    page.sections = {{"s", "S", {}, {}, {f}}};
    const std::string text = to_html(page, "");
    EXPECT_THAT(text, HasSubstr("<p class=\"remark\">As <code>--quick</code> shows, <em>two</em> of (the sizes "
                                "(<code>docs/workloads.md</code>)) fit.</p>"));
    EXPECT_THAT(text, HasSubstr("<p class=\"remark\">No value of bfs: `*` was expected</p>"));
}

TEST(PageTables, StackedBarsHaveARowABar) {
    const PageTable table = data_table(test::stacked_bars());
    EXPECT_EQ(table.rows.size(), 9U); // three programs, three stacks
    EXPECT_EQ(table.headings.size(), 13U);
    EXPECT_EQ(table.rows[4][0].text, "bfs");
    EXPECT_EQ(table.rows[4][1].text, "two-level");
    EXPECT_EQ(table.rows[4][5].number, 90.0); // memory, the fourth part
    EXPECT_FALSE(table.rows[8][2].number);
}

TEST(PageTables, AnOnlyStackNeedsNoColumn) {
    const PageTable table = data_table(test::utilisation());
    EXPECT_EQ(table.rows.size(), 4U);
    EXPECT_EQ(table.means, 1U);
    EXPECT_EQ(table.headings.size(), 11U);
}

TEST(PageTables, HeatMapsGoDownTheirLongerSide) {
    const PageTable table = data_table(test::heat_map());
    EXPECT_EQ(table.rows.size(), 40U);
    EXPECT_THAT(table.headings, ElementsAre("cycle", "7", "6", "5", "4", "3", "2", "1"));
    Figure tall = test::heat_map();
    tall.categories.resize(3);
    EXPECT_THAT(data_table(tall).headings, ElementsAre("", "0", "100000", "200000"));
    EXPECT_EQ(data_table(tall).rows.size(), 7U);
}

TEST(PageTables, SpansHaveARowEach) {
    const PageTable table = data_table(test::spans());
    EXPECT_EQ(table.rows.size(), 24U);
    EXPECT_THAT(texts(table.rows[7]), ElementsAre("slot 1", "block 5", "1,100.00", "2,050.00"));
}

TEST(PageTables, MeansAreABodyOfTheirOwn) {
    const std::string table = table_html(data_table(test::grouped_bars()));
    EXPECT_LT(table.find("sort</th>"), table.find("<tbody class=\"means\">"));
    EXPECT_LT(table.find("<tbody class=\"means\">"), table.find("mean</th>"));
}

TEST(Page, EmptyPagesAndFiguresArePages) {
    Page page;
    page.sections = {{"", "", {}, {PageTable{}}, {Figure{}}}};
    for (const FigureKind kind : {FigureKind::grouped_bars, FigureKind::stacked_bars, FigureKind::lines,
                                  FigureKind::heat_map, FigureKind::spans}) {
        Figure empty;
        empty.kind = kind;
        page.sections[0].figures.push_back(empty);
    }
    EXPECT_EQ(figures_of(to_html(page, "")).size(), 5U);
    EXPECT_EQ(figures_of(to_html(Page{}, "")).size(), 0U);
}

} // namespace
} // namespace heddle::report
