#include "experiment/link_value.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "experiment/figure_cells.h"

namespace heddle::experiment {

using report::Series;

std::string like_published(double value, const Published& row) {
    const std::size_t point = row.value.find('.');
    std::size_t decimals = point == std::string::npos ? 0 : row.value.size() - point - 1;
    if (row.unit.starts_with("percent"))
        decimals = std::max<std::size_t>(decimals, 1);
    if (row.unit.starts_with("ratio") || row.unit.starts_with("word"))
        decimals = std::max<std::size_t>(decimals, 2);
    return fmt::format("{:.{}f}", value, decimals);
}

std::optional<double> LinkValue::number() const {
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

std::optional<double> LinkValue::base() const {
    return base_of(link_.series, link_.category);
}

std::string LinkValue::text(const Published& row) const {
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

std::optional<double> LinkValue::extreme_of(bool greatest, const std::vector<double>& all) {
    if (all.empty())
        return std::nullopt;
    return greatest ? *std::max_element(all.begin(), all.end()) : *std::min_element(all.begin(), all.end());
}

bool LinkValue::is_mean(const std::string& category) const {
    return std::find(means_.begin(), means_.end(), category) != means_.end();
}

std::optional<double> LinkValue::raw(const std::string& series, const std::string& category) const {
    const Series* const found = find_series(figure_, series);
    const auto at = find_category(figure_, category);
    return found == nullptr || !at || *at >= found->values.size() ? std::nullopt : found->values[*at];
}

std::optional<double> LinkValue::base_of(const std::string& series, const std::string& category) const {
    return raw(link_.base_series.empty() ? series : link_.base_series,
               link_.base_category.empty() ? category : link_.base_category);
}

std::optional<double> LinkValue::cell(const std::string& series, const std::string& category) const {
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

std::vector<double> LinkValue::values() const {
    std::vector<double> out;
    for (const std::string& category : figure_.categories)
        if (!is_mean(category))
            if (const auto value = cell(link_.series, category))
                out.push_back(*value);
    return out;
}

template <class Condition>
std::optional<double> LinkValue::counted(Condition condition) const {
    const std::vector<double> all = values();
    if (all.empty())
        return std::nullopt;
    return static_cast<double>(std::count_if(all.begin(), all.end(), condition));
}

std::optional<double> LinkValue::rank() const {
    const std::optional<double> own = raw(link_.series, link_.category);
    double place = 1;
    for (const Series& series : figure_.series)
        if (const auto value = raw(full_name(series), link_.category); own && value && *value > *own)
            ++place;
    return own ? std::optional(place) : std::nullopt;
}

std::string LinkValue::best_name() const {
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

std::vector<double> LinkValue::column(const std::string& category) const {
    std::vector<double> out;
    const auto at = find_category(figure_, category);
    for (const Series& series : figure_.series)
        if (at && *at < series.values.size() && series.values[*at])
            out.push_back(*series.values[*at]);
    return out;
}

std::optional<double> LinkValue::changes() const {
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

std::string LinkValue::span() const {
    for (const Series& series : figure_.series)
        if (link_.series.empty() || series.name.starts_with(link_.series))
            for (const report::Span& span : series.spans)
                if (span.label == link_.category)
                    return fmt::format("{} {}", span.begin, span.end);
    return "";
}

} // namespace heddle::experiment
