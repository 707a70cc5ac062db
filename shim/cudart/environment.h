// The environment variables that `heddle run` sets for the program's runtime.
#pragma once

#include <string>
#include <vector>

#include "config/parameter.h"
#include "results.h"
#include "runtime/device.h"

namespace heddle::cudart {

struct Environment {
    std::string machine = config::default_machine(); // HEDDLE_MACHINE: name or path
    std::vector<std::string> settings;               // HEDDLE_SET: KEY=VALUE, a line each
    // HEDDLE_RESULT; HEDDLE_TIMELINE, nothing is recorded without it; HEDDLE_THREAD_TRACES, nothing is kept without it;
    // HEDDLE_PROCESSES
    ResultFiles files;
    pid_t process = 0; // HEDDLE_PROCESS: the process that the program ends with; 0: none
    // HEDDLE_OPTIONS, JSON: functional, max_cycles, max_instructions, host_threads, kernels, strict, profile, check,
    // timeline, thread_traces
    runtime::Options options;
    bool progress = false; // HEDDLE_OPTIONS: progress
};

// Throws UserError when a variable does not have its form.
[[nodiscard]] Environment read_environment();

} // namespace heddle::cudart
