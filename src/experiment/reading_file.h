// Reads the readings of an experiment: [[reading]] tables of its file, and of the file that `readings` names.
#pragma once

#include <vector>

#include "experiment/experiment.h"
#include "experiment/fields.h"

namespace heddle::experiment {

// `experiment` has its settings.
[[nodiscard]] std::vector<Reading> read_readings(Fields&, const Experiment& experiment, Problems&);

} // namespace heddle::experiment
