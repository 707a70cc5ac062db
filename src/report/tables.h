// What `heddle run`, `heddle ptx` and `heddle compare` print.
#pragma once

#include <span>
#include <string>

#include "report/summary.h"

namespace heddle::report {

// Kernels, stall causes, rates and simulated speed of one run.
[[nodiscard]] std::string run_table(const Summary&);

struct ComparedRun {
    std::string label;   // the settings that distinguish it
    bool failed = false; // then only `message` is shown
    std::string message; // why it failed, or a remark; may have several lines
    Summary summary;
};

// One row a run, speed-up over the first; then the messages of those that have one. Speed-ups need a first run that
// succeeded.
[[nodiscard]] std::string compare_table(std::span<const ComparedRun>);

} // namespace heddle::report
