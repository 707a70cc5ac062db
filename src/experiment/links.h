// Published rows beside the cells of a figure.
#pragma once

#include <vector>

#include "experiment/experiment.h"
#include "experiment/published.h"
#include "report/figure.h"

namespace heddle::experiment {

// A link with its names filled in, and the row that it is about.
struct LinkedRow {
    Link link;
    std::size_t row = 0; // in the list of published rows
};

// The rows of an experiment's links, whose names may be any of the figure's series, categories and values. Throws
// UserError with every link that fits no row, or names a cell that the figure has not.
[[nodiscard]] std::vector<LinkedRow> link_rows(const Experiment&, const report::Figure& shape,
                                               const std::vector<Published>&);

[[nodiscard]] report::PublishedRow compare_with(const Published&, const Link&, const report::Figure&,
                                                const std::vector<std::string>& mean_categories);

} // namespace heddle::experiment
