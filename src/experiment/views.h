// Series without a formula: events that a run recorded over time (experiment.h, View).
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "experiment/experiment.h"
#include "report/figure.h"

namespace heddle::experiment {

// Adds the series of one RESULT.json; `prefix` distinguishes the series of several runs. Throws UserError when the
// result has no such data.
void add_view(const Experiment&, const nlohmann::json& result, const std::string& prefix, report::Figure&);

} // namespace heddle::experiment
