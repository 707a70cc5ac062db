// Experiment files: docs/experiments.md describes their contents.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "experiment/experiment.h"

namespace heddle::experiment {

// Named sets of programs, in the file's order.
using ProgramSets = std::map<std::string, std::vector<Program>, std::less<>>;

// experiments/programs.toml: SET = [{ name = ..., arguments = [...] }, ...]. Throws UserError with every problem.
[[nodiscard]] ProgramSets read_program_sets(const std::filesystem::path&);

// Throws UserError with every problem that the file and its bases have, each with its place.
[[nodiscard]] Experiment read_experiment(const std::filesystem::path&, const ProgramSets&);

} // namespace heddle::experiment
