// Reads the readings of an experiment: [[reading]] tables of its file, and of the file that `readings` names.
#pragma once

#include <vector>

#include "experiment/experiment.h"
#include "experiment/fields.h"
#include "experiment/file.h"

namespace heddle::experiment {

// `experiment` has its settings and programs; `sets`: those of programs.toml, whose programs readings may name.
[[nodiscard]] std::vector<Reading> read_readings(Fields&, const Experiment& experiment, const ProgramSets& sets,
                                                 Problems&);

} // namespace heddle::experiment
