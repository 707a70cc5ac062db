#include "experiment/links.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "base/suggest.h"
#include "experiment/fields.h"
#include "experiment/figure_cells.h"
#include "experiment/link_value.h"

namespace heddle::experiment {

namespace {

using report::Figure;
using report::Series;

std::string replaced(std::string text, std::string_view what, const std::string& by) {
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
        text.replace(at, what.size(), by);
    return text;
}

bool has_placeholder(const Link& link, std::string_view name) {
    for (const std::string* text : {&link.quantity, &link.subject, &link.versus, &link.series, &link.category,
                                    &link.base_series, &link.base_category})
        if (text->find(name) != std::string::npos)
            return true;
    return false;
}

Link filled(Link link, std::string_view placeholder, const std::string& name) {
    for (std::string* text : {&link.quantity, &link.subject, &link.versus, &link.series, &link.category,
                              &link.base_series, &link.base_category})
        *text = replaced(*text, placeholder, name);
    return link;
}

// The links for all names that the placeholders can stand for.
std::vector<Link> expanded(const Link& link, const Experiment& experiment, const Figure& shape) {
    std::vector<Link> out{link};
    const auto expand = [&](std::string_view placeholder, const std::vector<std::string>& names) {
        if (!has_placeholder(link, placeholder))
            return;
        std::vector<Link> next;
        for (const Link& one : out)
            for (const std::string& name : names)
                next.push_back(filled(one, placeholder, name));
        out = std::move(next);
    };
    std::vector<std::string> series, settings, values;
    for (const Series& one : shape.series)
        if (std::find(series.begin(), series.end(), one.name) == series.end())
            series.push_back(one.name);
    for (const Setting& setting : experiment.settings)
        settings.push_back(setting.name);
    for (const NamedFormula& value : experiment.values)
        values.push_back(value.name);
    expand("{category}", shape.categories);
    expand("{series}", series);
    expand("{setting}", settings);
    expand("{value}", values);
    return out;
}

bool fits(const std::string& pattern, const std::string& text) {
    return pattern == "{any}" || pattern == text;
}

// Whether the link reads all values of categories, which are only known after a run.
bool lists(const Link& link) {
    return link.take == Take::column || link.take == Take::changes;
}

// Which of its names a kind of number looks at.
bool needs_series(const Link& link) {
    return !lists(link) && !(link.take == Take::name_of_max || link.take == Take::name_of_min) ? true
                                                                                               : !link.series.empty();
}
bool needs_category(const Link& link) {
    return link.take == Take::cell || link.take == Take::rank || link.take == Take::column ||
           ((link.take == Take::name_of_max || link.take == Take::name_of_min) && link.series.empty());
}

void check_names(const Link& link, const Figure& shape, Problems& problems) {
    if (shape.kind == report::FigureKind::spans || lists(link))
        return;
    std::vector<std::string> series;
    for (const Series& one : shape.series)
        series.push_back(full_name(one));
    for (const std::string* name : {&link.series, &link.base_series})
        if ((!name->empty() || (name == &link.series && needs_series(link))) && find_series(shape, *name) == nullptr)
            problems.add(link.where, fmt::format("the figure has no series '{}'; it has: {}{}", *name,
                                                 comma_list(series), did_you_mean(*name, series)));
    for (const std::string* name : {&link.category, &link.base_category})
        if ((!name->empty() || (name == &link.category && needs_category(link))) && !find_category(shape, *name))
            problems.add(link.where, fmt::format("the figure has no category '{}'; it has: {}{}", *name,
                                                 comma_list(shape.categories), did_you_mean(*name, shape.categories)));
}

// The value that the cell of a link would have if the published number held: where the number is a gain, over the
// measured base.
std::optional<double> published_level(const Published& row, const Link& link, const LinkValue& own) {
    const std::optional<double> number = published_number(row.value);
    const std::optional<double> base = own.base();
    if (!number || link.as == As::value)
        return number;
    if (!base)
        return std::nullopt;
    return link.as == As::points    ? *base + *number
           : link.as == As::percent ? *base * (1 + *number / 100)
                                    : *base * *number;
}

// Where a chart shows the published number; nothing for numbers that are not the value of a cell.
std::optional<report::PublishedMark> mark_of(const Published& row, const Link& link, const Figure& figure,
                                             const LinkValue& own) {
    if (link.take != Take::cell || link.sign || row.unit.starts_with("sign") || !link.class_names.empty())
        return std::nullopt;
    const Series* const series = find_series(figure, link.series);
    const std::optional<std::size_t> category = find_category(figure, link.category);
    const std::optional<double> level = published_level(row, link, own);
    if (series == nullptr || !category || !level)
        return std::nullopt;
    return report::PublishedMark{static_cast<std::size_t>(series - figure.series.data()), *category, *level};
}

std::string sign_of(double value) {
    return value > 0 ? "positive" : value < 0 ? "negative" : "zero";
}

std::string class_of(double value, const Link& link) {
    std::size_t at = 0;
    while (at < link.class_limits.size() && value >= link.class_limits[at])
        ++at;
    return link.class_names[at];
}

std::string difference_of(const Published& row, const std::string& ours, const std::optional<double>& value) {
    if (row.unit.starts_with("sign"))
        return row.value.starts_with(ours) ? "" : "sign differs";
    const std::optional<double> theirs = published_number(row.value);
    if (!theirs || !value) // "two-level 8" is the published "8"
        return ours == row.value || ours.ends_with(" " + row.value) || row.unit.starts_with("word") ||
                       ours.find(" to ") != std::string::npos
                   ? ""
                   : "differs";
    if (row.unit.starts_with("percent"))
        return fmt::format("{:+.1f} points", std::round((*value - *theirs) * 10) / 10 + 0.0); // no -0.0
    if (*theirs == 0)
        return std::abs(*value) >= 100 ? fmt::format("{:+.0f}", *value) : fmt::format("{:+.3g}", *value);
    const double ratio = *value / *theirs;
    return std::abs(ratio) >= 100 || std::abs(ratio) < 0.1 ? fmt::format("x {:.2g}", ratio)
                                                           : fmt::format("x {:.2f}", ratio);
}

} // namespace

std::vector<LinkedRow> link_rows(const Experiment& experiment, const Figure& shape,
                                 const std::vector<Published>& rows) {
    Problems problems;
    std::vector<LinkedRow> out;
    std::set<std::size_t> taken;
    for (const Link& link : experiment.links) {
        bool any = false;
        for (const Link& one : expanded(link, experiment, shape)) {
            for (std::size_t r = 0; r < rows.size(); ++r) {
                const Published& row = rows[r];
                if (row.paper != experiment.paper || row.figure != one.figure || row.quantity != one.quantity ||
                    !fits(one.subject, row.subject) || !fits(one.versus, row.versus))
                    continue;
                any = true;
                check_names(one, shape, problems);
                if (taken.insert(r).second)
                    out.push_back({one, r});
            }
        }
        if (!any)
            problems.add(link.where,
                         fmt::format("published.csv has no row of {}, figure {}, with quantity '{}', subject '{}', "
                                     "versus '{}'",
                                     experiment.paper, link.figure, link.quantity, link.subject, link.versus));
    }
    problems.throw_if_any();
    std::sort(out.begin(), out.end(), [](const LinkedRow& a, const LinkedRow& b) { return a.row < b.row; });
    return out;
}

report::PublishedRow compare_with(const Published& row, const Link& link, const Figure& figure,
                                  const std::vector<std::string>& mean_categories) {
    report::PublishedRow out{row.quantity, row.subject, row.versus, row.unit, row.value, "", "", "", {}, {}};
    const LinkValue own(link, figure, mean_categories);
    const std::optional<double> value = own.number();
    out.value = value;
    out.mark = mark_of(row, link, figure, own);
    if (!value)
        out.ours = own.text(row);
    else if (link.sign || row.unit.starts_with("sign"))
        out.ours = sign_of(*value);
    else if (!link.class_names.empty())
        out.ours = class_of(*value, link);
    else
        out.ours = like_published(*value, row);
    if (!out.ours.empty())
        out.difference = difference_of(row, out.ours, value);
    return out;
}

} // namespace heddle::experiment
