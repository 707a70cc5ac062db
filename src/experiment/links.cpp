#include "experiment/links.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/suggest.h"
#include "experiment/fields.h"

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

std::string full_name(const Series& series) {
    return series.stack.empty() ? series.name : series.stack + ": " + series.name;
}

const Series* find_series(const Figure& figure, const std::string& name) {
    if (name.empty() && figure.series.size() == 1)
        return &figure.series.front();
    for (const Series& series : figure.series)
        if (series.name == name || full_name(series) == name)
            return &series;
    return nullptr;
}

std::optional<std::size_t> find_category(const Figure& figure, const std::string& name) {
    if (name.empty() && figure.categories.size() == 1)
        return 0;
    const auto at = std::find(figure.categories.begin(), figure.categories.end(), name);
    if (at == figure.categories.end())
        return std::nullopt;
    return static_cast<std::size_t>(at - figure.categories.begin());
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

// As many decimals as are published; a percentage and a ratio have at least one and two.
std::string like_published(double value, const Published& row) {
    const std::size_t point = row.value.find('.');
    std::size_t decimals = point == std::string::npos ? 0 : row.value.size() - point - 1;
    if (row.unit.starts_with("percent"))
        decimals = std::max<std::size_t>(decimals, 1);
    if (row.unit.starts_with("ratio") || row.unit.starts_with("word"))
        decimals = std::max<std::size_t>(decimals, 2);
    return fmt::format("{:.{}f}", value, decimals);
}

// Takes the number of a link from a figure with its values.
class Taking {
public:
    Taking(const Link& link, const Figure& figure, const std::vector<std::string>& means)
        : link_(link), figure_(figure), means_(means) {}

    [[nodiscard]] std::optional<double> number() const {
        switch (link_.take) {
        case Take::cell:
            return cell(link_.series, link_.category);
        case Take::max:
        case Take::min: {
            const std::vector<double> all = values();
            return extreme_of(link_.take == Take::max, all);
        }
        case Take::count_above:
            return counted([&](double value) { return value > link_.limit; });
        case Take::count_below:
            return counted([&](double value) { return value < link_.limit; });
        case Take::rank:
            return rank();
        case Take::changes:
            return changes();
        default:
            return std::nullopt;
        }
    }

    // The value that the link's cell is compared with.
    [[nodiscard]] std::optional<double> base() const {
        return base_of(link_.series, link_.category);
    }

    // A value that is not a number: a name, a range, a list.
    [[nodiscard]] std::string text(const Published& row) const {
        switch (link_.take) {
        case Take::name_of_max:
        case Take::name_of_min:
            return best_name();
        case Take::range: {
            const std::vector<double> all = values();
            return all.empty() ? ""
                               : fmt::format("{} to {}", like_published(*extreme_of(false, all), row),
                                             like_published(*extreme_of(true, all), row));
        }
        case Take::column:
            return fmt::format("{}", fmt::join(column(link_.category), " "));
        case Take::span:
            return span();
        default:
            return "";
        }
    }

private:
    static std::optional<double> extreme_of(bool greatest, const std::vector<double>& all) {
        if (all.empty())
            return std::nullopt;
        return greatest ? *std::max_element(all.begin(), all.end()) : *std::min_element(all.begin(), all.end());
    }

    [[nodiscard]] bool is_mean(const std::string& category) const {
        return std::find(means_.begin(), means_.end(), category) != means_.end();
    }

    [[nodiscard]] std::optional<double> raw(const std::string& series, const std::string& category) const {
        const Series* const found = find_series(figure_, series);
        const auto at = find_category(figure_, category);
        return found == nullptr || !at || *at >= found->values.size() ? std::nullopt : found->values[*at];
    }

    [[nodiscard]] std::optional<double> base_of(const std::string& series, const std::string& category) const {
        return raw(link_.base_series.empty() ? series : link_.base_series,
                   link_.base_category.empty() ? category : link_.base_category);
    }

    // Relative to the link's base, if it has one.
    [[nodiscard]] std::optional<double> cell(const std::string& series, const std::string& category) const {
        const std::optional<double> value = raw(series, category);
        if (link_.as == As::value || !value)
            return value;
        const std::optional<double> base = base_of(series, category);
        if (base && link_.as == As::points)
            return *value - *base;
        if (!base || *base == 0)
            return std::nullopt;
        return link_.as == As::percent ? (*value / *base - 1) * 100 : *value / *base;
    }

    // The values of the series in all categories except means.
    [[nodiscard]] std::vector<double> values() const {
        std::vector<double> out;
        for (const std::string& category : figure_.categories)
            if (!is_mean(category))
                if (const auto value = cell(link_.series, category))
                    out.push_back(*value);
        return out;
    }

    template <class Condition>
    [[nodiscard]] std::optional<double> counted(Condition condition) const {
        const std::vector<double> all = values();
        if (all.empty())
            return std::nullopt;
        return static_cast<double>(std::count_if(all.begin(), all.end(), condition));
    }

    [[nodiscard]] std::optional<double> rank() const {
        const std::optional<double> own = raw(link_.series, link_.category);
        double place = 1;
        for (const Series& series : figure_.series)
            if (const auto value = raw(full_name(series), link_.category); own && value && *value > *own)
                ++place;
        return own ? std::optional(place) : std::nullopt;
    }

    // The best category of the series, or the best series of the category.
    [[nodiscard]] std::string best_name() const {
        std::string best;
        std::optional<double> found;
        const auto consider = [&](const std::string& name, const std::optional<double>& value) {
            if (value && (!found || (link_.take == Take::name_of_max ? *value > *found : *value < *found))) {
                found = value;
                best = name;
            }
        };
        if (link_.series.empty())
            for (const Series& series : figure_.series)
                consider(full_name(series), raw(full_name(series), link_.category));
        else
            for (const std::string& category : figure_.categories)
                if (!is_mean(category))
                    consider(category, raw(link_.series, category));
        return best;
    }

    [[nodiscard]] std::vector<double> column(const std::string& category) const {
        std::vector<double> out;
        const auto at = find_category(figure_, category);
        for (const Series& series : figure_.series)
            if (at && *at < series.values.size() && series.values[*at])
                out.push_back(*series.values[*at]);
        return out;
    }

    // The number of categories whose list of values is in another order than that of the category before.
    [[nodiscard]] std::optional<double> changes() const {
        if (figure_.categories.empty())
            return std::nullopt;
        const std::vector<double> first = column(figure_.categories.front());
        std::vector<double> before = first;
        double out = 0;
        for (const std::string& category : figure_.categories) {
            const std::vector<double> now = column(category);
            if (!std::is_permutation(now.begin(), now.end(), first.begin(), first.end()))
                break;
            out += now != before ? 1 : 0;
            before = now;
        }
        return out;
    }

    // The category is the span's label.
    [[nodiscard]] std::string span() const {
        for (const Series& series : figure_.series)
            if (link_.series.empty() || series.name.starts_with(link_.series))
                for (const report::Span& span : series.spans)
                    if (span.label == link_.category)
                        return fmt::format("{} {}", span.begin, span.end);
        return "";
    }

    const Link& link_;
    const Figure& figure_;
    const std::vector<std::string>& means_;
};

// The value that the cell of a link would have if the published number held: where the number is a gain, over the
// measured base.
std::optional<double> published_level(const Published& row, const Link& link, const Taking& taking) {
    const std::optional<double> number = published_number(row.value);
    const std::optional<double> base = taking.base();
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
                                             const Taking& taking) {
    if (link.take != Take::cell || link.sign || row.unit.starts_with("sign") || !link.class_names.empty())
        return std::nullopt;
    const Series* const series = find_series(figure, link.series);
    const std::optional<std::size_t> category = find_category(figure, link.category);
    const std::optional<double> level = published_level(row, link, taking);
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
    const Taking taking(link, figure, mean_categories);
    const std::optional<double> value = taking.number();
    out.value = value;
    out.mark = mark_of(row, link, figure, taking);
    if (!value)
        out.ours = taking.text(row);
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
