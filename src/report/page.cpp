#include "report/page.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/source.h"
#include "report/figure_text.h"
#include "report/html.h"
#include "report/markdown.h"
#include "report/page_assets.h"
#include "report/page_tables.h"
#include "report/source_html.h"

namespace heddle::report {

namespace {

using Json = nlohmann::ordered_json;

// The page must not load anything, whatever its text contains.
constexpr std::string_view kPolicy =
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:";

// "Bar chart: " before a figure's title, for readers who cannot see the chart.
std::string_view kind_words(FigureKind kind) {
    switch (kind) {
    case FigureKind::grouped_bars:
        return "Bar chart";
    case FigureKind::stacked_bars:
        return "Chart of stacked bars";
    case FigureKind::lines:
        return "Line chart";
    case FigureKind::heat_map:
        return "Heat map";
    case FigureKind::spans:
        return "Time line";
    case FigureKind::bands:
        return "Chart of bands";
    case FigureKind::table:
        return "Table";
    }
    return "";
}

// The data of a figure for page/charts.js.
Json figure_json(const Figure& figure, const std::string& anchor) {
    Json series = Json::array();
    for (const Series& s : figure.series) {
        Json values = Json::array(), spans = Json::array();
        for (const auto& value : s.values)
            values.push_back(value && std::isfinite(*value) ? Json(*value) : Json(nullptr));
        for (const Span& span : s.spans)
            spans.push_back({span.begin, span.end, span.label});
        series.push_back({{"name", s.name}, {"stack", s.stack}, {"values", values}, {"spans", spans}});
        for (const std::optional<Spread>& spread : s.spread)
            series.back()["spread"].push_back(
                spread
                    ? Json{{"deviation", spread->deviation}, {"minimum", spread->minimum}, {"maximum", spread->maximum}}
                    : Json(nullptr));
    }
    Json published = Json::array();
    for (const PublishedRow& row : figure.published)
        if (row.mark && row.mark->series < figure.series.size() && row.mark->category < figure.categories.size())
            published.push_back({{"series", row.mark->series},
                                 {"category", row.mark->category},
                                 {"value", row.mark->value},
                                 {"text", row.unit.empty() ? row.published : row.published + " " + row.unit}});
    return {{"id", anchor},
            {"kind", figure_kind_name(figure.kind)},
            {"unit", figure.unit},
            {"category", figure.category},
            {"categories", figure.categories},
            {"means", std::min(figure.means, figure.categories.size())},
            {"series", series},
            {"published", published}};
}

std::string paragraphs(const std::vector<std::string>& texts, std::string_view kind = "") {
    std::string out;
    for (const std::string& text : texts)
        out += fmt::format("<p{}>{}</p>\n", kind.empty() ? "" : fmt::format(" class=\"{}\"", kind), html::text(text));
    return out;
}

std::string notes(const std::vector<std::string>& texts) {
    std::string out;
    for (const std::string& text : texts)
        out += fmt::format("<p class=\"remark\">{}</p>\n", html::markdown(text));
    return out;
}

// The notes of published rows, each behind the names of all rows that it is about.
std::string row_notes(const std::vector<PublishedRow>& rows) {
    std::vector<std::pair<std::string, std::string>> out; // names, note
    for (const PublishedRow& row : rows) {
        if (row.note.empty())
            continue;
        std::string name = row.quantity + ", " + row.subject;
        if (!row.versus.empty())
            name += " against " + row.versus;
        const auto same = std::find_if(out.begin(), out.end(), [&](const auto& one) { return one.second == row.note; });
        if (same == out.end())
            out.emplace_back(std::move(name), row.note);
        else
            same->first += "; " + name;
    }
    std::string html;
    for (const auto& [names, note] : out)
        html +=
            fmt::format("<p class=\"remark\"><strong>{}</strong>: {}</p>\n", html::text(names), html::markdown(note));
    return html;
}

std::string folded(std::string_view summary, const std::string& content) {
    return fmt::format("<details>\n<summary>{}</summary>\n{}</details>\n", summary, content);
}

bool has_folded_tables(const Page& page) {
    return std::any_of(page.sections.begin(), page.sections.end(), [](const PageSection& section) {
        return std::any_of(section.tables.begin(), section.tables.end(), [](const PageTable& t) { return t.folded; }) ||
               std::any_of(section.figures.begin(), section.figures.end(),
                           [](const Figure& figure) { return figure.kind != FigureKind::table; });
    });
}

// Writes the document, and collects the data for its script.
class Writer {
public:
    std::string body(const Page& page) {
        const std::string sections = sections_html(page);
        std::string out = "<header>\n<h1>" + html::text(page.title) + "</h1>\n" + paragraphs(page.introduction, "lead");
        if (!page.facts.empty()) {
            out += "<dl class=\"facts\">\n";
            for (const auto& [name, value] : page.facts)
                out += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", html::text(name), html::text(value));
            out += "</dl>\n";
        }
        if (has_folded_tables(page))
            out += "<p class=\"paper remark\">Folded tables are not printed; open them before printing.</p>\n";
        out += "</header>\n";
        out += "<nav aria-label=\"Contents\">\n<h2>Contents</h2>\n<ol>\n" + contents_ + "</ol>\n</nav>\n";
        return out + "<main>\n" + sections + "</main>\n";
    }

    [[nodiscard]] const Json& figures() const {
        return figures_;
    }
    [[nodiscard]] const Json& sources() const {
        return sources_;
    }

private:
    std::string sections_html(const Page& page) {
        std::string out;
        for (const PageSection& section : page.sections) {
            const std::string anchor = anchors_.make(section.id.empty() ? section.title : section.id);
            contents_ += link(anchor, section.title);
            std::string entries;
            out += fmt::format("<section id=\"{}\">\n<h2>{}</h2>\n", anchor, html::text(section.title)) +
                   paragraphs(section.paragraphs);
            for (const PageTable& table : section.tables)
                out += table_section(table, entries);
            for (const Figure& figure : section.figures)
                out += figure_html(figure, entries);
            for (const SourceListing& listing : section.listings)
                out += listing_html(listing);
            out += "</section>\n";
            if (!entries.empty())
                contents_ += "<ol>\n" + entries + "</ol>\n";
            contents_ += "</li>\n";
        }
        return out;
    }

    static std::string link(const std::string& anchor, const std::string& title) {
        return fmt::format("<li><a href=\"#{}\">{}</a>", anchor, html::text(title));
    }

    std::string table_section(const PageTable& table, std::string& entries) {
        const std::string anchor = anchors_.make(table.id.empty() ? table.title : table.id);
        std::string out = fmt::format("<div class=\"table\" id=\"{}\">\n", anchor);
        if (!table.title.empty()) {
            entries += link(anchor, table.title) + "</li>\n";
            out += fmt::format("<h3>{}</h3>\n", html::text(table.title));
        }
        const std::string content = table_html(table);
        return out + (table.folded ? folded("Show the table", content) : content) + "</div>\n";
    }

    std::string figure_html(const Figure& figure, std::string& entries) {
        const std::string anchor = anchors_.make(figure.id.empty() ? figure.title : figure.id);
        entries += link(anchor, figure.title) + "</li>\n";
        std::string out = fmt::format("<figure id=\"{}\" class=\"{}\">\n<figcaption>\n<h3>{}</h3>\n{}</figcaption>\n",
                                      anchor, figure_kind_name(figure.kind), html::text(figure.title),
                                      figure.caption.empty() ? "" : paragraphs({figure.caption}));
        PageTable data = data_table(figure);
        data.title = figure.title;
        data.caption = figure.unit.empty() ? "" : fmt::format("in {}", figure.unit);
        if (figure.kind == FigureKind::table) {
            out += table_html(data);
        } else {
            out += fmt::format("<div class=\"chart\"><div class=\"plot\"><canvas role=\"img\" tabindex=\"0\" "
                               "aria-label=\"{}: {}. The table below has the numbers.\"></canvas></div></div>\n",
                               kind_words(figure.kind), html::text(figure.title));
            out += folded("Numbers of this chart", table_html(data));
            figures_.push_back(figure_json(figure, anchor));
        }
        out += notes(figure.notes);
        if (!figure.published.empty())
            out += "<div class=\"published\">\n" + table_html(published_table(figure.published)) + "</div>\n" +
                   row_notes(figure.published);
        return out + paragraphs(figure.remarks, "remark") + "</figure>\n";
    }

    std::string listing_html(const SourceListing& listing) {
        const std::string anchor = anchors_.make("source-of-run");
        sources_.push_back(source_json(listing, anchor));
        return (listing.runs.size() == 2
                    ? fmt::format("<h3>{} and {}</h3>\n", html::text(listing.runs[0]), html::text(listing.runs[1]))
                    : "") +
               source_html(listing, anchor);
    }

    html::Anchors anchors_;
    std::string contents_;
    Json figures_ = Json::array(), sources_ = Json::array();
};

std::string script(std::string_view code) {
    return fmt::format("<script>\n{}</script>\n", html::script_code(code));
}

} // namespace

std::string chart_library() {
    const std::string file = HEDDLE_CHART_JS;
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    if (!in || !(text << in.rdbuf()))
        throw UserError(fmt::format("{}: cannot be read; pages need Chart.js 3: install Debian's package "
                                    "libjs-chart.js, or run tools/install-deps",
                                    file));
    if (text.str().find("Chart.js v3.") == std::string::npos)
        throw UserError(
            fmt::format("{}: not Chart.js 3, which pages need; Debian's package libjs-chart.js has it", file));
    return text.str();
}

std::string to_html(const Page& page, std::string_view library) {
    Writer writer;
    const std::string body = writer.body(page);
    std::string out = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
    out += fmt::format("<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n", kPolicy);
    out += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
    out += "<meta name=\"color-scheme\" content=\"light dark\">\n<link rel=\"icon\" href=\"data:,\">\n";
    out += fmt::format("<title>{}</title>\n<style>\n{}</style>\n", html::text(page.title), assets::page_css);
    if (!writer.sources().empty())
        out += fmt::format("<style>\n{}</style>\n", assets::source_css);
    // One set of rules for both dark modes: the reader's system, and the switch, which sets `media`.
    out += fmt::format("<style id=\"dark\" media=\"screen and (prefers-color-scheme: dark)\">\n{}</style>\n",
                       assets::dark_css);
    out += "</head>\n<body>\n<a class=\"skip\" href=\"#content\">Skip to the content</a>\n";
    out += "<button id=\"theme\" type=\"button\" hidden>Dark</button>\n<div id=\"content\">\n";
    out += "<noscript><p>Charts need JavaScript; every number is in the tables.</p></noscript>\n" + body + "</div>\n";
    out += "<p id=\"spoken\" class=\"unseen\" role=\"status\"></p>\n";
    out += "<script type=\"application/json\" id=\"figures\">" + html::script_data(writer.figures()) + "</script>\n";
    for (const std::string_view code : {library, assets::colours_js, assets::charts_js, assets::bars_js,
                                        assets::lines_js, assets::maps_js, assets::tables_js, assets::page_js})
        out += script(code);
    if (!writer.sources().empty())
        out += "<script type=\"application/json\" id=\"sources\">" + html::script_data(writer.sources()) +
               "</script>\n" + script(assets::source_js);
    return out + "</body>\n</html>\n";
}

} // namespace heddle::report
