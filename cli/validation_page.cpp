#include "validation_page.h"

#include <algorithm>

#include <fmt/format.h>

#include "report/run_figures.h"

namespace heddle::cli {

namespace {

// "latency" of "latency.l2".
std::string_view kind_of(const Comparison& row) {
    const std::string_view name = row.here.benchmark;
    return name.substr(0, name.find('.'));
}

report::Figure& figure_of(const Comparison& row, std::vector<report::Figure>& figures) {
    const std::string title = fmt::format("{}, {}", kind_of(row), row.here.unit);
    const auto at = std::find_if(figures.begin(), figures.end(),
                                 [&](const report::Figure& figure) { return figure.title == title; });
    if (at != figures.end())
        return *at;
    const std::string id = fmt::format("{}-{}", kind_of(row), figures.size());
    report::Figure& figure = figures.emplace_back(
        report::make_figure(report::FigureKind::grouped_bars, id, title, row.here.unit, "benchmark"));
    figure.series = {{"published", "", {}, {}}, {"heddle", "", {}, {}}};
    return figure;
}

std::vector<report::Figure> figures_of(std::span<const Comparison> rows) {
    std::vector<report::Figure> out;
    for (const Comparison& row : rows) {
        if (!row.published)
            continue;
        report::Figure& figure = figure_of(row, out);
        figure.categories.push_back(row.here.benchmark.substr(kind_of(row).size() + 1));
        figure.series[0].values.emplace_back(row.published->value);
        figure.series[1].values.emplace_back(row.here.value);
    }
    return out;
}

report::PageTable table_of(std::span<const Comparison> rows) {
    report::PageTable out;
    out.id = "values";
    out.title = "All values";
    out.headings = {"benchmark", "published", "heddle", "difference, %", "unit", "within", "source", "known failure"};
    for (const Comparison& row : rows) {
        std::vector<report::Cell> cells{{row.here.benchmark, {}},
                                        {"", {}},
                                        {"", row.here.value},
                                        {"", {}},
                                        {row.here.unit, {}},
                                        {"", {}},
                                        {"", {}},
                                        {"", {}}};
        if (row.published) {
            cells[1].number = row.published->value;
            cells[3].number = row.percent_off();
            cells[5].text = std::string(row.verdict());
            cells[6].text = row.published->source;
            cells[7].text = row.published->fails;
        }
        out.rows.push_back(std::move(cells));
    }
    return out;
}

} // namespace

report::Page comparison_page(std::string_view machine, std::span<const Comparison> rows) {
    report::Page out;
    out.title = fmt::format("{} beside silicon", machine);
    out.introduction = {comparison_summary({rows.begin(), rows.end()})};
    out.facts = {{"machine", std::string(machine)}};
    report::PageSection section;
    section.id = "comparison";
    section.title = "Published values and heddle's";
    section.tables.push_back(table_of(rows));
    section.figures = figures_of(rows);
    out.sections.push_back(std::move(section));
    return out;
}

} // namespace heddle::cli
