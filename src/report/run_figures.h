// Figures of stored runs: a bar for each kernel of one run, or a bar for each of several runs.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "report/figure.h"
#include "report/stored_run.h"

namespace heddle::report {

[[nodiscard]] Figure make_figure(FigureKind kind, std::string id, std::string title, std::string unit,
                                 std::string category);

struct CountedBar {
    std::string label;
    const CountsSummary* counts = nullptr;
};

// The bars of several runs or kernels; the last `means` bars are drawn separately.
struct Bars {
    std::string category; // "kernel", "run"
    std::vector<CountedBar> bars;
    std::size_t means = 0;
};

// Shares of the issue slots, in percent; causes that no bar has are left out. A bar without timed slots has
// no values.
[[nodiscard]] Figure stall_figure(const Bars&);
[[nodiscard]] Figure class_figure(const Bars&); // PRO II.B
[[nodiscard]] Figure lane_figure(const Bars&);  // DWF07 Figure 16

// By run.
[[nodiscard]] Figure hit_rate_figure(std::span<const StoredRun>, const std::vector<std::string>& labels);
// The places where an average load outside its SM spends its time; no series where no run has such loads.
[[nodiscard]] Figure path_figure(std::span<const StoredRun>, const std::vector<std::string>& labels);

// Bytes over the DRAM's data bus in a cycle of the device.
[[nodiscard]] std::optional<double> bandwidth(const StoredRun&);

} // namespace heddle::report
