// The environment variables that `heddle run` sets for the program's runtime.
#pragma once

#include <string>
#include <vector>

#include "runtime/device.h"

namespace heddle::cudart {

struct Environment {
    std::string machine = "lwm11";     // HEDDLE_MACHINE: name or path
    std::vector<std::string> settings; // HEDDLE_SET: KEY=VALUE, a line each
    std::string result;                // HEDDLE_RESULT: file for the results; empty: none
    std::string timeline;              // HEDDLE_TIMELINE: file for the timeline; empty: none is recorded
    std::string thread_traces;         // HEDDLE_THREAD_TRACES: file for what threads execute; empty: nothing is kept
    // HEDDLE_OPTIONS, JSON: functional, max_cycles, max_instructions, host_threads, kernels, timeline, thread_traces
    runtime::Options options;
    bool progress = false; // HEDDLE_OPTIONS: progress
};

// Throws UserError when a variable does not have its form.
[[nodiscard]] Environment read_environment();

} // namespace heddle::cudart
