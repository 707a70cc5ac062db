#include "validate_workloads.h"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include "base/output_file.h"
#include "base/suggest.h"
#include "child.h"
#include "command.h"
#include "measured_workloads.h"
#include "output_files.h"
#include "own_folder.h"
#include "validation_run.h"

namespace heddle::cli {

namespace {

// Those that were asked for.
void keep_named(std::vector<MeasuredWorkload>& workloads, const std::vector<std::string>& names) {
    std::vector<std::string> valid;
    for (const MeasuredWorkload& workload : workloads)
        if (std::find(valid.begin(), valid.end(), workload.program) == valid.end())
            valid.push_back(workload.program);
    for (const std::string& name : names)
        if (std::find(valid.begin(), valid.end(), name) == valid.end())
            throw UsageError(fmt::format("no workload '{}' is measured; valid: {}{}", name, comma_list(valid),
                                         did_you_mean(name, valid)));
    std::erase_if(workloads, [&](const MeasuredWorkload& workload) {
        return !names.empty() && std::find(names.begin(), names.end(), workload.program) == names.end();
    });
}

// The cycles of an empty kernel on the machine; nothing after an interrupt.
std::optional<double> empty_kernel(const MachineOptions& machine, const LaunchOptions& launches) {
    const std::string program = own_folder("lib/heddle", "validation") / "programs/launches";
    const auto run = run_on_machine(machine, launches, {program});
    if (!run)
        return std::nullopt;
    if (run->summary.kernels.empty())
        throw UserError(fmt::format("{}: expected launches of an empty kernel, and there are none", program));
    const report::KernelSummary& kernel = run->summary.kernels.front();
    return static_cast<double>(kernel.counts.cycles) / static_cast<double>(kernel.timed_launches);
}

} // namespace

int validate_workloads(const MachineOptions& machine, const LaunchOptions& launches,
                       const std::vector<std::string>& programs, const std::string& csv) {
    MeasuredChip chip = measured_chip(machine.load().name());
    keep_named(chip.workloads, programs);
    const std::string file = csv.empty() ? "" : prepare_result_file(csv);
    const std::optional<double> empty = empty_kernel(machine, launches);
    std::vector<WorkloadRow> rows;
    std::string unfinished = empty ? "" : "launches";
    for (const MeasuredWorkload& workload : chip.workloads) {
        if (!unfinished.empty())
            break;
        const auto run = run_on_machine(machine, launches, workload.words());
        if (!run) {
            unfinished = workload.name();
            break;
        }
        const std::vector<KernelCost> here = costs_of(workload, run->summary);
        for (std::size_t k = 0; k < here.size(); ++k)
            rows.push_back({workload.name(), workload.kernels[k], here[k], chip.empty, *empty});
    }
    if (!rows.empty())
        fmt::print("{}\n{}", workload_table(rows), workload_summary(rows));
    if (!file.empty())
        write_file(file, workload_csv(rows));
    if (!unfinished.empty()) {
        fmt::print(stderr, "heddle: interrupted in '{}'; the table has what was run before\n", unfinished);
        return SignalForwarder::exit_status();
    }
    if (programs.empty() && chip.mean_percent != 0 && mean_difference(rows) > chip.mean_percent) {
        fmt::print(stderr, "heddle: the mean difference is above {} %\n", chip.mean_percent);
        return kFailed;
    }
    return 0;
}

} // namespace heddle::cli
