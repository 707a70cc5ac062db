// How much of a machine's peaks a kernel reached: the "speed of light" of profilers.
#pragma once

#include <string>
#include <vector>

#include "report/machine_facts.h"
#include "report/summary.h"

namespace heddle::report {

struct PeakShare {
    enum class Kind { Issue, Pipe, LoadStore, L1, L2, Dram };
    Kind kind;
    std::string name;          // "issue slots", "pipe sp", "DRAM bandwidth"
    double share = 0;          // 0 to 1
    double rate = 0, most = 0; // of a bandwidth, in GB/s; `most` 0: it is none, or the clock is not known
};

// Of all timed launches of a kernel; what the machine lacks is left out. Empty where nothing was timed.
[[nodiscard]] std::vector<PeakShare> peak_shares(const KernelSummary&, const MachineFacts&);

// Share of the warps that an SM holds which were resident, the mean over the cycles in which it had any. Nothing where
// nothing was timed, or the result is of a version that did not count it.
[[nodiscard]] std::optional<double> achieved_occupancy(const KernelSummary&, const MachineFacts&);
// The share that the blocks of an SM have when all fit that can.
[[nodiscard]] std::optional<double> possible_occupancy(const KernelSummary&, const MachineFacts&);

} // namespace heddle::report
