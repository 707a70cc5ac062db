// The sets of programs that can be named: those of experiments/programs.toml, and those of plug-ins.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "contract/contract.h"
#include "experiment/file.h"

namespace heddle::cli {

// With the sets of the plug-ins that are loaded.
[[nodiscard]] experiment::ProgramSets program_sets();

// In place of a program's path, `words` may begin with SET.PROGRAM: that becomes the path and the program's arguments.
// Other words stay as they are. Throws UsageError when a set has no such program.
void expand_program(std::vector<std::string>& words);

// Lists the sets, or the programs of one: heddle describe workloads.
void describe_workloads(const std::string& set);

// What the set of a plug-in must keep to.
[[nodiscard]] std::span<const contract::Check> workload_checks();

} // namespace heddle::cli
