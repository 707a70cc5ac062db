// A plan as a file: a line of JSON for each run, which holds all that another process needs to make the run
// (docs/batch.md).
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "experiment/run.h"

namespace heddle::experiment {

struct PlannedRun {
    std::string version; // of the simulator that made the plan
    Run run;
};

// The lines of a plan.
[[nodiscard]] std::string plan_text(std::span<const Run>, const std::string& version);

// Lines of a plan file, from 1; the last one included.
struct LineRange {
    std::size_t first = 1;
    std::size_t last = static_cast<std::size_t>(-1); // or the end of the file
};
// Throws UserError: no such file, a line that is not a run, a range beyond the end.
[[nodiscard]] std::vector<PlannedRun> read_plan(const std::filesystem::path&, LineRange);

// The reason why the run cannot be made as planned: its program or an input is not what it was. Empty: it can.
[[nodiscard]] std::string changed_since(const Run&);

} // namespace heddle::experiment
