// What distinguishes runs that are looked at side by side.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "report/stored_run.h"

namespace heddle::report {

// Settings whose values are not the same in all runs, by key; one that a run lacks counts as empty.
[[nodiscard]] std::vector<std::string> differing_settings(std::span<const StoredRun>);

// A label a run, all different: the machine, formation and scheduler where they differ, and the other settings that set
// it apart from the first run (of its machine). The file's name where the settings are the same.
[[nodiscard]] std::vector<std::string> run_labels(std::span<const StoredRun>);

} // namespace heddle::report
