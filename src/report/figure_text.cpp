#include "report/figure_text.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "report/csv.h"
#include "report/json_parts.h"
#include "report/table.h"

namespace heddle::report {

namespace {

using Json = nlohmann::ordered_json;

std::string full_name(const Series& series) {
    return series.stack.empty() ? series.name : fmt::format("{}: {}", series.stack, series.name);
}

std::string cell(const Series& series, std::size_t category) {
    if (category >= series.values.size() || !series.values[category])
        return "-";
    const std::string value = figure_number(*series.values[category]);
    const bool has_spread = category < series.spread.size() && series.spread[category];
    return has_spread ? fmt::format("{} ± {}", value, figure_number(series.spread[category]->deviation)) : value;
}

std::vector<std::string> paragraphs_of(const Figure& figure) {
    std::vector<std::string> out = figure.notes;
    out.insert(out.end(), figure.remarks.begin(), figure.remarks.end());
    return out;
}

std::string values_table(const Figure& figure) {
    Table table;
    table.column(figure.category, Table::Align::Left);
    for (const Series& series : figure.series)
        table.column(full_name(series));
    for (std::size_t c = 0; c < figure.categories.size(); ++c) {
        std::vector<std::string> cells{figure.categories[c]};
        for (const Series& series : figure.series)
            cells.push_back(cell(series, c));
        table.row(std::move(cells));
    }
    return table.render();
}

// A row a bar, a column a part of it.
std::string stacks_table(const Figure& figure) {
    std::vector<std::string> stacks, parts;
    const auto add = [](std::vector<std::string>& to, const std::string& name) {
        if (std::find(to.begin(), to.end(), name) == to.end())
            to.push_back(name);
    };
    for (const Series& series : figure.series) {
        add(stacks, series.stack);
        add(parts, series.name);
    }
    Table table;
    table.column(figure.category, Table::Align::Left);
    table.column("", Table::Align::Left);
    for (const std::string& part : parts)
        table.column(part);
    for (std::size_t c = 0; c < figure.categories.size(); ++c)
        for (const std::string& stack : stacks) {
            std::vector<std::string> cells{figure.categories[c], stack};
            for (const std::string& part : parts)
                for (const Series& series : figure.series)
                    if (series.name == part && series.stack == stack)
                        cells.push_back(cell(series, c));
            table.row(std::move(cells));
        }
    return table.render();
}

std::string spans_table(const Figure& figure) {
    Table table;
    table.column("", Table::Align::Left);
    table.column("begin");
    table.column("end");
    table.column("", Table::Align::Left);
    for (const Series& series : figure.series)
        for (const Span& span : series.spans)
            table.row({series.name, figure_number(span.begin), figure_number(span.end), span.label});
    return table.render();
}

std::string published_table(const Figure& figure) {
    Table table;
    table.column("quantity", Table::Align::Left);
    table.column("of", Table::Align::Left);
    table.column("versus", Table::Align::Left);
    table.column("published");
    table.column("here");
    table.column("difference");
    table.column("unit", Table::Align::Left);
    for (const PublishedRow& row : figure.published)
        table.row({row.quantity, row.subject, row.versus, row.published, row.ours.empty() ? "-" : row.ours,
                   row.difference, row.unit});
    std::string out = table.render();
    for (const PublishedRow& row : figure.published)
        if (!row.note.empty())
            out += fmt::format("{}, {}: {}\n", row.quantity, row.subject, row.note);
    return out;
}

void add_spread(const Series& series, std::size_t category, std::vector<std::string>& to) {
    const std::optional<Spread> spread = category < series.spread.size() ? series.spread[category] : std::nullopt;
    for (double Spread::*const number : {&Spread::deviation, &Spread::minimum, &Spread::maximum})
        to.push_back(spread ? fmt::format("{}", *spread.*number) : "");
}

Json series_json(const Series& series) {
    Json values = Json::array();
    for (const std::optional<double>& value : series.values)
        values.push_back(value ? Json(*value) : Json(nullptr));
    Json spans = Json::array();
    for (const Span& span : series.spans)
        spans.push_back({{"begin", span.begin}, {"end", span.end}, {"label", span.label}});
    Json out{{"name", series.name}, {"stack", series.stack}, {"values", values}, {"spans", spans}};
    for (const std::optional<Spread>& spread : series.spread)
        out["spread"].push_back(
            spread ? Json{{"deviation", spread->deviation}, {"minimum", spread->minimum}, {"maximum", spread->maximum}}
                   : Json(nullptr));
    return out;
}

Json figure_json(const Figure& figure) {
    Json series = Json::array();
    for (const Series& one : figure.series)
        series.push_back(series_json(one));
    Json published = Json::array();
    for (const PublishedRow& row : figure.published)
        published.push_back({{"quantity", row.quantity},
                             {"subject", row.subject},
                             {"versus", row.versus},
                             {"unit", row.unit},
                             {"published", row.published},
                             {"ours", row.ours},
                             {"difference", row.difference},
                             {"note", row.note}});
    return {{"id", figure.id},
            {"title", figure.title},
            {"caption", figure.caption},
            {"unit", figure.unit},
            {"category", figure.category},
            {"kind", figure_kind_name(figure.kind)},
            {"categories", figure.categories},
            {"series", series},
            {"published", published},
            {"remarks", paragraphs_of(figure)}};
}

} // namespace

std::string figure_number(double value) {
    const double size = std::abs(value);
    if (size >= 1000 && size < 1e15)
        return fmt::format("{}{}", value < 0 ? "-" : "", grouped(static_cast<std::uint64_t>(std::llround(size))));
    if (size >= 100)
        return fmt::format("{:.1f}", value);
    if (size >= 10)
        return fmt::format("{:.2f}", value);
    return size >= 0.1 || value == 0 ? fmt::format("{:.3f}", value) : fmt::format("{:.3g}", value);
}

std::string figure_table(const Figure& figure) {
    std::string out = fmt::format("{}{}\n", figure.title, figure.unit.empty() ? "" : fmt::format(" [{}]", figure.unit));
    if (!figure.caption.empty())
        out += figure.caption + "\n";
    if (!figure.series.empty())
        out += fmt::format("\n{}", figure.kind == FigureKind::spans          ? spans_table(figure)
                                   : figure.kind == FigureKind::stacked_bars ? stacks_table(figure)
                                                                             : values_table(figure));
    if (!figure.published.empty())
        out += fmt::format("\n{}", published_table(figure));
    for (const std::string& remark : paragraphs_of(figure))
        out += fmt::format("\n{}\n", remark);
    return out;
}

std::string figure_csv(const Figure& figure) {
    const bool spans = figure.kind == FigureKind::spans;
    const bool has_spread = std::any_of(figure.series.begin(), figure.series.end(),
                                        [](const Series& series) { return !series.spread.empty(); });
    std::string out = spans        ? "figure,series,label,begin,end\n"
                      : has_spread ? "figure,category,series,stack,value,deviation,minimum,maximum\n"
                                   : "figure,category,series,stack,value\n";
    for (const Series& series : figure.series) {
        for (const Span& span : series.spans)
            out += csv_line(
                {figure.id, series.name, span.label, fmt::format("{}", span.begin), fmt::format("{}", span.end)});
        for (std::size_t c = 0; c < series.values.size() && !spans; ++c) {
            std::vector<std::string> fields{figure.id, figure.categories.at(c), series.name, series.stack,
                                            series.values[c] ? fmt::format("{}", *series.values[c]) : ""};
            if (has_spread)
                add_spread(series, c, fields);
            out += csv_line(fields);
        }
    }
    return out;
}

std::string figures_json(std::span<const Figure> figures) {
    std::string lines;
    for (const Figure& figure : figures)
        lines += (lines.empty() ? "    " : ",\n    ") +
                 figure_json(figure).dump(-1, ' ', false, Json::error_handler_t::replace);
    return document({{"heddle", program_json().dump()}, {"figures", lines.empty() ? "[]" : "[\n" + lines + "\n  ]"}});
}

std::string_view figure_kind_name(FigureKind kind) {
    switch (kind) {
    case FigureKind::grouped_bars:
        return "grouped_bars";
    case FigureKind::stacked_bars:
        return "stacked_bars";
    case FigureKind::lines:
        return "lines";
    case FigureKind::heat_map:
        return "heat_map";
    case FigureKind::spans:
        return "spans";
    case FigureKind::bands:
        return "bands";
    case FigureKind::table:
        return "table";
    }
    return "";
}

} // namespace heddle::report
