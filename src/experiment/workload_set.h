// Sets of programs that plug-ins bring (docs/plug-ins.md). They are named as those of experiments/programs.toml are.
#pragma once

#include <vector>

#include "base/registry.h"
#include "experiment/program.h"

namespace heddle::experiment {

struct WorkloadSet {
    // Paths in `run`, arguments and inputs count from the folder of the plug-in's file; `folder` stays empty.
    std::vector<Program> programs;
};

// Sets by name. The file of a set ends with HEDDLE_WORKLOADS(Class, "name", "meaning", "source"); the class is a
// WorkloadSet whose constructor lists the programs.
using WorkloadSets = Registry<WorkloadSet>;
[[nodiscard]] WorkloadSets& workload_sets();

#define HEDDLE_WORKLOADS(Class, ...) HEDDLE_REGISTERED(::heddle::experiment::workload_sets(), Class, __VA_ARGS__)

} // namespace heddle::experiment
