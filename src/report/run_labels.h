// Labels of runs from their differences.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "report/stored_run.h"

namespace heddle::report {

// Settings with different values in the runs, by key; a setting that a run lacks counts as empty.
[[nodiscard]] std::vector<std::string> differing_settings(std::span<const StoredRun>);

// A label for each run, all different: the machine, formation and scheduler where they differ, and the other settings
// that differ from the first run (of its machine). The file's name where the settings are equal.
[[nodiscard]] std::vector<std::string> run_labels(std::span<const StoredRun>);

} // namespace heddle::report
