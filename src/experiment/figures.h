// Figures from the results of an experiment's runs.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "experiment/experiment.h"
#include "experiment/plan.h"
#include "experiment/published.h"
#include "experiment/store.h"
#include "report/figure.h"

namespace heddle::experiment {

struct Sources {
    std::function<std::optional<StoredRun>(const Run&)> result;
    // COST.json of a machine with settings.
    std::function<std::string(const std::string& machine, const std::vector<std::string>& settings)> cost;
};

// All series and categories without their values.
[[nodiscard]] report::Figure shape_of(const Experiment&);

// Usually one figure; one for each program where the experiment says so. Errors of runs and formulas are in the
// remarks.
[[nodiscard]] std::vector<report::Figure> evaluate(const Experiment&, const Plan&, const Sources&,
                                                   const std::vector<Published>&, const Notes&);

// The published rows of a paper without a link from an experiment, as a figure without series; nothing when there are
// none.
[[nodiscard]] std::optional<report::Figure> not_measured(const std::string& paper, const std::vector<Experiment>&,
                                                         const std::vector<Published>&, const Notes&);

// Throws UserError with every link without a target, and every note about a row that does not exist.
void check_links(const std::vector<Experiment>&, const std::vector<Published>&, const Notes&);

} // namespace heddle::experiment
