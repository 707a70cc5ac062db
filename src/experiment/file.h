// Experiment files: docs/experiments.md describes their contents.
#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "config/plugins.h"
#include "experiment/experiment.h"

namespace heddle::experiment {

// Named sets of programs, in the file's order.
using ProgramSets = std::map<std::string, std::vector<Program>, std::less<>>;

// experiments/programs.toml: SET = [{ name = ..., arguments = [...] }, ...]. Throws UserError with every problem.
[[nodiscard]] ProgramSets read_program_sets(const std::filesystem::path&);

// Adds the sets that these plug-ins have registered (workload_set.h). Throws UserError when a name is taken, or when a
// set has programs that could not run.
void add_plugin_sets(ProgramSets&, std::span<const config::Plugin>);

// The sets of the experiment's own plug-ins are added to `sets` for it. Throws UserError with every problem that the
// file and its bases have, each with its place.
[[nodiscard]] Experiment read_experiment(const std::filesystem::path&, const ProgramSets&);

} // namespace heddle::experiment
