// The programs of an experiment file: `programs`, `exclude`, [[program]] and `arguments`.
#pragma once

#include <vector>

#include "experiment/experiment.h"
#include "experiment/fields.h"
#include "experiment/file.h"

namespace heddle::experiment {

[[nodiscard]] std::vector<Program> read_programs(Fields&, const ProgramSets&, Problems&);

} // namespace heddle::experiment
