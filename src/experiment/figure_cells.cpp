#include "experiment/figure_cells.h"

#include <algorithm>

namespace heddle::experiment {

using report::Figure;
using report::Series;

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

} // namespace heddle::experiment
