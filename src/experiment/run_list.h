// Lists of runs for people: every run while they are few, a line a program where a sweep has thousands.
#pragma once

#include <string>
#include <vector>

#include "experiment/plan.h"
#include "experiment/store.h"

namespace heddle::experiment {

// A line each; of more than a hundred runs, the number for each experiment and program.
[[nodiscard]] std::string list_of(const std::vector<const Run*>&);
// The runs that are impossible, with the reasons.
[[nodiscard]] std::string list_of_problems(const Plan&);

[[nodiscard]] std::vector<RunDescription> descriptions_of(const Plan&);

} // namespace heddle::experiment
