// Lists of runs for people: a line a program.
#pragma once

#include <string>
#include <vector>

#include "experiment/plan.h"
#include "experiment/store.h"

namespace heddle::experiment {

// The number of runs of each experiment and program, a line each.
[[nodiscard]] std::string list_of(const std::vector<Run>&);
// The programs whose runs are impossible, with the reasons.
[[nodiscard]] std::string list_of_problems(const Plan&);

// What queries say of the runs.
[[nodiscard]] std::vector<RunDescription> descriptions_of(const Plan&);

} // namespace heddle::experiment
