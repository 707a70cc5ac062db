// Workloads whose kernels were measured on a GPU, and what a machine needs for them.
//
// Cycles are those of a launch beyond the cycles of an empty kernel, on both sides: a profiler's start of a launch is
// not that of a machine.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "report/summary.h"

namespace heddle::cli {

// All launches of a kernel.
struct KernelCost {
    std::string kernel; // "step<double>": without namespaces and parameters
    std::uint64_t launches = 0;
    double cycles = 0;              // of the SMs' clock, summed over the launches
    std::uint64_t instructions = 0; // of warps
};

struct MeasuredWorkload {
    std::string program, arguments; // of the folder of workloads, or of that of validation's programs
    std::vector<KernelCost> kernels;

    [[nodiscard]] std::string name() const {
        return arguments.empty() ? program : program + " " + arguments;
    }
    [[nodiscard]] std::vector<std::string> words() const; // of the command, with the path of the program
};

// What was measured of a machine's chip.
struct MeasuredChip {
    double empty = 0;        // cycles of an empty kernel
    double mean_percent = 0; // the mean difference may be as large; 0: it is not tested
    std::vector<MeasuredWorkload> workloads;
};

// Throws UserError with the place of what is wrong, and when nothing is measured of the machine.
[[nodiscard]] MeasuredChip measured_chip(std::string_view machine);
[[nodiscard]] MeasuredChip read_measured_chip(const std::filesystem::path&);

// A kernel on both sides.
struct WorkloadRow {
    std::string workload;
    KernelCost measured, here;
    double measured_empty = 0, here_empty = 0;

    [[nodiscard]] double measured_cycles() const; // beyond empty kernels
    [[nodiscard]] double here_cycles() const;
    [[nodiscard]] double percent_off() const;
    [[nodiscard]] double instructions_off() const; // percent
};

// The kernels of a run. Throws UserError when one was not launched as often as it was measured.
[[nodiscard]] std::vector<KernelCost> costs_of(const MeasuredWorkload&, const report::Summary&);

[[nodiscard]] std::string workload_table(const std::vector<WorkloadRow>&);
[[nodiscard]] std::string workload_csv(const std::vector<WorkloadRow>&);
// Mean, median and 90th percentile of the differences, and the correlation of the logarithms of the cycles.
[[nodiscard]] std::string workload_summary(const std::vector<WorkloadRow>&);
[[nodiscard]] double mean_difference(const std::vector<WorkloadRow>&); // percent

} // namespace heddle::cli
