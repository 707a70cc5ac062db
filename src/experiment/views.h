// Series that are no formula: what a run recorded over time (experiment.h, View).
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "experiment/experiment.h"
#include "report/figure.h"

namespace heddle::experiment {

// Adds what one RESULT.json has to show; `prefix` tells the series of several runs apart. Throws UserError when the
// result holds nothing of the kind.
void add_view(const Experiment&, const nlohmann::json& result, const std::string& prefix, report::Figure&);

} // namespace heddle::experiment
