// Two ways to simulate the same, beside each other: policies of a plug-in and the same policies within heddle.
#pragma once

#include <string>
#include <vector>

#include "measure.h"

namespace heddle::bench {

struct Pair {
    std::string label;
    std::vector<std::string> machine; // as `heddle run` takes it
    std::string workload;
    std::vector<std::string> settings, beside; // KEY=VALUE
};

// Four of heddle's own policies, each with its copy in policies.so (CMakeLists.txt).
[[nodiscard]] std::vector<Pair> pairs_of_policies();

// Runs both ways in turn, `runs` times each, and prints the medians of their rates.
void run_beside(const Runner&, const std::vector<Pair>&, unsigned runs);

} // namespace heddle::bench
