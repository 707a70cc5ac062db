#include "report/page_tables.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "report/html.h"

namespace heddle::report {

namespace {

// A wide table is printed in a smaller font, a long narrow one in several columns of the page.
constexpr std::size_t kWide = 14, kNarrow = 3, kLong = 40;

constexpr std::size_t kSentence = 24; // bytes

Cell value_cell(const std::vector<std::optional<double>>& values, std::size_t at) {
    const bool there = at < values.size() && values[at] && std::isfinite(*values[at]);
    return {"", there ? values[at] : std::nullopt};
}

std::string heading(const std::string& name, const std::string& fallback) {
    return name.empty() ? fallback : name;
}

PageTable by_category(const Figure& figure) {
    PageTable out;
    out.headings = {heading(figure.category, "category")};
    for (const Series& series : figure.series)
        out.headings.push_back(series.name);
    for (std::size_t c = 0; c < figure.categories.size(); ++c) {
        std::vector<Cell> row{{figure.categories[c], {}}};
        for (const Series& series : figure.series)
            row.push_back(value_cell(series.values, c));
        out.rows.push_back(std::move(row));
    }
    out.means = figure.means;
    return out;
}

PageTable by_series(const Figure& figure) {
    PageTable out;
    out.headings = {""};
    out.headings.insert(out.headings.end(), figure.categories.begin(), figure.categories.end());
    for (const Series& series : figure.series) {
        std::vector<Cell> row{{series.name, {}}};
        for (std::size_t c = 0; c < figure.categories.size(); ++c)
            row.push_back(value_cell(series.values, c));
        out.rows.push_back(std::move(row));
    }
    return out;
}

template <typename Name>
std::vector<std::string> distinct(const std::vector<Series>& series, Name name) {
    std::vector<std::string> out;
    for (const Series& s : series)
        if (std::find(out.begin(), out.end(), name(s)) == out.end())
            out.push_back(name(s));
    return out;
}

PageTable by_stack(const Figure& figure) {
    const auto stacks = distinct(figure.series, [](const Series& s) { return s.stack; });
    if (stacks.size() < 2)
        return by_category(figure);
    const auto parts = distinct(figure.series, [](const Series& s) { return s.name; });
    PageTable out;
    out.headings = {heading(figure.category, "category"), "bar"};
    out.headings.insert(out.headings.end(), parts.begin(), parts.end());
    for (std::size_t c = 0; c < figure.categories.size(); ++c)
        for (const std::string& stack : stacks) {
            std::vector<Cell> row{{figure.categories[c], {}}, {stack, {}}};
            row.resize(2 + parts.size());
            for (const Series& s : figure.series)
                if (s.stack == stack)
                    row[2 + static_cast<std::size_t>(std::find(parts.begin(), parts.end(), s.name) - parts.begin())] =
                        value_cell(s.values, c);
            out.rows.push_back(std::move(row));
        }
    out.means = figure.means * stacks.size();
    return out;
}

PageTable by_span(const Figure& figure) {
    PageTable out;
    const std::string unit = figure.unit.empty() ? "" : fmt::format(" ({})", figure.unit);
    out.headings = {heading(figure.category, "row"), "span", "begin" + unit, "end" + unit};
    for (const Series& series : figure.series)
        for (const Span& span : series.spans)
            out.rows.push_back({{series.name, {}}, {span.label, {}}, {"", span.begin}, {"", span.end}});
    return out;
}

struct ColumnForm {
    bool numeric = false; // every cell with content is a number
    int decimals = 0;
};

ColumnForm form_of(const PageTable& table, std::size_t column) {
    ColumnForm out;
    bool words = false;
    std::vector<std::optional<double>> plain;
    for (const auto& row : table.rows)
        if (column < row.size()) {
            const Cell& cell = row[column];
            out.numeric = out.numeric || cell.number;
            words = words || (!cell.number && !cell.text.empty());
            if (cell.text.empty())
                plain.push_back(cell.number);
        }
    out.numeric = out.numeric && !words;
    out.decimals = html::decimals(plain);
    return out;
}

std::string missing_html(bool numeric) {
    return numeric ? "<td class=\"missing\"><abbr title=\"no value\">–</abbr></td>" : "<td></td>";
}

std::string cell_html(const Cell& cell, const ColumnForm& column, bool names_row) {
    const std::string shown =
        cell.number && cell.text.empty() ? html::number(*cell.number, column.decimals) : html::text(cell.text);
    if (names_row)
        return fmt::format("<th scope=\"row\"{}>{}</th>",
                           cell.number ? fmt::format(" data-value=\"{}\"", *cell.number) : "", shown);
    if (cell.number)
        return fmt::format("<td data-value=\"{}\">{}</td>", *cell.number, shown);
    if (cell.text.empty())
        return missing_html(column.numeric);
    // A long text may break into lines.
    const bool prose = cell.text.size() > kSentence && cell.text.find(' ') != std::string::npos;
    return fmt::format("<td{}>{}</td>", prose ? " class=\"prose\"" : "", shown);
}

std::string rows_html(const PageTable& table, std::size_t begin, std::size_t end,
                      const std::vector<ColumnForm>& forms) {
    std::string out;
    for (std::size_t r = begin; r < end; ++r) {
        out += "<tr>";
        for (std::size_t c = 0; c < table.headings.size(); ++c)
            out += cell_html(c < table.rows[r].size() ? table.rows[r][c] : Cell{}, forms[c], c == 0);
        out += "</tr>\n";
    }
    return out;
}

std::string_view shape_of(const PageTable& table) {
    const std::size_t columns = table.headings.size();
    return columns > kWide ? " wide" : columns <= kNarrow && table.rows.size() > kLong ? " narrow" : "";
}

// Removes columns in which all cells are empty.
void drop_empty_columns(PageTable& table) {
    for (std::size_t c = table.headings.size(); c-- > 0;) {
        const auto empty = [c](const std::vector<Cell>& row) { return row[c].text.empty() && !row[c].number; };
        if (!std::all_of(table.rows.begin(), table.rows.end(), empty))
            continue;
        const auto at = static_cast<std::ptrdiff_t>(c);
        table.headings.erase(table.headings.begin() + at);
        for (auto& row : table.rows)
            row.erase(row.begin() + at);
    }
}

} // namespace

PageTable data_table(const Figure& figure) {
    switch (figure.kind) {
    case FigureKind::stacked_bars:
        return by_stack(figure);
    case FigureKind::heat_map:
        return figure.series.size() >= figure.categories.size() ? by_series(figure) : by_category(figure);
    case FigureKind::spans:
        return by_span(figure);
    default:
        return by_category(figure);
    }
}

PageTable published_table(const std::vector<PublishedRow>& rows) {
    PageTable out;
    out.caption = "Published numbers beside ours";
    out.headings = {"quantity", "of", "against", "unit", "published", "here", "difference"};
    for (const PublishedRow& row : rows)
        out.rows.push_back({{row.quantity, {}},
                            {row.subject, {}},
                            {row.versus, {}},
                            {row.unit, {}},
                            {row.published, {}},
                            {row.ours.empty() ? "not measured" : row.ours, {}},
                            {row.difference, {}}});
    drop_empty_columns(out);
    return out;
}

std::string table_html(const PageTable& table) {
    std::vector<ColumnForm> forms;
    for (std::size_t c = 0; c < table.headings.size(); ++c)
        forms.push_back(form_of(table, c));
    std::string out = fmt::format("<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"{}\">\n"
                                  "<table class=\"sortable{}\">\n",
                                  html::text(table.title.empty() ? table.caption : table.title), shape_of(table));
    // Only for screen readers: the title is already above the table.
    out += fmt::format("<caption>{}{}</caption>\n",
                       table.title.empty() ? ""
                                           : fmt::format("<span class=\"unseen\">{}</span> ", html::text(table.title)),
                       html::text(table.caption));
    out += "<thead><tr>";
    for (std::size_t c = 0; c < table.headings.size(); ++c)
        out += fmt::format("<th scope=\"col\"{}>{}</th>", forms[c].numeric ? " class=\"number\"" : "",
                           html::text(table.headings[c]));
    out += "</tr></thead>\n";
    const std::size_t means = std::min(table.means, table.rows.size()), sorted = table.rows.size() - means;
    out += "<tbody>\n" + rows_html(table, 0, sorted, forms) + "</tbody>\n";
    if (means != 0)
        out += "<tbody class=\"means\">\n" + rows_html(table, sorted, table.rows.size(), forms) + "</tbody>\n";
    return out + "</table>\n</div>\n";
}

} // namespace heddle::report
