// The division of runs into tasks of about equal time.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "experiment/results.h"

namespace heddle::batch {

struct Task {
    std::vector<std::size_t> runs; // by place
    double seconds = 0;            // of its runs, one after the other
    double megabytes = 0;          // of the run that needs the most
};

// The longest run first. Runs of one task need about the same memory: at most twice the least. A task takes
// `target_seconds`, or one run that takes longer. Times and memory of all runs are above 0.
[[nodiscard]] std::vector<Task> divide(std::span<const experiment::Cost> runs, double target_seconds);

// The time that a task should take: `most`, but less where the runs are few for so many processors.
[[nodiscard]] double target_seconds(std::span<const experiment::Cost> runs, std::size_t processors, double most);

} // namespace heddle::batch
